// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package interp

import "strings"

// expandHistory replaces the history references of a line. print says that the
// result is to be shown and not run. msg is the error, "" for none.
//
// bash: HISTORY EXPANSION.
func (sh *Shell) expandHistory(line string) (out string, print bool, msg string) {
	x := histExpander{sh: sh, h: &sh.rt.hist, src: line}
	if line != "" && line[0] == '^' {
		return x.quick()
	}
	return x.expand()
}

// histExpander expands one line.
type histExpander struct {
	sh    *Shell
	h     *history
	src   string
	pos   int
	out   []byte
	print bool
	msg   string
	from  string // of the last substitution
	to    string
}

func (x *histExpander) fail(msg string) { x.msg = msg }

// last returns the index of the previous command.
func (x *histExpander) last() int { return len(x.h.list) - 1 }

// quick is ^old^new^ at the start of a line.
func (x *histExpander) quick() (string, bool, string) {
	old, rest, _ := strings.Cut(x.src[1:], "^")
	to, tail, _ := strings.Cut(rest, "^")
	if x.last() < 0 {
		return "", false, ":s" + x.src + ": event not found"
	}
	text := x.h.list[x.last()].text
	if old == "" || !strings.Contains(text, old) {
		return "", false, ":s" + x.src + ": substitution failed"
	}
	x.from, x.to = old, to
	text = strings.Replace(text, old, x.with(to, old), 1)
	for x.src, x.pos = tail, 0; x.pos < len(tail) && tail[x.pos] == ':' && x.msg == ""; {
		if text = x.modify(text); x.msg == "stop" {
			x.msg = ""
			break
		}
	}
	return text + x.src[x.pos:], x.print, x.msg
}

func (x *histExpander) expand() (string, bool, string) {
	single, double := false, false
	for x.pos < len(x.src) && x.msg == "" {
		c := x.src[x.pos]
		next := byte(0)
		if x.pos+1 < len(x.src) {
			next = x.src[x.pos+1]
		}
		switch {
		case c == '\\' && !single && x.pos+1 < len(x.src):
			x.out = append(x.out, c, next)
			x.pos += 2
			continue
		case c == '\'' && !double:
			single = !single
		case c == '"' && !single:
			double = !double
		case c == '!' && !single && next != 0 && strings.IndexByte(" \t\n=", next) < 0 &&
			!(next == '(' && x.sh.shopt.extglob) && !(next == '"' && double) && !x.literal():
			x.reference()
			if len(x.out) > maxHistoryText {
				x.fail("history expansion too long")
			}
			continue
		}
		x.out = append(x.out, c)
		x.pos++
	}
	if x.msg != "" {
		return "", false, x.msg
	}
	return string(x.out), x.print, ""
}

// literal reports whether the ! belongs to the shell's own syntax: $! ${! [!.
func (x *histExpander) literal() bool {
	if x.pos == 0 {
		return false
	}
	switch x.src[x.pos-1] {
	case '$':
		return true
	case '[':
		return strings.IndexByte(x.src[x.pos:], ']') > 0
	case '{':
		return x.pos > 1 && x.src[x.pos-2] == '$'
	}
	return false
}

// reference expands what begins with ! here.
func (x *histExpander) reference() {
	start := x.pos
	x.pos++
	text, explicit := x.event()
	if x.msg != "" {
		if x.msg == "event" {
			x.msg = x.src[start:x.pos] + ": event not found"
		}
		return
	}
	text, ok := x.words(text, explicit)
	if !ok {
		x.fail(x.src[start:x.pos] + ": bad word specifier")
		return
	}
	for x.pos < len(x.src) && x.src[x.pos] == ':' && x.msg == "" {
		text = x.modify(text)
	}
	if x.msg == "stop" {
		x.msg = ""
	}
	x.out = append(x.out, text...)
}

// event reads which line is meant.
func (x *histExpander) event() (text string, explicit bool) {
	n := -1
	c := x.src[x.pos]
	switch {
	case c == '!':
		x.pos++
		n = x.last()
	case c == '#':
		x.pos++
		return string(x.out), true
	case c == '$' || c == '^' || c == '*' || c == ':':
		n = x.last()
		if n >= 0 {
			return x.h.list[n].text, false
		}
	case isDigit(c) || c == '-' && x.pos+1 < len(x.src) && isDigit(x.src[x.pos+1]):
		k := x.pos + 1
		for k < len(x.src) && isDigit(x.src[k]) {
			k++
		}
		v, ok := canonicalInt(trimZeros(strings.TrimPrefix(x.src[x.pos:k], "-")))
		x.pos = k
		switch {
		case !ok || v > 1<<30:
		case c == '-':
			if i := len(x.h.list) - int(v); v > 0 && i >= 0 {
				n = i
			}
		default:
			n = x.h.find(int(v))
		}
	case c == '?':
		s, rest, closed := strings.Cut(x.src[x.pos+1:], "?")
		x.pos = len(x.src) - len(rest)
		if !closed {
			s = strings.TrimSuffix(s, "\n")
			x.pos = len(x.src)
		}
		for i := x.last(); i >= 0 && n < 0; i-- {
			if strings.Contains(x.h.list[i].text, s) {
				n = i
			}
		}
	default:
		k := x.pos
		for k < len(x.src) && strings.IndexByte(" \t\n:;&|()<>\"'", x.src[k]) < 0 && !(k > x.pos && strings.IndexByte("^$*-%", x.src[k]) >= 0) {
			k++
		}
		s := x.src[x.pos:k]
		x.pos = k
		for i := x.last(); i >= 0 && n < 0 && s != ""; i-- {
			if strings.HasPrefix(x.h.list[i].text, s) {
				n = i
			}
		}
	}
	if n < 0 {
		x.fail("event")
		return "", true
	}
	return x.h.list[n].text, true
}

// words applies a word designator.
func (x *histExpander) words(text string, explicit bool) (string, bool) {
	s := x.src[x.pos:]
	switch {
	case s == "":
		return text, true
	case s[0] == ':' && len(s) > 1 && (isDigit(s[1]) || strings.IndexByte("^$*-%", s[1]) >= 0):
		x.pos++
	case strings.IndexByte("^$*-%", s[0]) >= 0 && (s[0] != '-' || explicit && len(s) > 1 && isDigit(s[1])):
	default:
		return text, true
	}
	w := historyWords(text)
	last := len(w) - 1
	number := func() (int, bool) {
		if x.pos >= len(x.src) {
			return 0, false
		}
		switch c := x.src[x.pos]; {
		case c == '^':
			x.pos++
			return 1, true
		case c == '$':
			x.pos++
			return last, true
		case isDigit(c):
			n := 0
			for x.pos < len(x.src) && isDigit(x.src[x.pos]) {
				n = min(n*10+int(x.src[x.pos]-'0'), 1<<20)
				x.pos++
			}
			return n, true
		}
		return 0, false
	}
	if x.src[x.pos] == '*' {
		x.pos++
		if last < 1 {
			return "", true
		}
		return strings.Join(w[1:], " "), true
	}
	a, ok := number()
	b := a
	if x.pos < len(x.src) {
		switch x.src[x.pos] {
		case '*':
			x.pos++
			if a == last+1 {
				return "", true
			}
			b = last
		case '-':
			x.pos++
			var given bool
			if b, given = number(); !given {
				b = last - 1
			}
			ok = true
		}
	}
	if !ok || a < 0 || a > b || b > last {
		return "", false
	}
	return strings.Join(w[a:b+1], " "), true
}

// modify applies the modifier that begins with a colon here.
func (x *histExpander) modify(text string) string {
	if x.pos+1 >= len(x.src) {
		x.fail("stop")
		return text
	}
	all := false
	c := x.src[x.pos+1]
	x.pos += 2
	if (c == 'g' || c == 'a') && x.pos < len(x.src) {
		all = true
		c = x.src[x.pos]
		x.pos++
	}
	switch c {
	case 'h':
		if i := strings.LastIndexByte(text, '/'); i > 0 {
			text = text[:i]
		} else if i == 0 {
			text = "/"
		}
	case 't':
		text = text[strings.LastIndexByte(text, '/')+1:]
	case 'r':
		if i := strings.LastIndexByte(text, '.'); i > 0 {
			text = text[:i]
		}
	case 'e':
		if i := strings.LastIndexByte(text, '.'); i >= 0 {
			text = text[i:]
		}
	case 'p':
		x.print = true
	case 'q':
		text = inSingle(text)
	case 'x':
		w := historyWords(text)
		for i := range w {
			w[i] = inSingle(w[i])
		}
		text = strings.Join(w, " ")
	case 's', '&':
		if c == 's' {
			if x.pos >= len(x.src) {
				x.fail(":s: substitution failed")
				return text
			}
			d := x.src[x.pos]
			part := func() string {
				var b []byte
				for x.pos++; x.pos < len(x.src) && x.src[x.pos] != d; x.pos++ {
					if x.src[x.pos] == '\\' && x.pos+1 < len(x.src) && x.src[x.pos+1] == d {
						x.pos++
					}
					b = append(b, x.src[x.pos])
				}
				return string(b)
			}
			if f := part(); f != "" {
				x.from = f
			}
			x.to = part()
			if x.pos < len(x.src) {
				x.pos++
			}
		}
		if x.from == "" || !strings.Contains(text, x.from) {
			x.fail(":s/" + x.from + "/" + x.to + "/: substitution failed")
			return text
		}
		n := 1
		if all {
			n = -1
		}
		if text = strings.Replace(text, x.from, x.with(x.to, x.from), n); len(text) > maxHistoryText {
			x.fail("history expansion too long")
		}
	default:
		x.pos -= 2
		x.fail(x.src[x.pos:] + ": unrecognized history modifier")
	}
	return text
}

// with returns the replacement of a substitution, in which & is what it
// replaces.
func (x *histExpander) with(to, from string) string {
	var b strings.Builder
	for i := 0; i < len(to); i++ {
		switch {
		case to[i] == '\\' && i+1 < len(to) && to[i+1] == '&':
			i++
			b.WriteByte('&')
		case to[i] == '&':
			b.WriteString(from)
		default:
			b.WriteByte(to[i])
		}
	}
	return b.String()
}

// historyWords splits a line into the shell's words and operators.
func historyWords(s string) []string {
	var w []string
	for i := 0; i < len(s); {
		switch {
		case strings.IndexByte(" \t\n", s[i]) >= 0:
			i++
			continue
		case strings.IndexByte(";&|()<>", s[i]) >= 0:
			k := i + 1
			if k < len(s) && (s[k] == s[i] || s[i] == '<' && s[k] == '&' || s[i] == '>' && strings.IndexByte("&|", s[k]) >= 0 || s[i] == '&' && s[k] == '>') {
				k++
			}
			w = append(w, s[i:k])
			i = k
			continue
		}
		k := i
		quote := byte(0)
		for k < len(s) {
			c := s[k]
			if c == '\\' && quote != '\'' && k+1 < len(s) {
				k += 2
				continue
			}
			switch {
			case quote != 0:
				if c == quote {
					quote = 0
				}
			case c == '\'' || c == '"' || c == '`':
				quote = c
			}
			if quote == 0 && strings.IndexByte(" \t\n;&|()<>", c) >= 0 {
				break
			}
			k++
		}
		w = append(w, s[i:k])
		i = k
	}
	return w
}
