// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package ptyemu_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/wsandbox/wsandbox/ptyemu"
)

const waitLimit = 60 * time.Second

// receive waits for a value.
func receive[T any](t testing.TB, c <-chan T) T {
	t.Helper()
	select {
	case v := <-c:
		return v
	case <-time.After(waitLimit):
		t.Fatal("nothing came")
		panic("unreachable")
	}
}

// waiter wakes a test that waits for a replica.
type waiter struct {
	c      chan struct{}
	cancel func()
}

func subscribe(r *ptyemu.Replica, ev ptyemu.Events) *waiter {
	w := &waiter{c: make(chan struct{}, 1)}
	w.cancel = r.Subscribe(ev, func(ptyemu.Events) {
		select {
		case w.c <- struct{}{}:
		default:
		}
	})
	return w
}

// readAll reads until the end of file, waiting as a process does.
func readAll(t testing.TB, r *ptyemu.Replica) []byte {
	t.Helper()
	w := subscribe(r, ptyemu.In|ptyemu.Hup)
	defer w.cancel()
	var all []byte
	b := make([]byte, 4096)
	for {
		n, err := r.Read(b)
		switch {
		case err == ptyemu.ErrAgain:
			receive(t, w.c)
		case n == 0:
			return all
		}
		all = append(all, b[:n]...)
	}
}

// writeAll writes p, waiting as a process does.
func writeAll(t testing.TB, r *ptyemu.Replica, p []byte) error {
	t.Helper()
	w := subscribe(r, ptyemu.Out|ptyemu.Hup)
	defer w.cancel()
	for len(p) > 0 {
		n, err := r.Write(p)
		p = p[n:]
		switch err {
		case nil:
		case ptyemu.ErrAgain:
			receive(t, w.c)
		default:
			return err
		}
	}
	return nil
}

func lines(size int) []byte {
	var b bytes.Buffer
	for i := 0; b.Len() < size; i++ {
		b.WriteString(strings.Repeat(string(rune('a'+i%26)), i%200))
		b.WriteByte('\n')
	}
	return b.Bytes()[: size-1 : size-1]
}

// TestPaste types a megabyte, which a process reads: every byte arrives, and
// every byte of echo.
func TestPaste(t *testing.T) {
	text := append(lines(1<<20), '\n')
	term := ptyemu.New(ptyemu.Options{})
	out := make(chan []byte)
	go func() {
		b, _ := io.ReadAll(term.Master())
		out <- b
	}()
	go func() {
		n, err := term.Master().Write(text)
		if err != nil || n != len(text) {
			t.Errorf("%d, %v", n, err)
		}
		if err := term.Master().CloseInput(t.Context()); err != nil {
			t.Error(err)
		}
	}()
	got := readAll(t, term.Replica())
	require.True(t, bytes.Equal(text, got), "%d bytes", len(got))
	require.NoError(t, term.Replica().Close())
	echo := receive(t, out)
	require.True(t, bytes.Equal(bytes.ReplaceAll(text, []byte("\n"), []byte("\r\n")), echo), "%d bytes", len(echo))
	require.Zero(t, term.Lost())
}

// TestOutput writes a megabyte to a master that reads slowly.
func TestOutput(t *testing.T) {
	text := lines(1 << 20)
	term := ptyemu.New(ptyemu.Options{})
	done := make(chan error, 1)
	go func() {
		err := writeAll(t, term.Replica(), text)
		term.Replica().Close()
		done <- err
	}()
	var got []byte
	b := make([]byte, 100)
	for {
		require.LessOrEqual(t, term.Master().Buffered(), ptyemu.OutputSize)
		n, err := term.Master().Read(b)
		if err == io.EOF {
			break
		}
		require.NoError(t, err)
		got = append(got, b[:n]...)
	}
	require.NoError(t, receive(t, done))
	require.True(t, bytes.Equal(bytes.ReplaceAll(text, []byte("\n"), []byte("\r\n")), got))
	_, err := term.Replica().Write([]byte("x"))
	require.Equal(t, ptyemu.ErrHungUp, err)
}

// TestFullInput has nobody read: writes wait, and a signal does not.
func TestFullInput(t *testing.T) {
	var signals atomic.Int32
	term := ptyemu.New(ptyemu.Options{Signal: func(ptyemu.Signal) { signals.Add(1) }})
	m := term.Master()
	text := bytes.Repeat([]byte("line\n"), 2000)
	n, err := m.TryWrite(text)
	require.NoError(t, err)
	require.Equal(t, ptyemu.InputSize-1, n)
	n, err = m.TryWrite([]byte("more"))
	require.NoError(t, err)
	require.Zero(t, n)
	ctx, cancel := context.WithCancelCause(t.Context())
	cancel(errors.New("enough"))
	n, err = m.WriteContext(ctx, []byte("more"))
	require.Zero(t, n)
	require.EqualError(t, err, "enough")
	require.Equal(t, ptyemu.In|ptyemu.Out, term.Replica().Ready())

	// Another write waits; the signal goes ahead, and the write on.
	done := make(chan error, 1)
	go func() {
		_, err := m.Write([]byte("waits\n"))
		done <- err
	}()
	n, err = m.Write([]byte("dropped\x03kept\n"))
	require.NoError(t, err)
	require.Equal(t, 13, n)
	require.EqualValues(t, 1, signals.Load())
	require.NoError(t, receive(t, done))
	require.NoError(t, m.CloseInput(t.Context()))
	got := string(readAll(t, term.Replica()))
	require.Contains(t, []string{"waits\nkept\n", "kept\nwaits\n", "kept\n"}, got) // the last where both were before the signal
	require.Equal(t, ptyemu.ErrInputClosed, m.CloseInput(t.Context()))
	_, err = m.Write([]byte("x"))
	require.Equal(t, ptyemu.ErrInputClosed, err)
}

// TestFullOutput has nobody read the master: processes and echo wait, a signal
// does not, and memory is bounded.
func TestFullOutput(t *testing.T) {
	var signals atomic.Int32
	term := ptyemu.New(ptyemu.Options{Signal: func(ptyemu.Signal) { signals.Add(1) }})
	m, r := term.Master(), term.Replica()
	for {
		if _, err := r.Write(bytes.Repeat([]byte{'x'}, 1000)); err == ptyemu.ErrAgain {
			break
		}
	}
	require.Equal(t, ptyemu.OutputSize, m.Buffered())
	require.Zero(t, r.Ready())
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	n, err := m.WriteContext(ctx, []byte("abc"))
	require.Zero(t, n)
	require.ErrorIs(t, err, context.Canceled)
	// What does not wait loses its echo in the end.
	text := bytes.Repeat([]byte("\x12abc"), 500) // each repeats the line
	n, err = m.TryWrite(text)
	require.NoError(t, err)
	require.Equal(t, len(text), n)
	require.LessOrEqual(t, m.Buffered(), 2*ptyemu.OutputSize)
	require.NotZero(t, term.Lost())
	// A signal leaves what a native master would have.
	n, err = m.Write([]byte("\x03"))
	require.NoError(t, err)
	require.Equal(t, 1, n)
	require.EqualValues(t, 1, signals.Load())
	require.Equal(t, 4095+2, m.Buffered())
	require.Equal(t, ptyemu.Out, r.Ready())
}

func TestHangUp(t *testing.T) {
	for _, closes := range []bool{false, true} {
		var signals []ptyemu.Signal
		term := ptyemu.New(ptyemu.Options{Signal: func(s ptyemu.Signal) { signals = append(signals, s) }})
		m, r := term.Master(), term.Replica()
		w := subscribe(r, ptyemu.Hup)
		defer w.cancel()
		_, err := m.Write([]byte("in\n"))
		require.NoError(t, err)
		_, err = r.Write([]byte("out"))
		require.NoError(t, err)
		if closes {
			require.NoError(t, m.Close())
		} else {
			m.HangUp()
		}
		m.HangUp()
		receive(t, w.c)
		require.Equal(t, []ptyemu.Signal{ptyemu.HangUp}, signals)
		require.Equal(t, ptyemu.In|ptyemu.Out|ptyemu.Hup, r.Ready())
		n, err := r.Read(make([]byte, 10))
		require.Zero(t, n)
		require.NoError(t, err)
		_, err = r.Write([]byte("x"))
		require.Equal(t, ptyemu.ErrHungUp, err)
		_, err = m.Write([]byte("x"))
		require.Equal(t, ptyemu.ErrHungUp, err)
		_, err = m.TryWrite([]byte("x"))
		require.Equal(t, ptyemu.ErrHungUp, err)
		require.Equal(t, ptyemu.ErrHungUp, m.CloseInput(t.Context()))
		b, err := io.ReadAll(m)
		require.NoError(t, err)
		require.Equal(t, map[bool]string{false: "in\r\nout", true: ""}[closes], string(b))
	}
}

// TestHangUpWakes ends calls that wait.
func TestHangUpWakes(t *testing.T) {
	term := ptyemu.New(ptyemu.Options{})
	m := term.Master()
	_, err := m.TryWrite(bytes.Repeat([]byte("line\n"), 2000))
	require.NoError(t, err)
	_, err = io.CopyN(io.Discard, m, int64(m.Buffered()))
	require.NoError(t, err)
	done := make(chan error, 2)
	go func() {
		_, err := m.Write([]byte("more"))
		done <- err
	}()
	go func() {
		_, err := m.Read(make([]byte, 1))
		done <- err
	}()
	m.HangUp()
	errs := []error{receive(t, done), receive(t, done)}
	require.ElementsMatch(t, []error{ptyemu.ErrHungUp, io.EOF}, errs)
}

func TestCloseInput(t *testing.T) {
	for _, tc := range []struct {
		set, text string
		want      []string
	}{
		{"", "one\ntwo", []string{"one\n", "two", "", ""}},
		{"", "", []string{"", ""}},
		{"raw", "ab", []string{"ab", "", ""}},
		{"raw min 5", "ab", []string{"ab", ""}},
	} {
		d := newEmulated(t)
		perform(t, d, step{op: "set", arg: tc.set})
		d.in(tc.text)
		require.NoError(t, d.t.Master().CloseInput(t.Context()))
		for _, want := range tc.want {
			b := make([]byte, 100)
			n, wait, err := d.t.Replica().ReadWait(b, new(ptyemu.Reading))
			require.NoError(t, err)
			require.EqualValues(t, -1, wait)
			require.Equal(t, want, string(b[:n]))
		}
		require.NotZero(t, d.t.Replica().Ready()&ptyemu.In)
	}
}

func TestWinsize(t *testing.T) {
	var signals []ptyemu.Signal
	a := ptyemu.Winsize{Rows: 24, Cols: 80}
	term := ptyemu.New(ptyemu.Options{Winsize: a, Signal: func(s ptyemu.Signal) { signals = append(signals, s) }})
	require.Equal(t, a, term.Winsize())
	term.SetWinsize(a)
	require.Empty(t, signals)
	b := ptyemu.Winsize{Rows: 24, Cols: 81, Xpixel: 5}
	term.SetWinsize(b)
	require.Equal(t, b, term.Winsize())
	require.Equal(t, []ptyemu.Signal{ptyemu.WindowChange}, signals)
}

// TestTimes steps through reads with VMIN and VTIME.
func TestTimes(t *testing.T) {
	const again = -2
	type call struct {
		at   time.Duration // from the start
		in   string        // typed before
		n    int           // bytes read, or again
		wait time.Duration
	}
	ms := time.Millisecond
	for _, tc := range []struct {
		name, set string
		size      int
		calls     []call
	}{
		{"min 1", "min 1", 10, []call{{0, "", again, -1}, {0, "abc", 3, -1}}},
		{"min 3", "min 3", 10, []call{{0, "ab", again, -1}, {time.Hour, "", again, -1}, {0, "c", 3, -1}}},
		{"min above the buffer", "min 3", 2, []call{{0, "a", again, -1}, {0, "b", 2, -1}}},
		{"poll", "min 0", 10, []call{{0, "", 0, -1}}},
		{"time", "min 0 time 5", 10, []call{{0, "", again, 500 * ms}, {200 * ms, "", again, 300 * ms}, {500 * ms, "", 0, -1}}},
		{"time with input", "min 0 time 5", 10, []call{{0, "", again, 500 * ms}, {499 * ms, "a", 1, -1}}},
		{"min and time", "min 3 time 2", 10, []call{
			{0, "", again, -1}, {time.Second, "", again, -1},
			{time.Second, "a", again, 200 * ms}, {1100 * ms, "", again, 100 * ms},
			{1150 * ms, "b", again, 200 * ms}, {1300 * ms, "", again, 50 * ms}, {1350 * ms, "", 2, -1},
		}},
		{"min and time, all in time", "min 2 time 2", 10, []call{{0, "a", again, 200 * ms}, {100 * ms, "b", 2, -1}}},
	} {
		t.Run(tc.name, func(t *testing.T) {
			now := int64(5000)
			term := ptyemu.New(ptyemu.Options{Now: func() int64 { return now }})
			tio := term.Termios()
			stty(t, &tio, "raw "+tc.set)
			term.SetTermios(ptyemu.Now, tio)
			var state ptyemu.Reading
			for i, c := range tc.calls {
				now = 5000 + int64(c.at)
				_, err := term.Master().Write([]byte(c.in))
				require.NoError(t, err)
				n, wait, err := term.Replica().ReadWait(make([]byte, tc.size), &state)
				if c.n == again {
					require.Equal(t, ptyemu.ErrAgain, err, "call %d", i)
				} else {
					require.NoError(t, err, "call %d", i)
					require.Equal(t, c.n, n, "call %d", i)
				}
				require.Equal(t, c.wait, wait, "call %d", i)
			}
		})
	}
}

// TestWritesDoNotMix has several goroutines type lines at once.
func TestWritesDoNotMix(t *testing.T) {
	term := ptyemu.New(ptyemu.Options{})
	tio := term.Termios()
	stty(t, &tio, "raw")
	term.SetTermios(ptyemu.Now, tio)
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Go(func() {
			for range 20 {
				if _, err := term.Master().Write(bytes.Repeat([]byte{byte('a' + i)}, 3000)); err != nil {
					t.Error(err)
				}
			}
		})
	}
	go func() {
		wg.Wait()
		term.Master().CloseInput(context.Background())
	}()
	got := readAll(t, term.Replica())
	require.Len(t, got, 8*20*3000)
	for ; len(got) > 0; got = got[3000:] {
		require.Equal(t, 3000, bytes.Count(got[:3000], got[:1]))
	}
}
