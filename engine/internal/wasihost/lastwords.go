// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package wasihost

// lastWords passes on what the Go runtime of a built-in program writes to
// standard error before it dies of a fatal error, up to the first empty line:
// the reason, without the list of its goroutines, which tells a user of the
// program nothing and can be megabytes. Our programs write through the
// extension, so only their runtime comes this way.
type lastWords struct {
	newline bool // the last byte passed on was one
	ended   bool
}

// Terse makes the program's preview 1 output on standard error end at its first
// empty line, until the next Reset.
func (c *Context) Terse() { c.words = &lastWords{} }

// write takes all of iov and passes on what is not cut off.
func (w *lastWords) write(c *Context, iov [][]byte) (int, error) {
	n := 0
	for _, b := range iov {
		n += len(b)
		if w.ended {
			continue
		}
		pass := len(b)
		for i, ch := range b {
			if ch == '\n' && w.newline {
				pass, w.ended = i, true
				break
			}
			w.newline = ch == '\n'
		}
		if pass > 0 {
			if _, err := c.p.Write(2, b[:pass], c.ioFlags(2)); err != nil {
				return n, err
			}
		}
	}
	return n, nil
}
