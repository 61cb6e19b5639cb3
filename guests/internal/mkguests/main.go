// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

// Command mkguests builds the guest images from guests/src with the stock Go
// toolchain, reproducibly.
//
//	mkguests [-o DIR] [-z]      build every image into DIR (default guests/built)
//	mkguests -verify DIR        rebuild and compare with DIR/manifest.json
//
// It is run in the root of the source tree. An image is a directory of
// guests/src that holds an applets.txt: the names it can be called by.
package main

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"

	"github.com/wsandbox/wsandbox/guests"
)

const src = "guests/src"

func main() {
	out := flag.String("o", "guests/built", "`directory` for the images")
	zip := flag.Bool("z", false, "compress the images")
	verify := flag.String("verify", "", "compare a fresh build with the manifest in this `directory`")
	flag.Parse()
	var err error
	if *verify != "" {
		err = check(*verify)
	} else {
		_, err = build(*out, *zip)
	}
	if err != nil {
		fmt.Fprintln(os.Stderr, "mkguests:", err)
		os.Exit(1)
	}
}

func build(out string, zip bool) ([]guests.Guest, error) {
	lists, err := filepath.Glob(filepath.Join(src, "*", "applets.txt"))
	if err != nil {
		return nil, err
	}
	if len(lists) == 0 {
		return nil, fmt.Errorf("no image in %s: run in the root of the source tree", src)
	}
	if err := os.MkdirAll(out, 0o755); err != nil {
		return nil, err
	}
	var all []guests.Guest
	for _, list := range lists {
		name := filepath.Base(filepath.Dir(list))
		text, err := os.ReadFile(list)
		if err != nil {
			return nil, err
		}
		applets := strings.Fields(string(text))
		slices.Sort(applets)
		module, err := compile(name)
		if err != nil {
			return nil, err
		}
		sum := sha256.Sum256(module)
		g := guests.Guest{
			Name: name, Applets: applets, Version: runtime.Version(), License: "Apache-2.0 AND BSD-3-Clause",
			SHA256: hex.EncodeToString(sum[:]), Size: len(module), File: name + ".wasm",
		}
		if zip {
			g.File += ".gz"
			var b bytes.Buffer
			z, _ := gzip.NewWriterLevel(&b, gzip.BestCompression)
			_, _ = z.Write(module) // a bytes.Buffer takes everything
			_ = z.Close()
			module = b.Bytes()
		}
		if err := replace(filepath.Join(out, g.File), module); err != nil {
			return nil, err
		}
		all = append(all, g)
	}
	m, err := json.MarshalIndent(map[string]any{"guests": all}, "", "\t")
	if err != nil {
		return nil, err
	}
	return all, replace(filepath.Join(out, "manifest.json"), append(m, '\n'))
}

// replace writes a file in one step, and not at all where it already has that
// content, so that Go's build cache stays valid.
func replace(name string, b []byte) error {
	if old, err := os.ReadFile(name); err == nil && bytes.Equal(old, b) {
		return nil
	}
	tmp := name + ".tmp"
	if err := os.WriteFile(tmp, b, 0o644); err != nil {
		return err
	}
	return os.Rename(tmp, name)
}

func compile(name string) ([]byte, error) {
	dir, err := os.MkdirTemp("", "mkguests")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	file := filepath.Join(dir, name+".wasm")
	cmd := exec.Command("go", "build", "-trimpath", "-tags=wsandbox_guest", "-buildvcs=false", "-ldflags=-s -w -buildid=", "-buildmode=c-shared", "-o", file, "./"+name)
	cmd.Dir = src
	cmd.Env = append(os.Environ(), "GOOS=wasip1", "GOARCH=wasm", "GOWASM=", "GOFLAGS=-mod=readonly", "CGO_ENABLED=0", "GOEXPERIMENT=")
	cmd.Stderr = os.Stderr
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("go build %s: %w", name, err)
	}
	return os.ReadFile(file)
}

func check(dir string) error {
	text, err := os.ReadFile(filepath.Join(dir, "manifest.json"))
	if err != nil {
		return err
	}
	var want struct{ Guests []guests.Guest }
	if err := json.Unmarshal(text, &want); err != nil {
		return fmt.Errorf("%s: %w", dir, err)
	}
	tmp, err := os.MkdirTemp("", "mkguests")
	if err != nil {
		return err
	}
	defer os.RemoveAll(tmp)
	got, err := build(tmp, false)
	if err != nil {
		return err
	}
	if len(got) != len(want.Guests) {
		return fmt.Errorf("%s has %d images, the sources have %d", dir, len(want.Guests), len(got))
	}
	for i, g := range got {
		w := want.Guests[i]
		switch {
		case g.Name != w.Name || !slices.Equal(g.Applets, w.Applets):
			return fmt.Errorf("%s: name or applets differ from the sources", w.Name)
		case g.Version != w.Version:
			return fmt.Errorf("%s was built by %s, this is %s: the comparison needs the same", w.Name, w.Version, g.Version)
		case g.SHA256 != w.SHA256:
			return fmt.Errorf("%s differs from a build of the sources", w.Name)
		}
	}
	fmt.Println("guests verified:", len(got))
	return nil
}
