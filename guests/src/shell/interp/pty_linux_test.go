// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package interp

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"
	"github.com/stretchr/testify/require"
)

// A dialogue is a session with an interactive shell: what is typed, each time
// until the output is as recorded. testdata/pty.cases has them as sections
// "#### name", with lines of quoted strings: "> " typed, "< " seen. The first
// line may be "$ " and the options of the shell. Where a line "! " follows a
// "< ", it is what bash prints in its place, for the reason behind it.
type dialogue struct {
	name  string
	args  []string
	steps []step
}

type step struct {
	typed, seen, bash, why string
	differs                bool
}

func readDialogues(t *testing.T, file string) []dialogue {
	b, err := os.ReadFile(file)
	require.NoError(t, err)
	var all []dialogue
	for _, s := range strings.Split("\n"+string(b), "\n#### ")[1:] {
		lines := strings.Split(strings.TrimSpace(s), "\n")
		d := dialogue{name: lines[0], args: []string{"--norc", "-i"}}
		for _, l := range lines[1:] {
			kind, rest := l[:2], l[2:]
			if kind == "$ " {
				d.args = strings.Fields(rest)
				continue
			}
			q, err := strconv.QuotedPrefix(rest)
			require.NoError(t, err, l)
			text, err := strconv.Unquote(q)
			require.NoError(t, err, l)
			switch last := len(d.steps) - 1; kind {
			case "> ":
				d.steps = append(d.steps, step{typed: text})
			case "< ":
				d.steps[last].seen = text
			case "! ":
				d.steps[last].bash, d.steps[last].differs, d.steps[last].why = text, true, rest[len(q):]
			default:
				t.Fatalf("%s: what is %q?", file, l)
			}
		}
		all = append(all, d)
	}
	return all
}

// numbers are those of processes.
var numbers = regexp.MustCompile(`(\[\d+\][-+]? |process group )\d+`)

// conversation is a shell at a terminal.
type conversation struct {
	t      *testing.T
	master *os.File
	cmd    *exec.Cmd
	in     chan []byte
	seen   string // since the last step, without carriage returns
}

func converse(t *testing.T, path string, args []string) *conversation {
	dir := t.TempDir()
	cmd := exec.Command(path, args...)
	cmd.Args[0] = "bash"
	cmd.Dir = dir
	cmd.Env = []string{"INTERP_TEST_SHELL=1", "PATH=/usr/local/bin:/usr/bin:/bin", "HOME=" + dir, "PS1=$ ", "TERM=dumb", "LC_ALL=C.UTF-8", "TZ=UTC", "HISTFILE=" + filepath.Join(dir, "hist")}
	m, err := pty.StartWithSize(cmd, &pty.Winsize{Rows: 24, Cols: 200})
	require.NoError(t, err)
	c := &conversation{t: t, master: m, cmd: cmd, in: make(chan []byte, 64)}
	done := make(chan struct{})
	go func() {
		defer close(c.in)
		for {
			b := make([]byte, 4096)
			n, err := m.Read(b)
			if n > 0 {
				select {
				case c.in <- b[:n]:
				case <-done:
				}
			}
			if err != nil {
				return
			}
		}
	}()
	t.Cleanup(func() {
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL) // it may have ended
		_ = cmd.Process.Kill()
		close(done)
		m.Close() // a job left in the background may hold the other end
		_ = cmd.Wait()
	})
	return c
}

func (c *conversation) typed(s string) {
	c.seen = ""
	_, err := c.master.WriteString(s)
	require.NoError(c.t, err)
}

// more waits for output. It returns false where there is no more, or none within
// d.
func (c *conversation) more(d time.Duration) bool {
	select {
	case b, ok := <-c.in:
		c.seen += numbers.ReplaceAllString(strings.ReplaceAll(string(b), "\r", ""), "${1}PID")
		c.seen = numbers.ReplaceAllString(c.seen, "${1}PID")
		// A terminal sends the signal of a key before it echoes it.
		c.seen = strings.NewReplacer("\n^C", "^C\n", "\n^Z", "^Z\n").Replace(c.seen)
		return ok
	case <-time.After(d):
		return false
	}
}

// expect waits until the output is want.
func (c *conversation) expect(want string) error {
	end := time.Now().Add(caseTimeout)
	for c.seen != want {
		if !c.more(time.Until(end)) {
			return errors.New("seen " + strconv.Quote(c.seen) + ", want " + strconv.Quote(want))
		}
	}
	return nil
}

func TestDialogues(t *testing.T) {
	file := filepath.Join(packageDir, "testdata/pty.cases")
	self, err := os.Executable()
	require.NoError(t, err)
	real, realErr := exec.LookPath("bash")
	all := readDialogues(t, file)
	if *update {
		require.NoError(t, realErr)
		var b strings.Builder
		for _, d := range all {
			b.WriteString("#### " + d.name + "\n")
			if d.args[0] != "--norc" {
				b.WriteString("$ " + strings.Join(d.args, " ") + "\n")
			}
			c := converse(t, real, d.args)
			for i, s := range d.steps {
				if i > 0 || s.typed != "" {
					c.typed(s.typed)
				}
				for c.more(400 * time.Millisecond) {
				}
				b.WriteString("> " + strconv.Quote(s.typed) + "\n")
				if s.differs {
					b.WriteString("< " + strconv.Quote(s.seen) + "\n! " + strconv.Quote(c.seen) + s.why + "\n")
				} else {
					b.WriteString("< " + strconv.Quote(c.seen) + "\n")
				}
			}
		}
		require.NoError(t, os.WriteFile(file, []byte(b.String()), 0o644))
		return
	}
	for _, d := range all {
		t.Run(d.name, func(t *testing.T) {
			t.Parallel()
			c := converse(t, self, d.args)
			for i, s := range d.steps {
				if i > 0 || s.typed != "" {
					c.typed(s.typed)
				}
				if err := c.expect(s.seen); err != nil {
					t.Fatalf("typed %q: %v", s.typed, err)
				}
			}
		})
	}
}
