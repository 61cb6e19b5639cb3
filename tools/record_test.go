// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package tools

import (
	"bytes"
	"errors"
	"io"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wsandbox/wsandbox/tools/eventlog"
)

var _ Observer = (*Recorder)(nil)

// frames reads a record to its end.
func frames(t *testing.T, b *bytes.Buffer) []eventlog.Frame {
	t.Helper()
	r, err := eventlog.NewRecord(b, "record")
	require.NoError(t, err)
	var all []eventlog.Frame
	for {
		f, err := r.Next()
		if errors.Is(err, io.EOF) {
			return all
		}
		require.NoError(t, err)
		all = append(all, f)
	}
}

func TestRecorder(t *testing.T) {
	var log bytes.Buffer
	casts := map[uint64]*bytes.Buffer{}
	l, err := eventlog.New(&log, eventlog.Options{})
	require.NoError(t, err)
	r := NewRecorder(RecorderOptions{Log: l, OpenCast: func(info SessionInfo) (*eventlog.Cast, error) {
		casts[info.Serial] = &bytes.Buffer{}
		return eventlog.NewCast(casts[info.Serial], eventlog.CastHeader{Rows: int(info.Size.Rows), Cols: int(info.Size.Cols)}, eventlog.Options{})
	}, Failed: func(_ uint64, err error) { t.Error(err) }})
	r.Started(SessionInfo{Serial: 1, Args: []string{"sh", "-c", "cat"}, Dir: "/workspace", TTY: true, Size: Winsize{Rows: 40, Cols: 120}})
	r.Started(SessionInfo{Serial: 2, Args: []string{"true"}})
	r.Output(1, []byte("caf\xc3"))
	r.Input(1, []byte("x\r"))
	r.Output(2, []byte("two"))
	r.Output(1, []byte("\xa9"))
	r.Resized(1, Winsize{Rows: 24, Cols: 80})
	r.Exited(2, Exit{Code: -9, Limit: "cpu"})
	r.Output(1, []byte("\xe6"))
	r.Exited(1, Exit{Code: 3})
	r.Output(1, []byte("late")) // of no session
	require.NoError(t, l.Close())

	type short struct {
		session uint64
		kind    eventlog.Kind
		data    string
	}
	var got []short
	for _, f := range frames(t, &log) {
		e := f.Event
		got = append(got, short{e.Session, e.Kind, string(e.Data)})
		switch {
		case e.Kind == eventlog.KindStart && e.Session == 1:
			require.True(t, e.TTY)
			require.Equal(t, []int{40, 120}, []int{e.Rows, e.Cols})
		case e.Kind == eventlog.KindExit && e.Session == 1:
			require.Equal(t, 3, *e.Code)
		case e.Kind == eventlog.KindExit && e.Session == 2:
			require.Equal(t, -9, *e.Code)
			require.Equal(t, "cpu", e.Limit)
		}
	}
	require.Equal(t, []short{
		{1, "start", ""}, {1, "spawn", ""}, {2, "start", ""}, {2, "spawn", ""}, {1, "output", "caf"}, {1, "input", "x\r"}, {2, "output", "two"},
		{1, "output", "é"}, {1, "resize", ""}, {2, "exit", ""}, {1, "output", "\xe6"}, {1, "exit", ""},
	}, got)

	require.Len(t, casts, 1)
	var codes string
	for _, f := range frames(t, casts[1]) {
		codes += f.Cast.Code + ":" + f.Cast.Data + "|"
	}
	require.Equal(t, "o:caf|i:x\r|o:é|r:80x24|o:\ufffd|", codes)
}

type failingWriter struct{ left int }

func (w *failingWriter) Write(p []byte) (int, error) {
	if w.left -= len(p); w.left < 0 {
		return 0, io.ErrClosedPipe
	}
	return len(p), nil
}

func TestRecorderFailure(t *testing.T) {
	l, err := eventlog.New(&failingWriter{400}, eventlog.Options{})
	require.NoError(t, err)
	told := map[uint64]int{}
	var mu sync.Mutex
	r := NewRecorder(RecorderOptions{Log: l, Failed: func(serial uint64, err error) {
		mu.Lock()
		defer mu.Unlock()
		require.ErrorIs(t, err, io.ErrClosedPipe)
		told[serial]++
	}})
	var wg sync.WaitGroup
	for s := range uint64(4) {
		wg.Go(func() {
			r.Started(SessionInfo{Serial: s})
			for range 100 {
				r.Output(s, []byte("some output"))
			}
			r.Exited(s, Exit{})
		})
	}
	wg.Wait()
	require.Equal(t, map[uint64]int{0: 1, 1: 1, 2: 1, 3: 1}, told)
	require.Empty(t, r.sessions)
}
