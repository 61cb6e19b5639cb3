// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package wasishell_test

import (
	"bytes"
	"crypto/sha256"
	"errors"
	"fmt"
	"runtime"
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
				if script[0] == "sh" {
					s.out.has(t, "up")
				}
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

// controlled is a shell with job control on a terminal.
func controlled(t testing.TB, sb *wasishell.Sandbox) *tty {
	t.Helper()
	c := sb.Command("sh", "-i")
	c.Env = []string{"PS1=$ ", "ENV=", "TERM=dumb"}
	s := startTTY(t, c)
	s.out.has(t, "$ ")
	return s
}

func TestTerminalFacts(t *testing.T) {
	sb := newTTYSandbox(t)
	c := sb.Shell(`tty; stty size; test -t 0 && test -t 1 && test -t 2 && echo all; echo to it >/dev/tty; echo $TERM`)
	c.TTY = &wasishell.Winsize{Rows: 40, Cols: 120}
	s := startTTY(t, c)
	require.NoError(t, s.wait())
	require.Equal(t, "/dev/tty\r\n40 120\r\nall\r\nto it\r\nxterm-256color\r\n", s.out.String())

	// The fields of Cmd.
	for _, tc := range []struct {
		set  func(c *wasishell.Cmd)
		want string
	}{
		{func(c *wasishell.Cmd) { c.Stderr = newWatched() }, "start true: a terminal has one output, Stdout: Stderr is set"},
		{func(c *wasishell.Cmd) { c.Stdout = newWatched(); c.Stderr = c.Stdout }, ""},
		{func(c *wasishell.Cmd) { c.OpenStdin = true }, ""},
		{func(c *wasishell.Cmd) { c.Env = []string{"TERM=vt100"} }, ""},
	} {
		c := sb.Command("true")
		c.TTY = &wasishell.Winsize{}
		tc.set(c)
		err := c.Run(t.Context())
		if tc.want == "" {
			require.NoError(t, err)
		} else {
			require.EqualError(t, err, tc.want)
		}
	}
	c = sb.Shell("echo out; echo err >&2")
	c.TTY = &wasishell.Winsize{}
	got, err := c.Output(t.Context())
	require.NoError(t, err)
	require.Equal(t, "out\r\nerr\r\n", string(got))
	plain, err := sb.Command("true").Start(t.Context())
	require.NoError(t, err)
	require.NoError(t, plain.Wait())
	require.Equal(t, wasishell.ErrNoTerminal, plain.Resize(wasishell.Winsize{}))
	require.Equal(t, wasishell.ErrNoTerminal, plain.HangUp())
}

func TestTerminalStdin(t *testing.T) {
	sb := newTTYSandbox(t)
	c := sb.Shell("cat; cat; echo end")
	c.Stdin = strings.NewReader("one\ntwo")
	s := startTTY(t, c)
	require.NoError(t, s.wait())
	got := s.out.String()
	require.Contains(t, got, "one\r\n")
	require.True(t, strings.HasSuffix(got, "twoend\r\n"), "%q", got)

	s = startTTY(t, sb.Command("cat"))
	s.typed("part")
	require.NoError(t, s.CloseStdin())
	require.Equal(t, wasishell.ErrStdinClosed, s.CloseStdin())
	_, err := s.Write([]byte("x"))
	require.Equal(t, wasishell.ErrStdinClosed, err)
	require.NoError(t, s.wait())
	require.Equal(t, "partpart", s.out.String())
}

// TestTerminalPaste types a megabyte in one call.
func TestTerminalPaste(t *testing.T) {
	sb := newTTYSandbox(t)
	var text strings.Builder
	for i := 0; text.Len() < 1<<20; i++ {
		fmt.Fprintf(&text, "line %d of what is pasted into a terminal\n", i)
	}
	for _, tc := range []struct{ name, script, want string }{
		{"wc", "stty -echo; echo ready; wc -c", fmt.Sprintln(text.Len())},
		{"cat", "stty -echo; echo ready; cat", text.String()},
		{"echo", "echo ready; cat >/dev/null", text.String()},
		{"raw", "stty raw -echo; echo ready; head -c " + fmt.Sprint(text.Len()) + "; stty sane", text.String()},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s := startTTY(t, sb.Shell(tc.script))
			s.out.has(t, "ready")
			s.typed(text.String())
			if tc.name != "raw" {
				require.NoError(t, s.CloseStdin())
			}
			require.NoError(t, s.wait())
			got := strings.ReplaceAll(s.out.String(), "\r\n", "\n")
			got = strings.TrimPrefix(strings.TrimPrefix(got, "ready"), "\n")
			require.True(t, got == tc.want, "%d bytes, want %d", len(got), len(tc.want))
		})
	}
}

func TestTerminalResize(t *testing.T) {
	sb := newTTYSandbox(t)
	s := startTTY(t, sb.Shell(`trap 'stty size; exit 3' WINCH; echo up; while :; do sleep 0.01; done`))
	s.out.has(t, "up")
	require.NoError(t, s.Resize(wasishell.Winsize{Rows: 50, Cols: 132}))
	err := s.wait()
	var x *wasishell.ExitError
	require.True(t, errors.As(err, &x), "%v", err)
	require.Equal(t, 3, x.ExitCode())
	require.Equal(t, "up\r\n50 132\r\n", s.out.String())
}

// TestTerminalSuspend stops a program of a shell, one that waits and one that
// never does, and continues it.
func TestTerminalSuspend(t *testing.T) {
	sb := newTTYSandbox(t)
	for name, program := range map[string]string{
		"waits": `sh -c 'echo $((6 * 7))x; sleep 1000'`,
		"spins": `awk 'BEGIN { print 6 * 7 "x"; fflush(); for (;;) n++ }'`,
	} {
		t.Run(name, func(t *testing.T) {
			s := controlled(t, sb)
			s.typed(program + "\n")
			s.out.has(t, "42x") // it is in the foreground
			s.typed("\x1a")
			s.out.has(t, "Stopped")
			s.typed("echo $((7 * 7))y\n")
			s.out.has(t, "49y")
			shown := strings.Count(s.out.String(), "6 * 7")
			s.typed("fg\n")
			s.out.until(t, "the command again", func(o string) bool { return strings.Count(o, "6 * 7") > shown })
			// It is about to be in the foreground; until then the key does nothing.
			prompts := strings.Count(s.out.String(), "$ ")
			tick := time.NewTicker(20 * time.Millisecond)
			defer tick.Stop()
			limit := time.After(waitLimit)
			for strings.Count(s.out.String(), "$ ") == prompts {
				s.typed("\x03")
				select {
				case <-tick.C:
				case <-limit:
					t.Fatalf("the program goes on; output %q", s.out)
				}
			}
			s.typed("exit 7\n")
			var x *wasishell.ExitError
			require.True(t, errors.As(s.wait(), &x))
			require.Equal(t, 7, x.ExitCode())
		})
	}
}

// TestTerminalState has a shell keep its state over many writes.
func TestTerminalState(t *testing.T) {
	writes := 1000
	if testing.Short() {
		writes = 100
	}
	sb := newTTYSandbox(t)
	s := startTTY(t, sb.Shell(`stty -echo; n=0; echo ready; while read -r word; do n=$((n + 1)); echo "$n $word"; done`))
	s.out.has(t, "ready\r\n")
	for i := 1; i <= writes; i++ {
		s.typed("w\n")
		s.out.has(t, fmt.Sprintf("\n%d w\r\n", i))
	}
	s.typed("\x04")
	require.NoError(t, s.wait())
}

// TestTerminalSessions runs many sessions at once, each printing and reading.
func TestTerminalSessions(t *testing.T) {
	sessions, rounds := 64, 20
	if testing.Short() {
		sessions, rounds = 16, 4
	}
	before := runtime.NumGoroutine()
	sb, err := wasishell.New(t.Context(), wasishell.Config{Runtime: sharedRuntime(t)})
	require.NoError(t, err)
	var wg sync.WaitGroup
	for i := range sessions {
		wg.Go(func() {
			c := sb.Shell(`stty -echo; echo ready; while read -r a; do echo "$a $1"; seq 1 200; done`, fmt.Sprint(i))
			out := newWatched()
			c.Stdout, c.TTY = out, &wasishell.Winsize{Rows: 24, Cols: 80}
			s, err := c.Start(t.Context())
			if err != nil {
				t.Error(err)
				return
			}
			var want strings.Builder
			want.WriteString("ready\r\n")
			for r := range rounds {
				out.until(t, "the round", func(o string) bool { return len(o) >= want.Len() })
				if _, err := fmt.Fprintf(s, "%d-%d\n", i, r); err != nil {
					t.Error(err)
				}
				fmt.Fprintf(&want, "%d-%d %d\r\n", i, r, i)
				for n := 1; n <= 200; n++ {
					fmt.Fprintf(&want, "%d\r\n", n)
				}
			}
			if err := s.CloseStdin(); err != nil {
				t.Error(err)
			}
			if err := s.Wait(); err != nil {
				t.Error(err)
			}
			if got := out.String(); sha256.Sum256([]byte(got)) != sha256.Sum256([]byte(want.String())) {
				t.Errorf("session %d: %d bytes, want %d", i, len(got), want.Len())
			}
		})
	}
	wg.Wait()
	require.NoError(t, sb.Close())
	limit := time.After(waitLimit)
	tick := time.NewTicker(10 * time.Millisecond)
	defer tick.Stop()
	for runtime.NumGoroutine() > before+2 { // timers of the test itself
		select {
		case <-tick.C:
		case <-limit:
			b := make([]byte, 1<<20)
			t.Fatalf("%d goroutines, before %d\n%s", runtime.NumGoroutine(), before, b[:runtime.Stack(b, true)])
		}
	}
}

// failing is a writer that fails.
type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, errors.New("broken writer") }

// stuck is a writer that does not return until the test ends.
type stuck struct{ release chan struct{} }

func (s stuck) Write(p []byte) (int, error) {
	<-s.release
	return len(p), nil
}

func TestTerminalEnds(t *testing.T) {
	sb := newTTYSandbox(t)
	status := func(err error) abi.WaitStatus {
		t.Helper()
		var x *wasishell.ExitError
		require.True(t, errors.As(err, &x), "%v", err)
		return x.Status
	}
	t.Run("hang-up", func(t *testing.T) {
		s := startTTY(t, sb.Command("sleep", "1000"))
		require.NoError(t, s.HangUp())
		require.Equal(t, abi.KilledBy(abi.SIGHUP), status(s.wait()))
	})
	t.Run("failing writer", func(t *testing.T) {
		c := sb.Command("yes")
		c.TTY, c.Stdout = &wasishell.Winsize{}, failing{}
		err := c.Run(t.Context())
		require.Equal(t, abi.KilledBy(abi.SIGHUP), status(err))
		require.ErrorContains(t, err, "broken writer")
	})
	t.Run("killed with a stuck writer", func(t *testing.T) {
		w := stuck{make(chan struct{})}
		defer close(w.release)
		c := sb.Command("yes")
		c.TTY, c.Stdout = &wasishell.Winsize{}, w
		s, err := c.Start(t.Context())
		require.NoError(t, err)
		s.Kill()
		require.Equal(t, abi.KilledBy(abi.SIGKILL), status((&tty{Session: s, t: t, out: newWatched()}).wait()))
	})
	t.Run("all output is delivered", func(t *testing.T) {
		s := startTTY(t, sb.Command("seq", "1", "50000"))
		require.NoError(t, s.wait())
		require.True(t, strings.HasSuffix(s.out.String(), "\r\n50000\r\n"))
		require.Equal(t, 50000, strings.Count(s.out.String(), "\r\n"))
	})
	t.Run("a background process does not hold it", func(t *testing.T) {
		c := sb.Shell(`nohup sleep 1000 </dev/tty >/dev/tty 2>&1 & echo started`)
		c.Background = true
		s := startTTY(t, c)
		require.NoError(t, s.wait())
		require.Contains(t, s.out.String(), "started\r\n")
	})
	t.Run("discarded output", func(t *testing.T) {
		c := sb.Command("seq", "1", "100000")
		c.TTY = &wasishell.Winsize{}
		require.NoError(t, c.Run(t.Context()))
	})
}

// BenchmarkTerminalEcho types a line, which cat writes back.
func BenchmarkTerminalEcho(b *testing.B) {
	sb := newTTYSandbox(b)
	lines := make(chan struct{}, 16)
	c := sb.Shell("stty -echo; echo ready; exec cat")
	c.TTY, c.Stdout = &wasishell.Winsize{}, lineCounter(lines)
	s, err := c.Start(b.Context())
	if err != nil {
		b.Fatal(err)
	}
	<-lines
	for b.Loop() {
		if _, err := s.Write([]byte("x\n")); err != nil {
			b.Fatal(err)
		}
		<-lines
	}
	s.Kill()
}

// lineCounter sends for each line written.
type lineCounter chan struct{}

func (c lineCounter) Write(p []byte) (int, error) {
	for range bytes.Count(p, []byte("\n")) {
		c <- struct{}{}
	}
	return len(p), nil
}

// BenchmarkTerminalCat writes a file of 4 MB to a terminal.
func BenchmarkTerminalCat(b *testing.B) {
	sb, err := wasishell.New(b.Context(), wasishell.Config{
		Runtime: sharedRuntime(b),
		Files:   []wasishell.File{{Path: "/tmp/f", Data: bytes.Repeat([]byte("some words of text in a line, which is not short\n"), 4<<20/49)}},
	})
	if err != nil {
		b.Fatal(err)
	}
	defer sb.Close()
	b.SetBytes(4 << 20)
	for b.Loop() {
		c := sb.Command("cat", "/tmp/f")
		c.TTY = &wasishell.Winsize{}
		if err := c.Run(b.Context()); err != nil {
			b.Fatal(err)
		}
	}
}

// TestTerminalBackground stops background programs that read, and with tostop
// those that write; one that nobody could continue gets an error instead.
func TestTerminalBackground(t *testing.T) {
	sb := newTTYSandbox(t)
	for _, tc := range []struct{ name, script, want string }{
		{"reads", `set -m; cat & wait $!; echo $?; kill -9 %1`, "149\r\n"},
		{"writes", `set -m; seq 3 | sort & wait $!; echo $?`, "1\r\n2\r\n3\r\n0\r\n"},
		{"writes with tostop", `set -m; stty tostop; /bin/echo x & wait $!; echo $?; kill -9 %1`, "150\r\n"},
		{"ignores SIGTTIN", `set -m; (trap '' TTIN; cat) 2>/dev/null & wait $!; echo $?`, "1\r\n"},
		{"changes attributes", `set -m; stty -echo & wait $!; echo $?; kill -9 %1; stty | grep -c -e -echo`, "150\r\n0\r\n"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			s := startTTY(t, sb.Shell(tc.script))
			_ = s.wait() // the status is that of the last command
			got := s.out.String()
			require.True(t, strings.HasSuffix(got, tc.want) || strings.HasPrefix(got, tc.want), "%q", got)
		})
	}
}
