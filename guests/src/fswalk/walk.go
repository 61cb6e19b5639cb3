// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package fswalk

import (
	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/guests/src/wsys"
)

// Follow says which symbolic links are followed.
type Follow uint8

// Ways to follow links: the options -P, -H and -L of many commands.
const (
	FollowNone Follow = iota
	FollowRoots
	FollowAll
)

// Kind says at what an Entry is.
type Kind uint8

// Kinds of entries.
const (
	File       Kind = iota
	Dir             // a directory, before what is in it
	Post            // the same directory, after it
	Cycle           // a directory that contains itself, through a link; not entered
	Unreadable      // the directory of the last Dir cannot be read: Err; a Post follows
	Missing         // a file that cannot be described: Err
)

// An Entry is a file met on the way. It is valid until the next call of
// [Walker.Next].
type Entry struct {
	Kind  Kind
	Depth int      // 0 for a root
	Dir   wsys.FD  // the directory, or AtCwd for a root,
	Name  string   // in which this is the name
	Mode  abi.Mode // at least the type bits; 0 for Missing
	Ino   uint64
	Err   error

	stat     abi.Stat
	hasStat  bool
	followed bool
	w        *Walker
}

// maxOpen is how many directories of the current path are kept open. Those above
// are opened again through "..".
const maxOpen = 64

// closed is the descriptor of a directory that is not open. It must not be AtCwd.
const closed wsys.FD = -3

type frame struct {
	fd       wsys.FD // closed: for the time being
	entries  []wsys.Dirent
	next     int
	cookie   uint64
	done     bool
	prefix   int // length of the path of the directory's parent prefix
	name     string
	mode     abi.Mode
	dev, ino uint64
	hasDev   bool
	stat     abi.Stat
	hasStat  bool
}

// Walker walks one tree after the other.
type Walker struct {
	Follow Follow
	Stat   bool // every entry is asked for its stat when its directory is read
	OneDev bool // directories on other devices are met but not entered

	frames  []frame
	path    []byte // of the current directory, ended by a slash unless empty
	entry   Entry
	root    string
	rootDev uint64
	state   walkState
	enter   bool
	failed  bool // the directory of the entry cannot be opened: its Post is due
}

type walkState uint8

const (
	atEnd walkState = iota
	atRoot
	walking
)

// Start begins at the tree called root. A walk under way is given up.
func (w *Walker) Start(root string) {
	w.Close()
	w.root, w.path, w.state, w.enter, w.failed = root, w.path[:0], atRoot, false, false
}

// Close gives the walk up and closes its directories.
func (w *Walker) Close() {
	for i := range w.frames {
		if w.frames[i].fd >= 0 {
			wsys.Close(w.frames[i].fd)
			w.frames[i].fd = closed
		}
	}
	w.frames = w.frames[:0]
	w.state = atEnd
}

// Skip leaves out what is in the directory just met: no Post follows.
func (w *Walker) Skip() { w.enter = false }

// Next returns the next entry, or nil at the end of the tree.
func (w *Walker) Next() *Entry {
	e := &w.entry
	if w.failed {
		w.failed = false
		e.Kind, e.Err = Post, nil
		return e
	}
	if w.enter {
		w.enter = false
		if err := w.open(); err != nil {
			w.failed = true
			e.Kind, e.Err = Unreadable, err
			return e
		}
	}
	switch w.state {
	case atEnd:
		return nil
	case atRoot:
		w.state = walking
		return w.begin()
	}
	for len(w.frames) > 0 {
		f := &w.frames[len(w.frames)-1]
		if f.next < len(f.entries) {
			d := &f.entries[f.next]
			f.next++
			if d.Name == "." || d.Name == ".." {
				continue
			}
			return w.visit(f, d)
		}
		if !f.done {
			var err error
			f.entries, f.next = f.entries[:0], 0
			f.entries, err = wsys.ReadDir(f.fd, f.entries, f.cookie, w.Stat)
			if err != nil || len(f.entries) == 0 {
				f.done = true
				f.entries = f.entries[:0]
			} else {
				f.cookie = f.entries[len(f.entries)-1].Cookie
			}
			if err != nil {
				return w.unreadable(f, err)
			}
			continue
		}
		return w.pop()
	}
	w.state = atEnd
	return nil
}

// unreadable makes the entry of a directory whose reading failed.
func (w *Walker) unreadable(f *frame, err error) *Entry {
	w.leave(f)
	w.entry.Kind, w.entry.Err = Unreadable, err
	return &w.entry
}

// leave sets the entry to the directory of the topmost frame f.
func (w *Walker) leave(f *frame) {
	e := &w.entry
	*e = Entry{w: w, Kind: Post, Depth: len(w.frames) - 1, Dir: wsys.AtCwd, Name: f.name, Mode: f.mode, Ino: f.ino,
		stat: f.stat, hasStat: f.hasStat, followed: w.follows(len(w.frames) - 1)}
	if len(w.frames) > 1 {
		e.Dir = w.frames[len(w.frames)-2].fd
	}
}

func (w *Walker) follows(depth int) bool {
	return w.Follow == FollowAll || w.Follow == FollowRoots && depth == 0
}

// begin makes the entry of the root.
func (w *Walker) begin() *Entry {
	e := &w.entry
	*e = Entry{w: w, Dir: wsys.AtCwd, Name: w.root}
	st, err := wsys.StatAt(wsys.AtCwd, w.root, w.Follow != FollowNone)
	e.followed = w.Follow != FollowNone
	if err != nil && w.Follow != FollowNone {
		var lerr error
		if st, lerr = wsys.StatAt(wsys.AtCwd, w.root, false); lerr == nil {
			err, e.followed = nil, false
		}
	}
	w.state = walking
	if err != nil {
		e.Kind, e.Err = Missing, err
		return e
	}
	e.stat, e.hasStat, e.Mode, e.Ino = st, true, st.Mode, st.Ino
	w.rootDev = st.Dev
	if st.Mode.IsDir() {
		e.Kind = Dir
		w.enter = true
	}
	return e
}

// visit makes the entry of d in the directory of f.
func (w *Walker) visit(f *frame, d *wsys.Dirent) *Entry {
	e := &w.entry
	*e = Entry{w: w, Depth: len(w.frames), Dir: f.fd, Name: d.Name, Mode: d.Mode, Ino: d.Ino, followed: w.Follow == FollowAll}
	if d.StatOK {
		e.stat, e.hasStat = d.Stat, true
	}
	if w.Follow == FollowAll && (d.Mode.IsSymlink() || d.Mode&abi.ModeFmt == 0) {
		e.hasStat = false
		if st, err := wsys.StatAt(f.fd, d.Name, true); err == nil {
			e.stat, e.hasStat, e.Mode, e.Ino = st, true, st.Mode, st.Ino
		} else if d.StatOK {
			e.hasStat, e.followed = true, false
		} else {
			e.followed = false
		}
	}
	if e.Mode&abi.ModeFmt == 0 || w.Stat && !e.hasStat {
		if _, err := e.Stat(); err != nil {
			e.Kind, e.Err = Missing, err
			return e
		}
	}
	if !e.Mode.IsDir() {
		return e
	}
	e.Kind = Dir
	w.enter = true
	if w.Follow == FollowAll || w.OneDev {
		st, err := e.Stat()
		if err != nil {
			return e
		}
		if w.OneDev && st.Dev != w.rootDev {
			w.enter = false
		}
		if w.Follow == FollowAll {
			for i := range w.frames {
				if g := &w.frames[i]; g.hasDev && g.dev == st.Dev && g.ino == st.Ino {
					e.Kind = Cycle
					w.enter = false
				}
			}
		}
	}
	return e
}

// Entered reports whether the walk will enter the directory just met: it does
// not where OneDev forbids it.
func (e *Entry) Entered() bool { return e.w.enter }

// push makes the frame for the current entry, reusing its memory.
func (w *Walker) push() *frame {
	f := &w.frames[len(w.frames)-1]
	e := &w.entry
	*f = frame{entries: f.entries[:0], name: e.Name, mode: e.Mode, ino: e.Ino, stat: e.stat, hasStat: e.hasStat, prefix: len(w.path)}
	if e.hasStat {
		f.dev, f.ino, f.hasDev = e.stat.Dev, e.stat.Ino, true
	}
	w.path = append(w.path, e.Name...)
	if n := len(w.path); n == 0 || w.path[n-1] != '/' {
		w.path = append(w.path, '/')
	}
	return f
}

// open enters the directory of the current entry.
func (w *Walker) open() error {
	e := &w.entry
	flags := abi.ORdonly | abi.ODirectory | abi.OCloexec
	if !e.followed {
		flags |= abi.ONofollow
	}
	fd, err := wsys.Open(e.Dir, e.Name, flags, 0)
	if err != nil {
		return err
	}
	if len(w.frames) < cap(w.frames) {
		w.frames = w.frames[:len(w.frames)+1]
	} else {
		w.frames = append(w.frames, frame{})
	}
	f := w.push()
	f.fd = fd
	if w.Follow == FollowAll && !f.hasDev {
		if st, err := wsys.Fstat(fd); err == nil {
			f.dev, f.ino, f.hasDev = st.Dev, st.Ino, true
		}
	}
	if i := len(w.frames) - 1 - maxOpen; i >= 0 && w.frames[i].fd >= 0 {
		g := &w.frames[i]
		if !g.hasDev {
			if st, err := wsys.Fstat(g.fd); err == nil {
				g.dev, g.ino, g.hasDev = st.Dev, st.Ino, true
			}
		}
		wsys.Close(g.fd)
		g.fd = closed
	}
	return nil
}

// pop leaves the topmost directory and returns its Post entry.
func (w *Walker) pop() *Entry {
	n := len(w.frames) - 1
	f := &w.frames[n]
	if n > 0 && w.frames[n-1].fd < 0 {
		g := &w.frames[n-1]
		fd, err := closed, error(abi.ENOENT)
		if f.fd >= 0 {
			fd, err = wsys.Open(f.fd, "..", abi.ORdonly|abi.ODirectory|abi.OCloexec, 0)
		}
		if err == nil {
			// A directory that was moved meanwhile has another parent, into which
			// the walk must not stray.
			if st, serr := wsys.Fstat(fd); serr != nil || !g.hasDev || st.Ino != g.ino || st.Dev != g.dev {
				wsys.Close(fd)
				fd = closed
			}
		}
		if fd >= 0 {
			g.fd = fd
		} else {
			g.done, g.entries, g.next = true, g.entries[:0], 0
		}
	}
	w.leave(f)
	if f.fd >= 0 {
		wsys.Close(f.fd)
		f.fd = closed
	}
	w.path = w.path[:f.prefix]
	w.frames = w.frames[:n]
	return &w.entry
}

// Stat describes the file, following a link where the walk does.
func (e *Entry) Stat() (abi.Stat, error) {
	if !e.hasStat {
		st, err := wsys.StatAt(e.Dir, e.Name, e.followed)
		if err != nil && e.followed {
			st, err = wsys.StatAt(e.Dir, e.Name, false)
		}
		if err != nil {
			return st, err
		}
		e.stat, e.hasStat, e.Mode, e.Ino = st, true, st.Mode, st.Ino
	}
	return e.stat, nil
}

// Forget makes the next Stat ask again.
func (e *Entry) Forget() { e.hasStat = false }

// Path returns the path: the root's name, as given, and what is below it.
func (e *Entry) Path() string { return string(e.AppendPath(nil)) }

// AppendPath appends the path.
func (e *Entry) AppendPath(b []byte) []byte {
	n := len(e.w.path)
	if e.Kind == Unreadable && len(e.w.frames) == e.Depth+1 {
		n = e.w.frames[e.Depth].prefix
	}
	b = append(b, e.w.path[:n]...)
	return append(b, e.Name...)
}

// Base returns the last element of the name, without trailing slashes ("/" for
// the root directory): what patterns for names match against.
func (e *Entry) Base() string {
	s := e.Name
	if e.Depth > 0 {
		return s
	}
	for len(s) > 1 && s[len(s)-1] == '/' {
		s = s[:len(s)-1]
	}
	for i := len(s) - 1; i >= 0; i-- {
		if s[i] == '/' && len(s) > 1 {
			return s[i+1:]
		}
	}
	return s
}
