// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package interp

import (
	"strings"

	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/guests/src/shell/sched"
	"github.com/wsandbox/wsandbox/guests/src/wsys"
)

// maxFD is one more than the highest descriptor of a shell.
const maxFD = 1024

// file is an entry of descriptor tables: a kernel descriptor or a capture.
type file struct {
	k     wsys.FD
	refs  int
	mem   *capture
	keep  bool // the kernel descriptor is not ours to close
	close bool // not passed to children

	probed, regular bool
	ttyProbed, tty  bool
	ahead           []byte // read from a regular file and not given out yet
	block           []byte // that ahead is part of
}

// capture collects the output of a command substitution. Commands of the shell
// itself write to buf; for other programs a pipe is made.
type capture struct {
	buf  []byte
	r, w wsys.FD // -1: no pipe
	eof  bool
}

func (sh *Shell) fd(n int) *file {
	if n < 0 || n >= len(sh.fds) {
		return nil
	}
	return sh.fds[n]
}

// setFD puts f, whose reference it takes over, into the table.
func (sh *Shell) setFD(n int, f *file) {
	for n >= len(sh.fds) {
		sh.fds = append(sh.fds, nil)
	}
	if old := sh.fds[n]; old != nil {
		old.release()
	}
	sh.fds[n] = f
}

// isRegular reports whether the file is one that can be read ahead.
func (f *file) isRegular() bool {
	if !f.probed && f.mem == nil {
		f.probed = true
		if _, err := wsys.Seek(f.k, 0, abi.SeekCur); err == nil {
			st, err := wsys.Fstat(f.k)
			f.regular = err == nil && st.Mode.IsRegular()
		}
	}
	return f.regular
}

// sync moves the offset back to what has been given out, before anything but
// the shell's own read looks at the file.
func (f *file) sync() {
	if len(f.ahead) > 0 {
		wsys.Seek(f.k, -int64(len(f.ahead)), abi.SeekCur)
		f.ahead = nil
	}
}

func (f *file) release() {
	if f.refs--; f.refs > 0 || f.keep {
		return
	}
	f.sync()
	if f.mem == nil && f.k >= 0 {
		wsys.Close(f.k)
		f.k = -1
	}
}

// closeAll releases the table of a subshell that has ended.
func (sh *Shell) closeAll() {
	for i, f := range sh.fds {
		if f != nil {
			f.release()
			sh.fds[i] = nil
		}
	}
	sh.fds = nil
}

// kernelFD returns the kernel descriptor of f, making a pipe for a capture.
func (sh *Shell) kernelFD(f *file) (wsys.FD, error) {
	if f.mem == nil {
		f.sync()
		return f.k, nil
	}
	c := f.mem
	if c.w < 0 {
		r, w, err := wsys.Pipe(abi.OCloexec)
		if err != nil {
			return -1, err
		}
		c.r, c.w = r, w
	}
	return c.w, nil
}

// drain reads what is in the pipe without waiting.
func (c *capture) drain() {
	for c.r >= 0 && !c.eof {
		n, err := c.read(wsys.ReadNonblock)
		if err != nil {
			return
		}
		if n == 0 {
			c.eof = true
		}
	}
}

func (c *capture) read(read func(wsys.FD, []byte) (int, error)) (int, error) {
	if cap(c.buf)-len(c.buf) < 4096 {
		c.buf = append(make([]byte, 0, 2*cap(c.buf)+8192), c.buf...)
	}
	n, err := read(c.r, c.buf[len(c.buf):cap(c.buf)])
	c.buf = c.buf[:len(c.buf)+n]
	return n, err
}

// write writes b to descriptor n of the shell.
func (sh *Shell) write(n int, b []byte) error {
	f := sh.fd(n)
	if f == nil {
		return abi.EBADF
	}
	if c := f.mem; c != nil {
		if c.r >= 0 {
			c.drain()
		}
		if len(c.buf)+len(b) > maxString {
			return abi.EFBIG
		}
		c.buf = append(c.buf, b...)
		return nil
	}
	f.sync()
	for len(b) > 0 {
		var k int
		var err error
		if sh.rt.sched.Solo() && sh.rt.wanted == 0 {
			k, err = wsys.Write(f.k, b)
		} else {
			k, err = wsys.WriteNonblock(f.k, b)
		}
		b = b[k:]
		switch err {
		case nil:
		case abi.EINTR:
			if sh.attend() {
				return nil
			}
		case abi.EAGAIN:
			w := sched.Wait{FD: f.k, Events: abi.PollOut}
			sh.block(&w)
			if sh.ctl == ctlExit {
				return nil
			}
		default:
			return err
		}
	}
	return nil
}

// read reads from descriptor n of the shell, waiting for input: EINTR where
// the shell must end.
func (sh *Shell) read(n int, b []byte) (int, error) {
	f := sh.fd(n)
	if f == nil || f.mem != nil {
		return 0, abi.EBADF
	}
	for {
		var k int
		var err error
		if sh.pgrp != 0 && !sh.mayRead(f) {
			return 0, abi.EINTR
		}
		if sh.rt.sched.Solo() && sh.rt.wanted == 0 {
			k, err = wsys.Read(f.k, b)
		} else {
			k, err = wsys.ReadNonblock(f.k, b)
		}
		switch err {
		case abi.EAGAIN:
			w := sched.Wait{FD: f.k, Events: abi.PollIn}
			sh.block(&w)
			if sh.ctl == ctlExit || sh.doomed() {
				return 0, abi.EINTR
			}
			if sh.trapPending() {
				return 0, abi.EINTR
			}
		case abi.EINTR:
			return 0, err
		default:
			return k, err
		}
	}
}

// block waits, giving the other threads their turn, and serves the pipe of the
// substitution this shell runs in.
func (sh *Shell) block(w *sched.Wait) {
	if c := sh.subcap; c != nil && c.r >= 0 && !c.eof && w.Events == 0 {
		w.FD, w.Events = c.r, abi.PollIn
		sh.parked()
		sh.rt.sched.Block(w)
		if w.Revents != 0 {
			c.drain()
		}
		w.Events, w.Revents = 0, 0
	} else {
		sh.parked()
		sh.rt.sched.Block(w)
	}
	if sh.rt.pend {
		sh.halt()
	}
}

// parked notes the thread in which the shell, and those it runs within, wait.
func (sh *Shell) parked() {
	t := sh.rt.sched.Current()
	for p := sh; p != nil; p = p.parent {
		p.thread = t
		if p.proc != nil {
			return
		}
	}
}

// print adds to the output of the running builtin.
func (sh *Shell) print(s string) { sh.out = append(sh.out, s...) }

// flush writes the output of a builtin and returns its status, or 1 where the
// output could not be written.
func (sh *Shell) flush(name string, st int) int {
	if len(sh.out) == 0 {
		return st
	}
	b := sh.out
	sh.out = nil
	err := sh.write(1, b)
	if sh.out == nil && cap(b) <= 64<<10 {
		sh.out = b[:0]
	}
	if err == nil {
		return st
	}
	if err == abi.EPIPE && !sh.traps.ignored(abi.SIGPIPE) {
		sh.die(abi.SIGPIPE)
		return 128 + int(abi.SIGPIPE)
	}
	sh.errorf(name + ": write error: " + errText(err))
	return 1
}

// warn writes a message with the shell's prefix to standard error.
func (sh *Shell) warn(msg string) {
	b := make([]byte, 0, len(msg)+32)
	b = append(b, sh.messagePrefix()...)
	b = append(b, msg...)
	sh.write(2, append(b, '\n'))
}

func (sh *Shell) messagePrefix() string {
	if sh.applet {
		return "" // a builtin run as a program names itself
	}
	name := sh.prefix
	if sh.source != "" && sh.source != sh.rt.main.source && sh.source != "environment" {
		name = sh.source
	}
	if sh.opts.interactive {
		return name + ": "
	}
	return name + ": line " + itoa(int64(sh.line)) + ": "
}

// errorf reports an error.
func (sh *Shell) errorf(msg string) { sh.warn(msg) }

// errText returns the text of an error as strerror does.
func errText(err error) string {
	s := abi.ErrnoOf(err).Error()
	if s == "" {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}

// path returns p for the kernel, which knows only one working directory.
func (sh *Shell) path(p string) string {
	if p != "" && p[0] == '/' || sh.cwd == sh.rt.kcwd || p == "" {
		return p
	}
	if strings.HasSuffix(sh.cwd, "/") {
		return sh.cwd + p
	}
	return sh.cwd + "/" + p
}

// devFD returns the shell's descriptor that a name of /dev stands for, or -1.
func (sh *Shell) devFD(p string) int {
	if !strings.HasPrefix(p, "/dev/") {
		return -1
	}
	switch p[5:] {
	case "stdin":
		return 0
	case "stdout":
		return 1
	case "stderr":
		return 2
	}
	if strings.HasPrefix(p, "/dev/fd/") {
		if n, ok := canonicalInt(p[8:]); ok && n >= 0 && n < maxFD {
			return int(n)
		}
	}
	return -1
}

// stat describes a file by its name.
func (sh *Shell) stat(p string, follow bool) (wsys.Stat, error) {
	if p == "" {
		return wsys.Stat{}, abi.ENOENT
	}
	if follow {
		if n := sh.devFD(p); n >= 0 {
			f := sh.fd(n)
			if f == nil {
				return wsys.Stat{}, abi.ENOENT
			}
			k, err := sh.kernelFD(f)
			if err != nil {
				return wsys.Stat{}, err
			}
			return wsys.Fstat(k)
		}
	}
	return wsys.StatAt(wsys.AtCwd, sh.path(p), follow)
}

// open opens a file as a new table entry.
func (sh *Shell) open(p string, flags abi.OpenFlag) (*file, error) {
	if n := sh.devFD(p); n >= 0 {
		f := sh.fd(n)
		if f == nil {
			return nil, abi.ENOENT
		}
		f.refs++
		return f, nil
	}
	if p == "" {
		return nil, abi.ENOENT
	}
	k, err := wsys.Open(wsys.AtCwd, sh.path(p), flags|abi.OCloexec, 0o666&^sh.umask)
	if err != nil {
		return nil, err
	}
	return &file{k: k, refs: 1}, nil
}
