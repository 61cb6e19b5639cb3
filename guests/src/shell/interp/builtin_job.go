// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package interp

import (
	"strings"

	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/guests/src/shell/sched"
	"github.com/wsandbox/wsandbox/guests/src/wsys"
)

func biWait(sh *Shell, args []string) int {
	f, rest, ok := sh.flags(args, "fnp:")
	if !ok {
		return 2
	}
	setPid := func(pid int32) {
		if v, ok := f.arg['p']; ok && validName(v) {
			sh.setName(v, itoa(int64(pid)))
		}
	}
	if v, ok := f.arg['p']; ok {
		if !validName(v) {
			return sh.builtinError("wait", "`"+v+"': not a valid identifier")
		}
		sh.unset(sh.rt.intern(v))
	}
	sh.trapped = 0
	interrupted := func() (int, bool) {
		if sh.rt.pend {
			sh.deliver()
		}
		if sh.ctl != ctlNone {
			return sh.status, true
		}
		if s := sh.trapped; s != 0 {
			sh.trapped = 0
			return 128 + int(s), true
		}
		return 0, false
	}
	if f.on['n'] {
		return sh.waitAny(rest, setPid, interrupted)
	}
	if len(rest) == 0 {
		for _, j := range append([]*job(nil), sh.jobs...) {
			for _, p := range j.procs {
				for !p.done {
					if !sh.await(p, true) {
						if st, stop := interrupted(); stop {
							return st
						}
					}
				}
			}
			j.waited = true
		}
		return 0
	}
	st := 0
	for _, a := range rest {
		j, p, msg := sh.waitTarget(a)
		if p == nil {
			sh.errorf("wait: " + msg)
			st = 127
			if !strings.HasPrefix(a, "%") && !isPid(a) {
				st = 1
			}
			continue
		}
		for !p.done {
			if !sh.await(p, true) {
				if s, stop := interrupted(); stop {
					return s
				}
			}
		}
		st = p.status.ShellStatus()
		sh.reportSignal(p, []string{j.src})
		setPid(p.pid)
		if j.done() {
			j.waited = true
		}
	}
	return st
}

func isPid(s string) bool { n, ok := canonicalInt(s); return ok && n > 0 }

// waitTarget finds the process a word of wait means.
func (sh *Shell) waitTarget(a string) (*job, *proc, string) {
	if strings.HasPrefix(a, "%") {
		j, msg := sh.findJob(a)
		if j == nil {
			return nil, nil, msg
		}
		return j, j.last(), ""
	}
	n, ok := canonicalInt(a)
	if !ok || n <= 0 {
		return nil, nil, "`" + a + "': not a pid or valid job spec"
	}
	j, p := sh.jobOf(int32(n))
	if p == nil {
		return nil, nil, "pid " + a + " is not a child of this shell"
	}
	return j, p, ""
}

// waitAny is wait -n: for the next of the jobs that ends.
func (sh *Shell) waitAny(ids []string, setPid func(int32), interrupted func() (int, bool)) int {
	var jobs []*job
	for _, a := range ids {
		j, p, msg := sh.waitTarget(a)
		if p == nil {
			sh.errorf("wait: " + msg)
			continue
		}
		jobs = append(jobs, j)
	}
	if len(ids) == 0 {
		jobs = sh.jobs
	}
	for {
		live := false
		for _, j := range jobs {
			if j.waited {
				continue
			}
			if j.done() {
				j.waited = true
				setPid(j.last().pid)
				return j.last().status.ShellStatus()
			}
			live = true
		}
		if !live {
			return 127
		}
		sh.rt.reap()
		done := false
		for _, j := range jobs {
			done = done || !j.waited && j.done()
		}
		if done {
			continue
		}
		w := sched.Wait{Child: true}
		sh.block(&w)
		sh.rt.reap()
		sh.rt.collect()
		if sh.fatalPending() || sh.trapPending() {
			if st, stop := interrupted(); stop {
				return st
			}
		}
	}
}

func biJobs(sh *Shell, args []string) int {
	f, rest, ok := sh.flags(args, "lnprsx")
	if !ok {
		return 2
	}
	if f.on['x'] {
		if len(rest) == 0 {
			return 0
		}
		for i, a := range rest {
			if strings.HasPrefix(a, "%") {
				if j, _ := sh.findJob(a); j != nil {
					rest[i] = itoa(int64(j.last().pid))
				}
			}
		}
		return biCommand(sh, append([]string{"command"}, rest...))
	}
	sh.rt.reap()
	list := sh.jobs
	if len(list) == 0 {
		list = sh.shownJobs
	}
	if len(rest) > 0 {
		list = nil
		for _, a := range rest {
			j, msg := sh.findJob(a)
			if j == nil {
				return sh.builtinError("jobs", msg)
			}
			list = append(list, j)
		}
	}
	cur, prev := sh.current()
	for _, j := range list {
		if j.forgotten() {
			continue
		}
		st := j.state()
		if f.on['r'] && st != "Running" || f.on['s'] && st != "Stopped" {
			continue
		}
		if f.on['p'] {
			sh.print(itoa(int64(j.procs[0].pid)) + "\n")
			continue
		}
		mark := " "
		if j == cur {
			mark = "+"
		} else if j == prev {
			mark = "-"
		}
		sh.print("[" + itoa(int64(j.id)) + "]" + mark + "  ")
		if f.on['l'] {
			sh.print(itoa(int64(j.last().pid)) + " ")
		}
		src := j.src
		if st == "Running" {
			src += " &"
		}
		sh.print(padRight(st, 24) + src + "\n")
		if j.done() {
			j.notified = true
		}
	}
	return 0
}

func biFg(sh *Shell, args []string) int {
	if !sh.opts.monitor {
		return sh.builtinError("fg", "no job control")
	}
	spec := "%+"
	if len(args) > 1 {
		spec = args[1]
	}
	j, msg := sh.findJob(spec)
	if j == nil {
		if spec == "%+" {
			msg = "current: no such job"
		}
		return sh.builtinError("fg", msg)
	}
	sh.print(j.src + "\n")
	sh.flush("fg", 0)
	sh.resume(j)
	st := sh.foreground(j.procs, []string{j.src})
	if j.done() {
		j.waited = true
	}
	return st
}

func biBg(sh *Shell, args []string) int {
	if !sh.opts.monitor {
		return sh.builtinError("bg", "no job control")
	}
	specs := args[1:]
	if len(specs) == 0 {
		specs = []string{"%+"}
	}
	st := 0
	for _, s := range specs {
		j, msg := sh.findJob(s)
		if j == nil {
			if s == "%+" {
				msg = "current: no such job"
			}
			st = sh.builtinError("bg", msg)
			continue
		}
		sh.resume(j)
		sh.print("[" + itoa(int64(j.id)) + "]+ " + j.src + " &\n")
	}
	return st
}

func (sh *Shell) resume(j *job) {
	for _, p := range j.procs {
		if p.stop && p.pid > 0 {
			wsys.Kill(p.pid, abi.SIGCONT)
			p.stop = false
		}
	}
}

func biDisown(sh *Shell, args []string) int {
	f, rest, ok := sh.flags(args, "har")
	if !ok {
		return 2
	}
	var list []*job
	switch {
	case f.on['a'] || f.on['r'] && len(rest) == 0:
		for _, j := range sh.jobs {
			if !f.on['r'] || j.state() == "Running" {
				list = append(list, j)
			}
		}
	case len(rest) == 0:
		cur, _ := sh.current()
		if cur == nil {
			return sh.builtinError("disown", "current: no such job")
		}
		list = append(list, cur)
	}
	st := 0
	for _, a := range rest {
		j, msg := sh.findJob(a)
		if n, ok := canonicalInt(a); ok {
			j, _ = sh.jobOf(int32(n))
			msg = a + ": no such job"
		}
		if j == nil {
			st = sh.builtinError("disown", msg)
			continue
		}
		list = append(list, j)
	}
	for _, j := range list {
		if f.on['h'] {
			j.noHup = true
			continue
		}
		for i, x := range sh.jobs {
			if x == j {
				sh.jobs = append(sh.jobs[:i:i], sh.jobs[i+1:]...)
				break
			}
		}
	}
	return st
}

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
