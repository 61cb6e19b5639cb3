// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package interp

import (
	"strings"

	"github.com/wsandbox/wsandbox/guests/src/datetime"
	"github.com/wsandbox/wsandbox/guests/src/wsys"
)

// trace writes a line of set -x.
func (sh *Shell) trace(s string) {
	ps4, _ := sh.get(sh.rt.id.ps4)
	x := sh.opts.xtrace
	sh.opts.xtrace = false
	st, sub, did, failed := sh.status, sh.substStat, sh.didSubst, sh.expandFailed
	ctl, n := sh.ctl, sh.ctlN
	p := sh.prompt(ps4)
	sh.status, sh.substStat, sh.didSubst, sh.expandFailed = st, sub, did, failed
	sh.ctl, sh.ctlN = ctl, n
	sh.opts.xtrace = x
	// The first character shows the depth of substitutions.
	if p != "" && sh.traceDepth() > 0 {
		p = strings.Repeat(p[:runeLen(p)], sh.traceDepth()) + p
	}
	fd := 2
	if v, ok := sh.getName("BASH_XTRACEFD"); ok {
		if n, ok := canonicalInt(v); ok && sh.fd(int(n)) != nil {
			fd = int(n)
		}
	}
	sh.write(fd, []byte(p+s+"\n"))
}

// traceDepth counts the command substitutions around the shell.
func (sh *Shell) traceDepth() int {
	n := 0
	for p := sh; p != nil; p = p.parent {
		if p.subst {
			n++
		}
	}
	return n
}

func (sh *Shell) traceWords(args []string) {
	var b strings.Builder
	for i, a := range args {
		if i > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(quotedIfNeeded(a))
	}
	sh.trace(b.String())
}

func (sh *Shell) traceCommand(assigns []*assign, args []string) {
	for _, a := range assigns {
		if a.val != nil && a.val.kind != wGeneral {
			sh.trace(a.name + "=" + quotedIfNeeded(sh.text(a.val)))
		} else {
			sh.trace(a.name + "=...")
		}
	}
	sh.traceWords(args)
}

// traceAssign shows an assignment that has been made.
func (sh *Shell) traceAssign(a *assign) {
	op := "="
	if a.append {
		op = "+="
	}
	if a.arr != nil {
		var b strings.Builder
		b.WriteString(a.name + op + "(")
		for i, e := range sh.elements(a.id) {
			if i > 0 {
				b.WriteByte(' ')
			}
			b.WriteString(quotedIfNeeded(e))
		}
		b.WriteByte(')')
		sh.trace(b.String())
		return
	}
	if a.sub != nil {
		s, _ := sh.element(a.id, a.sub)
		sh.trace(a.name + "[" + a.sub.text + "]" + op + quotedIfNeeded(s))
		return
	}
	s, _ := sh.get(a.id)
	if a.append && a.val.kind == wLit {
		s = a.val.lit
	}
	if s == "" {
		sh.trace(a.name + op)
		return
	}
	sh.trace(a.name + op + quotedIfNeeded(s))
}

func (sh *Shell) traceDecl(args []string, decls []declValue) {
	l := append([]string(nil), args[:1]...)
	for _, d := range decls {
		if d.hasVal && d.arr == nil {
			l = append(l, d.name+"="+quotedIfNeeded(d.val))
		} else if d.arr != nil {
			l = append(l, d.name+"=(...)")
		} else {
			l = append(l, quotedIfNeeded(d.word))
		}
	}
	sh.trace(strings.Join(l, " "))
}

func (sh *Shell) traceCond(op, a, b string) {
	if !sh.opts.xtrace {
		return
	}
	if op == "-n" && b == "" {
		sh.trace("[[ -n " + quotedIfNeeded(a) + " ]]")
		return
	}
	if len(op) == 2 && op[0] == '-' && b == "" {
		sh.trace("[[ " + op + " " + quotedIfNeeded(a) + " ]]")
		return
	}
	sh.trace("[[ " + quotedIfNeeded(a) + " " + op + " " + b + " ]]")
}

// prompt expands the escapes and expansions of a prompt.
func (sh *Shell) prompt(s string) string {
	if s == "" {
		return ""
	}
	if strings.IndexByte(s, '\\') >= 0 && !sh.shArgv {
		s = sh.promptEscapes(s)
	}
	if strings.ContainsAny(s, "$`\\") && sh.shopt.promptvars {
		w := &word{}
		sh.document(w, s, true, sh.line)
		w.finish()
		failed := sh.expandFailed
		s = sh.text(w)
		sh.expandFailed = failed
	}
	return s
}

func (sh *Shell) promptEscapes(s string) string {
	var b []byte
	now := wsys.Now()
	insert := func(t string) { // text in which nothing is expanded
		for k := range len(t) {
			if sh.shopt.promptvars && (t[k] == '$' || t[k] == '`' || t[k] == '\\') {
				b = append(b, '\\')
			}
			b = append(b, t[k])
		}
	}
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' || i+1 == len(s) {
			b = append(b, s[i])
			continue
		}
		i++
		switch c := s[i]; c {
		case 'u':
			insert(sh.userName())
		case 'h', 'H':
			h := wsys.Hostname()
			if k := strings.IndexByte(h, '.'); c == 'h' && k > 0 {
				h = h[:k]
			}
			insert(h)
		case 'w', 'W':
			d := sh.cwd
			if home, ok := sh.get(sh.rt.id.home); ok && home != "" && home != "/" && (d == home || strings.HasPrefix(d, home+"/")) {
				d = "~" + d[len(home):]
			}
			if k := strings.LastIndexByte(d, '/'); c == 'W' && k >= 0 && d != "/" {
				d = d[k+1:]
			}
			insert(d)
		case '$':
			if id, ok := sh.getName("EUID"); ok && id == "0" {
				b = append(b, '#')
			} else {
				b = append(b, "\\$"...)
			}
		case 's':
			insert(sh.base)
		case 'v':
			b = append(b, "5.2"...)
		case 'V':
			b = append(b, "5.2.15"...)
		case 'n':
			b = append(b, '\n')
		case 'r':
			b = append(b, '\r')
		case 'a':
			b = append(b, 7)
		case 'e':
			b = append(b, 27)
		case '\\':
			b = append(b, `\\`...)
		case '[':
			if sh.rt.marks {
				b = append(b, promptHide)
			}
		case ']':
			if sh.rt.marks {
				b = append(b, promptShow)
			}
		case 'j':
			n := 0
			for _, j := range sh.jobs {
				n += b2i(!j.forgotten() && !j.subst)
			}
			b = append(b, itoa(int64(n))...)
		case 'l':
			b = append(b, "tty"...)
		case '!':
			b = append(b, itoa(int64(sh.rt.hist.number()))...)
		case '#':
			b = append(b, itoa(int64(sh.rt.lines+1))...)
		case 'd', 't', 'T', '@', 'A':
			f := map[byte]string{'d': "%a %b %d", 't': "%H:%M:%S", 'T': "%I:%M:%S", '@': "%I:%M %p", 'A': "%H:%M"}[c]
			cv := datetime.In(now/1e9, sh.zone())
			b = datetime.AppendFormat(b, f, &cv, now/1e9, 0)
		case 'D':
			if e := strings.IndexByte(s[i:], '}'); e > 1 && s[i+1] == '{' {
				cv := datetime.In(now/1e9, sh.zone())
				f := s[i+2 : i+e]
				if f == "" {
					f = "%X"
				}
				b = datetime.AppendFormat(b, f, &cv, now/1e9, 0)
				i += e
			} else {
				b = append(b, '\\', 'D')
			}
		case '0', '1', '2', '3', '4', '5', '6', '7':
			v, k := 0, i
			for k < len(s) && k < i+3 && s[k] >= '0' && s[k] <= '7' {
				v = v*8 + int(s[k]-'0')
				k++
			}
			b = append(b, byte(v))
			i = k - 1
		default:
			b = append(b, '\\', c)
		}
	}
	return string(b)
}

func (sh *Shell) zone() *datetime.Zone {
	tz, ok := sh.getName("TZ")
	return datetime.Load(tz, ok)
}

func baseName(p string) string {
	if i := strings.LastIndexByte(p, '/'); i >= 0 {
		return p[i+1:]
	}
	return p
}

// timer holds the start of a time command.
type timer struct {
	real int64
	cpu  wsys.Times
}

func (sh *Shell) startTimer() timer { return timer{wsys.Monotonic(), wsys.ProcTimes()} }

func (sh *Shell) reportTime(t timer, posix bool) {
	real := wsys.Monotonic() - t.real
	c := wsys.ProcTimes()
	user := c.Utime + c.ChildUtime - t.cpu.Utime - t.cpu.ChildUtime
	sys := c.Stime + c.ChildStime - t.cpu.Stime - t.cpu.ChildStime
	if posix {
		sh.write(2, []byte("real "+seconds(real, 2)+"\nuser "+seconds(user, 2)+"\nsys "+seconds(sys, 2)+"\n"))
		return
	}
	f, ok := sh.get(sh.rt.id.timeformat)
	if !ok {
		f = "\nreal\t%3lR\nuser\t%3lU\nsys\t%3lS"
	}
	if f == "" {
		return
	}
	var b []byte
	for i := 0; i < len(f); i++ {
		if f[i] != '%' || i+1 == len(f) {
			b = append(b, f[i])
			continue
		}
		i++
		if f[i] == '%' {
			b = append(b, '%')
			continue
		}
		prec, long := 3, false
		if isDigit(f[i]) {
			prec = min(int(f[i]-'0'), 3)
			i++
		}
		if i < len(f) && f[i] == 'l' {
			long = true
			i++
		}
		if i == len(f) {
			break
		}
		v := int64(0)
		switch f[i] {
		case 'R':
			v = real
		case 'U':
			v = user
		case 'S':
			v = sys
		case 'P':
			b = append(b, seconds(percent(user+sys, real), 2)...)
			continue
		default:
			sh.errorf("TIMEFORMAT: `" + f[i:i+1] + "': invalid format character")
			return
		}
		if long {
			b = append(b, itoa(v/60e9)+"m"+seconds(v%60e9, prec)+"s"...)
		} else {
			b = append(b, seconds(v, prec)...)
		}
	}
	sh.write(2, append(b, '\n'))
}

// seconds formats nanoseconds as seconds with some digits of fraction.
func seconds(ns int64, prec int) string {
	s := itoa(ns / 1e9)
	if prec == 0 {
		return s
	}
	f := itoa(ns % 1e9)
	f = "000000000"[len(f):] + f
	return s + "." + f[:prec]
}

// percent returns 100 times part/whole, scaled as nanoseconds are.
func percent(part, whole int64) int64 {
	if whole <= 0 {
		return 0
	}
	return int64(float64(part) / float64(whole) * 100e9)
}
