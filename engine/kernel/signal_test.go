// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package kernel_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/engine/kernel"
	"github.com/wsandbox/wsandbox/engine/vfs"
)

func TestDefaultActions(t *testing.T) {
	e := newEnv(t, kernel.Limits{})
	e.ok(func(p *kernel.Process) {
		e.bin.set("x", blocks)
		for sig := abi.Signal(1); sig < abi.NSIG; sig++ {
			pid, err := p.Spawn(spec("x"))
			require.NoError(t, err)
			require.NoError(t, p.Kill(pid, sig))
			switch sig {
			case abi.SIGCHLD, abi.SIGCONT, abi.SIGURG, abi.SIGWINCH:
				r, err := p.Wait(0, pid, abi.WNOHANG|abi.WUNTRACED|abi.WCONTINUED)
				require.NoError(t, err)
				require.Zero(t, r.PID, "%v does nothing", sig)
			case abi.SIGTSTP, abi.SIGTTIN, abi.SIGTTOU:
				// The group is orphaned: only init's session is above it.
				r, err := p.Wait(0, pid, abi.WNOHANG|abi.WUNTRACED)
				require.NoError(t, err)
				require.Zero(t, r.PID, "%v does not stop an orphaned group", sig)
			case abi.SIGSTOP:
				r, err := p.Wait(0, pid, abi.WUNTRACED)
				require.NoError(t, err)
				require.Equal(t, abi.StoppedBy(abi.SIGSTOP), r.Status)
			default:
				r, err := p.Wait(0, pid, 0)
				require.NoError(t, err)
				require.Equal(t, abi.KilledBy(sig), r.Status)
				continue
			}
			require.NoError(t, p.Kill(pid, abi.SIGKILL))
			require.Equal(t, abi.KilledBy(abi.SIGKILL), e.reap(p, pid).Status)
		}
	})
}

func TestKillTargets(t *testing.T) {
	e := newEnv(t, kernel.Limits{})
	outside := e.start(blocks, kernel.StartOptions{})
	e.ok(func(p *kernel.Process) {
		for _, tt := range []struct {
			pid  kernel.PID
			sig  abi.Signal
			want error
		}{
			{1, abi.SIGKILL, abi.EPERM},
			{1, 0, abi.EPERM},
			{-1 << 31, abi.SIGKILL, abi.ESRCH},
			{1 << 30, abi.SIGKILL, abi.ESRCH},
			{-(1 << 30), 0, abi.ESRCH},
			{p.PID(), abi.NSIG, abi.EINVAL},
			{p.PID(), 255, abi.EINVAL},
			{p.PID(), 0, nil},
			{0, 0, nil},
			{outside.PID(), 0, nil},
		} {
			require.Equal(t, tt.want, p.Kill(tt.pid, tt.sig), "kill(%d, %d)", tt.pid, tt.sig)
		}
		// kill(-1) spares init and the caller.
		require.NoError(t, p.SigAction(abi.SIGUSR1, abi.SigHandle))
		require.NoError(t, p.Kill(-1, abi.SIGKILL))
		require.NoError(t, p.Yield())
	})
	require.Equal(t, abi.KilledBy(abi.SIGKILL), e.wait(outside).Status)
	_, ok := e.k.Process(1)
	require.True(t, ok)
	require.Equal(t, abi.EPERM, e.k.Kill(1, abi.SIGKILL))
	require.Equal(t, abi.ESRCH, e.k.Kill(-1, abi.SIGKILL), "nobody but init")
}

func TestKillGroupZeroStaysInGroup(t *testing.T) {
	e := newEnv(t, kernel.Limits{})
	other := e.start(blocks, kernel.StartOptions{})
	e.bin.set("x", blocks)
	r := e.run(func(p *kernel.Process) abi.WaitStatus {
		_, err := p.Spawn(spec("x"))
		require.NoError(t, err)
		require.NoError(t, p.Kill(0, abi.SIGTERM))
		p.Yield()
		return 0
	})
	require.Equal(t, abi.KilledBy(abi.SIGTERM), r.Status)
	require.NoError(t, other.Signal(0), "another group lives on")
	require.NoError(t, other.Signal(abi.SIGKILL))
	e.wait(other)
	require.Equal(t, abi.ESRCH, other.Signal(abi.SIGKILL))
}

func TestHandledSignalsArePolled(t *testing.T) {
	e := newEnv(t, kernel.Limits{})
	e.ok(func(p *kernel.Process) {
		require.Equal(t, abi.EINVAL, p.SigAction(abi.SIGKILL, abi.SigHandle))
		require.Equal(t, abi.EINVAL, p.SigAction(abi.SIGSTOP, abi.SigIgnore))
		require.Equal(t, abi.EINVAL, p.SigAction(0, abi.SigIgnore))
		require.Equal(t, abi.EINVAL, p.SigAction(abi.SIGINT, 9))
		require.NoError(t, p.SigAction(abi.SIGKILL, abi.SigDefault))

		require.NoError(t, p.SigAction(abi.SIGINT, abi.SigHandle))
		require.NoError(t, p.SigAction(abi.SIGTERM, abi.SigIgnore))
		require.Zero(t, p.FlagBits())
		require.NoError(t, p.Kill(p.PID(), abi.SIGTERM))
		require.Zero(t, p.FlagBits())
		require.NoError(t, p.Kill(p.PID(), abi.SIGINT))
		require.NoError(t, p.Yield())
		require.Equal(t, abi.SigFlagSignal, p.FlagBits())
		require.Zero(t, p.FlagBits())

		_, err := p.Poll(nil, -1)
		require.Equal(t, abi.EINTR, err, "not taken yet")
		s, err := p.SigPending(0)
		require.NoError(t, err)
		require.Equal(t, abi.SignalSet(1<<abi.SIGINT), s)
		n, err := p.Poll(nil, 1)
		require.NoError(t, err)
		require.Zero(t, n)
		s, _ = p.SigPending(0)
		require.Zero(t, s)

		// A pending signal that is not handled any more is gone.
		require.NoError(t, p.Kill(p.PID(), abi.SIGINT))
		require.NoError(t, p.SigAction(abi.SIGINT, abi.SigDefault))
		_, err = p.Poll(nil, 1)
		require.NoError(t, err)
		_, err = p.SigPending(1)
		require.Equal(t, abi.ESRCH, err)
	})
}

// TestSignalInterrupts ends each kind of wait by a handled signal, by SIGKILL
// and by Close.
func TestSignalInterrupts(t *testing.T) {
	waits := map[string]func(*kernel.Process) error{
		"read": func(p *kernel.Process) error { _, err := p.Read(0, make([]byte, 1), 0); return err },
		"write": func(p *kernel.Process) error {
			for {
				if _, err := p.Write(1, make([]byte, 4096), 0); err != nil {
					return err
				}
			}
		},
		"wait": func(p *kernel.Process) error { _, err := p.Wait(0, -1, 0); return err },
		"poll": func(p *kernel.Process) error {
			_, err := p.Poll([]kernel.PollEntry{{FD: 0, Events: abi.PollIn}}, -1)
			return err
		},
		"sleep":  func(p *kernel.Process) error { _, err := p.Poll(nil, 1e18); return err },
		"fifo":   func(p *kernel.Process) error { _, err := p.Open(abi.AtCwd, "/fifo", abi.ORdonly, 0); return err },
		"splice": func(p *kernel.Process) error { _, err := p.Splice(0, 3, 1<<40); return err },
		"readv":  func(p *kernel.Process) error { _, err := p.Readv(0, [][]byte{make([]byte, 1), nil}, 0); return err },
		"children": func(p *kernel.Process) error {
			_, err := p.Poll([]kernel.PollEntry{{FD: abi.PollChild}}, -1)
			return err
		},
	}
	for name, wait := range waits {
		for _, how := range []string{"handled", "killed", "closed"} {
			t.Run(name+" "+how, func(t *testing.T) {
				e := newEnv(t, kernel.Limits{})
				ready := make(chan *kernel.Process, 1)
				got := make(chan error, 1)
				e.bin.set("child", blocks)
				p := e.start(func(p *kernel.Process) abi.WaitStatus {
					require.NoError(t, p.SigAction(abi.SIGUSR1, abi.SigHandle))
					require.NoError(t, p.Mkfifo(abi.AtCwd, "/fifo", 0o600))
					_, _, err := p.Pipe(0)
					require.NoError(t, err)
					_, _, err = p.Pipe(0)
					require.NoError(t, err)
					pid, err := p.Spawn(spec("child"))
					require.NoError(t, err)
					ready <- p
					got <- wait(p)
					p.Kill(pid, abi.SIGKILL)
					return 0
				}, kernel.StartOptions{})
				<-ready
				// Wherever it is by now, in the call or before it.
				want := error(kernel.ErrExiting)
				switch how {
				case "handled":
					want = abi.EINTR
					require.NoError(t, p.Signal(abi.SIGUSR1))
				case "killed":
					require.NoError(t, p.Signal(abi.SIGKILL))
				case "closed":
					require.NoError(t, e.k.Close())
				}
				require.Equal(t, want, <-got)
				e.wait(p)
			})
		}
	}
}

func TestStopAndContinue(t *testing.T) {
	e := newEnv(t, kernel.Limits{})
	for _, kind := range []struct {
		name string
		f    body
	}{{"spinning", spin}, {"blocked", blocks}} {
		t.Run(kind.name, func(t *testing.T) {
			e.ok(func(p *kernel.Process) {
				require.NoError(t, p.SigAction(abi.SIGCHLD, abi.SigHandle))
				pid := e.spawn(p, "x", kind.f)
				require.NoError(t, p.Kill(pid, abi.SIGSTOP))
				var r abi.WaitResult
				for {
					var err error
					if r, err = p.Wait(0, pid, abi.WUNTRACED); err != abi.EINTR {
						require.NoError(t, err)
						break
					}
					s, err := p.SigPending(0)
					require.NoError(t, err)
					require.Equal(t, abi.SignalSet(1<<abi.SIGCHLD), s)
				}
				require.Equal(t, abi.StoppedBy(abi.SIGSTOP), r.Status)
				require.Equal(t, abi.SigFlagChild, p.FlagBits()&abi.SigFlagChild)
				p.SigPending(0)
				c, ok := e.k.Process(pid)
				require.True(t, ok)

				// It stays stopped for other signals and wakes for SIGCONT.
				r, err := p.Wait(0, pid, abi.WUNTRACED|abi.WNOHANG)
				require.NoError(t, err)
				require.Zero(t, r.PID, "reported once")
				require.NoError(t, c.Signal(abi.SIGCONT))
				p.SigPending(0)
				r, err = p.Wait(0, pid, abi.WCONTINUED)
				require.NoError(t, err)
				require.Equal(t, abi.ContinuedStatus, r.Status)
				require.NoError(t, c.Signal(abi.SIGSTOP))
				require.NoError(t, c.Signal(abi.SIGKILL))
				p.SigPending(0)
				for {
					if r, err = p.Wait(0, pid, 0); err != abi.EINTR {
						break
					}
					p.SigPending(0)
				}
				require.NoError(t, err)
				require.Equal(t, abi.KilledBy(abi.SIGKILL), r.Status)
			})
		})
	}
}

func TestStoppedProcessUsesNoTime(t *testing.T) {
	e := newEnv(t, kernel.Limits{})
	e.ok(func(p *kernel.Process) {
		pid := e.spawn(p, "x", spin)
		require.NoError(t, p.Kill(pid, abi.SIGSTOP))
		_, err := p.Wait(0, pid, abi.WUNTRACED)
		require.NoError(t, err)
		c, _ := e.k.Process(pid)
		cpu := func() int64 { n, _ := c.Clock(abi.ClockProcessCPU); return n }
		last := cpu()
		eventually(t, "its time stands still", func() bool {
			now := cpu()
			same := now == last
			last = now
			return same
		})
		require.NoError(t, p.Kill(pid, abi.SIGCONT))
		eventually(t, "its time goes on", func() bool { return cpu() > last })
		require.NoError(t, p.Kill(pid, abi.SIGKILL))
		e.reap(p, pid)
	})
}

func TestTerminalStopInJobControlledGroup(t *testing.T) {
	e := newEnv(t, kernel.Limits{})
	e.ok(func(p *kernel.Process) {
		// A group of its own whose parent is in another group of the
		// session is not orphaned.
		e.bin.set("x", blocks)
		s := spec("x")
		s.Flags = abi.SpawnSetpgid
		pid, err := p.Spawn(s)
		require.NoError(t, err)
		require.NoError(t, p.Kill(-pid, abi.SIGTSTP))
		r, err := p.Wait(0, pid, abi.WUNTRACED)
		require.NoError(t, err)
		require.Equal(t, abi.StoppedBy(abi.SIGTSTP), r.Status)
		require.NoError(t, p.Kill(pid, abi.SIGKILL))
		e.reap(p, pid)
	})
}

func TestOrphanedStoppedGroupIsHungUp(t *testing.T) {
	e := newEnv(t, kernel.Limits{})
	e.bin.set("stopped", blocks)
	pids := make(chan kernel.PID, 1)
	e.ok(func(p *kernel.Process) {
		shell := e.spawn(p, "shell", func(c *kernel.Process) abi.WaitStatus {
			s := spec("stopped")
			s.Flags = abi.SpawnSetpgid
			pid, err := c.Spawn(s)
			require.NoError(t, err)
			require.NoError(t, c.Kill(pid, abi.SIGSTOP))
			_, err = c.Wait(0, pid, abi.WUNTRACED)
			require.NoError(t, err)
			pids <- pid
			return 0
		})
		e.reap(p, shell)
		pid := <-pids
		eventually(t, "SIGHUP has ended it", func() bool { return p.Kill(pid, 0) == abi.ESRCH })
	})
}

func TestIgnoredSignalsAreInherited(t *testing.T) {
	e := newEnv(t, kernel.Limits{})
	e.ok(func(p *kernel.Process) {
		require.NoError(t, p.SigAction(abi.SIGHUP, abi.SigIgnore))
		require.NoError(t, p.SigAction(abi.SIGINT, abi.SigHandle))
		e.bin.set("x", func(c *kernel.Process) abi.WaitStatus {
			require.NoError(t, c.Kill(c.PID(), abi.SIGHUP))
			require.NoError(t, c.Kill(c.PID(), abi.SIGQUIT))
			require.NoError(t, c.Yield())
			require.NoError(t, c.Kill(c.PID(), abi.SIGINT))
			require.Equal(t, kernel.ErrExiting, c.Yield())
			return 0
		})
		s := spec("x")
		s.Ignored = 1<<abi.SIGQUIT | 1<<abi.SIGKILL | 1<<60
		pid, err := p.Spawn(s)
		require.NoError(t, err)
		require.Equal(t, abi.KilledBy(abi.SIGINT), e.reap(p, pid).Status)
		pid, err = p.Spawn(func() *abi.SpawnSpec { s := spec("y"); s.Ignored = ^abi.SignalSet(0); return s }())
		require.Equal(t, abi.ENOENT, err)
		require.Zero(t, pid)
		e.bin.set("y", blocks)
		s.Path, s.Ignored = "/bin/y", ^abi.SignalSet(0)
		pid, err = p.Spawn(s)
		require.NoError(t, err)
		require.NoError(t, p.Kill(pid, abi.SIGTERM))
		require.NoError(t, p.Kill(pid, abi.SIGKILL))
		require.Equal(t, abi.KilledBy(abi.SIGKILL), e.reap(p, pid).Status)
	})
}

func TestIgnoredSigchldLeavesNoZombies(t *testing.T) {
	e := newEnv(t, kernel.Limits{})
	e.ok(func(p *kernel.Process) {
		require.NoError(t, p.SigAction(abi.SIGCHLD, abi.SigIgnore))
		e.bin.set("x", exits(3))
		for range 5 {
			_, err := p.Spawn(spec("x"))
			require.NoError(t, err)
		}
		_, err := p.Wait(0, -1, 0)
		require.Equal(t, abi.ECHILD, err, "waits for all and then reports none")
		require.Equal(t, []kernel.PID{1, p.PID()}, e.k.PIDs())
	})
}

func TestSetpgidAndSetsid(t *testing.T) {
	e := newEnv(t, kernel.Limits{})
	e.ok(func(p *kernel.Process) {
		_, err := p.Setsid()
		require.Equal(t, abi.EPERM, err, "a leader")
		require.Equal(t, abi.EPERM, p.Setpgid(0, 0), "a session leader")
		require.Equal(t, abi.ESRCH, p.Setpgid(99999, 0))
		require.Equal(t, abi.ESRCH, p.Setpgid(1, 0))
		require.Equal(t, abi.EINVAL, p.Setpgid(0, -5))
		a, b := e.spawn(p, "x", blocks), e.spawn(p, "x", blocks)
		require.NoError(t, p.Setpgid(a, a))
		require.NoError(t, p.Setpgid(b, a))
		require.NoError(t, p.Setpgid(b, a))
		i, err := p.Info(b)
		require.NoError(t, err)
		require.Equal(t, a, i.Pgid)
		require.Equal(t, abi.EPERM, p.Setpgid(b, 4444))
		require.NoError(t, p.Setpgid(b, 0))
		require.NoError(t, p.Setpgid(b, p.PID()))
		require.Equal(t, abi.ESRCH, p.Kill(-b, 0), "the group is gone with its last member")
		require.NoError(t, p.Kill(-a, abi.SIGKILL))
		require.NoError(t, p.Kill(b, abi.SIGKILL))
		e.reap(p, a)
		e.reap(p, b)

		c := e.spawn(p, "session", func(c *kernel.Process) abi.WaitStatus {
			sid, err := c.Setsid()
			require.NoError(t, err)
			require.Equal(t, c.PID(), sid)
			i, err := c.Info(0)
			require.NoError(t, err)
			require.Equal(t, []kernel.PID{sid, sid}, []kernel.PID{i.Sid, i.Pgid})
			require.Equal(t, abi.EPERM, c.Setpgid(0, p.PID()))
			return 0
		})
		require.Equal(t, abi.ExitedWith(0), e.reap(p, c).Status)
	})
}

// TestKillOtherUser: a user sends no signals to the processes of another, and
// user 0 does.
func TestKillOtherUser(t *testing.T) {
	e := newEnv(t, kernel.Limits{})
	other := e.start(blocks, kernel.StartOptions{Cred: &vfs.Cred{UID: 1001, GID: 1001}})
	info, err := other.Info(0)
	require.NoError(t, err)
	require.Equal(t, uint32(1001), info.EUID)
	require.Equal(t, uint32(1001), info.GID)
	e.ok(func(p *kernel.Process) {
		for _, pid := range []kernel.PID{other.PID(), -other.PID()} {
			require.Equal(t, abi.EPERM, p.Kill(pid, abi.SIGKILL))
			require.Equal(t, abi.EPERM, p.Kill(pid, 0))
		}
		require.Equal(t, abi.EPERM, p.Kill(-1, abi.SIGKILL), "nobody else is there")
	})
	root := e.start(func(p *kernel.Process) abi.WaitStatus {
		if p.Kill(other.PID(), abi.SIGTERM) != nil {
			return abi.ExitedWith(1)
		}
		return abi.ExitedWith(0)
	}, kernel.StartOptions{Cred: &vfs.Cred{}})
	<-root.Done()
	require.Equal(t, abi.ExitedWith(0), root.Result().Status)
	<-other.Done()
	require.Equal(t, abi.KilledBy(abi.SIGTERM), other.Result().Status)
}
