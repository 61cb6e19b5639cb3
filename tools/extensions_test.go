// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package tools

import (
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/wsandbox/wsandbox/wasishell"
)

func TestListSessions(t *testing.T) {
	m := newManager(t, Options{})
	r, err := callTool(t, m, "list_sessions", "")
	require.NoError(t, err)
	require.Equal(t, "No sessions.", r.Text)
	id := start(t, m, ExecCommandArgs{Cmd: "sleep 1000\n# \x1b[2J" + strings.Repeat("x", 300), TTY: true})
	other := start(t, m, ExecCommandArgs{Cmd: "read x; exit 3", Stdin: true})
	s, err := m.find(other)
	require.NoError(t, err)
	require.NoError(t, m.send(s, []byte("\n")))
	<-s.ended
	list := m.ListSessions()
	require.Len(t, list, 2)
	require.EqualValues(t, other, list[0].SessionID)
	require.Equal(t, 3, *list[0].ExitCode)
	require.EqualValues(t, id, list[1].SessionID)
	require.True(t, list[1].Running)
	require.Positive(t, list[1].PID)
	r, err = callTool(t, m, "list_sessions", "{}")
	require.NoError(t, err)
	require.Regexp(t, "^Session [0-9]+: exited with code 3, pipe, .*: read x; exit 3\nSession [0-9]+: running, tty, .*: sleep 1000 # .x1b\\[2Jx+…\n$", r.Text)
}

func TestWaitSession(t *testing.T) {
	m := newManager(t, Options{})
	id := start(t, m, ExecCommandArgs{Cmd: "for i in 1 2 3; do read x; printf '\\033[1mready %s\\033[0m\\n' $i; done; read y", TTY: true})
	s, err := m.find(id)
	require.NoError(t, err)
	require.NoError(t, m.send(s, []byte("\n\n\n")))
	r, err := m.WaitSession(t.Context(), WaitSessionArgs{SessionID: id, Pattern: regexp.MustCompile("^ready 3$")})
	require.NoError(t, err)
	require.True(t, *r.Matched)
	require.Contains(t, r.Output, "ready 3")
	require.NotContains(t, r.Output, "\x1b")
	require.NotNil(t, r.SessionID)
	// It does not wait for what is there.
	require.NoError(t, m.send(s, []byte("last")))
	r, err = m.WaitSession(t.Context(), WaitSessionArgs{SessionID: id, Pattern: regexp.MustCompile("last")})
	require.NoError(t, err)
	require.True(t, *r.Matched)
	out, err := callTool(t, m, "wait_session", `{"session_id":`+itoa(int(id))+`,"timeout_ms":10,"pattern":"never"}`)
	require.NoError(t, err)
	require.Contains(t, out.Text, "[the process is still running after 0.01 seconds of waiting]")
	require.False(t, *out.Structured.(Response).Matched)
	out, err = callTool(t, m, "wait_session", `{"session_id":`+itoa(int(id))+`,"pattern":"("}`)
	require.NoError(t, err)
	require.True(t, out.IsError)
	require.Contains(t, out.Text, "wait_session failed: pattern is not valid: ")
	// The time that a pattern takes is bounded.
	for _, p := range []string{strings.Repeat(".{0,1000}", 100) + "x", strings.Repeat("a", maxPattern+1)} {
		out, err = callTool(t, m, "wait_session", `{"session_id":`+itoa(int(id))+`,"pattern":"`+p+`"}`)
		require.NoError(t, err)
		require.Contains(t, out.Text, "wait_session failed: pattern is not valid: it is too large")
	}
	// A call that waits does not keep others from the session.
	done := make(chan Response, 1)
	go func() {
		r, err := m.WaitSession(t.Context(), WaitSessionArgs{SessionID: id, Timeout: limit})
		if err != nil {
			r.Output = err.Error()
		}
		done <- r
	}()
	require.NoError(t, m.send(s, []byte("\n")))
	r = <-done
	require.NotNil(t, r.ExitCode, r.Output)
	require.Zero(t, *r.ExitCode)
}

func TestTerminateSession(t *testing.T) {
	m := newManager(t, Options{})
	for _, c := range []struct {
		cmd  string
		tty  bool
		code int
	}{{"sleep 1000", false, -15}, {"trap '' TERM; while :; do sleep 1000; done", false, -9}, {"trap 'echo bye; exit 5' TERM; while :; do read -t 0.01 x; done", true, 5}} {
		id := start(t, m, ExecCommandArgs{Cmd: c.cmd, TTY: c.tty})
		r, err := m.TerminateSession(t.Context(), id)
		require.NoError(t, err)
		require.Equal(t, c.code, *r.ExitCode, c.cmd)
		if c.code == 5 {
			require.Equal(t, "bye\n", r.Output)
		}
		require.Contains(t, write(t, m, id, "").Output, "not found")
	}
	r, err := callTool(t, m, "terminate_session", `{"session_id":5}`)
	require.NoError(t, err)
	require.Contains(t, r.Text, "terminate_session failed: PTY session not found: 5")
	start(t, m, ExecCommandArgs{Cmd: "sleep 1000"})
	start(t, m, ExecCommandArgs{Cmd: "sleep 1000"})
	r, err = callTool(t, m, "terminate_session", `{"all":true}`)
	require.NoError(t, err)
	require.Contains(t, r.Text, "Terminated 2 sessions.")
	require.Empty(t, m.ListSessions())
}

func TestSendSignal(t *testing.T) {
	m := newManager(t, Options{})
	id := start(t, m, ExecCommandArgs{Cmd: "trap 'echo usr1; exit 6' USR1; while :; do read -t 0.01 x; done", Stdin: true})
	arg := `{"session_id":` + itoa(int(id))
	for _, c := range []struct{ args, want string }{
		{arg + `,"signal":"NOPE"}`, `send_signal failed: signal "NOPE" is no signal`},
		{arg + `,"signal":"0"}`, `send_signal failed: signal "0" is no signal`},
		{arg + `}`, "send_signal failed: signal"},
		{`{"session_id":1,"signal":"INT"}`, "send_signal failed: PTY session not found: 1"},
		{arg + `,"signal":"sigusr1"}`, "Sent SIGUSR1 to session " + itoa(int(id)) + "."},
	} {
		r, err := callTool(t, m, "send_signal", c.args)
		require.NoError(t, err)
		require.Contains(t, r.Text, c.want)
	}
	r, err := m.WaitSession(t.Context(), WaitSessionArgs{SessionID: id})
	require.NoError(t, err)
	require.Equal(t, 6, *r.ExitCode)
	require.Equal(t, "usr1\n", r.Output)
	id = start(t, m, ExecCommandArgs{Cmd: "sleep 1000"})
	s, err := m.find(id)
	require.NoError(t, err)
	require.NoError(t, m.SendSignal(id, 9))
	<-s.ended
	require.Error(t, m.SendSignal(id, 9))
}

func TestCloseStdin(t *testing.T) {
	m := newManager(t, Options{})
	id := start(t, m, ExecCommandArgs{Cmd: "wc -c", Stdin: true})
	write(t, m, id, "12345")
	require.NoError(t, m.CloseStdin(id))
	require.ErrorIs(t, m.CloseStdin(id), ErrNoStdin)
	r, err := m.WaitSession(t.Context(), WaitSessionArgs{SessionID: id})
	require.NoError(t, err)
	require.Equal(t, "5\n", r.Output)
	id = start(t, m, ExecCommandArgs{Cmd: "cat > /dev/null; echo end", TTY: true})
	require.NoError(t, m.CloseStdin(id))
	r, err = m.WaitSession(t.Context(), WaitSessionArgs{SessionID: id})
	require.NoError(t, err)
	require.Equal(t, "end\n", r.Output)
	id = start(t, m, ExecCommandArgs{Cmd: "sleep 1000"})
	out, err := callTool(t, m, "close_stdin", `{"session_id":`+itoa(int(id))+`}`)
	require.NoError(t, err)
	require.Contains(t, out.Text, noStdinText)
}

func TestResizeTerminal(t *testing.T) {
	m := newManager(t, Options{})
	id := start(t, m, ExecCommandArgs{Cmd: "trap 'stty size' WINCH; echo on; while :; do read -t 0.01 x; done", TTY: true})
	r, err := callTool(t, m, "resize_terminal", `{"session_id":`+itoa(int(id))+`,"rows":50,"cols":132}`)
	require.NoError(t, err)
	require.Equal(t, "The terminal of session "+itoa(int(id))+" has 50 rows of 132 columns.", r.Text)
	until(t, m, id, "50 132")
	for _, args := range []string{`"rows":0,"cols":1`, `"rows":1,"cols":1001`, `"rows":99999999999,"cols":1`} {
		r, err = callTool(t, m, "resize_terminal", `{"session_id":`+itoa(int(id))+`,`+args+`}`)
		require.NoError(t, err)
		require.True(t, r.IsError, args)
	}
	pipe := start(t, m, ExecCommandArgs{Cmd: "sleep 1000"})
	require.ErrorIs(t, m.ResizeTerminal(pipe, Winsize{1, 1}), ErrNoTerminal)
	_, err = m.ReadScreen(pipe)
	require.ErrorIs(t, err, ErrNoTerminal)
}

func TestReadScreen(t *testing.T) {
	m := newManager(t, Options{Size: Winsize{Rows: 5, Cols: 20}})
	id := start(t, m, ExecCommandArgs{Cmd: "printf '\\033[2J\\033[2;3Hhello\\033[4;1Hend'; read x", TTY: true})
	var s ScreenText
	waitFor(t, "the screen", func() bool {
		var err error
		s, err = m.ReadScreen(id)
		require.NoError(t, err)
		return strings.HasSuffix(s.Output, "end")
	})
	require.Equal(t, ScreenText{Rows: 5, Cols: 20, CursorRow: 4, CursorCol: 4, Output: "\n  hello\n\nend"}, s)
	require.Equal(t, "Screen: 5 rows of 20 columns, cursor in row 4, column 4\nOutput:\n\n  hello\n\nend", s.Text())
}

// TestQueries: what a program asks of its terminal is answered, and does not show.
func TestQueries(t *testing.T) {
	for _, raw := range []bool{false, true} {
		m := newManager(t, Options{RawOutput: raw})
		r, err := m.ExecCommand(t.Context(), ExecCommandArgs{
			Cmd: `stty -icanon -echo; printf 'ab\033[6n'; IFS= read -r -d R x; printf '%s\n' "${x#?}"; printf '\033[c'; IFS= read -r -d c y; echo got`, TTY: true, YieldTimeMS: long,
		})
		require.NoError(t, err)
		require.Equal(t, "ab[1;3\ngot\n", strings.ReplaceAll(r.Output, "\r", ""))
		require.Equal(t, 0, *r.ExitCode)
	}
}

func TestReadOutput(t *testing.T) {
	m := newManager(t, Options{KeepBytes: 1000})
	r, err := m.ExecCommand(t.Context(), ExecCommandArgs{Cmd: "seq 100", MaxOutputTokens: ptr(5), YieldTimeMS: long})
	require.NoError(t, err)
	var want strings.Builder
	for i := 1; i <= 100; i++ {
		want.WriteString(itoa(i) + "\n")
	}
	got := ""
	for off := int64(0); off < 292; {
		p, err := m.ReadOutput(ReadOutputArgs{ChunkID: r.ChunkID, Offset: off, MaxTokens: 7})
		require.NoError(t, err)
		require.Equal(t, off, p.Offset)
		require.EqualValues(t, 292, p.TotalBytes)
		require.Greater(t, p.NextOffset, off)
		require.LessOrEqual(t, len(p.Output), 28)
		got += p.Output
		off = p.NextOffset
	}
	require.Equal(t, want.String(), got)
	p, err := m.ReadOutput(ReadOutputArgs{ChunkID: r.ChunkID, Offset: -4})
	require.NoError(t, err)
	require.Equal(t, "100\n", p.Output)
	require.Equal(t, "Bytes 288 to 292 of 292\nOutput:\n100\n", p.Text())

	// Of more than is kept, head and tail remain.
	r, err = m.ExecCommand(t.Context(), ExecCommandArgs{Cmd: "seq 1000", MaxOutputTokens: ptr(5), YieldTimeMS: long})
	require.NoError(t, err)
	p, err = m.ReadOutput(ReadOutputArgs{ChunkID: r.ChunkID, Offset: 600})
	require.NoError(t, err)
	require.EqualValues(t, 3893, p.TotalBytes)
	require.EqualValues(t, 3393-600, p.SkippedBytes)
	require.EqualValues(t, 3893, p.NextOffset)
	require.Contains(t, p.Text(), "Skipped: 2793 bytes that were not kept\n")

	// A terminal's text is there as it was shown.
	r, err = m.ExecCommand(t.Context(), ExecCommandArgs{Cmd: "seq 100; printf '\\033[31mé\\033[0m'", TTY: true, MaxOutputTokens: ptr(5), YieldTimeMS: long})
	require.NoError(t, err)
	p, err = m.ReadOutput(ReadOutputArgs{ChunkID: r.ChunkID})
	require.NoError(t, err)
	require.Equal(t, want.String()+"é", p.Output)

	id := start(t, m, ExecCommandArgs{Cmd: "printf '\\033[31mx\\n'; sleep 1000", TTY: true})
	waitFor(t, "output", func() bool {
		p, err = m.ReadOutput(ReadOutputArgs{SessionID: &id})
		require.NoError(t, err)
		return p.Output == "\x1b[31mx\r\n"
	})
	for args, text := range map[string]string{
		`{}`: "must have either", `{"chunk_id":"a","session_id":1}`: "must have either", `{"chunk_id":"zzz"}`: ErrNoChunk.Error(), `{"session_id":1}`: "not found: 1",
	} {
		out, err := callTool(t, m, "read_output", args)
		require.NoError(t, err)
		require.True(t, out.IsError)
		require.Contains(t, out.Text, text)
	}
}

// TestLimit: the limit that ended a command is told.
func TestLimit(t *testing.T) {
	m, err := New(newSandbox(t, wasishell.Config{}), Options{Timeout: 50 * time.Millisecond})
	require.NoError(t, err)
	defer m.Close()
	r, err := m.ExecCommand(t.Context(), ExecCommandArgs{Cmd: "sleep 1000", YieldTimeMS: long})
	require.NoError(t, err)
	require.Equal(t, -9, *r.ExitCode)
	require.Equal(t, wasishell.LimitWall.String(), r.Limit)
	require.Equal(t, "\n[the command reached a limit of the sandbox: "+r.Limit+"]", r.Output)
}

// recorder keeps what an Observer is told.
type recorder struct {
	events []string
}

func (r *recorder) Started(i SessionInfo)       { r.events = append(r.events, "start "+i.Command) }
func (r *recorder) Input(_ uint64, p []byte)    { r.events = append(r.events, "in "+string(p)) }
func (r *recorder) Output(_ uint64, p []byte)   { r.events = append(r.events, "out "+string(p)) }
func (r *recorder) Resized(_ uint64, w Winsize) { r.events = append(r.events, sprintf("size %v", w)) }
func (r *recorder) Exited(_ uint64, e Exit)     { r.events = append(r.events, sprintf("exit %d", e.Code)) }

// TestListMasks: a secret in a command is masked in the text and in the
// structured value.
func TestListMasks(t *testing.T) {
	m := fakeManager(t, &fakeBackend{}, Options{Secrets: []string{"pass"}, Clock: &fakeClock{fire: func(time.Duration) time.Duration { return 0 }}})
	start(t, m, ExecCommandArgs{Cmd: "login pass"})
	out, err := callTool(t, m, "list_sessions", `{}`)
	require.NoError(t, err)
	require.Contains(t, out.Text, "login <secret-hidden>")
	list := out.Structured.(map[string]any)["sessions"].([]SessionStatus)
	require.Equal(t, "login <secret-hidden>", list[0].Command)
}

// TestLargeTerminal: the output of a terminal is taken in pieces, between which
// calls have their turn, as long as changing every cell takes.
func TestLargeTerminal(t *testing.T) {
	flood := strings.Repeat("\x1b#8", 1000)
	for _, c := range []struct {
		size Winsize
		most int
	}{{Winsize{40, 120}, len(flood)}, {Winsize{500, 1000}, 300}} {
		rec := &recorder{}
		b := &fakeBackend{}
		m := fakeManager(t, b, Options{Observer: rec, Size: c.size, Clock: &fakeClock{fire: func(time.Duration) time.Duration { return 0 }}})
		b.start = func(p *fakeProcess) { p.output(flood) }
		id := start(t, m, ExecCommandArgs{Cmd: "x", TTY: true})
		got, most := "", 0
		for _, e := range rec.events {
			if out, ok := strings.CutPrefix(e, "out "); ok {
				got += out
				most = max(most, len(out))
			}
		}
		require.Equal(t, flood, got)
		require.LessOrEqual(t, most, c.most)
		s, err := m.ReadScreen(id)
		require.NoError(t, err)
		require.Contains(t, s.Output, strings.Repeat("E", int(c.size.Cols)))
		require.Equal(t, []int{int(c.size.Rows), int(c.size.Cols)}, []int{s.Rows, s.Cols})
		for _, bad := range []Winsize{{}, {1, 1001}, {501, 1}} { // what the screen could not show
			require.Error(t, m.ResizeTerminal(id, bad))
		}
	}
}

func TestObserver(t *testing.T) {
	rec := &recorder{}
	b := &fakeBackend{}
	m := fakeManager(t, b, Options{Observer: rec, Secrets: []string{"pass"}, Clock: &fakeClock{fire: func(time.Duration) time.Duration { return 0 }}})
	b.start = func(p *fakeProcess) { p.output("my pass") }
	id := start(t, m, ExecCommandArgs{Cmd: "x", TTY: true})
	write(t, m, id, "y")
	require.NoError(t, m.ResizeTerminal(id, Winsize{3, 4}))
	s, err := m.find(id)
	require.NoError(t, err)
	b.proc.exit(2)
	<-s.ended
	require.NoError(t, m.ResizeTerminal(id, Winsize{5, 6}))
	write(t, m, id, "z")
	require.Equal(t, []string{"start x", "out my <secret-hidden>", "in y", "size {3 4}", "exit 2"}, rec.events)
}
