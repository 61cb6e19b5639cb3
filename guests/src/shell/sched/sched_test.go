// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package sched

import (
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/guests/src/wsys"
)

func TestThreadsTakeTurns(t *testing.T) {
	s := New()
	var log []string
	main := s.Current()
	for _, n := range []string{"a", "b"} {
		s.Go(func() {
			for range 3 {
				log = append(log, n)
				s.Yield()
			}
			if s.Live() == 2 {
				s.Wake(main)
			}
		})
	}
	require.False(t, s.Solo())
	s.Block(&Wait{})
	for !s.Solo() {
		s.Yield()
	}
	require.Equal(t, []string{"a", "b", "a", "b", "a", "b"}, log)
}

// A blocked thread wakes by its descriptor while another one computes.
func TestBlockOnPipe(t *testing.T) {
	s := New()
	r, w, err := wsys.Pipe(abi.OCloexec)
	require.NoError(t, err)
	defer wsys.Close(r)
	got := false
	s.Go(func() {
		wt := Wait{FD: r, Events: abi.PollIn}
		s.Block(&wt)
		got = wt.Revents&abi.PollIn != 0
	})
	s.Yield()
	require.NoError(t, wsys.WriteString(w, "x"))
	wsys.Close(w)
	for range 10 * pollEvery {
		s.Yield()
	}
	require.True(t, got)
	require.True(t, s.Solo())
}

func TestDeadline(t *testing.T) {
	s := New()
	w := Wait{Deadline: wsys.Monotonic() + 1e6}
	s.Block(&w)
	require.True(t, w.TimedOut)
	require.GreaterOrEqual(t, wsys.Monotonic(), w.Deadline)
}

// A parked thread does not keep another one from being alone.
func TestPark(t *testing.T) {
	s := New()
	main := s.Current()
	solo := false
	s.Go(func() {
		solo = s.Solo()
		s.Unpark(main)
		solo = solo && !s.Solo()
	})
	s.Park()
	require.Equal(t, main, s.Current())
	for !s.Solo() {
		s.Yield()
	}
	require.True(t, solo)
}
