// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package interp

import (
	"strings"

	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/guests/src/wsys"
)

// program returns the program of a command that is nothing but the start of
// one, so that it needs no subshell.
func (sh *Shell) program(n node) (*simpleCmd, string) {
	s, ok := n.(*simpleCmd)
	if !ok || !s.pure || s.bi != nil && (sh.disabled == nil || !sh.disabled[s.name]) || s.name == "" || s.decl != nil || sh.function(s.id) != nil || sh.opts.xtrace || sh.traps.debug != "" {
		return nil, ""
	}
	path, err := sh.lookPath(s.name)
	if err != nil || sh.executable(path) != nil {
		return nil, ""
	}
	return s, path
}

// start spawns a program of program with the shell's descriptors.
func (sh *Shell) start(s *simpleCmd, path string, at place) (*proc, bool) {
	base := len(sh.args)
	sh.expandFailed = false
	sh.line = s.line + sh.lineShift
	defer func() { sh.args = sh.args[:base] }()
	if !sh.expandWords(s.words) {
		// An error here must end the subshell only.
		sh.expandFailed = false
		if sh.ctl == ctlAbort || sh.ctl == ctlExit {
			sh.ctl = ctlNone
		}
		return &proc{done: true, status: abi.ExitedWith(1)}, true
	}
	undo, ok := sh.redirect(s.redirs)
	defer sh.undo(undo)
	if !ok {
		sh.expandFailed = false
		return &proc{done: true, status: abi.ExitedWith(1)}, true
	}
	args := append([]string(nil), sh.args[base:]...)
	p, err := sh.spawn(path, args, at)
	if err == abi.ENOEXEC {
		return nil, false
	}
	if err != nil {
		return &proc{done: true, status: abi.ExitedWith(sh.startFailed(args, path, err))}, true
	}
	return p, true
}

func (n *pipeNode) exec(sh *Shell) int {
	sh.line = n.line + sh.lineShift
	if sh.tick() {
		return sh.status
	}
	last := len(n.stages) - 1
	procs := make([]*proc, last+1)
	var in *file
	pgid := int32(0)
	inherited := sh.noErr
	status := 0
	for i, stage := range n.stages {
		var out, next *file
		if i < last {
			r, w, err := wsys.Pipe(abi.OCloexec)
			if err != nil {
				sh.errorf("pipe error: " + errText(err))
				if in != nil {
					in.release()
				}
				status = 1
				procs = procs[:i]
				break
			}
			out, next = &file{k: w, refs: 1}, &file{k: r, refs: 1}
		}
		if sc, ok := stage.(*simpleCmd); ok && sh.traps.debug != "" {
			sh.debugTrap(sc.src, sc.line+sh.lineShift)
		}
		var undo []savedFD
		if i == last && sh.shopt.lastpipe && !sh.opts.monitor {
			// The last command runs in the shell itself.
			sh.replace(0, in, &undo)
			status = stage.exec(sh)
			sh.undo(undo)
			procs[i] = &proc{done: true, status: abi.ExitedWith(status)}
			break
		}
		s, path := sh.program(stage)
		if s != nil {
			if in != nil {
				sh.replace(0, in, &undo)
			}
			if out != nil {
				sh.replace(1, out, &undo)
				if n.both[i] {
					out.refs++
					sh.replace(2, out, &undo)
				}
			}
			if p, ok := sh.start(s, path, place{pgid: pgid, foreground: true}); ok {
				sh.undo(undo)
				if sh.ctl == ctlExit {
					if next != nil {
						next.release()
					}
					return sh.status
				}
				p.src = s.src
				procs[i] = p
				if pgid == 0 {
					pgid = p.pid
				}
				in = next
				continue
			}
			// Not a program: go on below with the files again.
			if in != nil {
				in.refs++
			}
			if out != nil {
				out.refs++
			}
			sh.undo(undo)
		}
		c := sh.fork(i < last)
		c.noErr = inherited
		if in != nil {
			c.setFD(0, in)
		}
		if out != nil {
			c.setFD(1, out)
			if n.both[i] {
				out.refs++
				c.setFD(2, out)
			}
		}
		if i == last && !sh.controls() {
			if c.nested++; c.nested > maxNested {
				c.closeAll()
				sh.errorf("pipeline: maximum nesting level exceeded (" + itoa(maxNested) + ")")
				sh.fail(1)
				procs[i] = &proc{done: true, status: abi.ExitedWith(1)}
				break
			}
			st := c.subshell(stage)
			ws := abi.ExitedWith(st)
			if c.killed != 0 {
				ws = abi.KilledBy(c.killed)
			}
			c.closeAll()
			c.endShadow(ws)
			procs[i] = &proc{done: true, status: ws}
			break
		}
		// The read end belongs to the next command alone.
		in = next
		p := sh.launch(c, stage, place{pgid: pgid, foreground: true})
		if p == nil {
			if in != nil {
				in.release()
			}
			return sh.status
		}
		if s, ok := stage.(*simpleCmd); ok {
			p.src = s.src
		}
		procs[i] = p
		if pgid == 0 {
			pgid = p.pid
		}
	}
	if len(procs) == 0 {
		sh.takeTTY(nil, false)
		sh.status = status
		return sh.check(status)
	}
	if st, ok := sh.waitJob(nil, procs, pgid, n.src); !ok {
		return st
	}
	if sh.controls() {
		sh.reportSignal(procs[len(procs)-1], []string{n.src}, false)
	}
	ps := make([]int, len(procs))
	fail := 0
	for i, p := range procs {
		ps[i] = p.status.ShellStatus()
		if ps[i] != 0 {
			fail = ps[i]
		}
	}
	if len(procs) == last+1 {
		status = ps[last]
	}
	if sh.opts.pipefail && fail != 0 {
		status = fail
	}
	sh.pipestatus = ps
	sh.status = status
	if status != 0 && sh.noErr == 0 && sh.ctl == ctlNone {
		sh.failed(status)
	}
	return status
}

// subshell runs a command as the body of this subshell and ends it.
func (sh *Shell) subshell(body node) int {
	if s, ok := body.(*subshellNode); ok {
		body = s.body // it is a subshell already
	}
	st := body.exec(sh)
	return sh.finish(st)
}

// finish runs the EXIT trap and returns the exit status.
func (sh *Shell) finish(st int) int {
	if sh.rt.attention() {
		sh.rt.collect()
		if sh.pending != 0 && sh.ctl == ctlNone {
			sh.status = st
			sh.deliver()
		}
	}
	if sh.ctl != ctlNone {
		st = sh.status
		if sh.ctl == ctlAbort {
			st = sh.ctlN
		}
	}
	sh.ctl = ctlNone
	if sh.killed == 0 && sh.traps.exit != "" {
		t := sh.traps.exit
		sh.traps.exit = ""
		sh.status = st
		sh.noErr = 0
		sh.runTrap("EXIT", t)
		if sh.ctl == ctlExit || sh.ctl == ctlAbort {
			st = sh.status
		}
		sh.ctl = ctlNone
	}
	return st & 0xff
}

// inSubshell runs f in a subshell and waits for it.
func (sh *Shell) inSubshell(f func(*Shell) int) int {
	if sh.nested >= maxNested {
		sh.errorf("maximum subshell nesting level exceeded (" + itoa(maxNested) + ")")
		sh.fail(1)
		return 1
	}
	c := sh.fork(false)
	c.nested++
	st := f(c)
	st = c.finish(st)
	ws := abi.ExitedWith(st)
	if c.killed != 0 {
		ws = abi.KilledBy(c.killed)
		st = ws.ShellStatus()
	}
	c.closeAll()
	c.endShadow(ws)
	return st
}

func (n *subshellNode) exec(sh *Shell) int {
	sh.line = n.line + sh.lineShift
	if sh.tick() {
		return sh.status
	}
	sh.noteCommand(n.src)
	if sh.controls() {
		c := sh.fork(true)
		p := sh.launch(c, n.body, place{foreground: true})
		if p == nil {
			return sh.status
		}
		st, ok := sh.waitJob(nil, []*proc{p}, p.pid, n.src)
		if ok {
			st = p.status.ShellStatus()
		}
		return sh.check(st)
	}
	st := sh.inSubshell(func(c *Shell) int { return n.body.exec(c) })
	return sh.check(st)
}

func (n *bgNode) exec(sh *Shell) int {
	sh.line = n.line + sh.lineShift
	if sh.tick() {
		return sh.status
	}
	if c, ok := n.x.(*simpleCmd); ok && sh.controls() && strings.HasPrefix(c.name, "%") && len(c.words) == 1 {
		return sh.check(sh.flush("bg", biBg(sh, []string{"bg", c.name})))
	}
	var undo []savedFD
	if !sh.opts.monitor {
		f, err := sh.open("/dev/null", abi.ORdonly)
		if err == nil {
			sh.replace(0, f, &undo)
		}
	}
	var p *proc
	if s, path := sh.program(n.x); s != nil {
		if q, ok := sh.start(s, path, place{background: true}); ok {
			p = q
		}
	}
	if p == nil {
		c := sh.fork(true)
		c.noErr = 0
		c.traps.background(sh.opts.monitor)
		if p = sh.launch(c, n.x, place{background: true}); p == nil {
			sh.undo(undo)
			return sh.status
		}
	}
	sh.undo(undo)
	if sh.ctl == ctlExit {
		return sh.status
	}
	j := sh.addJob([]*proc{p}, n.src)
	j.pgid, j.ownGroup = p.pid, sh.controls()
	sh.lastBg, sh.hasBg = p.pid, true
	sh.showStarted(j)
	sh.status = 0
	sh.pipestatus = nil
	return 0
}
