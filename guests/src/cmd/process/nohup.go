// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package process

import (
	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/guests/src/cmdkit"
	"github.com/wsandbox/wsandbox/guests/src/wsys"
)

var nohupSyntax = cmdkit.Syntax{
	Short: "+", BadUsage: 125,
	Usage: []string{"COMMAND [ARG]...", "OPTION"},
	Help: `Run COMMAND, ignoring hangups. Where standard input is a terminal it is
replaced by nothing; where output is one, it goes to nohup.out, there or in
HOME; errors go where output goes.

`,
}

// Nohup runs a command that ignores SIGHUP.
func Nohup(p *cmdkit.Proc) int {
	fail := 125
	if _, posix := p.LookupEnv("POSIXLY_CORRECT"); posix {
		fail = 127
	}
	g := p.Options(&nohupSyntax)
	for g.Next() {
	}
	if g.Stop {
		return g.Status
	}
	if len(g.Operands) == 0 {
		return p.MissingOperand(fail)
	}
	in, out, errs := wsys.Isatty(wsys.Stdin), wsys.Isatty(wsys.Stdout), wsys.Isatty(wsys.Stderr)
	if in {
		fd, err := wsys.Open(wsys.AtCwd, "/dev/null", abi.OWronly, 0)
		if err == nil {
			err = wsys.DupTo(fd, wsys.Stdin, 0)
			wsys.Close(fd)
		}
		if err != nil {
			p.Errno(err, "failed to render standard input unusable")
			return fail
		}
		if !out && !errs {
			p.Warn("ignoring input")
		}
	}
	if out {
		file := "nohup.out"
		flags := abi.OWronly | abi.OCreat | abi.OAppend
		fd, err := wsys.Open(wsys.AtCwd, file, flags, 0o600)
		if err != nil {
			first := err
			if home := p.Getenv("HOME"); home != "" {
				file = home + "/nohup.out"
				fd, err = wsys.Open(wsys.AtCwd, file, flags, 0o600)
			}
			if err != nil {
				p.Errno(first, "failed to open ", cmdkit.QuoteAF("nohup.out"))
				return fail
			}
		}
		what := "appending output to "
		if in {
			what = "ignoring input and appending output to "
		}
		p.Warn(what, cmdkit.QuoteAF(file))
		err = wsys.DupTo(fd, wsys.Stdout, 0)
		wsys.Close(fd)
		if err != nil {
			p.Errno(err, "failed to redirect standard output")
			return fail
		}
	}
	if errs {
		if !out {
			what := "redirecting stderr to stdout"
			if in {
				what = "ignoring input and redirecting stderr to stdout"
			}
			p.Warn(what)
		}
		if err := wsys.DupTo(wsys.Stdout, wsys.Stderr, 0); err != nil {
			p.Errno(err, "failed to redirect standard error")
			return fail
		}
	}
	if err := wsys.SigAction(abi.SIGHUP, abi.SigIgnore); err != nil {
		p.Errno(err, "failed to ignore hangups")
		return fail
	}
	return p.ExecRun(g.Operands)
}

var niceSyntax = cmdkit.Syntax{
	Short: "+n:0123456789", BadUsage: 125,
	Long:  []cmdkit.Long{{Name: "adjustment", Arg: cmdkit.RequiredArg, Val: 'n'}},
	Usage: []string{"[OPTION] [COMMAND [ARG]...]"},
	Help: `Run COMMAND with an adjusted niceness. The sandbox shares the processor by its
own rules: the niceness of every process is 0, and the adjustment is checked
but has no effect. Without COMMAND, print the niceness.

  -n, --adjustment=N   the adjustment (default 10)
`,
}

// Nice runs a command; there are no priorities to change.
func Nice(p *cmdkit.Proc) int {
	args := p.Args
	// The old form: -5, --5.
	var rest []string
	adjusted := false
	for len(args) > 0 && len(args[0]) > 1 && args[0][0] == '-' && (digit(args[0][1]) || (args[0][1] == '-' || args[0][1] == '+') && len(args[0]) > 2 && digit(args[0][2])) {
		if _, ok := cmdkit.ParseInt(args[0][1:]); !ok {
			p.UsageError(125, "invalid adjustment ", cmdkit.Quote(args[0][1:]))
			return 125
		}
		adjusted = true
		args = args[1:]
	}
	g := p.OptionsOf(&niceSyntax, args)
	for g.Next() {
		adjusted = true
		if g.Opt == 'n' {
			if _, ok := cmdkit.ParseInt(g.Arg); !ok {
				return p.Warn("invalid adjustment ", cmdkit.Quote(g.Arg)) + 124
			}
		}
	}
	if g.Stop {
		return g.Status
	}
	rest = g.Operands
	if len(rest) == 0 {
		if adjusted {
			return p.UsageError(125, "a command must be given with an adjustment")
		}
		p.Stdout.WriteString("0\n")
		return 0
	}
	return p.Exec(rest, p.Environ())
}

func digit(c byte) bool { return c >= '0' && c <= '9' }
