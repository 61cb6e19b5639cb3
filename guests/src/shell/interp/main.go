// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package interp

import (
	"strings"

	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/guests/src/shell/sched"
	"github.com/wsandbox/wsandbox/guests/src/wsys"
)

// Main runs the shell with the given arguments, the name first, and returns its
// exit status.
func Main(args []string) int {
	name := "sh"
	if len(args) > 0 {
		name = args[0]
	}
	env := wsys.Environ()
	p := presets[isSh(shellName(name))]
	presets = [2]*preset{}
	sh := fresh
	fresh = nil
	if p != nil && name != "printf" && p.fits(env) {
		sh = p.sh
	} else {
		p = nil
	}
	if sh == nil {
		sh = newShell()
	}
	return sh.main(name, args, env, p)
}

// fresh is a shell that Warm made and nothing has run in: a process that starts
// from the snapshot takes it and need not make one. So are the presets, of bash
// and of sh, for an environment that they fit.
var (
	fresh   *Shell
	presets [2]*preset
)

// shellName returns the name that the shell's argument 0 calls it by.
func shellName(arg0 string) string { return baseName(strings.TrimPrefix(arg0, "-")) }

// isSh returns 1 for the names under which the shell is a POSIX shell, else 0.
func isSh(name string) int {
	switch name {
	case "sh", "dash", "ash":
		return 1
	}
	return 0
}

// Warm touches what every run needs, so that a snapshot taken behind it starts
// faster.
func Warm() {
	sh := newShell()
	sh.opts.braceexpand, sh.opts.cmdstring = true, true
	sh.shopt.defaults()
	sh.prefix, sh.name0 = "sh", "sh"
	sh.utf8 = true
	sh.ifs.init("", false)
	for _, s := range []string{
		"i=0; while [ $i -lt 20 ]; do i=$((i+1)); done",
		"f() { local x=\"$1\"; case $x in a*) x=${x#a} ;; esac; [[ $x == b* ]] && return 1; }; f ab; for w in a b \"$@\"; do x=$(f $w); done",
		"x=abc; y=${x%c}${x:1:1}; set -- $y; if [ -n \"$1\" ]; then shift; fi; a=(1 2 3); : ${a[@]} ${#a[@]}; declare -A m=([k]=v); : ${m[k]} {1..3}",
	} {
		sh.runText(s, 0)
	}
	// A little garbage now saves growing the heap later.
	warmed = make([]byte, 1<<20)
	warmed = nil
	fresh = newShell()
	for _, name := range []string{
		"USER", "LOGNAME", "SHELL", "TERM", "HOSTNAME", "PPID", "UID", "EUID", "BASH", "BASH_VERSION", "BASH_VERSINFO",
		"HOSTTYPE", "OSTYPE", "MACHTYPE", "GROUPS",
	} {
		fresh.rt.intern(name)
	}
	presets = [2]*preset{newPreset(false), newPreset(true)}
}

var warmed []byte

func newShell() *Shell {
	linkBuiltins()
	rt := newRuntime()
	rt.procs = map[int32]*proc{}
	rt.regexps = map[regexKey]*regexType{}
	rt.sched = sched.New()
	rt.sched.Attend = rt.collect
	sh := &Shell{rt: rt}
	rt.main = sh
	sh.gen = rt.nextGen()
	sh.slots = make([]*Var, 512)
	sh.dynVars()
	return sh
}

// invocation is the command line of a shell.
type invocation struct {
	command    string
	hasCommand bool
	stdin      bool
	login      bool
	norc       bool
	norcfile   bool
	noediting  bool
	rcfile     string
	monitor    bool // -m
	noMonitor  bool // +m
	version    bool
	help       bool
}

// main runs the shell, called name, in the environment env; p is the preset that
// it is of, or nil.
func (sh *Shell) main(name string, args, env []string, p *preset) int {
	rt := sh.rt
	sh.name0 = name
	base := shellName(name)
	sh.prefix, sh.base = base, base
	sh.shArgv = isSh(base) != 0
	sh.opts.posix = sh.shArgv
	sh.opts.hashall, sh.opts.braceexpand = true, true
	sh.shopt.defaults()
	rt.info, _ = wsys.Info(0) // of the caller: it exists
	rt.pid, rt.ppid = rt.info.PID, rt.info.PPID
	sh.pid = rt.pid
	for n, set := 0, rt.info.Inherited; set != 0; n, set = n+1, set>>1 {
		if set&1 != 0 {
			sh.setFD(n, &file{k: wsys.FD(n), refs: 1})
		}
	}
	sh.umask = wsys.Mode(wsys.Umask(0))
	limitStrings()
	// Signals ignored at the start stay ignored, here and in all programs.
	sh.traps.ign = rt.info.Ignored
	wsys.SigFlag(&flagWord)
	// Handled and not ignored: programs would inherit that, and never end when
	// their reader does.
	wsys.SigAction(abi.SIGPIPE, abi.SigHandle)
	if base == "printf" {
		// The program printf is the builtin, for those who start it without
		// a shell: env, xargs, find -exec.
		sh.shArgv, sh.opts.posix, sh.applet = false, false, true
		sh.initVars(env)
		return sh.flush("printf", biPrintf(sh, args))
	}
	inv, rest, st := sh.parseArgs(args)
	if st >= 0 {
		return st
	}
	if inv.login || strings.HasPrefix(name, "-") {
		sh.opts.login, sh.shopt.loginShell = true, true
	}
	switch {
	case inv.version:
		sh.write(1, []byte(versionText+"\n"))
		return 0
	case inv.help:
		sh.write(1, []byte("Usage: "+base+" [option] ...\n       "+base+" [option] -c command [name [argument] ...]\n       "+base+" [option] script-file [argument ...]\n"))
		return 0
	}
	switch {
	case p == nil:
		sh.initVars(env)
	case sh.opts.allexport:
		// That marks what is set from the environment as well.
		sh.slots = make([]*Var, len(sh.slots))
		sh.dynVars()
		sh.initVars(env)
	default:
		p.take(env)
	}
	if sh.opts.posix && !sh.shArgv {
		sh.setDefault("POSIXLY_CORRECT", "y")
	}
	switch {
	case inv.hasCommand:
		sh.opts.cmdstring = true
		if sh.opts.interactive {
			sh.startInteractive(&inv)
		}
		if len(rest) > 0 {
			sh.name0 = rest[0]
			sh.prefix = rest[0]
			sh.params = rest[1:]
		}
		sh.startup(&inv)
		st = sh.runCommand(inv.command)
	case len(rest) > 0 && !inv.stdin:
		sh.params = rest[1:]
		st = sh.runScript(rest[0], &inv)
	default:
		sh.params = rest
		sh.opts.stdin = true
		if !sh.opts.interactive && len(rest) == 0 && wsys.Isatty(0) && wsys.Isatty(2) {
			sh.opts.interactive = true
		}
		if sh.opts.interactive {
			sh.startInteractive(&inv)
			sh.startup(&inv)
			rt.hist.load(sh)
			st = rt.repl(&inv)
			return rt.main.exit(st)
		}
		sh.startup(&inv)
		st = sh.runStdin()
	}
	return sh.exit(st)
}

// exit ends the shell: the EXIT trap, then the subshells still running.
func (sh *Shell) exit(st int) int {
	rt := sh.rt
	if sh.opts.interactive && sh.shopt.huponexit && sh.opts.login {
		sh.hangup()
	}
	rt.hist.save(sh)
	st = sh.finish(st)
	sh.settle()
	if rt.oldPgrp != 0 {
		rt.setpgrp(rt.oldPgrp)
	}
	for _, f := range sh.fds {
		if f != nil {
			f.sync()
		}
	}
	sh.leaveBehind(st)
	return st & 0xff
}

// leaveBehind lets what still runs in the background go on, where the kernel
// lets it: for all others the shell has ended.
func (sh *Shell) leaveBehind(st int) {
	rt := sh.rt
	if rt.sched.Solo() || wsys.ShadowStatus(0, abi.ExitedWith(st&0xff)) != nil {
		return
	}
	sh.closeAll()
	if rt.tty >= 0 {
		wsys.Close(rt.tty)
		rt.tty = -1
	}
	for !rt.sched.Solo() {
		rt.sched.Block(&sched.Wait{Child: true})
		rt.reap()
	}
}

// settleTime bounds how long an exiting shell lets its threads compute.
const settleTime = 2e9

// settle lets the subshells that still run go on until each waits for
// something, so that what they were about to start is started, and waits for
// process substitutions, whose pipes end now. For other background lists see
// leaveBehind.
func (sh *Shell) settle() {
	for n := 3; n < len(sh.fds); n++ {
		sh.setFD(n, nil)
	}
	end := int64(0)
	for !sh.rt.sched.Solo() {
		if sh.rt.sched.Runnable() {
			now := wsys.Monotonic()
			if end == 0 {
				end = now + settleTime
			}
			if now > end {
				return
			}
			sh.rt.sched.Yield()
			continue
		}
		left := false
		for _, j := range sh.jobs {
			left = left || j.subst && !j.done()
		}
		if !left {
			return
		}
		sh.wait()
		sh.rt.collect()
		if sh.fatalPending() {
			sh.deliver()
		}
	}
}

// parseArgs reads the options. It returns a status >= 0 where the shell ends.
func (sh *Shell) parseArgs(args []string) (inv invocation, rest []string, st int) {
	fail := func(msg string) (invocation, []string, int) {
		sh.write(2, []byte(sh.prefix+": "+msg+"\n"))
		return inv, nil, 2
	}
	i := 1
	for i < len(args) && strings.HasPrefix(args[i], "--") && len(args[i]) > 2 {
		switch a := args[i]; a {
		case "--posix":
			sh.opts.posix = true
		case "--norc":
			inv.norcfile = true
		case "--noprofile":
			inv.norc = true
		case "--noediting":
			inv.noediting = true
		case "--login":
			inv.login = true
		case "--version":
			inv.version = true
		case "--help":
			inv.help = true
		case "--verbose":
			sh.opts.verbose = true
		case "--restricted":
			return fail("--restricted: restricted shells are not supported")
		case "--rcfile", "--init-file":
			if i++; i >= len(args) {
				return fail(a + ": option requires an argument")
			}
			inv.rcfile = args[i]
		default:
			return fail(a + ": invalid option")
		}
		i++
	}
	command := false
	for i < len(args) {
		a := args[i]
		if a == "-" || a == "--" {
			i++
			break
		}
		if len(a) < 2 || a[0] != '-' && a[0] != '+' {
			break
		}
		on := a[0] == '-'
		i++
		for _, c := range []byte(a[1:]) {
			switch c {
			case 'c':
				command = true
			case 's':
				inv.stdin = true
			case 'i':
				sh.opts.interactive = on
			case 'l':
				inv.login = true
			case 'o', 'O':
				if i >= len(args) {
					if c == 'o' {
						sh.listOptions(on)
						sh.flush("set", 0)
					}
					continue
				}
				n := args[i]
				i++
				if c == 'O' {
					found := false
					for k := range shoptDefs {
						if shoptDefs[k].name == n {
							*shoptDefs[k].at(&sh.shopt) = on
							found = true
						}
					}
					if !found {
						return fail(n + ": invalid shell option name")
					}
				} else if !sh.setOption(n, on) {
					return fail(n + ": invalid option name")
				}
			case 'D', 'r':
				return fail("-" + string(rune(c)) + ": not supported")
			case 'm':
				inv.monitor, inv.noMonitor = on, !on
				sh.opts.monitor = on
			default:
				if !sh.setLetter(c, on) {
					return fail(a[:1] + string(rune(c)) + ": invalid option")
				}
			}
		}
	}
	rest = args[min(i, len(args)):]
	if command {
		if len(rest) == 0 {
			return fail("-c: option requires an argument")
		}
		inv.command, inv.hasCommand = rest[0], true
		rest = rest[1:]
	}
	return inv, append([]string(nil), rest...), -1
}

// startup reads the files a shell reads before its script.
func (sh *Shell) startup(inv *invocation) {
	if sh.opts.login && !inv.norc {
		sh.sourceIfThere("/etc/profile")
		if h, ok := sh.get(sh.rt.id.home); ok {
			for _, f := range []string{".bash_profile", ".bash_login", ".profile"} {
				if sh.shArgv && f != ".profile" {
					continue
				}
				if sh.sourceIfThere(h + "/" + f) {
					break
				}
			}
		}
	}
	switch {
	case sh.opts.interactive && inv.rcfile != "" && !inv.norcfile:
		sh.sourceIfThere(inv.rcfile)
	case sh.opts.interactive && sh.opts.posix:
		if e, ok := sh.get(sh.rt.id.env); ok && e != "" {
			sh.sourceIfThere(sh.prompt(e))
		}
	case sh.opts.interactive && !inv.norcfile && !sh.opts.login:
		if h, ok := sh.get(sh.rt.id.home); ok {
			sh.sourceIfThere(h + "/.bashrc")
		}
	case !sh.opts.interactive && !sh.opts.posix:
		if e, ok := sh.getName("BASH_ENV"); ok && e != "" {
			sh.sourceIfThere(sh.prompt(e))
		}
	}
}

func (sh *Shell) sourceIfThere(file string) bool {
	if st, err := sh.stat(file, true); err != nil || st.Mode.IsDir() {
		return false
	}
	biSource(sh, []string{".", file})
	return true
}
