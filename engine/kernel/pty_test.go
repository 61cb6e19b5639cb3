// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package kernel_test

import (
	"bytes"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/engine/kernel"
	"github.com/wsandbox/wsandbox/ptyemu"
)

// seen is what the master of a terminal has read.
type seen struct {
	mu   sync.Mutex
	b    bytes.Buffer
	done chan struct{}
}

func watch(m *ptyemu.Master) *seen {
	s := &seen{done: make(chan struct{})}
	go func() {
		defer close(s.done)
		io.Copy(s, m)
	}()
	return s
}

func (s *seen) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.Write(p)
}

func (s *seen) String() string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.b.String()
}

func (s *seen) has(t *testing.T, part string) {
	t.Helper()
	eventually(t, part, func() bool { return strings.Contains(s.String(), part) })
}

// onPTY starts f on a terminal.
func (e *env) onPTY(f body) (*kernel.PTY, *kernel.Process, *seen) {
	e.t.Helper()
	pty, file := kernel.NewPTY(kernel.PTYOptions{Winsize: kernel.Winsize{Rows: 24, Cols: 80}, Number: 3, UID: 1000, GID: 100})
	p := e.start(f, kernel.StartOptions{Terminal: pty}, file, file, file)
	require.NoError(e.t, file.Close())
	return pty, p, watch(pty.Master())
}

func typeAt(t *testing.T, pty *kernel.PTY, s string) {
	t.Helper()
	n, err := pty.Master().Write([]byte(s))
	require.NoError(t, err)
	require.Equal(t, len(s), n)
}

func TestPTYKeys(t *testing.T) {
	for key, sig := range map[string]abi.Signal{"\x03": abi.SIGINT, "\x1c": abi.SIGQUIT} {
		for name, body := range map[string]body{"blocked": blocks, "spinning": spin} {
			t.Run(name+" "+sig.String(), func(t *testing.T) {
				e := newEnv(t, kernel.Limits{})
				pty, p, _ := e.onPTY(body)
				typeAt(t, pty, key)
				require.Equal(t, abi.KilledBy(sig), e.wait(p).Status)
			})
		}
	}
}

// TestPTYSuspend stops and continues the foreground group, also one that never
// calls the kernel.
func TestPTYSuspend(t *testing.T) {
	for name, child := range map[string]body{
		"blocked": func(p *kernel.Process) abi.WaitStatus {
			b := make([]byte, 10)
			n, err := p.Read(0, b, 0)
			if err != nil || string(b[:n]) != "go\n" {
				return abi.ExitedWith(9)
			}
			return abi.ExitedWith(5)
		},
		"spinning": func(p *kernel.Process) abi.WaitStatus {
			for p.Yield() == nil {
				if n, _ := p.Poll([]kernel.PollEntry{{FD: 0, Events: abi.PollIn}}, 0); n > 0 {
					return abi.ExitedWith(5)
				}
			}
			return 0
		},
	} {
		t.Run(name, func(t *testing.T) {
			e := newEnv(t, kernel.Limits{})
			stopped := make(chan struct{})
			goOn := make(chan struct{})
			e.bin.set("child", child)
			pty, p, _ := e.onPTY(func(p *kernel.Process) abi.WaitStatus {
				require.NoError(t, p.SigAction(abi.SIGTTOU, abi.SigIgnore))
				s := spec("child")
				s.Flags = abi.SpawnSetpgid | abi.SpawnForeground
				pid, err := p.Spawn(s)
				require.NoError(t, err)
				r, err := p.Wait(0, pid, abi.WUNTRACED)
				require.NoError(t, err)
				require.Equal(t, abi.StoppedBy(abi.SIGTSTP), r.Status)
				require.NoError(t, p.TTYSetpgrp(0, p.PID()))
				close(stopped)
				<-goOn
				require.NoError(t, p.TTYSetpgrp(0, pid))
				require.NoError(t, p.Kill(-pid, abi.SIGCONT))
				require.Equal(t, abi.ExitedWith(5), e.reap(p, pid).Status)
				return 0
			})
			// Until it runs the key would reach the leader, whom it does not stop.
			eventually(t, "stopped", func() bool {
				typeAt(t, pty, "\x1a")
				select {
				case <-stopped:
					return true
				default:
					return false
				}
			})
			typeAt(t, pty, "go\n")
			close(goOn)
			require.Equal(t, abi.ExitedWith(0), e.wait(p).Status)
		})
	}
}

func TestPTYFile(t *testing.T) {
	e := newEnv(t, kernel.Limits{})
	pty, p, out := e.onPTY(func(p *kernel.Process) abi.WaitStatus {
		i, err := p.FDInfo(0)
		require.NoError(t, err)
		require.True(t, i.TTY)
		require.Equal(t, abi.ModeChar, i.Mode)
		st, err := p.StatAt(abi.AtCwd, "/proc/self/fd/1", true)
		require.NoError(t, err)
		require.EqualValues(t, 136<<8|3, st.Rdev)
		require.EqualValues(t, 1000, st.UID)
		require.EqualValues(t, 100, st.GID)

		fd, err := p.Open(abi.AtCwd, "/proc/self/stat", abi.ORdonly, 0)
		require.NoError(t, err)
		facts := make([]byte, 1024)
		n, err := p.Read(fd, facts, 0)
		require.NoError(t, err)
		require.NoError(t, p.Close(fd))
		f := strings.Fields(string(facts[:n]))
		require.Equal(t, []string{f[0], f[0], "34819", f[0]}, f[4:8], "group, session, terminal, foreground group")

		// Attributes.
		b := make([]byte, abi.TermiosSize)
		require.NoError(t, p.TTYGetattr(0, b))
		tio, err := abi.ParseTermios(b)
		require.NoError(t, err)
		require.Equal(t, abi.DefaultTermios(), tio)
		require.Equal(t, abi.EINVAL, p.TTYGetattr(0, b[1:]))
		require.Equal(t, abi.EINVAL, p.TTYSetattr(0, 0, b[1:]))
		require.Equal(t, abi.EINVAL, p.TTYSetattr(0, 3, b))
		require.Equal(t, abi.EINVAL, p.TTYSetattr(0, -1, b))
		tio.Oflag &^= abi.ONLCR
		require.NoError(t, tio.Put(b))
		require.NoError(t, p.TTYSetattr(0, abi.TCSADRAIN, b))
		_, err = p.Write(1, []byte("one\n"), 0)
		require.NoError(t, err)

		// Further descriptions, whose end is not the terminal's.
		for _, name := range []string{"/dev/tty", "/proc/self/fd/0"} {
			fd, err := p.Open(abi.AtCwd, name, abi.ORdwr, 0)
			require.NoError(t, err, name)
			fg, err := p.TTYGetpgrp(fd)
			require.NoError(t, err, name)
			require.Equal(t, p.PID(), fg)
			_, err = p.Write(fd, []byte(name+"\n"), 0)
			require.NoError(t, err)
			require.NoError(t, p.Close(fd))
		}
		_, err = p.Write(1, []byte("two\n"), 0)
		require.NoError(t, err)

		// Without waiting.
		r := make([]byte, 10)
		_, err = p.Read(0, r, abi.IONonblock)
		require.Equal(t, abi.EAGAIN, err)
		n, err = p.Poll([]kernel.PollEntry{{FD: 0, Events: abi.PollIn}}, 0)
		require.NoError(t, err)
		require.Zero(t, n)

		// A time: nothing, and then a part of what is waited for.
		tio.MakeRaw()
		tio.CC[abi.VMIN], tio.CC[abi.VTIME] = 0, 1
		require.NoError(t, tio.Put(b))
		require.NoError(t, p.TTYSetattr(0, abi.TCSANOW, b))
		n, err = p.Read(0, r, 0)
		require.NoError(t, err)
		require.Zero(t, n)
		tio.CC[abi.VMIN] = 5
		require.NoError(t, tio.Put(b))
		require.NoError(t, p.TTYSetattr(0, abi.TCSANOW, b))
		_, err = p.Write(1, []byte("ready\n"), 0)
		require.NoError(t, err)
		n, err = p.Read(0, r, 0)
		require.NoError(t, err)
		require.Equal(t, "abc", string(r[:n]))
		return 0
	})
	out.has(t, "ready")
	typeAt(t, pty, "abc")
	require.Equal(t, abi.ExitedWith(0), e.wait(p).Status)
	<-out.done
	require.Equal(t, "one\n/dev/tty\n/proc/self/fd/0\ntwo\nready\n", out.String())
}

func TestPTYWinsize(t *testing.T) {
	e := newEnv(t, kernel.Limits{})
	pty, p, out := e.onPTY(func(p *kernel.Process) abi.WaitStatus {
		require.NoError(t, p.SigAction(abi.SIGWINCH, abi.SigHandle))
		p.Write(1, []byte("ready"), 0)
		for range 2 {
			_, err := p.Poll(nil, -1)
			require.Equal(t, abi.EINTR, err)
			set, err := p.SigPending(0)
			require.NoError(t, err)
			require.True(t, set.Has(abi.SIGWINCH))
			ws, err := p.TTYGetwinsize(0)
			require.NoError(t, err)
			if ws.Cols == 100 {
				require.NoError(t, p.TTYSetwinsize(0, kernel.Winsize{Rows: 1, Cols: 2}))
			}
		}
		return 0
	})
	out.has(t, "ready")
	pty.SetWinsize(kernel.Winsize{Rows: 30, Cols: 100})
	require.Equal(t, abi.ExitedWith(0), e.wait(p).Status)
	require.Equal(t, kernel.Winsize{Rows: 1, Cols: 2}, pty.Winsize())
}

// TestPTYOrphan has a background group that nobody could continue: it is not
// stopped, but gets errors.
func TestPTYOrphan(t *testing.T) {
	e := newEnv(t, kernel.Limits{})
	result := make(chan string, 1)
	orphaned := make(chan struct{})
	e.bin.set("orphan", func(p *kernel.Process) abi.WaitStatus {
		<-orphaned
		_, readErr := p.Read(0, make([]byte, 1), 0)
		_, writeErr := p.Write(1, []byte("x"), 0)
		pgrpErr := p.TTYSetpgrp(0, p.PID())
		stopErr := p.Kill(0, abi.SIGTSTP) // does nothing
		result <- fmt.Sprint(readErr, writeErr, pgrpErr, stopErr)
		return 0
	})
	e.bin.set("middle", func(p *kernel.Process) abi.WaitStatus {
		s := spec("orphan")
		s.Flags = abi.SpawnSetpgid
		_, err := p.Spawn(s)
		require.NoError(t, err)
		return 0
	})
	_, p, out := e.onPTY(func(p *kernel.Process) abi.WaitStatus {
		b := make([]byte, abi.TermiosSize)
		tio := abi.DefaultTermios()
		tio.Lflag |= abi.TOSTOP
		require.NoError(t, tio.Put(b))
		require.NoError(t, p.TTYSetattr(0, abi.TCSANOW, b))
		pid, err := p.Spawn(spec("middle"))
		require.NoError(t, err)
		require.Equal(t, abi.ExitedWith(0), e.reap(p, pid).Status)
		close(orphaned)
		want := fmt.Sprint(abi.EIO, abi.EIO, abi.EIO, nil)
		require.Equal(t, want, <-result)
		return 0
	})
	require.Equal(t, abi.ExitedWith(0), e.wait(p).Status)
	<-out.done
	require.Empty(t, out.String())
}

// TestPTYHangUp hangs up: the leader gets SIGHUP, and when it ends, the
// foreground group; reads end and writes fail.
func TestPTYHangUp(t *testing.T) {
	e := newEnv(t, kernel.Limits{})
	var fg kernel.PID
	e.bin.set("fg", blocks)
	e.bin.set("bg", func(p *kernel.Process) abi.WaitStatus {
		n, err := p.Read(3, make([]byte, 1), 0)
		if n != 0 || err != nil {
			return abi.ExitedWith(1)
		}
		if _, err := p.Write(3, []byte("x"), 0); err != abi.EIO {
			return abi.ExitedWith(2)
		}
		if err := p.TTYGetattr(3, make([]byte, abi.TermiosSize)); err != abi.EIO {
			return abi.ExitedWith(3)
		}
		if _, err := p.Open(abi.AtCwd, "/dev/tty", abi.ORdwr, 0); err != abi.ENXIO {
			return abi.ExitedWith(4)
		}
		return abi.ExitedWith(5)
	})
	var groupStatus abi.WaitStatus
	pty, p, out := e.onPTY(func(p *kernel.Process) abi.WaitStatus {
		require.NoError(t, p.SigAction(abi.SIGHUP, abi.SigHandle))
		s := spec("fg")
		s.Flags = abi.SpawnSetpgid | abi.SpawnForeground
		var err error
		fg, err = p.Spawn(s)
		require.NoError(t, err)
		p.Write(1, []byte("ready"), 0)
		_, err = p.Poll(nil, -1)
		require.Equal(t, abi.EINTR, err)
		set, err := p.SigPending(0)
		require.NoError(t, err)
		require.True(t, set.Has(abi.SIGHUP))
		r, err := p.Wait(0, fg, abi.WNOHANG)
		require.NoError(t, err)
		require.Zero(t, r.PID, "the foreground group is not hung up yet")
		// Somebody who still holds the terminal.
		require.NoError(t, p.DupTo(0, 3, 0))
		s = spec("bg")
		s.Flags = abi.SpawnSetpgid
		bg, err := p.Spawn(s)
		require.NoError(t, err)
		groupStatus = e.reap(p, bg).Status
		return 0
	})
	out.has(t, "ready")
	pty.Master().HangUp()
	require.Equal(t, abi.ExitedWith(0), e.wait(p).Status)
	require.Equal(t, abi.ExitedWith(5), groupStatus)
	select {
	case <-p.Job().Done():
	case <-time.After(waitLimit):
		t.Fatal("the foreground group lives on")
	}
	<-out.done
}

// TestPTYOutputLimit counts what is written to a terminal, also through
// /dev/tty.
func TestPTYOutputLimit(t *testing.T) {
	for _, name := range []string{"", "/dev/tty", "/proc/self/fd/1"} {
		e := newEnv(t, kernel.Limits{Output: 1000})
		_, p, out := e.onPTY(func(p *kernel.Process) abi.WaitStatus {
			fd := int32(1)
			if name != "" {
				var err error
				fd, err = p.Open(abi.AtCwd, name, abi.OWronly, 0)
				require.NoError(t, err)
			}
			for {
				if _, err := p.Write(fd, bytes.Repeat([]byte{'x'}, 64), 0); err != nil {
					return abi.ExitedWith(1)
				}
			}
		})
		r := e.wait(p)
		require.Equal(t, abi.KilledBy(abi.SIGXFSZ), r.Status, name)
		require.Equal(t, abi.LimitOutput, r.Limit)
		<-out.done
		require.Len(t, out.String(), 1000)
	}
}

// TestPTYSplice copies lines up to one end of file, which Splice must not hide.
func TestPTYSplice(t *testing.T) {
	e := newEnv(t, kernel.Limits{})
	pty, p, out := e.onPTY(func(p *kernel.Process) abi.WaitStatus {
		for calls := 1; ; calls++ {
			n, err := p.Splice(0, 1, 1<<20)
			require.NoError(t, err)
			if n == 0 {
				return abi.ExitedWith(calls)
			}
		}
	})
	typeAt(t, pty, "one\ntwo\n\x04")
	require.Equal(t, abi.ExitedWith(3), e.wait(p).Status)
	<-out.done
	require.Contains(t, out.String(), "two\r\n")
}

// TestPTYGoroutines leaves nothing behind.
func TestPTYGoroutines(t *testing.T) {
	goroutines(t, func() {
		e := newEnvOpen(t, kernel.Limits{})
		for range 10 {
			pty, _, out := e.onPTY(blocks)
			typeAt(t, pty, "text\n")
			defer func() { <-out.done }()
		}
		require.NoError(t, e.k.Close())
	})
}

// BenchmarkPTYEcho types a byte, which a process in raw mode writes back.
func BenchmarkPTYEcho(b *testing.B) {
	e := newEnv(b, kernel.Limits{})
	tio := abi.DefaultTermios()
	tio.MakeRaw()
	pty, f := kernel.NewPTY(kernel.PTYOptions{Termios: &tio})
	e.bin.images = map[string]kernel.Image{"main": direct(func(p *kernel.Process) abi.WaitStatus {
		buf := make([]byte, 64)
		for {
			n, err := p.Read(0, buf, 0)
			if err != nil {
				return 0
			}
			p.Write(1, buf[:n], 0)
		}
	})}
	p, err := e.k.Start(spec("main"), []*kernel.OpenFile{f, f, f}, kernel.StartOptions{Terminal: pty})
	if err != nil {
		b.Fatal(err)
	}
	buf := make([]byte, 64)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := pty.Master().Write(buf[:1]); err != nil {
			b.Fatal(err)
		}
		if _, err := pty.Master().Read(buf); err != nil {
			b.Fatal(err)
		}
	}
	p.Job().Kill(abi.SIGKILL)
}
