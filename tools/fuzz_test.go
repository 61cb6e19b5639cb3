// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package tools

import (
	"encoding/json"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/wsandbox/wsandbox/tools/screen"
)

func FuzzTruncate(f *testing.F) {
	f.Add("line one\nline two\r\n", 3)
	f.Add(strings.Repeat("界", 100), 20)
	f.Add(strings.Repeat("x", 4000), 32)
	f.Add("a\u2028b\x1cc\u0085", 1)
	f.Add("", -1)
	f.Fuzz(func(t *testing.T, text string, limit int) {
		text = decode([]byte(text))
		out, count := Truncate(text, limit)
		budget := 4 * max(0, min(limit, len(text)))
		switch {
		case len(text) <= budget:
			if out != text || count != 0 {
				t.Fatalf("%q with %d became %q (%d)", text, limit, out, count)
			}
		case len(out) > budget, count != Tokens(len(text)), !utf8.ValidString(out):
			t.Fatalf("%q with %d became %q (%d)", text, limit, out, count)
		}
	})
}

// FuzzDecode: output is valid UTF-8, and the same however it is cut into windows.
func FuzzDecode(f *testing.F) {
	f.Add([]byte("a\xc3\xa9\xe2\x82\xac\xf0\x9f\x98\x80\xff\xe3\x81"), uint16(0x5a5a))
	f.Add([]byte("\xf0\x80\x80\x80\xed\xa0\x80\xc0\x80"), uint16(1))
	f.Fuzz(func(t *testing.T, b []byte, cuts uint16) {
		want := decode(b)
		if !utf8.ValidString(want) {
			t.Fatalf("%q", want)
		}
		if utf8.Valid(b) && want != string(b) {
			t.Fatalf("%q became %q", b, want)
		}
		s := plainSession()
		got := ""
		for i, c := range b {
			_, _ = s.Write([]byte{c})
			if cuts>>(i%16)&1 != 0 {
				got += s.drain(false).head
			}
		}
		if got += s.drain(true).head; got != want {
			t.Fatalf("%q in windows %q, at once %q", b, got, want)
		}
	})
}

// FuzzHeadTail compares with a buffer that keeps all.
func FuzzHeadTail(f *testing.F) {
	f.Add([]byte("0123456789abcdef"), uint8(10), uint8(3))
	f.Fuzz(func(t *testing.T, b []byte, limit, size uint8) {
		h := headTail{max: int(limit)}
		for p := b; len(p) > 0; {
			n := min(int(size%9)+1, len(p))
			h.write(p[:n])
			p = p[n:]
		}
		want := string(b)
		if over := len(b) - int(limit); over > 0 {
			want = string(b[:limit/2]) + string(b[int(limit/2)+over:])
		}
		head, tail := h.parts()
		if string(head)+string(tail) != want || h.omitted != int64(len(b)-len(want)) || h.total() != int64(len(b)) {
			t.Fatalf("%q with %d: %q and %q, %d omitted", b, limit, head, tail, h.omitted)
		}
	})
}

// FuzzTools: whatever arguments a model sends, there is a text for it.
func FuzzTools(f *testing.F) {
	for _, s := range []string{
		`{"cmd":"x","workdir":"a/../..","shell":"/bin/sh","login":false,"tty":true,"yield_time_ms":0,"max_output_tokens":1}`,
		`{"session_id":1000,"chars":"\u0003","yield_time_ms":1e99}`, `{"session_id":-1,"signal":"SIGINT","rows":1,"cols":65537}`,
		`{"chunk_id":"abcdef","offset":-9223372036854775808,"max_output_tokens":9223372036854775807}`, `{"session_id":1000,"pattern":"(","timeout_ms":5}`, `null`, `{"all":true}`,
	} {
		f.Add([]byte(s))
	}
	b := &fakeBackend{start: func(p *fakeProcess) { p.output("out\xff"); p.exit(0) }}
	m := fakeManager(f, b, Options{Clock: &fakeClock{fire: func(time.Duration) time.Duration { return 0 }}})
	list := m.Tools()
	f.Fuzz(func(t *testing.T, args []byte) {
		for _, tool := range list {
			r, err := tool.Call(t.Context(), Call{Args: args})
			if err != nil {
				t.Fatalf("%s: %v", tool.Name, err)
			}
			if r.Text == "" || !utf8.ValidString(r.Text) {
				t.Fatalf("%s: %q", tool.Name, r.Text)
			}
			if _, err := json.Marshal(r.Structured); err != nil {
				t.Fatal(err)
			}
		}
	})
}

// FuzzWatcher: hostile output neither breaks a watcher nor makes it grow.
func FuzzWatcher(f *testing.F) {
	f.Add([]byte("\x1b[31mpass\x1b[0mword:\r\n"))
	f.Fuzz(func(t *testing.T, b []byte) {
		s := plainSession()
		s.term = screen.New(screen.Options{})
		w, stop := s.watch(controlSequence)
		defer stop()
		_, _ = s.Write(b)
		if len(w.line) > maxWatched {
			t.Fatal(len(w.line))
		}
	})
}
