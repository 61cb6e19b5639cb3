// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package wasihost

import (
	"crypto/sha256"
	"hash/crc32"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wsandbox/wsandbox/engine/abi"
)

func TestHash(t *testing.T) {
	g := newTestGuest(t)
	const state, data = 0x100, 0x1000
	in := make([]byte, 10000)
	for i := range in {
		in[i] = byte(i * 7)
	}
	g.put(data, in)
	clear(g.bytes(state, abi.HashStateSize))
	g.ok("ext.accel_hash", uint64(abi.HashSHA256), state, data, 6000, 0)
	g.ok("ext.accel_hash", uint64(abi.HashSHA256), state, data+6000, 4000, 1)
	want := sha256.Sum256(in)
	require.Equal(t, want[:], g.bytes(state, 32))
	require.Equal(t, make([]byte, abi.HashStateSize-32), g.bytes(state+32, abi.HashStateSize-32))

	clear(g.bytes(state, abi.HashStateSize))
	g.ok("ext.accel_hash", uint64(abi.HashCRC32), state, data, 10000, 1)
	sum := crc32.ChecksumIEEE(in)
	require.Equal(t, []byte{byte(sum >> 24), byte(sum >> 16), byte(sum >> 8), byte(sum)}, g.bytes(state, 4))

	g.fails(abi.EINVAL, "ext.accel_hash", 5, state, data, 1, 0)
	g.fails(abi.EINVAL, "ext.accel_hash", 1<<31, state, data, 1, 0)
	// The state of another kind, and made-up ones.
	clear(g.bytes(state, abi.HashStateSize))
	g.ok("ext.accel_hash", uint64(abi.HashMD5), state, data, 100, 0)
	g.fails(abi.EINVAL, "ext.accel_hash", uint64(abi.HashSHA1), state, data, 100, 0)
	for _, fill := range []byte{1, 0x7f, 0xff} {
		b := g.bytes(state, abi.HashStateSize)
		for i := range b {
			b[i] = fill
		}
		g.fails(abi.EINVAL, "ext.accel_hash", uint64(abi.HashSHA256), state, data, 100, 0)
	}
	// Data that is its own state.
	clear(g.bytes(state, abi.HashStateSize))
	g.ok("ext.accel_hash", uint64(abi.HashSHA256), state, state, abi.HashStateSize, 0)
	g.ok("ext.accel_hash", uint64(abi.HashSHA256), state, state, abi.HashStateSize, 1)
}

// FuzzHashState resumes hashes from states that a guest made up.
func FuzzHashState(f *testing.F) {
	f.Add(uint32(0), []byte{}, []byte("data"), true)
	for kind, magic := range []string{"sha\x03", "md5\x01", "sha\x01", "sha\x07", "crc\x01"} {
		for _, n := range []int{12, 92, 96, 108, 204} {
			s := make([]byte, 1+n)
			s[0] = byte(n)
			copy(s[1:], magic)
			f.Add(uint32(kind), s, []byte("data"), kind%2 == 0)
			for i := range 8 {
				s[n-i] = 0xff
			}
			f.Add(uint32(kind), s, []byte("data"), kind%2 == 0)
		}
	}
	g := newTestGuest(f)
	f.Fuzz(func(t *testing.T, kind uint32, state, data []byte, final bool) {
		const at, in = 0x100, 0x1000
		g.t = t
		clear(g.bytes(at, abi.HashStateSize))
		g.put(at, state[:min(len(state), abi.HashStateSize)])
		data = data[:min(len(data), 0x8000)]
		g.put(in, data)
		last := uint64(0)
		if final {
			last = 1
		}
		e := g.call("ext.accel_hash", uint64(kind), at, in, uint64(len(data)), last)
		if e != 0 && e != abi.EINVAL {
			t.Fatalf("accel_hash: %s", e.Name())
		}
	})
}
