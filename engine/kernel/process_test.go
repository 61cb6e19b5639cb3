// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package kernel_test

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/engine/kernel"
)

func TestStartReportsStatus(t *testing.T) {
	e := newEnv(t, kernel.Limits{})
	for _, tt := range []struct {
		name string
		f    body
		want abi.WaitStatus
	}{
		{"zero", exits(0), abi.ExitedWith(0)},
		{"code", exits(7), abi.ExitedWith(7)},
		{"exit call wins over return", func(p *kernel.Process) abi.WaitStatus {
			p.Exit(abi.ExitedWith(3))
			return abi.ExitedWith(9)
		}, abi.ExitedWith(3)},
		{"signal", func(p *kernel.Process) abi.WaitStatus {
			if p.ExitSignal(abi.SIGTERM) != kernel.ErrExiting {
				return abi.ExitedWith(99)
			}
			return 0
		}, abi.KilledBy(abi.SIGTERM)},
		{"fault", func(p *kernel.Process) abi.WaitStatus {
			p.Fault(abi.SIGSEGV, abi.LimitStack)
			return 0
		}, abi.KilledBy(abi.SIGSEGV)},
		{"impossible status", func(*kernel.Process) abi.WaitStatus { return abi.ContinuedStatus }, abi.KilledBy(abi.SIGSYS)},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := e.run(tt.f)
			require.Equal(t, tt.want, r.Status)
		})
	}
}

func TestStartErrors(t *testing.T) {
	e := newEnv(t, kernel.Limits{ArgBytes: 100, PathBytes: 50})
	e.bin.set("true", exits(0))
	for _, tt := range []struct {
		name string
		edit func(*abi.SpawnSpec)
		want error
	}{
		{"missing", func(s *abi.SpawnSpec) { s.Path = "/bin/nothing" }, abi.ENOENT},
		{"empty", func(s *abi.SpawnSpec) { s.Path = "" }, abi.ENOENT},
		{"directory", func(s *abi.SpawnSpec) { s.Path = "/bin" }, abi.EACCES},
		{"long path", func(s *abi.SpawnSpec) { s.Path = "/" + string(bytes.Repeat([]byte("x"), 60)) }, abi.ENAMETOOLONG},
		{"NUL in path", func(s *abi.SpawnSpec) { s.Path = "/bin/true\x00" }, abi.EINVAL},
		{"NUL in argument", func(s *abi.SpawnSpec) { s.Args = []string{"a\x00b"} }, abi.EINVAL},
		{"arguments", func(s *abi.SpawnSpec) { s.Args = make([]string, 30) }, abi.E2BIG},
		{"environment", func(s *abi.SpawnSpec) { s.Env = make([]string, 30) }, abi.E2BIG},
		{"directory missing", func(s *abi.SpawnSpec) { s.Dir = "/none" }, abi.ENOENT},
		{"flags", func(s *abi.SpawnSpec) { s.Flags = abi.SpawnSetsid }, abi.EINVAL},
	} {
		t.Run(tt.name, func(t *testing.T) {
			s := spec("true")
			tt.edit(s)
			_, err := e.k.Start(s, nil, kernel.StartOptions{})
			require.Equal(t, tt.want, err)
		})
	}
	require.Equal(t, []kernel.PID{1}, e.k.PIDs())
}

func TestSpawnGivesArgumentsAndDirectory(t *testing.T) {
	e := newEnv(t, kernel.Limits{})
	e.ok(func(p *kernel.Process) {
		require.NoError(t, p.Mkdir(abi.AtCwd, "/d", 0o755))
		require.NoError(t, p.Mkdir(abi.AtCwd, "/d/e", 0o755))
		require.NoError(t, p.Chdir("d"))
		e.bin.set("child", func(c *kernel.Process) abi.WaitStatus {
			cwd, err := c.Getcwd()
			require.NoError(t, err)
			require.Equal(t, "/d/e", cwd)
			require.Equal(t, []string{"child", "a b", ""}, c.Args())
			require.Equal(t, []string{"X=1"}, c.Environ())
			require.Equal(t, "/bin/child", c.Path())
			require.Equal(t, uint32(0o27), c.Umask(-1))
			i, err := c.Info(0)
			require.NoError(t, err)
			require.Equal(t, p.PID(), i.PPID)
			require.Equal(t, p.PID(), i.Pgid)
			require.Equal(t, p.PID(), i.Sid)
			require.Equal(t, uint32(1000), i.UID)
			return 0
		})
		s := spec("child", "a b", "")
		s.Env, s.Dir, s.Umask = []string{"X=1"}, "e", 0o27
		pid, err := p.Spawn(s)
		require.NoError(t, err)
		require.Equal(t, p.PID()+1, pid)
		r := e.reap(p, pid)
		require.Equal(t, pid, r.PID)
		require.Equal(t, abi.ExitedWith(0), r.Status)
		require.Equal(t, uint32(0o22), p.Umask(0o77))
		require.Equal(t, uint32(0o77), p.Umask(-1))
	})
}

func TestPIDIsNotReusedWhileZombie(t *testing.T) {
	e := newEnv(t, kernel.Limits{})
	e.ok(func(p *kernel.Process) {
		e.bin.set("x", exits(0))
		seen := map[kernel.PID]bool{p.PID(): true}
		last := p.PID()
		for range 100 {
			pid, err := p.Spawn(spec("x"))
			require.NoError(t, err)
			require.False(t, seen[pid])
			require.Greater(t, pid, last)
			seen[pid], last = true, pid
		}
		for range 100 {
			_, err := p.Wait(0, -1, 0)
			require.NoError(t, err)
		}
		_, err := p.Wait(0, -1, 0)
		require.Equal(t, abi.ECHILD, err)
	})
}

func TestOrphansGoToInitAndAreReaped(t *testing.T) {
	e := newEnv(t, kernel.Limits{})
	pids := make(chan kernel.PID, 1)
	e.bin.set("grandchild", blocks)
	e.ok(func(p *kernel.Process) {
		child := e.spawn(p, "child", func(c *kernel.Process) abi.WaitStatus {
			pid, err := c.Spawn(spec("grandchild"))
			require.NoError(t, err)
			pids <- pid
			return 0
		})
		e.reap(p, child)
		i, err := p.Info(<-pids)
		require.NoError(t, err)
		require.Equal(t, kernel.PID(1), i.PPID)
		_, err = p.Wait(0, -1, 0)
		require.Equal(t, abi.ECHILD, err)
		require.NoError(t, p.Kill(i.PID, abi.SIGKILL))
		eventually(t, "the orphan is reaped", func() bool { return p.Kill(i.PID, 0) == abi.ESRCH })
	})
}

func TestWaitSelectsChildren(t *testing.T) {
	e := newEnv(t, kernel.Limits{})
	e.ok(func(p *kernel.Process) {
		own := e.spawn(p, "own", blocks)
		e.bin.set("other", blocks)
		s := spec("other")
		s.Flags = abi.SpawnSetpgid
		other, err := p.Spawn(s)
		require.NoError(t, err)
		s.Pgid = other
		other2, err := p.Spawn(s)
		require.NoError(t, err)

		r, err := p.Wait(0, -1, abi.WNOHANG)
		require.NoError(t, err)
		require.Zero(t, r.PID)
		_, err = p.Wait(0, 99999, abi.WNOHANG)
		require.Equal(t, abi.ECHILD, err)
		_, err = p.Wait(0, -99999, abi.WNOHANG)
		require.Equal(t, abi.ECHILD, err)
		_, err = p.Wait(0, -1<<31, abi.WNOHANG)
		require.Equal(t, abi.ECHILD, err)
		_, err = p.Wait(0, -1, 64)
		require.Equal(t, abi.EINVAL, err)
		_, err = p.Wait(other, -1, 0)
		require.Equal(t, abi.ESRCH, err)

		require.NoError(t, p.Kill(-other, abi.SIGTERM))
		got := map[kernel.PID]abi.WaitStatus{}
		for range 2 {
			r, err = p.Wait(0, -other, 0)
			require.NoError(t, err)
			got[r.PID] = r.Status
		}
		require.Equal(t, map[kernel.PID]abi.WaitStatus{other: abi.KilledBy(abi.SIGTERM), other2: abi.KilledBy(abi.SIGTERM)}, got)
		require.NoError(t, p.Kill(own, abi.SIGHUP))
		r, err = p.Wait(0, 0, 0)
		require.NoError(t, err)
		require.Equal(t, own, r.PID)
		require.Equal(t, abi.KilledBy(abi.SIGHUP), r.Status)
		require.Equal(t, abi.ESRCH, p.Kill(-other, 0))
	})
}

func TestWaitAddsTimes(t *testing.T) {
	e := newEnv(t, kernel.Limits{})
	e.ok(func(p *kernel.Process) {
		pid := e.spawn(p, "burn", func(c *kernel.Process) abi.WaitStatus {
			require.True(t, c.GrowMemory(3<<20))
			require.True(t, c.GrowMemory(-1<<20))
			for {
				if n, _ := c.Clock(abi.ClockProcessCPU); n > 2e6 {
					return 0
				}
			}
		})
		r := e.reap(p, pid)
		require.GreaterOrEqual(t, r.Utime, int64(2e6))
		require.Equal(t, int64(3<<20), r.Maxrss)
		_, _, cu, _ := p.Times()
		require.Equal(t, r.Utime, cu)
	})
}

func TestBlockedTimeIsNotProcessorTime(t *testing.T) {
	e := newEnv(t, kernel.Limits{})
	e.ok(func(p *kernel.Process) {
		before, _ := p.Clock(abi.ClockProcessCPU)
		start, _ := p.Clock(abi.ClockMonotonic)
		n, err := p.Poll(nil, 50e6)
		require.NoError(t, err)
		require.Zero(t, n)
		after, _ := p.Clock(abi.ClockProcessCPU)
		end, _ := p.Clock(abi.ClockMonotonic)
		require.GreaterOrEqual(t, end-start, int64(50e6))
		require.Less(t, after-before, (end-start)/2)
	})
}

func TestExecReplacesTheImage(t *testing.T) {
	e := newEnv(t, kernel.Limits{})
	e.bin.set("second", func(p *kernel.Process) abi.WaitStatus {
		require.Equal(t, []string{"second", "x"}, p.Args())
		_, err := p.FDInfo(3)
		require.Equal(t, abi.EBADF, err, "close-on-exec")
		_, err = p.FDInfo(4)
		require.NoError(t, err)
		require.Equal(t, uint32(0), p.FlagBits())
		require.Equal(t, int64(0), func() int64 { r := p.Result(); return r.Maxrss }())
		// The handled signal has its default action again.
		require.Equal(t, kernel.ErrExiting, func() error { p.Kill(p.PID(), abi.SIGUSR1); return p.Yield() }())
		return 0
	})
	r := e.run(func(p *kernel.Process) abi.WaitStatus {
		require.NoError(t, p.SigAction(abi.SIGUSR1, abi.SigHandle))
		_, _, err := p.Pipe(abi.OCloexec) // 0, 1
		require.NoError(t, err)
		require.NoError(t, p.DupTo(0, 3, abi.OCloexec))
		require.NoError(t, p.DupTo(1, 4, 0))
		require.Equal(t, abi.ENOENT, p.Exec(spec("none")))
		require.NoError(t, p.Yield(), "nothing has changed")
		require.NoError(t, p.Exec(spec("second", "x")))
		require.Equal(t, kernel.ErrExiting, p.Yield())
		return abi.ExitedWith(77)
	})
	require.Equal(t, abi.KilledBy(abi.SIGUSR1), r.Status)
}

func TestScriptsAndModules(t *testing.T) {
	e := newEnv(t, kernel.Limits{})
	e.bin.set("echo", func(p *kernel.Process) abi.WaitStatus {
		var b []byte
		for _, a := range p.Args() {
			b = append(append(b, a...), '|')
		}
		_, err := p.Write(1, b, 0)
		require.NoError(t, err)
		return 0
	})
	e.ok(func(p *kernel.Process) {
		write := func(name, text string, perm abi.Mode) {
			fd, err := p.Open(abi.AtCwd, name, abi.OCreat|abi.OWronly|abi.OTrunc, perm)
			require.NoError(t, err)
			_, err = p.Write(fd, []byte(text), 0)
			require.NoError(t, err)
			require.NoError(t, p.Close(fd))
		}
		write("/plain", "#!/bin/echo\n", 0o755)
		write("/arg", "#! /bin/echo  one two \nrest", 0o755)
		write("/nested", "#!/plain x", 0o755)
		write("/loop", "#!/loop", 0o755)
		write("/empty", "#!\n", 0o755)
		write("/noexec", "#!/bin/echo\n", 0o644)
		write("/text", "hello", 0o755)
		write("/mod.wasm", "\x00asmecho", 0o755)
		write("/bad.wasm", "\x00asmbroken", 0o755)
		write("/missing", "#!/bin/none\n", 0o755)
		for _, tt := range []struct {
			path, want string
			err        error
		}{
			{"/plain", "/bin/echo|/plain|a|", nil},
			{"plain", "/bin/echo|plain|a|", nil},
			{"/arg", "/bin/echo|one two|/arg|a|", nil},
			{"/nested", "/bin/echo|/plain|x|/nested|a|", nil},
			{"/mod.wasm", "zero|a|", nil},
			{"/loop", "", abi.ELOOP},
			{"/empty", "", abi.ENOEXEC},
			{"/noexec", "", abi.EACCES},
			{"/text", "", abi.ENOEXEC},
			{"/bad.wasm", "", abi.ENOEXEC},
			{"/missing", "", abi.ENOENT},
		} {
			r, w, err := p.Pipe(abi.OCloexec)
			require.NoError(t, err)
			pid, err := p.Spawn(&abi.SpawnSpec{
				Path: tt.path, Args: []string{"zero", "a"}, Umask: -1,
				Actions: []abi.FDAction{{FD: 1, Src: w}},
			})
			require.Equal(t, tt.err, err, tt.path)
			if err == nil {
				require.Equal(t, abi.ExitedWith(0), e.reap(p, pid).Status)
				buf := make([]byte, 100)
				n, err := p.Read(r, buf, 0)
				require.NoError(t, err)
				require.Equal(t, tt.want, string(buf[:n]))
			}
			require.NoError(t, p.Close(r))
			require.NoError(t, p.Close(w))
		}
	})
}
