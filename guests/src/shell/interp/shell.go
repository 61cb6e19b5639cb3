// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package interp

import (
	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/guests/src/shell/sched"
	"github.com/wsandbox/wsandbox/guests/src/testexpr"
	"github.com/wsandbox/wsandbox/guests/src/wsys"
)

// control says why commands are being left.
type control uint8

const (
	ctlNone control = iota
	ctlBreak
	ctlContinue
	ctlReturn
	ctlAbort // an error that ends a non-interactive shell
	ctlExit
)

// Shell is a shell execution environment.
//
// POSIX: XCU 2.13 Shell Execution Environment.
type Shell struct {
	applet bool // runs one builtin as a program
	rt     *Runtime
	parent *Shell
	gen    uint32

	slots  []*Var
	funcs  []*function // by sym
	params []string
	name0  string // $0
	prefix string // of messages
	frame  *frame
	opts   options
	shopt  shopts

	aliases  map[string]string
	aliasGen int
	disabled map[string]bool // builtins switched off by enable -n
	hashed   map[string]hashEntry

	fds   []*file
	cwd   string
	umask wsys.Mode
	dirs  []string // pushd's stack below the current directory

	status     int
	line       int32
	lineBase   int32
	source     string // BASH_SOURCE of the running text
	lastBg     int32
	hasBg      bool
	pipestatus []int
	substStat  int // status of the last command substitution of a command
	didSubst   bool
	lastArg    string

	ctl          control
	ctlN         int
	loops        int // enclosing loops of the function
	noErr        int // > 0: errexit and the ERR trap are ignored
	sourced      int // depth of sourced files
	assignFailed bool
	expandFailed bool
	noFork       bool // the command is the last one: exec may replace the shell
	inTrap       int
	errTrapDepth int

	traps   traps
	jobs    []*job
	coprocs []*coproc
	pid     int32 // BASHPID; 0: not asked for yet
	level   int   // BASH_SUBSHELL
	killed  abi.Signal
	job     *job // the background job this shell is

	env      []string
	envOK    bool
	ifs      ifsTable
	utf8     bool
	optPos   int // within a group of options of getopts
	randSeed uint32
	secBase  int64

	args        []string // stack of argument lists under construction
	buf         []byte
	buf2        []byte
	out         []byte // output of the running builtin
	cmdStr      string // BASH_COMMAND
	tests       *testexpr.Host
	frames      []*frame // to be used again
	env0        *arithEnv
	arithDepth  int
	arithPrefix string // of messages about expressions
	depth       int    // of nested calls, substitutions and so on
	subcap      *capture
	xdepth      int
	procs       []*procSubst // of the command under construction
	fieldsBusy  bool
	fieldsRec   fields

	pending       wsys.SignalSet // signals not yet handled
	trapped       abi.Signal     // the last signal whose trap ran
	thread        *sched.Thread  // that the shell last waited in
	proc          *proc          // of a shell that is a thread of its own
	waiting       []*proc        // that the shell waits for
	shadow        bool           // pid is a shadow process
	pgrp          int32          // group of a subshell that is part of a job
	waitGroup     int32          // of the foreground job that the shell waits for, or 0
	temps         [][]savedVar   // variables set for the time of the commands that run
	subst         bool           // runs a command substitution
	errReset      bool
	usageError    bool
	aborted       bool
	shArgv        bool // started as sh
	trapStatus    int
	trapResult    int
	lineShift     int32
	script0       string
	forkTop       *frame // this frame and those below belong to the parent
	nested        int    // subshells that wait for this one
	base          string // name of the shell itself
	shownJobs     []*job // of the parent, which jobs shows in a subshell
	lastNode      node
	readonlyFuncs map[sym]bool
}

// frame is the activation of a function or a sourced file.
type frame struct {
	prev     *frame
	fn       *function // nil for a sourced file
	name     string
	callLine int32
	source   string // where the function was defined
	caller   string // BASH_SOURCE of the caller
	saved    []savedVar
	params   []string
	loops    int
	restore  []func(*Shell)
	isSource bool
	shift    int32
}

type savedVar struct {
	id sym
	v  *Var
}

func (f *frame) index(id sym) int {
	for i := range f.saved {
		if f.saved[i].id == id {
			return i
		}
	}
	return -1
}

func (f *frame) has(id sym) bool { return f.index(id) >= 0 }

// function is a shell function.
type function struct {
	name   string
	id     sym
	body   node
	redirs []*redir
	src    string // text of the definition's body
	file   string
	line   int32
	export bool
	trace  bool
	shift  int32 // lines before the text it was defined in
}

func (sh *Shell) function(id sym) *function {
	if int(id) < len(sh.funcs) {
		return sh.funcs[id]
	}
	return nil
}

func (sh *Shell) setFunction(id sym, f *function) {
	n := make([]*function, max(len(sh.funcs), int(id)+1))
	copy(n, sh.funcs) // a copy, because subshells share the table
	n[id] = f
	sh.funcs = n
}

// fork returns a copy of the shell for a subshell. The caller sets its
// descriptors. shared says that both will run at the same time.
func (sh *Shell) fork(shared bool) *Shell {
	c := &Shell{}
	*c = *sh
	c.parent = sh
	c.gen = sh.rt.nextGen()
	c.slots = append(make([]*Var, 0, len(sh.slots)+8), sh.slots...)
	c.params = append([]string(nil), sh.params...)
	if shared {
		c.frame, c.forkTop = sh.frame.clone(), nil
	} else {
		c.forkTop = sh.frame
	}
	c.fds = make([]*file, len(sh.fds))
	copy(c.fds, sh.fds)
	for _, f := range c.fds {
		if f != nil {
			f.refs++
		}
	}
	c.dirs = append([]string(nil), sh.dirs...)
	c.env = sh.env[:len(sh.env):len(sh.env)]
	c.shownJobs = append(sh.jobs[:len(sh.jobs):len(sh.jobs)], sh.shownJobs...)
	c.jobs = nil
	c.coprocs = nil
	c.level++
	c.pid = 0
	c.ctl, c.ctlN = ctlNone, 0
	c.killed = 0
	c.pending = 0
	c.trapped, c.thread, c.proc, c.waiting = 0, nil, nil, nil
	c.shadow, c.subst, c.lastNode = false, false, nil
	c.inTrap = 0
	c.job = nil
	c.loops = 0
	c.noFork = false
	c.args, c.buf, c.buf2, c.out = nil, nil, nil, nil
	c.procs, c.temps, c.waitGroup = nil, nil, 0
	c.env0, c.tests, c.frames = nil, nil, nil
	c.fieldsBusy, c.fieldsRec = false, fields{}
	c.pipestatus = append([]int(nil), sh.pipestatus...)
	c.traps = sh.traps.inherit(sh.opts.errtrace, sh.opts.functrace)
	c.randSeed = sh.randSeed*1103515245 + 12345 + uint32(c.gen)
	if sh.aliases != nil {
		c.aliases = cloneMap(sh.aliases)
	}
	if sh.disabled != nil {
		c.disabled = cloneMap(sh.disabled)
	}
	if sh.hashed != nil {
		c.hashed = cloneMap(sh.hashed)
	}
	if shared {
		// Nobody may write in place what the other one sees.
		for p := sh; p != nil; p = p.parent {
			p.gen = sh.rt.nextGen()
		}
	}
	return c
}

func cloneMap[V any](m map[string]V) map[string]V {
	c := make(map[string]V, len(m))
	for k, v := range m {
		c[k] = v
	}
	return c
}

// ownFrames copies the frames shared with the parent, before one is changed.
func (sh *Shell) ownFrames() {
	top := sh.forkTop
	if top == nil {
		return
	}
	sh.forkTop = nil
	c := top.clone()
	if sh.frame == top {
		sh.frame = c
		return
	}
	for f := sh.frame; f != nil; f = f.prev {
		if f.prev == top {
			f.prev = c
			return
		}
	}
}

func (f *frame) clone() *frame {
	if f == nil {
		return nil
	}
	c := *f
	c.prev = f.prev.clone()
	c.saved = append([]savedVar(nil), f.saved...)
	c.restore = nil
	return &c
}

// options are the switches of set.
type options struct {
	allexport, notify, errexit, noglob, hashall, interactive, keyword, monitor, noexec, privileged,
	onecmd, nounset, verbose, xtrace, braceexpand, noclobber, errtrace, histexpand, physical, functrace,
	emacs, vi, history, ignoreeof, nolog, pipefail, posix, stdin, cmdstring, login, restricted bool
}

type optionDef struct {
	name   string
	letter byte
	at     func(o *options) *bool
}

var optionDefs = [...]optionDef{
	{"allexport", 'a', func(o *options) *bool { return &o.allexport }},
	{"braceexpand", 'B', func(o *options) *bool { return &o.braceexpand }},
	{"emacs", 0, func(o *options) *bool { return &o.emacs }},
	{"errexit", 'e', func(o *options) *bool { return &o.errexit }},
	{"errtrace", 'E', func(o *options) *bool { return &o.errtrace }},
	{"functrace", 'T', func(o *options) *bool { return &o.functrace }},
	{"hashall", 'h', func(o *options) *bool { return &o.hashall }},
	{"histexpand", 'H', func(o *options) *bool { return &o.histexpand }},
	{"history", 0, func(o *options) *bool { return &o.history }},
	{"ignoreeof", 0, func(o *options) *bool { return &o.ignoreeof }},
	{"interactive-comments", 0, nil},
	{"keyword", 'k', func(o *options) *bool { return &o.keyword }},
	{"monitor", 'm', func(o *options) *bool { return &o.monitor }},
	{"noclobber", 'C', func(o *options) *bool { return &o.noclobber }},
	{"noexec", 'n', func(o *options) *bool { return &o.noexec }},
	{"noglob", 'f', func(o *options) *bool { return &o.noglob }},
	{"nolog", 0, func(o *options) *bool { return &o.nolog }},
	{"notify", 'b', func(o *options) *bool { return &o.notify }},
	{"nounset", 'u', func(o *options) *bool { return &o.nounset }},
	{"onecmd", 't', func(o *options) *bool { return &o.onecmd }},
	{"physical", 'P', func(o *options) *bool { return &o.physical }},
	{"pipefail", 0, func(o *options) *bool { return &o.pipefail }},
	{"posix", 0, func(o *options) *bool { return &o.posix }},
	{"privileged", 'p', func(o *options) *bool { return &o.privileged }},
	{"verbose", 'v', func(o *options) *bool { return &o.verbose }},
	{"vi", 0, func(o *options) *bool { return &o.vi }},
	{"xtrace", 'x', func(o *options) *bool { return &o.xtrace }},
}

// flags returns $-.
func (o *options) flags() string {
	b := make([]byte, 0, 16)
	for _, c := range "abefhkmnptuvxBCEHPT" {
		for i := range optionDefs {
			if d := &optionDefs[i]; d.letter == byte(c) && *d.at(o) {
				b = append(b, byte(c))
			}
		}
		if c == 'h' && o.interactive {
			b = append(b, 'i')
		}
	}
	if o.cmdstring {
		b = append(b, 'c')
	}
	if o.stdin {
		b = append(b, 's')
	}
	return string(b)
}
