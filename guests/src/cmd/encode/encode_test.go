// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package encode

import (
	"bytes"
	"encoding/base32"
	"encoding/base64"
	"testing"

	"github.com/stretchr/testify/require"
)

func sixty() *encoding {
	return newEncoding("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/", 6, 3, 4)
}

func thirty() *encoding { return newEncoding("ABCDEFGHIJKLMNOPQRSTUVWXYZ234567", 5, 5, 8) }

// FuzzBase compares with the standard library, and decodes in pieces.
func FuzzBase(f *testing.F) {
	f.Add([]byte("hello"), uint8(2))
	f.Add([]byte("\x00\xff\x10\x80abc"), uint8(1))
	f.Add([]byte("YQ==YWI=\nx*"), uint8(3))
	f.Fuzz(func(t *testing.T, b []byte, step uint8) {
		for i, e := range []*encoding{sixty(), thirty()} {
			text := e.encode(nil, b)
			want := base64.StdEncoding.EncodeToString(b)
			if i == 1 {
				want = base32.StdEncoding.EncodeToString(b)
			}
			require.Equal(t, want, string(text))
			d := decoder{encoding: e}
			var got []byte
			for rest := text; len(rest) > 0; {
				n := min(len(rest), int(step)+1)
				var ok bool
				got, ok = d.decode(got, rest[:n])
				require.True(t, ok)
				rest = rest[n:]
			}
			got, ok := d.finish(got)
			require.True(t, ok)
			require.True(t, bytes.Equal(b, got))
			for _, garbage := range []bool{false, true} { // anything at all
				d := decoder{encoding: e, garbage: garbage}
				if out, _ := d.decode(nil, b); len(out) > len(b) {
					t.Fatalf("%d bytes of %d", len(out), len(b))
				}
				d.finish(nil)
			}
		}
	})
}

func FuzzRevert(f *testing.F) {
	f.Add([]byte("00000000: 6865 6c6c 6f0a                           hello."))
	f.Add([]byte("ffffffffffffffffffff: 41"))
	f.Add([]byte(" :"))
	f.Fuzz(func(t *testing.T, l []byte) {
		at, rest, ok := address(l)
		if at < 0 || ok && len(octets(nil, rest, 16)) > 16 {
			t.Fatalf("%q: %d", l, at)
		}
	})
}

func TestEBCDIC(t *testing.T) {
	require.Equal(t, byte('A'), fromEBCDIC(0xc1))
	require.Equal(t, byte('z'), fromEBCDIC(0xa9))
	require.Equal(t, byte('0'), fromEBCDIC(0xf0))
	require.Equal(t, byte(' '), fromEBCDIC(0x40))
	require.Equal(t, byte('.'), fromEBCDIC(0x4b))
	require.Equal(t, byte(0), fromEBCDIC(0x00))
	require.Equal(t, byte(0), fromEBCDIC(0xff))
	require.Equal(t, byte('{'), fromEBCDIC(0xc0))
	require.Equal(t, byte('\\'), fromEBCDIC(0xe0))
}

func BenchmarkBase64(b *testing.B) {
	in := bytes.Repeat([]byte("0123456789abcdef"), 4096)
	e, out := sixty(), make([]byte, 0, 128<<10)
	b.SetBytes(int64(len(in)))
	for b.Loop() {
		out = e.encode(out[:0], in)
	}
}
