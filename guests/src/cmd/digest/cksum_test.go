// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package digest

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestCRC checks the eight tables against one byte at a time, and a known value.
func TestCRC(t *testing.T) {
	b := bytes.Repeat([]byte("123456789\x00\xff"), 50)
	for n := range b {
		slow := uint32(0)
		for _, x := range b[:n] {
			slow = crc(slow, []byte{x})
		}
		require.Equal(t, slow, crc(0, b[:n]), n)
	}
	require.Equal(t, uint32(930766865), ^crc(crc(0, []byte("123456789")), []byte{9})) // printf 123456789 | cksum
}

func BenchmarkCRC(b *testing.B) {
	in := make([]byte, 64<<10)
	b.SetBytes(int64(len(in)))
	for b.Loop() {
		crc(0, in)
	}
}
