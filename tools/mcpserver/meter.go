// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package mcpserver

import (
	"slices"
	"sync"

	"github.com/wsandbox/wsandbox/tools"
)

// meter counts what the commands of a client print, for notifications of
// progress. It hands everything on to another observer.
type meter struct {
	next tools.Observer // set before the first command, or nil

	mu        sync.Mutex
	expected  []*tally          // calls whose command has not started
	live      map[uint64]*tally // by serial, until the command's end
	bySession map[int]*tally    // of live ones
}

// tally counts the output of one command.
type tally struct {
	command string
	session int // 0 is none
	live    bool
	bytes   int64
}

func newMeter() *meter { return &meter{live: map[uint64]*tally{}, bySession: map[int]*tally{}} }

// expect tells that a command is about to be started. Of two with the same text
// at once, it does not matter which is which.
func (m *meter) expect(command string) *tally {
	t := &tally{command: command}
	m.mu.Lock()
	m.expected = append(m.expected, t)
	m.mu.Unlock()
	return t
}

// unexpect tells that the call which was to start a command is over.
func (m *meter) unexpect(t *tally) {
	m.mu.Lock()
	m.expected = slices.DeleteFunc(m.expected, func(o *tally) bool { return o == t })
	m.mu.Unlock()
}

// name gives a command the number of its session.
func (m *meter) name(session int, t *tally) {
	m.mu.Lock()
	if t.live {
		t.session = session
		m.bySession[session] = t
	}
	m.mu.Unlock()
}

// of returns the count of a session's command, or nil.
func (m *meter) of(session int) *tally {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.bySession[session]
}

// read returns the number of bytes that a command has printed.
func (m *meter) read(t *tally) int64 {
	if t == nil {
		return 0
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	return t.bytes
}

// Started implements [tools.Observer].
func (m *meter) Started(info tools.SessionInfo) {
	m.mu.Lock()
	for i, t := range m.expected {
		if t.command == info.Command {
			m.expected = slices.Delete(m.expected, i, i+1)
			t.live = true
			m.live[info.Serial] = t
			break
		}
	}
	m.mu.Unlock()
	if m.next != nil {
		m.next.Started(info)
	}
}

// Input implements [tools.Observer].
func (m *meter) Input(serial uint64, p []byte) {
	if m.next != nil {
		m.next.Input(serial, p)
	}
}

// Output implements [tools.Observer].
func (m *meter) Output(serial uint64, p []byte) {
	m.mu.Lock()
	if t := m.live[serial]; t != nil {
		t.bytes += int64(len(p))
	}
	m.mu.Unlock()
	if m.next != nil {
		m.next.Output(serial, p)
	}
}

// Resized implements [tools.Observer].
func (m *meter) Resized(serial uint64, size tools.Winsize) {
	if m.next != nil {
		m.next.Resized(serial, size)
	}
}

// Exited implements [tools.Observer].
func (m *meter) Exited(serial uint64, e tools.Exit) {
	m.mu.Lock()
	if t := m.live[serial]; t != nil {
		t.live = false
		delete(m.live, serial)
		if m.bySession[t.session] == t {
			delete(m.bySession, t.session)
		}
	}
	m.mu.Unlock()
	if m.next != nil {
		m.next.Exited(serial, e)
	}
}
