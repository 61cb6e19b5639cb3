// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/wsandbox/wsandbox/tools/eventlog"
)

const paced = `{"version":2,"width":80,"height":24}
[5.0,"o","a"]
[6.0,"o","b"]
[6.0001,"o","c"]
[16.0,"o","d"]
`

func TestReplayPace(t *testing.T) {
	for _, c := range []struct {
		r    replay
		want []time.Duration
	}{
		{replay{speed: 1}, []time.Duration{time.Second, 9999900 * time.Microsecond}},
		{replay{speed: 2}, []time.Duration{500 * time.Millisecond, 4999950 * time.Microsecond}},
		{replay{speed: 1, idle: 3 * time.Second}, []time.Duration{time.Second, 3 * time.Second}},
		{replay{speed: 1, noWait: true}, nil},
		{replay{speed: 1, asText: true}, nil},
	} {
		var out bytes.Buffer
		var waits []time.Duration
		var shown []string
		c.r.out = bufio.NewWriter(&out)
		c.r.sessions = map[uint64]*played{}
		c.r.wait = func(_ context.Context, d time.Duration) error {
			waits = append(waits, d)
			shown = append(shown, out.String())
			return nil
		}
		rec, err := eventlog.NewRecord(strings.NewReader(paced), "cast")
		require.NoError(t, err)
		require.NoError(t, c.r.play(t.Context(), rec))
		require.NoError(t, c.r.end())
		require.Equal(t, c.want, waits)
		if len(waits) > 0 {
			require.Equal(t, []string{"a", "abc"}, shown)
		}
		require.Equal(t, "abcd", strings.TrimSpace(out.String()))
	}
}

func TestReplayInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	var out bytes.Buffer
	r := replay{speed: 1, sessions: map[uint64]*played{}, out: bufio.NewWriter(&out), wait: func(ctx context.Context, _ time.Duration) error {
		cancel()
		return waitFor(ctx, time.Hour)
	}}
	rec, err := eventlog.NewRecord(strings.NewReader(strings.Replace(paced, `"a"`, `"\u001b[?1049ha"`, 1)), "cast")
	require.NoError(t, err)
	require.ErrorIs(t, errors.Join(r.play(ctx, rec), r.end()), context.Canceled)
	require.Equal(t, "\x1b[?1049ha\x1b[?1049l", out.String())
}

func TestReplayManySessions(t *testing.T) {
	var b bytes.Buffer
	l, err := eventlog.New(&b, eventlog.Options{})
	require.NoError(t, err)
	for i := range uint64(replaySessions + 1) {
		require.NoError(t, l.Append(eventlog.Event{Session: i + 1, Kind: eventlog.KindOutput, Data: []byte("x")}))
	}
	r := replay{speed: 1, noWait: true, sessions: map[uint64]*played{}, out: bufio.NewWriter(&bytes.Buffer{})}
	rec, err := eventlog.NewRecord(&b, "log")
	require.NoError(t, err)
	require.EqualError(t, r.play(t.Context(), rec), "replay: more than 256 sessions at once: choose one with --session")
}

func TestReplayMissingSession(t *testing.T) {
	const log = `{"version":2,"width":80,"height":24}` + "\n" + `[1,"o","a"]` + "\n"
	var out, stderr bytes.Buffer
	std := stdio{in: strings.NewReader(log), out: &out, err: &stderr}
	require.Equal(t, exitFailure, runReplay(t.Context(), []string{"--session", "9", "-"}, std))
	require.Equal(t, "wsandbox: replay: standard input: no session 9\n", stderr.String())
}

func TestReplayQuotes(t *testing.T) {
	require.Equal(t, `bash -c 'echo '\''a b'\''; x' '' a=b`, quoted([]string{"bash", "-c", "echo 'a b'; x", "", "a=b"}))
}

func TestReplayKilled(t *testing.T) {
	code := -9
	for want, e := range map[string]eventlog.Event{
		"[session 1 killed by signal 9]\n":       {Session: 1, Kind: eventlog.KindExit, Code: &code},
		"[session 2 killed by SIGTERM]\n":        {Session: 2, Kind: eventlog.KindExit, Signal: "SIGTERM"},
		"[session 3 runs sh -c 'true; false']\n": {Session: 3, Kind: eventlog.KindSpawn, Args: []string{"sh", "-c", "true; false"}},
	} {
		var out bytes.Buffer
		r := replay{asText: true, out: bufio.NewWriter(&out)}
		require.NoError(t, r.note(&e))
		require.NoError(t, r.out.Flush())
		require.Equal(t, want, out.String())
	}
}
