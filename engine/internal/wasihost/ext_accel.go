// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package wasihost

import (
	"bytes"
	"crypto/md5"  // for md5sum, not for security
	"crypto/sha1" // for sha1sum, not for security
	"crypto/sha256"
	"crypto/sha512"
	"encoding"
	"hash"
	"hash/crc32"

	"github.com/wsandbox/wsandbox/engine/abi"
)

// accelSlice is how many bytes an accelerator works on between two looks
// whether the process must end.
const accelSlice = 4 << 20

// accelIndex stores the offset of the first needle in a haystack, or -1.
//
// # Errors
//
//   - EFAULT
func accelIndex(c *Context, m memory, a []uint64) error {
	b, err := m.view(uint32(a[0]), uint32(a[1]))
	if err != nil {
		return err
	}
	needle, err := m.view(uint32(a[2]), uint32(a[3]))
	if err == nil {
		err = m.check(uint32(a[4]), 4)
	}
	if err != nil {
		return err
	}
	at := int64(-1)
	for off := 0; len(b)-off >= len(needle); {
		// A match may reach into the next slice.
		s := b[off:min(len(b), off+accelSlice+len(needle))]
		if i := bytes.Index(s, needle); i >= 0 {
			at = int64(off + i)
			break
		}
		off += accelSlice
		if off >= len(b) {
			break
		}
		if err := c.p.Yield(); err != nil {
			return err
		}
	}
	return m.putU32(uint32(a[4]), uint32(at))
}

// accelIndexByte stores the offset of the first byte of a value, or -1.
//
// # Errors
//
//   - EFAULT
func accelIndexByte(c *Context, m memory, a []uint64) error {
	b, err := m.view(uint32(a[0]), uint32(a[1]))
	if err == nil {
		err = m.check(uint32(a[3]), 4)
	}
	if err != nil {
		return err
	}
	at := int64(-1)
	for off := 0; off < len(b); off += accelSlice {
		if i := bytes.IndexByte(b[off:min(len(b), off+accelSlice)], byte(a[2])); i >= 0 {
			at = int64(off + i)
			break
		}
		if err := c.p.Yield(); err != nil {
			return err
		}
	}
	return m.putU32(uint32(a[3]), uint32(at))
}

// accelCountByte stores the number of bytes of a value.
//
// # Errors
//
//   - EFAULT
func accelCountByte(c *Context, m memory, a []uint64) error {
	b, err := m.view(uint32(a[0]), uint32(a[1]))
	if err == nil {
		err = m.check(uint32(a[3]), 4)
	}
	if err != nil {
		return err
	}
	n := 0
	sep := []byte{byte(a[2])}
	for off := 0; off < len(b); off += accelSlice {
		n += bytes.Count(b[off:min(len(b), off+accelSlice)], sep)
		if err := c.p.Yield(); err != nil {
			return err
		}
	}
	return m.putU32(uint32(a[3]), uint32(n))
}

// hashes makes the hashes of accel_hash, indexed by their kind.
var hashes = [...]func() hash.Hash{
	abi.HashSHA256: sha256.New,
	abi.HashMD5:    md5.New,
	abi.HashSHA1:   sha1.New,
	abi.HashSHA512: sha512.New,
	abi.HashCRC32:  func() hash.Hash { return crc32.NewIEEE() },
}

// accelHash feeds data to a hash whose state the guest keeps, abi.HashStateSize
// bytes that are all zero at first. A final call puts the digest at the start
// of the state and clears the rest.
//
// # Errors
//
//   - EINVAL: no such kind, or a state that no call has left there
//   - EFAULT
//
// # Notes
//
// The state is the one that Go's hash packages write and check themselves. A
// guest that makes one up gets a wrong digest or EINVAL.
func accelHash(c *Context, m memory, a []uint64) error {
	kind := uint32(a[0])
	state, err := m.view(uint32(a[1]), abi.HashStateSize)
	if err != nil {
		return err
	}
	data, err := m.view(uint32(a[2]), uint32(a[3]))
	if err != nil {
		return err
	}
	if kind >= uint32(len(hashes)) {
		return abi.EINVAL
	}
	if c.hash[kind] == nil {
		c.hash[kind] = hashes[kind]()
	}
	h := c.hash[kind]
	h.Reset()
	marshal, ok := h.(interface {
		encoding.BinaryAppender
		encoding.BinaryUnmarshaler
	})
	if !ok {
		return abi.ENOTSUP
	}
	if state[0] != 0 {
		// Byte 0 is the size of what Go marshalled into the rest.
		n := 1 + int(state[0])
		if n > len(state) || marshal.UnmarshalBinary(state[1:n]) != nil {
			return abi.EINVAL
		}
	}
	for len(data) > 0 {
		k := min(len(data), accelSlice)
		h.Write(data[:k])
		data = data[k:]
		if len(data) > 0 {
			if err := c.p.Yield(); err != nil {
				return err
			}
		}
	}
	if uint32(a[4]) != 0 {
		clear(state[len(h.Sum(state[:0])):])
		return nil
	}
	b, err := marshal.AppendBinary(state[1:1])
	if err != nil || len(b) > len(state)-1 || len(b) > 255 {
		return abi.EINVAL
	}
	state[0] = byte(len(b))
	clear(state[1+len(b):])
	return nil
}
