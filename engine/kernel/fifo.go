// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package kernel

import (
	"sync"

	"github.com/wsandbox/wsandbox/engine/abi"
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
	pipe *pipe
	refs int // guarded by t.mu
}

// open returns the pipe of a FIFO with one more reference.
func (t *fifoTable) open(key fifoKey, pool *pipePool) *fifo {
	t.mu.Lock()
	defer t.mu.Unlock()
	f := t.m[key]
	if f == nil {
		if t.m == nil {
			t.m = make(map[fifoKey]*fifo)
		}
		f = &fifo{t: t, key: key, pipe: &pipe{pool: pool}}
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
	vfs.Stream
	loc  vfs.File
	fifo *fifo
}

func (e *fifoEnd) Stat() (abi.Stat, error) { return e.loc.Stat() }

func (e *fifoEnd) Close() error {
	if err := e.Stream.Close(); err != nil {
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
	f := p.k.fifos.open(fifoKey{st.Dev, st.Ino}, &p.k.pipes)
	pi := f.pipe
	pi.mu.Lock()
	var end vfs.Stream
	wait := false
	other := &pi.wgen
	switch flag & abi.OAccmode {
	case abi.ORdonly:
		end = &pipeReader{p: pi}
		pi.readers++
		pi.rgen++
		wait = pi.writers == 0 && flag&abi.ONonblock == 0
	case abi.OWronly:
		if pi.readers == 0 && flag&abi.ONonblock != 0 {
			pi.mu.Unlock()
			f.release()
			return nil, abi.ENXIO
		}
		end = &pipeWriter{p: pi}
		pi.writers++
		pi.wgen++
		wait = pi.readers == 0
		other = &pi.rgen
	default:
		end = &pipeBoth{p: pi}
		pi.readers++
		pi.writers++
		pi.rgen++
		pi.wgen++
	}
	pi.opens.wake(abi.PollIn, 0)
	if wait {
		p.entry.mask = abi.PollIn
		pi.opens.add(&p.entry)
		for gen := *other; *other == gen; {
			pi.mu.Unlock()
			err := p.sleep(never)
			pi.mu.Lock()
			if err != nil && *other == gen {
				pi.opens.del(&p.entry)
				pi.mu.Unlock()
				end.Close()
				f.release()
				return nil, err
			}
		}
		pi.opens.del(&p.entry)
	}
	pi.mu.Unlock()
	return &fifoEnd{Stream: end, loc: loc, fifo: f}, nil
}
