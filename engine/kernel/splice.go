// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package kernel

import (
	"sync"

	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/engine/kernel/internal/pipe"
)

const spliceSize = 64 << 10

// splicePool recycles the buffers of Splice.
type splicePool struct{ p sync.Pool }

func (s *splicePool) get() *[spliceSize]byte {
	if b, ok := s.p.Get().(*[spliceSize]byte); ok {
		return b
	}
	return new([spliceSize]byte)
}

// Splice copies up to limit bytes from in to out at their file offsets, and
// returns how many: 0, nil is the end of in. It waits for the first bytes as
// Read does and for room as Write does; it returns fewer than limit at the end
// of in, when in has no more for now, and on a signal.
//
// It returns EINVAL for a negative limit, and else the errors of Read and
// Write; an error behind the first byte is returned by the next call. Bytes
// that out did not take stay in in, where in is a regular file; of a stream,
// what Splice has taken it delivers, unless the process ends.
//
// Linux: splice().
func (p *Process) Splice(in, out int32, limit int64) (int64, error) {
	if limit < 0 {
		return 0, abi.EINVAL
	}
	src, err := p.fds.get(in)
	if err != nil {
		return 0, err
	}
	dst, err := p.fds.get(out)
	if err != nil {
		return 0, err
	}
	switch {
	case !src.readable() || !dst.writable():
		return 0, abi.EBADF
	case src.dir != nil:
		return 0, abi.EISDIR
	case src == dst && src.reg != nil:
		return 0, abi.EINVAL // it would chase its own end
	}
	buf := p.k.splices.get()
	defer p.k.splices.p.Put(buf)
	total := int64(0)
	for total < limit {
		b := buf[:min(limit-total, spliceSize)]
		var n int
		if src.reg != nil {
			n, err = p.spliceRegular(src, dst, b)
		} else {
			n, err = p.spliceStream(src, dst, b, total > 0)
		}
		total += int64(n)
		if err == ErrExiting || err != nil && total == 0 {
			return total, err
		}
		if err != nil || n == 0 || src.tty != nil {
			break // an end of file at a terminal is there only once
		}
		if a := p.attn.Load(); a != 0 {
			if err := p.interrupted(); err == ErrExiting {
				return total, err
			} else if err != nil {
				break
			}
		}
	}
	return total, nil
}

// spliceRegular copies one piece and moves in's offset by what was written.
func (p *Process) spliceRegular(src, dst *OpenFile, b []byte) (int, error) {
	src.mu.Lock()
	off := src.off
	n, err := src.reg.ReadAt(b, off)
	src.off += int64(n)
	src.mu.Unlock()
	if n == 0 {
		return 0, err
	}
	w, err := p.writeFile(dst, b[:n], false)
	if w < n {
		src.mu.Lock()
		if src.off == off+int64(n) {
			src.off = off + int64(w)
		}
		src.mu.Unlock()
	}
	return w, err
}

// spliceStream copies one piece out of a stream. It takes only what dst has
// room for, so that it need not wait with bytes in hand.
func (p *Process) spliceStream(src, dst *OpenFile, b []byte, nonblock bool) (int, error) {
	if dst.stream != nil {
		if pi := pipeOf(dst.file); pi != nil {
			room := pi.Free()
			if room < pipe.Buf {
				if dst.has(abi.ONonblock) {
					return 0, abi.EAGAIN
				}
				if err := p.awaitRoom(dst); err != nil {
					return 0, err
				}
				room = pi.Free()
			}
			// With no reader left the write below says so.
			b = b[:min(len(b), max(room, 1))]
		}
	}
	n, err := p.readFile(src, b, nonblock)
	if n == 0 || err != nil {
		return 0, err
	}
	// What is taken is delivered, even where another writer was faster or
	// dst does not wait.
	p.deaf = true
	defer func() { p.deaf = false }()
	for w := 0; w < n; {
		m, err := p.writeFile(dst, b[w:n], false)
		w += m
		if err == abi.EAGAIN {
			err = p.awaitRoom(dst)
		}
		if err != nil {
			return w, err
		}
	}
	return n, nil
}

// awaitRoom waits until a stream can be written or has failed.
func (p *Process) awaitRoom(f *OpenFile) error {
	return p.block(f, abi.PollOut, pipe.Buf, never, func() error {
		if f.stream.Ready(abi.PollOut) == 0 {
			return abi.EAGAIN
		}
		return nil
	})
}
