// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package hostexec

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// TestMain lets the test binary be the programs that the tests need.
func TestMain(m *testing.M) {
	if len(os.Args) > 1 {
		switch os.Args[1] {
		case "hostexec-fork":
			testFork(os.Args[2:])
		case "hostexec-parent":
			testParent(os.Args[2], os.Args[3])
		case "hostexec-dial":
			testDial(os.Args[2], os.Args[3])
		}
	}
	os.Exit(m.Run())
}

// testFork detaches itself depth times, each time as a new session with an empty
// environment whose parent has gone, ignoring every signal that can be, and then
// writes its pid to the file and stays.
func testFork(args []string) {
	signal.Ignore() // every signal that can be
	depth, file := args[0], args[1]
	if n, _ := strconv.Atoi(depth); n > 0 {
		cmd := exec.Command("/proc/self/exe", "hostexec-fork", strconv.Itoa(n-1), file)
		cmd.Env = []string{}
		cmd.SysProcAttr = &syscall.SysProcAttr{Setsid: true}
		if err := cmd.Start(); err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	f, err := os.OpenFile(file, os.O_WRONLY|os.O_APPEND|os.O_CREATE, 0o600)
	if err != nil {
		os.Exit(1)
	}
	fmt.Fprintln(f, os.Getpid())
	f.Close()
	for {
		_ = unix.Pause()
	}
}

// testParent starts a command and says so; it then waits to be killed.
func testParent(program, dir string) {
	p, err := Start(context.Background(), Cmd{Path: program, Args: []string{"sh", "-c", "while :; do sleep 0.1; done"}, Dir: dir, Env: []string{"PATH=" + testPath}})
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	fmt.Println(p.Pid())
	for {
		_ = unix.Pause()
	}
}

func alive(pid int) bool {
	e, err := readEntry(pid)
	return err == nil && e.state != 'Z' && e.state != 'X'
}

// pids waits for n process ids in a file.
func pids(t *testing.T, file string, n int) []int {
	t.Helper()
	var out []int
	require.Eventually(t, func() bool {
		text, _ := os.ReadFile(file)
		lines := strings.Fields(string(text))
		if len(lines) < n || !strings.HasSuffix(string(text), "\n") {
			return false
		}
		out = nil
		for _, l := range lines {
			pid, err := strconv.Atoi(l)
			require.NoError(t, err)
			out = append(out, pid)
		}
		return true
	}, patience, 5*time.Millisecond)
	return out
}

// TestKillLeavesNothing has descendants that have left session, group, parents
// and environment and ignore what can be ignored.
func TestKillLeavesNothing(t *testing.T) {
	for _, tt := range []struct {
		name       string
		privileges bool
		confine    bool
		how        string
	}{
		{"domain, Kill", false, false, "kill"},
		{"domain, context", false, false, "context"},
		{"domain, program exits", false, false, "exit"},
		{"confined, Kill", false, true, "kill"},
		{"confined, program exits", false, true, "exit"},
		{"marked, Kill", true, false, "kill"},
		{"marked, context", true, false, "context"},
		{"marked, program exits", true, false, "exit"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if !tt.privileges && !Support().Tree {
				t.Skip("no Landlock signal scope in this kernel")
			}
			dir := tempDir(t)
			file := filepath.Join(dir, "pids")
			// The program's own first fork waits for a byte: by then it is marked.
			c := script(t, `echo ready; read -r go; "$1" hostexec-fork 3 "$2"; "$1" hostexec-fork 1 "$2"; while test -e "$3"; do sleep 0.02; done; exit 3`, self(t), file, filepath.Join(dir, "stay"))
			require.NoError(t, os.WriteFile(filepath.Join(dir, "stay"), nil, 0o600))
			out := newBuffer()
			c.Dir, c.OpenStdin, c.Stdout, c.Privileges = dir, true, out, tt.privileges
			c.WaitDelay = 50 * time.Millisecond
			if tt.confine {
				c.Confine = &Confinement{Require: true, ReadWrite: []string{dir}, ReadOnly: []string{self(t)}}
			}
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			p, err := Start(ctx, c)
			require.NoError(t, err)
			out.until(t, "ready")
			_, err = p.Write([]byte("\n"))
			require.NoError(t, err)
			left := append(pids(t, file, 2), p.Pid())
			for _, pid := range left {
				require.True(t, alive(pid), pid)
			}
			switch tt.how {
			case "kill":
				require.NoError(t, p.Kill())
			case "context":
				cancel()
			case "exit":
				require.NoError(t, os.Remove(filepath.Join(dir, "stay")))
			}
			status, err := wait(t, p)
			if tt.how == "exit" {
				require.Equal(t, 3, status.Code)
				require.NoError(t, err, "detached processes do not hold the output")
			} else {
				require.Equal(t, syscall.SIGKILL, status.Signal)
			}
			for _, pid := range left {
				require.Eventually(t, func() bool { return !alive(pid) }, patience, time.Millisecond, "process %d is left", pid)
			}
			require.True(t, alive(os.Getppid()) || os.Getppid() == 1, "nobody else was killed")
		})
	}
}

// TestKillSparesOthers checks that a command's kill does not reach another
// command, nor what this process has started otherwise.
func TestKillSparesOthers(t *testing.T) {
	other := exec.Command(sh(t), "-c", "read x")
	hold, err := other.StdinPipe()
	require.NoError(t, err)
	require.NoError(t, other.Start())
	out := newBuffer()
	c := script(t, "echo ready; read -r x; exit 5")
	c.Dir, c.OpenStdin, c.Stdout = tempDir(t), true, out
	second, err := Start(t.Context(), c)
	require.NoError(t, err)
	out.until(t, "ready")
	for _, privileges := range []bool{false, true} {
		c.OpenStdin, c.Privileges, c.Stdout = false, privileges, nil
		c.Args = []string{"sh", "-c", "while :; do sleep 0.05; done"}
		first, err := Start(t.Context(), c)
		require.NoError(t, err)
		require.NoError(t, first.Kill())
		_, err = wait(t, first)
		require.NoError(t, err)
	}
	require.True(t, alive(other.Process.Pid))
	require.True(t, alive(second.Pid()))
	_, err = second.Write([]byte("\n"))
	require.NoError(t, err)
	status, err := wait(t, second)
	require.NoError(t, err)
	require.Equal(t, 5, status.Code)
	require.NoError(t, hold.Close())
	_ = other.Wait()
	require.True(t, other.ProcessState.Exited())
}

func TestKillDomainOutsideOneIsRefused(t *testing.T) {
	// The check stands before the call: on a thread that is in no domain init
	// or the parent can be signaled, and nothing is sent.
	if unix.Kill(os.Getppid(), 0) != nil {
		t.Skip("the parent cannot be signaled here, so the check has nothing to find")
	}
	require.ErrorContains(t, killDomain(-1), "wrong thread")
	done := make(chan error, 1)
	onThread(func() { done <- killDomain(unix.Gettid()) })
	require.ErrorContains(t, <-done, "not scoped")
}

func TestThreadIsNotTheMainOne(t *testing.T) {
	for range 100 {
		done := make(chan bool, 1)
		onThread(func() { done <- unix.Gettid() == os.Getpid() })
		require.False(t, <-done)
	}
}

func TestRestrictionStaysWithTheCommand(t *testing.T) {
	c := script(t, "exit 0")
	c.Confine = &Confinement{}
	for range 20 {
		_, _, err := run(t, c)
		require.NoError(t, err)
	}
	tasks, err := os.ReadDir("/proc/self/task")
	require.NoError(t, err)
	for _, task := range tasks {
		require.Eventually(t, func() bool {
			text, err := os.ReadFile("/proc/self/task/" + task.Name() + "/status")
			return err != nil || strings.Contains(string(text), "NoNewPrivs:\t0\n")
		}, patience, time.Millisecond, "thread %s keeps the restriction", task.Name())
	}
}

func TestParentDeath(t *testing.T) {
	parent := exec.Command(self(t), "hostexec-parent", sh(t), tempDir(t))
	out, err := parent.StdoutPipe()
	require.NoError(t, err)
	require.NoError(t, parent.Start())
	line, err := bufio.NewReader(out).ReadString('\n')
	require.NoError(t, err)
	pid, err := strconv.Atoi(strings.TrimSpace(line))
	require.NoError(t, err, line)
	require.True(t, alive(pid))
	require.NoError(t, parent.Process.Kill())
	_ = parent.Wait()
	require.Eventually(t, func() bool { return !alive(pid) }, patience, time.Millisecond)
}

func TestParseStat(t *testing.T) {
	tail := " 1 2 3 0 -1 4 5 6 7 8 9 10 11 12 20 0 1 0 4242 1 2"
	for _, tt := range []struct {
		text string
		want entry
		ok   bool
	}{
		{"77 (sh) S" + tail, entry{77, 1, 2, 3, 'S', 4242}, true},
		{"77 (a) R 9 9 (b) ) Z" + tail, entry{77, 1, 2, 3, 'Z', 4242}, true},
		{"", entry{}, false},
		{"77 (sh", entry{}, false},
		{")77( S" + tail, entry{}, false},
		{"77 (sh) S 1 2 3", entry{}, false},
		{"x (sh) S" + tail, entry{}, false},
	} {
		got, err := parseStat([]byte(tt.text))
		require.Equal(t, tt.ok, err == nil, tt.text)
		require.Equal(t, tt.want, got, tt.text)
	}
}

func FuzzParseStat(f *testing.F) {
	f.Add([]byte("77 (sh) S 1 2 3 0 -1 4 5 6 7 8 9 10 11 12 20 0 1 0 4242 1 2"))
	f.Add([]byte("1 ()) X"))
	f.Fuzz(func(t *testing.T, text []byte) {
		if e, err := parseStat(text); err != nil && e != (entry{}) {
			t.Fatal("an entry with an error")
		}
	})
}
