// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package pager

import (
	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/guests/src/cmdkit"
	"github.com/wsandbox/wsandbox/guests/src/terminfo"
	"github.com/wsandbox/wsandbox/guests/src/wsys"
)

// console is the terminal: keys come from it, whatever standard input is.
type console struct {
	p      *cmdkit.Proc
	in     wsys.FD
	opened bool
	before abi.Termios
	raw    bool
	codes  codes
	desc   *terminfo.Terminal
	enter  string // what the terminal is sent before and after it is used,
	leave  string // and while this process is stopped

	interrupted, resized, resumed bool
	ended                         abi.Signal // the signal to end by, 0 if none
}

// flags is the word in which the host says that a signal came.
var flags uint32

var handled = [...]abi.Signal{abi.SIGINT, abi.SIGWINCH, abi.SIGTSTP, abi.SIGCONT, abi.SIGTERM, abi.SIGHUP}

// openConsole finds the terminal for keys. ok is false where there is none.
func openConsole(p *cmdkit.Proc) (c *console, ok bool) {
	c = &console{p: p}
	fd, err := wsys.Open(wsys.AtCwd, "/dev/tty", abi.ORdonly|abi.OCloexec, 0)
	switch {
	case err == nil:
		c.in, c.opened = fd, true
	case wsys.Isatty(p.Stderr.FD):
		c.in = p.Stderr.FD
	case wsys.Isatty(p.Stdin.FD):
		c.in = p.Stdin.FD
	default:
		return nil, false
	}
	if c.before, err = wsys.Tcgetattr(c.in); err != nil {
		c.close()
		return nil, false
	}
	if t, ok := terminfo.Lookup(p.Getenv("TERM")); ok {
		c.desc = t
	}
	c.codes = codesOf(c.desc)
	wsys.SigFlag(&flags)
	for _, s := range handled {
		_ = wsys.SigAction(s, abi.SigHandle) // a signal that cannot be handled is not seen
	}
	return c, true
}

func (c *console) close() {
	c.cooked()
	if c.opened {
		wsys.Close(c.in)
	}
}

// status closes the console and returns the status to end with, which is status
// unless a signal ends the program: as of less, the number of SIGTERM, while a
// hangup does what it does to programs that do not handle it.
func (c *console) status(status int) int {
	c.close()
	switch c.ended {
	case 0:
		return status
	case abi.SIGHUP:
		c.p.Stdout.Flush()
		wsys.DieBy(abi.SIGHUP)
	}
	return int(c.ended)
}

// keys makes the terminal hand over single keys without echo, and enters the
// screen. In the background it stops this process first, as the terminal does, and
// does nothing where that is to end.
func (c *console) keys() {
	t := c.before
	t.Lflag &^= abi.ICANON | abi.ECHO | abi.ECHOE | abi.ECHOK | abi.ECHONL
	t.Iflag &^= abi.ICRNL | abi.INLCR | abi.IGNCR
	t.Oflag |= abi.OPOST | abi.ONLCR
	t.CC[abi.VMIN], t.CC[abi.VTIME] = 1, 0
	for {
		err := wsys.Tcsetattr(c.in, abi.TCSADRAIN, &t)
		if err == nil {
			break
		}
		if c.pending(); err != abi.EINTR || c.ended != 0 {
			return
		}
	}
	c.raw, c.resumed = true, false
	c.p.Stdout.WriteString(c.enter)
	c.p.Stdout.Flush()
}

// cooked leaves the screen and brings the terminal back to what it was.
func (c *console) cooked() {
	if c.raw {
		c.p.Stdout.WriteString(c.leave)
		c.p.Stdout.Flush()
		_ = wsys.Tcsetattr(c.in, abi.TCSADRAIN, &c.before) // there is nothing else to try
		c.raw = false
	}
}

// size returns the rows and columns of the terminal.
func (c *console) size() (rows, cols int) {
	ws, err := wsys.TTYGetwinsize(c.p.Stdout.FD)
	if err != nil || ws.Rows == 0 || ws.Cols == 0 {
		ws, _ = wsys.TTYGetwinsize(c.in)
	}
	rows, cols = int(ws.Rows), int(ws.Cols)
	if rows == 0 && c.desc != nil {
		rows = c.desc.Number("lines")
	}
	if cols == 0 && c.desc != nil {
		cols = c.desc.Number("cols")
	}
	return rows, cols
}

// pending notes which signals came, and reports whether one asks for a stop.
func (c *console) pending() (stop bool) {
	flags &^= abi.SigFlagSignal
	s := wsys.SigPending(0)
	c.interrupted = c.interrupted || s.Has(abi.SIGINT)
	c.resized = c.resized || s.Has(abi.SIGWINCH)
	c.resumed = c.resumed || s.Has(abi.SIGCONT)
	switch {
	case s.Has(abi.SIGTERM):
		c.ended = abi.SIGTERM
	case s.Has(abi.SIGHUP):
		c.ended = abi.SIGHUP
	}
	return s.Has(abi.SIGTSTP)
}

// signals notes which signals came, and stops with the terminal as it was found
// where one says so.
func (c *console) signals() {
	if flags&abi.SigFlagSignal == 0 {
		return
	}
	if !c.pending() || c.ended != 0 {
		return
	}
	c.cooked()
	_ = wsys.SigAction(abi.SIGTSTP, abi.SigDefault)
	_ = wsys.Kill(0, abi.SIGTSTP)
	_ = wsys.SigAction(abi.SIGTSTP, abi.SigHandle)
	c.pending() // what came meanwhile: the continuation, and why this is to end
	c.resumed = true
}

// interrupt reports whether what is being done is to be given up.
func (c *console) interrupt() bool {
	c.signals()
	return c.interrupted || c.ended != 0
}

// wait returns what is typed, nothing after a signal or a timeout (nanoseconds,
// -1: none). ok is false where the terminal is gone.
func (c *console) wait(b []byte, timeout int64) (n int, ok bool) {
	c.signals()
	if c.interrupted || c.resized || c.resumed || c.ended != 0 {
		return 0, true
	}
	fds := [...]wsys.PollFD{{FD: c.in, Events: abi.PollIn}}
	if k, err := wsys.Poll(fds[:], timeout); k == 0 || err != nil {
		c.signals()
		return 0, err == nil || err == abi.EINTR
	}
	n, err := wsys.Read(c.in, b)
	c.signals()
	if err == abi.EINTR || err == abi.EAGAIN {
		return 0, true
	}
	return n, n > 0 && err == nil
}
