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

func TestPipe(t *testing.T) {
	e := newEnv(t, kernel.Limits{})
	e.ok(func(p *kernel.Process) {
		_, _, err := p.Pipe(abi.OAppend)
		require.Equal(t, abi.EINVAL, err)
		r, w, err := p.Pipe(abi.ONonblock)
		require.NoError(t, err)
		buf := make([]byte, 1<<17)
		_, err = p.Read(r, buf, 0)
		require.Equal(t, abi.EAGAIN, err)
		_, err = p.Read(w, buf, 0)
		require.Equal(t, abi.EBADF, err)
		_, err = p.Write(r, buf, 0)
		require.Equal(t, abi.EBADF, err)
		_, err = p.Seek(r, 0, abi.SeekCur)
		require.Equal(t, abi.ESPIPE, err)
		_, err = p.Pread(r, buf, 0)
		require.Equal(t, abi.ESPIPE, err)
		st, err := p.Stat(r)
		require.NoError(t, err)
		require.Equal(t, abi.ModeFIFO, st.Mode&abi.ModeFmt)
		st2, err := p.Stat(w)
		require.NoError(t, err)
		require.Equal(t, st.Ino, st2.Ino)
		require.NotZero(t, st.Ino)

		// It holds 64 KiB, and small writes are whole.
		n, err := p.Write(w, make([]byte, 1<<17), 0)
		require.NoError(t, err)
		require.Equal(t, kernel.PipeSize, n)
		_, err = p.Write(w, []byte("x"), 0)
		require.Equal(t, abi.EAGAIN, err)
		n, err = p.Read(r, buf[:100], 0)
		require.NoError(t, err)
		require.Equal(t, 100, n)
		_, err = p.Write(w, make([]byte, 101), 0)
		require.Equal(t, abi.EAGAIN, err)
		n, err = p.Write(w, make([]byte, 5000), 0)
		require.NoError(t, err)
		require.Equal(t, 100, n, "above PIPE_BUF as much as fits")
		b, err := p.Buffered(r)
		require.NoError(t, err)
		require.Equal(t, int64(kernel.PipeSize), b)
		n, err = p.Read(r, buf, 0)
		require.NoError(t, err)
		require.Equal(t, kernel.PipeSize, n)

		require.NoError(t, p.Close(w))
		n, err = p.Read(r, buf, 0)
		require.NoError(t, err)
		require.Zero(t, n)
	})
}

// TestPipeKeepsOrder writes pieces of every size through the growing and
// wrapping buffer.
func TestPipeKeepsOrder(t *testing.T) {
	for _, limit := range []int64{0, 1} { // 1: pipes stay at one page
		e := newEnv(t, kernel.Limits{PipeBytes: limit})
		const total = 3 << 20
		e.ok(func(p *kernel.Process) {
			r, w, err := p.Pipe(0)
			require.NoError(t, err)
			e.bin.set("writer", func(c *kernel.Process) abi.WaitStatus {
				v, size := byte(0), 1
				for sent := 0; sent < total; {
					b := make([]byte, min(size, total-sent))
					for i := range b {
						b[i] = v
						v += 7
					}
					n, err := c.Write(1, b, 0)
					require.NoError(t, err)
					require.Equal(t, len(b), n)
					sent += n
					size = size*5%90001 + 1
				}
				return 0
			})
			s := spec("writer")
			s.Flags = abi.SpawnNoInherit
			s.Actions = []abi.FDAction{{FD: 1, Src: w}}
			pid, err := p.Spawn(s)
			require.NoError(t, err)
			require.NoError(t, p.Close(w))
			v, size, got := byte(0), 3, 0
			buf := make([]byte, 1<<17)
			for {
				n, err := p.Read(r, buf[:size], 0)
				require.NoError(t, err)
				if n == 0 {
					break
				}
				for _, c := range buf[:n] {
					if c != v {
						require.Equal(t, v, c, "at %d", got)
					}
					v += 7
				}
				got += n
				size = size*7%100003 + 1
			}
			require.Equal(t, total, got)
			require.Equal(t, abi.ExitedWith(0), e.reap(p, pid).Status)
		})
	}
}

func TestSmallWritesAreAtomic(t *testing.T) {
	e := newEnv(t, kernel.Limits{})
	const writers, each, size = 4, 200, 4096
	e.ok(func(p *kernel.Process) {
		r, w, err := p.Pipe(0)
		require.NoError(t, err)
		e.bin.set("writer", func(c *kernel.Process) abi.WaitStatus {
			b := bytes.Repeat([]byte{byte(c.PID())}, size)
			for range each {
				n, err := c.Write(1, b, 0)
				require.NoError(t, err)
				require.Equal(t, size, n)
			}
			return 0
		})
		s := spec("writer")
		s.Flags, s.Actions = abi.SpawnNoInherit, []abi.FDAction{{FD: 1, Src: w}}
		for range writers {
			_, err := p.Spawn(s)
			require.NoError(t, err)
		}
		require.NoError(t, p.Close(w))
		buf := make([]byte, size)
		for range writers * each {
			for n := 0; n < size; {
				m, err := p.Read(r, buf[n:], 0)
				require.NoError(t, err)
				require.NotZero(t, m)
				n += m
			}
			require.Equal(t, bytes.Repeat(buf[:1], size), buf)
		}
		for range writers {
			_, err := p.Wait(0, -1, 0)
			require.NoError(t, err)
		}
	})
}

func TestBrokenPipe(t *testing.T) {
	e := newEnv(t, kernel.Limits{})
	for _, tt := range []struct {
		name   string
		action abi.SigAction
		want   abi.WaitStatus
	}{
		{"default", abi.SigDefault, abi.KilledBy(abi.SIGPIPE)},
		{"ignored", abi.SigIgnore, abi.ExitedWith(0)},
		{"handled", abi.SigHandle, abi.ExitedWith(1)},
	} {
		for _, blocked := range []bool{false, true} {
			t.Run(tt.name, func(t *testing.T) {
				r := e.run(func(p *kernel.Process) abi.WaitStatus {
					require.NoError(t, p.SigAction(abi.SIGPIPE, tt.action))
					r, w, err := p.Pipe(abi.OCloexec)
					require.NoError(t, err)
					if blocked {
						// The reader closes while the writer waits.
						_, err := p.Write(w, make([]byte, kernel.PipeSize), 0)
						require.NoError(t, err)
						e.bin.set("reader", func(c *kernel.Process) abi.WaitStatus {
							c.Poll(nil, 1e6)
							return 0
						})
						s := spec("reader")
						s.Actions = []abi.FDAction{{FD: 0, Src: r}}
						_, err = p.Spawn(s)
						require.NoError(t, err)
					}
					require.NoError(t, p.Close(r))
					n, err := p.Write(w, []byte("x"), 0)
					if tt.action == abi.SigDefault {
						require.Equal(t, kernel.ErrExiting, err)
						return 0
					}
					require.Zero(t, n)
					require.Equal(t, abi.EPIPE, err)
					s, err := p.SigPending(0)
					require.NoError(t, err)
					if s.Has(abi.SIGPIPE) {
						return abi.ExitedWith(1)
					}
					return 0
				})
				require.Equal(t, tt.want, r.Status)
			})
		}
	}
}

func TestPollPipe(t *testing.T) {
	e := newEnv(t, kernel.Limits{})
	e.ok(func(p *kernel.Process) {
		r, w, err := p.Pipe(0)
		require.NoError(t, err)
		poll := func(fd int32, ev abi.PollEvents) abi.PollEvents {
			en := []kernel.PollEntry{{FD: fd, Events: ev}, {FD: -1, Events: abi.PollIn}}
			_, err := p.Poll(en, 0)
			require.NoError(t, err)
			require.Zero(t, en[1].Revents)
			return en[0].Revents
		}
		require.Zero(t, poll(r, abi.PollIn|abi.PollOut))
		require.Equal(t, abi.PollOut, poll(w, abi.PollIn|abi.PollOut))
		require.Equal(t, abi.PollNval, poll(77, abi.PollIn))
		_, err = p.Write(w, make([]byte, kernel.PipeSize-kernel.PipeBuf+1), 0)
		require.NoError(t, err)
		require.Equal(t, abi.PollIn, poll(r, abi.PollIn))
		require.Zero(t, poll(w, abi.PollOut), "less than PIPE_BUF free")

		// Both ends wake a waiting poll.
		e.bin.set("drain", func(c *kernel.Process) abi.WaitStatus {
			c.Poll(nil, 1e6)
			c.Read(0, make([]byte, 1<<16), 0)
			return 0
		})
		s := spec("drain")
		s.Actions = []abi.FDAction{{FD: 0, Src: r}}
		pid, err := p.Spawn(s)
		require.NoError(t, err)
		n, err := p.Poll([]kernel.PollEntry{{FD: w, Events: abi.PollOut}, {FD: r}}, -1)
		require.NoError(t, err)
		require.Equal(t, 1, n)
		e.reap(p, pid)

		e.bin.set("write", func(c *kernel.Process) abi.WaitStatus {
			c.Poll(nil, 1e6)
			c.Write(1, []byte("x"), 0)
			return 0
		})
		s = spec("write")
		s.Actions = []abi.FDAction{{FD: 1, Src: w}}
		pid, err = p.Spawn(s)
		require.NoError(t, err)
		en := []kernel.PollEntry{{FD: r, Events: abi.PollIn}}
		n, err = p.Poll(en, -1)
		require.NoError(t, err)
		require.Equal(t, 1, n)
		require.Equal(t, abi.PollIn, en[0].Revents)
		e.reap(p, pid)

		_, err = p.Read(r, make([]byte, 10), 0)
		require.NoError(t, err)
		require.NoError(t, p.Close(w))
		require.Equal(t, abi.PollHup, poll(r, abi.PollIn))
		r2, w2, err := p.Pipe(0)
		require.NoError(t, err)
		require.NoError(t, p.Close(r2))
		require.Equal(t, abi.PollErr|abi.PollOut, poll(w2, abi.PollOut))
	})
}

func TestPollChildrenAndTime(t *testing.T) {
	e := newEnv(t, kernel.Limits{})
	e.ok(func(p *kernel.Process) {
		en := []kernel.PollEntry{{FD: abi.PollChild}}
		n, err := p.Poll(en, 2e6)
		require.NoError(t, err)
		require.Zero(t, n)
		pid := e.spawn(p, "x", exits(0))
		n, err = p.Poll(en, -1)
		require.NoError(t, err)
		require.Equal(t, 1, n)
		require.Equal(t, abi.PollIn, en[0].Revents)
		e.reap(p, pid)
		n, err = p.Poll(en, 0)
		require.NoError(t, err)
		require.Zero(t, n)
	})
}

func TestPipeMemoryIsLazy(t *testing.T) {
	e := newEnv(t, kernel.Limits{Files: 1 << 15, OpenFiles: 1 << 16})
	e.ok(func(p *kernel.Process) {
		for range 5000 {
			r, w, err := p.Pipe(0)
			require.NoError(t, err)
			_, err = p.Write(w, []byte("x"), 0)
			require.NoError(t, err)
			_, err = p.Read(r, make([]byte, 1), 0)
			require.NoError(t, err)
		}
		require.Zero(t, e.k.PipeBytes(), "empty pipes hold no buffer")
	})
}

func TestFIFO(t *testing.T) {
	e := newEnv(t, kernel.Limits{})
	e.ok(func(p *kernel.Process) {
		require.NoError(t, p.Mkfifo(abi.AtCwd, "/f", 0o666))
		st, err := p.StatAt(abi.AtCwd, "/f", false)
		require.NoError(t, err)
		require.Equal(t, abi.ModeFIFO|0o644, st.Mode)

		_, err = p.Open(abi.AtCwd, "/f", abi.OWronly|abi.ONonblock, 0)
		require.Equal(t, abi.ENXIO, err)
		r, err := p.Open(abi.AtCwd, "/f", abi.ORdonly|abi.ONonblock, 0)
		require.NoError(t, err)
		buf := make([]byte, 10)
		n, err := p.Read(r, buf, 0)
		require.NoError(t, err)
		require.Zero(t, n, "no writer")
		w, err := p.Open(abi.AtCwd, "/f", abi.OWronly|abi.ONonblock, 0)
		require.NoError(t, err)
		_, err = p.Read(r, buf, 0)
		require.Equal(t, abi.EAGAIN, err)
		_, err = p.Write(w, []byte("abc"), 0)
		require.NoError(t, err)
		n, err = p.Read(r, buf, 0)
		require.NoError(t, err)
		require.Equal(t, "abc", string(buf[:n]))
		st2, err := p.Stat(r)
		require.NoError(t, err)
		require.Equal(t, st.Ino, st2.Ino)
		require.NoError(t, p.Fchmod(w, 0o600))
		require.NoError(t, p.Close(r))
		require.NoError(t, p.Close(w))

		// Openers wait for each other.
		e.bin.set("writer", func(c *kernel.Process) abi.WaitStatus {
			fd, err := c.Open(abi.AtCwd, "/f", abi.OWronly, 0)
			require.NoError(t, err)
			_, err = c.Write(fd, []byte("hello"), 0)
			require.NoError(t, err)
			return 0
		})
		pid, err := p.Spawn(spec("writer"))
		require.NoError(t, err)
		r, err = p.Open(abi.AtCwd, "/f", abi.ORdonly, 0)
		require.NoError(t, err)
		n, err = p.Read(r, buf, 0)
		require.NoError(t, err)
		require.Equal(t, "hello", string(buf[:n]))
		e.reap(p, pid)
		n, err = p.Read(r, buf, 0)
		require.NoError(t, err)
		require.Zero(t, n)
		require.NoError(t, p.Close(r))

		// Read and write never waits, and keeps its own data.
		rw, err := p.Open(abi.AtCwd, "/f", abi.ORdwr, 0)
		require.NoError(t, err)
		_, err = p.Write(rw, []byte("self"), 0)
		require.NoError(t, err)
		en := []kernel.PollEntry{{FD: rw, Events: abi.PollIn | abi.PollOut}}
		_, err = p.Poll(en, 0)
		require.NoError(t, err)
		require.Equal(t, abi.PollIn|abi.PollOut, en[0].Revents)
		n, err = p.Read(rw, buf, 0)
		require.NoError(t, err)
		require.Equal(t, "self", string(buf[:n]))
		require.NoError(t, p.Close(rw))
		_, err = p.Open(abi.AtCwd, "/f", abi.OWronly|abi.ONonblock, 0)
		require.Equal(t, abi.ENXIO, err, "closed again")
	})
}
