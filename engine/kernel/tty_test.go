// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package kernel_test

import (
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/engine/kernel"
)

// line is a terminal with a line of input and a list of wake functions.
type line struct {
	mu      sync.Mutex
	in      []byte
	out     []byte
	wakes   map[int]func()
	n       int
	size    kernel.Winsize
	tostop  bool
	session *kernel.Session
}

func (l *line) Read(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.in) == 0 {
		return 0, abi.EAGAIN
	}
	n := copy(p, l.in)
	l.in = l.in[n:]
	return n, nil
}

func (l *line) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.out = append(l.out, p...)
	return len(p), nil
}

func (l *line) Ready(m abi.PollEvents) abi.PollEvents {
	l.mu.Lock()
	defer l.mu.Unlock()
	if len(l.in) > 0 {
		return m & (abi.PollIn | abi.PollOut)
	}
	return m & abi.PollOut
}

func (l *line) Subscribe(_ abi.PollEvents, wake func()) func() {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.n++
	n := l.n
	if l.wakes == nil {
		l.wakes = map[int]func(){}
	}
	l.wakes[n] = wake
	return func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		delete(l.wakes, n)
	}
}

func (l *line) typed(s string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.in = append(l.in, s...)
	for _, w := range l.wakes {
		w()
	}
}

func (l *line) Stat() (abi.Stat, error) {
	return abi.Stat{Mode: abi.ModeChar | 0o600, Rdev: 136 << 8}, nil
}
func (l *line) Close() error              { return nil }
func (l *line) Getattr([]byte) error      { return nil }
func (l *line) Setattr(int, []byte) error { return nil }
func (l *line) Winsize() kernel.Winsize   { return l.size }
func (l *line) SetWinsize(w kernel.Winsize) {
	if s := l.attached(); s != nil && w != l.size {
		s.SignalForeground(abi.SIGWINCH)
	}
	l.size = w
}
func (l *line) Tostop() bool             { return l.tostop }
func (l *line) Attach(s *kernel.Session) { l.mu.Lock(); l.session = s; l.mu.Unlock() }

func (l *line) attached() *kernel.Session {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.session
}

func TestJobControl(t *testing.T) {
	e := newEnv(t, kernel.Limits{})
	tty := &line{tostop: true}
	f := kernel.NewFile(tty, "/dev/pts/0", abi.ORdwr)
	p := e.start(func(p *kernel.Process) abi.WaitStatus {
		self := p.PID()
		i, err := p.FDInfo(0)
		require.NoError(t, err)
		require.True(t, i.TTY)
		fg, err := p.TTYGetpgrp(0)
		require.NoError(t, err)
		require.Equal(t, self, fg)
		require.NoError(t, p.TTYGetattr(0, nil))
		require.NoError(t, p.TTYSetattr(0, 0, nil))

		// A background reader and a background writer are stopped.
		e.bin.set("reader", func(c *kernel.Process) abi.WaitStatus {
			b := make([]byte, 10)
			n, err := c.Read(0, b, 0)
			if err != nil {
				return abi.ExitedWith(1)
			}
			return abi.ExitedWith(n)
		})
		e.bin.set("writer", func(c *kernel.Process) abi.WaitStatus {
			if _, err := c.Write(1, []byte("out"), 0); err != nil {
				return abi.ExitedWith(1)
			}
			return 0
		})
		s := spec("reader")
		s.Flags = abi.SpawnSetpgid
		reader, err := p.Spawn(s)
		require.NoError(t, err)
		r, err := p.Wait(0, reader, abi.WUNTRACED)
		require.NoError(t, err)
		require.Equal(t, abi.StoppedBy(abi.SIGTTIN), r.Status)
		s.Path = "/bin/writer"
		writer, err := p.Spawn(s)
		require.NoError(t, err)
		r, err = p.Wait(0, writer, abi.WUNTRACED)
		require.NoError(t, err)
		require.Equal(t, abi.StoppedBy(abi.SIGTTOU), r.Status)

		// In the foreground they go on.
		require.Equal(t, abi.EPERM, p.TTYSetpgrp(0, 99999))
		require.Equal(t, abi.EINVAL, p.TTYSetpgrp(0, -1))
		require.NoError(t, p.TTYSetpgrp(0, reader))
		require.NoError(t, p.Kill(-reader, abi.SIGCONT))
		tty.typed("four")
		r, err = p.Wait(0, reader, 0)
		require.NoError(t, err)
		require.Equal(t, abi.ExitedWith(4), r.Status)
		tty.tostop = false
		require.NoError(t, p.Kill(-writer, abi.SIGCONT))
		require.Equal(t, abi.ExitedWith(0), e.reap(p, writer).Status)

		// The foreground group is gone; the leader, now in the background,
		// takes the terminal back with SIGTTOU ignored.
		require.NoError(t, p.SigAction(abi.SIGTTOU, abi.SigIgnore))
		require.NoError(t, p.TTYSetpgrp(0, self))
		// An orphaned background group gets EIO instead of a stop.
		require.NoError(t, p.SigAction(abi.SIGWINCH, abi.SigHandle))
		require.NoError(t, p.TTYSetwinsize(0, kernel.Winsize{Rows: 5, Cols: 6}))
		ws, err := p.TTYGetwinsize(0)
		require.NoError(t, err)
		require.Equal(t, kernel.Winsize{Rows: 5, Cols: 6}, ws)
		set, err := p.SigPending(0)
		require.NoError(t, err)
		require.True(t, set.Has(abi.SIGWINCH))
		require.NoError(t, p.TTYSetwinsize(0, ws))
		set, _ = p.SigPending(0)
		require.Zero(t, set, "no change")

		// /dev/tty is the same terminal, and another session has none.
		fd, err := p.Open(abi.AtCwd, "/dev/tty", abi.ORdwr, 0)
		require.NoError(t, err)
		fg, err = p.TTYGetpgrp(fd)
		require.NoError(t, err)
		require.Equal(t, self, fg)
		require.NoError(t, p.Close(fd))
		e.bin.set("away", func(c *kernel.Process) abi.WaitStatus {
			_, err := c.Open(abi.AtCwd, "/dev/tty", abi.ORdwr, 0)
			require.Equal(t, abi.ENXIO, err)
			_, err = c.TTYGetpgrp(0)
			require.Equal(t, abi.ENOTTY, err)
			return 0
		})
		s = spec("away")
		s.Flags = abi.SpawnSetsid
		pid, err := p.Spawn(s)
		require.NoError(t, err)
		require.Equal(t, abi.ExitedWith(0), e.reap(p, pid).Status)

		// A key interrupts the foreground group.
		e.bin.set("fg", blocks)
		s = spec("fg")
		s.Flags = abi.SpawnSetpgid | abi.SpawnForeground
		pid, err = p.Spawn(s)
		require.NoError(t, err)
		require.Equal(t, pid, tty.attached().Foreground())
		tty.attached().SignalForeground(abi.SIGINT)
		require.Equal(t, abi.KilledBy(abi.SIGINT), e.reap(p, pid).Status)
		require.NoError(t, p.TTYSetpgrp(0, self))

		// A shadow in the foreground: its owner reads for it, and has its keys.
		shadow, err := p.Shadow(0, 0, abi.SpawnForeground)
		require.NoError(t, err)
		require.Equal(t, shadow, tty.attached().Foreground())
		tty.typed("hi")
		n, err := p.Read(0, make([]byte, 4), 0)
		require.NoError(t, err)
		require.Equal(t, 2, n)
		tty.attached().SignalForeground(abi.SIGTSTP)
		set, err = p.SigPending(shadow)
		require.NoError(t, err)
		require.True(t, set.Has(abi.SIGTSTP))
		require.NoError(t, p.ShadowStatus(shadow, 0))
		require.Equal(t, abi.ExitedWith(0), e.reap(p, shadow).Status)
		require.NoError(t, p.TTYSetpgrp(0, self))

		// The leader's end hangs up the foreground group.
		s = spec("fg")
		s.Flags = 0
		_, err = p.Spawn(s)
		require.NoError(t, err)
		return abi.ExitedWith(7)
	}, kernel.StartOptions{Terminal: tty}, f, f, f)
	require.Equal(t, abi.ExitedWith(7), e.wait(p).Status)
	<-p.Job().Done()
	eventually(t, "the terminal is free", func() bool { return tty.attached() == nil })
	require.NoError(t, f.Close())
	require.Equal(t, "out", string(tty.out))
}

func TestHangup(t *testing.T) {
	e := newEnv(t, kernel.Limits{})
	tty := &line{}
	f := kernel.NewFile(tty, "/dev/pts/0", abi.ORdwr)
	p := e.start(func(p *kernel.Process) abi.WaitStatus {
		p.Read(0, make([]byte, 1), 0)
		return 0
	}, kernel.StartOptions{Terminal: tty}, f)
	eventually(t, "attached", func() bool { return tty.attached() != nil })
	s := tty.attached()
	require.Equal(t, p.PID(), s.ID())
	s.Hangup()
	require.Equal(t, abi.KilledBy(abi.SIGHUP), e.wait(p).Status)
	require.Nil(t, tty.attached())
}
