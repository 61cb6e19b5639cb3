// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package wasihost

import (
	"io"
	"strconv"
	"sync"

	"github.com/wsandbox/wsandbox/engine/abi"
)

// traceText is how many bytes of a string argument a trace shows.
const traceText = 64

// trace returns call with a line to w for every use: the process, the
// arguments as they were before, the result, and what 32-bit results were
// stored. Calls that do not return leave "= ?".
func trace(w io.Writer, f *hostFunc, call func(*Context, memory, []uint64) error) func(*Context, memory, []uint64) error {
	var mu sync.Mutex
	return func(c *Context, m memory, a []uint64) (err error) {
		line := make([]byte, 0, 160)
		if c.p != nil {
			line = strconv.AppendInt(line, int64(c.p.PID()), 10)
		} else {
			line = append(line, "init"...)
		}
		line = append(line, ' ')
		line = append(line, f.name...)
		line = append(line, '(')
		var outs []uint32
		i := 0
		for k, t := range []byte(f.args) {
			if k > 0 {
				line = append(line, ", "...)
			}
			switch t {
			case 's':
				line = m.appendText(line, uint32(a[i]), uint32(a[i+1]))
				i++
			case 'b':
				line = appendPointer(line, uint32(a[i]))
				line = append(line, ", "...)
				line = strconv.AppendUint(line, uint64(uint32(a[i+1])), 10)
				i++
			case 'p', 'o':
				line = appendPointer(line, uint32(a[i]))
				if t == 'o' {
					outs = append(outs, uint32(a[i]))
				}
			case 'I':
				line = strconv.AppendInt(line, int64(a[i]), 10)
			default:
				line = strconv.AppendInt(line, int64(int32(a[i])), 10)
			}
			i++
		}
		line = append(line, ") = "...)
		returned := false
		defer func() {
			if !returned {
				line = append(line, '?')
			} else {
				e := errnoOf(err)
				line = strconv.AppendUint(line, uint64(e), 10)
				if e != abi.Success {
					line = append(line, ' ')
					line = append(line, e.Name()...)
				} else {
					for _, o := range outs {
						if b, err := m.view(o, 4); err == nil {
							v := uint32(b[0]) | uint32(b[1])<<8 | uint32(b[2])<<16 | uint32(b[3])<<24
							line = append(line, " -> "...)
							line = strconv.AppendInt(line, int64(int32(v)), 10)
						}
					}
				}
			}
			line = append(line, '\n')
			mu.Lock()
			defer mu.Unlock()
			w.Write(line)
		}()
		err = call(c, m, a)
		returned = true
		return err
	}
}

func appendPointer(line []byte, p uint32) []byte {
	line = append(line, "0x"...)
	return strconv.AppendUint(line, uint64(p), 16)
}

// appendText appends the quoted string of n bytes at ptr, or the pointer where
// there is none.
func (m memory) appendText(line []byte, ptr, n uint32) []byte {
	b, err := m.view(ptr, min(n, traceText))
	if err != nil {
		return appendPointer(line, ptr)
	}
	line = strconv.AppendQuote(line, string(b))
	if n > traceText {
		line = append(line, "..."...)
	}
	return line
}
