// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

//go:build unix

package main

import (
	"bufio"
	"bytes"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wsandbox/wsandbox/wasishell"
)

// A session is a running wsandbox.
type session struct {
	*exec.Cmd
	out    *bufio.Reader
	closer io.Closer
	stderr bytes.Buffer
}

// start runs wsandbox as a process of its own, in a directory of its own.
func start(t *testing.T, args ...string) *session {
	t.Helper()
	if _, err := wasishell.Guests(); err != nil {
		t.Skip(err)
	}
	heed(t)
	args = append([]string{args[0], "--timeout", "5m"}, args[1:]...) // nothing stays behind
	s := &session{Cmd: exec.CommandContext(t.Context(), "wsandbox", args...)}
	s.Dir = t.TempDir()
	s.Stderr = &s.stderr
	r, err := s.StdoutPipe()
	require.NoError(t, err)
	s.out, s.closer = bufio.NewReader(r), r
	require.NoError(t, s.Start())
	return s
}

// heed makes the processes that the test starts heed what this one was started to
// ignore, as under nohup: signals that are caught are at their default there.
func heed(t *testing.T) {
	for _, sig := range forwarded {
		if signal.Ignored(sig) {
			ch := make(chan os.Signal, 1)
			signal.Notify(ch, sig)
			t.Cleanup(func() { signal.Stop(ch); signal.Ignore(sig) })
		}
	}
}

// line reads the next line of the output.
func (s *session) line(t *testing.T) string {
	t.Helper()
	l, err := s.out.ReadString('\n')
	require.NoError(t, err, "standard error: %s", &s.stderr)
	return strings.TrimSuffix(l, "\n")
}

// end waits for the end, and returns the rest of the output and the status.
func (s *session) end(t *testing.T) (out string, status int) {
	t.Helper()
	b, err := io.ReadAll(s.out)
	require.NoError(t, err)
	_ = s.Wait() // the status says it
	return string(b), s.ProcessState.ExitCode()
}

// TestSignalsAreHandedOn: signals reach the programs inside as they are.
func TestSignalsAreHandedOn(t *testing.T) {
	for name, sig := range map[string]syscall.Signal{"INT": syscall.SIGINT, "QUIT": syscall.SIGQUIT, "TERM": syscall.SIGTERM, "HUP": syscall.SIGHUP} {
		t.Run(name, func(t *testing.T) {
			s := start(t, "exec", "trap 'echo got "+name+"; exit 9' "+name+"; echo up; while :; do :; done")
			require.Equal(t, "up", s.line(t))
			require.NoError(t, s.Process.Signal(sig))
			out, status := s.end(t)
			require.Equal(t, "got "+name+"\n", out)
			require.Equal(t, 9, status)
			require.Empty(t, s.stderr.String())
		})
	}
	t.Run("default", func(t *testing.T) {
		s := start(t, "exec", "echo up; sleep 1000 | cat")
		require.Equal(t, "up", s.line(t))
		require.NoError(t, s.Process.Signal(syscall.SIGHUP))
		_, status := s.end(t)
		require.Equal(t, 128+1, status)
	})
	t.Run("the second from the keyboard kills", func(t *testing.T) {
		s := start(t, "exec", "trap 'echo first' INT; trap '' QUIT; echo up; while :; do :; done")
		require.Equal(t, "up", s.line(t))
		require.NoError(t, s.Process.Signal(syscall.SIGINT))
		require.Equal(t, "first", s.line(t))
		require.NoError(t, s.Process.Signal(syscall.SIGQUIT))
		_, status := s.end(t)
		require.Equal(t, 128+9, status)
	})
	t.Run("a deaf program has its grace", func(t *testing.T) {
		s := start(t, "exec", "trap '' TERM; echo up; while :; do :; done")
		require.Equal(t, "up", s.line(t))
		require.NoError(t, s.Process.Signal(syscall.SIGTERM))
		_, status := s.end(t)
		require.Equal(t, 128+9, status)
	})
}

// TestIgnoredSignals: what wsandbox is started to ignore, as by nohup, it ignores.
func TestIgnoredSignals(t *testing.T) {
	s := start(t, "exec", "true") // or skip
	s.end(t)
	cmd := exec.CommandContext(t.Context(), "sh", "-c", `trap '' HUP; exec wsandbox exec --timeout 5m 'echo up; read x; echo "$x"'`)
	cmd.Dir = t.TempDir()
	in, err := cmd.StdinPipe()
	require.NoError(t, err)
	r, err := cmd.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, cmd.Start())
	out := bufio.NewReader(r)
	l, err := out.ReadString('\n')
	require.NoError(t, err)
	require.Equal(t, "up\n", l)
	require.NoError(t, cmd.Process.Signal(syscall.SIGHUP))
	_, err = io.WriteString(in, "still here\n")
	require.NoError(t, err)
	rest, err := io.ReadAll(out)
	require.NoError(t, err)
	require.Equal(t, "still here\n", string(rest))
	require.NoError(t, cmd.Wait())
}

// TestReaderGoesAway: `wsandbox … | head -n 1` ends by itself and says nothing; the
// programs inside see a broken pipe, and so their traps run.
func TestReaderGoesAway(t *testing.T) {
	for _, c := range []struct {
		name, script string
		status       int
		says         string
	}{
		{"yes", `yes`, 128 + 13, ""},
		{"loop of a builtin", `while :; do echo x; done`, 128 + 13, ""},
		{"stage", `yes | cat`, 128 + 13, ""},
		{"trap", `trap 'echo cleaned >&2' EXIT; yes`, 128 + 13, "cleaned\n"},
		{"deaf", `trap '' PIPE; while echo x; do :; done 2> /dev/null; exit 3`, 3, ""},
		{"a last word", `yes; echo "$?" >&2`, 0, "141\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := start(t, "exec", c.script)
			s.line(t)
			require.NoError(t, s.closer.Close())
			_ = s.Wait()
			require.Equal(t, c.status, s.ProcessState.ExitCode())
			require.Equal(t, c.says, s.stderr.String())
		})
	}
}

// TestClosedStreams: a stream that is closed is empty, or swallows what it gets.
func TestClosedStreams(t *testing.T) {
	s := start(t, "exec", "true") // or skip
	s.end(t)
	for _, c := range []struct{ redirect, out, stderr string }{
		{"<&-", "out\n", "err\n"},
		{">&-", "", "err\n"},
		{"2>&-", "out\n", ""},
		{"<&- >&- 2>&-", "", ""},
	} {
		cmd := exec.CommandContext(t.Context(), "sh", "-c", `wsandbox exec 'cat; echo out; echo err >&2; exit 5' `+c.redirect)
		cmd.Dir = t.TempDir()
		var stdout, stderr bytes.Buffer
		cmd.Stdout, cmd.Stderr = &stdout, &stderr
		require.Error(t, cmd.Run(), c.redirect)
		require.Equal(t, 5, cmd.ProcessState.ExitCode(), c.redirect)
		require.Equal(t, c.out, stdout.String(), c.redirect)
		require.Equal(t, c.stderr, stderr.String(), c.redirect)
	}
}

// TestFullDevice: output that cannot be written is an error of every command.
func TestFullDevice(t *testing.T) {
	full, err := os.OpenFile("/dev/full", os.O_WRONLY, 0)
	if err != nil {
		t.Skip(err)
	}
	defer full.Close()
	if _, err := wasishell.Guests(); err != nil {
		t.Skip(err)
	}
	for _, args := range [][]string{
		{"version"}, {"--help"}, {"help"}, {"exec", "--help"}, {"run", "--help"}, {"guests", "--help"}, {"guests", "list"}, {"exec", "--json", "true"}, {"exec", "--json"},
		{"exec", "echo hi"}, {"run", "--", "echo", "hi"},
	} {
		cmd := exec.CommandContext(t.Context(), "wsandbox", args...)
		cmd.Dir = t.TempDir()
		var stderr bytes.Buffer
		cmd.Stdout, cmd.Stderr = full, &stderr
		require.Error(t, cmd.Run(), "%q", args)
		require.Contains(t, stderr.String(), "no space left on device", "%q", args)
	}
}
