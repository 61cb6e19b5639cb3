// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package vfs

import "github.com/wsandbox/wsandbox/engine/abi"

// Stat describes the file that path names; without follow, a link in the last
// component itself. It returns the errors of resolution.
//
// POSIX: fstatat().
func (ns *Namespace) Stat(at At, path string, follow bool) (abi.Stat, error) {
	w := ns.walk(&at, path, following(follow))
	for w.next() {
		st, err := w.target()
		if !w.again(err) {
			return st, err
		}
	}
	return abi.Stat{}, w.err
}

func following(follow bool) lookup {
	if follow {
		return followLast
	}
	return noFollow
}

// Access checks whether at.Cred may access the file that path names in the ways
// mode says, a combination of abi.AccessRead, AccessWrite and AccessExec; 0 asks
// for existence. It returns EACCES, EROFS for writing on a read-only mount,
// EINVAL for other modes, and the errors of resolution.
//
// POSIX: faccessat().
func (ns *Namespace) Access(at At, path string, mode uint32) error {
	if mode&^(abi.AccessRead|abi.AccessWrite|abi.AccessExec) != 0 {
		return abi.EINVAL
	}
	w := ns.walk(&at, path, followLast)
	for w.next() {
		st, err := w.target()
		if err == nil {
			if mode&abi.AccessWrite != 0 && w.loc.m.ro && !special(st.Mode) {
				err = abi.EROFS
			} else if at.Cred != nil && !at.Cred.May(&st, mode) {
				err = abi.EACCES
			}
		}
		if !w.again(err) {
			return err
		}
	}
	return w.err
}

// special reports whether writing to a file of mode m changes no file system.
func special(m abi.Mode) bool {
	switch m & abi.ModeFmt {
	case abi.ModeChar, abi.ModeBlock, abi.ModeFIFO, abi.ModeSocket:
		return true
	}
	return false
}

// Readlink returns what the link path points to. It returns EINVAL where path is
// no link, and the errors of resolution.
//
// POSIX: readlinkat().
func (ns *Namespace) Readlink(at At, path string) (string, error) {
	w := ns.walk(&at, path, noFollow)
	for w.next() {
		st, err := w.target()
		target := ""
		if err == nil {
			if !st.Mode.IsSymlink() {
				return "", abi.EINVAL
			}
			target, err = readlink(w.loc.fs, w.loc.name)
		}
		if !w.again(err) {
			return target, err
		}
	}
	return "", w.err
}

// Realpath returns the absolute path, without links, of the file that path
// names, which must exist. It returns the errors of resolution.
//
// POSIX: realpath().
func (ns *Namespace) Realpath(at At, path string) (string, error) {
	w := ns.walk(&at, path, followLast)
	for w.next() {
		_, err := w.target()
		if w.again(err) {
			continue
		}
		if err != nil {
			return "", err
		}
		return w.loc.abs, nil
	}
	return "", w.err
}

// Statfs describes the file system that holds the file that path names. It
// returns the errors of resolution.
//
// POSIX: fstatvfs().
func (ns *Namespace) Statfs(at At, path string) (abi.Statfs, error) {
	w := ns.walk(&at, path, followLast)
	for w.next() {
		_, err := w.target()
		if w.again(err) {
			continue
		}
		if err != nil {
			return abi.Statfs{}, err
		}
		if s, ok := w.loc.fs.(StatfsFS); ok {
			return s.Statfs()
		}
		return abi.Statfs{Bsize: 4096, Namelen: maxName}, nil
	}
	return abi.Statfs{}, w.err
}
