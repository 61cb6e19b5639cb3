// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package eventlog

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"time"
)

// Defaults and bounds of Options.
const (
	DefaultMaxBytes = 64 << 20
	minMaxBytes     = 64 << 10
	maxData         = 32 << 10 // bytes of one event's data; more is several events
	maxField        = 4 << 10  // bytes of another string
	maxArgs         = 1024
	maxLine         = 1 << 20 // bytes of a line that readers take
)

// ErrClosed is returned by writes after Close.
var ErrClosed = errors.New("eventlog: closed")

// Options of a Log or a Cast.
type Options struct {
	// MaxBytes bounds what is kept, 0 for DefaultMaxBytes; at least 64 KiB.
	MaxBytes int64
	// Mask replaces what must not be recorded. It sees each string and each
	// piece of data before it is written; it must not keep or change its
	// argument and may return it. Secrets that are cut over two writes are the
	// caller's to mask. Nil leaves everything as it is.
	Mask func([]byte) []byte
	// Now is the clock, time.Now if nil.
	Now func() time.Time
	// Sync waits for the disk after each line.
	Sync bool
}

func (o *Options) defaults() {
	if o.MaxBytes <= 0 {
		o.MaxBytes = DefaultMaxBytes
	}
	o.MaxBytes = max(o.MaxBytes, minMaxBytes)
	if o.Now == nil {
		o.Now = time.Now
	}
}

func (o *Options) mask(b []byte) []byte {
	if o.Mask == nil || len(b) == 0 {
		return b
	}
	return o.Mask(b)
}

// field masks a string and bounds it.
func (o *Options) field(s string) (t string, cut bool) {
	b, rest := chunk(o.mask([]byte(s)), maxField)
	return string(b), len(rest) > 0
}

// Log is an event log that is written. It is safe for concurrent use.
type Log struct {
	opt   Options
	begin time.Time
	base  time.Duration // times go on from here when a file is opened again

	mu      sync.Mutex
	w       io.Writer
	f       *os.File // nil for New
	path    string
	size    int64 // of the file, or of what was written
	old     int64 // of the file before
	seq     uint64
	session uint64           // of the last event found when the file was opened
	missing int64            // bytes of lines in files that were replaced, or of data left out
	data    map[uint64]int64 // data left out by session, for New
	full    bool
	err     error // sticky
}

// New returns a log that is written to w, each line by one call. Beyond
// Options.MaxBytes data of input and output is left out; the other events stay,
// and "truncated" tells at once that data is missing and, in front of a
// session's exit and at Close, how much.
func New(w io.Writer, o Options) (*Log, error) {
	o.defaults()
	l := &Log{opt: o, begin: o.Now(), w: w, data: map[uint64]int64{}}
	l.header()
	return l, l.err
}

// OpenLog opens the log in a file: it makes the file (mode 0600) or appends to
// one that holds a log, removing a torn line at its end first. Beyond half of
// Options.MaxBytes the file becomes path+".1", in place of an older one, and a
// new one begins with a "truncated" event that counts the bytes of the files
// that are gone.
//
// An error names the file: it cannot be opened, is a link or another thing than a
// regular file, or is no event log.
func OpenLog(path string, o Options) (*Log, error) {
	o.defaults()
	l := &Log{opt: o, begin: o.Now(), path: path}
	f, size, last, err := openTail(path, func(first []byte) string {
		_, reason := parseHeader(first)
		return reason
	})
	if err != nil {
		return nil, err
	}
	l.f, l.w, l.size = f, f, size
	if st, err := os.Stat(path + ".1"); err == nil {
		l.old = st.Size()
	}
	if size == 0 {
		l.header()
	} else if len(last) > 0 {
		var x line
		reason := "not JSON"
		if json.Unmarshal(last, &x) == nil {
			_, reason = x.event()
		}
		if reason != "" {
			return nil, errors.Join(&FormatError{File: path, Reason: "last line: " + reason}, f.Close())
		}
		l.session = x.Session
		l.seq, l.base = x.Seq, time.Duration(x.Micros)*time.Microsecond
	}
	if l.err != nil {
		return nil, errors.Join(l.err, f.Close())
	}
	return l, nil
}

// LastSession returns the session of the last event that the file held when it
// was opened, 0 if there was none: who writes one session after the other goes on
// from there.
func (l *Log) LastSession() uint64 { return l.session }

func (l *Log) header() {
	l.put(Header{Format, Version, l.opt.Now().UTC().Truncate(time.Microsecond)})
}

// put writes one line.
func (l *Log) put(v any) {
	if l.err != nil {
		return
	}
	b, err := encode(v)
	if err != nil {
		l.err = err
		return
	}
	n, err := l.w.Write(b)
	l.size += int64(n)
	if err == nil && n < len(b) {
		err = io.ErrShortWrite
	}
	if err == nil && l.opt.Sync && l.f != nil {
		err = l.f.Sync()
	}
	if err != nil {
		l.err = fmt.Errorf("event log: %w", err)
	}
}

func encode(v any) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return nil, fmt.Errorf("event log: %w", err)
	}
	return b.Bytes(), nil
}

// Append writes an event; it sets Seq, Since and Time. Data longer than 32 KiB
// becomes several events, other strings are cut at 4 KiB and lists at
// 1024 strings or 32 KiB, which Cut tells. After an error
// nothing more is written, and each call returns it.
func (l *Log) Append(e Event) error {
	e.Data = l.opt.mask(e.Data)
	for _, s := range []*string{&e.Stream, &e.Dir, &e.User, &e.Signal, &e.Limit, &e.Subject, &e.Reason} {
		var cut bool
		*s, cut = l.opt.field(*s)
		e.Cut = e.Cut || cut
	}
	args := make([]string, 0, min(len(e.Args), maxArgs))
	room := maxData
	for _, a := range e.Args[:min(len(e.Args), maxArgs)] {
		a, cut := l.opt.field(a)
		e.Cut = e.Cut || cut
		if room -= len(a); room < 0 {
			break
		}
		args = append(args, a)
	}
	e.Cut = e.Cut || len(args) < len(e.Args)
	e.Args = args

	l.mu.Lock()
	defer l.mu.Unlock()
	for {
		rest := e.Data
		e.Data, rest = chunk(rest, maxData)
		l.append(e)
		if len(rest) == 0 {
			return l.err
		}
		e.Data = rest
	}
}

func (l *Log) append(e Event) {
	if l.err != nil {
		return
	}
	now := l.opt.Now()
	e.Since, e.Time = l.since(now), now
	switch {
	case l.f != nil && l.size >= l.opt.MaxBytes/2:
		l.rotate(e)
	case l.f == nil && len(e.Data) > 0 && l.size+int64(len(e.Data)) > l.opt.MaxBytes:
		l.data[e.Session] += int64(len(e.Data))
		l.missing += int64(len(e.Data))
		if !l.full {
			l.full = true
			l.event(Event{Since: e.Since, Time: now, Session: e.Session, Kind: KindTruncated, Reason: "the log is full: data is left out from here"})
		}
		return
	case e.Kind == KindExit && l.data[e.Session] > 0:
		l.event(Event{Since: e.Since, Time: now, Session: e.Session, Kind: KindTruncated, Bytes: l.data[e.Session], Reason: "data of this session was left out"})
		delete(l.data, e.Session)
	}
	l.event(e)
}

func (l *Log) since(now time.Time) time.Duration { return l.base + max(now.Sub(l.begin), 0) }

func (l *Log) event(e Event) {
	l.seq++
	e.Seq = l.seq
	l.put(e.line())
}

// rotate puts the file aside and begins another.
func (l *Log) rotate(e Event) {
	fail := func(err error) {
		if err != nil && l.err == nil {
			l.err = fmt.Errorf("event log: %w", err)
		}
	}
	fail(l.f.Close())
	fail(os.Rename(l.path, l.path+".1"))
	if l.err != nil {
		return
	}
	f, err := os.OpenFile(l.path, os.O_CREATE|os.O_EXCL|os.O_APPEND|os.O_RDWR, 0o600)
	if err != nil {
		fail(err)
		return
	}
	l.missing += l.old
	l.old, l.size = l.size, 0
	l.f, l.w = f, f
	l.header()
	l.event(Event{Since: e.Since, Time: e.Time, Kind: KindTruncated, Bytes: l.missing, Reason: "the events before are in the file whose name ends in .1; bytes counts what is no longer there"})
}

// Close ends the log. For New it does not close the writer.
func (l *Log) Close() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if errors.Is(l.err, ErrClosed) {
		return nil
	}
	if l.f == nil && l.missing > 0 {
		now := l.opt.Now()
		l.event(Event{Since: l.since(now), Time: now, Kind: KindTruncated, Bytes: l.missing, Reason: "data of all sessions was left out"})
	}
	err := l.err
	if l.f != nil {
		err = errors.Join(err, l.f.Close())
	}
	l.err = ErrClosed
	return err
}

// Stream returns a writer whose bytes become events of kind input or output.
// It keeps a character that is cut at the end of a write for the next one, or
// for Close, which writes what is left and does not close the log; writes after
// it fail with ErrClosed. It is safe for concurrent use.
func (l *Log) Stream(session uint64, kind Kind, stream string) io.WriteCloser {
	return &characters{put: func(b []byte) error {
		return l.Append(Event{Session: session, Kind: kind, Stream: stream, Data: b})
	}}
}

// characters hands on whole characters.
type characters struct {
	put func([]byte) error

	mu     sync.Mutex
	tail   []byte
	closed bool
}

func (s *characters) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return 0, ErrClosed
	}
	if len(p) == 0 {
		return 0, nil
	}
	b := p
	if len(s.tail) > 0 {
		b = append(s.tail, p...)
	}
	n := len(b) - incomplete(b)
	tail := bytes.Clone(b[n:])
	s.tail = tail
	if n > 0 {
		if err := s.put(b[:n]); err != nil {
			return 0, err
		}
	}
	return len(p), nil
}

func (s *characters) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.closed = true
	if len(s.tail) == 0 {
		return nil
	}
	b := s.tail
	s.tail = nil
	return s.put(b)
}
