// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package process

import (
	"strconv"

	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/guests/src/cmdkit"
	"github.com/wsandbox/wsandbox/guests/src/wsys"
)

var killSyntax = cmdkit.Syntax{
	Usage: []string{"[-s SIGNAL | -SIGNAL] PID...", "-l [SIGNAL]...", "-t [SIGNAL]..."},
	Help: `Send a signal to processes (TERM unless told otherwise), or list signals. A
negative PID is a process group.

  -s, --signal=SIGNAL, -SIGNAL  the signal, by name or number
  -l, --list   list signal names, or turn names into numbers and back
  -t, --table  print a table of signals
`,
}

// Kill sends signals.
func Kill(p *cmdkit.Proc) int {
	if p.HelpOnly(&killSyntax) {
		return 0
	}
	args := p.Args
	sig := abi.SIGTERM
	list, table, sigGiven := false, false, false
	setSignal := func(s string) bool {
		if sigGiven {
			p.UsageError(1, cmdkit.Quote(s), ": multiple signals specified")
			return false
		}
		v, ok := parseSignal(s)
		if !ok {
			p.UsageError(1, cmdkit.Quote(s), ": invalid signal")
			return false
		}
		sig, sigGiven = v, true
		return true
	}
loop:
	for len(args) > 0 {
		a := args[0]
		if len(a) < 2 || a[0] != '-' {
			break
		}
		switch {
		case a == "--":
			args = args[1:]
			break loop
		case a == "-l" || a == "--list":
			list = true
		case a == "-t" || a == "--table" || a == "-L":
			table = true
		case a == "-s" || a == "--signal" || a == "-n":
			if len(args) < 2 {
				if a == "--signal" {
					return p.UsageError(1, "option '--signal' requires an argument")
				}
				return p.UsageError(1, "option requires an argument -- '", a[1:], "'")
			}
			if !setSignal(args[1]) {
				return 1
			}
			args = args[1:]
		case len(a) > 9 && a[:9] == "--signal=":
			if !setSignal(a[9:]) {
				return 1
			}
		case a[1] == '-':
			return p.UsageError(1, "unrecognized option '", a, "'")
		case a[1] == 's' && len(a) > 2 && !sigName(a[1:]):
			if !setSignal(a[2:]) {
				return 1
			}
		case sigGiven && a[1] >= '0' && a[1] <= '9':
			break loop // a process group
		default:
			if !sigName(a[1:]) && !(a[1] >= '0' && a[1] <= '9') {
				return p.UsageError(1, "invalid option -- '", a[1:2], "'")
			}
			if !setSignal(a[1:]) {
				return 1
			}
		}
		args = args[1:]
	}
	if list || table {
		if sigGiven {
			return p.UsageError(1, "cannot combine signal with -l or -t")
		}
		return listSignals(p, args, table)
	}
	if len(args) == 0 {
		return p.UsageError(1, "no process ID specified")
	}
	st := 0
	for _, a := range args {
		pid, ok := cmdkit.ParseInt(a)
		if !ok || pid > 1<<31-1 || pid < -1<<31 {
			st = p.Warn(cmdkit.Quote(a), ": invalid process id")
			continue
		}
		if err := wsys.Kill(wsys.PID(pid), sig); err != nil {
			st = p.Errno(err, "sending signal to ", cmdkit.Quote(a), " failed")
		}
	}
	return st
}

func sigName(s string) bool {
	_, ok := parseSignal(s)
	return ok
}

func listSignals(p *cmdkit.Proc, args []string, table bool) int {
	show := func(s abi.Signal, byName bool) {
		name := s.Name()
		if s == 0 {
			name = "EXIT"
		}
		switch {
		case table:
			num := strconv.Itoa(int(s))
			if len(num) < 2 {
				num = " " + num
			}
			p.Stdout.WriteString(num + " " + name)
			p.Stdout.Pad(7 - len(name))
			p.Stdout.WriteString(s.Description() + "\n")
		case byName:
			p.Stdout.WriteString(strconv.Itoa(int(s)) + "\n")
		default:
			p.Stdout.WriteString(name + "\n")
		}
	}
	if len(args) == 0 {
		for s := abi.Signal(1); s < abi.NSIG; s++ {
			show(s, false)
		}
		return 0
	}
	st := 0
	for _, a := range args {
		s, ok := parseSignal(a)
		if !ok {
			st = p.Warn(cmdkit.Quote(a), ": invalid signal")
			continue
		}
		show(s, !(a[0] >= '0' && a[0] <= '9'))
	}
	return st
}
