// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package kernel_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"net"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/engine/kernel"
)

// cat copies descriptor 0 to descriptor 1.
func cat(p *kernel.Process) abi.WaitStatus {
	buf := make([]byte, 1<<16)
	for {
		n, err := p.Read(0, buf, 0)
		if err != nil {
			return abi.ExitedWith(2)
		}
		if n == 0 {
			return 0
		}
		if _, err := p.Write(1, buf[:n], 0); err != nil {
			return abi.ExitedWith(3)
		}
	}
}

// spliceCat is cat by Splice.
func spliceCat(p *kernel.Process) abi.WaitStatus {
	for {
		n, err := p.Splice(0, 1, 1<<40)
		if err != nil {
			return abi.ExitedWith(2)
		}
		if n == 0 {
			return 0
		}
	}
}

// plain hides every method but Read and Write.
type plain struct{ io.ReadWriter }

func TestHostStreams(t *testing.T) {
	data := strings.Repeat("0123456789abcdef", 1<<16) // 1 MiB
	for name, prog := range map[string]body{"read and write": cat, "splice": spliceCat} {
		t.Run(name, func(t *testing.T) {
			e := newEnv(t, kernel.Limits{})
			goroutines(t, func() {
				var out bytes.Buffer
				r := kernel.NewReaderFile(plain{bytes.NewBufferString(data)})
				w := kernel.NewWriterFile(&out)
				res := e.run(prog, r, w)
				require.NoError(t, r.Close())
				require.NoError(t, w.Close())
				require.Equal(t, abi.ExitedWith(0), res.Status)
				require.True(t, data == out.String(), "no byte is lost or added, and all have arrived")

				in := kernel.NewReaderFile(strings.NewReader(data))
				c := kernel.NewCollector(1000)
				res = e.run(prog, in, c.File())
				require.Equal(t, abi.ExitedWith(0), res.Status)
				require.Equal(t, data[:1000], string(c.Bytes()))
				require.Equal(t, int64(len(data)), c.Total())
				require.True(t, c.Truncated())
			})
		})
	}
}

// countingReader counts what is taken from it.
type countingReader struct {
	mu sync.Mutex
	n  int
}

func (r *countingReader) Read(p []byte) (int, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.n++
	return len(p), nil
}

func TestReaderIsNotReadAhead(t *testing.T) {
	e := newEnv(t, kernel.Limits{})
	r := &countingReader{}
	f := kernel.NewReaderFile(r)
	e.ok(func(p *kernel.Process) {}, f)
	require.NoError(t, f.Close())
	require.Zero(t, r.n, "a process that does not read takes nothing from the host")
}

type failing struct{}

func (failing) Read([]byte) (int, error)  { return 0, errors.New("broken") }
func (failing) Write([]byte) (int, error) { return 0, errors.New("broken") }

func TestHostStreamErrors(t *testing.T) {
	e := newEnv(t, kernel.Limits{})
	e.ok(func(p *kernel.Process) {
		_, err := p.Read(0, make([]byte, 1), 0)
		require.Equal(t, abi.EIO, err)
	}, kernel.NewReaderFile(failing{}))
	r := e.run(func(p *kernel.Process) abi.WaitStatus {
		p.Write(1, []byte("x"), 0)
		return 0
	}, nil, kernel.NewWriterFile(failing{}))
	require.Equal(t, abi.KilledBy(abi.SIGPIPE), r.Status)
}

// TestBlockedHostStreams has a host reader and a host writer that block for
// ever: neither a kill nor Close waits for them, and closing ends the calls of
// those that have deadlines.
func TestBlockedHostStreams(t *testing.T) {
	goroutines(t, func() {
		e := newEnvOpen(t, kernel.Limits{})
		a, b := net.Pipe()
		r, w := kernel.NewReaderFile(a), kernel.NewWriterFile(a)
		reading := make(chan struct{})
		p := e.start(func(p *kernel.Process) abi.WaitStatus {
			close(reading)
			return cat(p)
		}, kernel.StartOptions{}, r)
		<-reading
		require.NoError(t, p.Signal(abi.SIGTERM))
		require.Equal(t, abi.KilledBy(abi.SIGTERM), e.wait(p).Status)
		e.start(func(p *kernel.Process) abi.WaitStatus {
			p.Write(1, []byte("x"), 0)
			return 0
		}, kernel.StartOptions{}, nil, w)
		require.NoError(t, e.k.Close())
		require.NoError(t, r.Close())
		require.NoError(t, w.Close())
		require.Equal(t, abi.EBADF, w.Close())
		// net.Pipe ends a call by its deadline; both goroutines are gone
		// before b is closed.
		_ = b
	})
}

func TestOutputKeepsOrderAcrossFiles(t *testing.T) {
	e := newEnv(t, kernel.Limits{})
	var mu sync.Mutex
	var got []byte
	sink := func() *kernel.OpenFile {
		return kernel.NewWriterFile(writerFunc(func(b []byte) (int, error) {
			mu.Lock()
			defer mu.Unlock()
			got = append(got, b...)
			return len(b), nil
		}))
	}
	e.ok(func(p *kernel.Process) {
		for i := range 200 {
			_, err := p.Write(int32(i%2+1), []byte{byte(i)}, 0)
			require.NoError(t, err)
		}
	}, nil, sink(), sink())
	for i, c := range got {
		require.Equal(t, byte(i), c)
	}
	require.Len(t, got, 200)
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(b []byte) (int, error) { return f(b) }

func TestHostPipes(t *testing.T) {
	e := newEnv(t, kernel.Limits{})
	goroutines(t, func() {
		in, w := kernel.NewInputPipe()
		out, r := kernel.NewOutputPipe()
		p := e.start(cat, kernel.StartOptions{}, in, out)
		require.NoError(t, in.Close())
		require.NoError(t, out.Close())
		_, err := w.Write([]byte("hello"))
		require.NoError(t, err)
		buf := make([]byte, 10)
		n, err := r.Read(buf)
		require.NoError(t, err)
		require.Equal(t, "hello", string(buf[:n]))

		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		_, err = r.ReadContext(ctx, buf)
		require.ErrorIs(t, err, context.Canceled)

		// More than all buffers hold: the writer waits for the reader.
		big := bytes.Repeat([]byte("x"), 1<<20)
		go func() {
			w.Write(big)
			w.Close()
		}()
		all, err := io.ReadAll(r)
		require.NoError(t, err)
		require.Equal(t, len(big), len(all))
		require.Equal(t, abi.ExitedWith(0), e.wait(p).Status)
		_, err = w.Write([]byte("x"))
		require.ErrorIs(t, err, io.ErrClosedPipe)
		require.NoError(t, r.Close())
		require.ErrorIs(t, r.Close(), io.ErrClosedPipe)
		require.ErrorIs(t, w.Close(), io.ErrClosedPipe)

		// A reader that goes away breaks the pipe; Close ends a Read.
		in, w = kernel.NewInputPipe()
		require.NoError(t, in.Close())
		_, err = w.Write([]byte("x"))
		require.ErrorIs(t, err, abi.EPIPE)
		out, r = kernel.NewOutputPipe()
		done := make(chan error)
		go func() {
			_, err := r.Read(buf)
			done <- err
		}()
		require.NoError(t, r.Close())
		require.ErrorIs(t, <-done, io.ErrClosedPipe)
		res := e.run(func(p *kernel.Process) abi.WaitStatus {
			p.Write(1, []byte("x"), 0)
			return 0
		}, nil, out)
		require.Equal(t, abi.KilledBy(abi.SIGPIPE), res.Status)
		require.NoError(t, out.Close())
	})
}

func TestNullFile(t *testing.T) {
	e := newEnv(t, kernel.Limits{})
	f := kernel.NewNullFile()
	e.ok(func(p *kernel.Process) {
		n, err := p.Read(0, make([]byte, 5), 0)
		require.NoError(t, err)
		require.Zero(t, n)
		n, err = p.Write(1, make([]byte, 5), 0)
		require.NoError(t, err)
		require.Equal(t, 5, n)
		i, err := p.FDInfo(1)
		require.NoError(t, err)
		require.Equal(t, abi.ModeChar, i.Mode)
		require.False(t, i.TTY)
		require.Equal(t, abi.ENOTTY, p.TTYGetattr(1, nil))
		_, err = p.TTYGetwinsize(1)
		require.Equal(t, abi.ENOTTY, err)
	}, f, f)
}

func TestSplice(t *testing.T) {
	e := newEnv(t, kernel.Limits{})
	e.ok(func(p *kernel.Process) {
		open := func(path string) int32 {
			fd, err := p.Open(abi.AtCwd, path, abi.OCreat|abi.ORdwr, 0o600)
			require.NoError(t, err)
			return fd
		}
		in, out := open("/in"), open("/out")
		data := bytes.Repeat([]byte("abcdefg"), 30000)
		_, err := p.Write(in, data, 0)
		require.NoError(t, err)
		_, err = p.Seek(in, 7, abi.SeekSet)
		require.NoError(t, err)

		n, err := p.Splice(in, out, 100000)
		require.NoError(t, err)
		require.Equal(t, int64(100000), n)
		off, err := p.Tell(in)
		require.NoError(t, err)
		require.Equal(t, int64(100007), off)
		n, err = p.Splice(in, out, 1<<40)
		require.NoError(t, err)
		require.Equal(t, int64(len(data)-100007), n)
		n, err = p.Splice(in, out, 1<<40)
		require.NoError(t, err)
		require.Zero(t, n)
		got := make([]byte, len(data))
		m, err := p.Pread(out, got, 0)
		require.NoError(t, err)
		require.True(t, bytes.Equal(data[7:], got[:m]))

		// file -> pipe takes what fits and leaves the rest in the file.
		r, w, err := p.Pipe(abi.ONonblock)
		require.NoError(t, err)
		_, err = p.Seek(in, 0, abi.SeekSet)
		require.NoError(t, err)
		n, err = p.Splice(in, w, 1<<40)
		require.NoError(t, err)
		require.Equal(t, int64(kernel.PipeSize), n)
		off, err = p.Tell(in)
		require.NoError(t, err)
		require.Equal(t, n, off)
		_, err = p.Splice(in, w, 1)
		require.Equal(t, abi.EAGAIN, err)

		// pipe -> pipe
		r2, w2, err := p.Pipe(0)
		require.NoError(t, err)
		n, err = p.Splice(r, w2, 1000)
		require.NoError(t, err)
		require.Equal(t, int64(1000), n)
		m, err = p.Read(r2, got, 0)
		require.NoError(t, err)
		require.Equal(t, data[:1000], got[:m])

		// pipe -> file
		_, err = p.Seek(out, 0, abi.SeekSet)
		require.NoError(t, err)
		n, err = p.Splice(r, out, 1<<40)
		require.NoError(t, err)
		require.Equal(t, int64(kernel.PipeSize-1000), n)

		for _, tt := range []struct {
			in, out int32
			n       int64
			want    error
		}{
			{in, out, -1, abi.EINVAL},
			{in, in, 1, abi.EINVAL},
			{w, out, 1, abi.EBADF},
			{in, r, 1, abi.EBADF},
		} {
			_, err := p.Splice(tt.in, tt.out, tt.n)
			require.Equal(t, tt.want, err)
		}
	})
}
