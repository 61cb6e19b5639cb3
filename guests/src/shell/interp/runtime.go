// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package interp

import (
	"sync/atomic"

	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/guests/src/posixre"
	"github.com/wsandbox/wsandbox/guests/src/shell/pattern"
	"github.com/wsandbox/wsandbox/guests/src/shell/sched"
	"github.com/wsandbox/wsandbox/guests/src/wsys"
)

// Runtime is what all shells of a process share: names, compiled texts, the
// scheduler and the state of signals.
type Runtime struct {
	info     abi.ProcInfo // of the process
	bashOnly []sym        // computed variables that sh does not have
	names    []string
	syms     map[string]sym
	id       symbols

	sched *sched.Scheduler
	gen   uint32
	main  *Shell
	pid   int32
	ppid  int32

	kcwd    string // working directory of the process
	shadows map[int32]*Shell
	wanted  wsys.SignalSet // signals with a handler in the process

	texts    map[string]*arithNode
	subs     map[string]*subscript
	patterns map[patternKey]*pattern.Pattern
	scripts  map[string]*unit

	procs   map[int32]*proc // children not yet reaped, by pid
	regexps map[regexKey]*regexType
	pend    bool // some shell has a pending signal

	tty     wsys.FD        // the terminal of job control, or -1
	pgrp    int32          // of the shell, where tty is set
	oldPgrp int32          // its group before it took one of its own
	modes   *abi.Termios   // of the terminal at the prompt
	front   *front         // what the prompt runs
	reads   []*readModes   // terminals changed for a read
	guarded wsys.SignalSet // handled for their sake
	stops   int            // counts starts and stops of jobs
	warned  int            // the command that was told of stopped jobs
	lines   int            // command lines read
	resized bool           // SIGWINCH came
	marks   bool           // prompts have marks for the line editor
	hist    history
	ownLine bool // the last line of hist is the one that runs
}

type regexType = posixre.Regexp

type regexKey struct {
	text  string
	flags posixre.Flags
}

type patternKey struct {
	text  string
	flags pattern.Flags
}

// symbols are the names the interpreter itself uses.
type symbols struct {
	ifs, path, home, pwd, oldpwd, reply, optind, optarg, opterr, ps1, ps2, ps3, ps4,
	rematch, pipestatus, random, under, cdpath, lcAll, lcCtype, lang, funcname, lineno, shlvl, timeformat,
	mapfile, coproc, globignore, env, posix, execignore sym
}

// flagWord is set by the kernel, see abi.SigFlagSignal.
var flagWord uint32

func newRuntime() *Runtime {
	rt := &Runtime{
		syms:     make(map[string]sym, 256),
		texts:    map[string]*arithNode{},
		subs:     map[string]*subscript{},
		patterns: map[patternKey]*pattern.Pattern{},
		scripts:  map[string]*unit{},
		shadows:  map[int32]*Shell{},
		tty:      -1,
	}
	d := &rt.id
	for _, p := range []struct {
		s    *sym
		name string
	}{
		{&d.ifs, "IFS"}, {&d.path, "PATH"}, {&d.home, "HOME"}, {&d.pwd, "PWD"}, {&d.oldpwd, "OLDPWD"}, {&d.reply, "REPLY"},
		{&d.optind, "OPTIND"}, {&d.optarg, "OPTARG"}, {&d.opterr, "OPTERR"}, {&d.ps1, "PS1"}, {&d.ps2, "PS2"}, {&d.ps3, "PS3"},
		{&d.ps4, "PS4"}, {&d.rematch, "BASH_REMATCH"}, {&d.pipestatus, "PIPESTATUS"}, {&d.random, "RANDOM"}, {&d.under, "_"},
		{&d.cdpath, "CDPATH"}, {&d.lcAll, "LC_ALL"}, {&d.lcCtype, "LC_CTYPE"}, {&d.lang, "LANG"}, {&d.funcname, "FUNCNAME"},
		{&d.lineno, "LINENO"}, {&d.shlvl, "SHLVL"}, {&d.timeformat, "TIMEFORMAT"}, {&d.mapfile, "MAPFILE"}, {&d.coproc, "COPROC"},
		{&d.globignore, "GLOBIGNORE"}, {&d.env, "ENV"}, {&d.posix, "POSIXLY_CORRECT"}, {&d.execignore, "EXECIGNORE"},
	} {
		*p.s = rt.intern(p.name)
	}
	return rt
}

// intern returns the number of a name.
func (rt *Runtime) intern(name string) sym {
	if id, ok := rt.syms[name]; ok {
		return id
	}
	id := sym(len(rt.names))
	rt.names = append(rt.names, name)
	rt.syms[name] = id
	return id
}

func (rt *Runtime) nextGen() uint32 {
	rt.gen++
	return rt.gen
}

// attention reports whether signals, ended children or other threads need a
// look before the next command.
func (rt *Runtime) attention() bool {
	return atomic.LoadUint32(&flagWord)&abi.SigFlagSignal != 0 || rt.pend || rt.sched.Busy()
}

// pattern compiles a pattern, keeping recent ones.
func (rt *Runtime) pattern(text string, flags pattern.Flags) *pattern.Pattern {
	k := patternKey{text, flags}
	if p, ok := rt.patterns[k]; ok {
		return p
	}
	if len(rt.patterns) >= 256 {
		clear(rt.patterns)
	}
	p := pattern.Compile(text, flags)
	rt.patterns[k] = p
	return p
}
