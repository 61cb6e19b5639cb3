// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package terminal

import (
	"bytes"
	"errors"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/guests/src/cmdkit"
	"github.com/wsandbox/wsandbox/guests/src/cmdkit/cmdtest"
	"github.com/wsandbox/wsandbox/guests/src/terminfo"
	"github.com/wsandbox/wsandbox/guests/src/wsys"
)

var update = flag.Bool("update", false, "write the results of the machine's own programs into testdata")

// TestTerminal runs the commands of testdata/pty.txt one after the other on a
// pseudoterminal and compares with what GNU coreutils 9.1 and ncurses 6.4 print
// there; -update runs those. The format is that of coreutils/testdata/gnu; words
// are separated by one space.
func TestTerminal(t *testing.T) {
	const file = "testdata/pty.txt"
	b, err := os.ReadFile(file)
	require.NoError(t, err)
	master, replica := cmdtest.Pty(t)
	go func() { // what the terminal echoes must not fill it
		for buf := make([]byte, 4096); ; {
			if _, err := master.Read(buf); err != nil {
				return
			}
		}
	}()
	run := ours
	if *update {
		run = native
	}
	var out strings.Builder
	cases, want := 0, ""
	for _, l := range append(strings.SplitAfter(string(b), "\n"), "$ end\n") {
		cmd, ok := strings.CutPrefix(l, "$ ")
		if !ok {
			want += l
			continue
		}
		if cases > 0 && !*update {
			require.Equal(t, want, out.String(), "case %d", cases)
		}
		if cmd == "end\n" {
			break
		}
		if !*update {
			out.Reset()
		}
		want = ""
		cases++
		if *update {
			out.WriteString(l)
		}
		words := strings.Split(strings.TrimSuffix(cmd, "\n"), " ")
		for i, w := range words {
			if w == "''" {
				words[i] = ""
			}
		}
		out.WriteString(run(t, replica, words))
	}
	require.Greater(t, cases, 50)
	if *update {
		require.NoError(t, os.WriteFile(file, []byte(out.String()), 0o644))
	}
}

var environ = []string{"LC_ALL=C", "TERM=xterm", "PATH=/usr/bin:/bin"}

func result(out []byte, status int) string {
	s := string(out)
	if strings.IndexByte(s, 0x1b) >= 0 || strings.IndexByte(s, '\r') >= 0 {
		s = strconv.QuoteToASCII(s) + "\n"
	}
	return s + "= " + strconv.Itoa(status) + "\n"
}

func native(t *testing.T, tty *os.File, args []string) string {
	var out bytes.Buffer
	c := exec.Command(args[0], args[1:]...)
	c.Env, c.Stdin, c.Stdout, c.Stderr = environ, tty, &out, &out
	err := c.Run()
	var ee *exec.ExitError
	if err != nil && !errors.As(err, &ee) {
		t.Fatal(err)
	}
	return result(out.Bytes(), c.ProcessState.ExitCode())
}

func ours(t *testing.T, tty *os.File, args []string) string {
	out, err := os.Create(filepath.Join(t.TempDir(), "out"))
	require.NoError(t, err)
	defer out.Close()
	commands := map[string]cmdkit.Func{"stty": Stty, "tput": Tput, "clear": Clear, "reset": Reset}
	p := cmdkit.New(args[0], args[1:], environ, wsys.FD(tty.Fd()), wsys.FD(out.Fd()), wsys.FD(out.Fd()))
	st := p.Run(commands[args[0]])
	b, err := os.ReadFile(out.Name())
	require.NoError(t, err)
	return result(b, st)
}

func TestRestore(t *testing.T) {
	good := "500:5:bf:8a3b:3:1c:7f:15:4:0:1:0:11:13:1a:0:12:f:17:16:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0"
	var a abi.Termios
	require.True(t, restore(&a, good))
	require.Equal(t, uint32(0x500), a.Iflag)
	require.Equal(t, uint32(0x8a3b), a.Lflag)
	require.Equal(t, byte(0x16), a.CC[abi.VLNEXT])
	for _, bad := range []string{"", "1", good[:len(good)-2], good + ":0", good + "x", strings.Replace(good, "7f", "100", 1), strings.Replace(good, "500", "+500", 1), strings.Replace(good, "bf", "", 1)} {
		b := a
		require.False(t, restore(&b, bad), bad)
		require.Equal(t, a, b)
	}
}

func FuzzStty(f *testing.F) {
	f.Add("500:5:bf:8a3b:3:1c:7f:15:4:0:1:0:11:13:1a:0:12:f:17:16:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0:0")
	f.Add("rows\x0010\x00-echo\x00intr\x00^C\x00min\x0099999999999999999999999\x00-F")
	f.Fuzz(func(t *testing.T, line string) {
		p := cmdkit.New("stty", strings.Split(line, "\x00"), nil, -1, -1, -1)
		s := stty{p: p, checking: true}
		s.apply(p.Args)
		restore(&s.t, line)
	})
}

func TestParameters(t *testing.T) {
	term, ok := terminfo.Lookup("xterm-256color")
	require.True(t, ok)
	for name, want := range map[string]int{"cup": 2, "setaf": 1, "sgr": 9, "bold": 0, "initc": 4} {
		s, _ := term.String(name)
		require.Equal(t, want, parameters(s), name)
	}
}
