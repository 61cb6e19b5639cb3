// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package interp

import (
	"strings"

	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/guests/src/shell/sched"
	"github.com/wsandbox/wsandbox/guests/src/wsys"
)

// selectLoop runs a select command.
func (n *forNode) selectLoop(sh *Shell) int {
	sh.line = n.line + sh.lineShift
	sh.expandFailed = false
	items := append([]string(nil), sh.params...)
	if !n.args {
		l, ok := sh.fieldsOf(n.words)
		if !ok {
			return sh.check(sh.expandStatus())
		}
		items = l
	}
	if len(items) == 0 {
		sh.status = 0
		return 0
	}
	sh.loops++
	defer func() { sh.loops-- }()
	show, st := true, 0
	for {
		if show {
			sh.menu(items)
		}
		ps3, ok := sh.get(sh.rt.id.ps3)
		if !ok {
			ps3 = "#? "
		}
		sh.write(2, []byte(sh.prompt(ps3)))
		rst := biRead(sh, []string{"read"})
		if sh.ctl != ctlNone {
			return sh.status
		}
		if rst != 0 {
			sh.write(1, []byte("\n"))
			sh.status = 1
			return 1
		}
		s, _ := sh.get(sh.rt.id.reply)
		if s = strings.TrimSpace(s); s == "" {
			show = true
			continue
		}
		show = false
		v := ""
		if k, ok := canonicalInt(s); ok && k >= 1 && k <= int64(len(items)) {
			v = items[k-1]
		}
		if !sh.set(n.id, v) {
			return sh.check(1)
		}
		st = n.body.exec(sh)
		if sh.ctl != ctlNone && sh.loopEnd() {
			break
		}
		if sh.tick() {
			break
		}
		if r, _ := sh.get(sh.rt.id.reply); r == "" {
			show = true
		}
	}
	if sh.ctl == ctlNone {
		sh.status = st
	}
	return st
}

// menu writes the numbered items in columns.
func (sh *Shell) menu(items []string) {
	w := 0
	for _, it := range items {
		w = max(w, sh.charLen(it))
	}
	nw := len(itoa(int64(len(items))))
	cell := nw + 2 + w + 2
	cols := max(1, min(80/cell, len(items)))
	rows := (len(items) + cols - 1) / cols
	if rows == 1 {
		rows, cols = len(items), 1
	}
	var b strings.Builder
	for r := 0; r < rows; r++ {
		for c := 0; c < cols; c++ {
			i := c*rows + r
			if i >= len(items) {
				break
			}
			num := itoa(int64(i + 1))
			b.WriteString(strings.Repeat(" ", nw-len(num)) + num + ") " + items[i])
			if (c+1)*rows+r < len(items) {
				b.WriteString(strings.Repeat(" ", w-sh.charLen(items[i])+2))
			}
		}
		b.WriteByte('\n')
	}
	sh.write(2, []byte(b.String()))
}

// coproc is a running coprocess.
type coproc struct {
	id   sym
	r, w int
	p    *proc
}

func (n *coprocNode) exec(sh *Shell) int {
	sh.line = n.line + sh.lineShift
	if sh.tick() {
		return sh.status
	}
	if !validName(n.name) {
		sh.errorf("`" + n.name + "': not a valid identifier")
		return sh.check(1)
	}
	r1, w1, err := wsys.Pipe(abi.OCloexec)
	if err != nil {
		sh.errorf("coproc: " + errText(err))
		return sh.check(1)
	}
	r2, w2, err := wsys.Pipe(abi.OCloexec)
	if err != nil {
		wsys.Close(r1)
		wsys.Close(w1)
		sh.errorf("coproc: " + errText(err))
		return sh.check(1)
	}
	c := sh.fork(true)
	c.noErr = 0
	c.setFD(0, &file{k: r1, refs: 1})
	c.setFD(1, &file{k: w2, refs: 1})
	c.subcap = nil
	p := sh.launch(c, n.x, place{background: true})
	if p == nil {
		wsys.Close(r2)
		wsys.Close(w1)
		return sh.status
	}
	free := func() int {
		k := 63
		for k > 9 && sh.fd(k) != nil {
			k--
		}
		return k
	}
	cp := &coproc{id: sh.rt.intern(n.name), p: p}
	cp.r = free()
	sh.setFD(cp.r, &file{k: r2, refs: 1, close: true})
	cp.w = free()
	sh.setFD(cp.w, &file{k: w1, refs: 1, close: true})
	sh.coprocs = append(sh.coprocs, cp)
	sh.setArray(cp.id, []string{itoa(int64(cp.r)), itoa(int64(cp.w))})
	sh.setName(n.name+"_PID", itoa(int64(p.pid)))
	j := sh.addJob([]*proc{p}, n.src)
	j.pgid, j.ownGroup = p.pid, sh.controls()
	sh.lastBg, sh.hasBg = p.pid, true
	sh.showStarted(j)
	sh.status = 0
	return 0
}

// wait blocks until something happens to the shell.
func (sh *Shell) wait() {
	w := sched.Wait{Child: true}
	sh.parked()
	sh.rt.sched.Block(&w)
	sh.rt.reap()
}

// homeOf returns the home directory of a user of /etc/passwd; "" is the user
// of this process.
func (sh *Shell) homeOf(name string) (string, bool) {
	b, err := wsys.ReadFile("/etc/passwd")
	if err != nil {
		return "", false
	}
	uid, _ := sh.getName("UID")
	for _, l := range strings.Split(string(b), "\n") {
		f := strings.Split(l, ":")
		if len(f) >= 6 && (name != "" && f[0] == name || name == "" && f[2] == uid) {
			return f[5], true
		}
	}
	return "", false
}

func (sh *Shell) userName() string {
	if s, ok := sh.getName("USER"); ok && s != "" {
		return s
	}
	uid, _ := sh.getName("UID")
	if b, err := wsys.ReadFile("/etc/passwd"); err == nil {
		for _, l := range strings.Split(string(b), "\n") {
			f := strings.Split(l, ":")
			if len(f) >= 3 && f[2] == uid {
				return f[0]
			}
		}
	}
	return uid
}
