// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package interp

import (
	"strings"

	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/guests/src/wsys"
)

// ending says how a line of input ended.
type ending uint8

const (
	endLine      ending = iota
	endEOF              // no more input
	endInterrupt        // SIGINT
	endTimeout          // TMOUT has passed
	endExit             // the shell must end
)

// startInteractive prepares an interactive shell: signals, job control, and
// what its prompts need.
func (sh *Shell) startInteractive(inv *invocation) {
	rt := sh.rt
	sh.setDefault("PS2", "> ")
	if _, ok := sh.getName("PS1"); !ok {
		ps1 := "\\s-\\v\\$ "
		if sh.shArgv {
			ps1 = "$ "
			if id, _ := sh.getName("EUID"); id == "0" {
				ps1 = "# "
			}
		}
		sh.setName("PS1", ps1)
	}
	sh.opts.histexpand, sh.opts.history, sh.opts.emacs = !sh.shArgv, true, !inv.noediting
	if h, ok := sh.get(rt.id.home); ok {
		sh.setDefault("HISTFILE", h+"/."+sh.base+"_history")
	}
	sh.setDefault("HISTSIZE", itoa(defaultHistory))
	sh.setDefault("HISTFILESIZE", itoa(defaultHistory))
	sh.initSignals()
	sh.opts.monitor = !inv.noMonitor
	if sh.opts.monitor && !sh.initJobs() {
		sh.opts.monitor = inv.monitor
		if !inv.monitor {
			sh.write(2, []byte(sh.prefix+": no job control in this shell\n"))
		}
	}
}

// monitorChanged follows a change of set -m.
func (sh *Shell) monitorChanged() {
	if sh.opts.monitor && sh == sh.rt.main && sh.rt.info.PID != 0 {
		sh.initJobs()
	}
}

// repl reads and runs commands until the input ends, and returns the status.
func (rt *Runtime) repl(inv *invocation) int {
	in := newInput(rt.main, inv)
	st := 0
	text, line := "", int32(0)
	eofs := 0
	for {
		sh := rt.main
		ps := rt.id.ps2
		if text == "" {
			sh.beforePrompt()
			ps = rt.id.ps1
		}
		if sh.ctl == ctlExit {
			return sh.status
		}
		sh.ctl = ctlNone
		p, _ := sh.get(ps)
		switch {
		case !in.edits(sh):
			in.ed = nil
		case in.ed == nil:
			in.ed = newLineEditor(rt)
		}
		rt.marks = in.ed != nil
		p = sh.prompt(p)
		rt.marks = false
		l, end := in.read(sh, p)
		if end != endEOF {
			eofs = 0
		}
		eof := false
		switch end {
		case endExit:
			return sh.status
		case endTimeout:
			sh.write(2, []byte("\atimed out waiting for input: auto-logout\n"))
			return sh.status
		case endInterrupt:
			text = ""
			continue
		case endEOF:
			eof = true
			if text != "" {
				break
			}
			n := int64(0)
			if v, ok := sh.getName("IGNOREEOF"); ok || sh.opts.ignoreeof {
				if n, ok = canonicalInt(v); !ok {
					n = 10
				}
			}
			if eofs++; int64(eofs) <= n && in.tty {
				sh.write(2, []byte("Use \""+sh.leaveWord()+"\" to leave the shell.\n"))
				continue
			}
			sh.write(2, []byte(sh.leaveWord()+"\n"))
			if rt.lines++; sh.holdsExit() {
				continue
			}
			return sh.status
		}
		if sh.opts.histexpand && strings.ContainsAny(l, "!^") {
			x, print, msg := sh.expandHistory(l)
			switch {
			case msg != "":
				sh.errorf(msg)
				text = ""
				continue
			case print:
				sh.write(2, []byte(x+"\n"))
				sh.addHistory(x)
				continue
			case x != l && sh.shopt.histverify && in.ed != nil:
				in.next = x
				continue
			case x != l:
				sh.write(2, []byte(x+"\n"))
				l = x
			}
		}
		text += l
		if !eof {
			text += "\n"
		}
		if !eof && openEnded([]byte(text)) {
			continue
		}
		if sh.opts.verbose {
			sh.write(2, []byte(l+"\n"))
		}
		u := sh.parseStdin(text, line, eof)
		if u == nil {
			continue
		}
		rt.lines++
		before := rt.hist.number()
		sh.addHistory(strings.TrimRight(text, "\n"))
		rt.ownLine = rt.hist.number() != before
		if ps0, ok := sh.getName("PS0"); ok && ps0 != "" {
			sh.write(2, []byte(sh.prompt(ps0)))
		}
		src := strings.TrimSpace(text)
		line += int32(strings.Count(text, "\n"))
		at := line
		text = ""
		run := func(sh *Shell) int { return sh.runGroups(u.text, u, at) }
		if sh.opts.monitor && rt.tty >= 0 {
			st = rt.runFront(src, run)
		} else {
			st = run(sh)
		}
		if sh = rt.main; sh.ctl == ctlExit {
			return sh.status
		}
		if sh.ctl == ctlAbort {
			sh.status = sh.ctlN
		}
		sh.ctl, sh.loops, sh.noErr = ctlNone, 0, 0
		rt.ownLine = false
		if sh.opts.onecmd {
			return st
		}
	}
}

// leaveWord is what ends the shell.
func (sh *Shell) leaveWord() string {
	if sh.opts.login {
		return "logout"
	}
	return "exit"
}

// beforePrompt does what comes before PS1: news of jobs and PROMPT_COMMAND.
func (sh *Shell) beforePrompt() {
	sh.notify()
	id, ok := sh.rt.syms["PROMPT_COMMAND"]
	if !ok {
		return
	}
	st, ps := sh.status, sh.pipestatus
	v := sh.v(id)
	if v == nil {
		return
	}
	cmds := []string{v.text(sh)}
	if v.flags&vArray != 0 && v.arr != nil {
		cmds = append([]string(nil), v.arr.vals...)
	}
	for _, c := range cmds {
		if c != "" && sh.ctl == ctlNone {
			sh.evalString(c)
			sh.status, sh.pipestatus = st, ps
		}
	}
}

// holdsExit tells of stopped jobs, once, and reports whether the shell stays.
func (sh *Shell) holdsExit() bool {
	rt := sh.rt
	if rt.warned != 0 && rt.lines <= rt.warned+1 {
		return false
	}
	stopped, running := false, false
	for _, j := range sh.jobs {
		if j.forgotten() || j.subst || j.done() {
			continue
		}
		stopped = stopped || j.stopped()
		running = running || !j.stopped()
	}
	switch {
	case stopped:
		sh.write(2, []byte("There are stopped jobs.\n"))
	case running && sh.shopt.checkjobs:
		sh.write(2, []byte("There are running jobs.\n"))
	default:
		return false
	}
	if sh.shopt.checkjobs {
		for _, j := range sh.jobs {
			if !j.forgotten() && !j.subst {
				sh.write(2, []byte(sh.jobLine(j, false)))
			}
		}
	}
	rt.warned = rt.lines
	return true
}

// notify tells of background jobs that have ended or stopped.
func (sh *Shell) notify() {
	sh.rt.reap()
	var lines string
	for _, j := range sh.jobs {
		switch {
		case j.subst || j.waited:
		case j.done() && !j.notified:
			lines += sh.jobLine(j, false)
		case !j.done() && j.stopped() && !j.told:
			j.told = true
			lines += "\n" + sh.jobLine(j, false)
		case !j.stopped():
			j.told = false
		}
	}
	for _, j := range sh.jobs {
		j.notified = j.notified || j.done()
	}
	if lines != "" {
		sh.write(2, []byte(lines))
	}
}

// input is where an interactive shell reads its commands from.
type input struct {
	r    *lineReader
	tty  bool
	ed   *lineEditor // nil: the terminal's own editing
	next string      // text that the next line starts with

	noEdit bool // --noediting
}

func newInput(sh *Shell, inv *invocation) *input {
	in := &input{r: sh.newReader(0), noEdit: inv.noediting}
	if f := sh.fd(0); f != nil {
		in.tty = f.isTTY()
	}
	return in
}

// read writes the prompt and reads a line.
func (in *input) read(sh *Shell, prompt string) (string, ending) {
	rt := sh.rt
	in.r.sh, in.r.err, in.r.timedOut, in.r.deadline = sh, nil, false, 0
	if v, ok := sh.getName("TMOUT"); ok && in.tty {
		if n, ok := canonicalInt(v); ok && n > 0 && n < 1<<31 {
			in.r.deadline = wsys.Monotonic() + n*1e9
		}
	}
	if in.ed != nil {
		start := in.next
		in.next = ""
		return in.ed.read(sh, prompt, start, in.r.deadline)
	}
	sh.write(2, []byte(prompt))
	for {
		l, _, got := in.r.record('\n', true, -1, false)
		rt.collect()
		switch {
		case in.r.timedOut:
			return "", endTimeout
		case in.r.err == abi.EINTR || rt.pend:
			if e, ok := sh.promptSignals(); ok {
				return "", e
			}
			in.r.err = nil
			if !got && len(l) == 0 {
				continue
			}
		}
		if !got && len(l) == 0 {
			return "", endEOF
		}
		return string(l), endLine
	}
}

// promptSignals handles signals that came at the prompt. It reports whether the
// line is to be given up.
func (sh *Shell) promptSignals() (ending, bool) {
	interrupt := sh.pending.Has(abi.SIGINT) && !sh.traps.ign.Has(abi.SIGINT)
	sh.deliver()
	if sh.ctl == ctlExit {
		return endExit, true
	}
	sh.ctl = ctlNone
	if interrupt {
		sh.status = 128 + int(abi.SIGINT)
		sh.write(2, []byte("\n"))
		return endInterrupt, true
	}
	return endLine, false
}

// promptHide and promptShow enclose what takes no room on the screen.
const promptHide, promptShow = 1, 2
