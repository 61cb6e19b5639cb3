// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

//go:build linux || darwin

package hostexec

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

const testPath = "/usr/local/bin:/usr/bin:/bin"

func sh(t testing.TB) string {
	file, err := LookPath("sh", testPath)
	require.NoError(t, err)
	return file
}

func script(t testing.TB, text string, args ...string) Cmd {
	return Cmd{Path: sh(t), Args: append([]string{"sh", "-c", text, "sh"}, args...), Env: []string{"PATH=" + testPath}}
}

func TestStatus(t *testing.T) {
	for _, tt := range []struct {
		script string
		want   Status
		text   string
		shell  int
	}{
		{"exit 0", Status{Exited: true}, "exit status 0", 0},
		{"exit 7", Status{Exited: true, Code: 7}, "exit status 7", 7},
		{"exit 255", Status{Exited: true, Code: 255}, "exit status 255", 255},
		{"kill -TERM $$", Status{Signaled: true, Signal: syscall.SIGTERM}, "killed by SIGTERM", 143},
		{"kill -KILL $$", Status{Signaled: true, Signal: syscall.SIGKILL}, "killed by SIGKILL", 137},
		{"kill -INT $$", Status{Signaled: true, Signal: syscall.SIGINT}, "killed by SIGINT", 130},
		{"kill -PIPE $$", Status{Signaled: true, Signal: syscall.SIGPIPE}, "killed by SIGPIPE", 141},
	} {
		for _, size := range []*Winsize{nil, {24, 80}} {
			c := script(t, tt.script)
			c.Winsize = size
			_, status, err := run(t, c)
			require.NoError(t, err, tt.script)
			require.Equal(t, tt.want, status, tt.script)
			require.Equal(t, tt.text, status.String())
			require.Equal(t, tt.shell, status.Shell())
		}
	}
}

func TestStartErrors(t *testing.T) {
	dir := tempDir(t)
	plain := filepath.Join(dir, "plain")
	require.NoError(t, os.WriteFile(plain, []byte("text"), 0o644))
	for _, tt := range []struct {
		name string
		cmd  Cmd
		want error
	}{
		{"relative program", Cmd{Path: "sh", Dir: dir}, ErrInvalid},
		{"NUL in program", Cmd{Path: "/bin/sh\x00x", Dir: dir}, ErrInvalid},
		{"relative directory", Cmd{Path: sh(t), Dir: "."}, ErrInvalid},
		{"no directory", Cmd{Path: sh(t)}, ErrInvalid},
		{"NUL in argument", Cmd{Path: sh(t), Dir: dir, Args: []string{"sh", "a\x00b"}}, ErrInvalid},
		{"no value", Cmd{Path: sh(t), Dir: dir, Env: []string{"A"}}, ErrInvalid},
		{"NUL in environment", Cmd{Path: sh(t), Dir: dir, Env: []string{"A=b\x00c"}}, ErrInvalid},
		{"variable twice", Cmd{Path: sh(t), Dir: dir, Env: []string{"A=b", "A=c"}}, ErrInvalid},
		{"two inputs", Cmd{Path: sh(t), Dir: dir, Stdin: strings.NewReader(""), OpenStdin: true}, ErrInvalid},
		{"two outputs of a terminal", Cmd{Path: sh(t), Dir: dir, Winsize: &Winsize{}, Stdout: newBuffer(), Stderr: newBuffer()}, ErrInvalid},
		{"no such program", Cmd{Path: filepath.Join(dir, "none"), Dir: dir}, fs.ErrNotExist},
		{"no such directory", Cmd{Path: sh(t), Dir: filepath.Join(dir, "none")}, fs.ErrNotExist},
		{"not executable", Cmd{Path: plain, Dir: dir}, fs.ErrPermission},
		{"a directory", Cmd{Path: dir, Dir: dir}, fs.ErrPermission},
		{"terminal, no such program", Cmd{Path: filepath.Join(dir, "none"), Dir: dir, Winsize: &Winsize{24, 80}}, fs.ErrNotExist},
		{"missing grant", Cmd{Path: sh(t), Dir: dir, Confine: &Confinement{ReadWrite: []string{filepath.Join(dir, "none")}}}, fs.ErrNotExist},
		{"relative grant", Cmd{Path: sh(t), Dir: dir, Confine: &Confinement{ReadOnly: []string{"x"}}}, ErrInvalid},
	} {
		p, err := Start(context.Background(), tt.cmd)
		require.Nil(t, p, tt.name)
		require.ErrorIs(t, err, tt.want, tt.name)
	}
	ctx, cancel := context.WithCancelCause(context.Background())
	why := errors.New("over")
	cancel(why)
	_, err := Start(ctx, Cmd{Path: sh(t), Dir: dir})
	require.ErrorIs(t, err, why)
}

func TestClosedEnvironmentAndDirectory(t *testing.T) {
	t.Setenv("HOSTEXEC_SECRET", "s3cret")
	env, err := LookPath("env", testPath)
	require.NoError(t, err)
	out, _, err := run(t, Cmd{Path: env, Args: []string{"env"}})
	require.NoError(t, err)
	require.Empty(t, out)
	out, _, err = run(t, Cmd{Path: env, Args: []string{"env"}, Env: []string{"B=2", "A=1"}})
	require.NoError(t, err)
	require.ElementsMatch(t, []string{"A=1", "B=2"}, strings.Fields(out))
	dir := tempDir(t)
	c := script(t, `pwd; printf '%s|' "$@"`, "a b", "", `"c\`)
	c.Dir = dir
	out, _, err = run(t, c)
	require.NoError(t, err)
	require.Equal(t, dir+"\n"+`a b||"c\|`, out)
}

func TestNoInheritedDescriptors(t *testing.T) {
	// One descriptor that an exec does not close, as foreign code may leave it.
	fds := make([]int, 2)
	require.NoError(t, unix.Pipe(fds))
	high, err := unix.FcntlInt(uintptr(fds[1]), unix.F_DUPFD, 57)
	require.NoError(t, err)
	defer func() {
		for _, fd := range []int{fds[0], fds[1], high} {
			_ = unix.Close(fd)
		}
	}()
	for _, size := range []*Winsize{nil, {24, 80}} {
		c := script(t, `for f in /dev/fd/*; do f=${f##*/}; test "$f" -le 2 || { test -e /dev/fd/$f && echo "open $f"; }; done; echo end; sleep 0.2`)
		c.Winsize = size
		out, _, err := run(t, c)
		require.NoError(t, err)
		require.Equal(t, "end", strings.TrimSpace(out))
	}
}

func TestIgnoredSignalsAreDefault(t *testing.T) {
	signal.Ignore(syscall.SIGINT, syscall.SIGQUIT, syscall.SIGHUP, syscall.SIGTERM, syscall.SIGPIPE)
	defer signal.Reset(syscall.SIGINT, syscall.SIGQUIT, syscall.SIGHUP, syscall.SIGTERM, syscall.SIGPIPE)
	for name, want := range map[string]syscall.Signal{"INT": syscall.SIGINT, "QUIT": syscall.SIGQUIT, "HUP": syscall.SIGHUP, "TERM": syscall.SIGTERM, "PIPE": syscall.SIGPIPE} {
		c := script(t, "ulimit -c 0; kill -"+name+" $$; echo survived")
		out, status, err := run(t, c)
		require.NoError(t, err)
		require.Empty(t, out)
		require.Equal(t, want, status.Signal, name)
	}
	require.True(t, signal.Ignored(syscall.SIGINT), "still ignored here")
}

func TestOutputsApartAndTogether(t *testing.T) {
	var stdout, stderr = newBuffer(), newBuffer()
	c := script(t, "echo out; echo err >&2; exit 3")
	c.Stdout, c.Stderr, c.Dir = stdout, stderr, tempDir(t)
	p, err := Start(t.Context(), c)
	require.NoError(t, err)
	status, err := wait(t, p)
	require.NoError(t, err)
	require.Equal(t, 3, status.Code)
	require.Equal(t, "out\n", stdout.String())
	require.Equal(t, "err\n", stderr.String())
	out, _, err := run(t, script(t, "for i in 1 2 3; do echo o$i; echo e$i >&2; done"))
	require.NoError(t, err)
	require.Equal(t, "o1\ne1\no2\ne2\no3\ne3\n", out)
}

func TestInput(t *testing.T) {
	c := script(t, "cat; echo end")
	out, _, err := run(t, c)
	require.NoError(t, err)
	require.Equal(t, "end\n", out, "no input is end of file")

	c.Stdin = strings.NewReader(strings.Repeat("line\n", 100000))
	out, _, err = run(t, c)
	require.NoError(t, err)
	require.Equal(t, strings.Repeat("line\n", 100000)+"end\n", out)

	got := newBuffer()
	c.Stdin, c.OpenStdin, c.Stdout, c.Dir = nil, true, got, tempDir(t)
	p, err := Start(t.Context(), c)
	require.NoError(t, err)
	_, err = p.Write([]byte("one\n"))
	require.NoError(t, err)
	got.until(t, "one\n")
	_, err = p.Write([]byte("two\n"))
	require.NoError(t, err)
	require.NoError(t, p.CloseStdin())
	require.ErrorIs(t, p.CloseStdin(), ErrNoStdin)
	_, err = p.Write([]byte("x"))
	require.ErrorIs(t, err, ErrNoStdin)
	require.ErrorIs(t, p.Resize(Winsize{1, 1}), ErrNotTerminal)
	_, err = wait(t, p)
	require.NoError(t, err)
	require.Equal(t, "one\ntwo\nend\n", got.String())
	_, err = p.Write([]byte("x"))
	require.ErrorIs(t, err, ErrEnded)
	require.ErrorIs(t, p.Signal(syscall.SIGTERM), ErrEnded)
	require.NoError(t, p.Kill())
}

func TestInputThatNobodyReads(t *testing.T) {
	c := script(t, "exit 4")
	c.Stdin = strings.NewReader(strings.Repeat("x", 1<<20))
	_, status, err := run(t, c)
	require.NoError(t, err)
	require.Equal(t, 4, status.Code)
}

type failing struct{ err error }

func (f failing) Write([]byte) (int, error) { return 0, f.err }

func TestWriterThatFails(t *testing.T) {
	full := errors.New("full")
	c := script(t, "while :; do echo line; done")
	c.Stdout, c.Dir = failing{full}, tempDir(t)
	p, err := Start(t.Context(), c)
	require.NoError(t, err)
	status, err := wait(t, p)
	require.ErrorIs(t, err, full)
	require.False(t, status.Exited && status.Code == 0, "ended by the closed pipe: %v", status)
}

func TestTerminal(t *testing.T) {
	out := newBuffer()
	c := script(t, `test -t 0 && test -t 1 && test -t 2 && : >/dev/tty && echo tty; stty size; trap 'stty size; sleep 0.2; exit 5' WINCH; echo ready; while :; do sleep 0.05; done`)
	c.Stdout, c.Dir, c.Winsize = out, tempDir(t), &Winsize{Rows: 33, Cols: 101}
	p, err := Start(t.Context(), c)
	require.NoError(t, err)
	out.until(t, "ready\r\n")
	require.NoError(t, p.Resize(Winsize{Rows: 44, Cols: 122}))
	status, err := wait(t, p)
	require.NoError(t, err)
	require.Equal(t, 5, status.Code)
	require.Equal(t, "tty\r\n33 101\r\nready\r\n44 122\r\n", out.String())
	require.ErrorIs(t, p.Resize(Winsize{1, 1}), ErrEnded)
}

func TestTerminalInput(t *testing.T) {
	out := newBuffer()
	c := script(t, `stty -echo; echo ready; while read -r line; do echo "got $line"; done; echo eof; exec sleep 1000`)
	c.Stdout, c.Dir, c.Winsize = out, tempDir(t), &Winsize{24, 80}
	p, err := Start(t.Context(), c)
	require.NoError(t, err)
	out.until(t, "ready")
	_, err = p.Write([]byte("a b\n"))
	require.NoError(t, err)
	out.until(t, "got a b")
	require.NoError(t, p.CloseStdin())
	out.until(t, "eof")
	_, err = p.Write([]byte{3}) // ^C through the line discipline
	require.NoError(t, err)
	status, err := wait(t, p)
	require.NoError(t, err)
	require.Equal(t, syscall.SIGINT, status.Signal)
}

func TestTerminalKeepsTrailingOutput(t *testing.T) {
	const lines = 20000 // more than 64 KiB
	out := newBuffer()
	c := script(t, fmt.Sprintf(`stty -echo; i=0; while test $i -lt %d; do i=$((i+1)); echo line $i; done; read -r go; printf 'last words'; sleep 0.3; exit 9`, lines))
	c.Winsize, c.Stdout, c.Dir = &Winsize{24, 80}, out, tempDir(t)
	p, err := Start(t.Context(), c)
	require.NoError(t, err)
	out.until(t, fmt.Sprintf("line %d\r\n", lines))
	_, err = p.Write([]byte("\n"))
	require.NoError(t, err)
	status, err := wait(t, p)
	require.NoError(t, err, "the end of a terminal is no error")
	require.Equal(t, 9, status.Code)
	got := strings.Split(out.String(), "\r\n")
	require.Len(t, got, lines+1)
	for i := range lines {
		if got[i] != fmt.Sprint("line ", i+1) {
			require.FailNow(t, "lines are missing", "%q at %d", got[i], i)
		}
	}
	require.Equal(t, "last words", got[lines])
}

func TestSignalReachesTheGroup(t *testing.T) {
	out := newBuffer()
	c := script(t, `sh -c 'trap "echo child; exit" USR1; echo ready; while :; do sleep 0.05; done' & trap 'wait; exit 6' USR1; wait; wait; exit 7`)
	c.Stdout, c.Dir = out, tempDir(t)
	p, err := Start(t.Context(), c)
	require.NoError(t, err)
	out.until(t, "ready")
	require.NoError(t, p.Signal(syscall.SIGUSR1))
	status, err := wait(t, p)
	require.NoError(t, err)
	require.Contains(t, []int{6, 7}, status.Code)
	require.Contains(t, out.String(), "child")
}

func TestContextAndGrace(t *testing.T) {
	for _, tt := range []struct {
		name, script string
		grace        time.Duration
		want         Status
	}{
		{"at once", "trap '' TERM; echo ready; while :; do sleep 0.05; done", 0, Status{Signaled: true, Signal: syscall.SIGKILL}},
		{"TERM obeyed", "trap 'exit 8' TERM; echo ready; while :; do sleep 0.05; done", patience, Status{Exited: true, Code: 8}},
		{"TERM ignored", "trap '' TERM; echo ready; while :; do sleep 0.05; done", 50 * time.Millisecond, Status{Signaled: true, Signal: syscall.SIGKILL}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			why := errors.New("enough")
			ctx, cancel := context.WithCancelCause(t.Context())
			out := newBuffer()
			c := script(t, tt.script)
			c.Stdout, c.Dir, c.KillGrace = out, tempDir(t), tt.grace
			p, err := Start(ctx, c)
			require.NoError(t, err)
			out.until(t, "ready")
			cancel(why)
			status, err := wait(t, p)
			require.ErrorIs(t, err, why)
			require.Equal(t, tt.want, status)
		})
	}
}

func TestWaitDelay(t *testing.T) {
	c := script(t, `sleep 1000 & echo said; exit 2`)
	c.WaitDelay = 100 * time.Millisecond
	out, status, err := run(t, c)
	require.ErrorIs(t, err, ErrWaitDelay)
	require.Equal(t, "said\n", out)
	require.Equal(t, 2, status.Code)

	c = script(t, `sleep 0.2 & exit 2`)
	c.WaitDelay = -1
	_, _, err = run(t, c)
	require.NoError(t, err, "waited for")
}

// slow writes only when told to.
type slow struct {
	*buffer
	gate chan struct{}
}

func (s slow) Write(p []byte) (int, error) {
	<-s.gate
	return s.buffer.Write(p)
}

func TestSlowReaderLosesNothing(t *testing.T) {
	for _, size := range []*Winsize{nil, {24, 80}} {
		gate := make(chan struct{})
		out := slow{newBuffer(), gate}
		c := script(t, `printf first; sleep 0.3; exit 0`)
		c.Stdout, c.Dir, c.WaitDelay, c.Winsize = out, tempDir(t), time.Millisecond, size
		p, err := Start(t.Context(), c)
		require.NoError(t, err)
		require.Eventually(t, func() bool { return p.outputs[0].idle() == 0 }, patience, time.Millisecond)
		close(gate)
		_, err = wait(t, p)
		if !errors.Is(err, ErrWaitDelay) { // the delay may have passed before the first byte
			require.NoError(t, err)
		}
		require.Equal(t, "first", out.String())
	}
}

func TestManyCommandsLeakNothing(t *testing.T) {
	one := func() {
		for _, size := range []*Winsize{nil, {24, 80}} {
			c := script(t, "echo x")
			c.Winsize = size
			_, _, err := run(t, c)
			require.NoError(t, err)
		}
	}
	one()
	open := func() int {
		names, err := os.ReadDir("/dev/fd")
		require.NoError(t, err)
		return len(names)
	}
	fds, goroutines := open(), runtime.NumGoroutine() // Eventually adds some of its own
	for range 100 {
		one()
	}
	require.Eventually(t, func() bool { return runtime.NumGoroutine() <= goroutines+2 && open() <= fds }, patience, 10*time.Millisecond,
		"descriptors %d, goroutines %d before", fds, goroutines)
	var status unix.WaitStatus
	_, err := unix.Wait4(-1, &status, unix.WNOHANG, nil)
	require.ErrorIs(t, err, unix.ECHILD, "no child is left, zombies neither")
}

func BenchmarkStart(b *testing.B) {
	program, err := LookPath("true", testPath)
	require.NoError(b, err)
	dir := tempDir(b)
	b.Run("hostexec", func(b *testing.B) {
		for b.Loop() {
			p, err := Start(context.Background(), Cmd{Path: program, Args: []string{"true"}, Dir: dir, Stdout: discard{}})
			if err != nil {
				b.Fatal(err)
			}
			if status, err := p.Wait(); err != nil || status.Code != 0 {
				b.Fatal(status, err)
			}
		}
	})
	b.Run("confined", func(b *testing.B) {
		for b.Loop() {
			p, err := Start(context.Background(), Cmd{Path: program, Args: []string{"true"}, Dir: dir, Stdout: discard{}, Confine: &Confinement{ReadWrite: []string{dir}}})
			if err != nil {
				b.Fatal(err)
			}
			if status, err := p.Wait(); err != nil || status.Code != 0 {
				b.Fatal(status, err)
			}
		}
	})
	b.Run("os-exec", func(b *testing.B) {
		for b.Loop() {
			cmd := exec.Command(program)
			cmd.Dir, cmd.Env, cmd.Stdout = dir, []string{}, discard{}
			if err := cmd.Run(); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// BenchmarkStartRatio runs both in turn, so that a loaded machine treats them
// alike, and reports the ratio of the medians.
func BenchmarkStartRatio(b *testing.B) {
	program, err := LookPath("true", testPath)
	require.NoError(b, err)
	dir := tempDir(b)
	var own, std []time.Duration
	for b.Loop() {
		begin := time.Now()
		p, err := Start(context.Background(), Cmd{Path: program, Args: []string{"true"}, Dir: dir, Stdout: discard{}})
		if err != nil {
			b.Fatal(err)
		}
		if _, err := p.Wait(); err != nil {
			b.Fatal(err)
		}
		middle := time.Now()
		cmd := exec.Command(program)
		cmd.Dir, cmd.Env, cmd.Stdout = dir, []string{}, discard{}
		if err := cmd.Run(); err != nil {
			b.Fatal(err)
		}
		own, std = append(own, middle.Sub(begin)), append(std, time.Since(middle))
	}
	slices.Sort(own)
	slices.Sort(std)
	o, s := own[len(own)/2], std[len(std)/2]
	b.ReportMetric(float64(o.Microseconds()), "own-µs")
	b.ReportMetric(float64(s.Microseconds()), "os/exec-µs")
	b.ReportMetric(float64(o)/float64(s), "ratio")
}

type discard struct{}

func (discard) Write(p []byte) (int, error) { return len(p), nil }
