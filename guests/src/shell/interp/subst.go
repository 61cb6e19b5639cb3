// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package interp

import (
	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/guests/src/shell/sched"
	"github.com/wsandbox/wsandbox/guests/src/wsys"
)

// substitute runs a command substitution and returns its output without the
// trailing newlines.
//
// POSIX: XCU 2.6.3 Command Substitution.
func (sh *Shell) substitute(s *cmdSubst) string {
	sh.didSubst = true
	if sh.nested >= maxNested {
		sh.errorf("command substitution: maximum nesting level exceeded (" + itoa(maxNested) + ")")
		sh.fail(1)
		return ""
	}
	if s.file != nil {
		return sh.substFile(s)
	}
	if out, ok := sh.substProgram(s); ok {
		return out
	}
	c := sh.fork(false)
	c.nested++
	c.subst = true
	if !sh.opts.posix && !sh.shopt.inheritErrexit {
		c.opts.errexit = false
	}
	m := &capture{r: -1, w: -1}
	f := &file{k: -1, mem: m, refs: 2} // one reference is ours
	c.setFD(1, f)
	c.subcap = m
	st := s.body.exec(c)
	st = c.finish(st)
	if c.killed != 0 {
		st = 128 + int(c.killed)
	}
	c.closeAll()
	c.endShadow(abi.ExitedWith(st))
	// Background commands may still write.
	for f.refs > 1 && sh.ctl != ctlExit {
		w := sched.Wait{Child: true}
		c.block(&w)
		sh.rt.reap()
		sh.rt.collect()
		if sh.doomed() {
			break
		}
	}
	sh.collect(m)
	sh.substStat = st
	sh.status = st
	return sh.trimOutput(m.buf)
}

// collect closes the pipe of a capture and reads the rest.
func (sh *Shell) collect(m *capture) {
	if m.w >= 0 {
		wsys.Close(m.w)
		m.w = -1
	}
	if m.r < 0 {
		return
	}
	for !m.eof && len(m.buf) < maxString {
		if sh.rt.sched.Solo() && sh.rt.wanted == 0 {
			n, err := m.read(wsys.Read)
			if err != nil && err != abi.EINTR || err == nil && n == 0 {
				break
			}
			continue
		}
		m.drain()
		if m.eof {
			break
		}
		w := sched.Wait{FD: m.r, Events: abi.PollIn}
		sh.parked()
		sh.rt.sched.Block(&w)
		sh.rt.collect()
		if sh.doomed() {
			break
		}
	}
	wsys.Close(m.r)
	m.r = -1
}

func (sh *Shell) trimOutput(b []byte) string {
	for len(b) > 0 && b[len(b)-1] == '\n' {
		b = b[:len(b)-1]
	}
	for i := range b {
		if b[i] == 0 {
			k := b[:i:i]
			for _, c := range b[i:] {
				if c != 0 {
					k = append(k, c)
				}
			}
			sh.warn("warning: command substitution: ignored null byte in input")
			return string(k)
		}
	}
	return string(b)
}

// substFile is $(<file).
func (sh *Shell) substFile(s *cmdSubst) string {
	name := sh.text(s.file)
	if sh.expandFailed {
		return ""
	}
	f, err := sh.open(name, abi.ORdonly)
	if err != nil {
		sh.errorf(name + ": " + errText(err))
		sh.substStat = 1
		return ""
	}
	f.sync()
	m := &capture{r: f.k, w: -1}
	if f.keep || f.refs > 1 {
		k, err := wsys.Dup(f.k, 10, abi.OCloexec)
		f.release()
		if err != nil {
			sh.substStat = 1
			return ""
		}
		m.r = k
	}
	sh.collect(m)
	sh.substStat = 0
	return sh.trimOutput(m.buf)
}

// substProgram runs a substitution that is the start of one program, without a
// subshell.
func (sh *Shell) substProgram(s *cmdSubst) (string, bool) {
	cmd, path := sh.program(s.body)
	if cmd == nil {
		return "", false
	}
	r, w, err := wsys.Pipe(abi.OCloexec)
	if err != nil {
		return "", false
	}
	var undo []savedFD
	line, status, stat := sh.line, sh.status, sh.substStat
	sh.replace(1, &file{k: w, refs: 1}, &undo)
	failed := sh.expandFailed
	p, ok := sh.start(cmd, path, place{pgid: samePgrp})
	sh.undo(undo)
	sh.line, sh.status, sh.substStat, sh.expandFailed, sh.didSubst = line, status, stat, failed, true
	if !ok {
		wsys.Close(r)
		return "", false
	}
	if sh.ctl == ctlExit {
		wsys.Close(r)
		sh.status, sh.expandFailed = forkStatus, true
		return "", true
	}
	m := &capture{r: r, w: -1}
	sh.collect(m)
	if !sh.await(p, false) {
		return "", true
	}
	sh.substStat = p.status.ShellStatus()
	sh.status = sh.substStat
	return sh.trimOutput(m.buf), true
}

// procSubst is a running process substitution.
type procSubst struct {
	fd int
	p  *proc
}

// procSubst starts <(commands) or >(commands) and returns the name of its pipe.
func (sh *Shell) procSubst(s *cmdSubst) string {
	n := 63
	for n > 9 && sh.fd(n) != nil {
		n--
	}
	r, w, err := wsys.Pipe(abi.OCloexec)
	if err != nil || n == 9 {
		sh.expandError("cannot make pipe for process substitution: " + errText(err))
		return ""
	}
	ours, theirs, at := &file{k: r, refs: 1}, &file{k: w, refs: 1}, 1
	if s.out {
		ours, theirs, at = theirs, ours, 0
	}
	c := sh.fork(true)
	c.setFD(at, theirs)
	c.noErr = 0
	c.subcap = nil
	p := sh.launch(c, s.body, place{pgid: samePgrp})
	if p == nil {
		ours.release()
		sh.expandFailed = true
		return ""
	}
	sh.setFD(n, ours)
	sh.procs = append(sh.procs, &procSubst{n, p})
	sh.lastBg, sh.hasBg = p.pid, true
	j := sh.addJob([]*proc{p}, s.src)
	j.waited, j.subst = true, true
	return "/dev/fd/" + itoa(int64(n))
}

// endProcs closes the pipes of the process substitutions of a command.
func (sh *Shell) endProcs(from int) {
	for _, p := range sh.procs[from:] {
		sh.setFD(p.fd, nil)
	}
	sh.procs = sh.procs[:from]
}
