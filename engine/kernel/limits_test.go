// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package kernel_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/engine/kernel"
)

func TestDefaultLimits(t *testing.T) {
	e := newEnv(t, kernel.Limits{Memory: -1})
	l := e.k.Limits()
	require.Equal(t, kernel.Limits{
		Memory: 1 << 62, TotalMemory: 4 << 30, CPU: time.Hour, Processes: 512, Files: 1024, OpenFiles: 16384,
		Output: 4 << 30, FileSize: 8 << 30, ArgBytes: 2 << 20, PathBytes: 4096, PipeBytes: 64 << 20,
	}, l)
	e.ok(func(p *kernel.Process) {
		soft, hard, err := p.Getrlimit(abi.RlimitAS)
		require.NoError(t, err)
		require.Equal(t, []uint64{abi.RlimInfinity, abi.RlimInfinity}, []uint64{soft, hard})
	})
}

func TestProcessLimitStopsForkBombs(t *testing.T) {
	e := newEnv(t, kernel.Limits{Processes: 50})
	var bomb body
	bomb = func(p *kernel.Process) abi.WaitStatus {
		for p.Yield() == nil {
			if _, err := p.Spawn(spec("bomb")); err != nil && err != kernel.ErrExiting {
				if err != abi.EAGAIN {
					return abi.ExitedWith(1)
				}
				p.Poll(nil, 1e6)
			}
		}
		return 0
	}
	e.bin.set("bomb", bomb)
	p := e.start(bomb, kernel.StartOptions{})
	eventually(t, "the limit is reached", func() bool { return p.Job().Reached().Has(abi.LimitProcesses) })
	require.LessOrEqual(t, len(e.k.PIDs()), 51)
	_, err := e.k.Start(spec("main"), nil, kernel.StartOptions{})
	require.Equal(t, abi.EAGAIN, err)
	p.Job().Kill(abi.SIGKILL)
	<-p.Job().Done()
	require.Empty(t, p.Job().PIDs())
	e.ok(func(p *kernel.Process) {
		// The sandbox goes on, and shadows count too.
		n := 0
		for {
			if _, err := p.Shadow(0, -1, 0); err != nil {
				require.Equal(t, abi.EAGAIN, err)
				break
			}
			n++
		}
		require.Equal(t, 49, n)
	})
	require.Equal(t, []kernel.PID{1}, e.k.PIDs())
}

func TestNprocCanBeLowered(t *testing.T) {
	e := newEnv(t, kernel.Limits{})
	e.ok(func(p *kernel.Process) {
		require.NoError(t, p.Setrlimit(abi.RlimitNproc, 2, 2))
		e.bin.set("x", blocks)
		pid, err := p.Spawn(spec("x"))
		require.NoError(t, err)
		_, err = p.Spawn(spec("x"))
		require.Equal(t, abi.EAGAIN, err)
		require.NoError(t, p.Kill(pid, abi.SIGKILL))
		e.reap(p, pid)
	})
}

func TestMemoryLimit(t *testing.T) {
	e := newEnv(t, kernel.Limits{Memory: 1 << 20, TotalMemory: 3 << 19})
	e.bin.set("hog", func(p *kernel.Process) abi.WaitStatus {
		require.Equal(t, int64(1<<20), p.MemoryLimit())
		require.True(t, p.GrowMemory(1<<19))
		require.False(t, p.GrowMemory(1<<20))
		require.False(t, p.GrowMemory(1<<62))
		require.True(t, p.GrowMemory(1<<19))
		return abi.ExitedWith(2)
	})
	e.ok(func(p *kernel.Process) {
		pid, err := p.Spawn(spec("hog"))
		require.NoError(t, err)
		r := e.reap(p, pid)
		require.Equal(t, abi.LimitMemory, r.Limit)
		require.Equal(t, int64(1<<20), r.Maxrss)
		require.Zero(t, e.k.Memory())

		require.True(t, p.GrowMemory(1<<20))
		pid = e.spawn(p, "second", func(c *kernel.Process) abi.WaitStatus {
			require.True(t, c.GrowMemory(1<<19))
			require.False(t, c.GrowMemory(1), "the sandbox's limit")
			c.Fault(abi.SIGKILL, abi.LimitMemory)
			return 0
		})
		r = e.reap(p, pid)
		require.Equal(t, abi.LimitMemory, r.Limit)
		require.Equal(t, abi.KilledBy(abi.SIGKILL), r.Status)
		require.True(t, p.Job().Reached().Has(abi.LimitMemory))
		require.Equal(t, []abi.Limit{abi.LimitMemory}, p.Job().Reached().Limits())
	})
}

func TestCPULimit(t *testing.T) {
	for _, tt := range []struct {
		name   string
		action abi.SigAction
		want   abi.WaitStatus
	}{
		{"default", abi.SigDefault, abi.KilledBy(abi.SIGXCPU)},
		{"ignored", abi.SigIgnore, abi.KilledBy(abi.SIGKILL)},
	} {
		t.Run(tt.name, func(t *testing.T) {
			e := newEnv(t, kernel.Limits{CPU: 50 * time.Millisecond})
			r := e.run(func(p *kernel.Process) abi.WaitStatus {
				require.NoError(t, p.SigAction(abi.SIGXCPU, tt.action))
				return spin(p)
			})
			require.Equal(t, tt.want, r.Status)
			require.Equal(t, abi.LimitCPU, r.Limit)
			require.GreaterOrEqual(t, r.Utime, int64(50e6))
		})
	}
}

func TestCPULimitSparesTheIdle(t *testing.T) {
	e := newEnv(t, kernel.Limits{CPU: 300 * time.Millisecond})
	e.ok(func(p *kernel.Process) {
		_, err := p.Poll(nil, 400e6)
		require.NoError(t, err)
	})
	e.ok(func(p *kernel.Process) {
		soft, hard, err := p.Getrlimit(abi.RlimitCPU)
		require.NoError(t, err)
		require.Equal(t, []uint64{1, 2}, []uint64{soft, hard})
	})
}

func TestSetrlimit(t *testing.T) {
	e := newEnv(t, kernel.Limits{CPU: 10 * time.Second})
	e.ok(func(p *kernel.Process) {
		for _, tt := range []struct {
			r          abi.Resource
			soft, hard uint64
			want       error
		}{
			{abi.RlimitNofile, 10, 5, abi.EINVAL},
			{abi.RlimitNofile, 10, 2000, abi.EPERM},
			{abi.RlimitNofile, 10, 20, nil},
			{abi.RlimitNofile, 20, 20, nil},
			{abi.RlimitNofile, 21, 21, abi.EPERM},
			{abi.RlimitCore, 0, 0, nil},
			{abi.RlimitCore, 0, 1, abi.EPERM},
			{abi.Resource(5), 0, 0, abi.EINVAL},
			{abi.Resource(-1), 0, 0, abi.EINVAL},
			{abi.RlimitCPU, 5, 5, nil},
			{abi.RlimitCPU, abi.RlimInfinity, abi.RlimInfinity, abi.EPERM},
		} {
			require.Equal(t, tt.want, p.Setrlimit(tt.r, tt.soft, tt.hard), "%+v", tt)
		}
		soft, hard, err := p.Getrlimit(abi.RlimitNofile)
		require.NoError(t, err)
		require.Equal(t, []uint64{20, 20}, []uint64{soft, hard})
		require.Equal(t, abi.EBADF, p.DupTo(0, 20, 0))
		_, _, err = p.Getrlimit(99)
		require.Equal(t, abi.EINVAL, err)
		pid := e.spawn(p, "child", func(c *kernel.Process) abi.WaitStatus {
			soft, _, err := c.Getrlimit(abi.RlimitNofile)
			require.NoError(t, err)
			require.Equal(t, uint64(20), soft)
			soft, _, err = c.Getrlimit(abi.RlimitCPU)
			require.NoError(t, err)
			require.Equal(t, uint64(5), soft)
			return 0
		})
		require.Equal(t, abi.ExitedWith(0), e.reap(p, pid).Status)
	})
}

func TestFileSizeLimit(t *testing.T) {
	e := newEnv(t, kernel.Limits{FileSize: 100})
	use := func(p *kernel.Process, flag abi.OpenFlag) error {
		fd, err := p.Open(abi.AtCwd, "/big", abi.OCreat|abi.OTrunc|abi.ORdwr|flag, 0o600)
		require.NoError(t, err)
		n, err := p.Write(fd, make([]byte, 150), 0)
		require.NoError(t, err)
		require.Equal(t, 100, n, "what fits is written")
		n, err = p.Pwrite(fd, make([]byte, 5), 98)
		require.NoError(t, err)
		require.Equal(t, 2, n)
		_, err = p.Write(fd, []byte("x"), 0)
		return err
	}
	for _, flag := range []abi.OpenFlag{0, abi.OAppend} {
		r := e.run(func(p *kernel.Process) abi.WaitStatus {
			require.Equal(t, kernel.ErrExiting, use(p, flag))
			return 0
		})
		require.Equal(t, abi.KilledBy(abi.SIGXFSZ), r.Status)
		require.Equal(t, abi.LimitFileSize, r.Limit)
		e.ok(func(p *kernel.Process) {
			require.NoError(t, p.SigAction(abi.SIGXFSZ, abi.SigIgnore))
			require.Equal(t, abi.EFBIG, use(p, flag))
			fd, err := p.Open(abi.AtCwd, "/big", abi.ORdwr, 0)
			require.NoError(t, err)
			require.Equal(t, abi.EFBIG, p.Ftruncate(fd, 101))
			require.Equal(t, abi.EFBIG, p.Allocate(fd, 100, 1))
			require.NoError(t, p.Ftruncate(fd, 100))
		})
	}
}

func TestOutputLimitEndsTheJob(t *testing.T) {
	e := newEnv(t, kernel.Limits{Output: 1000})
	c := kernel.NewCollector(1 << 20)
	e.bin.set("yes", func(p *kernel.Process) abi.WaitStatus {
		for {
			if _, err := p.Write(1, []byte("yyyyyyy\n"), 0); err != nil {
				return abi.ExitedWith(1)
			}
		}
	})
	p := e.start(func(p *kernel.Process) abi.WaitStatus {
		pid, err := p.Spawn(spec("yes"))
		require.NoError(t, err)
		p.Wait(0, pid, 0)
		return blocks(p)
	}, kernel.StartOptions{}, nil, c.File())
	r := e.wait(p)
	require.Equal(t, abi.KilledBy(abi.SIGXFSZ), r.Status)
	require.Equal(t, abi.LimitOutput, r.Limit)
	require.Equal(t, int64(1000), c.Total())
	require.Equal(t, int64(1000), p.Job().Output())
	e.ok(func(p *kernel.Process) {
		_, err := p.Write(1, make([]byte, 500), 0)
		require.NoError(t, err, "the next job has a budget of its own")
	}, nil, c.File())
}

func TestOpenFilesLimit(t *testing.T) {
	e := newEnv(t, kernel.Limits{OpenFiles: 10})
	e.ok(func(p *kernel.Process) {
		for range 5 {
			_, _, err := p.Pipe(0)
			require.NoError(t, err)
		}
		_, err := p.Open(abi.AtCwd, "/", 0, 0)
		require.Equal(t, abi.ENFILE, err)
		_, _, err = p.Pipe(0)
		require.Equal(t, abi.ENFILE, err)
		_, err = p.Dup(0, 0, 0)
		require.NoError(t, err, "no new description")
	})
	require.Zero(t, e.k.OpenFiles())
}

func TestTimeoutEndsEverything(t *testing.T) {
	e := newEnv(t, kernel.Limits{})
	e.bin.set("spin", spin)
	e.bin.set("away", func(p *kernel.Process) abi.WaitStatus {
		if _, err := p.Setsid(); err != nil {
			return abi.ExitedWith(1)
		}
		p.SigAction(abi.SIGTERM, abi.SigIgnore)
		if _, err := p.Spawn(spec("spin")); err != nil {
			return abi.ExitedWith(2)
		}
		return 0 // its child is adopted by init, in another session
	})
	bystander := e.start(blocks, kernel.StartOptions{})
	start := time.Now()
	p := e.start(func(p *kernel.Process) abi.WaitStatus {
		pid, err := p.Spawn(spec("away"))
		require.NoError(t, err)
		require.Equal(t, abi.ExitedWith(0), e.reap(p, pid).Status)
		return spin(p)
	}, kernel.StartOptions{Timeout: 100 * time.Millisecond})
	r := e.wait(p)
	require.Equal(t, abi.KilledBy(abi.SIGKILL), r.Status)
	require.Equal(t, abi.LimitWall, r.Limit)
	<-p.Job().Done()
	require.GreaterOrEqual(t, time.Since(start), 100*time.Millisecond)
	require.Equal(t, []kernel.PID{1, bystander.PID()}, e.k.PIDs())
	require.True(t, p.Job().Reached().Has(abi.LimitWall))
}

func TestTimeoutOfFinishedJobIsHarmless(t *testing.T) {
	goroutines(t, func() {
		e := newEnvOpen(t, kernel.Limits{})
		for range 100 {
			p := e.start(exits(0), kernel.StartOptions{Timeout: time.Hour})
			require.Equal(t, abi.LimitNone, e.wait(p).Limit)
			<-p.Job().Done()
			p.Job().KillLimit(abi.SIGKILL, abi.LimitWall)
			require.Zero(t, p.Job().Reached())
		}
		require.NoError(t, e.k.Close())
	})
}

func TestOrphansOfAJob(t *testing.T) {
	e := newEnv(t, kernel.Limits{})
	e.bin.set("daemon", blocks)
	leave := func(p *kernel.Process) abi.WaitStatus {
		_, err := p.Spawn(spec("daemon"))
		require.NoError(t, err)
		return 0
	}
	p := e.start(leave, kernel.StartOptions{KillOrphans: true})
	require.Equal(t, abi.ExitedWith(0), e.wait(p).Status)
	<-p.Job().Done()

	p = e.start(leave, kernel.StartOptions{})
	require.Equal(t, abi.ExitedWith(0), e.wait(p).Status)
	require.Len(t, p.Job().PIDs(), 1)
	require.NoError(t, p.Job().Signal(abi.SIGTERM))
	<-p.Job().Done()
	require.Equal(t, abi.ESRCH, p.Job().Signal(abi.SIGTERM))
	require.Equal(t, abi.EINVAL, p.Job().Signal(99))
}
