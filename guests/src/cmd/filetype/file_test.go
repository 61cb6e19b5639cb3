// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package filetype

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// The expected values are those of file 5.44.
func TestTell(t *testing.T) {
	for in, want := range map[string]kind{
		"":                                   {"empty", "inode/x-empty", "binary"},
		"abc\n":                              {"ASCII text", "text/plain", "us-ascii"},
		"abc":                                {"ASCII text, with no line terminators", "text/plain", "us-ascii"},
		"a\r\nb\r\n":                         {"ASCII text, with CRLF line terminators", "text/plain", "us-ascii"},
		"a\r\nb\n":                           {"ASCII text, with CRLF, LF line terminators", "text/plain", "us-ascii"},
		"\x1b[31mred\n":                      {"ASCII text, with escape sequences", "text/plain", "us-ascii"},
		"x\bx\n":                             {"ASCII text, with overstriking", "text/plain", "us-ascii"},
		"café\n":                             {"Unicode text, UTF-8 text", "text/plain", "utf-8"},
		"caf\xe9\n":                          {"ISO-8859 text", "text/plain", "iso-8859-1"},
		"caf\x82\n":                          {"Non-ISO extended-ASCII text", "text/plain", "unknown-8bit"},
		"\xef\xbb\xbfabc\n":                  {"Unicode text, UTF-8 (with BOM) text", "text/plain", "utf-8"},
		"\xff\xfea\x00b\x00":                 {"Unicode text, UTF-16, little-endian text, with no line terminators", "text/plain", "utf-16le"},
		"\x00\x01\x02":                       {"data", "application/octet-stream", "binary"},
		"#!/bin/sh\n":                        {"POSIX shell script, ASCII text executable", "text/x-shellscript", "us-ascii"},
		"#!/bin/bash\n":                      {"Bourne-Again shell script, ASCII text executable", "text/x-shellscript", "us-ascii"},
		"#!/usr/bin/env python3\n":           {"Python script, ASCII text executable", "text/x-script.python", "us-ascii"},
		"{\"a\": [1, -2.5e3, null, true]}\n": {"JSON text data", "application/json", "us-ascii"},
		"{\"a\": }\n":                        {"ASCII text", "text/plain", "us-ascii"},
		"<?xml version=\"1.0\"?><a/>":        {"XML 1.0 document, ASCII text, with no line terminators", "text/xml", "us-ascii"},
		"<!DOCTYPE html><html>":              {"HTML document, ASCII text, with no line terminators", "text/html", "us-ascii"},
		"#include <stdio.h>\n":               {"C source, ASCII text", "text/x-c", "us-ascii"},
		"--- a\n+++ b\n@@ -1 +1 @@\n":        {"unified diff output, ASCII text", "text/x-diff", "us-ascii"},
		"\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\x00\x00\x00\x10\x00\x00\x00\x20\x08\x06\x00\x00\x00": {"PNG image data, 16 x 32, 8-bit/color RGBA, non-interlaced", "image/png", "binary"},
		"GIF89a\x10\x00\x20\x00":  {"GIF image data, version 89a, 16 x 32", "image/gif", "binary"},
		"\x00asm\x01\x00\x00\x00": {"WebAssembly (wasm) binary module version 0x1 (MVP)", "application/wasm", "binary"},
		"%PDF-1.4\n":              {"PDF document, version 1.4", "application/pdf", "binary"},
		"BZh91AY&SY":              {"bzip2 compressed data, block size = 900k", "application/x-bzip2", "binary"},
		"\x1f\x8b\x08\x08\x00\xca\x9a\x3b\x02\x03name\x00": {"gzip compressed data, was \"name\", last modified: Sun Sep  9 01:46:40 2001, max compression, from Unix", "application/gzip", "binary"},
		strings.Repeat("x", 400) + "\n":                    {"ASCII text, with very long lines (400)", "text/plain", "us-ascii"},
	} {
		require.Equal(t, want, tell([]byte(in), true), "%.40q", in)
	}
	require.Equal(t, "Unicode text, UTF-8 text, with no line terminators", tell([]byte("é\xc3"), false).text)
}

func FuzzTell(f *testing.F) {
	for i := range rules {
		f.Add([]byte(strings.Repeat("\x00", rules[i].at) + rules[i].magic + strings.Repeat("\x02", 70)))
	}
	f.Add([]byte(`{"a":[1,2,{"b":null}],"c":"\u00e9\n"}`))
	f.Add([]byte("#! /usr/bin/env -S perl -w\n"))
	f.Fuzz(func(t *testing.T, b []byte) {
		if k := tell(b, true); k.text == "" || k.mime == "" || k.charset == "" {
			t.Fatalf("%+v", k)
		}
		tell(b, false)
		if validJSON(b) && !json.Valid(b) {
			t.Fatalf("%q is no JSON", b)
		}
	})
}
