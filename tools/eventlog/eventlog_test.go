// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package eventlog

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// clock returns a clock that goes on by a millisecond with each look.
func clock() func() time.Time {
	t := time.Date(2026, 1, 2, 3, 4, 5, 678901000, time.UTC)
	return func() time.Time {
		t = t.Add(time.Millisecond)
		return t
	}
}

func ptr[T any](v T) *T { return &v }

// all reads a record to its end.
func all(t *testing.T, name string, b []byte) (*Record, []Frame) {
	t.Helper()
	r, err := NewRecord(bytes.NewReader(b), name)
	require.NoError(t, err)
	var frames []Frame
	for {
		f, err := r.Next()
		if errors.Is(err, io.EOF) {
			return r, frames
		}
		require.NoError(t, err)
		frames = append(frames, f)
	}
}

func TestLog(t *testing.T) {
	var b bytes.Buffer
	l, err := New(&b, Options{Now: clock(), Mask: func(p []byte) []byte { return bytes.ReplaceAll(p, []byte("s3cret"), []byte("***")) }})
	require.NoError(t, err)
	for _, e := range []Event{
		{Session: 1, Kind: KindStart, TTY: true, Rows: 40, Cols: 120, Dir: "/workspace"},
		{Session: 1, Kind: KindSpawn, Args: []string{"sh", "-c", "echo s3cret <&>"}, PID: 2},
		{Session: 1, Kind: KindOutput, Stream: "terminal", Data: []byte("é s3cret\r\n")},
		{Session: 1, Kind: KindOutput, Stream: "terminal", Data: []byte{0xff, 0x00}},
		{Session: 1, Kind: KindDecision, Subject: "rm", Allowed: ptr(false), Reason: "s3cret"},
		{Session: 1, Kind: KindExit, Code: ptr(0)},
	} {
		require.NoError(t, l.Append(e))
	}
	require.NoError(t, l.Close())
	require.NoError(t, l.Close())
	require.ErrorIs(t, l.Append(Event{Kind: KindStart}), ErrClosed)
	require.Equal(t, `{"format":"wsandbox-events","version":1,"time":"2026-01-02T03:04:05.680901Z"}
{"seq":1,"us":2000,"time":"2026-01-02T03:04:05.681901Z","session":1,"kind":"start","dir":"/workspace","tty":true,"rows":40,"cols":120}
{"seq":2,"us":3000,"time":"2026-01-02T03:04:05.682901Z","session":1,"kind":"spawn","args":["sh","-c","echo *** <&>"],"pid":2}
{"seq":3,"us":4000,"time":"2026-01-02T03:04:05.683901Z","session":1,"kind":"output","stream":"terminal","data":"é ***\r\n"}
{"seq":4,"us":5000,"time":"2026-01-02T03:04:05.684901Z","session":1,"kind":"output","stream":"terminal","base64":"/wA="}
{"seq":5,"us":6000,"time":"2026-01-02T03:04:05.685901Z","session":1,"kind":"decision","subject":"rm","reason":"***","allowed":false}
{"seq":6,"us":7000,"time":"2026-01-02T03:04:05.686901Z","session":1,"kind":"exit","code":0}
`, b.String())

	r, frames := all(t, "log", b.Bytes())
	require.Equal(t, FormatEvents, r.Format)
	require.Equal(t, Header{Format, 1, time.Date(2026, 1, 2, 3, 4, 5, 680901000, time.UTC)}, r.Header)
	require.Len(t, frames, 6)
	require.Equal(t, &Event{Seq: 4, Since: 5 * time.Millisecond, Time: time.Date(2026, 1, 2, 3, 4, 5, 684901000, time.UTC),
		Session: 1, Kind: KindOutput, Stream: "terminal", Data: []byte{0xff, 0x00}}, frames[3].Event)
	require.Equal(t, 5*time.Millisecond, frames[3].Since)
	require.False(t, r.Torn())
}

func TestLogBounds(t *testing.T) {
	var b bytes.Buffer
	l, err := New(&b, Options{})
	require.NoError(t, err)
	long := strings.Repeat("é", 50<<10)
	require.NoError(t, l.Append(Event{Session: 7, Kind: KindOutput, Data: []byte(long)}))
	require.NoError(t, l.Append(Event{Session: 7, Kind: KindDenial, Reason: long}))
	require.NoError(t, l.Append(Event{Session: 7, Kind: KindSpawn, Args: make([]string, 5000)}))
	require.NoError(t, l.Close())
	_, frames := all(t, "log", b.Bytes())
	var data []byte
	for _, f := range frames[:len(frames)-2] {
		require.LessOrEqual(t, len(f.Event.Data), maxData)
		data = append(data, f.Event.Data...)
	}
	require.Equal(t, long, string(data))
	denial, spawn := frames[len(frames)-2].Event, frames[len(frames)-1].Event
	require.Equal(t, long[:maxField], denial.Reason)
	require.True(t, denial.Cut && spawn.Cut)
	require.Len(t, spawn.Args, maxArgs)
}

// TestLogEscapes: the worst that JSON makes of an event is a line that the
// reader takes.
func TestLogEscapes(t *testing.T) {
	var b bytes.Buffer
	l, err := New(&b, Options{})
	require.NoError(t, err)
	bad := strings.Repeat("\x01", 64<<10)
	require.NoError(t, l.Append(Event{Kind: KindOutput, Data: []byte(bad), Stream: bad, Dir: bad, User: bad, Signal: bad, Limit: bad, Subject: bad, Reason: bad, Args: []string{bad, bad, bad, bad, bad, bad, bad, bad, bad}}))
	_, frames := all(t, "log", b.Bytes())
	require.Len(t, frames, 2)
}

func TestLogFull(t *testing.T) {
	var b bytes.Buffer
	l, err := New(&b, Options{MaxBytes: 1})
	require.NoError(t, err)
	piece := bytes.Repeat([]byte("x"), 1000)
	const n = 200
	for i := range n {
		require.NoError(t, l.Append(Event{Session: uint64(1 + i%2), Kind: KindOutput, Data: piece}))
	}
	require.NoError(t, l.Append(Event{Session: 1, Kind: KindExit, Code: ptr(0)}))
	require.NoError(t, l.Close())
	require.Less(t, b.Len(), minMaxBytes+4096)
	_, frames := all(t, "log", b.Bytes())
	kept := 0
	var marks []int64
	for _, f := range frames {
		kept += len(f.Event.Data)
		if f.Event.Kind == KindTruncated {
			marks = append(marks, f.Event.Bytes)
		}
	}
	require.Len(t, marks, 3) // at once, before the exit, at the end
	require.Zero(t, marks[0])
	require.Equal(t, KindExit, frames[len(frames)-2].Event.Kind)
	require.Equal(t, int64(n*1000-kept), marks[2])
	require.InDelta(t, marks[2]/2, marks[1], 1000)
}

func TestOpenLog(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log")
	l, err := OpenLog(path, Options{Now: clock()})
	require.NoError(t, err)
	require.NoError(t, l.Append(Event{Session: 1, Kind: KindStart}))
	require.NoError(t, l.Append(Event{Session: 1, Kind: KindOutput, Data: []byte("one\n")}))
	require.NoError(t, l.Close())
	whole, err := os.ReadFile(path)
	require.NoError(t, err)
	header := bytes.IndexByte(whole, '\n') + 1

	// Whatever was cut off at the end, reading and appending go on.
	for cut := range whole {
		require.NoError(t, os.WriteFile(path, whole[:cut], 0o600))
		if cut > header {
			r, frames := all(t, path, whole[:cut])
			require.LessOrEqual(t, len(frames), 2)
			lines := bytes.Count(whole[:cut], []byte("\n")) - 1
			if r.Torn() {
				require.Len(t, frames, lines, "cut at %d", cut)
			}
		}
		l, err := OpenLog(path, Options{Now: clock()})
		require.NoError(t, err, "cut at %d: %q", cut, whole[:cut])
		require.Equal(t, min(uint64(bytes.Count(whole[:cut], []byte{'\n'})), 2)/2, l.LastSession())
		require.NoError(t, l.Append(Event{Session: 2, Kind: KindStart}))
		require.NoError(t, l.Close())
		b, err := os.ReadFile(path)
		require.NoError(t, err)
		_, frames := all(t, path, b)
		last := frames[len(frames)-1]
		require.Equal(t, uint64(2), last.Event.Session)
		require.Equal(t, uint64(len(frames)), last.Event.Seq)
		if len(frames) > 1 {
			require.Greater(t, last.Since, frames[len(frames)-2].Since)
		}
	}
}

func TestOpenRefusesOtherFiles(t *testing.T) {
	dir := t.TempDir()
	for name, text := range map[string]string{
		"text": "important notes", "lines": "a\nb\nc", "json": "{\"a\":1}\n", "binary": "\x7fELF\x00\n",
		"other version": `{"format":"wsandbox-events","version":9,"time":"2026-01-02T03:04:05Z"}` + "\n",
		"bad last line": `{"format":"wsandbox-events","version":1,"time":"2026-01-02T03:04:05Z"}` + "\nnonsense\n",
		"long":          strings.Repeat("x", 3<<20),
	} {
		path := filepath.Join(dir, name)
		require.NoError(t, os.WriteFile(path, []byte(text), 0o600))
		_, err := OpenLog(path, Options{})
		var fe *FormatError
		require.ErrorAs(t, err, &fe, name)
		require.Equal(t, path, fe.File)
		require.EqualError(t, err, fe.Error(), "one error: the file was closed")
		_, err = OpenCast(path, CastHeader{Rows: 1, Cols: 1}, Options{})
		require.ErrorAs(t, err, &fe, name)
		b, err := os.ReadFile(path)
		require.NoError(t, err)
		require.Equal(t, text, string(b), "the file was changed")
	}
	_, err := OpenLog(dir, Options{})
	require.EqualError(t, err, dir+": not a regular file")
	link := filepath.Join(dir, "link")
	_ = os.Symlink(filepath.Join(dir, "target"), link) // which not every host lets us
	if st, err := os.Lstat(link); err == nil && st.Mode()&os.ModeSymlink != 0 {
		_, err = OpenLog(link, Options{})
		require.EqualError(t, err, link+": not a regular file")
		require.NoFileExists(t, filepath.Join(dir, "target"))
	}
	_, err = OpenLog(filepath.Join(dir, "missing", "log"), Options{})
	require.ErrorIs(t, err, os.ErrNotExist)
}

func TestRotation(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log")
	l, err := OpenLog(path, Options{MaxBytes: 64 << 10})
	require.NoError(t, err)
	const n = 300
	for i := range n {
		require.NoError(t, l.Append(Event{Session: 1, Kind: KindOutput, Data: bytes.Repeat([]byte{'a' + byte(i%26)}, 1000)}))
	}
	require.NoError(t, l.Close())
	var total int64
	var last uint64
	for i, name := range []string{path + ".1", path} {
		b, err := os.ReadFile(name)
		require.NoError(t, err)
		require.Less(t, len(b), 40<<10)
		total += int64(len(b))
		_, frames := all(t, name, b)
		first := frames[0].Event
		require.Equal(t, KindTruncated, first.Kind)
		if i == 1 {
			require.Equal(t, last+1, first.Seq)
			require.Positive(t, first.Bytes)
			// All that is missing and all that is there is what was written:
			// each line has some 100 bytes around its data.
			require.InDelta(t, n*1100, first.Bytes+total, n*60)
		}
		last = frames[len(frames)-1].Event.Seq
	}
}

func TestLogConcurrent(t *testing.T) {
	var b bytes.Buffer
	l, err := New(&b, Options{})
	require.NoError(t, err)
	var wg sync.WaitGroup
	for s := range 8 {
		wg.Go(func() {
			w := l.Stream(uint64(s), KindOutput, "stdout")
			for i := range 100 {
				if _, err := fmt.Fprintf(w, "%d:%d\n", s, i); err != nil {
					t.Error(err)
				}
			}
			if err := w.Close(); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	require.NoError(t, l.Close())
	_, frames := all(t, "log", b.Bytes())
	require.Len(t, frames, 800)
	next := map[uint64]int{}
	for i, f := range frames {
		require.Equal(t, uint64(i+1), f.Event.Seq)
		s := f.Event.Session
		require.Equal(t, fmt.Sprintf("%d:%d\n", s, next[s]), string(f.Event.Data))
		next[s]++
	}
}

type failing struct{ left int }

func (f *failing) Write(p []byte) (int, error) {
	if f.left -= len(p); f.left < 0 {
		return 0, io.ErrClosedPipe
	}
	return len(p), nil
}

func TestWriteErrors(t *testing.T) {
	l, err := New(&failing{200}, Options{})
	require.NoError(t, err)
	require.NoError(t, l.Append(Event{Kind: KindStart}))
	require.ErrorIs(t, l.Append(Event{Kind: KindOutput, Data: []byte("xxxxxxxx")}), io.ErrClosedPipe)
	require.ErrorIs(t, l.Append(Event{Kind: KindStart}), io.ErrClosedPipe)
	require.ErrorIs(t, l.Close(), io.ErrClosedPipe)
	_, err = New(&failing{}, Options{})
	require.ErrorIs(t, err, io.ErrClosedPipe)
	_, err = NewCast(&failing{}, CastHeader{Rows: 1, Cols: 1}, Options{})
	require.ErrorIs(t, err, io.ErrClosedPipe)
}

func TestStream(t *testing.T) {
	var b bytes.Buffer
	l, err := New(&b, Options{})
	require.NoError(t, err)
	w := l.Stream(1, KindOutput, "stdout")
	for _, s := range []string{"caf\xc3", "\xa9 \xe6\x97", "\xa5", "", "\xf0\x9f", "x\xff", "\xe6"} {
		n, err := w.Write([]byte(s))
		require.NoError(t, err)
		require.Equal(t, len(s), n)
	}
	require.NoError(t, w.Close())
	require.NoError(t, w.Close())
	_, err = w.Write([]byte("late"))
	require.ErrorIs(t, err, ErrClosed)
	_, frames := all(t, "log", b.Bytes())
	var got []string
	for _, f := range frames {
		got = append(got, string(f.Event.Data))
	}
	require.Equal(t, []string{"caf", "é ", "日", "\xf0\x9fx\xff", "\xe6"}, got)
}

func TestSplit(t *testing.T) {
	pieces := func(s string, max int) (all []string) {
		for b := []byte(s); len(b) > 0; {
			var p []byte
			p, b = Split(b, max)
			all = append(all, string(p))
		}
		return all
	}
	require.Equal(t, []string{"hello", " word", "!"}, pieces("hello word!", 5))
	require.Equal(t, []string{"é", "é", "é"}, pieces("ééé", 3))
	p, rest := Split([]byte("\xffab"), 2)
	require.Equal(t, "\xff", string(p))
	require.Equal(t, "ab", string(rest))
	require.Equal(t, []string{"日", "\xe6"}, pieces("日\xe6", 4))
	require.Equal(t, []string{"\xe6", "\x97", "\xa5"}, pieces("日", 2))
	p, rest = Split([]byte("a"), 0)
	require.Empty(t, p)
	require.Equal(t, "a", string(rest))
}

func TestCast(t *testing.T) {
	var b bytes.Buffer
	c, err := NewCast(&b, CastHeader{Rows: 40, Cols: 120, Time: time.Unix(1767323045, 0), Title: "a <test>", Term: "xterm-256color"}, Options{Now: clock()})
	require.NoError(t, err)
	require.NoError(t, c.Output([]byte("caf\xc3")))
	require.NoError(t, c.Output([]byte("\xa9 \x1b[1m\xff\r\n")))
	require.NoError(t, c.Input([]byte("ls\r")))
	require.NoError(t, c.Resize(24, 80))
	require.NoError(t, c.Marker("here"))
	require.NoError(t, c.Output([]byte("\xe6")))
	require.NoError(t, c.Close())
	require.NoError(t, c.Close())
	require.ErrorIs(t, c.Output([]byte("x")), ErrClosed)
	require.Equal(t, `{"version":2,"width":120,"height":40,"timestamp":1767323045,"title":"a <test>","env":{"TERM":"xterm-256color"}}
[0.001000,"o","caf"]
[0.002000,"o","é \u001b[1m`+"\ufffd"+`\r\n"]
[0.003000,"i","ls\r"]
[0.004000,"r","80x24"]
[0.005000,"m","here"]
[0.006000,"o","`+"\ufffd"+`"]
`, b.String())
	r, frames := all(t, "cast", b.Bytes())
	require.Equal(t, FormatCast2, r.Format)
	require.Equal(t, CastHeader{Rows: 40, Cols: 120, Time: time.Unix(1767323045, 0).UTC(), Title: "a <test>", Term: "xterm-256color"}, r.Cast)
	require.Len(t, frames, 6)
	require.Equal(t, &CastEvent{Since: 4 * time.Millisecond, Code: "r", Data: "80x24", Rows: 24, Cols: 80}, frames[3].Cast)
}

func TestCastFull(t *testing.T) {
	var b bytes.Buffer
	c, err := NewCast(&b, CastHeader{Rows: 1, Cols: 1}, Options{MaxBytes: 1})
	require.NoError(t, err)
	for range 100 {
		require.NoError(t, c.Output(bytes.Repeat([]byte("x"), 1000)))
	}
	require.NoError(t, c.Close())
	_, frames := all(t, "cast", b.Bytes())
	kept := 0
	for _, f := range frames {
		if f.Cast.Code == "o" {
			kept += len(f.Cast.Data)
		}
	}
	require.Equal(t, "the recording is full: data is left out from here", frames[len(frames)-2].Cast.Data)
	require.Equal(t, fmt.Sprintf("%d bytes were left out", 100000-kept), frames[len(frames)-1].Cast.Data)
	require.Less(t, b.Len(), minMaxBytes+1024)
}

func TestOpenCast(t *testing.T) {
	path := filepath.Join(t.TempDir(), "cast")
	h := CastHeader{Rows: 24, Cols: 80}
	c, err := OpenCast(path, h, Options{Now: clock()})
	require.NoError(t, err)
	require.NoError(t, c.Output([]byte("one")))
	require.NoError(t, c.Close())
	whole, err := os.ReadFile(path)
	require.NoError(t, err)
	for cut := range whole {
		require.NoError(t, os.WriteFile(path, whole[:cut], 0o600))
		c, err := OpenCast(path, h, Options{Now: clock()})
		require.NoError(t, err, "cut at %d: %q", cut, whole[:cut])
		require.NoError(t, c.Output([]byte("two")))
		require.NoError(t, c.Close())
		b, err := os.ReadFile(path)
		require.NoError(t, err)
		_, frames := all(t, path, b)
		require.Equal(t, "two", frames[len(frames)-1].Cast.Data)
	}
}

func TestReadCast3(t *testing.T) {
	r, frames := all(t, "cast", []byte(`{"version":3,"term":{"cols":80,"rows":24,"type":"xterm"},"timestamp":1}
# a comment
[0.5,"o","a"]
[0.25,"o","b"]

[1,"x","0"]
`))
	require.Equal(t, FormatCast3, r.Format)
	require.Equal(t, CastHeader{Rows: 24, Cols: 80, Term: "xterm", Time: time.Unix(1, 0).UTC()}, r.Cast)
	var since []time.Duration
	for _, f := range frames {
		since = append(since, f.Since)
	}
	require.Equal(t, []time.Duration{500 * time.Millisecond, 750 * time.Millisecond, 1750 * time.Millisecond}, since)
}

func TestRecordErrors(t *testing.T) {
	const events = `{"format":"wsandbox-events","version":1,"time":"2026-01-02T03:04:05Z"}` + "\n"
	const cast = `{"version":2,"width":80,"height":24}` + "\n"
	const when = `"time":"2026-01-02T03:04:05Z"`
	for _, c := range []struct{ in, want string }{
		{"", "f: the file is empty: unexpected EOF"},
		{"\n \n", "f: the file is empty: unexpected EOF"},
		{"hello\n", "f: line 1: neither an event log nor an asciicast: not JSON"},
		{"[]\n", "f: line 1: neither an event log nor an asciicast: not the form of this record: a JSON array where none belongs"},
		{"{}\n", "f: line 1: version 0 of asciicast is not known"},
		{`{"version":1,"width":80,"height":24,"stdout":[]}` + "\n", "f: line 1: version 1 of asciicast is not known"},
		{`{"version":2,"width":0,"height":24}` + "\n", "f: line 1: a terminal of 0 columns and 24 rows"},
		{`{"version":2,"width":80,"height":1000000}` + "\n", "f: line 1: a terminal of 80 columns and 1000000 rows"},
		{`{"format":"x","version":1}` + "\n", `f: line 1: format "x" is not "wsandbox-events"`},
		{`{"format":"wsandbox-events","version":2}` + "\n", "f: line 1: version 2 of the event log is not known"},
		{strings.Repeat("x", maxLine+1), "f: line 1: line is longer than 1 MiB"},
		{events + "x\n", "f: line 2: not JSON"},
		{events + "{}\n", `f: line 2: "time" is not a time of RFC 3339`},
		{events + `{"seq":1,` + when + "}\n", `f: line 2: no "kind"`},
		{events + `{"seq":1,"us":-1,"kind":"exit",` + when + "}\n", `f: line 2: "us" is out of range`},
		{events + `{"seq":1,"kind":"resize","rows":-1,` + when + "}\n", "f: line 2: a size is out of range"},
		{events + `{"seq":1,"kind":"output","base64":"!",` + when + "}\n", `f: line 2: "base64" is not base64`},
		{events + `{"seq":1,"kind":"output","base64":"aGk=","data":"hi",` + when + "}\n", `f: line 2: both "data" and "base64"`},
		{events + `{"seq":0,"kind":"exit",` + when + "}\n", "f: line 2: sequence number 0 behind 0"},
		{events + `{"seq":"1"}` + "\n", "f: line 2: not the form of this record: a JSON string where none belongs"},
		{events + "\n" + strings.Repeat("x", maxLine+1), "f: line 3: line is longer than 1 MiB"},
		{cast + "{}\n", "f: line 2: not the form of this record: a JSON object where none belongs"},
		{cast + "[1,\"o\"]\n", "f: line 2: an event has a time, a code and data"},
		{cast + "[-1,\"o\",\"\"]\n", "f: line 2: the time is not a number of seconds"},
		{cast + "[1e99,\"o\",\"\"]\n", "f: line 2: the time is not a number of seconds"},
		{cast + "[\"1\",\"o\",\"\"]\n", "f: line 2: the time is not a number of seconds"},
		{cast + "[1,\"o\",2]\n", "f: line 2: code and data are strings"},
		{cast + "[1,\"r\",\"80\"]\n", `f: line 2: "80" is not a size`},
		{cast + "[1,\"r\",\"0x9\"]\n", `f: line 2: "0x9" is not a size`},
	} {
		r, err := NewRecord(strings.NewReader(c.in), "f")
		for err == nil {
			_, err = r.Next()
		}
		require.EqualError(t, err, c.want, "%.100q", c.in)
	}
	// A last line that is cut off is no error.
	for _, in := range []string{events + `{"seq":1,"us":5`, cast + `[1,"o`, cast + `[1,"o"]`} {
		r, err := NewRecord(strings.NewReader(in), "f")
		require.NoError(t, err)
		_, err = r.Next()
		require.ErrorIs(t, err, io.EOF)
		require.True(t, r.Torn())
	}
	// Time never goes back.
	_, frames := all(t, "f", []byte(cast+"[2,\"o\",\"a\"]\n[1,\"o\",\"b\"]\n"))
	require.Equal(t, 2*time.Second, frames[1].Since)
}

func FuzzRecord(f *testing.F) {
	for _, s := range []string{
		`{"format":"wsandbox-events","version":1,"time":"2026-01-02T03:04:05Z"}` + "\n" + `{"seq":1,"us":5,"time":"2026-01-02T03:04:05Z","kind":"output","base64":"/wA=","session":3}` + "\n{\"seq\":",
		`{"version":2,"width":80,"height":24}` + "\n[1.5,\"o\",\"x\"]\n[2,\"r\",\"8x4\"]\n",
		`{"version":3,"term":{"cols":80,"rows":24}}` + "\n# c\n[1e3,\"x\",\"0\"]\n", "{}", "\n", "[",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		r, err := NewRecord(bytes.NewReader(b), "f")
		if err != nil {
			return
		}
		var last time.Duration
		for {
			fr, err := r.Next()
			if err != nil {
				return
			}
			if fr.Since < last || (fr.Event == nil) == (fr.Cast == nil) {
				t.Fatalf("%+v behind %v", fr, last)
			}
			last = fr.Since
			if e := fr.Event; e != nil {
				// What was read can be written and is read as the same.
				var out bytes.Buffer
				l, err := New(&out, Options{Now: func() time.Time { return e.Time }})
				require.NoError(t, err)
				if l.Append(*e) == nil && len(e.Data) <= maxData {
					again, err := NewRecord(&out, "f")
					require.NoError(t, err)
					fr, err := again.Next()
					if err == nil {
						require.Equal(t, string(e.Data), string(fr.Event.Data))
						require.Equal(t, e.Kind, fr.Event.Kind)
					}
				}
			}
		}
	})
}

func FuzzSplit(f *testing.F) {
	f.Add([]byte("ééé"), 3)
	f.Add([]byte("\xffab"), 2)
	f.Fuzz(func(t *testing.T, b []byte, max int) {
		if max < 1 {
			return
		}
		var joined []byte
		for rest := b; len(rest) > 0; {
			var p []byte
			p, rest = Split(rest, max)
			if len(p) == 0 || len(p) > max {
				t.Fatalf("piece of %d bytes", len(p))
			}
			joined = append(joined, p...)
		}
		require.Equal(t, string(b), string(joined))
	})
}

func BenchmarkAppend(b *testing.B) {
	l, err := New(io.Discard, Options{MaxBytes: 1 << 50})
	if err != nil {
		b.Fatal(err)
	}
	data := bytes.Repeat([]byte("some output\r\n"), 300)
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		if err := l.Append(Event{Session: 1, Kind: KindOutput, Data: data}); err != nil {
			b.Fatal(err)
		}
	}
}
