// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"github.com/wsandbox/wsandbox/guests/src/cmdkit"
	"github.com/wsandbox/wsandbox/guests/src/wsys"
)

// An applet is a command by name.
type applet struct {
	name string
	run  cmdkit.Func
}

// tables has the commands, one table for each family: add a table here and its
// commands in a file of its own.
var tables = [...][]applet{awkApplets, fileApplets, systemApplets, textioApplets, fieldsApplets, sortingApplets, digestApplets, compareApplets, launchApplets, dumpApplets, regexApplets, terminalApplets, pagerApplets, encodeApplets, archiveApplets, patchApplets}

func lookup(name string) cmdkit.Func {
	for _, t := range tables {
		for i := range t {
			if t[i].name == name {
				return t[i].run
			}
		}
	}
	return nil
}

// run runs the command that args name and returns its status. Under any other
// name than a command's it is that of the file, as where a symbolic link leads to
// it, or else the first argument.
func run(args []string) int {
	if len(args) == 0 {
		args = []string{"coreutils"}
	}
	if f := lookup(cmdkit.Base(args[0])); f != nil {
		return cmdkit.Main(args[0], args[1:], f)
	}
	if exe, err := wsys.Readlink(wsys.AtCwd, "/proc/self/exe"); err == nil {
		if f := lookup(cmdkit.Base(exe)); f != nil {
			return cmdkit.Main(args[0], args[1:], f)
		}
	}
	if len(args) > 1 {
		if f := lookup(args[1]); f != nil {
			return cmdkit.Main(args[1], args[2:], f)
		}
	}
	return cmdkit.Main(args[0], args[1:], multicall)
}

var multicallSyntax = cmdkit.Syntax{
	Short: "+",
	Long:  []cmdkit.Long{{Name: "list", Arg: cmdkit.NoArg, Val: 256}},
	Usage: []string{"NAME [ARGUMENT]...", "--list"},
	Help: "Run the command NAME.\n\n" +
		"      --list     print the names of the commands and exit\n",
}

func multicall(p *cmdkit.Proc) int {
	g := p.Options(&multicallSyntax)
	for g.Next() {
		for _, t := range tables {
			for i := range t {
				p.Stdout.WriteString(t[i].name)
				p.Stdout.WriteByte('\n')
			}
		}
		return 0
	}
	if g.Stop {
		return g.Status
	}
	if len(g.Operands) == 0 {
		return p.MissingOperand(1)
	}
	p.Warn("unknown program ", cmdkit.Quote(g.Operands[0]))
	return 127
}
