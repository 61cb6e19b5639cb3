// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package tools

import (
	"errors"
	"io"
	"sync"
	"time"

	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/tools/screen"
)

// maxReplies bounds the answers of a terminal that wait to be read.
const maxReplies = 64 << 10

// session is a command that was started.
type session struct {
	info SessionInfo
	obs  Observer
	size int // of buffers: Options.BufferBytes

	// turn holds a token while a call reads from the session: they queue up
	// in the order of their arrival.
	turn chan struct{}
	// ended is closed when the command has ended and all output is in.
	ended chan struct{}
	exit  Exit // set before ended is closed
	// gone is closed when the session is taken out of the table by another
	// than the call that reports its end.
	gone     chan struct{}
	goneOnce sync.Once

	// Guarded by Manager.mu.
	id       int // 0: not in the table
	lastUsed time.Time

	mu         sync.Mutex
	mask       masker
	pending    headTail // what no call has returned
	fresh      int64    // bytes that no call has returned
	transcript *transcript
	term       *screen.Terminal // of a session with a terminal
	clean      bool             // calls get the terminal's text
	filter     *screen.Filter   // takes queries out of the output, or nil
	winsize    Winsize
	watchers   map[*watcher]struct{}
	over       bool // the observer was told of the end

	in input
}

// Write takes output of the command. It never blocks or fails.
func (s *session) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	out := s.mask.mask(p)
	for n := s.piece(); n > 0 && len(out) > n && !s.over; n = s.piece() {
		s.takeLocked(out[:n])
		out = out[n:]
		s.mu.Unlock() // calls need not wait for all of it
		s.mu.Lock()
	}
	if !s.over {
		s.takeLocked(out)
	}
	return len(p), nil
}

// piece returns how many bytes are taken at once, 0 for any number: a few can
// change every cell of a terminal, which takes long where that is large.
//
// Preconditions: s.mu is held.
func (s *session) piece() int {
	const atOnce, least = 128 << 20, 256 // bytes times cells, bytes
	if s.term == nil {
		return 0
	}
	rows, cols := s.term.Size()
	return max(atOnce/(rows*cols), least)
}

// takeLocked hands on output whose secrets are masked.
//
// Preconditions: s.mu is held.
func (s *session) takeLocked(p []byte) {
	if len(p) == 0 {
		return
	}
	if s.term != nil {
		_, _ = s.term.Write(p) // returns nil
		if r := s.term.Replies(); len(r) > 0 {
			_ = s.in.add(r, maxReplies) // a program that does not read gets no answers
		}
	}
	if s.obs != nil {
		s.obs.Output(s.info.Serial, p)
	}
	if s.filter != nil {
		p = s.filter.Filter(nil, p)
	}
	s.keepLocked(p)
}

// keepLocked keeps output for calls.
//
// Preconditions: s.mu is held.
func (s *session) keepLocked(p []byte) {
	s.fresh += int64(len(p))
	s.pending.write(p)
	s.transcript.write(p)
	for w := range s.watchers {
		w.feed(p)
	}
}

// wait hands on the end of the command.
func (s *session) wait(p Process) {
	<-p.Done()
	s.exit = p.Exit()
	s.in.close()
	s.mu.Lock()
	s.takeLocked(s.mask.flush())
	if s.filter != nil {
		s.keepLocked(s.filter.Flush())
	}
	s.over = true
	if s.obs != nil {
		s.obs.Exited(s.info.Serial, s.exit)
	}
	s.mu.Unlock()
	close(s.ended)
}

func (s *session) hasEnded() bool {
	select {
	case <-s.ended:
		return true
	default:
		return false
	}
}

func (s *session) leave() { s.goneOnce.Do(func() { close(s.gone) }) }

// drained is the output that a call takes: valid UTF-8.
type drained struct {
	head, tail string
	omitted    int64 // bytes between them
	from, to   int64 // in the transcript, where the text is from there
}

// drain takes the output that no call has returned. Unless the command has
// ended, an incomplete character at the end stays.
func (s *session) drain(ended bool) (d drained) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.fresh = 0
	if s.clean {
		s.pending.reset()
		t := s.term.Poll()
		return drained{head: t.Head, tail: t.Tail, omitted: t.Omitted}
	}
	head, tail := s.pending.parts()
	d.omitted = s.pending.omitted
	d.to = s.transcript.total()
	d.from = d.to - s.pending.total()
	s.pending.reset()
	last := &head
	if d.omitted > 0 {
		last = &tail
		// The cuts may have gone through a character each.
		n := incompleteTail(head)
		head = head[:len(head)-n]
		k := 0
		for k < len(tail) && k < 3 && tail[k]&0xc0 == 0x80 {
			k++
		}
		tail = tail[k:]
		d.omitted += int64(n + k)
	}
	if !ended {
		keep := incompleteTail(*last)
		cut := len(*last) - keep
		s.pending.write((*last)[cut:])
		s.fresh = int64(keep)
		*last = (*last)[:cut]
		d.to -= int64(keep)
	}
	d.head, d.tail = decode(head), decode(tail)
	return d
}

// input is the queue of what is to be written to a command. A goroutine runs
// while there is something.
type input struct {
	mu      sync.Mutex
	proc    Process // nil before the start
	queue   []byte
	writing int  // bytes that the goroutine has in hand
	running bool // the goroutine
	eof     bool // close once all is written
	closed  bool // takes no more
	err     error
}

// errInputFull is returned where too much input waits.
var errInputFull = errors.New("too much input waits for the process to read it")

// start tells the queue where to write.
func (in *input) start(p Process) {
	in.mu.Lock()
	in.proc = p
	in.goLocked()
	in.mu.Unlock()
}

// goLocked starts the goroutine where there is something for it to do.
//
// Preconditions: in.mu is held.
func (in *input) goLocked() {
	if in.proc != nil && !in.running && (len(in.queue) > 0 || in.eof) && !in.closed {
		in.running = true
		go in.run()
	}
}

// add appends p, where no more than limit bytes wait then.
func (in *input) add(p []byte, limit int) error {
	in.mu.Lock()
	defer in.mu.Unlock()
	switch {
	case in.closed:
		return nil // as for a terminal that nobody reads from any more
	case in.eof:
		return ErrNoStdin
	case len(p) > limit-len(in.queue)-in.writing:
		return errInputFull
	}
	in.queue = append(in.queue, p...)
	in.goLocked()
	return nil
}

// end closes the input behind what waits.
func (in *input) end() error {
	in.mu.Lock()
	defer in.mu.Unlock()
	if in.eof || in.closed {
		return ErrNoStdin
	}
	in.eof = true
	in.goLocked()
	return nil
}

func (in *input) run() {
	for {
		in.mu.Lock()
		p := in.queue
		in.queue, in.writing = nil, len(p)
		eof := len(p) == 0 && in.eof
		if len(p) == 0 {
			in.running = false
			in.closed = in.closed || eof
		}
		in.mu.Unlock()
		if len(p) == 0 {
			if eof {
				_ = in.proc.CloseStdin() // already closed at worst
			}
			return
		}
		for len(p) > 0 {
			n, err := in.proc.Write(p)
			p = p[min(max(n, 0), len(p)):]
			in.mu.Lock()
			in.writing = len(p)
			if err == nil && n <= 0 {
				err = io.ErrShortWrite
			}
			if err != nil {
				p, in.queue, in.writing, in.closed = nil, nil, 0, true
				if !endOfInput(err) {
					in.err = err
				}
			}
			in.mu.Unlock()
		}
	}
}

// endOfInput reports whether err only says that the command reads no more.
func endOfInput(err error) bool {
	for _, e := range []error{abi.EPIPE, abi.EIO, abi.EBADF, abi.ECONNRESET, io.ErrClosedPipe} {
		if errors.Is(err, e) {
			return true
		}
	}
	return false
}

// close drops what waits: the command has ended.
func (in *input) close() {
	in.mu.Lock()
	in.queue, in.closed = nil, true
	in.mu.Unlock()
}

// unsent returns the number of bytes that wait.
func (in *input) unsent() int64 {
	in.mu.Lock()
	defer in.mu.Unlock()
	return int64(len(in.queue) + in.writing)
}

// failure returns the error that writing ran into.
func (in *input) failure() error {
	in.mu.Lock()
	defer in.mu.Unlock()
	return in.err
}
