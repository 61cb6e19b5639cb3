// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package eventlog

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"strconv"
	"strings"
	"sync"
	"time"
	"unicode/utf8"
)

// CastHeader is the first line of an asciicast.
type CastHeader struct {
	Rows, Cols int
	Time       time.Time // when it began, to the second; zero if unknown
	Title      string
	Term       string // value of TERM
}

// castHeader2 is the header of version 2 in the file.
type castHeader2 struct {
	Version   int               `json:"version"`
	Width     int               `json:"width"`
	Height    int               `json:"height"`
	Timestamp int64             `json:"timestamp,omitempty"`
	Title     string            `json:"title,omitempty"`
	Env       map[string]string `json:"env,omitempty"`
}

// Cast is an asciicast that is written. It is safe for concurrent use. Output
// and input go through it in whole characters; invalid bytes become U+FFFD, as
// the format has only text.
type Cast struct {
	opt   Options
	begin time.Time
	base  time.Duration // times go on from here when a file is opened again

	mu      sync.Mutex
	w       io.Writer
	f       *os.File
	size    int64
	out, in characters
	missing int64
	full    bool
	err     error
}

// NewCast returns an asciicast that is written to w, each line by one call.
// Beyond Options.MaxBytes output and input are left out; a marker tells so at
// once, and another at Close tells how many bytes.
func NewCast(w io.Writer, h CastHeader, o Options) (*Cast, error) {
	c := newCast(w, o)
	c.header(h)
	return c, c.err
}

// OpenCast opens the asciicast in a file: it makes the file (mode 0600) or
// appends to one, removing a torn line at its end first. The times go on from
// the last one.
//
// An error names the file: it cannot be opened, is a link or another thing than a
// regular file, or is no asciicast of version 2.
func OpenCast(path string, h CastHeader, o Options) (*Cast, error) {
	f, size, last, err := openTail(path, func(first []byte) string {
		v, _, reason := parseCastHeader(first)
		if reason == "" && v != 2 {
			reason = "not an asciicast of version 2"
		}
		return reason
	})
	if err != nil {
		return nil, err
	}
	c := newCast(f, o)
	c.f, c.size = f, size
	if size == 0 {
		c.header(h)
	} else {
		if len(last) > 0 {
			e, reason := parseCastEvent(last)
			if reason != "" {
				return nil, errors.Join(&FormatError{File: path, Reason: "last line: " + reason}, f.Close())
			}
			c.base = e.Since
		}
		c.event("r", fmt.Sprintf("%dx%d", h.Cols, h.Rows))
	}
	if c.err != nil {
		return nil, errors.Join(c.err, f.Close())
	}
	return c, nil
}

func newCast(w io.Writer, o Options) *Cast {
	o.defaults()
	c := &Cast{opt: o, begin: o.Now(), w: w}
	c.out.put = func(b []byte) error { c.data("o", b); return c.err }
	c.in.put = func(b []byte) error { c.data("i", b); return c.err }
	return c
}

func (c *Cast) header(h CastHeader) {
	x := castHeader2{Version: 2, Width: h.Cols, Height: h.Rows, Title: c.text(h.Title)}
	if !h.Time.IsZero() {
		x.Timestamp = h.Time.Unix()
	}
	if h.Term != "" {
		x.Env = map[string]string{"TERM": c.text(h.Term)}
	}
	c.put(x)
}

func (c *Cast) text(s string) string {
	s, _ = c.opt.field(s)
	return s
}

func (c *Cast) put(v any) {
	if c.err != nil {
		return
	}
	b, err := encode(v)
	if err == nil {
		var n int
		n, err = c.w.Write(b)
		c.size += int64(n)
		if err == nil && n < len(b) {
			err = io.ErrShortWrite
		}
		if err == nil && c.opt.Sync && c.f != nil {
			err = c.f.Sync()
		}
	}
	if err != nil {
		c.err = fmt.Errorf("asciicast: %w", err)
	}
}

func (c *Cast) event(code, data string) {
	since := c.base + max(c.opt.Now().Sub(c.begin), 0)
	c.put([]any{json.Number(strconv.FormatFloat(since.Seconds(), 'f', 6, 64)), code, data})
}

func (c *Cast) data(code string, b []byte) {
	b = bytes.ToValidUTF8(c.opt.mask(b), []byte("\ufffd"))
	for len(b) > 0 {
		var piece []byte
		piece, b = chunk(b, maxData)
		if c.full || c.size+int64(len(piece)) > c.opt.MaxBytes {
			if !c.full {
				c.full = true
				c.event("m", "the recording is full: data is left out from here")
			}
			c.missing += int64(len(piece))
			continue
		}
		c.event(code, string(piece))
	}
}

// Output records what the terminal was sent. It takes all of p unless writing
// fails; after an error nothing more is written.
func (c *Cast) Output(p []byte) error { return c.write(&c.out, p) }

// Input records what was typed.
func (c *Cast) Input(p []byte) error { return c.write(&c.in, p) }

func (c *Cast) write(s *characters, p []byte) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.err != nil {
		return c.err
	}
	_, err := s.Write(p)
	return err
}

// Resize records a new size of the terminal.
func (c *Cast) Resize(rows, cols int) error { return c.note("r", fmt.Sprintf("%dx%d", cols, rows)) }

// Marker records a mark with a text.
func (c *Cast) Marker(text string) error { return c.note("m", c.text(text)) }

func (c *Cast) note(code, data string) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.event(code, data)
	return c.err
}

// Close ends the recording. For NewCast it does not close the writer.
func (c *Cast) Close() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if errors.Is(c.err, ErrClosed) {
		return nil
	}
	_ = c.out.Close()
	_ = c.in.Close()
	if c.missing > 0 {
		c.event("m", fmt.Sprintf("%d bytes were left out", c.missing))
	}
	err := c.err
	if c.f != nil {
		err = errors.Join(err, c.f.Close())
	}
	c.err = ErrClosed
	return err
}

// CastEvent is a line of an asciicast.
type CastEvent struct {
	Since      time.Duration // since the beginning
	Code       string        // "o", "i", "r", "m", "x", or one that the format may get
	Data       string
	Rows, Cols int // of "r"
}

// parseCastHeader reads the header of version 2 or 3. reason says what is wrong.
func parseCastHeader(b []byte) (version int, h CastHeader, reason string) {
	var x struct {
		castHeader2
		Term struct {
			Rows int    `json:"rows"`
			Cols int    `json:"cols"`
			Type string `json:"type"`
		} `json:"term"`
	}
	if err := json.Unmarshal(b, &x); err != nil {
		return 0, h, "no header of an asciicast: " + jsonReason(err)
	}
	h = CastHeader{Rows: x.Height, Cols: x.Width, Title: x.Title, Term: x.Env["TERM"]}
	switch x.Version {
	case 2:
	case 3:
		h.Rows, h.Cols, h.Term = x.Term.Rows, x.Term.Cols, x.Term.Type
	default:
		return 0, h, fmt.Sprintf("version %d of asciicast is not known", x.Version)
	}
	if h.Rows < 1 || h.Cols < 1 || h.Rows > maxSize || h.Cols > maxSize {
		return 0, h, fmt.Sprintf("a terminal of %d columns and %d rows", h.Cols, h.Rows)
	}
	if x.Timestamp > 0 && x.Timestamp < 1<<40 {
		h.Time = time.Unix(x.Timestamp, 0).UTC()
	}
	return x.Version, h, ""
}

// parseCastEvent reads a line behind the header.
func parseCastEvent(b []byte) (e CastEvent, reason string) {
	var x []json.RawMessage
	if err := json.Unmarshal(b, &x); err != nil {
		return e, jsonReason(err)
	}
	if len(x) < 3 {
		return e, "an event has a time, a code and data"
	}
	var seconds float64
	if err := json.Unmarshal(x[0], &seconds); err != nil || math.IsNaN(seconds) || seconds < 0 || seconds > float64(maxMicros)/1e6 {
		return e, "the time is not a number of seconds"
	}
	e.Since = time.Duration(math.Round(seconds*1e6)) * time.Microsecond
	if json.Unmarshal(x[1], &e.Code) != nil || json.Unmarshal(x[2], &e.Data) != nil || e.Code == "" || !utf8.ValidString(e.Data) {
		return e, "code and data are strings"
	}
	if e.Code == "r" {
		cols, rows, ok := strings.Cut(e.Data, "x")
		var err1, err2 error
		e.Cols, err1 = strconv.Atoi(cols)
		e.Rows, err2 = strconv.Atoi(rows)
		if !ok || err1 != nil || err2 != nil || e.Rows < 1 || e.Cols < 1 || e.Rows > maxSize || e.Cols > maxSize {
			return e, fmt.Sprintf("%.40q is not a size", e.Data)
		}
	}
	return e, ""
}
