// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package ptyemu_test

import (
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/wsandbox/wsandbox/ptyemu"
)

var update = flag.Bool("update", false, "write the results of "+casesFile+" as the terminals of this machine give them")

// native is a pseudoterminal of Linux. It controls no session, so that its
// signals reach nobody.
type native struct {
	tb              testing.TB
	master, replica int
	quiet           time.Duration // how long nothing must happen after a step
}

func openNative(tb testing.TB, quiet time.Duration) *native {
	tb.Helper()
	m, err := unix.Open("/dev/ptmx", unix.O_RDWR|unix.O_NOCTTY|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
	if err != nil {
		tb.Skip("no /dev/ptmx: ", err)
	}
	require.NoError(tb, unix.IoctlSetPointerInt(m, unix.TIOCSPTLCK, 0))
	num, err := unix.IoctlGetInt(m, unix.TIOCGPTN)
	require.NoError(tb, err)
	r, err := unix.Open(fmt.Sprintf("/dev/pts/%d", num), unix.O_RDWR|unix.O_NOCTTY|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
	if err != nil {
		unix.Close(m)
		tb.Skip("no /dev/pts: ", err)
	}
	n := &native{tb: tb, master: m, replica: r, quiet: quiet}
	t := n.get()
	t.Iflag |= ptyemu.IUTF8
	n.set(ptyemu.Now, t)
	return n
}

func (n *native) close() {
	unix.Close(n.replica)
	unix.Close(n.master)
}

func (n *native) set(w ptyemu.When, t ptyemu.Termios) {
	tio, err := unix.IoctlGetTermios(n.replica, unix.TCGETS)
	require.NoError(n.tb, err)
	tio.Iflag, tio.Oflag, tio.Cflag, tio.Lflag, tio.Line = t.Iflag, t.Oflag, t.Cflag, t.Lflag, t.Line
	copy(tio.Cc[:], t.CC[:])
	require.NoError(n.tb, unix.IoctlSetTermios(n.replica, unix.TCSETS+uint(w), tio))
}

func (n *native) get() ptyemu.Termios {
	tio, err := unix.IoctlGetTermios(n.replica, unix.TCGETS)
	require.NoError(n.tb, err)
	t := ptyemu.Termios{Iflag: tio.Iflag, Oflag: tio.Oflag, Cflag: tio.Cflag, Lflag: tio.Lflag, Line: tio.Line}
	copy(t.CC[:], tio.Cc[:])
	t.Ispeed, t.Ospeed = 38400, 38400
	return t
}

func (n *native) in(p string) int {
	k, err := unix.Write(n.master, []byte(p))
	if err == unix.EAGAIN {
		return 0
	}
	require.NoError(n.tb, err)
	return k
}

func (n *native) write(p string) int {
	k, err := unix.Write(n.replica, []byte(p))
	if err == unix.EAGAIN {
		return -1
	}
	require.NoError(n.tb, err)
	return k
}

func (n *native) read(size int) (string, bool) {
	b := make([]byte, size)
	k, err := unix.Read(n.replica, b)
	if err == unix.EAGAIN {
		return "", false
	}
	require.NoError(n.tb, err)
	return string(b[:k]), true
}

// output reads until nothing has come for a while.
func (n *native) output() (string, string) {
	var out []byte
	b := make([]byte, 1<<16)
	for {
		fds := []unix.PollFd{{Fd: int32(n.master), Events: unix.POLLIN}}
		k, err := unix.Poll(fds, int(n.quiet/time.Millisecond))
		if err == unix.EINTR {
			continue
		}
		require.NoError(n.tb, err)
		if k == 0 {
			return string(out), ""
		}
		k, err = unix.Read(n.master, b)
		if err == unix.EAGAIN {
			continue
		}
		require.NoError(n.tb, err)
		out = append(out, b[:k]...)
	}
}

// patience are the times to wait for a result: the first that gives the wanted
// one will do, since a busy machine may be slow to pass bytes on.
var patience = []time.Duration{2 * time.Millisecond, 40 * time.Millisecond, 400 * time.Millisecond}

// runNative performs the steps and returns the results.
func runNative(tb testing.TB, steps []step, quiet time.Duration) []string {
	n := openNative(tb, quiet)
	defer n.close()
	var got []string
	for _, s := range steps {
		got = append(got, perform(tb, n, s))
	}
	return got
}

// signalless drops the signals of a result.
func signalless(s string) string {
	s, _, _ = strings.Cut(" "+s, " sig ")
	return strings.TrimSpace(s)
}

// TestNativeCases holds the cases against the terminals of this machine.
func TestNativeCases(t *testing.T) {
	cases := readCases(t)
	if *update {
		updateCases(t, cases)
		return
	}
	for _, c := range cases {
		if strings.HasPrefix(c.name, "own ") {
			continue // a deviation
		}
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			var want []string
			for _, s := range c.steps {
				want = append(want, signalless(s.want))
			}
			var got []string
			for _, quiet := range patience {
				if got = runNative(t, c.steps, quiet); strings.Join(got, "\n") == strings.Join(want, "\n") {
					return
				}
			}
			require.Equal(t, want, got)
		})
	}
}

// updateCases writes the file anew, with signals as the emulation has them.
func updateCases(t *testing.T, cases []script) {
	text, err := os.ReadFile(casesFile)
	require.NoError(t, err)
	var b strings.Builder
	for _, line := range strings.Split(string(text), "\n") {
		if strings.HasPrefix(line, "case ") {
			break
		}
		b.WriteString(line + "\n")
	}
	for i, c := range cases {
		if i > 0 {
			b.WriteString("\n")
		}
		b.WriteString("case " + c.name + "\n")
		e := newEmulated(t)
		var got []string
		if !strings.HasPrefix(c.name, "own ") {
			got = runNative(t, c.steps, 40*time.Millisecond)
		}
		for i, s := range c.steps {
			r := perform(t, e, s)
			if got != nil {
				_, sig, ok := strings.Cut(" "+r, " sig ")
				r = got[i]
				if ok {
					r = strings.TrimSpace(r + " sig " + sig)
				}
			}
			b.WriteString(strings.TrimSpace(s.op+" "+s.arg+" => "+r) + "\n")
		}
	}
	require.NoError(t, os.WriteFile(casesFile, []byte(b.String()), 0o644))
}

// TestNativeRandom does random things to a terminal of this machine and to an
// emulated one.
func TestNativeRandom(t *testing.T) {
	rounds := 60
	if testing.Short() {
		rounds = 15
	}
	for seed := range uint64(rounds) {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			t.Parallel()
			steps := randomSteps(rand.New(rand.NewPCG(seed, 7)))
			e := newEmulated(t)
			var want []string
			for _, s := range steps {
				want = append(want, signalless(perform(t, e, s)))
			}
			var got []string
			for _, quiet := range patience {
				if got = runNative(t, steps, quiet); strings.Join(got, "\n") == strings.Join(want, "\n") {
					return
				}
			}
			for i := range steps {
				if got[i] != want[i] {
					t.Fatalf("step %d of\n%s\nnative   %s\nemulated %s", i, list(steps[:i+1]), got[i], want[i])
				}
			}
		})
	}
}

func list(steps []step) string {
	var b strings.Builder
	for _, s := range steps {
		fmt.Fprintf(&b, "%s %s\n", s.op, s.arg)
	}
	return b.String()
}

func randomSteps(r *rand.Rand) []step {
	var words []string
	for _, m := range []map[string]uint32{inputFlags, outputFlags, localFlags} {
		for w := range m {
			words = append(words, w)
		}
	}
	slices.Sort(words)
	bytes := []string{
		"a", "b", "Z", " ", "_", "9", "word ", "\t", "\n", "\r", "\b", "\x7f", "\x15", "\x17", "\x12", "\x16", "\x04",
		"\x03", "\x1c", "\x1a", "\x11", "\x13", "\x00", "\x01", "\x1b", "\xff", "é", "日", "\xa0", "\xc3", ".", "x.y", "\x80",
	}
	text := func(n int) string {
		var b strings.Builder
		for range 1 + r.IntN(n) {
			s := bytes[r.IntN(len(bytes))]
			b.WriteString(s)
			if strings.Contains("\x03\x1c\x1aa", s) {
				break // natively two signals at once lose the echo of the first
			}
		}
		return quote(b.String())
	}
	var steps []step
	for range 30 {
		switch r.IntN(8) {
		case 0, 1, 2, 3:
			steps = append(steps, step{op: "in", arg: text(12)})
		case 4:
			steps = append(steps, step{op: "read", arg: fmt.Sprint(1 + r.IntN(20))})
		case 5:
			steps = append(steps, step{op: "write", arg: text(8)})
		case 6:
			steps = append(steps, step{op: "read", arg: "100"})
		case 7:
			var w []string
			for range 1 + r.IntN(3) {
				s := words[r.IntN(len(words))]
				if r.IntN(2) == 0 {
					s = "-" + s
				}
				w = append(w, s)
			}
			if r.IntN(6) == 0 {
				w = append(w, [...]string{"eol 46", "eol2 95", "erase 8", "kill 64", "min 0", "min 3", "eof 90", "lnext 0", "susp 97"}[r.IntN(9)])
			}
			steps = append(steps, step{op: "set", arg: strings.Join(w, " ")})
		}
	}
	return steps
}
