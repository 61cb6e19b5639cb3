// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package interp

import (
	"math"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/wsandbox/wsandbox/guests/src/awk/syntax"
	"github.com/wsandbox/wsandbox/guests/src/cmdkit"
	"github.com/wsandbox/wsandbox/guests/src/wsys"
)

// numCall is a built-in function that gives a number.
type numCall struct {
	f    func(in *interp, a []expr) float64
	args []expr
}

func (x *numCall) num(in *interp) float64 { return x.f(in, x.args) }
func (x *numCall) run(in *interp)         { x.f(in, x.args) }

// textCall is a built-in function that gives a string.
type textCall struct {
	f    func(in *interp, a []expr) string
	args []expr
}

func (x *textCall) str(in *interp) string { return x.f(in, x.args) }
func (x *textCall) run(in *interp)        { x.f(in, x.args) }

func (c *compiler) builtin(x *syntax.BuiltinCall) (expr, class) {
	in := c.in
	in.pos = x.Pos
	number := func(f func(in *interp, a []expr) float64) (expr, class) {
		return &numeric{&numCall{f, c.values(x.Args)}}, isNumber
	}
	text := func(f func(in *interp, a []expr) string) (expr, class) {
		return &textual{&textCall{f, c.values(x.Args)}}, isString
	}
	math1 := func(f func(float64) float64) (expr, class) {
		return &numeric{&mathCall{f, c.value(x.Args[0]), x.Fn}}, isNumber
	}
	arg := func(i int) expr {
		if i < len(x.Args) {
			return c.value(x.Args[i])
		}
		return nil
	}
	switch x.Fn {
	case syntax.FnSin:
		return math1(math.Sin)
	case syntax.FnCos:
		return math1(math.Cos)
	case syntax.FnExp:
		return math1(math.Exp)
	case syntax.FnLog:
		return math1(math.Log)
	case syntax.FnSqrt:
		return math1(math.Sqrt)
	case syntax.FnInt:
		return &numeric{&truncate{c.number(x.Args[0])}}, isNumber
	case syntax.FnAtan2:
		return number(func(in *interp, a []expr) float64 {
			y := a[0].num(in)
			return math.Atan2(y, a[1].num(in))
		})
	case syntax.FnRand:
		return number(func(in *interp, a []expr) float64 { return in.rand() })
	case syntax.FnSrand:
		return number(srand)
	case syntax.FnLength:
		if len(x.Args) == 0 {
			return &numeric{&length{&constField{0}}}, isNumber
		}
		switch a := x.Args[0].(type) {
		case *syntax.Var:
			if a.Sym.Kind == syntax.Array {
				return &numeric{&arrayLength{c.array(a)}}, isNumber
			}
		case *syntax.Index:
			return &numeric{&elementLength{*c.element(a)}}, isNumber
		}
		return &numeric{&length{c.text(x.Args[0])}}, isNumber
	case syntax.FnIndex:
		return number(index)
	case syntax.FnSubstr:
		return &textual{&substring{arg(0), arg(1), arg(2)}}, isString
	case syntax.FnTolower:
		return text(func(in *interp, a []expr) string { return in.toLower(a[0].str(in)) })
	case syntax.FnToupper:
		return text(func(in *interp, a []expr) string { return in.toUpper(a[0].str(in)) })
	case syntax.FnSprintf:
		return &textual{&formatCall{format: arg(0), args: c.values(x.Args[1:])}}, isString
	case syntax.FnSub, syntax.FnGsub:
		n := &substitution{all: x.Fn == syntax.FnGsub, re: c.pattern(x.Args[0]), with: arg(1)}
		switch {
		case len(x.Args) < 3:
			n.l = &constField{0}
		default:
			switch x.Args[2].(type) {
			case *syntax.Var, *syntax.Index, *syntax.Field:
				n.v, n.l = c.place(x.Args[2])
			default:
				n.x = arg(2) // what is changed is lost
			}
		}
		return &numeric{n}, isNumber
	case syntax.FnGensub:
		n := &gensub{re: c.pattern(x.Args[0]), with: arg(1), how: arg(2), s: arg(3)}
		if n.s == nil {
			n.s = &constField{0}
		}
		return &textual{n}, isString
	case syntax.FnMatch:
		n := &matchCall{s: arg(0), re: c.pattern(x.Args[1])}
		if len(x.Args) > 2 {
			n.a = c.array(x.Args[2])
		}
		return &numeric{n}, isNumber
	case syntax.FnSplit, syntax.FnPatsplit:
		n := &split{s: arg(0), a: c.array(x.Args[1]), fields: x.Fn == syntax.FnPatsplit}
		if len(x.Args) > 2 {
			switch a := x.Args[2].(type) {
			case *syntax.Regex:
				if n.re = c.regex(a.Src); a.Src == "" && !n.fields {
					n.re, n.sep = nil, &constStr{""}
				}
			default:
				n.sep = c.value(a)
			}
		}
		if len(x.Args) > 3 {
			n.seps = c.array(x.Args[3])
		}
		return &numeric{n}, isNumber
	case syntax.FnAsort, syntax.FnAsorti:
		n := &arraySort{a: c.array(x.Args[0]), keys: x.Fn == syntax.FnAsorti, name: x.Fn.String()}
		if len(x.Args) > 1 {
			n.to = c.array(x.Args[1])
		}
		if len(x.Args) > 2 {
			n.how = arg(2)
		}
		return &numeric{n}, isNumber
	case syntax.FnAnd, syntax.FnOr, syntax.FnXor, syntax.FnLshift, syntax.FnRshift, syntax.FnCompl:
		return &numeric{&bitwise{x.Fn, c.values(x.Args)}}, isNumber
	case syntax.FnStrtonum:
		return number(strtonum)
	case syntax.FnSystem:
		return number(func(in *interp, a []expr) float64 { return in.system(a[0].str(in)) })
	case syntax.FnClose:
		return number(func(in *interp, a []expr) float64 {
			name, how := a[0].str(in), ""
			if len(a) > 1 {
				how = a[1].str(in)
			}
			return in.close(name, how)
		})
	case syntax.FnFflush:
		return number(fflush)
	case syntax.FnSystime:
		return number(func(in *interp, a []expr) float64 { return math.Floor(float64(wsys.Now() / 1e9)) })
	case syntax.FnMktime:
		return number(mktime)
	case syntax.FnStrftime:
		return text(strftime)
	case syntax.FnIsarray:
		switch a := x.Args[0].(type) {
		case *syntax.Var:
			if a.Sym.Kind == syntax.Array {
				return c.constant(1), isNumber
			}
		case *syntax.Index:
			e := c.element(a)
			return &logical{&isArray{e}}, isNumber
		}
		return c.constant(0), isNumber
	case syntax.FnTypeof:
		switch a := x.Args[0].(type) {
		case *syntax.Var:
			if a.Sym.Kind == syntax.Array {
				return &constStr{"array"}, isString
			}
		case *syntax.Index:
			return &textual{&typeOf{&rawElement{*c.element(a)}}}, isString
		case *syntax.Regex:
			return &constStr{"number"}, isString
		}
		return &textual{&typeOf{arg(0)}}, isString
	}
	in.fatal("function `" + x.Fn.String() + "' not known")
	return nil, mixed
}

// formatCall is the function sprintf.
type formatCall struct {
	f      formatter
	format expr
	args   []expr
}

func (x *formatCall) str(in *interp) string {
	f := x.format.str(in)
	start := len(in.buf)
	x.f.format(in, f, x.args)
	in.roomFor(len(in.buf) - start)
	s := in.newText(in.buf[start:])
	in.buf = in.buf[:start]
	return s
}

// mathCall is a function of one number.
type mathCall struct {
	f  func(float64) float64
	x  expr
	fn syntax.Func
}

func (x *mathCall) num(in *interp) float64 {
	n := x.x.num(in)
	switch x.fn {
	case syntax.FnLog, syntax.FnSqrt:
		if n < 0 {
			in.warnAt(x.fn.String() + ": received negative argument " + in.numText(n))
			return math.Copysign(math.NaN(), -1)
		}
	case syntax.FnExp:
		if n > 709.78271289338397 {
			in.warnAt("exp: argument " + in.numText(n) + " is out of range")
		}
	}
	return x.f(n)
}

type truncate struct{ x numberer }

func (x *truncate) num(in *interp) float64 { return math.Trunc(x.x.num(in)) }

// srand sets the seed, the time by default, and returns the one before.
func srand(in *interp, a []expr) float64 {
	old := in.seed
	if len(a) > 0 {
		in.seed = a[0].num(in)
	} else {
		in.seed = float64(wsys.Now() / 1e9)
	}
	in.random = nil
	return old
}

// chars returns how many characters s has.
func (in *interp) chars(s string) int {
	if !in.utf8 || ascii(s) {
		return len(s)
	}
	if len(s) > wsys.Worth && wsys.ValidUTF8(bytesOf(s)) == len(s) {
		n := 0
		for i := 0; i < len(s); i++ {
			if s[i]&0xc0 != 0x80 {
				n++
			}
		}
		return n
	}
	return utf8.RuneCountInString(s)
}

type length struct{ x texter }

func (x *length) num(in *interp) float64 { return float64(in.chars(x.x.str(in))) }

type arrayLength struct{ a arrayRef }

func (x *arrayLength) num(in *interp) float64 { return float64(x.a.array(in).live) }

type elementLength struct{ e element }

func (x *elementLength) num(in *interp) float64 {
	a := x.e.a.array(in)
	k := x.e.key.key(in)
	v := a.cell(in, k, false)
	if v.k == kArray {
		return float64(a.subs[k].live)
	}
	return float64(in.chars(in.text(v)))
}

type isArray struct{ e *element }

func (x *isArray) cond(in *interp) bool {
	a := x.e.a.array(in)
	v := a.get(x.e.key.key(in))
	return v != nil && v.k == kArray
}

// rawElement is an element that may be an array.
type rawElement struct{ element }

func (x *rawElement) val(in *interp) value {
	a := x.a.array(in)
	if v := a.get(x.key.key(in)); v != nil {
		return *v
	}
	return value{}
}

type typeOf struct{ x expr }

func (x *typeOf) str(in *interp) string {
	i := -1
	switch f := x.x.(type) {
	case *constField:
		i = f.i
	case *field:
		i = f.index(in)
	}
	if i > 0 && i > in.fieldCount() {
		return "unassigned"
	}
	v := x.x.val(in)
	v.resolve()
	switch v.k {
	case kUninit:
		return "untyped"
	case kNum:
		return "number"
	case kNumText:
		return "strnum"
	case kArray:
		return "array"
	}
	return "string"
}

// index is the function index.
func index(in *interp, a []expr) float64 {
	s := a[0].str(in)
	t := a[1].str(in)
	var i int
	if in.ignoreCase {
		s, t = in.toLower(s), in.toLower(t)
	}
	if len(s) > wsys.Worth && t != "" {
		i = wsys.Index(bytesOf(s), bytesOf(t))
	} else {
		i = strings.Index(s, t)
	}
	if i < 0 {
		return 0
	}
	return float64(in.chars(s[:i]) + 1)
}

// substring is the function substr.
type substring struct{ s, from, n expr }

func (x *substring) str(in *interp) string {
	s := x.s.str(in)
	from := math.Trunc(x.from.num(in))
	n := math.Inf(1)
	if x.n != nil {
		n = x.n.num(in)
		n = math.Trunc(n)
	}
	if from < 1 {
		from = 1
	}
	if !(n > 0) || !(from <= float64(len(s))) {
		return ""
	}
	i := int(from) - 1
	if !in.utf8 || ascii(s) {
		if n >= float64(len(s)-i) {
			return s[i:]
		}
		return s[i : i+int(n)]
	}
	start := skipChars(s, i)
	if n >= float64(len(s)) {
		return s[start:]
	}
	return s[start : start+skipChars(s[start:], int(n))]
}

// skipChars returns where the n-th character of s begins, from 0 on.
func skipChars(s string, n int) int {
	i := 0
	for ; n > 0 && i < len(s); n-- {
		if s[i] < utf8.RuneSelf {
			i++
		} else {
			_, w := utf8.DecodeRuneInString(s[i:])
			i += w
		}
	}
	return i
}

func (in *interp) toLower(s string) string { return in.mapCase(s, 'A', unicode.ToLower) }
func (in *interp) toUpper(s string) string { return in.mapCase(s, 'a', unicode.ToUpper) }

// mapCase changes the case of s: ASCII letters from first on, and others where
// text is UTF-8.
func (in *interp) mapCase(s string, first byte, f func(rune) rune) string {
	i := 0
	for i < len(s) && s[i]-first >= 26 && (s[i] < utf8.RuneSelf || !in.utf8) {
		i++
	}
	if i == len(s) {
		return s
	}
	b := append(make([]byte, 0, len(s)), s[:i]...)
	for i < len(s) {
		c := s[i]
		switch {
		case c-first < 26:
			b = append(b, c^0x20)
		case c < utf8.RuneSelf || !in.utf8:
			b = append(b, c)
		default:
			r, n := utf8.DecodeRuneInString(s[i:])
			if r == utf8.RuneError && n == 1 {
				b = append(b, c)
			} else {
				b = utf8.AppendRune(b, f(r))
			}
			i += n - 1
		}
		i++
	}
	return textOf(b)
}

// substitution is sub and gsub.
type substitution struct {
	all  bool
	re   *pattern
	with expr
	v    holder // where the text is
	l    lvalue
	x    expr // or just a text
	r    replacement
}

func (x *substitution) num(in *interp) float64 {
	re := x.re.get(in)
	x.r.set(x.with.str(in))
	var s string
	var c *value
	var l lvalue
	switch {
	case x.v != nil:
		c = x.v.cell(in)
		in.holdsNum(c)
		s = in.text(c)
	case x.l != nil:
		l = in.located(x.l)
		s = l.str(in)
	default:
		s = x.x.str(in)
	}
	n, start := in.substitute(re, &x.r, s, x.all)
	if n == 0 {
		return 0
	}
	var t string
	if _, ok := x.v.(*element); ok {
		t = string(in.buf[start:]) // to be kept
	} else {
		t = in.newText(in.buf[start:])
	}
	in.buf = in.buf[:start]
	switch {
	case c != nil:
		*c = strValue(t)
	case l != nil:
		l.set(in, strValue(t))
	}
	return float64(n)
}
func (x *substitution) run(in *interp) { x.num(in) }

// gensub is the function gensub.
type gensub struct {
	re           *pattern
	with, how, s expr
}

func (x *gensub) str(in *interp) string {
	re := x.re.get(in)
	with := x.with.str(in)
	how := x.how.val(in)
	which := 1
	if t := in.text(&how); t != "" && t[0]|0x20 == 'g' {
		which = 0
	} else if n := how.num(); n >= 1 {
		which = int(min(n, math.MaxInt32))
	} else {
		in.warnAt("gensub: third argument `" + t + "' treated as 1")
	}
	s := x.s.str(in)
	b := bytesOf(s)
	start := len(in.buf)
	if need := 2 * (re.NumSubexp() + 1); len(in.loc) < need {
		in.loc = make([]int, need)
	}
	loc := in.loc[:2*(re.NumSubexp()+1)]
	from, last, n := 0, -1, 0
	for pos := 0; pos <= len(b); {
		ok, err := re.Find(b, pos, 0, loc)
		if err != nil {
			in.fatal(err.Error())
		}
		if !ok {
			break
		}
		empty := loc[0] == loc[1]
		if !empty || loc[0] != last {
			n++
			if which == 0 || n == which {
				in.buf = append(in.buf, b[from:loc[0]]...)
				for i := 0; i < len(with); i++ {
					c := with[i]
					group := -1
					if c == '&' {
						group = 0
					} else if c == '\\' && i+1 < len(with) {
						i++
						if c = with[i]; c >= '0' && c <= '9' {
							group = int(c - '0')
						} else if c != '&' && c != '\\' {
							in.buf = append(in.buf, '\\')
						}
					}
					switch {
					case group < 0:
						in.buf = append(in.buf, c)
					case 2*group < len(loc) && loc[2*group] >= 0:
						in.buf = append(in.buf, b[loc[2*group]:loc[2*group+1]]...)
					}
				}
				in.roomFor(len(in.buf) - start)
				from = loc[1]
				if which != 0 {
					break
				}
			}
			last = loc[1]
		}
		pos = loc[1]
		if empty {
			if pos < len(b) {
				pos += in.charLen(s, pos)
			} else {
				pos++
			}
		}
	}
	in.buf = append(in.buf, b[from:]...)
	t := in.newText(in.buf[start:])
	in.buf = in.buf[:start]
	return t
}

// matchCall is the function match.
type matchCall struct {
	s  expr
	re *pattern
	a  arrayRef
}

func (x *matchCall) run(in *interp) { x.num(in) }
func (x *matchCall) num(in *interp) float64 {
	s := x.s.str(in)
	re := x.re.get(in)
	if need := 2 * (re.NumSubexp() + 1); len(in.loc) < need {
		in.loc = make([]int, need)
	}
	loc := in.loc[:2]
	if x.a != nil {
		loc = in.loc[:2*(re.NumSubexp()+1)]
	}
	ok, err := re.Find(bytesOf(s), 0, 0, loc)
	if err != nil {
		in.fatal(err.Error())
	}
	if x.a != nil {
		x.a.array(in).clear()
	}
	start, n := 0.0, -1.0
	if ok {
		start, n = float64(in.chars(s[:loc[0]])+1), float64(in.chars(s[loc[0]:loc[1]]))
		if x.a != nil {
			a := x.a.array(in)
			for g := 0; 2*g < len(loc); g++ {
				if loc[2*g] < 0 {
					continue
				}
				t := s[loc[2*g]:loc[2*g+1]]
				a.put(in, g, inputValue(strings.Clone(t)))
				k := itoa(g) + in.subsep
				*a.cell(in, k+"start", true) = numValue(float64(in.chars(s[:loc[2*g]]) + 1))
				*a.cell(in, k+"length", true) = numValue(float64(in.chars(t)))
			}
		}
	}
	in.special[syntax.RSTART] = numValue(start)
	in.special[syntax.RLENGTH] = numValue(n)
	return start
}

// split is split and patsplit.
type split struct {
	s      expr
	a      arrayRef
	sep    expr
	re     *regex
	seps   arrayRef
	fields bool

	last string // value of sep that re and mode are for
	mode splitMode
	dyn  regex
}

func (x *split) run(in *interp) { x.num(in) }
func (x *split) num(in *interp) float64 {
	s := x.s.str(in)
	mode, re := in.split, &in.fsRegex
	switch {
	case x.re != nil:
		mode, re = splitRegex, x.re
		if x.fields {
			mode = splitFields
		}
	case x.fields:
		mode, re = splitFields, &in.fpat
		if x.sep != nil {
			if t := x.sep.str(in); t != x.dyn.src || x.dyn.re[0] == nil && x.dyn.re[1] == nil {
				x.dyn = regex{src: t}
			}
			re = &x.dyn
		}
	case x.sep != nil:
		mode = in.splitModeOf(x.sep.str(in), &x.dyn)
		re = &x.dyn
	case mode == splitWidths || mode == splitFields:
		fs := in.special[syntax.FS]
		mode = in.splitModeOf(in.text(&fs), &x.dyn)
		re = &x.dyn
	}
	var gaps []uint32
	var sp *[]uint32
	if x.seps != nil {
		sp = &gaps
	}
	pos := in.pieces(s, mode, re, false, in.pieceRoom[:0], sp)
	in.pieceRoom = pos[:0]
	a := x.a.array(in)
	n := len(pos) / 2
	if n > maxFields {
		in.fatal("too many fields")
	}
	a.setList(in, s, pos)
	if x.seps != nil {
		b := x.seps.array(in)
		b.clear()
		for i := 0; 2*i < len(gaps); i++ {
			from, to := gaps[2*i], gaps[2*i+1]
			if i == 0 && from == to && mode != splitFields {
				continue
			}
			if i == len(gaps)/2-1 && from == to && mode == splitChars {
				continue
			}
			b.put(in, i, strValue(s[from:to]))
		}
	}
	return float64(n)
}

// bitwise are the functions on bits.
type bitwise struct {
	fn   syntax.Func
	args []expr
}

func (x *bitwise) num(in *interp) float64 {
	var r uint64
	for i, a := range x.args {
		n := a.num(in)
		if n < 0 {
			in.fatal(x.fn.String() + ": argument " + itoa(i+1) + " negative value " + in.numText(n) + " is not allowed")
		}
		if n != n {
			n = 0
		}
		v := uint64(min(n, 1<<63))
		if n >= 1<<63 {
			v = math.MaxUint64
			if n < 1<<64 {
				v = uint64(n)
			}
		}
		switch {
		case x.fn == syntax.FnCompl:
			return float64(^v & (1<<53 - 1))
		case i == 0:
			r = v
		case x.fn == syntax.FnAnd:
			r &= v
		case x.fn == syntax.FnOr:
			r |= v
		case x.fn == syntax.FnXor:
			r ^= v
		case x.fn == syntax.FnLshift:
			r <<= v
		default:
			r >>= v
		}
	}
	// What a number can hold exactly.
	for r >= 1<<53 {
		top := 63
		for r>>top == 0 {
			top--
		}
		if r&(1<<(top-52)-1) == 0 {
			break
		}
		r &^= 1 << top
	}
	return float64(r)
}

// strtonum reads decimal, octal and hexadecimal numbers.
func strtonum(in *interp, a []expr) float64 {
	v := a[0].val(in)
	v.resolve()
	if v.k == kNum {
		return v.n
	}
	s := strings.TrimLeft(v.s, " \t\n\r\f\v")
	neg := false
	if s != "" && (s[0] == '-' || s[0] == '+') {
		neg = s[0] == '-'
		s = s[1:]
	}
	base := 0
	if len(s) > 1 && s[0] == '0' {
		switch {
		case s[1]|0x20 == 'x':
			base, s = 16, s[2:]
		case s[1]-'0' <= 7:
			base = 8
			for i := 1; i < len(s) && (s[i]-'0' <= 9 || s[i] == '.' || s[i]|0x20 == 'e'); i++ {
				if s[i]-'0' > 7 {
					base = 0
				}
			}
		}
	}
	if base == 0 {
		return v.num()
	}
	n := 0.0
	for i := 0; i < len(s); i++ {
		d := 99
		switch c := s[i]; {
		case c-'0' <= 9:
			d = int(c - '0')
		case c|0x20 >= 'a' && c|0x20 <= 'f':
			d = int(c|0x20-'a') + 10
		}
		if d >= base {
			break
		}
		n = n*float64(base) + float64(d)
	}
	if neg {
		n = -n
	}
	return n
}

// fflush flushes one stream, or all.
func fflush(in *interp, a []expr) float64 {
	if len(a) == 0 {
		in.flush()
		return 0
	}
	name := a[0].str(in)
	if name == "" {
		in.flush()
		return 0
	}
	result := -1.0
	for s := in.streams[name]; s != nil; s = in.others[s] {
		if s.w != nil {
			if !s.parked {
				s.w.flush()
			}
			result = 0
		}
	}
	if name == "/dev/stdout" {
		in.stdout.flush()
		result = 0
	}
	return result
}

// getline is getline in all its forms.
type getline struct {
	from byte
	src  expr
	v    holder // where the record goes
	l    lvalue
}

func (x *getline) run(in *interp) { x.num(in) }
func (x *getline) num(in *interp) float64 {
	var rec string
	var ok bool
	if x.from == 0 {
		if x.v != nil || x.l != nil {
			in.fieldCount() // what the host has found is gone with the next record
		}
		if rec, ok = in.mainRecord(); !ok {
			return 0
		}
	} else {
		name := x.src.str(in)
		if name == "" {
			in.fatal("expression for `" + string(rune(x.from)) + "' redirection has null string value")
		}
		kind := x.from
		if kind == '|' {
			kind = 'r'
		}
		r := in.input(kind, strings.Clone(name))
		if r == nil {
			x.touch(in)
			return -1
		}
		if kind == '&' {
			if s := in.find(name, '&'); s != nil && s.w != nil {
				s.w.flush()
			}
		}
		if rec, ok = r.record(in); !ok {
			x.touch(in)
			if r.err != nil {
				in.setErrno(r.err)
				return -1
			}
			return 0
		}
	}
	switch {
	case x.v != nil:
		if _, elem := x.v.(*element); elem {
			rec = strings.Clone(rec)
		}
		*x.v.cell(in) = inputValue(rec)
	case x.l != nil:
		x.l.set(in, inputValue(rec))
	case x.from == 0:
		in.setMainRecord(rec)
	default:
		in.setRecord(rec)
	}
	return 1
}

// touch evaluates the subscripts of a variable that gets nothing.
func (x *getline) touch(in *interp) {
	if x.v != nil {
		x.v.cell(in)
	}
}

// fillProcinfo sets what programs look at in PROCINFO.
func (in *interp) fillProcinfo() {
	set := func(k string, v value) { *in.procinfo.cell(in, k, true) = v }
	set("version", strValue(cmdkit.Version))
	set("platform", strValue("posix"))
	set("strftime", strValue(defaultTime))
	set("FS", strValue("FS"))
	if info, err := wsys.Info(0); err == nil {
		set("pid", numValue(float64(info.PID)))
		set("ppid", numValue(float64(info.PPID)))
		set("pgrpid", numValue(float64(info.Pgid)))
		set("uid", numValue(float64(info.UID)))
		set("euid", numValue(float64(info.UID)))
		set("gid", numValue(float64(info.GID)))
		set("egid", numValue(float64(info.GID)))
	}
}
