// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package vfs

import "github.com/wsandbox/wsandbox/engine/abi"

// Mkdir makes a directory with the permission bits perm, already masked. It
// returns EEXIST where path exists in any form, EROFS, EACCES, ENOTSUP, ENOSPC
// and the errors of resolution.
//
// POSIX: mkdirat().
func (ns *Namespace) Mkdir(at At, path string, perm abi.Mode) error {
	return ns.create(&at, path, true, func(w *walk) error {
		l := &w.loc
		if m, ok := l.fs.(MkdirFS); ok {
			return w.own(m.Mkdir(l.name, perm&abi.ModeAll))
		}
		return abi.ENOTSUP
	})
}

// Mkfifo makes a FIFO, likewise.
//
// POSIX: mkfifoat().
func (ns *Namespace) Mkfifo(at At, path string, perm abi.Mode) error {
	return ns.create(&at, path, false, func(w *walk) error {
		l := &w.loc
		if m, ok := l.fs.(MkfifoFS); ok {
			return w.own(m.Mkfifo(l.name, perm&abi.ModeAll))
		}
		return abi.ENOTSUP
	})
}

// Symlink makes a symbolic link that holds target as given. It returns ENOENT
// for an empty target, ENAMETOOLONG for one of 4096 bytes and more, EINVAL for
// one with a NUL byte, EPERM for an absolute one where at confines paths, and
// the errors of Mkdir.
//
// POSIX: symlinkat().
func (ns *Namespace) Symlink(target string, at At, path string) error {
	if err := checkTarget(target); err != nil {
		return err
	}
	if at.Beneath && target[0] == '/' {
		return abi.EPERM // it could only be made, never followed
	}
	return ns.create(&at, path, false, func(w *walk) error {
		l := &w.loc
		if m, ok := l.fs.(SymlinkFS); ok {
			return w.own(m.Symlink(target, l.name))
		}
		return abi.ENOTSUP
	})
}

func checkTarget(target string) error {
	if target == "" {
		return abi.ENOENT
	}
	if len(target) >= maxPath {
		return abi.ENAMETOOLONG
	}
	for i := 0; i < len(target); i++ {
		if target[i] == 0 {
			return abi.EINVAL
		}
	}
	return nil
}

// Link makes to another name of the file from; with follow, of what a link at
// from points to. It returns EXDEV where the two lie in different mounts, EPERM
// for a directory and for a file of someone else that at.Cred may not read and
// write, EMLINK, and the errors of Mkdir.
//
// POSIX: linkat(). Linux: fs.protected_hardlinks.
func (ns *Namespace) Link(at At, from string, at2 At, to string, follow bool) error {
	w := ns.walk(&at, from, following(follow))
	for w.next() {
		st, err := w.target()
		if err == nil {
			src := w.loc
			err = ns.create(&at2, to, false, func(w2 *walk) error {
				l := &w2.loc
				if l.m != src.m || w.jump || st.Mode.IsDir() {
					if err := w2.absent(); err != nil {
						return err
					}
					if l.m != src.m || w.jump {
						return abi.EXDEV
					}
					return abi.EPERM
				}
				if w.checked(src.m) && !mayLink(&st, at.Cred) {
					return abi.EPERM
				}
				if m, ok := l.fs.(LinkFS); ok {
					return m.Link(src.name, l.name)
				}
				return abi.ENOTSUP
			})
		}
		if !w.again(err) {
			return err
		}
	}
	return w.err
}

func mayLink(st *abi.Stat, c *Cred) bool {
	return c.Owns(st) ||
		st.Mode.IsRegular() && st.Mode&abi.ModeSetuid == 0 && c.May(st, abi.AccessRead|abi.AccessWrite)
}

// own gives what was just made at w.loc to who asks, where err is nil.
func (w *walk) own(err error) error {
	if c := w.at.Cred; err == nil && c != nil {
		if o, ok := w.loc.fs.(OwnerFS); ok && o.Owner() != c.UID {
			return o.Own(w.loc.name, c.UID, c.GID)
		}
	}
	return err
}

// create resolves path up to its last name and calls do where that may be
// created. Only a directory's name may end in slashes.
func (ns *Namespace) create(at *At, path string, dir bool, do func(*walk) error) error {
	w := ns.walk(at, path, parentOf)
	for w.next() {
		err := w.mayName(dir)
		if err == nil {
			err = do(&w)
		}
		if !w.again(err) {
			return err
		}
	}
	return w.err
}

// mayName reports what stands against making the name w.loc. As in Linux,
// EEXIST comes before EROFS and EACCES.
func (w *walk) mayName(dir bool) error {
	if w.kind != lastName || w.ns.isImplied(&w.loc) {
		if err := w.prefix(); err != nil {
			return err
		}
		return abi.EEXIST
	}
	checked := w.checked(w.loc.m)
	if w.slash && !dir || w.loc.m.ro || checked {
		switch _, err := w.loc.fs.Lstat(w.loc.name); {
		case err == nil:
			return abi.EEXIST
		case abi.ErrnoOf(err) != abi.ENOENT || w.slash && !dir:
			return err
		}
	}
	return w.mayCreate(checked)
}

// absent makes sure that the name w.loc is free in a directory that exists.
func (w *walk) absent() error {
	_, err := w.loc.fs.Lstat(w.loc.name)
	if err == nil {
		return abi.EEXIST
	}
	if abi.ErrnoOf(err) != abi.ENOENT {
		return err
	}
	_, err = w.parentStat()
	return err
}

// prefix makes sure that what stands before the last name is a directory.
func (w *walk) prefix() error {
	if w.kind != lastName {
		_, err := w.target()
		return err
	}
	if w.ns.isImplied(&w.loc) {
		return nil
	}
	_, err := w.parentStat()
	return err
}

// mayCreate reports what stands against making an entry in the directory of
// w.loc: ENOENT, ENOTDIR, EROFS, EACCES.
func (w *walk) mayCreate(checked bool) error {
	if !checked && !w.loc.m.ro {
		return nil // the file system will say
	}
	st, err := w.parentStat()
	if err != nil {
		return err
	}
	if w.loc.m.ro {
		return abi.EROFS
	}
	if !w.at.Cred.May(&st, abi.AccessWrite|abi.AccessExec) {
		return abi.EACCES
	}
	return nil
}

// parentStat describes the directory of w.loc: ENOTDIR where it is none.
func (w *walk) parentStat() (abi.Stat, error) {
	p := w.loc.parent()
	st, err := w.ns.lstat(&p)
	switch {
	case err != nil:
	case st.Mode.IsSymlink():
		err = abi.ELOOP
	case !st.Mode.IsDir():
		err = abi.ENOTDIR
	}
	return st, err
}
