// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package kernel

import (
	"sync"

	"github.com/wsandbox/wsandbox/engine/abi"
)

// Preopen says that a descriptor is a preopen of preview 1.
type Preopen struct {
	// GuestPath is the name that the guest sees.
	GuestPath string
	// Beneath keeps paths relative to the descriptor, and to those opened
	// through it, below it: EPERM.
	Beneath bool
}

// fdEntry is a descriptor. The zero value is a free one.
type fdEntry struct {
	f          *OpenFile
	cloexec    bool
	beneath    bool
	pre        *Preopen
	base       abi.Rights
	inheriting abi.Rights
}

// fdTable is the descriptor table of a process. Only its process changes it;
// others may look (procfs).
type fdTable struct {
	mu sync.Mutex
	e  []fdEntry // guarded by mu
	// low has no free descriptor below it.
	low int // guarded by mu
}

// minTable is the size of a new table, for the usual three descriptors and a
// few more.
const minTable = 8

// init fills an empty table.
func (t *fdTable) init(files []*OpenFile) {
	t.e = make([]fdEntry, max(len(files), minTable))
	for i, f := range files {
		if f != nil {
			t.e[i] = fdEntry{f: f.acquire(), base: abi.RightsAll, inheriting: abi.RightsAll}
		}
	}
}

// get returns the description behind fd: EBADF. It is for the process itself,
// which cannot close fd meanwhile.
func (t *fdTable) get(fd int32) (*OpenFile, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if uint(fd) < uint(len(t.e)) && t.e[fd].f != nil {
		return t.e[fd].f, nil
	}
	return nil, abi.EBADF
}

// inherited returns the set of the descriptors below 64 that a program started
// by exec would have.
func (t *fdTable) inherited() (set uint64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for fd := range t.e[:min(len(t.e), 64)] {
		if t.e[fd].f != nil && !t.e[fd].cloexec {
			set |= 1 << fd
		}
	}
	return set
}

// entry returns the descriptor fd: EBADF.
func (t *fdTable) entry(fd int32) (fdEntry, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if uint(fd) < uint(len(t.e)) && t.e[fd].f != nil {
		return t.e[fd], nil
	}
	return fdEntry{}, abi.EBADF
}

// change calls f on the descriptor fd: EBADF, or f's error.
func (t *fdTable) change(fd int32, f func(*fdEntry) error) error {
	t.mu.Lock()
	defer t.mu.Unlock()
	if uint(fd) < uint(len(t.e)) && t.e[fd].f != nil {
		return f(&t.e[fd])
	}
	return abi.EBADF
}

// reserveLocked makes the table hold fd.
//
// Preconditions: mu is held; 0 <= fd < the process's limit.
func (t *fdTable) reserveLocked(fd int) {
	if fd < len(t.e) {
		return
	}
	e := make([]fdEntry, max(fd+1, 2*len(t.e), minTable))
	copy(e, t.e)
	t.e = e
}

// install puts e at the lowest free descriptor not below lowest: EMFILE where
// that is max or above, EINVAL where lowest is.
func (t *fdTable) install(e fdEntry, lowest, max int) (int32, error) {
	if lowest < 0 || lowest >= max {
		return -1, abi.EINVAL
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	fd := lowest
	if lowest <= t.low {
		fd = t.low
	}
	for fd < len(t.e) && t.e[fd].f != nil {
		fd++
	}
	if fd >= max {
		return -1, abi.EMFILE
	}
	t.reserveLocked(fd)
	t.e[fd] = e
	if lowest <= t.low {
		t.low = fd + 1
	}
	return int32(fd), nil
}

// put places e at fd and returns what was there: EBADF where fd is out of
// bounds.
func (t *fdTable) put(e fdEntry, fd int32, max int) (old *OpenFile, err error) {
	if fd < 0 || int(fd) >= max {
		return nil, abi.EBADF
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	t.reserveLocked(int(fd))
	old = t.e[fd].f
	t.e[fd] = e
	return old, nil
}

// take frees the descriptor fd and returns it: EBADF.
func (t *fdTable) take(fd int32) (fdEntry, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if uint(fd) >= uint(len(t.e)) || t.e[fd].f == nil {
		return fdEntry{}, abi.EBADF
	}
	e := t.e[fd]
	t.e[fd] = fdEntry{}
	t.low = min(t.low, int(fd))
	return e, nil
}

// childTable fills c, which is empty, with what a child or new image of the
// table's process gets. It returns EBADF for a source that is closed and a
// target out of bounds.
//
// Preconditions: called by the process itself.
func (t *fdTable) childTable(c *fdTable, s *abi.SpawnSpec, max int) error {
	// Descriptors of actions refer to the table as it is now, so nothing
	// can be lost on the way.
	top := 0
	if s.Flags&abi.SpawnNoInherit == 0 {
		for i := range t.e {
			if t.e[i].f != nil && !t.e[i].cloexec {
				top = i + 1
			}
		}
	}
	for _, a := range s.Actions {
		if a.FD < 0 || int(a.FD) >= max || a.Src < -1 {
			return abi.EBADF
		}
		if a.Src >= 0 && (int(a.Src) >= len(t.e) || t.e[a.Src].f == nil) {
			return abi.EBADF
		}
		if a.Src >= 0 && int(a.FD) >= top {
			top = int(a.FD) + 1
		}
	}
	e := make([]fdEntry, tableSize(top))
	if s.Flags&abi.SpawnNoInherit == 0 {
		for i := range t.e[:min(top, len(t.e))] {
			if t.e[i].f != nil && !t.e[i].cloexec {
				e[i] = t.e[i]
			}
		}
	}
	for _, a := range s.Actions {
		switch {
		case a.Src >= 0:
			e[a.FD] = t.e[a.Src]
			e[a.FD].cloexec = false
			if a.FD != a.Src {
				e[a.FD].pre = nil
			}
		case int(a.FD) < len(e):
			e[a.FD] = fdEntry{}
		}
	}
	for i := range e {
		if e[i].f != nil {
			e[i].f.acquire()
		}
	}
	c.e = e
	return nil
}

func tableSize(n int) int { return max(n, minTable) }

// replace takes over the descriptors of n and closes the old ones.
func (t *fdTable) replace(n *fdTable) {
	t.mu.Lock()
	old := t.e
	t.e, t.low = n.e, 0
	t.mu.Unlock()
	closeEntries(old)
}

// closeAll closes every descriptor.
func (t *fdTable) closeAll() {
	t.mu.Lock()
	old := t.e
	t.e, t.low = nil, 0
	t.mu.Unlock()
	closeEntries(old)
}

func closeEntries(e []fdEntry) {
	for i := range e {
		if e[i].f != nil {
			e[i].f.Close()
		}
	}
}

// list returns the open descriptors.
func (t *fdTable) list() []int32 {
	t.mu.Lock()
	defer t.mu.Unlock()
	var out []int32
	for i := range t.e {
		if t.e[i].f != nil {
			out = append(out, int32(i))
		}
	}
	return out
}

// borrow returns the description behind fd with a reference of its own, for a
// caller that is not the process: EBADF.
func (t *fdTable) borrow(fd int32) (*OpenFile, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if uint(fd) < uint(len(t.e)) && t.e[fd].f != nil && t.e[fd].f.tryAcquire() {
		return t.e[fd].f, nil
	}
	return nil, abi.EBADF
}
