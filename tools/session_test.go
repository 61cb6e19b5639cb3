// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package tools

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/wsandbox/wsandbox/wasishell"
)

// start starts a session.
func start(tb testing.TB, m *Manager, x ExecCommandArgs) int64 {
	tb.Helper()
	x.YieldTimeMS = ptr(0)
	r, err := m.ExecCommand(tb.Context(), x)
	require.NoError(tb, err)
	require.NotNil(tb, r.SessionID, r.Text())
	return int64(*r.SessionID)
}

// write sends input and returns the response.
func write(tb testing.TB, m *Manager, id int64, chars string) Response {
	tb.Helper()
	r, err := m.WriteStdin(tb.Context(), WriteStdinArgs{SessionID: id, Chars: chars})
	require.NoError(tb, err)
	return r
}

// until waits until a text shows in the output of a session, and returns all of
// it up to there.
func until(tb testing.TB, m *Manager, id int64, text string) string {
	tb.Helper()
	return untilAfter(tb, m, id, "", text)
}

// untilAfter is until, where out has shown before.
func untilAfter(tb testing.TB, m *Manager, id int64, out, text string) string {
	tb.Helper()
	last := text[strings.LastIndexByte(strings.TrimSuffix(text, "\n"), '\n')+1:]
	last = strings.TrimSuffix(last, "\n")
	for deadline := time.Now().Add(limit); !strings.Contains(out, text); {
		if time.Now().After(deadline) {
			tb.Fatalf("%q does not show in %q", text, out)
		}
		r, err := m.WaitSession(tb.Context(), WaitSessionArgs{SessionID: id, Pattern: regexp.MustCompile(regexp.QuoteMeta(last)), Timeout: time.Second / 10})
		require.NoError(tb, err)
		out += strings.TrimSuffix(r.Output, "\n[the process is still running after 0.1 seconds of waiting]")
		if r.ExitCode != nil && !strings.Contains(out, text) {
			tb.Fatalf("the command ended with %d, and %q does not show in %q", *r.ExitCode, text, out)
		}
	}
	return out
}

// drive sends input and waits until a text shows.
func drive(tb testing.TB, m *Manager, id int64, chars, text string) string {
	tb.Helper()
	r := write(tb, m, id, chars)
	if strings.Contains(r.Output, text) {
		return r.Output
	}
	require.NotNil(tb, r.SessionID, r.Text())
	return untilAfter(tb, m, id, r.Output, text)
}

// TestStatePersists: an interactive shell keeps its state over many writes.
func TestStatePersists(t *testing.T) {
	n := 1000
	if testing.Short() {
		n = 20
	}
	m := newManager(t, Options{})
	id := start(t, m, ExecCommandArgs{Cmd: "n=0; while read x; do n=$((n+x)); echo =$n; done", Stdin: true})
	s, err := m.find(id)
	require.NoError(t, err)
	sum := 0
	for i := range n {
		sum += i
		if i%100 == 0 { // through the whole call, which takes its time
			drive(t, m, id, itoa(i)+"\n", "="+itoa(sum)+"\n")
			continue
		}
		require.NoError(t, m.send(s, []byte(itoa(i)+"\n")))
		until(t, m, id, "="+itoa(sum))
	}
	require.NoError(t, m.CloseStdin(id))
	r, err := m.WaitSession(t.Context(), WaitSessionArgs{SessionID: id})
	require.NoError(t, err)
	require.Equal(t, 0, *r.ExitCode)
}

// TestTerminalKeys: the control characters act as on Linux.
func TestTerminalKeys(t *testing.T) {
	m := newManager(t, Options{})
	for _, c := range []struct {
		cmd, keys string
		code      int
	}{
		{"sleep 1000", "\x03", -2}, {"cat", "\x1c", -3}, {"cat", "\x04", 0}, {"cat > /dev/null", "text\x04\x04", 0},
	} {
		id := start(t, m, ExecCommandArgs{Cmd: c.cmd, TTY: true})
		write(t, m, id, c.keys)
		r, err := m.WaitSession(t.Context(), WaitSessionArgs{SessionID: id})
		if gone := (*sessionError)(nil); errors.As(err, &gone) {
			continue // the write has reported the end
		}
		require.NoError(t, err)
		require.NotNil(t, r.ExitCode, "%+v: %s", c, r.Output)
		require.Equal(t, c.code, *r.ExitCode, "%+v", c)
	}
	// ^Z stops what runs in an interactive shell, and fg resumes it.
	id := start(t, m, ExecCommandArgs{Cmd: "bash -i", TTY: true})
	drive(t, m, id, "cat\n", "cat\n")
	drive(t, m, id, "here\n", "here\nhere\n")
	drive(t, m, id, "\x1a", "Stopped")
	drive(t, m, id, "fg\n", "fg\ncat\n")
	drive(t, m, id, "again\n", "again\nagain\n")
	drive(t, m, id, "\x04", "$ ")
	write(t, m, id, "exit 3\n")
	for { // until its end is reported
		r, err := m.WaitSession(t.Context(), WaitSessionArgs{SessionID: id})
		if err != nil {
			break
		}
		if r.ExitCode != nil {
			require.Equal(t, 3, *r.ExitCode)
			break
		}
	}
}

// TestPaste: a paste of a megabyte into a terminal neither blocks the call nor
// loses a byte.
func TestPaste(t *testing.T) {
	var text strings.Builder
	rnd := rand.New(rand.NewPCG(1, 2))
	for text.Len() < 1<<20 {
		text.WriteString(strings.Repeat(string(rune('a'+rnd.IntN(26))), 1+rnd.IntN(200)))
		text.WriteByte('\n')
	}
	m := newManager(t, Options{})
	id := start(t, m, ExecCommandArgs{Cmd: "stty -echo; echo ready; read go; sleep 0.3; sha256sum", TTY: true})
	s, err := m.find(id)
	require.NoError(t, err)
	waitFor(t, "the terminal", func() bool { return s.transcript.total() > 0 })
	write(t, m, id, "go\n")
	r := write(t, m, id, text.String())
	require.NotNil(t, r.SessionID)
	require.NoError(t, m.CloseStdin(id))
	sum := sha256.Sum256([]byte(text.String()))
	until(t, m, id, fmt.Sprintf("%x", sum))
}

// TestUnsent: input that nobody reads waits, is told of, and is bounded.
func TestUnsent(t *testing.T) {
	m := newManager(t, Options{MaxInput: 300000})
	_, err := m.ExecCommand(t.Context(), ExecCommandArgs{Cmd: "sleep 0", TTY: true, YieldTimeMS: long})
	require.NoError(t, err)
	before := runtime.NumGoroutine()
	for _, x := range []ExecCommandArgs{{Cmd: "sleep 1000", Stdin: true}, {Cmd: "stty -icanon -echo; sleep 1000", TTY: true}} {
		id := start(t, m, x)
		s, err := m.find(id)
		require.NoError(t, err)
		text := strings.Repeat("x\n", 100000)
		r := write(t, m, id, text)
		require.Positive(t, r.UnsentBytes)
		require.Contains(t, r.Output, "of input wait until the process reads them]")
		require.Positive(t, s.in.unsent())
		r = write(t, m, id, text)
		require.Equal(t, "write_stdin failed: too much input waits for the process to read it", r.Output)
		r, err = m.TerminateSession(t.Context(), id)
		require.NoError(t, err)
		require.Equal(t, -15, *r.ExitCode)
	}
	waitFor(t, "goroutines to end", func() bool { return runtime.NumGoroutine() <= before })
}

// TestOrderedCalls: concurrent calls on one session take turns, and each byte of
// the output is in one response.
func TestOrderedCalls(t *testing.T) {
	m := newManager(t, Options{})
	id := start(t, m, ExecCommandArgs{Cmd: "while read x; do echo $x; done", Stdin: true})
	const n = 12
	var mu sync.Mutex
	var all strings.Builder
	var wg sync.WaitGroup
	for i := range n {
		wg.Go(func() {
			r, err := m.WriteStdin(context.Background(), WriteStdinArgs{SessionID: id, Chars: fmt.Sprintf("<%d>\n", i)})
			mu.Lock()
			defer mu.Unlock()
			if err != nil || r.SessionID == nil {
				t.Error(r, err)
			}
			all.WriteString(r.Output)
		})
	}
	wg.Wait()
	require.NoError(t, m.CloseStdin(id))
	r, err := m.WaitSession(t.Context(), WaitSessionArgs{SessionID: id})
	require.NoError(t, err)
	all.WriteString(r.Output)
	lines := strings.Fields(all.String())
	require.Len(t, lines, n)
	for i := range n {
		require.Contains(t, lines, fmt.Sprintf("<%d>", i))
	}
}

// TestCancelledWrite: what a cancelled call has waited for is in the next one.
func TestCancelledWrite(t *testing.T) {
	m := newManager(t, Options{})
	id := start(t, m, ExecCommandArgs{Cmd: "read x; echo got $x; read y", Stdin: true})
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() {
		_, err := m.WriteStdin(ctx, WriteStdinArgs{SessionID: id, Chars: "it\n", YieldTimeMS: long})
		done <- err
	}()
	s, err := m.find(id)
	require.NoError(t, err)
	waitFor(t, "the output", func() bool {
		s.mu.Lock()
		defer s.mu.Unlock()
		return s.pending.total() == 7
	})
	cancel()
	require.ErrorIs(t, <-done, context.Canceled)
	// So is the end, where the command has ended meanwhile.
	require.NoError(t, m.send(s, []byte("y\n")))
	<-s.ended
	_, err = m.WriteStdin(ctx, WriteStdinArgs{SessionID: id})
	require.ErrorIs(t, err, context.Canceled)
	r := write(t, m, id, "")
	require.Equal(t, "got it\n", r.Output)
	require.Equal(t, 0, *r.ExitCode)
}

// TestGone: a session that is pruned or ends in the middle of a write gives the
// contract's text, and so does one that a call finds gone when its turn comes.
func TestGone(t *testing.T) {
	m := newManager(t, Options{})
	for _, end := range []string{"pruned", "terminated", "ended"} {
		id := start(t, m, ExecCommandArgs{Cmd: "read x; read y; exit 4", Stdin: true})
		results := make(chan Response, 2)
		for range 2 {
			go func() {
				r, err := m.WriteStdin(context.Background(), WriteStdinArgs{SessionID: id, Chars: strings.Repeat("x", 100000), YieldTimeMS: long})
				if err != nil {
					t.Error(err)
				}
				results <- r
			}()
		}
		s, err := m.find(id)
		require.NoError(t, err)
		waitFor(t, "input to wait", func() bool { return s.in.unsent() > 0 })
		want := map[string]int{}
		notFound := fmt.Sprintf("write_stdin failed: PTY session not found: %d", id)
		switch end {
		case "pruned":
			m.mu.Lock()
			p := m.active[s]
			m.removeLocked(int(id), true)
			m.mu.Unlock()
			p.Kill()
			want[notFound] = 2
		case "terminated":
			_, err := m.TerminateSession(t.Context(), id)
			require.NoError(t, err)
		case "ended":
			require.NoError(t, m.send(s, []byte("\n\n")))
		}
		got := map[string]int{}
		for range 2 {
			r := <-results
			got[r.Output]++
			require.NotNil(t, r.ExitCode)
			require.Nil(t, r.SessionID)
		}
		if end == "pruned" {
			require.Equal(t, want, got)
		}
		require.Equal(t, notFound, write(t, m, id, "").Output)
	}
}

// TestPruneExited: sessions that have ended go first.
func TestPruneExited(t *testing.T) {
	b := &fakeBackend{}
	var procs []*fakeProcess
	b.start = func(p *fakeProcess) { procs = append(procs, p) }
	clock := &fakeClock{step: time.Second, fire: func(time.Duration) time.Duration { return 0 }}
	m := fakeManager(t, b, Options{Clock: clock})
	first := start(t, m, ExecCommandArgs{Cmd: "cat", TTY: true})
	second := start(t, m, ExecCommandArgs{Cmd: "sleep", TTY: true})
	s, err := m.find(second)
	require.NoError(t, err)
	procs[1].exit(0)
	<-s.ended
	for len(m.ListSessions()) < maxSessions {
		start(t, m, ExecCommandArgs{Cmd: "x"})
	}
	start(t, m, ExecCommandArgs{Cmd: "x"})
	require.Contains(t, write(t, m, second, "x").Output, "not found")
	require.NotNil(t, write(t, m, first, "x").SessionID)
	require.False(t, procs[0].wasKilled())
}

// TestDeterminism: the same random bytes and clock give the same responses.
func TestDeterminism(t *testing.T) {
	var texts []string
	for range 2 {
		clock := &fakeClock{now: time.Unix(0, 0), step: time.Second / 8, fire: func(d time.Duration) time.Duration { return d }}
		b := &fakeBackend{start: func(p *fakeProcess) { p.output("out") }}
		m := fakeManager(t, b, Options{Clock: clock, Rand: rand.NewChaCha8([32]byte{7})})
		text := ""
		for range 3 {
			r, err := m.ExecCommand(t.Context(), ExecCommandArgs{Cmd: "x"})
			require.NoError(t, err)
			text += r.Text()
		}
		texts = append(texts, text)
	}
	require.Equal(t, texts[0], texts[1])
	require.Contains(t, texts[0], "Wall time: 10.")
}

// Test64Sessions runs as many sessions at once as there may be. Each prints and
// reads, and none loses a byte or gets one of another.
func Test64Sessions(t *testing.T) {
	rounds := 20
	if testing.Short() {
		rounds = 2
	}
	sb := newSandbox(t, wasishell.Config{})
	m, err := New(sb, Options{})
	require.NoError(t, err)
	before := runtime.NumGoroutine()
	var wg sync.WaitGroup
	for i := range maxSessions {
		wg.Go(func() {
			ctx := context.Background()
			tty := i%4 == 0
			r, err := m.ExecCommand(ctx, ExecCommandArgs{
				Cmd: fmt.Sprintf("[ ! -t 0 ] || stty -echo; echo ready; while read n; do seq -f '%d:%%g' $n; done", i), TTY: tty, Stdin: !tty, YieldTimeMS: ptr(0),
			})
			if err != nil || r.SessionID == nil {
				t.Error(r, err)
				return
			}
			id := int64(*r.SessionID)
			for out := r.Output; out != "ready\n"; out += r.Output {
				if r, err = m.WriteStdin(ctx, WriteStdinArgs{SessionID: id, Chars: ""}); err != nil || r.SessionID == nil {
					t.Error(r, err)
					return
				}
			}
			got, want := sha256.New(), sha256.New()
			for range rounds {
				n := 500 + i
				for k := 1; k <= n; k++ {
					fmt.Fprintf(want, "%d:%d\n", i, k)
				}
				r, err := m.WriteStdin(ctx, WriteStdinArgs{SessionID: id, Chars: itoa(n) + "\n"})
				if err != nil || r.SessionID == nil {
					t.Error(r, err)
					return
				}
				_, _ = io.WriteString(got, r.Output)
			}
			if err := m.CloseStdin(id); err != nil {
				t.Error(err)
			}
			for {
				r, err := m.WaitSession(ctx, WaitSessionArgs{SessionID: id, Timeout: limit})
				if err != nil {
					t.Error(err)
					return
				}
				_, _ = io.WriteString(got, r.Output)
				if r.ExitCode != nil {
					break
				}
			}
			if string(got.Sum(nil)) != string(want.Sum(nil)) {
				t.Errorf("session %d lost or got what is not its own", i)
			}
		})
	}
	wg.Wait()
	require.Empty(t, m.ListSessions())
	require.NoError(t, m.Close())
	waitFor(t, "goroutines to end", func() bool { return runtime.NumGoroutine() <= before })
	out, err := sb.Shell("echo /proc/[0-9]*").Output(t.Context())
	require.NoError(t, err)
	require.Len(t, strings.Fields(string(out)), 2)
}

// TestMemory: a flood of output that nobody reads is bounded.
func TestMemory(t *testing.T) {
	m := newManager(t, Options{BufferBytes: 1 << 20, KeepBytes: 1 << 18})
	id := start(t, m, ExecCommandArgs{Cmd: "read go; head -c 50000000 /dev/zero; read x", Stdin: true})
	s, err := m.find(id)
	require.NoError(t, err)
	require.NoError(t, m.send(s, []byte("go\n")))
	drained := s.transcript.total
	waitFor(t, "the output", func() bool { return drained() == 50000000 })
	s.mu.Lock()
	size, room, total := s.pending.size(), cap(s.pending.head)+cap(s.pending.tail), s.pending.total()
	s.mu.Unlock()
	require.Equal(t, 1<<20, size)
	require.LessOrEqual(t, room, 4<<20)
	r := write(t, m, id, "\n") // ends the command
	require.Equal(t, total-1<<20, r.OmittedBytes)
	require.Equal(t, Tokens(int(total)), *r.OriginalTokenCount)
}

// TestBackground: what a command leaves behind ends with it or goes on, and never
// keeps the call.
func TestBackground(t *testing.T) {
	for _, background := range []bool{false, true} {
		sb := newSandbox(t, wasishell.Config{})
		m, err := New(sb, Options{Background: background})
		require.NoError(t, err)
		r, err := m.ExecCommand(t.Context(), ExecCommandArgs{Cmd: "tail -f /etc/hosts > /dev/null & echo started", YieldTimeMS: long})
		require.NoError(t, err)
		require.Equal(t, "started\n", r.Output)
		require.Equal(t, 0, *r.ExitCode)
		out, err := sb.Shell("ps -eo args").Output(t.Context())
		require.NoError(t, err)
		require.Equal(t, background, strings.Contains(string(out), "tail -f"))
		require.NoError(t, m.Close())
	}
}

func TestRunAs(t *testing.T) {
	ws := t.TempDir()
	require.NoError(t, os.Chmod(ws, 0o755))
	require.NoError(t, os.WriteFile(ws+"/private", []byte("x\n"), 0o600))
	require.NoError(t, os.WriteFile(ws+"/public", []byte("y\n"), 0o644))
	sb := newSandbox(t, wasishell.Config{Workspace: ws, Users: []wasishell.User{
		{Name: "agent", UID: 2000, GID: 2000, Groups: []wasishell.Group{{Name: "staff", GID: 50}}},
		{Name: "other", UID: 2001, GID: 2001, Home: "/srv/other"},
	}})
	m, err := New(sb, Options{User: "agent"})
	require.NoError(t, err)
	defer m.Close()
	run := func(cmd string) string {
		r, err := m.ExecCommand(t.Context(), ExecCommandArgs{Cmd: cmd, YieldTimeMS: long})
		require.NoError(t, err)
		return r.Output
	}
	require.Equal(t, "uid=2000(agent) gid=2000(agent) groups=2000(agent),50(staff)\nagent\n/home/agent agent agent\n", run("id; whoami; echo $HOME $USER $LOGNAME"))
	require.Equal(t, "agent staff\n", run("touch ~/file; ls -l ~/file | grep -o 'agent agent' | head -n 1 > /dev/null; chgrp staff ~/file && stat -c '%U %G' ~/file"))
	if runtime.GOOS != "windows" { // where files have no permission bits
		out := run("cat public private; echo z > new; ls -ld ~other | cut -c 1-10; touch ~other/x")
		require.Equal(t, "y\ncat: private: Permission denied\nbash: line 1: new: Permission denied\ndrwxr-xr-x\ntouch: cannot touch '/srv/other/x': Permission denied\n", out)
	}
	require.Contains(t, run("kill -9 -1; echo $?"), "0\n"[1:])
	bad, err := New(sb, Options{User: "nobody-here"})
	require.NoError(t, err)
	defer bad.Close()
	r, err := bad.ExecCommand(t.Context(), ExecCommandArgs{Cmd: "true"})
	require.NoError(t, err)
	require.Contains(t, r.Output, "no such user")
	require.NotZero(t, *r.ExitCode)
	// Users do not signal each other's processes.
	other, err := New(sb, Options{User: "other"})
	require.NoError(t, err)
	defer other.Close()
	start(t, other, ExecCommandArgs{Cmd: "sleep 1000"})
	require.Equal(t, "1\n", run("kill -9 $(ps -eo pid,args | grep 'sleep 100[0]' | head -n 1 | sed 's/^ *//; s/ .*//') 2> /dev/null; echo $?"))
}

func TestLog(t *testing.T) {
	dir := t.TempDir()
	m := newManager(t, Options{
		BufferBytes: 1000, KeepBytes: 100, Secrets: []string{"12345"},
		OpenLog: func(i SessionInfo) (LogFile, error) { return os.Create(fmt.Sprintf("%s/%d.log", dir, i.Serial)) },
	})
	r, err := m.ExecCommand(t.Context(), ExecCommandArgs{Cmd: "seq 20000", YieldTimeMS: long})
	require.NoError(t, err)
	require.Positive(t, r.OmittedBytes)
	b, err := os.ReadFile(dir + "/1.log")
	require.NoError(t, err)
	require.Contains(t, string(b), "\n12344\n<secret-hidden>\n12346\n")
	// Nothing is lost to read_output.
	var all strings.Builder
	for off := int64(0); ; {
		p, err := m.ReadOutput(ReadOutputArgs{ChunkID: r.ChunkID, Offset: off})
		require.NoError(t, err)
		require.Zero(t, p.SkippedBytes)
		all.WriteString(p.Output)
		if off = p.NextOffset; off == p.TotalBytes {
			break
		}
	}
	require.Equal(t, string(b), all.String())

	failing := newManager(t, Options{OpenLog: func(SessionInfo) (LogFile, error) { return nil, errors.New("disk full") }})
	r, err = failing.ExecCommand(t.Context(), ExecCommandArgs{Cmd: "echo x"})
	require.NoError(t, err)
	require.Equal(t, "exec_command failed: open the log: disk full", r.Output)
}
