// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package kernel

import (
	"time"

	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/engine/kernel/internal/pipe"
)

// PollEntry is an entry of [Process.Poll].
type PollEntry struct {
	// FD is a descriptor; -1 is ignored, and abi.PollChild is ready
	// (PollIn) while a child of the caller or of a shadow of it has a
	// change of state that Wait would report.
	FD int32
	// Events are the events asked for; PollErr and PollHup always are.
	Events abi.PollEvents
	// Revents are those that hold, set by Poll. PollNval is a descriptor
	// that is not open.
	Revents abi.PollEvents
}

// Poll waits until an entry is ready, at most for timeout (negative: for ever),
// and returns how many are: 0 after the time. Files and directories are always
// ready. It returns EINTR on a handled signal, unless an entry is ready.
//
// POSIX: poll().
func (p *Process) Poll(entries []PollEntry, timeout time.Duration) (int, error) {
	if n := p.pollOnce(entries); n > 0 || timeout == 0 {
		return n, p.leaving()
	}
	deadline := p.deadline(timeout)
	var cancels [4]func()
	cancel := cancels[:0]
	var own []pipe.Entry
	for i := range entries {
		e := &entries[i]
		if e.FD < 0 {
			continue // children wake without enlisting
		}
		f, err := p.fds.get(e.FD)
		if err != nil || f.stream == nil {
			continue
		}
		if f.wait == nil {
			cancel = append(cancel, f.stream.Subscribe(e.Events|abi.PollErr|abi.PollHup, p.wake.Wake))
			continue
		}
		if own == nil {
			// Never grown: the queues hold pointers into it.
			own = make([]pipe.Entry, 0, len(entries))
		}
		own = append(own, pipe.Entry{W: p.wake, Mask: e.Events | abi.PollErr | abi.PollHup, Need: pipe.Buf})
		w := &own[len(own)-1]
		f.wait.Enlist(w)
		defer f.wait.Delist(w)
	}
	defer func() {
		for _, c := range cancel {
			c()
		}
	}()
	for {
		if n := p.pollOnce(entries); n > 0 {
			return n, p.leaving()
		}
		switch err := p.sleep(deadline); err {
		case nil:
		case abi.ETIMEDOUT:
			return p.pollOnce(entries), nil
		default:
			return 0, err
		}
	}
}

// pollOnce fills in what holds now and returns how many entries are ready.
func (p *Process) pollOnce(entries []PollEntry) int {
	n := 0
	for i := range entries {
		e := &entries[i]
		e.Revents = p.ready(e)
		if e.Revents != 0 {
			n++
		}
	}
	return n
}

func (p *Process) ready(e *PollEntry) abi.PollEvents {
	switch {
	case e.FD == abi.PollChild:
		if p.childReady() {
			return abi.PollIn
		}
		return 0
	case e.FD < 0:
		return 0
	}
	f, err := p.fds.get(e.FD)
	switch {
	case err != nil || f.access&abi.OPath != 0:
		return abi.PollNval
	case f.stream == nil:
		return e.Events & (abi.PollIn | abi.PollOut)
	}
	return f.stream.Ready(e.Events)
}

// Buffered returns how many bytes can be read from fd without waiting, as far
// as that is known: EBADF.
//
// WASI: event_fd_readwrite nbytes.
func (p *Process) Buffered(fd int32) (int64, error) {
	f, err := p.fds.get(fd)
	if err != nil {
		return 0, err
	}
	if f.reg != nil {
		st, err := f.reg.Stat()
		if err != nil {
			return 0, err
		}
		f.mu.Lock()
		defer f.mu.Unlock()
		return max(st.Size-f.off, 0), nil
	}
	if p := pipeOf(f.file); p != nil {
		return int64(p.Buffered()), nil
	}
	if b, ok := f.file.(interface{ Buffered() int }); ok {
		return int64(b.Buffered()), nil
	}
	return 0, nil
}
