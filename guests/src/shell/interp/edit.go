// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package interp

import (
	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/guests/src/shell/lineedit"
	"github.com/wsandbox/wsandbox/guests/src/shell/sched"
	"github.com/wsandbox/wsandbox/guests/src/wsys"
)

// lineEditor is the editor at the shell's terminal.
type lineEditor struct {
	e *lineedit.Editor
}

func newLineEditor(rt *Runtime) *lineEditor {
	e := &lineedit.Editor{History: &rt.hist, Paste: true}
	e.Complete = func(text string, at int) lineedit.Completion { return rt.main.completions(text[:at]) }
	return &lineEditor{e}
}

// edits reports whether lines are edited by the shell: where it is wanted and
// both directions are a terminal that can move its cursor.
func (in *input) edits(sh *Shell) bool {
	if !in.tty || in.noEdit || !sh.opts.emacs && !sh.opts.vi {
		return false
	}
	for n := 1; n <= 2; n++ {
		if f := sh.fd(n); f == nil || !f.isTTY() {
			return false
		}
	}
	term, _ := sh.getName("TERM")
	return term != "" && term != "dumb"
}

// rawModes returns the modes of a terminal whose keys the editor gets.
func rawModes(t abi.Termios) abi.Termios {
	t.Iflag &^= abi.ICRNL | abi.INLCR | abi.IGNCR | abi.IXON | abi.ISTRIP
	t.Oflag |= abi.OPOST | abi.ONLCR
	t.Lflag &^= abi.ICANON | abi.ECHO | abi.ECHONL | abi.ISIG | abi.IEXTEN
	t.CC[abi.VMIN], t.CC[abi.VTIME] = 1, 0
	return t
}

func setModes(fd wsys.FD, t *abi.Termios) error {
	var b [abi.TermiosSize]byte
	if err := t.Put(b[:]); err != nil {
		return err
	}
	return wsys.TTYSetattr(fd, abi.TCSADRAIN, b[:])
}

// windowSize sets LINES and COLUMNS, and returns the width.
func (sh *Shell) windowSize(fd wsys.FD) int {
	ws, err := wsys.TTYGetwinsize(fd)
	if err != nil || ws.Cols == 0 || ws.Rows == 0 {
		return 80
	}
	if sh.shopt.checkwinsize {
		sh.setName("LINES", itoa(int64(ws.Rows)))
		sh.setName("COLUMNS", itoa(int64(ws.Cols)))
	}
	return int(ws.Cols)
}

// read edits a line that starts with the text start.
func (l *lineEditor) read(sh *Shell, prompt, start string, deadline int64) (string, ending) {
	rt := sh.rt
	fd := sh.fd(0).k
	var b [abi.TermiosSize]byte
	if err := wsys.TTYGetattr(fd, b[:]); err != nil {
		return "", endEOF
	}
	modes, err := abi.ParseTermios(b[:])
	raw := rawModes(modes)
	if err == nil {
		err = setModes(fd, &raw)
	}
	if err != nil {
		return "", endEOF
	}
	defer setModes(fd, &modes)
	rt.resized = false
	sh.write(2, l.e.Start(prompt, start, sh.windowSize(fd)))
	var one [1]byte
	for {
		n, err := wsys.ReadNonblock(fd, one[:])
		if err == abi.EAGAIN || err == abi.EINTR {
			rt.collect()
			if rt.resized {
				rt.resized = false
				sh.write(2, l.e.Resize(sh.windowSize(fd)))
			}
			if rt.pend {
				if e, ok := sh.promptSignals(); ok {
					return "", e
				}
			}
			if err == abi.EAGAIN {
				w := sched.Wait{FD: fd, Events: abi.PollIn, Deadline: deadline}
				sh.block(&w)
				if w.TimedOut {
					return "", endTimeout
				}
			}
			continue
		}
		if err != nil || n == 0 {
			return "", endEOF
		}
		out, ev := l.e.Type(one[0])
		sh.write(2, out)
		switch ev {
		case lineedit.Accept:
			return l.e.Line(), endLine
		case lineedit.EOF:
			return "", endEOF
		case lineedit.Interrupt:
			return "", sh.typedInterrupt()
		}
	}
}

// typedInterrupt is what SIGINT does at the prompt, where ^C is a key like the
// others.
func (sh *Shell) typedInterrupt() ending {
	var s wsys.SignalSet
	s.Add(abi.SIGINT)
	sh.signal(s)
	sh.deliver()
	if sh.ctl == ctlExit {
		return endExit
	}
	sh.ctl = ctlNone
	sh.status = 128 + int(abi.SIGINT)
	return endInterrupt
}
