// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package pipe

import (
	"bytes"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wsandbox/wsandbox/engine/abi"
)

// check runs the steps, pairs of an operation and a size, on a pipe and on a
// plain byte slice, which must agree.
func check(t *testing.T, steps []byte, limit int64) {
	pool := NewPool(limit)
	r, w := New(pool)
	var model []byte
	next := byte(0)
	buf := make([]byte, Size+Size/2)
	for i := 0; i+2 < len(steps); i += 3 {
		size := (int(steps[i+1])<<8 | int(steps[i+2])) * 3 / 2
		if steps[i]%2 == 0 {
			b := buf[:size]
			for j := range b {
				b[j] = next + byte(j)
			}
			free := w.Pipe().Free()
			n, err := w.Write(b)
			switch {
			case size <= Buf && n != 0:
				require.Equal(t, size, n, "small writes are whole")
			case size > 0 && n == 0:
				require.Equal(t, abi.EAGAIN, err)
				require.Less(t, free, min(size, Buf))
			}
			require.Equal(t, err == nil, n > 0 || size == 0)
			model = append(model, b[:n]...)
			next += byte(n)
		} else {
			n, err := r.Read(buf[:size])
			if len(model) == 0 && size > 0 {
				require.Equal(t, abi.EAGAIN, err)
				require.Zero(t, n)
				continue
			}
			require.NoError(t, err)
			require.Equal(t, min(size, len(model)), n)
			require.True(t, bytes.Equal(model[:n], buf[:n]), "content")
			model = model[n:]
		}
		require.Equal(t, len(model), r.Pipe().Buffered())
		require.LessOrEqual(t, len(model), Size)
		require.Equal(t, len(model) > 0, r.Ready(abi.PollIn)&abi.PollIn != 0)
		if len(model) == 0 {
			require.Zero(t, r.Pipe().n)
		}
	}
	require.NoError(t, w.Close())
	require.Equal(t, abi.EBADF, w.Close())
	n, err := r.Read(buf)
	require.NoError(t, err)
	require.Equal(t, len(model), n)
	require.True(t, bytes.Equal(model, buf[:n]))
	n, err = r.Read(buf)
	require.NoError(t, err)
	require.Zero(t, n)
	require.Equal(t, abi.PollHup, r.Ready(abi.PollIn))
	require.NoError(t, r.Close())
	require.Zero(t, pool.Used())
}

var seeds = [][]byte{
	{},
	{0, 0, 1, 1, 0, 1},
	{0, 255, 255, 1, 1, 0, 0, 2, 0, 1, 255, 255},
	{0, 10, 0, 1, 3, 7, 0, 11, 1, 0, 9, 9, 1, 20, 20, 0, 30, 0, 1, 255, 255},
	{0, 0, 200, 0, 10, 171, 1, 0, 50, 0, 10, 0, 1, 200, 0, 1, 200, 0},
}

func TestPipeAgreesWithAModel(t *testing.T) {
	for _, s := range seeds {
		check(t, s, 1<<30)
		check(t, s, 0)
	}
}

func FuzzPipe(f *testing.F) {
	for _, s := range seeds {
		f.Add(s, true)
		f.Add(s, false)
	}
	f.Fuzz(func(t *testing.T, steps []byte, full bool) {
		limit := int64(1 << 30)
		if full {
			limit = 0
		}
		check(t, steps, limit)
	})
}

func TestBuffersAreLentWhileNeeded(t *testing.T) {
	pool := NewPool(Size)
	r, w := New(pool)
	r2, w2 := New(pool)
	_, err := w.Write(make([]byte, 10))
	require.NoError(t, err)
	require.Equal(t, int64(Buf), pool.Used())
	n, err := w2.Write(make([]byte, Size))
	require.NoError(t, err)
	require.Equal(t, Buf, n, "a page where no block is left")
	_, err = r.Read(make([]byte, 10))
	require.NoError(t, err)
	_, err = r2.Read(make([]byte, Size))
	require.NoError(t, err)
	require.Zero(t, pool.Used())
	n, err = w2.Write(make([]byte, Size))
	require.NoError(t, err)
	require.Equal(t, Size, n)
	require.NoError(t, r2.Close())
	_, err = w2.Write([]byte("x"))
	require.Equal(t, abi.EPIPE, err)
	require.Equal(t, abi.PollOut|abi.PollErr, w2.Ready(abi.PollOut))
	require.NoError(t, w2.Close())
	require.Zero(t, pool.Used(), "what nobody read is dropped")
}

func TestSubscribers(t *testing.T) {
	r, w := New(NewPool(1 << 20))
	in, out := 0, 0
	cancel := r.Subscribe(abi.PollIn, func() { in++ })
	cancelOut := w.Subscribe(abi.PollOut, func() { out++ })
	_, err := w.Write(make([]byte, Size))
	require.NoError(t, err)
	require.Equal(t, 1, in)
	_, err = r.Read(make([]byte, 100))
	require.NoError(t, err)
	require.Zero(t, out, "less than PIPE_BUF of room is none")
	_, err = r.Read(make([]byte, Buf))
	require.NoError(t, err)
	require.Equal(t, 1, out)
	cancel()
	cancel()
	_, err = w.Write([]byte("x"))
	require.NoError(t, err)
	require.Equal(t, 1, in)
	require.NoError(t, r.Close())
	require.Equal(t, 2, out)
	cancelOut()
}

func TestOpenFIFO(t *testing.T) {
	p := NewFIFO(NewPool(1 << 20))
	_, _, err := p.Open(abi.OWronly | abi.ONonblock)
	require.Equal(t, abi.ENXIO, err)
	r, met, err := p.Open(abi.ORdonly)
	require.NoError(t, err)
	require.False(t, met())
	woken := 0
	e := Entry{Fn: func() { woken++ }, Mask: abi.PollIn}
	p.EnlistOpen(&e)
	w, met2, err := p.Open(abi.OWronly)
	require.NoError(t, err)
	require.Nil(t, met2)
	require.Equal(t, 1, woken)
	p.DelistOpen(&e)
	require.NoError(t, w.Close())
	require.True(t, met(), "a writer that is gone again counts")
	r2, met, err := p.Open(abi.ORdonly | abi.ONonblock)
	require.NoError(t, err)
	require.Nil(t, met)
	b, met, err := p.Open(abi.ORdwr)
	require.NoError(t, err)
	require.Nil(t, met)
	for _, end := range []End{r, r2, b} {
		require.Same(t, p, end.Pipe())
		require.NoError(t, end.Close())
		require.Equal(t, abi.EBADF, end.Close())
	}
}

func BenchmarkPipe(b *testing.B) {
	r, w := New(NewPool(1 << 20))
	buf := make([]byte, 64)
	b.ReportAllocs()
	for b.Loop() {
		w.Write(buf)
		r.Read(buf)
	}
}
