// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package textio

import (
	"math"
	"strconv"

	"github.com/wsandbox/wsandbox/guests/src/cmdkit"
)

var seqSyntax = cmdkit.Syntax{
	Short: "+f:s:w",
	Long: []cmdkit.Long{
		{Name: "format", Arg: cmdkit.RequiredArg, Val: 'f'}, {Name: "separator", Arg: cmdkit.RequiredArg, Val: 's'}, {Name: "equal-width", Val: 'w'},
	},
	Usage: []string{"[OPTION]... LAST", "[OPTION]... FIRST LAST", "[OPTION]... FIRST INCREMENT LAST"},
	Help: "Print numbers from FIRST to LAST, in steps of INCREMENT.\n\n" +
		"  -f, --format=FORMAT      use a printf style floating-point FORMAT (%e %f %g)\n  -s, --separator=STRING   use STRING to separate numbers (default: \\n)\n" +
		"  -w, --equal-width        equalize width by padding with leading zeroes\n",
}

// seqArg is a number of the command line.
type seqArg struct {
	f     float64
	i     int64
	isInt bool
	frac  int // digits behind the point
	width int // of the text, as GNU counts it for -w
}

// Seq is seq(1).
func Seq(p *cmdkit.Proc) int {
	format, sep, equal := "", "\n", false
	args := p.Args
	// A negative number is an operand, not an option.
	cut := len(args)
	for i, a := range args {
		if len(a) > 1 && a[0] == '-' && (isDigit(a[1]) || a[1] == '.') {
			cut = i
			break
		}
		if a == "-s" || a == "-f" || a == "--separator" || a == "--format" {
			continue
		}
	}
	g := p.OptionsOf(&seqSyntax, args[:cut])
	for g.Next() {
		switch g.Opt {
		case 'f':
			format = g.Arg
		case 's':
			sep = g.Arg
		case 'w':
			equal = true
		}
	}
	if g.Stop {
		return g.Status
	}
	operands := append(append([]string(nil), g.Operands...), args[cut:]...)
	switch {
	case len(operands) == 0:
		return p.MissingOperand(1)
	case len(operands) > 3:
		return p.ExtraOperand(1, operands[3])
	}
	one := seqArg{f: 1, i: 1, isInt: true, width: 1}
	v := [3]seqArg{one, one, one}
	for i, s := range operands {
		a, ok := parseSeqArg(s)
		if !ok {
			p.Warn("invalid floating point argument: ", cmdkit.Quote(s))
			return p.TryHelp(1)
		}
		switch {
		case i == len(operands)-1:
			v[2] = a
		default:
			v[i] = a
		}
	}
	first, step, last := v[0], v[1], v[2]
	if len(operands) == 3 && step.f == 0 {
		p.Warn("invalid Zero increment value: ", cmdkit.Quote(operands[1]))
		return p.TryHelp(1)
	}
	if format != "" && equal {
		return p.UsageError(1, "format string may not be specified when printing equal width strings")
	}
	var f *seqFormat
	if format != "" {
		parsed, why := parseSeqFormat(format)
		if why != "" {
			p.Warn("format ", cmdkit.Quote(format), " ", why)
			return 1
		}
		f = parsed
	}
	if f == nil && first.isInt && step.isInt && last.isInt {
		return seqInt(p, first, step, last, sep, equal)
	}
	prec := max(first.frac, step.frac)
	if f == nil {
		f = &seqFormat{verb: 'f', prec: prec}
		if equal {
			w := func(a seqArg) int { // the width with prec digits behind the point
				n := a.width - a.frac + prec
				if a.frac == 0 && prec > 0 {
					n++
				} else if a.frac > 0 && prec == 0 {
					n--
				}
				return n
			}
			f.width, f.zero = max(w(first), w(last)), true
		}
	}
	var line []byte
	for n := 0; !p.WriteFailed(); n++ {
		x := first.f + float64(n)*step.f
		if (step.f > 0 && x > last.f) || (step.f < 0 && x < last.f) || math.IsNaN(x) {
			// Rounding may have carried x past the end: what would be
			// printed decides, as GNU does.
			if n == 0 {
				return 0
			}
			shown, err := strconv.ParseFloat(string(strconv.AppendFloat(nil, x, 'f', max(prec, last.frac), 64)), 64)
			if err != nil || shown != last.f || prec == 0 {
				break
			}
			p.Stdout.WriteString(sep)
			p.Stdout.Write(f.append(line[:0], x))
			break
		}
		if n > 0 {
			p.Stdout.WriteString(sep)
		}
		line = f.append(line[:0], x)
		p.Stdout.Write(line)
	}
	p.Stdout.WriteByte('\n')
	return 0
}

func seqInt(p *cmdkit.Proc, first, step, last seqArg, sep string, equal bool) int {
	width := 0
	if equal {
		width = max(len(strconv.FormatInt(first.i, 10)), len(strconv.FormatInt(last.i, 10)))
	}
	if (step.i > 0 && first.i > last.i) || (step.i < 0 && first.i < last.i) {
		return 0
	}
	if step.i == 1 && len(sep) == 1 && !p.Stdout.Interactive() {
		first.i = seqThousands(p.Stdout, first.i, last.i, width, sep[0])
	}
	var line []byte
	for x := first.i; ; {
		line = line[:0]
		if width > 0 {
			line = appendPadded(line, x, width)
		} else {
			line = strconv.AppendInt(line, x, 10)
		}
		next := x + step.i
		done := (step.i > 0 && (next > last.i || next < x)) || (step.i < 0 && (next < last.i || next > x))
		if !done {
			line = append(line, sep...)
		}
		if p.Stdout.Write(line); done || p.WriteFailed() {
			break
		}
		x = next
	}
	p.Stdout.WriteByte('\n')
	return 0
}

// seqThousands prints the numbers from first to below last in blocks of a
// thousand that differ in their last three digits only, and returns the first
// one it has not printed. A block is made from the one before by changing the
// digits that are others.
func seqThousands(w *cmdkit.Writer, first, last int64, width int, sep byte) int64 {
	var line []byte
	for ; first <= last && (first < 1000 || first%1000 != 0); first++ {
		if first == last || first < 0 {
			return first
		}
		if line = line[:0]; width > 0 {
			line = appendPadded(line, first, width)
		} else {
			line = strconv.AppendInt(line, first, 10)
		}
		w.Write(append(line, sep))
	}
	var block, digits []byte
	for last-first > 1000 && w.Err == nil {
		if width > 0 {
			line = appendPadded(line[:0], first, width)
		} else {
			line = strconv.AppendInt(line[:0], first, 10)
		}
		size := len(line) + 1
		if len(digits) != len(line) {
			block = block[:0]
			for i := range 1000 {
				block = append(append(block, line...), sep)
				b := block[len(block)-4:]
				b[0], b[1], b[2] = '0'+byte(i/100), '0'+byte(i/10%10), '0'+byte(i%10)
			}
		} else {
			for k := range line[:len(line)-3] {
				if c := line[k]; c != digits[k] {
					for i := k; i < len(block); i += size {
						block[i] = c
					}
				}
			}
		}
		digits = append(digits[:0], line...)
		w.Write(block)
		first += 1000
	}
	return first
}

func appendPadded(b []byte, x int64, width int) []byte {
	var num [24]byte
	s := strconv.AppendInt(num[:0], x, 10)
	if x < 0 {
		b = append(b, '-')
		s = s[1:]
		width--
	}
	for i := len(s); i < width; i++ {
		b = append(b, '0')
	}
	return append(b, s...)
}

func parseSeqArg(s string) (a seqArg, ok bool) {
	for s != "" && (s[0] == ' ' || s[0] == '\t') {
		s = s[1:]
	}
	if s == "" {
		return a, false
	}
	if i, isInt := cmdkit.ParseInt(s); isInt {
		w := len(s)
		if s[0] == '+' {
			w--
		}
		return seqArg{f: float64(i), i: i, isInt: true, width: w}, true
	}
	f, err := strconv.ParseFloat(s, 64)
	if err != nil || math.IsNaN(f) {
		return a, false
	}
	for i := range len(s) {
		if s[i] == '_' {
			return a, false
		}
	}
	a = seqArg{f: f, width: len(s)}
	point := -1
	for i := range len(s) {
		if s[i] == '.' {
			point = i
		}
		if s[i] == 'e' || s[i] == 'E' { // the exponent moves the point
			if e, err := strconv.Atoi(s[i+1:]); err == nil && point < 0 && e >= 0 {
				return a, true
			} else if err == nil {
				digits := 0
				if point >= 0 {
					digits = i - point - 1
				}
				a.frac = max(0, digits-e)
			}
			return a, true
		}
	}
	if point >= 0 {
		a.frac = len(s) - point - 1
	}
	return a, true
}

// seqFormat is a parsed -f FORMAT with one conversion.
type seqFormat struct {
	before, after           string
	verb                    byte
	width, prec             int
	zero, left, plus, blank bool
	alt                     bool
}

func parseSeqFormat(s string) (*seqFormat, string) {
	f := &seqFormat{prec: -1}
	var lit []byte
	i := 0
	for ; i < len(s); i++ {
		if s[i] != '%' {
			lit = append(lit, s[i])
			continue
		}
		if i+1 < len(s) && s[i+1] == '%' {
			lit = append(lit, '%')
			i++
			continue
		}
		break
	}
	if i == len(s) {
		return nil, "has no % directive"
	}
	f.before = string(lit)
	for i++; i < len(s); i++ {
		switch s[i] {
		case '0':
			f.zero = true
			continue
		case '-':
			f.left = true
			continue
		case '+':
			f.plus = true
			continue
		case ' ':
			f.blank = true
			continue
		case '#':
			f.alt = true
			continue
		case '\'':
			continue
		}
		break
	}
	for ; i < len(s) && isDigit(s[i]); i++ {
		if f.width = f.width*10 + int(s[i]-'0'); f.width > 4096 {
			return nil, "has too large a width"
		}
	}
	if i < len(s) && s[i] == '.' {
		f.prec = 0
		for i++; i < len(s) && isDigit(s[i]); i++ {
			if f.prec = f.prec*10 + int(s[i]-'0'); f.prec > 1024 {
				return nil, "has too large a precision"
			}
		}
	}
	if i < len(s) && s[i] == 'L' {
		i++
	}
	if i == len(s) {
		return nil, "ends in %"
	}
	switch s[i] {
	case 'e', 'f', 'g', 'E', 'F', 'G':
		f.verb = s[i]
	default:
		return nil, "has unknown %" + s[i:i+1] + " directive"
	}
	lit = lit[:0]
	for i++; i < len(s); i++ {
		if s[i] == '%' {
			if i+1 < len(s) && s[i+1] == '%' {
				i++
			} else {
				return nil, "has too many % directives"
			}
		}
		lit = append(lit, s[i])
	}
	f.after = string(lit)
	return f, ""
}

func (f *seqFormat) append(b []byte, x float64) []byte {
	b = append(b, f.before...)
	prec := f.prec
	if prec < 0 {
		prec = 6
	}
	var num []byte
	switch f.verb {
	case 'f', 'F':
		num = strconv.AppendFloat(num, x, 'f', prec, 64)
	case 'e', 'E':
		num = strconv.AppendFloat(num, x, f.verb, prec, 64)
	default:
		num = appendG(num, x, prec, f.verb)
	}
	sign := ""
	if num[0] == '-' {
		sign, num = "-", num[1:]
	} else if f.plus {
		sign = "+"
	} else if f.blank {
		sign = " "
	}
	pad := f.width - len(sign) - len(num)
	if !f.left && !f.zero {
		for ; pad > 0; pad-- {
			b = append(b, ' ')
		}
	}
	b = append(b, sign...)
	if !f.left && f.zero {
		for ; pad > 0; pad-- {
			b = append(b, '0')
		}
	}
	b = append(b, num...)
	for ; pad > 0; pad-- {
		b = append(b, ' ')
	}
	return append(b, f.after...)
}

// appendG formats as %g of C: prec significant digits, without trailing zeros.
func appendG(b []byte, x float64, prec int, verb byte) []byte {
	if prec == 0 {
		prec = 1
	}
	e := strconv.AppendFloat(nil, x, 'e', prec-1, 64)
	i := len(e) - 1
	for i >= 0 && e[i] != 'e' {
		i--
	}
	exp, err := strconv.Atoi(string(e[i+1:]))
	if err != nil { // Inf
		return strconv.AppendFloat(b, x, 'g', prec, 64)
	}
	trim := func(s []byte) []byte {
		point := false
		for _, c := range s {
			point = point || c == '.'
		}
		if !point {
			return s
		}
		for s[len(s)-1] == '0' {
			s = s[:len(s)-1]
		}
		if s[len(s)-1] == '.' {
			s = s[:len(s)-1]
		}
		return s
	}
	if exp < -4 || exp >= prec {
		b = append(b, trim(e[:i])...)
		return append(append(b, verb-'g'+'e'), e[i+1:]...)
	}
	return append(b, trim(strconv.AppendFloat(nil, x, 'f', prec-1-exp, 64))...)
}
