// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package eventlog

import (
	"encoding/base64"
	"time"
	"unicode/utf8"
)

// Format and Version are those of a Header.
const (
	Format  = "wsandbox-events"
	Version = 1
)

// Header is the first line of an event log.
type Header struct {
	Format  string    `json:"format"`
	Version int       `json:"version"`
	Time    time.Time `json:"time"`
}

// Kind says what an Event tells.
type Kind string

// Kinds of events, with the fields they use beside Session.
const (
	KindStart     Kind = "start"     // a session began: TTY, Rows, Cols, User, Dir
	KindSpawn     Kind = "spawn"     // a command was started: Args, Dir, User, PID
	KindInput     Kind = "input"     // bytes were sent to it: Data
	KindOutput    Kind = "output"    // bytes came from it: Data, Stream
	KindResize    Kind = "resize"    // the terminal's size: Rows, Cols
	KindSignal    Kind = "signal"    // a signal was sent: Signal, PID
	KindExit      Kind = "exit"      // it ended: Code, Signal, Limit
	KindLimit     Kind = "limit"     // a limit was met: Limit, Reason
	KindDenial    Kind = "denial"    // something was refused: Subject, Reason
	KindDecision  Kind = "decision"  // someone was asked: Subject, Allowed, Reason
	KindTruncated Kind = "truncated" // data is missing from here: Bytes, Reason
)

// Event is one line of an event log. Fields that a kind does not use are empty.
type Event struct {
	Seq     uint64        // set by Append
	Since   time.Duration // time that the log was open until then, by the monotonic clock; set by Append
	Time    time.Time     // wall clock, UTC; set by Append
	Session uint64
	Kind    Kind

	Data   []byte
	Stream string // "stdout", "stderr" or "terminal"

	Args       []string
	Dir, User  string
	PID        int
	TTY        bool
	Rows, Cols int

	Code    *int
	Signal  string
	Limit   string
	Subject string
	Reason  string
	Allowed *bool
	Bytes   int64
	Cut     bool // a string or Args was longer than a log takes
}

// line is the form of an Event in the file.
type line struct {
	Seq     uint64   `json:"seq"`
	Micros  int64    `json:"us"`
	Time    string   `json:"time"`
	Session uint64   `json:"session,omitempty"`
	Kind    Kind     `json:"kind"`
	Stream  string   `json:"stream,omitempty"`
	Data    string   `json:"data,omitempty"`
	Base64  string   `json:"base64,omitempty"`
	Args    []string `json:"args,omitempty"`
	Dir     string   `json:"dir,omitempty"`
	User    string   `json:"user,omitempty"`
	PID     int      `json:"pid,omitempty"`
	TTY     bool     `json:"tty,omitempty"`
	Rows    int      `json:"rows,omitempty"`
	Cols    int      `json:"cols,omitempty"`
	Code    *int     `json:"code,omitempty"`
	Signal  string   `json:"signal,omitempty"`
	Limit   string   `json:"limit,omitempty"`
	Subject string   `json:"subject,omitempty"`
	Reason  string   `json:"reason,omitempty"`
	Allowed *bool    `json:"allowed,omitempty"`
	Bytes   int64    `json:"bytes,omitempty"`
	Cut     bool     `json:"cut,omitempty"`
}

func (e *Event) line() line {
	l := line{Seq: e.Seq, Micros: e.Since.Microseconds(), Time: e.Time.UTC().Format(timeLayout), Session: e.Session, Kind: e.Kind,
		Stream: e.Stream, Args: e.Args, Dir: e.Dir, User: e.User, PID: e.PID, TTY: e.TTY, Rows: e.Rows, Cols: e.Cols,
		Code: e.Code, Signal: e.Signal, Limit: e.Limit, Subject: e.Subject, Reason: e.Reason, Allowed: e.Allowed, Bytes: e.Bytes, Cut: e.Cut}
	if utf8.Valid(e.Data) {
		l.Data = string(e.Data)
	} else {
		l.Base64 = base64.StdEncoding.EncodeToString(e.Data)
	}
	return l
}

const timeLayout = "2006-01-02T15:04:05.000000Z07:00"

func (l *line) event() (Event, string) {
	e := Event{Seq: l.Seq, Since: time.Duration(l.Micros) * time.Microsecond, Session: l.Session, Kind: l.Kind,
		Stream: l.Stream, Args: l.Args, Dir: l.Dir, User: l.User, PID: l.PID, TTY: l.TTY, Rows: l.Rows, Cols: l.Cols,
		Code: l.Code, Signal: l.Signal, Limit: l.Limit, Subject: l.Subject, Reason: l.Reason, Allowed: l.Allowed, Bytes: l.Bytes, Cut: l.Cut}
	if l.Data != "" {
		e.Data = []byte(l.Data)
	}
	if l.Base64 != "" {
		if l.Data != "" {
			return Event{}, `both "data" and "base64"`
		}
		b, err := base64.StdEncoding.DecodeString(l.Base64)
		if err != nil {
			return Event{}, `"base64" is not base64`
		}
		e.Data = b
	}
	t, err := time.Parse(time.RFC3339Nano, l.Time)
	switch {
	case err != nil:
		return Event{}, `"time" is not a time of RFC 3339`
	case l.Kind == "":
		return Event{}, `no "kind"`
	case l.Micros < 0 || l.Micros > maxMicros:
		return Event{}, `"us" is out of range`
	case l.Rows < 0 || l.Cols < 0 || l.Rows > maxSize || l.Cols > maxSize:
		return Event{}, "a size is out of range"
	}
	e.Time = t.UTC()
	return e, ""
}

// Bounds of what readers take.
const (
	maxMicros = int64(100*365*24*time.Hour) / int64(time.Microsecond)
	maxSize   = 65535
)
