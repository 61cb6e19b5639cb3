// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package mcpserver

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/stretchr/testify/require"
)

// behind collects what After yields.
func behind(e *eventStore, session, stream string, index int) (all []string, err error) {
	for d, err := range e.After(context.Background(), session, stream, index) {
		if err != nil {
			return nil, err
		}
		all = append(all, string(d))
	}
	return all, nil
}

func TestEventStore(t *testing.T) {
	ctx := t.Context()
	e := newEventStore()
	add := func(session, stream, data string) { require.NoError(t, e.Append(ctx, session, stream, []byte(data))) }
	for _, s := range []string{"a", "b"} {
		require.NoError(t, e.Open(ctx, s, ""))
	}
	require.NoError(t, e.Open(ctx, "a", "1"))
	require.NoError(t, e.Open(ctx, "a", "2"))
	add("a", "1", "one")
	add("a", "2", "other")
	add("a", "1", "two")
	add("a", "1", "three")
	for _, c := range []struct {
		session, stream string
		index           int
		want            []string
		purged          bool
	}{
		{"a", "1", -1, []string{"one", "two", "three"}, false},
		{"a", "1", 0, []string{"two", "three"}, false},
		{"a", "1", 2, nil, false},
		{"a", "1", 1 << 40, nil, false},
		{"a", "1", -2, nil, true},
		{"a", "2", -1, []string{"other"}, false},
		{"a", "", -1, nil, false},
		{"a", "3", -1, nil, true},
		{"b", "1", -1, nil, true},
		{"c", "1", -1, nil, true},
	} {
		got, err := behind(e, c.session, c.stream, c.index)
		if c.purged {
			require.ErrorIs(t, err, mcp.ErrEventsPurged)
			continue
		}
		require.NoError(t, err)
		require.Equal(t, c.want, got, "%+v", c)
	}
	// A session that has ended is not begun again by what is still written.
	require.NoError(t, e.SessionClosed(ctx, "a"))
	require.NoError(t, e.Open(ctx, "a", "4"))
	add("a", "4", "late")
	require.Len(t, e.sessions, 1)
}

func TestEventStoreBounds(t *testing.T) {
	ctx := t.Context()
	e := newEventStore()
	require.NoError(t, e.Open(ctx, "a", ""))
	require.NoError(t, e.Open(ctx, "b", ""))
	require.NoError(t, e.Open(ctx, "b", "1"))
	require.NoError(t, e.Append(ctx, "b", "1", []byte("kept")))
	s := e.sessions["a"]
	for i := range 3 * maxEventStreams {
		name := fmt.Sprint(i)
		require.NoError(t, e.Open(ctx, "a", name))
		require.NoError(t, e.Append(ctx, "a", name, nil))
		require.NoError(t, e.Append(ctx, "a", name, []byte(strings.Repeat("x", maxEventBytes/100))))
		require.LessOrEqual(t, s.bytes, maxEventBytes)
		require.LessOrEqual(t, len(s.streams), maxEventStreams+1)
		require.Len(t, s.opened, len(s.streams)-1)
	}
	sum, n := 0, 0
	for _, t := range s.streams {
		for _, d := range t.data {
			sum += len(d)
			n++
		}
	}
	require.Equal(t, sum, s.bytes)
	require.Len(t, s.order, n)
	_, err := behind(e, "a", "0", 0)
	require.ErrorIs(t, err, mcp.ErrEventsPurged)
	last := fmt.Sprint(3*maxEventStreams - 1)
	got, err := behind(e, "a", last, 0)
	require.NoError(t, err)
	require.Len(t, got, 1)

	// One message that is longer than all that is kept stays alone.
	require.NoError(t, e.Append(ctx, "a", last, []byte(strings.Repeat("y", 2*maxEventBytes))))
	require.Len(t, s.order, 1)
	got, err = behind(e, "a", last, 1)
	require.NoError(t, err)
	require.Len(t, got, 1)
	_, err = behind(e, "a", last, 0)
	require.ErrorIs(t, err, mcp.ErrEventsPurged, "1 is gone")
	got, err = behind(e, "b", "1", -1)
	require.NoError(t, err)
	require.Equal(t, []string{"kept"}, got)
}

// FuzzEventStore checks the store's own accounting after any calls.
func FuzzEventStore(f *testing.F) {
	f.Add([]byte{0, 1, 2, 3, 200, 201, 7, 9})
	f.Add([]byte("open append after close"))
	f.Fuzz(func(t *testing.T, ops []byte) {
		ctx := t.Context()
		e := newEventStore()
		for _, op := range ops {
			session, stream := fmt.Sprint(op&1), fmt.Sprint(op>>1&7)
			if op>>1&7 == 0 {
				stream = ""
			}
			switch op >> 4 & 3 {
			case 0:
				_ = e.Open(ctx, session, stream)
			case 1:
				_ = e.Append(ctx, session, stream, make([]byte, int(op)<<14))
			case 2:
				_, _ = behind(e, session, stream, int(op)-100)
			case 3:
				if op >= 250 {
					_ = e.SessionClosed(ctx, session)
				}
			}
		}
		for _, s := range e.sessions {
			sum, n := 0, 0
			for _, st := range s.streams {
				for _, d := range st.data {
					sum += len(d)
					n++
				}
			}
			if sum != s.bytes || n != len(s.order) || sum > maxEventBytes && n > 1 {
				t.Fatalf("%d bytes in %d messages, counted %d in %d", sum, n, s.bytes, len(s.order))
			}
		}
	})
}
