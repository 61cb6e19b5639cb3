// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package ptyemu_test

import (
	"bufio"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wsandbox/wsandbox/ptyemu"
)

// casesFile holds cases, one after the other:
//
//	case NAME
//	STEP => RESULT
//
// Steps are set WORDS (as of stty), in TEXT (typed at the master), write TEXT
// (by a process) and read N (by a process that does not wait). A result is what
// a read got (TEXT or EAGAIN; "" is the end of file) or how many bytes a write
// took, then out TEXT, what the master has to read, and sig NAMES.
const casesFile = "testdata/cases.txt"

type step struct{ op, arg, want string }

type script struct {
	name  string
	steps []step
}

func readCases(tb testing.TB) []script {
	tb.Helper()
	f, err := os.Open(casesFile)
	require.NoError(tb, err)
	defer f.Close()
	var all []script
	for sc := bufio.NewScanner(f); sc.Scan(); {
		line := strings.TrimSpace(sc.Text())
		if line == "" || line[0] == '#' {
			continue
		}
		if name, ok := strings.CutPrefix(line, "case "); ok {
			all = append(all, script{name: name})
			continue
		}
		s := &all[len(all)-1]
		do, want, _ := strings.Cut(line, " =>")
		op, arg, _ := strings.Cut(do, " ")
		s.steps = append(s.steps, step{op, arg, strings.TrimSpace(want)})
	}
	require.Greater(tb, len(all), 50)
	return all
}

// device is a terminal under test.
type device interface {
	set(when ptyemu.When, t ptyemu.Termios)
	get() ptyemu.Termios
	in(p string) int
	write(p string) int               // -1 where it would wait
	read(n int) (string, bool)        // false where it would wait
	output() (out string, sig string) // of the last step
}

// perform runs a step and returns its result.
func perform(tb testing.TB, d device, s step) string {
	tb.Helper()
	var r []string
	switch s.op {
	case "set":
		t := d.get()
		when := stty(tb, &t, s.arg)
		d.set(when, t)
	case "in":
		if n := d.in(unquote(tb, s.arg)); n != len(unquote(tb, s.arg)) {
			r = append(r, strconv.Itoa(n))
		}
	case "write":
		if n := d.write(unquote(tb, s.arg)); n < 0 {
			r = append(r, "EAGAIN")
		} else {
			r = append(r, strconv.Itoa(n))
		}
	case "read":
		n, err := strconv.Atoi(s.arg)
		require.NoError(tb, err)
		if got, ok := d.read(n); ok {
			r = append(r, quote(got))
		} else {
			r = append(r, "EAGAIN")
		}
	default:
		tb.Fatalf("step %q", s.op)
	}
	out, sig := d.output()
	if out != "" {
		r = append(r, "out "+quote(out))
	}
	if sig != "" {
		r = append(r, "sig "+sig)
	}
	return strings.Join(r, " ")
}

func quote(s string) string {
	b := []byte{'"'}
	for i := range len(s) {
		switch c := s[i]; {
		case c == '"' || c == '\\':
			b = append(b, '\\', c)
		case c == '\n':
			b = append(b, `\n`...)
		case c == '\r':
			b = append(b, `\r`...)
		case c == '\t':
			b = append(b, `\t`...)
		case c == '\b':
			b = append(b, `\b`...)
		case c < ' ' || c > '~':
			b = fmt.Appendf(b, `\x%02x`, c)
		default:
			b = append(b, c)
		}
	}
	return string(append(b, '"'))
}

func unquote(tb testing.TB, s string) string {
	tb.Helper()
	text, times, _ := strings.Cut(s, " * ")
	u, err := strconv.Unquote(text)
	require.NoError(tb, err, "%s", s)
	if times != "" {
		n, err := strconv.Atoi(times)
		require.NoError(tb, err)
		u = strings.Repeat(u, n)
	}
	return u
}

var (
	inputFlags = map[string]uint32{
		"parmrk": ptyemu.PARMRK, "istrip": ptyemu.ISTRIP, "inlcr": ptyemu.INLCR, "igncr": ptyemu.IGNCR,
		"icrnl": ptyemu.ICRNL, "iuclc": ptyemu.IUCLC, "ixon": ptyemu.IXON, "ixany": ptyemu.IXANY,
		"ixoff": ptyemu.IXOFF, "imaxbel": ptyemu.IMAXBEL, "iutf8": ptyemu.IUTF8,
	}
	outputFlags = map[string]uint32{
		"opost": ptyemu.OPOST, "olcuc": ptyemu.OLCUC, "onlcr": ptyemu.ONLCR, "ocrnl": ptyemu.OCRNL,
		"onocr": ptyemu.ONOCR, "onlret": ptyemu.ONLRET, "tab3": ptyemu.XTABS,
	}
	localFlags = map[string]uint32{
		"isig": ptyemu.ISIG, "icanon": ptyemu.ICANON, "echo": ptyemu.ECHO, "echoe": ptyemu.ECHOE,
		"echok": ptyemu.ECHOK, "echonl": ptyemu.ECHONL, "noflsh": ptyemu.NOFLSH, "echoctl": ptyemu.ECHOCTL,
		"echoprt": ptyemu.ECHOPRT, "echoke": ptyemu.ECHOKE, "iexten": ptyemu.IEXTEN, "xcase": ptyemu.XCASE,
	}
	characters = map[string]int{
		"intr": ptyemu.VINTR, "quit": ptyemu.VQUIT, "erase": ptyemu.VERASE, "kill": ptyemu.VKILL,
		"eof": ptyemu.VEOF, "eol": ptyemu.VEOL, "eol2": ptyemu.VEOL2, "start": ptyemu.VSTART,
		"stop": ptyemu.VSTOP, "susp": ptyemu.VSUSP, "rprnt": ptyemu.VREPRINT, "werase": ptyemu.VWERASE,
		"lnext": ptyemu.VLNEXT, "min": ptyemu.VMIN, "time": ptyemu.VTIME,
	}
)

// stty changes t as words say; flush throws input away.
func stty(tb testing.TB, t *ptyemu.Termios, words string) ptyemu.When {
	tb.Helper()
	when := ptyemu.Now
	f := strings.Fields(words)
	for i := 0; i < len(f); i++ {
		name, off := strings.CutPrefix(f[i], "-")
		field, bit := &t.Lflag, localFlags[name]
		if b, ok := inputFlags[name]; ok {
			field, bit = &t.Iflag, b
		}
		if b, ok := outputFlags[name]; ok {
			field, bit = &t.Oflag, b
		}
		c, isChar := characters[name]
		switch {
		case name == "flush":
			when = ptyemu.Flush
		case name == "raw":
			t.MakeRaw()
		case isChar:
			i++
			u, err := strconv.ParseUint(f[i], 0, 8)
			require.NoError(tb, err)
			t.CC[c] = byte(u)
		case bit == 0:
			tb.Fatalf("stty word %q", name)
		case off:
			*field &^= bit
		default:
			*field |= bit
		}
	}
	return when
}

// emulated is the terminal of this package.
type emulated struct {
	tb      testing.TB
	t       *ptyemu.Terminal
	sigs    []string
	pending []byte // typed, for which there was no room
}

func newEmulated(tb testing.TB) *emulated {
	e := &emulated{tb: tb}
	e.t = ptyemu.New(ptyemu.Options{Signal: func(s ptyemu.Signal) {
		e.sigs = append(e.sigs, [...]string{"", "INT", "QUIT", "TSTP", "WINCH", "HUP"}[s])
	}})
	return e
}

func (e *emulated) get() ptyemu.Termios { return e.t.Termios() }

func (e *emulated) set(w ptyemu.When, t ptyemu.Termios) {
	e.t.SetTermios(w, t)
	e.in("")
}

func (e *emulated) in(p string) int {
	e.pending = append(e.pending, p...)
	n, err := e.t.Master().TryWrite(e.pending)
	require.NoError(e.tb, err)
	e.pending = e.pending[n:]
	return len(p)
}

func (e *emulated) write(p string) int {
	n, err := e.t.Replica().Write([]byte(p))
	if err == ptyemu.ErrAgain {
		return -1
	}
	require.NoError(e.tb, err)
	return n
}

func (e *emulated) read(n int) (string, bool) {
	b := make([]byte, n)
	n, err := e.t.Replica().Read(b)
	e.in("")
	if err == ptyemu.ErrAgain {
		return "", false
	}
	require.NoError(e.tb, err)
	return string(b[:n]), true
}

func (e *emulated) output() (string, string) {
	sig := strings.Join(e.sigs, " ")
	e.sigs = nil
	var out []byte
	for e.t.Master().Buffered() > 0 {
		b := make([]byte, 1<<16)
		n, err := e.t.Master().Read(b)
		require.NoError(e.tb, err)
		out = append(out, b[:n]...)
	}
	return string(out), sig
}

func TestCases(t *testing.T) {
	for _, c := range readCases(t) {
		t.Run(c.name, func(t *testing.T) {
			d := newEmulated(t)
			for i, s := range c.steps {
				require.Equal(t, s.want, perform(t, d, s), "step %d: %s %s", i+1, s.op, s.arg)
			}
		})
	}
}
