// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package wasihost

// randomChunk is how many random bytes are made between two looks whether the
// process must end.
const randomChunk = 64 << 10

// randomGet fills a buffer with random bytes.
//
// # Parameters
//
//   - buf, len: the buffer
//
// # Errors
//
//   - EFAULT
//   - EIO: the source of random bytes failed
//
// WASI: random_get.
func randomGet(c *Context, m memory, a []uint64) error {
	b, err := m.view(uint32(a[0]), uint32(a[1]))
	if err != nil {
		return err
	}
	for len(b) > 0 {
		k := min(len(b), randomChunk)
		if c.p == nil {
			c.boot.random(b[:k])
		} else if err = c.p.Random(b[:k]); err != nil {
			return err
		} else if err = c.p.Yield(); err != nil {
			return err
		}
		b = b[k:]
	}
	return nil
}
