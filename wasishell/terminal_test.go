// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package wasishell_test

import (
	"errors"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/wasishell"
)

// watched is a writer whose contents can be waited for.
type watched struct {
	mu      sync.Mutex
	b       []byte
	changed chan struct{}
}

func newWatched() *watched { return &watched{changed: make(chan struct{}, 1)} }

func (w *watched) Write(p []byte) (int, error) {
	w.mu.Lock()
	w.b = append(w.b, p...)
	w.mu.Unlock()
	select {
	case w.changed <- struct{}{}:
	default:
	}
	return len(p), nil
}

func (w *watched) String() string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return string(w.b)
}

// until waits for the contents to satisfy f.
func (w *watched) until(t testing.TB, what string, f func(s string) bool) {
	t.Helper()
	limit := time.After(waitLimit)
	for !f(w.String()) {
		select {
		case <-w.changed:
		case <-limit:
			t.Fatalf("never: %s; output %q", what, w.String())
		}
	}
}

func (w *watched) has(t testing.TB, part string) {
	t.Helper()
	w.until(t, part, func(s string) bool { return strings.Contains(s, part) })
}

const waitLimit = 60 * time.Second

// tty is a command on a terminal.
type tty struct {
	*wasishell.Session
	t   testing.TB
	out *watched
}

func startTTY(t testing.TB, c *wasishell.Cmd) *tty {
	t.Helper()
	s := &tty{t: t, out: newWatched()}
	c.Stdout = s.out
	if c.TTY == nil {
		c.TTY = &wasishell.Winsize{Rows: 24, Cols: 80}
	}
	var err error
	s.Session, err = c.Start(t.Context())
	require.NoError(t, err)
	return s
}

func (s *tty) typed(text string) {
	s.t.Helper()
	n, err := s.Write([]byte(text))
	require.NoError(s.t, err)
	require.Equal(s.t, len(text), n)
}

// wait waits for the end.
func (s *tty) wait() error {
	s.t.Helper()
	select {
	case <-s.Done():
	case <-time.After(waitLimit):
		s.t.Fatalf("the command has not ended; output %q", s.out)
	}
	return s.Wait()
}

func newTTYSandbox(t testing.TB) *wasishell.Sandbox {
	t.Helper()
	sb, err := wasishell.New(t.Context(), wasishell.Config{Runtime: sharedRuntime(t)})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, sb.Close()) })
	return sb
}

func TestTerminalCat(t *testing.T) {
	sb := newTTYSandbox(t)
	s := startTTY(t, sb.Command("cat"))
	s.typed("one\n")
	s.out.has(t, "one\r\none\r\n")
	s.typed("tow\x7f\x7fwo\n")
	s.out.has(t, "tow\b \b\b \bwo\r\ntwo\r\n")
	s.typed("part\x04")
	s.out.has(t, "partpart")
	s.typed("\x04")
	require.NoError(t, s.wait())
	require.Equal(t, "one\r\none\r\ntow\b \b\b \bwo\r\ntwo\r\npartpart", s.out.String())
	_, err := s.Write([]byte("late"))
	require.Equal(t, error(abi.EPIPE), err)
}

func TestTerminalSignals(t *testing.T) {
	sb := newTTYSandbox(t)
	for _, tc := range []struct {
		name, key, echo string
		sig             abi.Signal
	}{
		{"interrupt", "\x03", "^C", abi.SIGINT},
		{"quit", "\x1c", "^\\", abi.SIGQUIT},
	} {
		for _, script := range [][]string{{"cat"}, {"sleep", "1000"}, {"sh", "-c", "echo up; while :; do :; done"}} {
			t.Run(tc.name+" "+script[0], func(t *testing.T) {
				s := startTTY(t, sb.Command(script[0], script[1:]...))
				s.typed(tc.key)
				err := s.wait()
				var x *wasishell.ExitError
				require.True(t, errors.As(err, &x), "%v", err)
				require.Equal(t, abi.KilledBy(tc.sig), x.Status)
				require.Contains(t, s.out.String(), tc.echo)
			})
		}
	}
}
