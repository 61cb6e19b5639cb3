// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package kernel_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/engine/kernel"
)

func TestShadow(t *testing.T) {
	e := newEnv(t, kernel.Limits{})
	e.ok(func(p *kernel.Process) {
		s, err := p.Shadow(0, 0, 0)
		require.NoError(t, err)
		i, err := p.Info(s)
		require.NoError(t, err)
		require.Equal(t, []kernel.PID{p.PID(), s, p.PID()}, []kernel.PID{i.PPID, i.Pgid, i.Sid})
		sub, err := p.Shadow(s, -1, 0)
		require.NoError(t, err)
		i, err = p.Info(sub)
		require.NoError(t, err)
		require.Equal(t, []kernel.PID{s, s}, []kernel.PID{i.PPID, i.Pgid})

		// A child of the shadow, in its group.
		e.bin.set("x", blocks)
		sp := spec("x")
		sp.PPID = s
		c, err := p.Spawn(sp)
		require.NoError(t, err)
		i, err = p.Info(c)
		require.NoError(t, err)
		require.Equal(t, []kernel.PID{s, s}, []kernel.PID{i.PPID, i.Pgid})
		_, err = p.Wait(0, c, 0)
		require.Equal(t, abi.ECHILD, err)
		sp.PPID = c
		_, err = p.Spawn(sp)
		require.Equal(t, abi.ESRCH, err)

		// A signal for the group reaches the child at once and the shadows
		// as pending.
		p.FlagBits()
		require.NoError(t, p.Kill(-s, abi.SIGTERM))
		require.Equal(t, abi.SigFlagSignal, p.FlagBits()&abi.SigFlagSignal)
		for _, pid := range []kernel.PID{s, sub} {
			set, err := p.SigPending(pid)
			require.NoError(t, err)
			require.Equal(t, abi.SignalSet(1<<abi.SIGTERM), set)
		}
		n, err := p.Poll([]kernel.PollEntry{{FD: abi.PollChild}}, -1)
		require.NoError(t, err)
		require.Equal(t, 1, n, "a child of a shadow has ended")
		r, err := p.Wait(s, -1, 0)
		require.NoError(t, err)
		require.Equal(t, c, r.PID)
		require.Equal(t, abi.KilledBy(abi.SIGTERM), r.Status)

		// States are reported to whoever waits.
		require.NoError(t, p.ShadowStatus(s, abi.StoppedBy(abi.SIGTSTP)))
		r, err = p.Wait(0, s, abi.WUNTRACED)
		require.NoError(t, err)
		require.Equal(t, abi.StoppedBy(abi.SIGTSTP), r.Status)
		require.NoError(t, p.ShadowStatus(s, abi.ContinuedStatus))
		require.NoError(t, p.ShadowStatus(s, abi.ExitedWith(4)))
		require.Equal(t, abi.ESRCH, p.ShadowStatus(s, abi.ExitedWith(4)))
		require.Equal(t, abi.ESRCH, p.ShadowStatus(p.PID(), 0))
		i, err = p.Info(sub)
		require.NoError(t, err)
		require.Equal(t, kernel.PID(1), i.PPID, "orphaned")
		r, err = p.Wait(0, -1, 0)
		require.NoError(t, err)
		require.Equal(t, s, r.PID)
		require.Equal(t, abi.ExitedWith(4), r.Status)
		require.NoError(t, p.ShadowStatus(sub, abi.ExitedWith(0)))
		_, err = p.Info(sub)
		require.Equal(t, abi.ESRCH, err, "reaped by init")

		_, err = p.Shadow(12345, -1, 0)
		require.Equal(t, abi.ESRCH, err)
		_, err = p.Shadow(0, -2, 0)
		require.Equal(t, abi.EINVAL, err)
		_, err = p.Shadow(0, 12345, 0)
		require.Equal(t, abi.EPERM, err)
		_, err = p.Shadow(0, 0, abi.SpawnSetsid)
		require.Equal(t, abi.EINVAL, err)
	})
}

func TestShadowsEndWithTheirOwner(t *testing.T) {
	e := newEnv(t, kernel.Limits{})
	for _, how := range []string{"exit", "exec", "kill"} {
		t.Run(how, func(t *testing.T) {
			pids := make(chan kernel.PID, 3)
			e.bin.set("after", exits(0))
			e.bin.set("grandchild", blocks)
			e.ok(func(p *kernel.Process) {
				owner := e.spawn(p, "owner", func(c *kernel.Process) abi.WaitStatus {
					s, err := c.Shadow(0, 0, 0)
					require.NoError(t, err)
					s2, err := c.Shadow(s, 0, 0)
					require.NoError(t, err)
					sp := spec("grandchild")
					sp.PPID = s2
					g, err := c.Spawn(sp)
					require.NoError(t, err)
					pids <- s
					pids <- s2
					pids <- g
					switch how {
					case "exec":
						require.NoError(t, c.Exec(spec("after")))
					case "kill":
						return blocks(c)
					}
					return 0
				})
				s, s2, g := <-pids, <-pids, <-pids
				if how == "kill" {
					require.NoError(t, p.Kill(owner, abi.SIGKILL))
				}
				e.reap(p, owner)
				_, err := p.Info(s)
				require.Equal(t, abi.ESRCH, err)
				_, err = p.Info(s2)
				require.Equal(t, abi.ESRCH, err)
				i, err := p.Info(g)
				require.NoError(t, err)
				require.Equal(t, kernel.PID(1), i.PPID)
				require.NoError(t, p.Kill(g, abi.SIGKILL))
				eventually(t, "gone", func() bool { return p.Kill(g, 0) == abi.ESRCH })
			})
		})
	}
}

// A process that has ended for all others runs its shadows on.
func TestLeave(t *testing.T) {
	e := newEnv(t, kernel.Limits{})
	begin, end := make(chan kernel.PID, 1), make(chan struct{})
	e.bin.set("left", func(c *kernel.Process) abi.WaitStatus {
		require.Equal(t, abi.EPERM, c.ShadowStatus(0, 0), "no shadow")
		s, err := c.Shadow(0, 0, 0)
		require.NoError(t, err)
		require.Equal(t, abi.EINVAL, c.ShadowStatus(0, abi.StoppedBy(abi.SIGSTOP)))
		require.NoError(t, c.ShadowStatus(0, abi.ExitedWith(3)))
		require.Equal(t, abi.EPERM, c.ShadowStatus(0, abi.ExitedWith(4)), "again")
		require.Equal(t, abi.ESRCH, c.Setpgid(0, 0))
		_, err = c.Setsid()
		require.Equal(t, abi.EPERM, err)
		begin <- s
		<-end
		// It still has children.
		e.bin.set("child", func(*kernel.Process) abi.WaitStatus { return abi.ExitedWith(5) })
		pid, err := c.Spawn(spec("child"))
		require.NoError(t, err)
		r, err := c.Wait(0, pid, 0)
		require.NoError(t, err)
		require.Equal(t, abi.ExitedWith(5), r.Status)
		i, err := c.Info(s)
		require.NoError(t, err)
		require.Equal(t, kernel.PID(1), i.PPID)
		// It ends with the last shadow.
		require.NoError(t, c.ShadowStatus(s, 0))
		_, err = c.Wait(0, -1, 0)
		for err == nil {
			_, err = c.Wait(0, -1, 0)
		}
		return 0
	})
	var left kernel.PID
	p := e.start(func(p *kernel.Process) abi.WaitStatus {
		pid, err := p.Spawn(spec("left"))
		require.NoError(t, err)
		left = pid
		r, err := p.Wait(0, pid, 0)
		require.NoError(t, err)
		require.Equal(t, abi.ExitedWith(3), r.Status)
		s := <-begin
		require.Equal(t, abi.ESRCH, p.Kill(left, 0))
		require.NoError(t, p.Kill(s, 0))
		return abi.ExitedWith(7)
	}, kernel.StartOptions{})
	require.Equal(t, abi.ExitedWith(7), e.wait(p).Status)
	require.NotEmpty(t, p.Job().PIDs(), "the job goes on")
	close(end)
	<-p.Job().Done()

	// The first process of a job that ends with it stays what it is.
	p = e.start(func(p *kernel.Process) abi.WaitStatus {
		_, err := p.Shadow(0, 0, 0)
		require.NoError(t, err)
		require.Equal(t, abi.EPERM, p.ShadowStatus(0, 0))
		return abi.ExitedWith(8)
	}, kernel.StartOptions{KillOrphans: true})
	require.Equal(t, abi.ExitedWith(8), e.wait(p).Status)

	// Killing the job, and the limits, reach it.
	p = e.start(func(p *kernel.Process) abi.WaitStatus {
		_, err := p.Shadow(0, 0, 0)
		require.NoError(t, err)
		require.NoError(t, p.ShadowStatus(0, abi.ExitedWith(9)))
		for p.Yield() == nil {
		}
		return 0
	}, kernel.StartOptions{})
	require.Equal(t, abi.ExitedWith(9), e.wait(p).Status)
	p.Job().Kill(abi.SIGKILL)
	<-p.Job().Done()
}
