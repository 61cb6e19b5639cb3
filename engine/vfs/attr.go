// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package vfs

import "github.com/wsandbox/wsandbox/engine/abi"

// Chmod changes the permission bits of the file that path names. It returns
// EPERM where at.Cred does not own it, ENOTSUP for a link itself, EROFS, and the
// errors of resolution.
//
// POSIX: fchmodat().
func (ns *Namespace) Chmod(at At, path string, perm abi.Mode, follow bool) error {
	return ns.change(&at, path, follow, func(w *walk, st *abi.Stat) error {
		if st.Mode.IsSymlink() {
			return abi.ENOTSUP
		}
		if w.checked(w.loc.m) && !at.Cred.Owns(st) {
			return abi.EPERM
		}
		if c, ok := w.loc.fs.(ChmodFS); ok {
			return c.Chmod(w.loc.name, perm&abi.ModeAll)
		}
		return abi.ENOTSUP
	})
}

// Chown changes the owner and the group; ^uint32(0) keeps one. A user other than
// 0 may only give a file of his own a group of his own. It returns EPERM, EROFS,
// ENOTSUP, and the errors of resolution.
//
// POSIX: fchownat().
func (ns *Namespace) Chown(at At, path string, uid, gid uint32, follow bool) error {
	return ns.change(&at, path, follow, func(w *walk, st *abi.Stat) error {
		if w.checked(w.loc.m) && !at.Cred.MayChown(st, uid, gid) {
			return abi.EPERM
		}
		if c, ok := w.loc.fs.(ChownFS); ok {
			return c.Chown(w.loc.name, uid, gid)
		}
		return abi.ENOTSUP
	})
}

// Utimes changes the times of last access and modification, in nanoseconds or
// abi.UtimeNow or abi.UtimeOmit. Setting both to the present needs write
// permission (EACCES), anything else ownership (EPERM). It returns EROFS,
// ENOTSUP, and the errors of resolution.
//
// POSIX: utimensat().
func (ns *Namespace) Utimes(at At, path string, atim, mtim int64, follow bool) error {
	return ns.change(&at, path, follow, func(w *walk, st *abi.Stat) error {
		if w.checked(w.loc.m) {
			if err := at.Cred.MayUtimes(st, atim, mtim); err != nil {
				return err
			}
		}
		if u, ok := w.loc.fs.(UtimesFS); ok {
			return u.Utimes(w.loc.name, atim, mtim)
		}
		return abi.ENOTSUP
	})
}

// change resolves path for an operation on attributes.
func (ns *Namespace) change(at *At, path string, follow bool, do func(*walk, *abi.Stat) error) error {
	w := ns.walk(at, path, following(follow))
	for w.next() {
		st, err := w.target()
		switch {
		case err != nil:
		case w.loc.m.ro:
			err = abi.EROFS
		case w.jump:
			err = abi.ENOTSUP
		default:
			err = do(&w, &st)
		}
		if !w.again(err) {
			return err
		}
	}
	return w.err
}
