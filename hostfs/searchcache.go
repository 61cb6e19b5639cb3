// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package hostfs

import (
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/wsandbox/wsandbox/engine/vfs"
)

// searchTTL bounds how long a change of a directory's mode that was made past
// the file system may go unnoticed. Changes made through it are noticed at once.
const searchTTL = 50 * time.Millisecond

// Bounds of a searchCache, which guests fill.
const (
	maxSearched     = 1 << 12 // entries
	maxSearchedName = 512     // bytes of a name
)

// searchCache remembers which directories may be searched, with all above them,
// so that the superuser's host process, which has to look at each one itself,
// does not do so for every file. It decides nothing about where names lead: that
// is resolved anew each time.
type searchCache struct {
	gen atomic.Uint64 // counts the changes made through the file system

	mu  sync.Mutex
	dir map[searchKey]searchEntry
}

type searchKey struct {
	dir      string
	uid, gid uint32
}

type searchEntry struct {
	gen   uint64
	until time.Time
}

// has reports whether dir may be searched by c. Users with more groups are not
// remembered.
func (s *searchCache) has(dir string, c *vfs.Cred) bool {
	if len(c.Groups) > 0 {
		return false
	}
	s.mu.Lock()
	e, ok := s.dir[searchKey{dir, c.UID, c.GID}]
	s.mu.Unlock()
	return ok && e.gen == s.gen.Load() && time.Now().Before(e.until)
}

// add remembers that c may search dir, found out while the count of changes was
// gen.
func (s *searchCache) add(dir string, c *vfs.Cred, gen uint64) {
	if len(c.Groups) > 0 || len(dir) > maxSearchedName {
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.dir == nil || len(s.dir) >= maxSearched {
		s.dir = make(map[searchKey]searchEntry)
	}
	s.dir[searchKey{strings.Clone(dir), c.UID, c.GID}] = searchEntry{gen: gen, until: time.Now().Add(searchTTL)}
}

// changed forgets everything.
func (s *searchCache) changed() { s.gen.Add(1) }
