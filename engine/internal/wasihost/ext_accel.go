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
	"encoding/binary"
	"hash"
	"hash/crc32"

	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/engine/accel"
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

// list returns the n numbers of 32 bits at ptr, in place.
func (m memory) list(ptr, n uint32) ([]byte, error) {
	if n > 1<<30-1 {
		return nil, abi.EFAULT
	}
	return m.view(ptr, 4*n)
}

// accelPositions stores the offsets of the bytes that are one of two, as many
// as there is room for.
//
// # Errors
//
//   - EFAULT
func accelPositions(c *Context, m memory, a []uint64) error {
	b, err := m.view(uint32(a[0]), uint32(a[1]))
	if err != nil {
		return err
	}
	out, err := m.list(uint32(a[4]), uint32(a[5]))
	if err == nil {
		err = m.check(uint32(a[6]), 4)
	}
	if err != nil {
		return err
	}
	n := 0
	for off := 0; off < len(b) && len(out) > 4*n; off += accelSlice {
		n += accel.Positions(out[4*n:], b[off:min(len(b), off+accelSlice)], byte(a[2]), byte(a[3]), uint32(off))
		if err := c.p.Yield(); err != nil {
			return err
		}
	}
	return m.putU32(uint32(a[6]), uint32(n))
}

// accelFind stores where a string is, as an abi.Find mode says.
//
// # Errors
//
//   - EINVAL: no such mode
//   - EFAULT
func accelFind(c *Context, m memory, a []uint64) error {
	f := accel.Finder{Mode: uint32(a[4]) &^ abi.AccelFold, Fold: uint32(a[4])&abi.AccelFold != 0, EOL: byte(a[5])}
	var err error
	if f.Text, err = m.view(uint32(a[0]), uint32(a[1])); err != nil {
		return err
	}
	if f.Needle, err = m.view(uint32(a[2]), uint32(a[3])); err != nil {
		return err
	}
	if f.Out, err = m.list(uint32(a[6]), uint32(a[7])); err == nil {
		err = m.check(uint32(a[8]), 4)
	}
	if err != nil {
		return err
	}
	if f.Mode > abi.FindLines {
		return abi.EINVAL
	}
	for f.Run(accelSlice) {
		if err := c.p.Yield(); err != nil {
			return err
		}
	}
	return m.putU32(uint32(a[8]), uint32(f.N))
}

// accelSplit stores where the first fields of each line end, and the line.
//
// # Errors
//
//   - EINVAL: more delimiters than there is room for
//   - EFAULT
func accelSplit(c *Context, m memory, a []uint64) error {
	b, err := m.view(uint32(a[0]), uint32(a[1]))
	if err != nil {
		return err
	}
	out, err := m.list(uint32(a[5]), uint32(a[6]))
	if err == nil {
		err = m.check(uint32(a[7]), 4)
	}
	if err != nil {
		return err
	}
	k := uint32(a[4])
	if k >= uint32(a[6]) {
		return abi.EINVAL
	}
	n, off, slice := 0, 0, accelSlice
	for {
		part := b[off:min(len(b), off+slice)]
		j, size := accel.Split(out[4*n:], part, byte(a[2]), byte(a[3]), int(k), uint32(off))
		n += j
		off += size
		if len(out)/4-n <= int(k) || len(part) == len(b)-off+size {
			break
		}
		if size == 0 {
			slice *= 2 // a long line
		}
		if err := c.p.Yield(); err != nil {
			return err
		}
	}
	return m.putU32(uint32(a[7]), uint32(n))
}

// accelUTF8 stores how many bytes at the start are valid UTF-8.
//
// # Errors
//
//   - EFAULT
func accelUTF8(c *Context, m memory, a []uint64) error {
	b, err := m.view(uint32(a[0]), uint32(a[1]))
	if err == nil {
		err = m.check(uint32(a[2]), 4)
	}
	if err != nil {
		return err
	}
	n := 0
	for n < len(b) {
		part := b[n:min(len(b), n+accelSlice)]
		k := accel.ValidUTF8(part)
		n += k
		// A character may be cut off at the end of a slice.
		if k < len(part)-3 || k < len(part) && (n+4 > len(b) || accel.ValidUTF8(b[n:min(len(b), n+4)]) == 0) {
			break
		}
		if err := c.p.Yield(); err != nil {
			return err
		}
	}
	return m.putU32(uint32(a[2]), uint32(n))
}

// accelRuns stores how many runs of bytes of a set there are.
//
// # Errors
//
//   - EFAULT
func accelRuns(c *Context, m memory, a []uint64) error {
	b, err := m.view(uint32(a[0]), uint32(a[1]))
	if err != nil {
		return err
	}
	set, err := m.view(uint32(a[2]), 256)
	if err != nil {
		return err
	}
	state, err := m.view(uint32(a[3]), 4)
	if err == nil {
		err = m.check(uint32(a[4]), 4)
	}
	if err != nil {
		return err
	}
	in := binary.LittleEndian.Uint32(state) != 0
	n := 0
	for off := 0; off < len(b); off += accelSlice {
		var k int
		k, in = accel.Runs(b[off:min(len(b), off+accelSlice)], set, in)
		n += k
		if err := c.p.Yield(); err != nil {
			return err
		}
	}
	v := uint32(0)
	if in {
		v = 1
	}
	binary.LittleEndian.PutUint32(state, v)
	return m.putU32(uint32(a[4]), uint32(n))
}

// accelTranslate replaces, drops and squeezes bytes in place and stores the new
// length and the last byte.
//
// # Errors
//
//   - EFAULT
func accelTranslate(c *Context, m memory, a []uint64) error {
	b, err := m.view(uint32(a[0]), uint32(a[1]))
	if err != nil {
		return err
	}
	table, err := m.view(uint32(a[2]), 512)
	if err != nil {
		return err
	}
	prev, err := m.view(uint32(a[3]), 4)
	if err == nil {
		err = m.check(uint32(a[4]), 4)
	}
	if err != nil {
		return err
	}
	last := int32(binary.LittleEndian.Uint32(prev))
	n := 0
	for off := 0; off < len(b); off += accelSlice {
		part := b[off:min(len(b), off+accelSlice)]
		var k int
		k, last = accel.Translate(part, table, last)
		n += copy(b[n:], part[:k])
		if err := c.p.Yield(); err != nil {
			return err
		}
	}
	binary.LittleEndian.PutUint32(prev, uint32(last))
	return m.putU32(uint32(a[4]), uint32(n))
}

// accelGather copies pieces of one or two sources behind each other and stores
// how many bytes that are.
//
// # Errors
//
//   - EINVAL: a piece that is out of the bounds of its source
//   - ERANGE: no room for all
//   - EFAULT
func accelGather(c *Context, m memory, a []uint64) error {
	src, err := m.view(uint32(a[0]), uint32(a[1]))
	if err != nil {
		return err
	}
	alt, err := m.view(uint32(a[2]), uint32(a[3]))
	if err != nil {
		return err
	}
	if uint32(a[5]) > 1<<28 {
		return abi.EFAULT
	}
	pieces, err := m.view(uint32(a[4]), 8*uint32(a[5]))
	if err != nil {
		return err
	}
	dst, err := m.view(uint32(a[6]), uint32(a[7]))
	if err == nil {
		err = m.check(uint32(a[8]), 4)
	}
	if err != nil {
		return err
	}
	n := 0
	for len(pieces) > 0 {
		part := pieces[:min(len(pieces), accelSlice)]
		k, done, ok := accel.Gather(dst[n:], src, alt, part, accelSlice)
		n += k
		switch {
		case !ok:
			return abi.EINVAL
		case 8*done < len(part) && k < accelSlice:
			return abi.ERANGE
		}
		pieces = pieces[8*done:]
		if err := c.p.Yield(); err != nil {
			return err
		}
	}
	return m.putU32(uint32(a[8]), uint32(n))
}

// accelDFA runs a finite automaton, as abi.DFASize says.
//
// # Errors
//
//   - EINVAL: no such mode, or a position behind the end of the text
//   - EFAULT
func accelDFA(c *Context, m memory, a []uint64) error {
	spec, err := m.view(uint32(a[0]), abi.DFASize)
	if err != nil {
		return err
	}
	u32 := func(at int) uint32 { return binary.LittleEndian.Uint32(spec[at:]) }
	d := &c.dfa
	// A Context outlives the memory of its program.
	defer func() { *d = accel.Automaton{} }()
	for _, f := range []struct {
		to      *[]byte
		at      int
		n, size uint32
	}{
		{&d.Classes, 16, 256, 1}, {&d.Low, 24, u32(84), 4}, {&d.Class, 32, u32(84), 4}, {&d.Flags, 40, u32(72), 1},
		{&d.Text, 48, u32(88), 1}, {&d.Needle, 56, u32(92), 1}, {&d.Out, 64, u32(96), 4},
	} {
		if f.size == 4 {
			*f.to, err = m.list(u32(f.at), f.n)
		} else {
			*f.to, err = m.view(u32(f.at), f.n)
		}
		if err != nil {
			return err
		}
	}
	states, columns := uint64(u32(72)), uint64(u32(76))
	if states > 1<<22 || columns > 1<<22 || states*columns >= 1<<30 {
		return abi.EFAULT
	}
	if d.Trans, err = m.list(u32(0), uint32(256*states)); err != nil {
		return err
	}
	if d.Wide, err = m.list(u32(8), uint32(states*columns)); err != nil {
		return err
	}
	d.Columns, d.Multi, d.Mode, d.EOL, d.Start = u32(76), u32(80), u32(100)&^abi.AccelFold, byte(u32(104)), u32(108)
	d.Fold = u32(100)&abi.AccelFold != 0
	d.Inner = u32(132)
	d.State, d.Last = u32(116), int(int32(u32(120)))
	if d.Mode > abi.DFAMatchesOnce || u32(112) > u32(88) {
		return abi.EINVAL
	}
	d.Pos = int(u32(112))
	d.Begin()
	reason, more := d.Run(accelSlice)
	for more {
		if err := c.p.Yield(); err != nil {
			return err
		}
		reason, more = d.Run(accelSlice)
	}
	for i, v := range [...]uint32{uint32(d.Pos), d.State, uint32(d.Last), uint32(d.N), reason} {
		binary.LittleEndian.PutUint32(spec[112+4*i:], v)
	}
	return nil
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
