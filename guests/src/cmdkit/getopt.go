// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package cmdkit

// Arg says whether a long option takes an argument.
type Arg uint8

// Arguments of options.
const (
	NoArg       Arg = iota
	RequiredArg     // --name=ARG or --name ARG
	OptionalArg     // --name or --name=ARG
)

// Long is a long option. Val is what [Getopt.Opt] becomes: the letter of the
// short option of the same meaning, or a value from 256.
type Long struct {
	Name string
	Arg  Arg
	Val  rune
}

// Syntax describes a command's options and help. It is read only.
type Syntax struct {
	// Short lists the short options as getopt(3) does: a letter, with ':'
	// behind it where it takes an argument and "::" where the argument is
	// optional. A leading '+' ends the options at the first operand.
	Short string
	Long  []Long
	// Usage has one line for each form, without the name:
	// "[OPTION]... [FILE]...".
	Usage []string
	// Help is the text below the usage lines.
	Help string
	// BadUsage is the exit status of wrong usage; 0 means 1.
	BadUsage int
	// LostOutput is the exit status where standard output could not be
	// written; 0 means BadUsage.
	LostOutput int
	// UsageOnError writes the first usage line below a message about wrong
	// options, as GNU grep does.
	UsageOnError bool
	// Plain leaves out --help and --version.
	Plain bool
	// Hint writes what else there is to say after a wrong option, before the
	// pointer to --help.
	Hint func(p *Proc)
}

func (s *Syntax) badUsage() int {
	if s.BadUsage == 0 {
		return 1
	}
	return s.BadUsage
}

// Values of the options every command has.
const (
	optHelp    rune = -2
	optVersion rune = -3
)

var standardLong = [...]Long{{"help", NoArg, optHelp}, {"version", NoArg, optVersion}}

// Getopt walks through the options of a command line.
type Getopt struct {
	Opt      rune     // the current option
	Arg      string   // its argument
	HasArg   bool     // whether it has one (for optional arguments)
	Operands []string // complete once Next has returned false
	Stop     bool     // the command is to return Status at once
	Status   int

	p      *Proc
	s      *Syntax
	args   []string
	name   string // the long option's
	bundle string // rest of the current group of short options
	inOpts bool
}

// Options starts parsing the arguments. Options and operands may be mixed,
// except where the syntax starts with '+' or POSIXLY_CORRECT is set.
//
// POSIX: XBD 12.2 Utility Syntax Guidelines. GNU: getopt_long().
func (p *Proc) Options(s *Syntax) *Getopt { return p.OptionsOf(s, p.Args) }

// OptionsOf is Options over other arguments than the process's.
func (p *Proc) OptionsOf(s *Syntax, args []string) *Getopt {
	if p.lostOutput = s.LostOutput; p.lostOutput == 0 {
		p.lostOutput = s.BadUsage
	}
	return &Getopt{p: p, s: s, args: args}
}

// Spelling returns the current option as messages name it: "-B" or
// "--block-size".
func (g *Getopt) Spelling() string {
	if g.name != "" {
		return "--" + g.name
	}
	return "-" + string(g.Opt)
}

// Rest returns the arguments not looked at yet.
func (g *Getopt) Rest() []string { return g.args }

// Next steps to the next option and reports whether there is one. It answers
// --help and --version and reports wrong usage itself: then Stop is set.
func (g *Getopt) Next() bool {
	if g.Stop {
		return false
	}
	if g.bundle != "" {
		return g.short()
	}
	for len(g.args) > 0 {
		a := g.args[0]
		if len(a) < 2 || a[0] != '-' {
			if g.ordered() {
				break
			}
			g.Operands = append(g.Operands, a)
			g.args = g.args[1:]
			continue
		}
		g.args = g.args[1:]
		if a == "--" {
			break
		}
		if a[1] == '-' {
			return g.long(a[2:])
		}
		g.bundle = a[1:]
		return g.short()
	}
	g.Operands = append(g.Operands, g.args...)
	g.args = nil
	return false
}

// ordered reports whether the first operand ends the options.
func (g *Getopt) ordered() bool {
	if g.s.Short != "" && g.s.Short[0] == '+' {
		return true
	}
	for _, a := range g.args[1:] {
		if len(a) > 1 && a[0] == '-' {
			_, posix := g.p.LookupEnv("POSIXLY_CORRECT")
			return posix
		}
	}
	return false
}

func (g *Getopt) bad(parts ...string) bool {
	g.p.Warn(parts...)
	if g.s.UsageOnError {
		g.p.Stderr.WriteString("Usage: " + g.p.Name + " " + g.s.Usage[0] + "\n")
	}
	if g.s.Hint != nil {
		g.s.Hint(g.p)
	}
	g.Stop, g.Status = true, g.p.TryHelp(g.s.badUsage())
	return false
}

func (g *Getopt) short() bool {
	c := g.bundle[0]
	g.bundle = g.bundle[1:]
	s := g.s.Short
	i := 0
	for i < len(s) && (s[i] != c || c == ':' || c == '+' && i == 0) {
		i++
	}
	if i == len(s) {
		return g.bad("invalid option -- '", string([]byte{c}), "'")
	}
	g.Opt, g.Arg, g.HasArg, g.name = rune(c), "", false, ""
	if i+1 == len(s) || s[i+1] != ':' {
		return true
	}
	optional := i+2 < len(s) && s[i+2] == ':'
	switch {
	case g.bundle != "":
		g.Arg, g.HasArg, g.bundle = g.bundle, true, ""
	case optional:
	case len(g.args) == 0:
		return g.bad("option requires an argument -- '", string([]byte{c}), "'")
	default:
		g.Arg, g.HasArg = g.args[0], true
		g.args = g.args[1:]
	}
	return true
}

func (g *Getopt) long(a string) bool {
	name, val, hasVal := a, "", false
	for i := 0; i < len(a); i++ {
		if a[i] == '=' {
			name, val, hasVal = a[:i], a[i+1:], true
			break
		}
	}
	var found *Long
	ambiguous := false
	each := func(f func(l *Long) bool) {
		for i := range g.s.Long {
			if !f(&g.s.Long[i]) {
				return
			}
		}
		if g.s.Plain {
			return
		}
		for i := range standardLong {
			if !f(&standardLong[i]) {
				return
			}
		}
	}
	each(func(l *Long) bool {
		if len(l.Name) < len(name) || l.Name[:len(name)] != name {
			return true
		}
		if len(l.Name) == len(name) {
			found, ambiguous = l, false
			return false
		}
		if found == nil {
			found = l
		} else if found.Val != l.Val || found.Arg != l.Arg {
			ambiguous = true
		}
		return true
	})
	switch {
	case ambiguous:
		msg := []string{"option '--", a, "' is ambiguous; possibilities:"}
		each(func(l *Long) bool {
			if len(l.Name) >= len(name) && l.Name[:len(name)] == name {
				msg = append(msg, " '--", l.Name, "'")
			}
			return true
		})
		return g.bad(msg...)
	case found == nil:
		return g.bad("unrecognized option '--", a, "'")
	}
	g.Opt, g.Arg, g.HasArg, g.name = found.Val, val, hasVal, found.Name
	switch {
	case found.Arg == NoArg && hasVal:
		return g.bad("option '--", found.Name, "' doesn't allow an argument")
	case found.Arg == RequiredArg && !hasVal:
		if len(g.args) == 0 {
			return g.bad("option '--", found.Name, "' requires an argument")
		}
		g.Arg, g.HasArg = g.args[0], true
		g.args = g.args[1:]
	}
	switch found.Val {
	case optHelp:
		g.p.PrintHelp(g.s)
		g.Stop, g.Status = true, 0
		return false
	case optVersion:
		g.p.PrintVersion()
		g.Stop, g.Status = true, 0
		return false
	}
	return true
}

// Fail makes Next return false and the command return status.
func (g *Getopt) Fail(status int) { g.Stop, g.Status = true, status }

// HelpOnly answers --help and --version where that is the only argument, for
// commands without options of their own. It reports whether it did.
func (p *Proc) HelpOnly(s *Syntax) bool {
	if len(p.Args) != 1 {
		return false
	}
	switch p.Args[0] {
	case "--help":
		p.PrintHelp(s)
	case "--version":
		p.PrintVersion()
	default:
		return false
	}
	return true
}

// Version is the version the commands report. The build may set it.
var Version = "0.1.0"

// PrintVersion writes the answer to --version.
func (p *Proc) PrintVersion() {
	p.Stdout.WriteString(Base(p.Name) + " (wsandbox) " + Version + "\n")
}

// PrintHelp writes the answer to --help.
func (p *Proc) PrintHelp(s *Syntax) {
	o := p.Stdout
	for i, u := range s.Usage {
		if i == 0 {
			o.WriteString("Usage: ")
		} else {
			o.WriteString("  or:  ")
		}
		o.WriteString(p.Name)
		if u != "" {
			o.WriteByte(' ')
			o.WriteString(u)
		}
		o.WriteByte('\n')
	}
	o.WriteString(s.Help)
	if !s.Plain {
		o.WriteString("      --help     display this help and exit\n" +
			"      --version  output version information and exit\n")
	}
	o.WriteString("\nThis is the wsandbox version of " + Base(p.Name) + ", a work of its own that follows GNU's.\n")
}

// Choice finds arg among names as GNU's argmatch does: an exact name, or a
// prefix that fits one name, or several of the same value. Otherwise it writes
// the message with the valid arguments and returns false. vals[i] belongs to
// names[i].
func (p *Proc) Choice(option, arg string, names []string, vals []int) (int, bool) {
	hit, ambiguous := -1, false
	for i, n := range names {
		if n == arg {
			return vals[i], true
		}
		if len(n) > len(arg) && n[:len(arg)] == arg {
			if hit < 0 {
				hit = i
			} else if vals[hit] != vals[i] {
				ambiguous = true
			}
		}
	}
	if hit >= 0 && !ambiguous {
		return vals[hit], true
	}
	what := "invalid"
	if ambiguous {
		what = "ambiguous"
	}
	p.Warn(what, " argument ", QuoteAF(arg), " for ", Quote(option))
	b := []byte("Valid arguments are:")
	for i, n := range names {
		if i > 0 && vals[i] == vals[i-1] {
			b = append(b, ", "...)
		} else {
			b = append(b, "\n  - "...)
		}
		b = append(b, Quote(n)...)
	}
	p.Stderr.Write(append(b, '\n'))
	return 0, false
}
