// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package hostexec

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/windows"
)

// TestMain lets the test binary be the programs that the tests need.
func TestMain(m *testing.M) {
	if len(os.Args) < 2 || !strings.HasPrefix(os.Args[1], "hostexec-") {
		os.Exit(m.Run())
	}
	switch os.Args[1] {
	case "hostexec-exit":
		code, _ := strconv.Atoi(os.Args[2])
		fmt.Println("out")
		fmt.Fprintln(os.Stderr, "err")
		os.Exit(code)
	case "hostexec-args":
		for _, a := range os.Args[2:] {
			fmt.Printf("%q\n", a)
		}
	case "hostexec-environ":
		for _, e := range os.Environ() {
			fmt.Println(e)
		}
	case "hostexec-copy":
		_, _ = io.Copy(os.Stdout, os.Stdin)
	case "hostexec-lines":
		n, _ := strconv.Atoi(os.Args[2])
		w := bufio.NewWriter(os.Stdout)
		for i := range n {
			fmt.Fprintf(w, "line %d\n", i)
		}
		w.Flush()
	case "hostexec-tree": // a grandchild that is left behind
		file, _ := os.Executable()
		cmd := exec.Command(file, "hostexec-stay")
		if err := cmd.Start(); err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		fmt.Println("pid", cmd.Process.Pid)
		if os.Args[2] == "stay" {
			<-time.After(24 * time.Hour)
		}
	case "hostexec-stay":
		<-time.After(24 * time.Hour)
	}
	os.Exit(0)
}

func child(t testing.TB, args ...string) Cmd {
	env, err := Environ(os.Environ(), []string{"SYSTEMROOT", "TEMP", "TMP"}, nil)
	require.NoError(t, err)
	return Cmd{Path: self(t), Args: append([]string{"hostexec"}, args...), Env: env}
}

func TestStatus(t *testing.T) {
	for _, code := range []int{0, 1, 3, 255, 4000} {
		out, status, err := run(t, child(t, "hostexec-exit", strconv.Itoa(code)))
		require.NoError(t, err)
		require.Equal(t, Status{Exited: true, Code: code}, status)
		require.Equal(t, "out\nerr\n", out)
	}
}

func TestArguments(t *testing.T) {
	args := []string{"", "a b", `"`, `\`, `\"`, `C:\my dir\`, `x\\" y`, "%PATH%", "^&|<>", "ä€😀"}
	out, _, err := run(t, child(t, append([]string{"hostexec-args"}, args...)...))
	require.NoError(t, err)
	want := ""
	for _, a := range args {
		want += fmt.Sprintf("%q\n", a)
	}
	require.Equal(t, want, out)
	line, err := commandLine(append([]string{"hostexec"}, args...))
	require.NoError(t, err)
	got, err := windows.DecomposeCommandLine(line)
	require.NoError(t, err)
	require.Equal(t, append([]string{"hostexec"}, args...), got)
}

func TestClosedEnvironment(t *testing.T) {
	t.Setenv("HOSTEXEC_SECRET", "s3cret")
	c := child(t, "hostexec-environ")
	c.Env = append(c.Env, "OWN=1")
	out, _, err := run(t, c)
	require.NoError(t, err)
	require.NotContains(t, out, "s3cret")
	require.Contains(t, out, "OWN=1")
}

func TestStartErrors(t *testing.T) {
	dir := tempDir(t)
	batch := filepath.Join(dir, "x.BAT")
	require.NoError(t, os.WriteFile(batch, []byte("echo %1"), 0o600))
	for _, tt := range []struct {
		cmd  Cmd
		want error
	}{
		{Cmd{Path: filepath.Join(dir, "none.exe"), Dir: dir}, fs.ErrNotExist},
		{Cmd{Path: self(t), Dir: filepath.Join(dir, "none")}, fs.ErrNotExist},
		{Cmd{Path: batch, Dir: dir}, ErrBatchFile},
		{Cmd{Path: batch + ". ", Dir: dir}, ErrBatchFile},
		{Cmd{Path: self(t), Args: []string{`a"b`}, Dir: dir}, ErrInvalid},
		{Cmd{Path: self(t), Dir: dir, Env: []string{"a=1", "A=2"}}, ErrInvalid},
		{Cmd{Path: self(t), Dir: dir, Confine: &Confinement{Require: true}}, ErrConfinement},
	} {
		p, err := Start(t.Context(), tt.cmd)
		require.Nil(t, p)
		require.ErrorIs(t, err, tt.want, tt.cmd.Path)
	}
	_, err := LookPath("x", dir)
	require.ErrorIs(t, err, ErrBatchFile)
}

func TestInput(t *testing.T) {
	out := newBuffer()
	c := child(t, "hostexec-copy")
	c.OpenStdin, c.Stdout, c.Dir = true, out, tempDir(t)
	p, err := Start(t.Context(), c)
	require.NoError(t, err)
	_, err = p.Write([]byte("one"))
	require.NoError(t, err)
	out.until(t, "one")
	require.NoError(t, p.CloseStdin())
	_, err = wait(t, p)
	require.NoError(t, err)
}

func TestTreeIsKilled(t *testing.T) {
	for _, how := range []string{"stay", "exit"} {
		out := newBuffer()
		c := child(t, "hostexec-tree", how)
		c.Stdout, c.Dir = out, tempDir(t)
		p, err := Start(t.Context(), c)
		require.NoError(t, err)
		var pid int
		_, err = fmt.Sscanf(out.until(t, "\n"), "pid %d", &pid)
		require.NoError(t, err)
		h, err := windows.OpenProcess(windows.SYNCHRONIZE, false, uint32(pid))
		if how == "exit" && errors.Is(err, windows.ERROR_INVALID_PARAMETER) {
			continue // dead already
		}
		require.NoError(t, err)
		if how == "stay" {
			require.NoError(t, p.Kill())
		}
		status, err := wait(t, p)
		if how == "stay" || !errors.Is(err, ErrWaitDelay) {
			require.NoError(t, err)
		}
		require.Equal(t, how == "stay", status.Signaled)
		if how == "stay" {
			require.Equal(t, syscall.SIGKILL, status.Signal)
		}
		event, err := windows.WaitForSingleObject(h, uint32(patience.Milliseconds()))
		require.NoError(t, err)
		require.Equal(t, uint32(windows.WAIT_OBJECT_0), event)
		_ = windows.CloseHandle(h)
	}
}

func TestConsoleKeepsTrailingOutput(t *testing.T) {
	c := child(t, "hostexec-lines", "4000")
	c.Winsize = &Winsize{Rows: 25, Cols: 80}
	out, status, err := run(t, c)
	require.NoError(t, err)
	require.Equal(t, 0, status.Code)
	require.Contains(t, out, "line 3999")
}
