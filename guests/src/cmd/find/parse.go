// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package find

import (
	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/guests/src/cmdkit"
	"github.com/wsandbox/wsandbox/guests/src/datetime"
	"github.com/wsandbox/wsandbox/guests/src/fswalk"
	"github.com/wsandbox/wsandbox/guests/src/posixre"
	"github.com/wsandbox/wsandbox/guests/src/wsys"
)

// A pred is a test or an action.
type pred func(f *finder, e *fswalk.Entry) bool

type parser struct {
	f         *finder
	args      []string
	pos       int
	depth     int
	action    bool // an action was met, so that nothing is printed by default
	regextype string
	failed    bool
	del       bool
	prune     bool
	last      string
	selective bool // a test of the name was met, behind which few files are left
}

// needStat tells that the predicate being parsed describes files. Where most
// files come to it, the walk had better ask for all of a directory at once.
func (p *parser) needStat() {
	if !p.selective {
		p.f.walk.Stat = true
	}
}

// maxNesting bounds parentheses.
const maxNesting = 1000

// parse reads the expression and returns it with the default action.
func (f *finder) parse(args []string) (pred, bool) {
	p := &parser{f: f, args: args, regextype: "findutils-default"}
	p.options()
	if p.failed {
		return nil, false
	}
	var e pred
	if len(args) == 0 {
		return f.printer(f.p.Stdout, '\n'), true
	}
	if e = p.comma(); p.failed {
		return nil, false
	}
	if p.pos < len(p.args) {
		if p.args[p.pos] == ")" {
			p.fail("you have too many ')'")
		} else {
			p.fail("invalid expression; I was expecting to find a ')' somewhere but did not see one.")
		}
		return nil, false
	}
	if p.del && p.prune && !f.depthExplicit(args) {
		p.fail("The -delete action automatically turns on -depth, but -prune does nothing when -depth is in effect.  If you want to carry on anyway, just explicitly use the -depth option.")
		return nil, false
	}
	if !p.action {
		show := f.printer(f.p.Stdout, '\n')
		cond := e
		e = func(f *finder, en *fswalk.Entry) bool { return cond(f, en) && !f.quit && show(f, en) }
	}
	return e, true
}

func (f *finder) depthExplicit(args []string) bool {
	for _, a := range args {
		if a == "-depth" || a == "-d" {
			return true
		}
	}
	return false
}

func (p *parser) fail(parts ...string) pred {
	if !p.failed {
		p.failed = true
		p.f.p.Warn(parts...)
	}
	return nil
}

// old quotes a word as messages about the expression do.
func old(s string) string { return "`" + s + "'" }

// options takes the effects of what counts wherever it stands.
func (p *parser) options() {
	for i, a := range p.args {
		switch a {
		case "-depth", "-d":
			p.f.depthFirst = true
		case "-delete":
			p.f.depthFirst, p.del = true, true
		case "-follow":
			p.f.walk.Follow = fswalk.FollowAll
		case "-mount", "-xdev":
			p.f.walk.OneDev = true
		case "-exec", "-execdir", "-ok", "-okdir":
			// What a command's arguments say does not count.
			for i < len(p.args) && p.args[i] != ";" && p.args[i] != "+" {
				if p.args[i] == "-delete" || p.args[i] == "-depth" || p.args[i] == "-d" || p.args[i] == "-follow" || p.args[i] == "-xdev" || p.args[i] == "-mount" {
					p.reset()
					return
				}
				i++
			}
		}
	}
}

// reset does what options does where a command has arguments that look like
// options: it skips over commands.
func (p *parser) reset() {
	f := p.f
	f.depthFirst, f.walk.OneDev, p.del = false, false, false
	for i := 0; i < len(p.args); i++ {
		switch p.args[i] {
		case "-depth", "-d":
			f.depthFirst = true
		case "-delete":
			f.depthFirst, p.del = true, true
		case "-mount", "-xdev":
			f.walk.OneDev = true
		case "-exec", "-execdir", "-ok", "-okdir":
			for i < len(p.args) && p.args[i] != ";" && !(p.args[i] == "+" && p.args[i-1] == "{}") {
				i++
			}
		}
	}
}

func (p *parser) comma() pred {
	l := p.or()
	for !p.failed && p.is(",") {
		p.pos++
		if p.end() {
			return p.fail("invalid expression; you have used a binary operator ',' with nothing after it.")
		}
		a, r := l, p.or()
		l = func(f *finder, e *fswalk.Entry) bool {
			a(f, e)
			return r(f, e)
		}
	}
	return l
}

func (p *parser) is(a string) bool { return p.pos < len(p.args) && p.args[p.pos] == a }
func (p *parser) end() bool        { return p.pos >= len(p.args) }

func (p *parser) or() pred {
	l := p.and()
	for !p.failed && (p.is("-o") || p.is("-or")) {
		op := p.args[p.pos]
		p.pos++
		if p.end() || p.is(")") {
			return p.fail("expected an expression after ", cmdkit.Quote(op))
		}
		p.selective = false
		a, r := l, p.and()
		l = func(f *finder, e *fswalk.Entry) bool { return a(f, e) || !f.quit && r(f, e) }
	}
	return l
}

func (p *parser) and() pred {
	l := p.not()
	for !p.failed && !p.end() {
		switch p.args[p.pos] {
		case "-a", "-and":
			op := p.args[p.pos]
			p.pos++
			if p.end() || p.is(")") {
				return p.fail("expected an expression after ", cmdkit.Quote(op))
			}
		case "-o", "-or", ",", ")":
			return l
		}
		a, r := l, p.not()
		l = func(f *finder, e *fswalk.Entry) bool { return a(f, e) && !f.quit && r(f, e) }
	}
	return l
}

func (p *parser) not() pred {
	neg := false
	op := ""
	for p.is("!") || p.is("-not") {
		neg = !neg
		op = p.args[p.pos]
		p.pos++
	}
	if p.end() {
		if op != "" {
			return p.fail("expected an expression after ", cmdkit.Quote(op))
		}
		return p.fail("invalid expression")
	}
	e := p.primary()
	if p.failed || !neg {
		return e
	}
	return func(f *finder, en *fswalk.Entry) bool { return !e(f, en) }
}

func (p *parser) primary() pred {
	a := p.args[p.pos]
	switch a {
	case "(":
		p.pos++
		if p.depth++; p.depth > maxNesting {
			return p.fail("invalid expression; it is nested too deeply")
		}
		if p.end() {
			return p.fail("invalid expression; expected to find a ')' but didn't see one. Perhaps you need an extra predicate after '('")
		}
		if p.is(")") {
			return p.fail("invalid expression; empty parentheses are not allowed.")
		}
		e := p.comma()
		if p.failed {
			return nil
		}
		if !p.is(")") {
			return p.fail("invalid expression; I was expecting to find a ')' somewhere but did not see one.")
		}
		p.pos++
		p.depth--
		return e
	case ")":
		return p.fail("invalid expression; you have too many ')'")
	case "-a", "-and", "-o", "-or", ",":
		return p.fail("invalid expression; you have used a binary operator '", a, "' with nothing before it.")
	}
	if a == "" || a[0] != '-' || len(a) < 2 {
		p.fail("paths must precede expression: ", old(a))
		if p.last != "" {
			if _, err := wsys.StatAt(cwd, a, false); err == nil {
				p.f.p.Warn("possible unquoted pattern after predicate ", old(p.last), "?")
			}
		}
		return nil
	}
	p.pos++
	p.last = a
	return p.predicate(a)
}

// arg returns the argument of the predicate name.
func (p *parser) arg(name string) (string, bool) {
	if p.end() {
		p.fail("missing argument to ", old(name))
		return "", false
	}
	a := p.args[p.pos]
	p.pos++
	return a, true
}

func always(*finder, *fswalk.Entry) bool { return true }

func (p *parser) predicate(name string) pred {
	f := p.f
	switch name {
	case "-true", "-depth", "-d", "-follow", "-mount", "-xdev", "-noleaf", "-warn", "-nowarn", "-ignore_readdir_race", "-noignore_readdir_race":
		return always
	case "-false":
		return func(*finder, *fswalk.Entry) bool { return false }
	case "-daystart":
		c := datetime.In(floorSec(f.now), f.loadZone())
		f.dayStart = (floorSec(f.now) - int64(c.Hour*3600+c.Min*60+c.Sec)) * 1e9
		return always
	case "-maxdepth", "-mindepth":
		a, ok := p.arg(name)
		if !ok {
			return nil
		}
		v, e := cmdkit.ParseUint(a, "")
		if e != cmdkit.NumOK || v > 1<<30 || a[0] < '0' || a[0] > '9' {
			return p.fail("Expected a positive decimal integer argument to ", name, ", but got ", cmdkit.Quote(a))
		}
		if name == "-maxdepth" {
			f.maxDepth = int(v)
		} else {
			f.minDepth = int(v)
		}
		return always
	case "-regextype":
		a, ok := p.arg(name)
		if !ok {
			return nil
		}
		if _, _, ok := regexFlags(a); !ok {
			return p.fail("Unknown regular expression type ", cmdkit.Quote(a), "; valid types are 'findutils-default', 'ed', 'emacs', 'gnu-awk', 'grep', 'posix-awk', 'awk', 'posix-basic', 'posix-egrep', 'egrep', 'posix-extended', 'posix-minimal-basic', 'sed'.")
		}
		p.regextype = a
		return always
	case "-print":
		p.action = true
		return f.printer(f.p.Stdout, '\n')
	case "-print0":
		p.action = true
		return f.printer(f.p.Stdout, 0)
	case "-fprint", "-fprint0", "-fls":
		a, ok := p.arg(name)
		if !ok {
			return nil
		}
		p.action = true
		w, ok := f.output(a)
		if !ok {
			p.failed = true
			return nil
		}
		switch name {
		case "-fprint":
			return f.printer(w, '\n')
		case "-fprint0":
			return f.printer(w, 0)
		}
		p.needStat()
		return f.lister(w)
	case "-printf", "-fprintf":
		w := f.p.Stdout
		if name == "-fprintf" {
			a, ok := p.arg(name)
			if !ok {
				return nil
			}
			if w, ok = f.output(a); !ok {
				p.failed = true
				return nil
			}
		}
		a, ok := p.arg(name)
		if !ok {
			return nil
		}
		p.action = true
		return p.printf(w, a)
	case "-ls":
		p.action = true
		p.needStat()
		return f.lister(f.p.Stdout)
	case "-prune":
		p.prune = true
		return func(f *finder, _ *fswalk.Entry) bool {
			f.pruned = true
			return true
		}
	case "-quit":
		return func(f *finder, _ *fswalk.Entry) bool {
			f.quit = true
			return true
		}
	case "-delete":
		p.action = true
		return (*finder).remove
	case "-exec", "-execdir", "-ok", "-okdir":
		p.action = true
		return p.exec(name)
	}
	return p.test(name)
}

// regexFlags returns how patterns of a type are compiled, and whether they are
// written as Emacs does.
func regexFlags(name string) (flags posixre.Flags, emacs, ok bool) {
	switch name {
	case "findutils-default", "emacs":
		return posixre.Extended | posixre.Lenient | posixre.Newline, true, true
	case "posix-basic", "posix-minimal-basic", "ed", "sed", "grep":
		return 0, false, true
	case "posix-extended", "posix-egrep", "egrep":
		return posixre.Extended | posixre.Lenient, false, true
	case "awk", "posix-awk", "gnu-awk":
		return posixre.Extended | posixre.ListEscapes | posixre.NoBackrefs | posixre.ParenLiteral, false, true
	}
	return 0, false, false
}

// fromEmacs rewrites a pattern of Emacs, where groups and alternatives need a
// backslash and braces are ordinary, as an extended one.
func fromEmacs(s string) string {
	b := make([]byte, 0, len(s)+8)
	for i := 0; i < len(s); i++ {
		switch c := s[i]; c {
		case '(', ')', '|', '{', '}':
			b = append(b, '\\', c)
		case '\\':
			if i+1 == len(s) {
				b = append(b, c)
				break
			}
			i++
			switch s[i] {
			case '(', ')', '|':
				b = append(b, s[i])
			default:
				b = append(b, c, s[i])
			}
		case '[':
			k := i + 1
			if k < len(s) && s[k] == '^' {
				k++
			}
			if k < len(s) && s[k] == ']' {
				k++
			}
			for k < len(s) && s[k] != ']' {
				if s[k] == '[' && k+1 < len(s) && (s[k+1] == ':' || s[k+1] == '.' || s[k+1] == '=') {
					d := s[k+1]
					m := k + 2
					for m+1 < len(s) && !(s[m] == d && s[m+1] == ']') {
						m++
					}
					if m+1 < len(s) {
						k = m + 1
					}
				}
				k++
			}
			b = append(b, s[i:min(k+1, len(s))]...)
			i = k
		default:
			b = append(b, c)
		}
	}
	return string(b)
}

func (f *finder) loadZone() *datetime.Zone {
	if f.zone == nil {
		tz, set := f.p.LookupEnv("TZ")
		f.zone = datetime.Load(tz, set)
	}
	return f.zone
}

func floorSec(ns int64) int64 {
	s := ns / 1e9
	if ns%1e9 < 0 {
		s--
	}
	return s
}

// remove is -delete.
func (f *finder) remove(e *fswalk.Entry) bool {
	if e.Depth == 0 && (e.Name == "." || e.Name == "./") {
		return true
	}
	var err error
	if e.Mode.IsDir() {
		if err = wsys.Rmdir(e.Dir, e.Name); err == abi.ENOTDIR {
			err = wsys.Unlink(e.Dir, e.Name)
		}
	} else {
		err = wsys.Unlink(e.Dir, e.Name)
	}
	if err != nil {
		f.status = f.p.Errno(err, "cannot delete ", quote(e.Path()))
		return false
	}
	return true
}
