// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package vfs

import (
	"strings"

	"github.com/wsandbox/wsandbox/engine/abi"
)

// lookup says what to do with the last component of a path.
type lookup uint8

const (
	followLast lookup = iota // resolve a link
	createLast               // likewise, but stop at a name that slashes follow
	noFollow                 // stop at a link, unless a slash follows it
	parentOf                 // the last name may be anything, and slashes say nothing about it
)

// walk resolves one path for one operation. Its attempts are first the name as
// written, which the file system refuses with ELOOP where a link is involved,
// and then what the component walk finds:
//
//	w := ns.walk(&at, path, how)
//	for w.next() {
//		err := … w.loc …
//		if !w.again(err) {
//			return err
//		}
//	}
//	return w.err
//
// A link swapped in between the walk and the operation makes the file system
// refuse again, which starts a new walk.
type walk struct {
	ns   *Namespace
	at   *At
	path string
	how  lookup

	loc     location
	kind    lastKind
	slash   bool // the last component must be a directory
	stat    abi.Stat
	known   bool // stat describes loc
	jump    bool // loc is a link of a JumpFS, to be opened by it
	attempt int
	err     error
}

const maxAttempts = 8

func (ns *Namespace) walk(at *At, path string, how lookup) walk {
	w := walk{ns: ns, at: at, path: path, how: how, err: checkPath(path)}
	if w.err == nil && !canonical(at.Dir) {
		w.err = abi.ENOENT
	}
	if w.err == nil && at.Beneath && path[0] == '/' {
		w.err = abi.EPERM
	}
	return w
}

// next prepares an attempt and reports false where the walk has failed, with
// the reason in w.err.
func (w *walk) next() bool {
	if w.err != nil {
		return false
	}
	w.attempt++
	if w.attempt > maxAttempts {
		w.err = abi.ELOOP
		return false
	}
	w.known, w.jump = false, false
	if w.attempt == 1 && w.direct() {
		return w.err == nil
	}
	if w.attempt == 1 {
		w.attempt = 2
	}
	start := w.at.Dir
	for {
		if w.err = w.resolve(start); w.err != errRace {
			return w.err == nil
		}
		// A component was swapped for a link, or one of at.Dir has become
		// one since it was opened.
		if w.attempt++; w.attempt > maxAttempts {
			w.err = abi.ELOOP
			return false
		}
		if !w.at.Beneath {
			start = "/"
		}
	}
}

// again reports whether the operation is to be tried again after it returned
// err.
func (w *walk) again(err error) bool {
	return err != nil && abi.ErrnoOf(err) == abi.ELOOP && (w.attempt == 1 || w.how != noFollow)
}

// direct takes the path as written. It reports false where only a component
// walk can tell.
func (w *walk) direct() bool {
	x, ok := lex(w.at.Dir, w.path)
	if !ok {
		return false
	}
	if w.at.Beneath && x.up {
		w.err = abi.EPERM
		return true
	}
	if len(x.abs) > maxAbs {
		w.err = abi.ENAMETOOLONG
		return true
	}
	w.loc, w.kind, w.slash = w.ns.locate(w.at, x.abs), x.kind, x.slash || x.kind != lastName
	if w.loc.name == "." || !w.checked(w.loc.m) || w.ns.isImplied(&w.loc) {
		return true
	}
	t, ok := w.loc.fs.(TraverseFS)
	if !ok {
		return false
	}
	if err := t.Traverse(w.loc.name, w.at.Cred); err != nil {
		switch abi.ErrnoOf(err) {
		case abi.EACCES, abi.ELOOP:
			return false
		}
		w.err = err
	}
	return true
}

// checked reports whether permissions in m are the namespace's business.
func (w *walk) checked(m *mount) bool {
	c := w.at.Cred
	return c != nil && c.UID != 0 && !(m.enforced && c.UID == HostUID)
}

// errRace says that a component that was no link has become one. It never
// leaves the walk.
const errRace = raceError("vfs: a component has become a link")

type raceError string

func (e raceError) Error() string { return string(e) }

// resolve walks the path component by component. It starts at start, which is
// at.Dir or, with the names of at.Dir put in front of the path, the root.
func (w *walk) resolve(start string) error {
	ns := w.ns
	cur, rest := start, w.path
	if w.path[0] == '/' {
		cur = "/"
	} else if start != w.at.Dir {
		rest = w.at.Dir + "/" + w.path
	}
	dir := ns.locate(w.at, cur)
	var dirStat abi.Stat // of dir
	dirKnown := false
	w.kind, w.slash, w.known, w.jump = lastRoot, true, false, false
	links := 0
	for {
		rest = strings.TrimLeft(rest, "/")
		if rest == "" {
			w.loc, w.slash = dir, true
			w.stat, w.known = dirStat, dirKnown
			return nil
		}
		c := rest
		if i := strings.IndexByte(rest, '/'); i >= 0 {
			c, rest = rest[:i], rest[i:]
		} else {
			rest = ""
		}
		if w.checked(dir.m) && !ns.isImplied(&dir) {
			if !dirKnown {
				st, err := dir.fs.Lstat(dir.name)
				if err != nil {
					return raced(err)
				}
				dirStat, dirKnown = st, true
			}
			switch {
			case dirStat.Mode.IsSymlink():
				return errRace
			case !dirStat.Mode.IsDir():
				return abi.ENOTDIR
			}
			if !w.at.Cred.May(&dirStat, abi.AccessExec) {
				return abi.EACCES
			}
		}
		switch c {
		case ".":
			w.kind = lastDot
			continue
		case "..":
			w.kind = lastDotDot
			if w.at.Beneath && dir.abs == w.at.Dir {
				return abi.EPERM
			}
			up, _ := split(dir.abs)
			dir, dirKnown = ns.locate(w.at, up), false
			continue
		}
		w.kind = lastName
		if len(c) > maxName || len(dir.abs)+1+len(c) > maxAbs {
			return abi.ENAMETOOLONG
		}
		next := ns.locate(w.at, join(dir.abs, c))
		last := strings.TrimLeft(rest, "/") == ""
		w.slash = last && rest != ""
		if last && (w.how == parentOf || w.how == createLast && w.slash) {
			w.loc = next
			return nil
		}
		if ns.isImplied(&next) {
			dir, dirKnown = next, false
			if last {
				w.loc, w.known = next, false
				return nil
			}
			continue
		}
		st, err := next.fs.Lstat(next.name)
		if err != nil {
			if last && abi.ErrnoOf(err) == abi.ENOENT {
				// Only the operation knows whether it may be missing.
				w.loc = next
				return nil
			}
			return raced(err)
		}
		switch {
		case st.Mode.IsSymlink():
			if last && w.how == noFollow && !w.slash {
				w.loc, w.stat, w.known = next, st, true
				return nil
			}
			if j, ok := next.fs.(JumpFS); ok && last && !w.slash && j.Jumps(next.name) {
				w.loc, w.stat, w.known, w.jump = next, st, true, true
				return nil
			}
			if links++; links > maxLinks {
				return abi.ELOOP
			}
			target, err := readlink(next.fs, next.name)
			if err != nil {
				if abi.ErrnoOf(err) == abi.EINVAL {
					rest = c + rest // it is a link no more: look again
					continue
				}
				return raced(err)
			}
			if target == "" {
				return abi.ENOENT
			}
			if len(target) >= maxPath {
				return abi.ENAMETOOLONG
			}
			if target[0] == '/' {
				if w.at.Beneath && w.at.Dir != "/" {
					return abi.EPERM
				}
				dir, dirKnown = ns.locate(w.at, "/"), false
			}
			rest = target + rest
		case st.Mode.IsDir():
			dir, dirStat, dirKnown = next, st, true
			if last {
				w.loc, w.stat, w.known = next, st, true
				return nil
			}
		case !last || w.slash:
			return abi.ENOTDIR
		default:
			w.loc, w.stat, w.known = next, st, true
			return nil
		}
	}
}

// raced turns ELOOP for a name whose directories were no links a moment ago
// into errRace.
func raced(err error) error {
	if abi.ErrnoOf(err) == abi.ELOOP {
		return errRace
	}
	return err
}

// lstat describes the location of the walk.
func (w *walk) lstat() (abi.Stat, error) {
	if w.known {
		return w.stat, nil
	}
	return w.ns.lstat(&w.loc)
}

// target describes the location for an operation that follows links: ELOOP
// where a link is left to be followed, ENOTDIR where slashes ask for a
// directory.
func (w *walk) target() (abi.Stat, error) {
	if w.jump {
		f, err := w.loc.fs.(JumpFS).OpenLink(w.loc.name, abi.OPath)
		if err != nil {
			return abi.Stat{}, err
		}
		defer f.Close()
		return f.Stat()
	}
	st, err := w.lstat()
	if err != nil {
		return st, err
	}
	if st.Mode.IsSymlink() {
		if w.how != noFollow || w.slash {
			return st, abi.ELOOP
		}
	} else if w.slash && !st.Mode.IsDir() {
		return st, abi.ENOTDIR
	}
	return st, nil
}

func readlink(fs FS, name string) (string, error) {
	r, ok := fs.(ReadlinkFS)
	if !ok {
		return "", abi.EINVAL
	}
	return r.Readlink(name)
}
