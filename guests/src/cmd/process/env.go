// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package process

import (
	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/guests/src/cmdkit"
	"github.com/wsandbox/wsandbox/guests/src/wsys"
)

var envSyntax = cmdkit.Syntax{
	Short: "+C:iS:u:v0", BadUsage: 125,
	Long: []cmdkit.Long{{Name: "ignore-environment", Val: 'i'}, {Name: "null", Val: '0'}, {Name: "unset", Arg: cmdkit.RequiredArg, Val: 'u'},
		{Name: "chdir", Arg: cmdkit.RequiredArg, Val: 'C'}, {Name: "default-signal", Arg: cmdkit.OptionalArg, Val: 256},
		{Name: "ignore-signal", Arg: cmdkit.OptionalArg, Val: 257}, {Name: "block-signal", Arg: cmdkit.OptionalArg, Val: 258},
		{Name: "list-signal-handling", Val: 259}, {Name: "debug", Val: 'v'}, {Name: "split-string", Arg: cmdkit.RequiredArg, Val: 'S'}},
	Usage: []string{"[OPTION]... [-] [NAME=VALUE]... [COMMAND [ARG]...]"},
	Help: `Set each NAME to VALUE in the environment and run COMMAND, or print the
environment.

  -i, --ignore-environment  start with an empty environment; so does '-'
  -0, --null           end each line with NUL
  -u, --unset=NAME     remove NAME
  -C, --chdir=DIR      change to DIR first
  -S, --split-string=S  split S into arguments, for the first lines of scripts
      --default-signal[=SIG], --ignore-signal[=SIG]  how SIG, or every signal,
                       is taken by COMMAND
  -v, --debug          tell what is done
`,
}

// Env runs a command in a changed environment.
func Env(p *cmdkit.Proc) int {
	e := &envRun{p: p}
	g := p.Options(&envSyntax)
	args, ok := e.options(g, 0)
	if !ok {
		return g.Status
	}
	if e.failed {
		return 125
	}
	if len(args) > 0 && args[0] == "-" {
		e.clear = true
		args = args[1:]
	}
	var env []string
	if !e.clear {
		env = append(env, p.Environ()...)
	} else if e.verbose {
		p.Stderr.WriteString("cleaning environ\n")
	}
	for _, name := range e.unset {
		if name == "" || hasEquals(name) {
			p.Errno(abi.EINVAL, "cannot unset ", cmdkit.Quote(name))
			return 125
		}
		if e.verbose {
			p.Stderr.WriteString("unset:    " + name + "\n")
		}
		env = without(env, name)
	}
	for len(args) > 0 && hasEquals(args[0]) {
		kv := args[0]
		args = args[1:]
		i := 0
		for kv[i] != '=' {
			i++
		}
		if e.verbose {
			p.Stderr.WriteString("setenv:   " + kv + "\n")
		}
		env = set(env, kv[:i], kv)
	}
	if len(args) == 0 {
		if e.dir != "" {
			return p.UsageError(125, "must specify command with --chdir (-C)")
		}
		end := byte('\n')
		if e.null {
			end = 0
		}
		for _, kv := range env {
			p.Stdout.WriteString(kv)
			p.Stdout.WriteByte(end)
		}
		return 0
	}
	if e.null {
		return p.UsageError(125, "cannot specify --null (-0) with command")
	}
	if e.dir != "" {
		if e.verbose {
			p.Stderr.WriteString("chdir:    " + cmdkit.QuoteAF(e.dir) + "\n")
		}
		if err := wsys.Chdir(e.dir); err != nil {
			p.Errno(err, "cannot change directory to ", cmdkit.QuoteAF(e.dir))
			return 125
		}
	}
	for _, s := range e.signals {
		if err := wsys.SigAction(s.sig, s.action); err != nil && !s.all {
			p.Errno(err, "failed to set signal action for signal ", itoa(int(s.sig)))
			return 125
		}
	}
	if e.verbose {
		s := "executing: " + args[0] + "\n"
		for i, a := range args {
			s += "   arg[" + itoa(i) + "]= " + cmdkit.QuoteAF(a) + "\n"
		}
		p.Stderr.WriteString(s)
	}
	st := p.Exec(args, env)
	if st == 127 {
		for i := 0; i < len(args[0]); i++ {
			if c := args[0][i]; c == ' ' || c == '\t' {
				p.Warn("use -[v]S to pass options in shebang lines")
				break
			}
		}
	}
	return st
}

type sigAction struct {
	sig    abi.Signal
	action abi.SigAction
	all    bool
}

type envRun struct {
	p                    *cmdkit.Proc
	clear, null, verbose bool
	unset                []string
	dir                  string
	signals              []sigAction
	failed               bool
}

// options takes the options and returns the rest; -S is replaced by what it
// splits into.
func (e *envRun) options(g *cmdkit.Getopt, depth int) (args []string, ok bool) {
	for g.Next() {
		switch g.Opt {
		case 'i':
			e.clear = true
		case '0':
			e.null = true
		case 'u':
			e.unset = append(e.unset, g.Arg)
		case 'C':
			e.dir = g.Arg
		case 'v':
			e.verbose = true
		case 256, 257:
			a := abi.SigDefault
			if g.Opt == 257 {
				a = abi.SigIgnore
			}
			if !e.signal(g, a) {
				g.Fail(125)
				return nil, false
			}
		case 258, 259:
			e.p.Warn("option '", g.Spelling(), "' is not supported: processes of the sandbox do not block signals")
			g.Fail(125)
			return nil, false
		case 'S':
			if depth > 20 {
				e.p.Warn("too many nested -S")
				g.Fail(125)
				return nil, false
			}
			words, ok := e.split(g.Arg)
			if !ok {
				g.Fail(125)
				return nil, false
			}
			rest := append(words, g.Rest()...)
			h := e.p.OptionsOf(&envSyntax, rest)
			args, ok = e.options(h, depth+1)
			g.Stop, g.Status = h.Stop, h.Status
			return args, ok
		}
	}
	return g.Operands, !g.Stop
}

func (e *envRun) signal(g *cmdkit.Getopt, a abi.SigAction) bool {
	if !g.HasArg {
		for s := abi.Signal(1); s < abi.NSIG; s++ {
			e.signals = append(e.signals, sigAction{s, a, true})
		}
		return true
	}
	list := g.Arg
	for {
		i := 0
		for i < len(list) && list[i] != ',' {
			i++
		}
		s, ok := parseSignal(list[:i])
		if !ok || s == 0 {
			e.p.UsageError(125, cmdkit.Quote(list[:i]), ": invalid signal")
			return false
		}
		e.signals = append(e.signals, sigAction{s, a, false})
		if i == len(list) {
			return true
		}
		list = list[i+1:]
	}
}

// split splits the argument of -S: blanks, quotes, backslashes, ${NAME} and a
// comment.
//
// GNU: coreutils, -S/--split-string syntax.
func (e *envRun) split(s string) ([]string, bool) {
	fail := func(parts ...string) ([]string, bool) {
		e.p.Warn(parts...)
		return nil, false
	}
	var l []string
	var w []byte
	inWord := false
	quote := byte(0)
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case quote == 0 && (c == ' ' || c >= '\t' && c <= '\r'):
			if inWord {
				l, w, inWord = append(l, string(w)), w[:0], false
			}
			continue
		case c == '\'' && quote != '"', c == '"' && quote != '\'':
			if quote == 0 {
				quote, inWord = c, true
			} else {
				quote = 0
			}
			continue
		case c == '#' && quote == 0 && !inWord:
			i = len(s)
			continue
		case c == '\\' && (quote != '\'' || i+1 < len(s) && (s[i+1] == '\'' || s[i+1] == '\\')):
			if i++; i == len(s) {
				return fail("invalid backslash at end of string in -S")
			}
			switch c = s[i]; c {
			case '"', '#', '$', '\'', '\\':
			case '_':
				if quote == 0 {
					if inWord {
						l, w, inWord = append(l, string(w)), w[:0], false
					}
					continue
				}
				c = ' '
			case 'c':
				if quote == '"' {
					return fail("'\\c' must not appear in double-quoted -S string")
				}
				i = len(s)
				continue
			case 'f':
				c = '\f'
			case 'n':
				c = '\n'
			case 'r':
				c = '\r'
			case 't':
				c = '\t'
			case 'v':
				c = '\v'
			default:
				return fail("invalid sequence '\\", string(c), "' in -S")
			}
		case c == '$' && quote != '\'':
			k := i + 2
			for k < len(s) && (s[k] == '_' || s[k]|0x20 >= 'a' && s[k]|0x20 <= 'z' || s[k] >= '0' && s[k] <= '9' && k > i+2) {
				k++
			}
			if i+1 >= len(s) || s[i+1] != '{' || k >= len(s) || s[k] != '}' || k == i+2 {
				return fail("only ${VARNAME} expansion is supported, error at: ", s[i:])
			}
			v, ok := e.p.LookupEnv(s[i+2 : k])
			if ok {
				w, inWord = append(w, v...), true
			}
			i = k
			continue
		}
		if i < len(s) {
			w, inWord = append(w, c), true
		}
	}
	if quote != 0 {
		return fail("no terminating quote in -S string")
	}
	if inWord {
		l = append(l, string(w))
	}
	return l, true
}

func hasEquals(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] == '=' {
			return true
		}
	}
	return false
}

func isVar(kv, name string) bool {
	return len(kv) > len(name) && kv[len(name)] == '=' && kv[:len(name)] == name
}

func without(env []string, name string) []string {
	kept := env[:0]
	for _, kv := range env {
		if !isVar(kv, name) {
			kept = append(kept, kv)
		}
	}
	return kept
}

func set(env []string, name, kv string) []string {
	for i := range env {
		if isVar(env[i], name) {
			env[i] = kv
			return env
		}
	}
	return append(env, kv)
}

var printenvSyntax = cmdkit.Syntax{
	Short: "+0", BadUsage: 2,
	Long:  []cmdkit.Long{{Name: "null", Val: '0'}},
	Usage: []string{"[OPTION]... [VARIABLE]..."},
	Help: `Print the values of the VARIABLEs, or the whole environment.

  -0, --null     end each line with NUL
`,
}

// Printenv prints environment variables.
func Printenv(p *cmdkit.Proc) int {
	g := p.Options(&printenvSyntax)
	end := byte('\n')
	for g.Next() {
		end = 0
	}
	if g.Stop {
		return g.Status
	}
	if len(g.Operands) == 0 {
		for _, kv := range p.Environ() {
			p.Stdout.WriteString(kv)
			p.Stdout.WriteByte(end)
		}
		return 0
	}
	st := 0
	for _, name := range g.Operands {
		v, ok := "", false
		if !hasEquals(name) {
			v, ok = p.LookupEnv(name)
		}
		if !ok {
			st = 1
			continue
		}
		p.Stdout.WriteString(v)
		p.Stdout.WriteByte(end)
	}
	return st
}
