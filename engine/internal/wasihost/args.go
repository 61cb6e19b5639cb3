// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package wasihost

import (
	"encoding/binary"

	"github.com/wsandbox/wsandbox/engine/abi"
)

func (c *Context) args() []string {
	if c.p == nil {
		return nil
	}
	return c.p.Args()
}

func (c *Context) environ() []string {
	if c.p == nil {
		return nil
	}
	return c.p.Environ()
}

// initialEnviron is environ with what an image is made with.
func (c *Context) initialEnviron() []string {
	if c.p == nil {
		return bootEnviron()
	}
	return c.p.Environ()
}

// argsGet stores the arguments, each ended by a NUL, and pointers to them.
//
// # Parameters
//
//   - argv: where the pointers go
//   - buf: where the strings go; args_sizes_get tells the sizes
//
// # Errors
//
//   - EFAULT
//
// WASI: args_get.
func argsGet(c *Context, m memory, a []uint64) error {
	return putVector(m, uint32(a[0]), uint32(a[1]), c.args())
}

// argsSizesGet stores the number of arguments and the size of their strings.
//
// # Parameters
//
//   - argc, size: where the results go
//
// # Errors
//
//   - EFAULT
//   - EOVERFLOW: the sizes need more than 32 bits
//
// WASI: args_sizes_get.
func argsSizesGet(c *Context, m memory, a []uint64) error {
	return putSizes(m, uint32(a[0]), uint32(a[1]), c.args())
}

// environGet is argsGet for the environment.
//
// WASI: environ_get.
func environGet(c *Context, m memory, a []uint64) error {
	return putVector(m, uint32(a[0]), uint32(a[1]), c.initialEnviron())
}

// environSizesGet is argsSizesGet for the environment.
//
// WASI: environ_sizes_get.
func environSizesGet(c *Context, m memory, a []uint64) error {
	return putSizes(m, uint32(a[0]), uint32(a[1]), c.initialEnviron())
}

func putSizes(m memory, countp, sizep uint32, l []string) error {
	n := listSize(l)
	if n > 1<<32-1 {
		return abi.EOVERFLOW
	}
	if err := m.putU32(countp, uint32(len(l))); err != nil {
		return err
	}
	return m.putU32(sizep, uint32(n))
}

func putVector(m memory, ptrs, buf uint32, l []string) error {
	n := listSize(l)
	if n > 1<<32-1 {
		return abi.EOVERFLOW
	}
	// The strings occupy at least a byte each, so four bytes a pointer do
	// not overflow where the strings are in bounds of memory.
	b, err := m.view(buf, uint32(n))
	if err != nil {
		return err
	}
	if len(l) > 1<<30-1 {
		return abi.EOVERFLOW
	}
	v, err := m.view(ptrs, uint32(4*len(l)))
	if err != nil {
		return err
	}
	off := buf
	for i, s := range l {
		binary.LittleEndian.PutUint32(v[4*i:], off)
		k := copy(b, s)
		b[k] = 0
		b = b[k+1:]
		off += uint32(k) + 1
	}
	return nil
}
