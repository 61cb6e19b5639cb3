// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

//go:build linux || darwin

package main

import (
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"
	"github.com/stretchr/testify/require"
	"golang.org/x/term"

	"github.com/wsandbox/wsandbox/wasishell"
)

// patience bounds each wait of these tests, which is for a condition.
const patience = 120 * time.Second

// person is someone at a terminal of the host at which wsandbox runs.
type person struct {
	t       *testing.T
	cmd     *exec.Cmd
	master  *os.File
	replica *os.File // held, to look at the terminal's modes
	cooked  *term.State

	mu     sync.Mutex
	seen   []byte
	news   chan struct{}
	from   int // what expect has not looked at
	exited chan error
}

// sit starts the command with a terminal of the given size.
func sit(t *testing.T, rows, cols uint16, args ...string) *person {
	t.Helper()
	if _, err := wasishell.Guests(); err != nil {
		t.Skip(err)
	}
	self, err := os.Executable()
	require.NoError(t, err)
	bin := filepath.Join(t.TempDir(), "wsandbox") // the name makes the test binary the command
	require.NoError(t, os.Symlink(self, bin))
	p := &person{t: t, news: make(chan struct{}, 1), exited: make(chan error, 1)}
	p.master, p.replica, err = pty.Open()
	require.NoError(t, err)
	require.NoError(t, pty.Setsize(p.master, &pty.Winsize{Rows: rows, Cols: cols}))
	p.cooked, err = term.GetState(int(p.replica.Fd()))
	require.NoError(t, err)
	p.cmd = exec.Command(bin, args...)
	p.cmd.Dir = t.TempDir()
	p.cmd.Env = append(os.Environ(), "TERM=dumb")
	p.cmd.Stdin, p.cmd.Stdout, p.cmd.Stderr = p.replica, p.replica, p.replica
	p.cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true, Setctty: true}
	require.NoError(t, p.cmd.Start())
	go func() { p.exited <- p.cmd.Wait() }()
	go func() {
		b := make([]byte, 4096)
		for {
			n, err := p.master.Read(b)
			p.mu.Lock()
			p.seen = append(p.seen, b[:n]...)
			p.mu.Unlock()
			select {
			case p.news <- struct{}{}:
			default:
			}
			if err != nil {
				return
			}
		}
	}()
	t.Cleanup(func() {
		_ = p.cmd.Process.Kill() // it may have ended
		p.replica.Close()
		p.master.Close()
	})
	return p
}

func (p *person) typed(s string) {
	p.t.Helper()
	_, err := io.WriteString(p.master, s)
	require.NoError(p.t, err)
}

// expect waits until s is seen behind what was expected before.
func (p *person) expect(s string) {
	p.t.Helper()
	limit := time.After(patience)
	for {
		p.mu.Lock()
		i := strings.Index(string(p.seen[p.from:]), s)
		if i >= 0 {
			p.from += i + len(s)
		}
		rest := string(p.seen[p.from:])
		p.mu.Unlock()
		if i >= 0 {
			return
		}
		select {
		case <-p.news:
		case <-limit:
			p.t.Fatalf("never seen: %q; seen since: %q", s, rest)
		}
	}
}

// ends waits for the end of the command and returns its status.
func (p *person) ends() int {
	p.t.Helper()
	select {
	case err := <-p.exited:
		var x *exec.ExitError
		if err != nil && !errors.As(err, &x) {
			require.NoError(p.t, err)
		}
	case <-time.After(patience):
		p.t.Fatal("the command has not ended")
	}
	return p.cmd.ProcessState.ExitCode()
}

// raw waits until the terminal passes keys unchanged.
func (p *person) raw() {
	p.t.Helper()
	require.Eventually(p.t, func() bool {
		s, err := term.GetState(int(p.replica.Fd()))
		require.NoError(p.t, err)
		return *s != *p.cooked
	}, patience, 5*time.Millisecond)
}

// restored waits until the terminal has the modes from before.
func (p *person) restored() {
	p.t.Helper()
	require.Eventually(p.t, func() bool {
		s, err := term.GetState(int(p.replica.Fd()))
		require.NoError(p.t, err)
		return *s == *p.cooked
	}, patience, 5*time.Millisecond)
}

var shellArgs = []string{"shell", "--env", "PS1=$ ", "--", "--norc"}

func TestShellJobs(t *testing.T) {
	p := sit(t, 24, 80, shellArgs...)
	p.expect("$ ")
	s, err := term.GetState(int(p.replica.Fd()))
	require.NoError(t, err)
	require.NotEqual(t, *p.cooked, *s, "the terminal is raw")
	for _, step := range []struct{ keys, want string }{
		{"stty size; test -t 0 -a -t 2 && echo yes\n", "\r\n24 80\r\nyes\r\n$ "},
		{"sleep 1000\n", "sleep 1000\r\n"},
		{"\x03", "^C\r\n$ "},
		{"echo $?\n", "\r\n130\r\n$ "},
		{"cat\n", "cat\r\n"},
		{"one\n", "one\r\none\r\n"},
		{"\x1a", "^Z\r\n[1]+  Stopped                 cat\r\n$ "},
		{"jobs\n", "\r\n[1]+  Stopped                 cat\r\n$ "},
		{"fg\n", "\r\ncat\r\n"},
		{"two\n\x04", "two\r\ntwo\r\n$ "},
		{"cat & wait %1; echo $?\n", "[1]+  Stopped                 cat\r\n149\r\n$ "},
		{"fg\n", "\r\ncat\r\n"},
		{"three\n\x04", "three\r\nthree\r\n$ "},
		{"echo up; while :; do i=$((i+1)); done\n", "\r\nup\r\n"},
		{"\x1a", "^Z\r\n[1]+  Stopped                 echo up; while :; do i=$((i+1)); done\r\n$ "},
		{"i=x; fg\n", "\r\necho up; while :; do i=$((i+1)); done\r\n"},
		{"\x03", "^C\r\n$ "},
		{"echo $? $i\n", "\r\n130 x\r\n$ "},
		{"(echo up; while :; do :; done)\n", "\r\nup\r\n"},
		{"\x1a", "Stopped                 (echo up; while :; do :; done)\r\n$ "},
		{"bg; jobs\n", "\r\n[1]+ (echo up; while :; do :; done) &\r\n[1]+  Running                 (echo up; while :; do :; done) &\r\n$ "},
		{"kill %1; wait %1; echo $?\n", "\r\n143\r\n$ "},
		{"read -p 'go ' a b\n", "\r\ngo "},
		{"\x1a", "Stopped                 read -p 'go ' a b\r\n$ "},
		{"fg\n", "\r\nread -p 'go ' a b\r\n"},
		{"x y\n", "x y\r\n$ "},
		{"f() { echo up; while :; do :; done; }; f | cat\n", "\r\nup\r\n"},
		{"\x1a", "Stopped                 f | cat\r\n$ "},
		{"exit\n", "\r\nexit\r\nThere are stopped jobs.\r\n$ "},
		{"kill %%; exit 5\n", "\r\nexit\r\n"},
	} {
		p.typed(step.keys)
		p.expect(step.want)
	}
	require.Equal(t, 5, p.ends())
	p.restored()
}

func TestShellResize(t *testing.T) {
	p := sit(t, 24, 80, shellArgs...)
	p.expect("$ ")
	p.typed("trap 'echo \"size $(stty size)\"' WINCH; echo ready\n")
	p.expect("\r\nready\r\n$ ")
	require.NoError(t, pty.Setsize(p.master, &pty.Winsize{Rows: 31, Cols: 91}))
	p.expect("size 31 91\r\n")
	p.typed("exit\n")
	require.Equal(t, 0, p.ends())
	p.restored()
}

// However the command ends, the terminal is as before.
func TestShellRestores(t *testing.T) {
	for _, c := range []struct {
		name   string
		end    func(p *person)
		status int
	}{
		{"end of file", func(p *person) { p.typed("\x04") }, 0},
		{"killed from inside", func(p *person) { p.typed("kill -9 $$\n") }, 137},
		{"terminated", func(p *person) { _ = p.cmd.Process.Signal(syscall.SIGTERM) }, 143},
		{"killed", func(p *person) { _ = p.cmd.Process.Kill() }, -1},
		{"crashed", func(p *person) { _ = p.cmd.Process.Signal(syscall.SIGABRT) }, 2},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := sit(t, 24, 80, shellArgs...)
			p.expect("$ ")
			c.end(p)
			require.Equal(t, c.status, p.ends())
			p.restored()
		})
	}
}

// The prompt edits, on a terminal that can. Keys are typed only when the
// prompt, or a program that says so, waits for them: before that the terminal
// is cooked, where some of them mean something else.
func TestShellEdits(t *testing.T) {
	const prompt, left = "\x1b[?2004h$ ", "\x1b[?2004l\r"
	p := sit(t, 24, 80, "shell", "--env", "PS1=$ ", "--env", "TERM=xterm", "--", "--norc")
	p.expect(prompt)
	for _, step := range []struct {
		keys string
		want []string
	}{
		{"echo one\n", []string{left + "one\r\n", prompt}},
		{"\x1b[A\x7f\x7f\x7ftwo\n", []string{left + "two\r\n", prompt}},
		{"\x12one\n", []string{left + "one\r\n", prompt}},
		{"mkdir -p alpha/beta\n", []string{prompt}},
		{"cd al\tb\t\n", []string{prompt}},
		{"pwd\n", []string{left + "/workspace/alpha/beta\r\n", prompt}},
		// It says when it is in the foreground: a key before that is the shell's.
		{"sh -c 'trap \"echo again\" CONT; echo up; while :; do sleep 0.1; done'\n", []string{left + "up\r\n"}},
		{"\x1a", []string{"Stopped                 sh -c 'trap", prompt}},
		{"unfinished\x03", []string{"^C\r\n", prompt}},
		{"echo $?\n", []string{left + "130\r\n", prompt}},
		{"read x\n", []string{left}},
		{"hello\n", []string{"hello\r\n", prompt}},
		{"echo [$x]\n", []string{left + "[hello]\r\n", prompt}},
		{"fg\n", []string{"\nagain\r\n"}},
		{"\x03", []string{prompt}},
		{"exit 0\n", []string{left + "exit\r\n"}},
	} {
		p.typed(step.keys)
		for _, want := range step.want {
			p.expect(want)
		}
	}
	require.Equal(t, 0, p.ends())
	p.restored()
}

// What read -s takes is not seen, and -n, -N and -d wait for no newline.
func TestReadAtTerminal(t *testing.T) {
	for _, args := range [][]string{shellArgs, {"exec", "--tty", "PS1='$ ' exec sh -i"}} {
		p := sit(t, 24, 80, args...)
		p.expect("$ ")
		for _, step := range []struct{ keys, want string }{
			{"read -sp 'word: ' x; echo [$x]\n", "\r\nword: "},
			{"secret one\n", "[secret one]\r\n$ "},
			{"read -sp 'word: ' x < /dev/tty; echo [$x]\n", "\r\nword: "},
			{"secret two\n", "[secret two]\r\n$ "},
			{"bash -c 'read -sp w: y; echo got $y'\n", "\r\nw:"},
			{"secret three\n", "got secret three\r\n$ "},
			{"(read -sp w: y; echo sub $y)\n", "\r\nw:"},
			{"secret four\n", "sub secret four\r\n$ "},
			{"read -sp w: -t 0.05 x; echo $?\n", "\r\nw:142\r\n$ "},
			{"read -sp w: x\n", "\r\nw:"},
			{"secret five\x03", "\r\n$ "},
			{"echo $?\n", "echo $?\r\n130\r\n$ "},
			{"read -sp w: x\n", "\r\nw:"},
			{"secret six\x1a", "Stopped                 read -sp w: x\r\n$ "},
			{"cat\n", "cat\r\n"},
			{"seen\n\x04", "seen\r\nseen\r\n$ "},
			{"fg\n", "\r\nread -sp w: x\r\n"},
			{"seven\n", "$ "},
			{"cat\n", "cat\r\n"},
			{"seen\n\x04", "seen\r\nseen\r\n$ "},
			{"bash -c '(sleep 0.05; kill $$) & read -sp w: y'\n", "\r\nw:Terminated\r\n$ "},
			{"cat\n", "cat\r\n"},
			{"seen\n\x04", "seen\r\nseen\r\n$ "},
			{"read -p k: -n 3 x; echo \" [$x]\"\n", "\r\nk:"},
			{"abc", "abc [abc]\r\n$ "},
			{"read -p k: -N 3 x; echo \" [$x]\"\n", "\r\nk:"},
			{"abc", "abc [abc]\r\n$ "},
			{"read -p k: -d ';' x; echo \" [$x]\"\n", "\r\nk:"},
			{"a b;", "a b; [a b]\r\n$ "},
			{"read -p k: -sn1 x; echo [$x]\n", "\r\nk:"},
			{"q", "[q]\r\n$ "},
		} {
			from := p.from
			p.typed(step.keys)
			p.expect(step.want)
			p.mu.Lock()
			seen := string(p.seen[from:p.from])
			p.mu.Unlock()
			if strings.HasPrefix(step.keys, "secret") {
				require.NotContains(t, strings.Replace(seen, step.want, "", 1), "secret", step.want)
			}
		}
		p.typed("exit\n")
		p.ends()
		p.restored()
	}
}

// exec and run take a terminal too, and where there is none, make one.
func TestTTYFlag(t *testing.T) {
	p := sit(t, 10, 40, "exec", "--tty", "stty size; read x; echo [$x]; exit 3")
	p.expect("10 40\r\n")
	p.typed("a\x7fb\n")
	p.expect("[b]\r\n")
	require.Equal(t, 3, p.ends())
	p.restored()

	p = sit(t, 10, 40, "run", "--tty", "--", "cat")
	p.raw()
	p.typed("x\n\x04")
	p.expect("x\r\nx\r\n")
	require.Equal(t, 0, p.ends())
	p.restored()
}
