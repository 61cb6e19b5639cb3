// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package wasihost

import (
	"bytes"
	"encoding/binary"

	"github.com/tetratelabs/wazero/api"

	"github.com/wsandbox/wsandbox/engine/abi"
)

// Bounds on what one call may ask for.
const (
	pathMax = 4096    // bytes of a path. Linux: PATH_MAX
	iovMax  = 1024    // entries of an iovec array. Linux: IOV_MAX
	ioMax   = 1 << 30 // bytes that one read or write moves; more is cut short
)

// memory is the calling program's memory. The zero value is that of a module
// without one: every access is EFAULT.
type memory struct{ api.Memory }

// view returns the n bytes at ptr, in place. It is valid until the program
// runs again.
func (m memory) view(ptr, n uint32) ([]byte, error) {
	if m.Memory == nil {
		return nil, abi.EFAULT
	}
	b, ok := m.Read(ptr, n)
	if !ok {
		return nil, abi.EFAULT
	}
	return b, nil
}

// check reports whether n bytes at ptr exist, for results that are stored after
// the effect of a call.
func (m memory) check(ptr, n uint32) error {
	_, err := m.view(ptr, n)
	return err
}

func (m memory) putU32(ptr, v uint32) error {
	b, err := m.view(ptr, 4)
	if err == nil {
		binary.LittleEndian.PutUint32(b, v)
	}
	return err
}

func (m memory) putU64(ptr uint32, v uint64) error {
	b, err := m.view(ptr, 8)
	if err == nil {
		binary.LittleEndian.PutUint64(b, v)
	}
	return err
}

// putText stores the length of s at lenp and, where size suffices, s at ptr.
// ERANGE otherwise.
func (m memory) putText(ptr, size, lenp uint32, s string) error {
	if err := m.putU32(lenp, uint32(len(s))); err != nil {
		return err
	}
	if uint64(len(s)) > uint64(size) {
		return abi.ERANGE
	}
	b, err := m.view(ptr, uint32(len(s)))
	if err == nil {
		copy(b, s)
	}
	return err
}

// putList is putText for strings that are each ended by a NUL.
func (m memory) putList(ptr, size, lenp uint32, l []string) error {
	n := listSize(l)
	if n > 1<<32-1 {
		return abi.E2BIG
	}
	if err := m.putU32(lenp, uint32(n)); err != nil {
		return err
	}
	if n > uint64(size) {
		return abi.ERANGE
	}
	b, err := m.view(ptr, uint32(n))
	if err != nil {
		return err
	}
	for _, s := range l {
		k := copy(b, s)
		b[k] = 0
		b = b[k+1:]
	}
	return nil
}

func listSize(l []string) (n uint64) {
	for _, s := range l {
		n += uint64(len(s)) + 1
	}
	return n
}

// path returns the path of n bytes at ptr: EFAULT, ENAMETOOLONG, and EINVAL for
// one with a NUL.
func (m memory) path(ptr, n uint32) (string, error) {
	b, err := m.view(ptr, n)
	switch {
	case err != nil:
		return "", err
	case n >= pathMax:
		return "", abi.ENAMETOOLONG
	case bytes.IndexByte(b, 0) >= 0:
		return "", abi.EINVAL
	}
	return string(b), nil
}

// iovec returns the buffers of an iovec array of n entries at ptr, none of them
// empty, ioMax bytes at most in all: EINVAL for too many entries. The buffers
// may overlap. The result is valid until the next call of iovec.
func (c *Context) iovec(m memory, ptr, n uint32) ([][]byte, error) {
	if n > iovMax {
		return nil, abi.EINVAL
	}
	v, err := m.view(ptr, n*8)
	if err != nil {
		return nil, err
	}
	l := c.iov[:0]
	total := uint32(0)
	for ; len(v) >= 8; v = v[8:] {
		p, k := binary.LittleEndian.Uint32(v), binary.LittleEndian.Uint32(v[4:])
		b, err := m.view(p, k)
		if err != nil {
			return nil, err
		}
		if rest := ioMax - total; k > rest {
			b = b[:rest]
		}
		if len(b) > 0 {
			total += uint32(len(b))
			l = append(l, b)
		}
	}
	c.iov = l
	return l, nil
}
