// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

// Package cmdkit is the frame commands are written in: a command is a [Func]
// that gets a [Proc] and returns its exit status. The package gives it options
// with the semantics and wording of GNU getopt_long, buffered output with one
// report of a write error, messages and quoting as GNU programs print them,
// numbers with size suffixes, human-readable sizes, user and group names, and
// starting other programs.
//
// A command looks like this:
//
//	var revSyntax = cmdkit.Syntax{
//		Short: "z",
//		Long:  []cmdkit.Long{{"zero", cmdkit.NoArg, 'z'}},
//		Usage: []string{"[OPTION]... [FILE]..."},
//		Help:  "Reverse the characters of every line.\n",
//	}
//
//	func Rev(p *cmdkit.Proc) int {
//		g := p.Options(&revSyntax)
//		for g.Next() {
//			switch g.Opt {
//			case 'z':
//				zero = true
//			}
//		}
//		if g.Stop {
//			return g.Status // --help, --version or wrong usage: already printed
//		}
//		for _, name := range g.Operands { … }
//	}
//
// Names and data are bytes throughout: nothing assumes valid UTF-8.
//
// A process starts from a snapshot and runs once, and every page it writes costs
// time. So the buffers are static, used from their start, and nothing is loaded
// before it is asked for (environment, user names, terminal state).
package cmdkit
