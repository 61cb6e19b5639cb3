// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package interp

import (
	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/guests/src/wsys"
)

// readModes are the modes of a terminal from before a read builtin changed them.
type readModes struct {
	sh    *Shell
	fd    wsys.FD
	modes abi.Termios
}

// deadlySet holds the signals that end a shell in the midst of a read; they are
// handled meanwhile so that the terminal gets its modes back first.
const deadlySet = wsys.SignalSet(1<<abi.SIGHUP | 1<<abi.SIGINT | 1<<abi.SIGQUIT | 1<<abi.SIGALRM | 1<<abi.SIGTERM | 1<<abi.SIGUSR1 | 1<<abi.SIGUSR2)

// setReadModes changes the terminal f for a read: silent turns the echo off,
// keys passes each key on at once. It returns what takes that back, nil where
// there is no such terminal or nothing to change, and EINTR where the read must
// end.
func (sh *Shell) setReadModes(f *file, silent, keys bool) (*readModes, error) {
	if !silent && !keys || !f.isTTY() {
		return nil, nil
	}
	rt := sh.rt
	if sh.pgrp != 0 && !sh.mayRead(f) {
		return nil, abi.EINTR
	}
	t, err := wsys.Tcgetattr(f.k)
	if err != nil {
		return nil, nil
	}
	m := &readModes{sh: sh, fd: f.k, modes: t}
	if silent {
		t.Lflag &^= abi.ECHO | abi.ECHOE | abi.ECHOK | abi.ECHONL
	}
	if keys {
		t.Lflag &^= abi.ICANON
		t.Lflag |= abi.ISIG
		t.Iflag |= abi.ICRNL
		t.CC[abi.VMIN], t.CC[abi.VTIME] = 1, 0
	}
	if t == m.modes {
		return nil, nil
	}
	if len(rt.reads) == 0 {
		rt.guarded = deadlySet &^ (rt.wanted | rt.main.traps.ign)
		rt.eachSignal(rt.guarded, abi.SigHandle)
		rt.wanted |= rt.guarded
	}
	rt.reads = append(rt.reads, m)
	for {
		if sh.pgrp != 0 {
			rt.ttyUnstopped(func() { err = wsys.Tcsetattr(m.fd, abi.TCSADRAIN, &t) })
		} else {
			err = wsys.Tcsetattr(m.fd, abi.TCSADRAIN, &t) // from the background: stopped until it is not
		}
		if err != abi.EINTR {
			break
		}
		rt.collect()
		if sh.doomed() || sh.trapPending() {
			m.undo()
			return nil, abi.EINTR
		}
	}
	if err != nil {
		m.undo()
		return nil, nil
	}
	return m, nil
}

// undo gives the terminal its modes back.
func (m *readModes) undo() {
	if m == nil {
		return
	}
	rt := m.sh.rt
	m.restore()
	for i, x := range rt.reads {
		if x == m {
			rt.reads = append(rt.reads[:i:i], rt.reads[i+1:]...)
			break
		}
	}
	if len(rt.reads) > 0 || rt.guarded == 0 {
		return
	}
	for s := abi.Signal(1); s < abi.NSIG; s++ {
		if rt.main.traps.sig[s] != "" || rt.main.traps.ign.Has(s) {
			rt.guarded.Del(s) // a trap set since keeps its handler
		}
	}
	rt.eachSignal(rt.guarded, abi.SigDefault)
	rt.collect() // what came before that
	rt.wanted &^= rt.guarded
	rt.guarded = 0
}

// restore sets the modes, except from the background, where the terminal has
// the modes of others.
func (m *readModes) restore() {
	pgrp := m.sh.pgrp
	if pgrp == 0 {
		if i, err := wsys.Info(0); err == nil {
			pgrp = i.Pgid
		}
	}
	tty := m.sh.rt.tty // where the shell controls jobs, m.fd is hardly another
	if tty < 0 {
		tty = m.fd
	}
	if fg, err := wsys.Tcgetpgrp(tty); err == nil && fg != pgrp {
		return
	}
	m.sh.rt.ttyUnstopped(func() { wsys.Tcsetattr(m.fd, abi.TCSADRAIN, &m.modes) })
}

// restoreModes gives all terminals their modes back, before the process ends.
func (rt *Runtime) restoreModes() {
	for _, m := range rt.reads {
		m.restore()
	}
	rt.reads = nil
}

func (rt *Runtime) eachSignal(set wsys.SignalSet, a abi.SigAction) {
	for s := abi.Signal(1); s < abi.NSIG; s++ {
		if set.Has(s) {
			wsys.SigAction(s, a)
		}
	}
}

// ttyUnstopped runs f, which changes a terminal, without being stopped for it.
func (rt *Runtime) ttyUnstopped(f func()) {
	wsys.SigAction(abi.SIGTTOU, abi.SigIgnore)
	f()
	a := abi.SigDefault
	switch {
	case rt.wanted.Has(abi.SIGTTOU):
		a = abi.SigHandle
	case rt.main.traps.ign.Has(abi.SIGTTOU):
		a = abi.SigIgnore
	}
	wsys.SigAction(abi.SIGTTOU, a)
}
