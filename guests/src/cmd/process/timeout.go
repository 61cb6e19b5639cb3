// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package process

import (
	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/guests/src/cmdkit"
	"github.com/wsandbox/wsandbox/guests/src/wsys"
)

var timeoutSyntax = cmdkit.Syntax{
	Short: "+k:s:v", BadUsage: 125,
	Long: []cmdkit.Long{{Name: "kill-after", Arg: cmdkit.RequiredArg, Val: 'k'}, {Name: "signal", Arg: cmdkit.RequiredArg, Val: 's'},
		{Name: "verbose", Val: 'v'}, {Name: "foreground", Val: 256}, {Name: "preserve-status", Val: 257}},
	Usage: []string{"[OPTION] DURATION COMMAND [ARG]...", "[OPTION]"},
	Help: `Start COMMAND, and end it if it is still running after DURATION: a decimal
number of seconds, or with a suffix minutes (m), hours (h), days (d). 0 sets
no limit.

      --preserve-status  exit with COMMAND's status even when it was ended
      --foreground       leave COMMAND in the group, so that it can read the
                         terminal; its children are not ended then
  -k, --kill-after=DURATION  send KILL too, if it still runs that much later
  -s, --signal=SIGNAL    the signal instead of TERM
  -v, --verbose          tell about each signal sent

The exit status is 124 where COMMAND timed out, 125 where timeout itself fails,
126 where COMMAND cannot be started, 127 where it is not found, 137 where KILL
was sent, and COMMAND's otherwise.
`,
}

// pendingSignals is the word in which the host says that a signal is pending.
var pendingSignals uint32

// The signals that timeout hands on to the command.
var relayed = [...]abi.Signal{abi.SIGHUP, abi.SIGINT, abi.SIGQUIT, abi.SIGTERM, abi.SIGALRM, abi.SIGUSR1, abi.SIGUSR2}

// Timeout runs a command with a time limit.
func Timeout(p *cmdkit.Proc) int {
	g := p.Options(&timeoutSyntax)
	sig := abi.SIGTERM
	killAfter := int64(-1)
	foreground, preserve, verbose := false, false, false
	for g.Next() {
		switch g.Opt {
		case 'k':
			v, ok := cmdkit.ParseSeconds(g.Arg)
			if !ok {
				return p.UsageError(125, "invalid time interval ", cmdkit.Quote(g.Arg))
			}
			killAfter = v
		case 's':
			s, ok := parseSignal(g.Arg)
			if !ok {
				return p.UsageError(125, cmdkit.Quote(g.Arg), ": invalid signal")
			}
			sig = s
		case 'v':
			verbose = true
		case 256:
			foreground = true
		case 257:
			preserve = true
		}
	}
	if g.Stop {
		return g.Status
	}
	if len(g.Operands) < 2 {
		return p.TryHelp(125)
	}
	limit, ok := cmdkit.ParseSeconds(g.Operands[0])
	if !ok {
		return p.UsageError(125, "invalid time interval ", cmdkit.Quote(g.Operands[0]))
	}
	cmd := g.Operands[1:]
	if !foreground {
		wsys.Setpgid(0, 0) // fails for a leader, which needs none
	}
	spec, err := p.SpawnSpec(cmd)
	if err != nil {
		return p.RunFailed(err, cmd[0])
	}
	// What is sent to timeout is for the command. A signal handler of ours must
	// not stay ignored in it.
	wsys.SigFlag(&pendingSignals)
	for _, s := range relayed {
		wsys.SigAction(s, abi.SigHandle)
	}
	wsys.SigAction(abi.SIGTTIN, abi.SigDefault)
	wsys.SigAction(abi.SIGTTOU, abi.SigDefault)
	pid, err := cmdkit.Spawn(spec)
	if err != nil {
		return p.RunFailed(err, cmd[0])
	}
	send := func(s abi.Signal) {
		if verbose {
			p.Warn("sending signal ", s.Name(), " to command ", cmdkit.QuoteAF(cmd[0]))
		}
		wsys.Kill(pid, s)
		if foreground {
			return
		}
		// The group is ended too, without timeout itself.
		old := abi.SigHandle
		wsys.SigAction(s, abi.SigIgnore)
		wsys.Kill(0, s)
		if s != abi.SIGKILL && s != abi.SIGCONT {
			wsys.Kill(pid, abi.SIGCONT)
			wsys.SigAction(abi.SIGCONT, abi.SigIgnore)
			wsys.Kill(0, abi.SIGCONT)
			wsys.SigAction(abi.SIGCONT, abi.SigDefault)
		}
		isRelayed := false
		for _, r := range relayed {
			isRelayed = isRelayed || r == s
		}
		if isRelayed {
			wsys.SigAction(s, old)
		}
	}
	deadline := int64(-1)
	if limit > 0 {
		deadline = wsys.Monotonic() + limit
	}
	timedOut := false
	for {
		r, err := wsys.Wait(0, pid, abi.WNOHANG)
		if err != nil && err != abi.EINTR {
			p.Errno(err, "error waiting for command")
			return 125
		}
		if err == nil && r.PID == pid {
			return status(p, r.Status, timedOut, preserve)
		}
		wait := int64(-1)
		if deadline >= 0 {
			if wait = deadline - wsys.Monotonic(); wait <= 0 {
				deadline = -1
				s := sig
				if timedOut {
					s = abi.SIGKILL
				}
				timedOut = true
				send(s)
				if s != abi.SIGKILL && killAfter > 0 {
					deadline = wsys.Monotonic() + killAfter
				}
				continue
			}
			wait = min(wait, 1<<55)
		}
		fds := [1]wsys.PollFD{{FD: abi.PollChild, Events: abi.PollIn}}
		wsys.Poll(fds[:], wait)
		if set := wsys.SigPending(0); set != 0 {
			for _, s := range relayed {
				if !set.Has(s) {
					continue
				}
				if s == abi.SIGALRM {
					deadline = wsys.Monotonic()
					continue
				}
				send(s)
				if killAfter > 0 && !timedOut {
					timedOut = true
					deadline = wsys.Monotonic() + killAfter
				}
			}
		}
	}
}

// status turns the command's end into timeout's own.
func status(p *cmdkit.Proc, w abi.WaitStatus, timedOut, preserve bool) int {
	st := 0
	if w.Signaled() {
		s := w.Signal()
		if !timedOut {
			// As if the command had been called directly.
			p.Stdout.Flush()
			wsys.SigAction(s, abi.SigDefault)
			wsys.DieBy(s)
		}
		if s == abi.SIGKILL && timedOut {
			return 128 + int(s)
		}
		st = 128 + int(s)
	} else {
		st = w.ExitStatus()
	}
	if timedOut && !preserve {
		return 124
	}
	return st
}
