// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package kernel

import (
	"sync"

	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/engine/kernel/internal/pipe"
	"github.com/wsandbox/wsandbox/engine/vfs"
)

// fifoTable holds the pipes of the FIFOs that are open or being opened.
type fifoTable struct {
	mu sync.Mutex
	m  map[fifoKey]*fifo // guarded by mu
}

// fifoKey identifies the file.
type fifoKey struct{ dev, ino uint64 }

// fifo is the pipe of a FIFO and how many descriptions need it.
type fifo struct {
	t    *fifoTable
	key  fifoKey
	pipe *pipe.Pipe
	refs int // guarded by t.mu
}

// open returns the pipe of a FIFO with one more reference.
func (t *fifoTable) open(key fifoKey, pool *pipe.Pool) *fifo {
	t.mu.Lock()
	defer t.mu.Unlock()
	f := t.m[key]
	if f == nil {
		if t.m == nil {
			t.m = make(map[fifoKey]*fifo)
		}
		f = &fifo{t: t, key: key, pipe: pipe.NewFIFO(pool)}
		t.m[key] = f
	}
	f.refs++
	return f
}

// release gives up one reference.
func (f *fifo) release() {
	f.t.mu.Lock()
	defer f.t.mu.Unlock()
	if f.refs--; f.refs == 0 {
		delete(f.t.m, f.key)
	}
}

// fifoEnd is an open FIFO: an end of its pipe, with the attributes of the file.
type fifoEnd struct {
	pipe.End
	loc  vfs.File
	fifo *fifo
}

func (e *fifoEnd) Stat() (abi.Stat, error) { return e.loc.Stat() }

func (e *fifoEnd) Close() error {
	if err := e.End.Close(); err != nil {
		return err
	}
	e.fifo.release()
	return e.loc.Close()
}

func (e *fifoEnd) Chmod(perm abi.Mode) error {
	if c, ok := e.loc.(vfs.FileChmod); ok {
		return c.Chmod(perm)
	}
	return abi.ENOTSUP
}

func (e *fifoEnd) Chown(uid, gid uint32) error {
	if c, ok := e.loc.(vfs.FileChown); ok {
		return c.Chown(uid, gid)
	}
	return abi.ENOTSUP
}

func (e *fifoEnd) Utimes(atim, mtim int64) error {
	if u, ok := e.loc.(vfs.FileUtimes); ok {
		return u.Utimes(atim, mtim)
	}
	return abi.ENOTSUP
}

// openFIFO opens the FIFO loc, which it takes over unless it fails: ENXIO,
// EINTR, ErrExiting. An opener counts as its end while it waits, so that two
// that wait for each other both go on.
//
// POSIX: open(), O_NONBLOCK.
func (p *Process) openFIFO(loc vfs.File, st *abi.Stat, flag abi.OpenFlag) (vfs.Stream, error) {
	f := p.k.fifos.open(fifoKey{st.Dev, st.Ino}, p.k.pipes)
	end, met, err := f.pipe.Open(flag)
	if err == nil && met != nil {
		if err = p.meet(f.pipe, met); err != nil {
			end.Close()
		}
	}
	if err != nil {
		f.release()
		return nil, err
	}
	return &fifoEnd{End: end, loc: loc, fifo: f}, nil
}

// meet waits for the other end of a FIFO.
func (p *Process) meet(pi *pipe.Pipe, met func() bool) error {
	p.entry.Mask = abi.PollIn
	pi.EnlistOpen(&p.entry)
	defer pi.DelistOpen(&p.entry)
	for !met() {
		if err := p.sleep(never); err != nil && !met() {
			return err
		}
	}
	return nil
}
