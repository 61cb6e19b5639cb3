// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package interp

import (
	"strings"

	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/guests/src/wsys"
)

// parseSignal reads a signal's name or number; 0 is EXIT.
func parseSignal(s string) (abi.Signal, bool) {
	if n, ok := canonicalInt(trimZeros(s)); ok {
		return abi.Signal(n), n >= 0 && n < abi.NSIG
	}
	u := strings.ToUpper(s)
	if u == "EXIT" || u == "SIGEXIT" {
		return 0, true
	}
	return abi.SignalByName(u)
}

func biKill(sh *Shell, args []string) int {
	rest := args[1:]
	sig := abi.SIGTERM
	if len(rest) > 0 && (rest[0] == "-l" || rest[0] == "-L") {
		return sh.killList(rest[1:])
	}
	bad := func(s string) int { return sh.builtinError("kill", s+": invalid signal specification") }
	for len(rest) > 0 && len(rest[0]) > 1 && rest[0][0] == '-' {
		a := rest[0]
		if a == "--" {
			rest = rest[1:]
			break
		}
		var ok bool
		switch {
		case (a == "-s" || a == "-n") && len(rest) < 2:
			return sh.builtinError("kill", a+": option requires an argument")
		case a == "-s" || a == "-n":
			if sig, ok = parseSignal(rest[1]); !ok {
				return bad(rest[1])
			}
			rest = rest[2:]
		default:
			if sig, ok = parseSignal(a[1:]); !ok {
				return bad(a[1:])
			}
			rest = rest[1:]
		}
		if len(rest) > 0 && rest[0] == "--" {
			rest = rest[1:]
		}
		break
	}
	if len(rest) == 0 {
		sh.write(2, []byte("kill: usage: "+builtins["kill"].usage+"\n"))
		return 2
	}
	st := 1
	for _, a := range rest {
		if strings.HasPrefix(a, "%") {
			j, msg := sh.findJob(a)
			if j == nil {
				sh.errorf("kill: " + msg)
				continue
			}
			if j.ownGroup && sh.controls() {
				if err := sh.signalJob(j, sig); err != nil {
					sh.errorf("kill: (" + a + ") - " + errText(err))
					continue
				}
				if j.stopped() && (sig == abi.SIGTERM || sig == abi.SIGHUP) {
					sh.signalJob(j, abi.SIGCONT)
				}
				st = 0
				continue
			}
			for _, p := range j.procs {
				if sh.kill(p.pid, sig, a) {
					st = 0
				}
			}
			continue
		}
		n, ok := canonicalInt(a)
		if !ok || n > 1<<30 || n < -1<<30 {
			sh.errorf("kill: " + a + ": arguments must be process or job IDs")
			continue
		}
		if sh.kill(int32(n), sig, a) {
			st = 0
		}
	}
	// A signal to this very shell takes effect at once.
	sh.rt.collect()
	if sh.rt.pend {
		sh.deliver()
	}
	return st
}

func (sh *Shell) kill(pid int32, sig abi.Signal, arg string) bool {
	if c := sh.rt.shadows[pid]; c != nil && sig != 0 {
		var s wsys.SignalSet
		s.Add(sig)
		c.signal(s)
		return true
	}
	if pid == sh.rt.pid && sig != 0 && sh.rt.main.traps.sig[sig] != "" {
		var s wsys.SignalSet
		s.Add(sig)
		sh.rt.main.signal(s)
		return true
	}
	if pid == sh.rt.pid && sig != 0 && !sh.rt.main.traps.ign.Has(sig) && !sh.opts.interactive && fatal(sig) {
		sh.rt.restoreModes()
		wsys.DieBy(sig) // at once, not when the signal comes
	}
	if err := wsys.Kill(pid, sig); err != nil {
		sh.errorf("kill: (" + arg + ") - " + errText(err))
		return false
	}
	return true
}

// fatal reports whether the default action of a signal ends a process.
func fatal(s abi.Signal) bool {
	switch s {
	case abi.SIGCHLD, abi.SIGURG, abi.SIGWINCH, abi.SIGCONT, abi.SIGSTOP, abi.SIGTSTP, abi.SIGTTIN, abi.SIGTTOU:
		return false
	}
	return true
}

func (sh *Shell) killList(args []string) int {
	if len(args) == 0 {
		for s := abi.Signal(1); s < abi.NSIG; s++ {
			n := itoa(int64(s))
			sh.print(strings.Repeat(" ", max(0, 2-len(n))) + n + ") " + s.String())
			if s%5 == 0 || s == abi.NSIG-1 {
				sh.print("\n")
			} else {
				sh.print("\t")
			}
		}
		return 0
	}
	st := 0
	for _, a := range args {
		n, ok := canonicalInt(a)
		switch {
		case ok:
			if n > 128 {
				n -= 128
			}
			s := abi.Signal(n)
			if n == 0 {
				sh.print("EXIT\n")
				continue
			}
			if n < 0 || n >= abi.NSIG {
				sh.errorf("kill: " + a + ": invalid signal specification")
				st = 1
				continue
			}
			sh.print(s.Name() + "\n")
		default:
			s, ok := parseSignal(a)
			if !ok {
				sh.errorf("kill: " + a + ": invalid signal specification")
				st = 1
				continue
			}
			sh.print(itoa(int64(s)) + "\n")
		}
	}
	return st
}

func biTrap(sh *Shell, args []string) int {
	f, rest, ok := sh.flags(args, "lp")
	if !ok {
		return 2
	}
	if f.on['l'] {
		return sh.killList(nil)
	}
	if len(rest) == 0 || f.on['p'] {
		return sh.showTraps(rest)
	}
	action, reset, ignore := rest[0], false, false
	names := rest[1:]
	switch {
	case action == "-":
		action, reset = "", true
	case action == "":
		ignore = true
	case len(names) == 0 || allDigits(action):
		// Without an action the names are reset.
		if len(names) == 0 && !allDigits(action) {
			if _, _, ok := trapName(action); !ok {
				sh.write(2, []byte("trap: usage: "+builtins["trap"].usage+"\n"))
				return 2
			}
		}
		names = rest
		action, reset = "", true
	}
	st := 0
	for _, n := range names {
		name, sig, ok := trapName(n)
		if !ok {
			sh.errorf("trap: " + n + ": invalid signal specification")
			st = 1
			continue
		}
		sh.setTrap(name, sig, action, ignore, reset)
	}
	return st
}

func allDigits(s string) bool {
	for i := range len(s) {
		if !isDigit(s[i]) {
			return false
		}
	}
	return s != ""
}

// trapName reads a condition of trap.
func trapName(n string) (string, abi.Signal, bool) {
	u := strings.TrimPrefix(strings.ToUpper(n), "SIG")
	switch u {
	case "EXIT", "0":
		return "EXIT", 0, true
	case "ERR", "DEBUG", "RETURN":
		return u, 0, true
	}
	s, ok := parseSignal(n)
	return s.String(), s, ok && s != 0
}

func (sh *Shell) showTraps(names []string) int {
	t := &sh.traps
	if t.shown != nil {
		t = t.shown
	}
	show := func(name, action string, ignored bool) {
		if action != "" || ignored {
			sh.print("trap -- " + inSingle(action) + " " + name + "\n")
		}
	}
	one := func(name string, s abi.Signal) {
		switch name {
		case "EXIT":
			show(name, t.exit, t.ignExit)
		case "ERR":
			show(name, t.err, false)
		case "DEBUG":
			show(name, t.debug, false)
		case "RETURN":
			show(name, t.ret, false)
		default:
			if sh.shArgv {
				name = strings.TrimPrefix(name, "SIG")
			}
			show(name, t.sig[s], t.ign.Has(s))
		}
	}
	if len(names) > 0 {
		st := 0
		for _, n := range names {
			name, sig, ok := trapName(n)
			if !ok {
				sh.errorf("trap: " + n + ": invalid signal specification")
				st = 1
				continue
			}
			one(name, sig)
		}
		return st
	}
	one("EXIT", 0)
	for s := abi.Signal(1); s < abi.NSIG; s++ {
		one(s.String(), s)
	}
	one("DEBUG", 0)
	one("ERR", 0)
	one("RETURN", 0)
	return 0
}
