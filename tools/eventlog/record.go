// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package eventlog

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"time"
)

// FormatError says what is wrong with a file.
type FormatError struct {
	File   string
	Line   int // from 1, 0 if it is not about a line
	Reason string
}

func (e *FormatError) Error() string {
	if e.Line == 0 {
		return fmt.Sprintf("%s: %s", e.File, e.Reason)
	}
	return fmt.Sprintf("%s: line %d: %s", e.File, e.Line, e.Reason)
}

// jsonReason is the text of a JSON error without what the input said.
func jsonReason(err error) string {
	if e := (*json.UnmarshalTypeError)(nil); errors.As(err, &e) {
		return fmt.Sprintf("not the form of this record: a JSON %s where none belongs", e.Value)
	}
	return "not JSON"
}

// lines reads lines of at most maxLine bytes.
type lines struct {
	r    *bufio.Reader
	file string
	n    int
	torn bool
}

func newLines(r io.Reader, file string) *lines {
	return &lines{r: bufio.NewReaderSize(r, 64<<10), file: file}
}

// next returns the next line that is not blank, whole or (the last one) torn.
func (l *lines) next() (b []byte, whole bool, err error) {
	for {
		l.n++
		b = b[:0]
		for {
			part, err := l.r.ReadSlice('\n')
			b = append(b, part...)
			if len(b) > maxLine {
				return nil, false, l.error("line is longer than 1 MiB")
			}
			if err == nil {
				b, whole = b[:len(b)-1], true
				break
			}
			if errors.Is(err, bufio.ErrBufferFull) {
				continue
			}
			if !errors.Is(err, io.EOF) {
				return nil, false, fmt.Errorf("%s: line %d: %w", l.file, l.n, err)
			}
			if len(b) == 0 {
				return nil, false, io.EOF
			}
			whole = false
			break
		}
		if b = bytes.TrimSpace(b); len(b) > 0 {
			return b, whole, nil
		}
		if !whole {
			return nil, false, io.EOF
		}
	}
}

func (l *lines) error(reason string) error { return &FormatError{l.file, l.n, reason} }

// fail is error, but a torn last line ends the record.
func (l *lines) fail(whole bool, reason string) error {
	if !whole {
		l.torn = true
		return io.EOF
	}
	return l.error(reason)
}

// Format of a Record.
type RecordFormat uint8

// Formats.
const (
	FormatEvents RecordFormat = iota + 1
	FormatCast2
	FormatCast3
)

// Frame is what happened at one moment of a Record.
type Frame struct {
	Since time.Duration // since the first session of the record began
	Event *Event        // of an event log
	Cast  *CastEvent    // of an asciicast
}

// Record is an event log or an asciicast that is read. Memory is bounded
// whatever the file holds.
type Record struct {
	Format RecordFormat
	Header Header     // of an event log
	Cast   CastHeader // of an asciicast

	l    *lines
	last time.Duration
	seq  uint64
}

// NewRecord reads the header of a record and finds out what it is. file is the
// name in errors.
//
// Errors: a *FormatError with file, line and reason; io.ErrUnexpectedEOF
// (wrapped) for an empty file; those of r.
func NewRecord(r io.Reader, file string) (*Record, error) {
	l := newLines(r, file)
	b, _, err := l.next()
	if errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("%s: the file is empty: %w", file, io.ErrUnexpectedEOF)
	}
	if err != nil {
		return nil, err
	}
	rec := &Record{l: l}
	var probe struct {
		Format  string          `json:"format"`
		Version json.RawMessage `json:"version"`
	}
	if err := json.Unmarshal(b, &probe); err != nil {
		return nil, l.error("neither an event log nor an asciicast: " + jsonReason(err))
	}
	if probe.Format != "" {
		h, reason := parseHeader(b)
		if reason != "" {
			return nil, l.error(reason)
		}
		rec.Format, rec.Header = FormatEvents, h
		return rec, nil
	}
	version, h, reason := parseCastHeader(b)
	if reason != "" {
		return nil, l.error(reason)
	}
	rec.Cast = h
	rec.Format = FormatCast2
	if version == 3 {
		rec.Format = FormatCast3
	}
	return rec, nil
}

func parseHeader(b []byte) (h Header, reason string) {
	if err := json.Unmarshal(b, &h); err != nil {
		return h, "no header of an event log: " + jsonReason(err)
	}
	if h.Format != Format {
		return h, fmt.Sprintf("format %.40q is not %q", h.Format, Format)
	}
	if h.Version != Version {
		return h, fmt.Sprintf("version %d of the event log is not known", h.Version)
	}
	return h, ""
}

// Next returns the next frame, io.EOF at the end. Time never goes back: where
// the file says so, Since stays.
//
// Errors: a *FormatError with file, line and reason; those of the reader.
func (r *Record) Next() (Frame, error) {
	for {
		b, whole, err := r.l.next()
		if err != nil {
			return Frame{}, err
		}
		if r.Format == FormatCast3 && b[0] == '#' {
			continue
		}
		var f Frame
		if r.Format == FormatEvents {
			var x line
			if err := json.Unmarshal(b, &x); err != nil {
				return Frame{}, r.l.fail(whole, jsonReason(err))
			}
			e, reason := x.event()
			if reason != "" {
				return Frame{}, r.l.fail(whole, reason)
			}
			if e.Seq <= r.seq {
				return Frame{}, r.l.error(fmt.Sprintf("sequence number %d behind %d", e.Seq, r.seq))
			}
			r.seq = e.Seq
			f = Frame{Since: e.Since, Event: &e}
		} else {
			e, reason := parseCastEvent(b)
			if reason != "" {
				return Frame{}, r.l.fail(whole, reason)
			}
			if r.Format == FormatCast3 {
				e.Since = min(r.last+e.Since, time.Duration(maxMicros)*time.Microsecond)
			}
			f = Frame{Since: e.Since, Cast: &e}
		}
		f.Since = max(f.Since, r.last)
		r.last = f.Since
		return f, nil
	}
}

// Torn reports, after the end, whether the last line was cut off.
func (r *Record) Torn() bool { return r.l.torn }
