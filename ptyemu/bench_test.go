// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package ptyemu_test

import (
	"bytes"
	"testing"

	"github.com/wsandbox/wsandbox/ptyemu"
)

// BenchmarkOutput writes lines of text and reads them at the master.
func BenchmarkOutput(b *testing.B) {
	text := bytes.Repeat([]byte("some words of text in a line, which is not short\n"), 600)
	term := ptyemu.New(ptyemu.Options{})
	buf := make([]byte, 1<<16)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		if n, err := term.Replica().Write(text); n != len(text) || err != nil {
			b.Fatal(n, err)
		}
		for term.Master().Buffered() > 0 {
			if _, err := term.Master().Read(buf); err != nil {
				b.Fatal(err)
			}
		}
	}
}

// BenchmarkInput types lines with echo, and a process reads them.
func BenchmarkInput(b *testing.B) {
	text := bytes.Repeat([]byte("some words of text in a line, which is not short\n"), 80)
	term := ptyemu.New(ptyemu.Options{})
	buf := make([]byte, 1<<16)
	b.SetBytes(int64(len(text)))
	b.ReportAllocs()
	for b.Loop() {
		if n, err := term.Master().TryWrite(text); n != len(text) || err != nil {
			b.Fatal(n, err)
		}
		for term.Replica().Buffered() > 0 {
			if _, err := term.Replica().Read(buf); err != nil {
				b.Fatal(err)
			}
		}
		if _, err := term.Master().Read(buf); err != nil {
			b.Fatal(err)
		}
	}
}
