// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package interp

import (
	"strings"

	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/guests/src/shell/sched"
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
				for !p.done && !(p.stop && sh.opts.monitor && !f.on['f']) {
					if !sh.await(p, true) {
						if st, stop := interrupted(); stop {
							return st
						}
					}
				}
			}
			sh.waitedFor(j)
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
		for !p.done && !(p.stop && sh.opts.monitor && !f.on['f']) {
			if !sh.await(p, true) {
				if s, stop := interrupted(); stop {
					return s
				}
			}
		}
		if !p.done {
			if !j.told {
				sh.showStopped(j)
			}
			st = stopStatus([]*proc{p})
			continue
		}
		st = p.status.ShellStatus()
		if !sh.opts.interactive {
			sh.reportSignal(p, []string{j.src}, true)
		}
		setPid(p.pid)
		sh.waitedFor(j)
	}
	return st
}

// waitedFor notes that a job is over, of whose end jobs and the prompt need not
// tell any more: an interactive shell does so here.
func (sh *Shell) waitedFor(j *job) {
	if !j.done() {
		return
	}
	if sh.opts.interactive && !j.waited && !j.notified && !j.subst {
		sh.write(2, []byte(sh.jobLine(j, false)))
	}
	j.waited = true
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
			if j.waited || j.done() && j.notified && len(ids) == 0 {
				continue // it has been reported
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
			done = done || !j.waited && !(j.notified && len(ids) == 0) && j.done()
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
	for _, j := range list {
		if j.forgotten() || j.subst || f.on['n'] && j.told {
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
		sh.print(sh.jobLine(j, f.on['l']))
		j.told = st != "Running"
	}
	for _, j := range list {
		if j.done() && j.told {
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
	sh.giveTTY(j)
	sh.resume(j)
	st, ok := sh.waitJob(j, j.procs, j.pgid, j.src)
	if j.done() {
		j.waited = true
		if ok {
			sh.reportSignal(j.last(), []string{j.src}, false)
			st = j.last().status.ShellStatus()
		}
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
		if !j.stopped() {
			sh.errorf("bg: job " + itoa(int64(j.id)) + " already in background")
			continue
		}
		mark := " "
		if cur, prev := sh.current(); j == cur {
			mark = "+"
		} else if j == prev {
			mark = "-"
		}
		sh.resume(j)
		sh.print("[" + itoa(int64(j.id)) + "]" + mark + " " + j.src + " &\n")
	}
	return st
}

func (sh *Shell) resume(j *job) {
	sh.rt.reap() // what is reported later is later
	for _, p := range j.procs {
		p.stop = false
	}
	j.told = false
	sh.signalJob(j, abi.SIGCONT)
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
		if j.stopped() && sh.opts.interactive {
			sh.errorf("warning: deleting stopped job " + itoa(int64(j.id)) + " with process group " + itoa(int64(j.pgid)))
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
