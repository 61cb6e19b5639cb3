// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package vfs

import "github.com/wsandbox/wsandbox/engine/abi"

// Unlink removes the name path of a file that is not a directory. It returns
// EISDIR for a directory, ENOTDIR where slashes follow another name, EBUSY for a
// mount point, EROFS, EACCES, EPERM in a sticky directory, and the errors of
// resolution.
//
// POSIX: unlinkat().
func (ns *Namespace) Unlink(at At, path string) error {
	w := ns.walk(&at, path, parentOf)
	for w.next() {
		err := w.unlink()
		if !w.again(err) {
			return err
		}
	}
	return w.err
}

func (w *walk) unlink() error {
	if w.kind != lastName {
		if err := w.prefix(); err != nil {
			return err
		}
		return abi.EISDIR
	}
	if err := w.mayRemove(); err != nil {
		return err
	}
	if w.slash {
		st, err := w.loc.fs.Lstat(w.loc.name)
		switch {
		case err != nil:
			return err
		case st.Mode.IsDir():
			return abi.EISDIR
		}
		return abi.ENOTDIR
	}
	if r, ok := w.loc.fs.(RemoveFS); ok {
		return r.Unlink(w.loc.name)
	}
	return abi.ENOTSUP
}

// Rmdir removes an empty directory. It returns ENOTDIR for anything else (a link
// included, whatever follows it), ENOTEMPTY, EINVAL where the last component is
// "." or "..", EBUSY for a mount point, and the errors of Unlink.
//
// POSIX: rmdir().
func (ns *Namespace) Rmdir(at At, path string) error {
	w := ns.walk(&at, path, parentOf)
	for w.next() {
		err := w.rmdir()
		if !w.again(err) {
			return err
		}
	}
	return w.err
}

func (w *walk) rmdir() error {
	switch w.kind {
	case lastDot, lastDotDot:
		if err := w.prefix(); err != nil {
			return err
		}
		return abi.EINVAL
	}
	if err := w.mayRemove(); err != nil {
		return err
	}
	if r, ok := w.loc.fs.(RemoveFS); ok {
		return r.Rmdir(w.loc.name)
	}
	return abi.ENOTSUP
}

// mayRemove reports what stands against removing the name w.loc.
func (w *walk) mayRemove() error {
	if w.ns.isImplied(&w.loc) {
		return abi.EBUSY
	}
	checked := w.checked(w.loc.m)
	if !checked && !w.loc.m.ro {
		return nil // the file system will say
	}
	dir, err := w.parentStat()
	if err != nil {
		return err
	}
	if w.loc.m.ro {
		return abi.EROFS
	}
	may := w.at.Cred.May(&dir, abi.AccessWrite|abi.AccessExec)
	if may && dir.Mode&abi.ModeSticky == 0 {
		return nil
	}
	st, err := w.loc.fs.Lstat(w.loc.name)
	switch {
	case err != nil:
		return err
	case !may:
		return abi.EACCES
	case !w.at.Cred.Owns(&st) && !w.at.Cred.Owns(&dir):
		return abi.EPERM
	}
	return nil
}
