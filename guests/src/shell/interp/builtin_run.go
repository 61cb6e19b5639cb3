// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package interp

import (
	"strings"

	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/guests/src/wsys"
)

func biEval(sh *Shell, args []string) int {
	args = args[1:]
	if len(args) > 0 && args[0] == "--" {
		args = args[1:]
	} else if len(args) > 0 && len(args[0]) > 1 && args[0][0] == '-' {
		return sh.usageErr("eval", args[0][:2]+": invalid option")
	}
	text := strings.Join(args, " ")
	if strings.TrimSpace(text) == "" {
		return 0
	}
	if sh.depth++; sh.depth > maxDepth {
		sh.depth--
		sh.errorf("eval: maximum eval nesting level exceeded (" + itoa(maxDepth) + ")")
		sh.fail(1)
		return 1
	}
	u := sh.parse(text, 0)
	shift := sh.lineShift
	sh.lineShift = sh.line - 1
	st := sh.runUnitAs(u, "eval")
	sh.lineShift = shift
	sh.depth--
	if sh.ctl == ctlAbort && !sh.opts.posix {
		sh.ctl, sh.expandFailed = ctlNone, false
		st = sh.ctlN
	}
	return st
}

func biSource(sh *Shell, args []string) int {
	name := args[0]
	args = args[1:]
	if len(args) > 0 && args[0] == "--" {
		args = args[1:]
	}
	if len(args) == 0 {
		sh.usageError = true
		sh.errorf(name + ": filename argument required")
		sh.write(2, []byte(name+": usage: "+builtins[name].usage+"\n"))
		return 2
	}
	file := args[0]
	if strings.IndexByte(file, '/') < 0 {
		file = sh.findSource(file)
	}
	f, err := sh.open(file, abi.ORdonly)
	if err != nil {
		sh.usageError = true
		if strings.IndexByte(args[0], '/') < 0 {
			sh.errorf(name + ": " + args[0] + ": file not found")
		} else {
			sh.errorf(args[0] + ": " + errText(err))
		}
		return 1
	}
	st, err := wsys.Fstat(f.k)
	if err == nil && st.Mode.IsDir() {
		f.release()
		sh.usageError = true
		sh.errorf(name + ": " + args[0] + ": is a directory")
		return 1
	}
	b, err := sh.readAll(f)
	f.release()
	if err != nil {
		sh.errorf(name + ": " + args[0] + ": " + errText(err))
		return 1
	}
	if isBinary(b) {
		sh.errorf(name + ": " + args[0] + ": cannot execute binary file")
		return 126
	}
	if sh.opts.verbose {
		sh.write(2, b)
	}
	if sh.depth++; sh.depth > maxDepth {
		sh.depth--
		sh.errorf(name + ": maximum source nesting level exceeded (" + itoa(maxDepth) + ")")
		sh.fail(1)
		return 1
	}
	fr := &frame{prev: sh.frame, name: "source", callLine: sh.line, source: file, caller: sh.source, params: sh.params, loops: sh.loops, isSource: true}
	saved := sh.frame
	sh.frame = fr
	sh.source = file
	if len(args) > 1 {
		sh.params = append([]string(nil), args[1:]...)
	}
	had := len(args) > 1
	sh.sourced++
	shift := sh.lineShift
	sh.lineShift = 0
	res := sh.runText(string(b), 0)
	sh.lineShift = shift
	sh.sourced--
	if sh.ctl == ctlReturn {
		sh.ctl = ctlNone
		res = sh.status
	}
	if sh.traps.ret != "" && sh.ctl == ctlNone {
		sh.status = res
		sh.runTrap("RETURN", sh.traps.ret)
	}
	params := sh.params
	sh.leaveSource(fr)
	if !had {
		sh.params = params
	}
	sh.frame = saved
	sh.depth--
	return res
}

// leaveSource ends a sourced file; locals of the function around it stay.
func (sh *Shell) leaveSource(f *frame) {
	if f.prev != nil && len(f.saved) > 0 {
		sh.ownFrames()
		for p := f.prev; p != nil; p = p.prev {
			if !p.isSource {
				p.saved = append(p.saved, f.saved...)
				f.saved = nil
				break
			}
		}
	}
	sh.restoreVars(f.saved)
	sh.params = f.params
	sh.loops = f.loops
	sh.source = f.caller
	sh.line = f.callLine
}

func (sh *Shell) findSource(name string) string {
	if sh.shopt.sourcepath {
		path, _ := sh.get(sh.rt.id.path)
		for _, d := range strings.Split(path, ":") {
			p := d + "/" + name
			if d == "" {
				p = name
			}
			if st, err := sh.stat(p, true); err == nil && !st.Mode.IsDir() {
				return p
			}
		}
	}
	if sh.opts.posix {
		return "/" + name + "/." // not found
	}
	return name
}

// readAll reads an open file to its end, letting other threads run.
func (sh *Shell) readAll(f *file) ([]byte, error) {
	f.sync()
	k, err := wsys.Dup(f.k, 10, abi.OCloexec)
	if err != nil {
		return nil, err
	}
	m := &capture{r: k, w: -1}
	sh.collect(m)
	return m.buf, nil
}

func biExec(sh *Shell, args []string) int {
	f, rest, ok := sh.flags(args, "cla:")
	if !ok {
		return 2
	}
	if len(rest) == 0 {
		return 0
	}
	path, err := sh.lookPath(rest[0])
	argv := append([]string(nil), rest...)
	if a, ok := f.arg['a']; ok {
		argv[0] = a
	}
	if f.on['l'] {
		argv[0] = "-" + argv[0]
	}
	if err == nil {
		err = sh.executable(path)
	}
	if err == nil {
		var s *wsys.SpawnSpec
		if s, err = sh.spec(path, argv); err == nil {
			if f.on['c'] {
				s.Env = nil
			}
			if sh == sh.rt.main && sh.rt.sched.Solo() {
				err = sh.execProgram(s)
			} else {
				return sh.execSubshell(path, argv, s)
			}
		}
	}
	if err == abi.ENOEXEC {
		st := sh.script(path, argv)
		sh.status, sh.ctl = st, ctlExit
		return st
	}
	st := 126
	if err == abi.ENOENT || err == abi.ENOTDIR {
		st = 127
	}
	if err == abi.ENOENT && strings.IndexByte(rest[0], '/') < 0 {
		sh.errorf("exec: " + rest[0] + ": not found")
	} else if err == abi.EACCES || err == abi.EISDIR {
		sh.errorf(rest[0] + ": " + errText(err))
	} else {
		sh.errorf("exec: " + rest[0] + ": cannot execute: " + errText(err))
	}
	if !sh.opts.interactive && !sh.shopt.execfail {
		sh.status, sh.ctl = st, ctlExit
	}
	return st
}

// execSubshell is exec in a subshell, which runs the program and ends with it.
func (sh *Shell) execSubshell(path string, argv []string, s *wsys.SpawnSpec) int {
	pid, err := wsys.Spawn(s)
	if err != nil {
		sh.errorf("exec: " + path + ": " + errText(err))
		sh.status, sh.ctl = 126, ctlExit
		return 126
	}
	p := &proc{pid: pid}
	sh.rt.procs[pid] = p
	for i := range sh.fds { // the program alone holds the descriptors now
		if f := sh.fds[i]; f != nil && f.mem == nil {
			f.release()
			sh.fds[i] = nil
		}
	}
	sh.traps.exit = ""
	st := sh.foreground(p, argv)
	if sh.ctl == ctlNone {
		sh.status, sh.ctl = st, ctlExit
	}
	return st
}
