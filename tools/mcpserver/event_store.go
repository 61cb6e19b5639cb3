// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package mcpserver

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// Bounds of what is kept for clients that come back, for each session.
const (
	maxEventBytes   = 2 << 20 // but for the newest message, which always stays
	maxEventStreams = 256
)

// eventStore keeps the last messages of each session, for clients that come
// back. It implements [mcp.EventStore]. The SDK's own bounds the memory of all
// sessions together, so that one client could drive out the messages of another,
// and never forgets a stream.
type eventStore struct {
	mu       sync.Mutex
	sessions map[string]*sessionEvents
}

// sessionEvents are the messages of a session.
type sessionEvents struct {
	streams map[string]*streamEvents
	opened  []string // names, the oldest first, but for ""
	order   []string // names of the streams of the messages kept, the oldest first
	bytes   int
}

// streamEvents are the messages of a stream from index first on.
type streamEvents struct {
	first int
	data  [][]byte
}

func newEventStore() *eventStore { return &eventStore{sessions: map[string]*sessionEvents{}} }

// Open begins a stream. The first one of a session is "".
func (e *eventStore) Open(_ context.Context, session, stream string) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	s := e.sessions[session]
	if stream == "" && s == nil {
		e.sessions[session] = &sessionEvents{streams: map[string]*streamEvents{"": {}}}
		return nil
	}
	if s == nil || s.streams[stream] != nil {
		return nil // of a session that has ended
	}
	s.streams[stream] = &streamEvents{}
	s.opened = append(s.opened, stream)
	if len(s.opened) > maxEventStreams {
		old := s.opened[0]
		s.opened = slices.Clone(s.opened[1:])
		for _, d := range s.streams[old].data {
			s.bytes -= len(d)
		}
		delete(s.streams, old)
		s.order = slices.DeleteFunc(s.order, func(name string) bool { return name == old })
	}
	return nil
}

// Append keeps a message.
func (e *eventStore) Append(_ context.Context, session, stream string, data []byte) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	s := e.sessions[session]
	if s == nil || s.streams[stream] == nil {
		return nil // forgotten: After says so
	}
	t := s.streams[stream]
	t.data = append(t.data, data)
	s.order = append(s.order, stream)
	s.bytes += len(data)
	for s.bytes > maxEventBytes && len(s.order) > 1 {
		old := s.streams[s.order[0]]
		s.order = s.order[1:]
		s.bytes -= len(old.data[0])
		old.data[0] = nil
		old.data = old.data[1:]
		old.first++
	}
	return nil
}

// After returns the messages of a stream behind an index. Its error is
// [mcp.ErrEventsPurged] where one of them is not kept any more.
func (e *eventStore) After(_ context.Context, session, stream string, index int) iter.Seq2[[]byte, error] {
	data, err := e.after(session, stream, index)
	return func(yield func([]byte, error) bool) {
		if err != nil {
			yield(nil, err)
			return
		}
		for _, d := range data {
			if !yield(d, nil) {
				return
			}
		}
	}
}

func (e *eventStore) after(session, stream string, index int) ([][]byte, error) {
	e.mu.Lock()
	defer e.mu.Unlock()
	s := e.sessions[session]
	if s == nil || s.streams[stream] == nil {
		return nil, fmt.Errorf("stream %q: %w", stream, mcp.ErrEventsPurged)
	}
	t := s.streams[stream]
	begin := index + 1 - t.first
	switch {
	case index < -1 || begin < 0:
		return nil, fmt.Errorf("stream %q behind %d: %w", stream, index, mcp.ErrEventsPurged)
	case begin >= len(t.data): // nothing is behind what was never sent
		return nil, nil
	}
	return slices.Clone(t.data[begin:]), nil
}

// SessionClosed forgets a session.
func (e *eventStore) SessionClosed(_ context.Context, session string) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	delete(e.sessions, session)
	return nil
}
