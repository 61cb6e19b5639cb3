// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package ptyemu_test

import (
	"encoding/binary"
	"testing"

	"github.com/wsandbox/wsandbox/ptyemu"
)

// FuzzTerminal does what its input says to a terminal: an operation, its length,
// and bytes for it, again and again.
func FuzzTerminal(f *testing.F) {
	f.Add([]byte("\x00\x05abc\n\x04\x01\x20\x02\x03a\tb"))
	f.Add([]byte("\x00\x08ab\x7f\x15\x17\x12\x16\x03\x03\x18" + "\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"))
	for _, c := range readCases(f) {
		var b []byte
		for _, s := range c.steps {
			switch s.op {
			case "in", "write":
				p := unquote(f, s.arg)
				p = p[:min(len(p), 255)]
				b = append(append(b, map[string]byte{"in": 0, "write": 2}[s.op], byte(len(p))), p...)
			case "read":
				b = append(b, 1, 100)
			}
		}
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		term := ptyemu.New(ptyemu.Options{})
		m, r := term.Master(), term.Replica()
		buf := make([]byte, 1<<16)
		typed, read := 0, 0
		for len(b) >= 2 {
			op, size := b[0], int(b[1])
			b = b[2:]
			arg := b[:min(size, len(b))]
			switch op % 6 {
			case 0:
				b = b[len(arg):]
				n, err := m.TryWrite(arg)
				if n < 0 || n > len(arg) || err != nil {
					t.Fatal(n, err)
				}
				typed += n
			case 1:
				n, err := r.Read(buf[:size])
				if n < 0 || n > size || err != nil && (err != ptyemu.ErrAgain || n != 0) {
					t.Fatal(n, err)
				}
				read += n
			case 2:
				b = b[len(arg):]
				n, err := r.Write(arg)
				if n < 0 || n > len(arg) || err != nil && (err != ptyemu.ErrAgain || n != 0) {
					t.Fatal(n, err)
				}
			case 3:
				b = b[len(arg):]
				tio := term.Termios()
				if len(arg) >= 12 {
					tio.Iflag = binary.LittleEndian.Uint32(arg)
					tio.Oflag = binary.LittleEndian.Uint32(arg[4:])
					tio.Lflag = binary.LittleEndian.Uint32(arg[8:])
					copy(tio.CC[:], arg[12:])
				}
				term.SetTermios(ptyemu.When(op/6%3), tio)
			case 4:
				if m.Buffered() > 0 {
					if _, err := m.Read(buf[:size+1]); err != nil {
						t.Fatal(err)
					}
				}
			case 5:
				n, _, err := r.ReadWait(buf[:size], new(ptyemu.Reading))
				if n < 0 || n > size || err != nil && err != ptyemu.ErrAgain {
					t.Fatal(n, err)
				}
				read += n
			}
			if n := m.Buffered(); n > 2*ptyemu.OutputSize {
				t.Fatalf("%d bytes of output wait", n)
			}
			if n := r.Buffered(); n > ptyemu.InputSize {
				t.Fatalf("%d bytes of input wait", n)
			}
		}
		if read > 2*typed+len(b)+ptyemu.InputSize {
			t.Fatalf("%d bytes typed, %d read", typed, read)
		}
	})
}
