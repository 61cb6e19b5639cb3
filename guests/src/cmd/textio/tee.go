// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package textio

import (
	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/guests/src/cmdkit"
	"github.com/wsandbox/wsandbox/guests/src/wsys"
)

var teeSyntax = cmdkit.Syntax{
	Short: "aip",
	Long: []cmdkit.Long{
		{Name: "append", Val: 'a'}, {Name: "ignore-interrupts", Val: 'i'}, {Name: "output-error", Arg: cmdkit.OptionalArg, Val: 'p'},
	},
	Usage: []string{"[OPTION]... [FILE]..."},
	Help: "Copy standard input to each FILE, and also to standard output.\n\n" +
		"  -a, --append              append to the given FILEs, do not overwrite\n  -i, --ignore-interrupts   ignore interrupt signals\n" +
		"  -p                        operate in a more appropriate MODE with pipes\n      --output-error[=MODE]   set behavior on write error: warn, warn-nopipe,\n                                exit, exit-nopipe\n",
}

type teeOutput struct {
	name string
	fd   wsys.FD
	dead bool
}

// Tee is tee(1).
func Tee(p *cmdkit.Proc) int {
	flags := abi.OWronly | abi.OCreat | abi.OCloexec | abi.OTrunc
	const (
		sigpipe = iota
		warn
		warnNopipe
		exit
		exitNopipe
	)
	mode := sigpipe
	g := p.Options(&teeSyntax)
	for g.Next() {
		switch g.Opt {
		case 'a':
			flags = flags&^abi.OTrunc | abi.OAppend
		case 'i':
			_ = wsys.SigAction(abi.SIGINT, abi.SigIgnore) // the signal exists
		case 'p':
			mode = warnNopipe
			if g.HasArg {
				v, ok := p.Choice("--output-error", g.Arg, []string{"warn", "warn-nopipe", "exit", "exit-nopipe"}, []int{warn, warnNopipe, exit, exitNopipe})
				if !ok {
					return 1
				}
				mode = v
			}
		}
	}
	if g.Stop {
		return g.Status
	}
	if mode != sigpipe {
		_ = wsys.SigAction(abi.SIGPIPE, abi.SigIgnore)
	}
	status := 0
	outs := []teeOutput{{name: "standard output", fd: p.Stdout.FD}}
	for _, name := range g.Operands {
		fd, err := wsys.Open(wsys.AtCwd, name, flags, 0o666)
		if err != nil {
			status = p.FileErrno(err, name)
			if mode == exit || mode == exitNopipe {
				return 1
			}
			continue
		}
		outs = append(outs, teeOutput{name: name, fd: fd})
	}
	live := len(outs)
	for live > 0 {
		b := p.Stdin.Chunk()
		if len(b) == 0 {
			break
		}
		for i := range outs {
			o := &outs[i]
			if o.dead {
				continue
			}
			err := wsys.WriteAll(o.fd, b)
			if err == nil {
				continue
			}
			o.dead = true
			live--
			if err == abi.EPIPE && (mode == warnNopipe || mode == exitNopipe) {
				continue
			}
			status = p.FileErrno(err, o.name)
			if mode == exit || mode == exitNopipe {
				return 1
			}
		}
	}
	if p.Stdin.Err != nil {
		status = p.Errno(p.Stdin.Err, "read error")
	}
	return status
}
