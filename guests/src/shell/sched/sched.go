// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package sched

import (
	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/guests/src/wsys"
)

// Wait says what a thread waits for. Any of the parts ends it.
type Wait struct {
	FD       wsys.FD        // with Events; ignored where Events is 0
	Events   abi.PollEvents // readiness of FD
	Deadline int64          // of wsys.Monotonic; 0: none
	Child    bool           // a child of the process changed state
	Revents  abi.PollEvents // set: what FD was ready for
	TimedOut bool           // set: the deadline has passed
}

// Thread is one concurrent part.
type Thread struct {
	wake    chan struct{}
	wait    *Wait
	blocked bool
}

// Scheduler holds the threads of a process. Its methods are called by the
// running thread only.
type Scheduler struct {
	// Attend is called after each wait of the process, in the thread that made
	// it, to handle signals and ended children. It may call Wake.
	Attend func()

	cur     *Thread
	runq    []*Thread
	blocked []*Thread
	live    int
	turns   int
	fds     []wsys.PollFD
}

// New returns a scheduler whose only thread is the caller.
func New() *Scheduler {
	return &Scheduler{cur: &Thread{wake: make(chan struct{}, 1)}, live: 1}
}

// Current returns the running thread.
func (s *Scheduler) Current() *Thread { return s.cur }

// Solo reports whether the caller is the only thread, so that it may block in
// the kernel.
func (s *Scheduler) Solo() bool { return s.live == 1 }

// Live returns the number of threads.
func (s *Scheduler) Live() int { return s.live }

// Busy reports whether another thread could run.
func (s *Scheduler) Busy() bool { return s.live > 1 }

// Runnable reports whether another thread can run now.
func (s *Scheduler) Runnable() bool { return len(s.runq) > 0 }

// Go starts a thread that runs f when its turn comes.
func (s *Scheduler) Go(f func()) *Thread {
	t := &Thread{wake: make(chan struct{}, 1)}
	s.live++
	s.runq = append(s.runq, t)
	go func() {
		<-t.wake
		f()
		s.end()
	}()
	return t
}

// pollEvery is how many turns pass before descriptors are looked at although
// some thread can run.
const pollEvery = 64

// Yield lets the other runnable threads run first.
func (s *Scheduler) Yield() {
	if s.live == 1 {
		return
	}
	if s.turns++; s.turns >= pollEvery {
		s.turns = 0
		if len(s.blocked) > 0 {
			s.poll(0)
		}
	}
	if len(s.runq) == 0 {
		return
	}
	t := s.cur
	s.runq = append(s.runq, t)
	s.switchTo(t)
}

// Block ends the caller's turn until w is fulfilled or Wake is called for it.
func (s *Scheduler) Block(w *Wait) {
	t := s.cur
	t.wait = w
	t.blocked = true
	s.blocked = append(s.blocked, t)
	for len(s.runq) == 0 {
		s.poll(-1)
	}
	s.switchTo(t)
}

// Park ends the caller's turn until Unpark is called for it. Until then it does
// not count as a thread.
func (s *Scheduler) Park() {
	t := s.cur
	s.live--
	for len(s.runq) == 0 {
		s.poll(-1)
	}
	s.switchTo(t)
}

// Unpark makes a parked thread runnable.
func (s *Scheduler) Unpark(t *Thread) {
	s.live++
	s.runq = append(s.runq, t)
}

// Wake makes a blocked thread runnable.
func (s *Scheduler) Wake(t *Thread) {
	if !t.blocked {
		return
	}
	t.blocked = false
	for i, b := range s.blocked {
		if b == t {
			s.blocked = append(s.blocked[:i], s.blocked[i+1:]...)
			break
		}
	}
	s.runq = append(s.runq, t)
}

// pop takes the next runnable thread.
func (s *Scheduler) pop() *Thread {
	n := s.runq[0]
	copy(s.runq, s.runq[1:])
	s.runq = s.runq[:len(s.runq)-1]
	return n
}

// switchTo runs the next thread and returns when it is self's turn again.
func (s *Scheduler) switchTo(self *Thread) {
	n := s.pop()
	s.cur = n
	if n == self {
		return
	}
	n.wake <- struct{}{}
	<-self.wake
}

// end is the end of the current thread.
func (s *Scheduler) end() {
	s.live--
	for len(s.runq) == 0 {
		s.poll(-1)
	}
	n := s.pop()
	s.cur = n
	n.wake <- struct{}{}
}

// poll waits in the kernel for all blocked threads.
func (s *Scheduler) poll(timeout int64) {
	fds := s.fds[:0]
	child := false
	now := int64(0)
	for _, t := range s.blocked {
		w := t.wait
		if w.Events != 0 {
			fds = append(fds, wsys.PollFD{FD: w.FD, Events: w.Events})
		}
		child = child || w.Child
		if w.Deadline != 0 {
			if now == 0 {
				now = wsys.Monotonic()
			}
			if d := max(w.Deadline-now, 0); timeout < 0 || d < timeout {
				timeout = d
			}
		}
	}
	if child {
		fds = append(fds, wsys.PollFD{FD: abi.PollChild, Events: abi.PollIn})
	}
	s.fds = fds
	_, err := wsys.Poll(fds, timeout)
	if err == nil {
		s.ready(fds)
	}
	if s.Attend != nil {
		s.Attend()
	}
}

// ready wakes the threads whose wait is fulfilled.
func (s *Scheduler) ready(fds []wsys.PollFD) {
	children := false
	if n := len(fds); n > 0 && fds[n-1].FD == abi.PollChild {
		children = fds[n-1].Revents != 0
	}
	now := int64(0)
	i := 0
	var wake []*Thread
	for _, t := range s.blocked {
		w := t.wait
		ok := w.Child && children
		if w.Events != 0 {
			if r := fds[i].Revents; r != 0 {
				w.Revents = r
				ok = true
			}
			i++
		}
		if w.Deadline != 0 {
			if now == 0 {
				now = wsys.Monotonic()
			}
			if now >= w.Deadline {
				w.TimedOut = true
				ok = true
			}
		}
		if ok {
			wake = append(wake, t)
		}
	}
	for _, t := range wake {
		s.Wake(t)
	}
}

// WakeChildren makes the threads runnable that wait for a child, because
// something that counts as a child of the shell has ended.
func (s *Scheduler) WakeChildren() {
	for i := 0; i < len(s.blocked); {
		if t := s.blocked[i]; t.wait.Child {
			s.Wake(t)
		} else {
			i++
		}
	}
}
