// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package memfs

// chunkSize is the largest piece that file data is kept in.
const chunkSize = 64 << 10

// chunks holds the data of a file in pieces, of which only those that were
// written exist. A piece may be shorter than chunkSize; what is missing reads as
// zeros.
type chunks struct {
	head  []byte           // piece 0
	rest  map[int64][]byte // the others
	bytes int64            // sum of the capacities
}

func (c *chunks) get(i int64) []byte {
	if i == 0 {
		return c.head
	}
	return c.rest[i]
}

func (c *chunks) set(i int64, b []byte) {
	if i == 0 {
		c.head = b
		return
	}
	if c.rest == nil {
		c.rest = make(map[int64][]byte)
	}
	c.rest[i] = b
}

// read fills p with the bytes at off.
func (c *chunks) read(p []byte, off int64) {
	for len(p) > 0 {
		i, at := off/chunkSize, int(off%chunkSize)
		n := min(len(p), chunkSize-at)
		b, m := c.get(i), 0
		if at < len(b) {
			m = copy(p[:n], b[at:])
		}
		clear(p[m:n])
		p, off = p[n:], off+int64(n)
	}
}

// write stores p at off. Before a piece grows it asks charge for the bytes, and
// returns how many bytes of p it has stored when that fails, which leaves less
// than 1 KiB unused.
func (c *chunks) write(p []byte, off int64, charge func(int64) error) (int, error) {
	done := 0
	for done < len(p) {
		i, at := off/chunkSize, int(off%chunkSize)
		n := min(len(p)-done, chunkSize-at)
		b, err := c.grow(i, at+n, charge)
		for err != nil && n > 512 {
			n /= 2 // POSIX: as many bytes as there is room for
			b, err = c.grow(i, at+n, charge)
		}
		if err != nil {
			return done, err
		}
		copy(b[at:], p[done:done+n])
		done, off = done+n, off+int64(n)
	}
	return done, nil
}

// grow returns piece i with at least n bytes.
func (c *chunks) grow(i int64, n int, charge func(int64) error) ([]byte, error) {
	b := c.get(i)
	if n <= len(b) {
		return b, nil
	}
	if n > cap(b) {
		// Double, so that many small appends stay cheap; where that is too
		// much, take what is needed.
		size := min(max((n+511)&^511, 2*cap(b)), chunkSize)
		err := charge(int64(size - cap(b)))
		if err != nil {
			size = (n + 511) &^ 511
			if err = charge(int64(size - cap(b))); err != nil {
				return nil, err
			}
		}
		nb := make([]byte, n, size)
		copy(nb, b)
		c.bytes += int64(size - cap(b))
		b = nb
	} else {
		b = b[:n] // bytes between are zero: truncate clears them
	}
	c.set(i, b)
	return b, nil
}

// truncate drops everything at and past size and returns the bytes given back.
func (c *chunks) truncate(size int64) int64 {
	last, at := size/chunkSize, int(size%chunkSize)
	freed := int64(0)
	drop := func(i int64) {
		freed += int64(cap(c.get(i)))
		if i == 0 {
			c.head = nil
		} else {
			delete(c.rest, i)
		}
	}
	for i := range c.rest {
		if i > last || i == last && at == 0 {
			drop(i)
		}
	}
	if size == 0 {
		drop(0)
	}
	if b := c.get(last); at > 0 && at < len(b) {
		clear(b[at:])
		c.set(last, b[:at])
	}
	c.bytes -= freed
	return freed
}
