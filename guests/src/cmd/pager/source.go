// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package pager

import (
	"strconv"

	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/guests/src/wsys"
)

// source is where text comes from.
type source interface {
	// read fills b from an offset, as much as is at hand. It waits where
	// there is nothing yet and returns 0 at the end. EINTR says that a signal
	// came while it waited.
	read(b []byte, off int64) (int, error)
	// size returns how much text is known, and whether that is all.
	size() (n int64, complete bool)
	// grow looks for more text without waiting and reports whether there was
	// some.
	grow() bool
	close()
}

// file is a source that can be read anywhere.
type file struct {
	fd   wsys.FD
	n    int64
	keep bool // the descriptor is not ours to close
}

func newFile(fd wsys.FD, keep bool) (*file, error) {
	st, err := wsys.Fstat(fd)
	if err != nil {
		return nil, err
	}
	return &file{fd: fd, n: st.Size, keep: keep}, nil
}

func (f *file) read(b []byte, off int64) (int, error) {
	if _, err := wsys.Seek(f.fd, off, abi.SeekSet); err != nil {
		return 0, err
	}
	n, err := wsys.Read(f.fd, b)
	f.n = max(f.n, off+int64(n))
	return n, err
}

func (f *file) size() (int64, bool) { return f.n, true }

func (f *file) grow() bool {
	st, err := wsys.Fstat(f.fd)
	if err != nil || st.Size == f.n {
		return false
	}
	more := st.Size > f.n
	f.n = st.Size
	return more
}

func (f *file) close() {
	if !f.keep {
		wsys.Close(f.fd)
	}
}

// spoolMemory is how much of a pipe is kept in memory.
const spoolMemory = 4 << 20

// spool keeps what has been read from a pipe.
type spool struct {
	fd    wsys.FD
	keep  bool
	dir   string // for the temporary file
	mem   []byte
	spill wsys.FD // behind spoolMemory; -1: not yet
	n     int64
	eof   bool
	err   error // why no more is read
	buf   []byte
}

func newSpool(fd wsys.FD, keep bool, dir string) *spool {
	return &spool{fd: fd, keep: keep, dir: dir, spill: -1}
}

func (s *spool) read(b []byte, off int64) (int, error) {
	for off >= s.n {
		if s.eof {
			return 0, s.err
		}
		if err := s.take(false); err != nil {
			return 0, err
		}
	}
	if off < int64(len(s.mem)) {
		return copy(b, s.mem[off:]), nil
	}
	if _, err := wsys.Seek(s.spill, off-spoolMemory, abi.SeekSet); err != nil {
		return 0, err
	}
	return wsys.Read(s.spill, b)
}

// take reads once from the pipe.
func (s *spool) take(nonblock bool) error {
	if s.buf == nil {
		s.buf = make([]byte, 64<<10)
	}
	var n int
	var err error
	if nonblock {
		n, err = wsys.ReadNonblock(s.fd, s.buf)
	} else {
		n, err = wsys.Read(s.fd, s.buf)
	}
	if n == 0 {
		if err == abi.EINTR || err == abi.EAGAIN {
			return err
		}
		s.eof, s.err = true, err
		return err
	}
	b := s.buf[:n]
	k := min(n, spoolMemory-len(s.mem))
	s.mem = append(s.mem, b[:k]...)
	if b = b[k:]; len(b) > 0 {
		if err = s.put(b); err != nil {
			s.eof, s.err = true, err
			s.n = int64(len(s.mem))
			return err
		}
	}
	s.n += int64(n)
	return nil
}

// put appends to the temporary file, which has no name any more.
func (s *spool) put(b []byte) error {
	if s.spill < 0 {
		for i := 0; ; i++ {
			var r [4]byte
			wsys.Random(r[:])
			name := s.dir + "/less" + strconv.FormatUint(uint64(r[0])|uint64(r[1])<<8|uint64(r[2])<<16|uint64(r[3])<<24, 36)
			fd, err := wsys.Open(wsys.AtCwd, name, abi.ORdwr|abi.OCreat|abi.OExcl|abi.OCloexec, 0o600)
			if err == abi.EEXIST && i < 100 {
				continue
			}
			if err != nil {
				return err
			}
			s.spill = fd
			if err := wsys.Unlink(wsys.AtCwd, name); err != nil {
				return err
			}
			break
		}
	}
	if _, err := wsys.Seek(s.spill, 0, abi.SeekEnd); err != nil {
		return err
	}
	return wsys.WriteAll(s.spill, b)
}

func (s *spool) size() (int64, bool) { return s.n, s.eof }

func (s *spool) grow() bool {
	n := s.n
	for range 64 {
		if s.eof || s.take(true) != nil {
			break
		}
	}
	return s.n > n
}

func (s *spool) close() {
	if s.spill >= 0 {
		wsys.Close(s.spill)
	}
	if !s.keep {
		wsys.Close(s.fd)
	}
}
