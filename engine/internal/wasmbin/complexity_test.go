// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package wasmbin

import (
	"bytes"
	"errors"
	"strings"
	"testing"
)

// TestComplexity refuses functions that would keep a compiler busy for minutes.
func TestComplexity(t *testing.T) {
	block := []byte{0x02, 0x40, 0x0b}           // block, end
	branch := []byte{0x02, 0x40, 0x0c, 0, 0x0b} // block, br 0, end
	table := append([]byte{0x02, 0x40, 0x41, 0, 0x0e, 0x64}, append(bytes.Repeat([]byte{0}, 101), 0x0b)...)
	tests := []struct {
		name   string
		locals uint32
		code   []byte
		ok     bool
	}{
		{"many blocks", 0, bytes.Repeat(block, maxEdges), true},
		{"too many blocks", 0, bytes.Repeat(block, maxEdges+1), false},
		{"many branches", 0, bytes.Repeat(branch, maxEdges/2), true},
		{"too many branches", 0, bytes.Repeat(branch, maxEdges/2+1), false},
		{"too many targets", 0, bytes.Repeat(table, 1+maxEdges/101), false},
		{"over many locals", 999, bytes.Repeat(block, maxEdgeLocals/1000), true},
		{"over too many locals", 1000, bytes.Repeat(block, maxEdgeLocals/1000), false},
		{"long", 0, bytes.Repeat([]byte{0x01}, maxBody-100), true},
		{"too long", 0, bytes.Repeat([]byte{0x01}, maxBody), false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			body := []byte{0}
			if tt.locals > 0 {
				body = append(appendU32([]byte{1}, tt.locals), byte(I32))
			}
			body = append(append(body, tt.code...), 0x0b)
			code := append(appendU32([]byte{1}, uint32(len(body))), body...)
			mod := []byte("\x00asm\x01\x00\x00\x00\x01\x04\x01\x60\x00\x00\x03\x02\x01\x00")
			mod = appendSection(mod, secCode, code)
			_, _, err := Rewrite(mod, Options{})
			if tt.ok {
				if err != nil {
					t.Fatal(err)
				}
				return
			}
			var e *Error
			if !errors.As(err, &e) || e.Reason != Limit || !strings.Contains(e.Message, "function") {
				t.Fatalf("error %v, want one of a limit", err)
			}
		})
	}
}
