// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package vfs

import "github.com/wsandbox/wsandbox/engine/abi"

// Rename gives the file from the name to, replacing what has it. It returns
// EXDEV where the two lie in different mounts, EINVAL where a last component is
// "." or "..", or to lies below from, EBUSY for a mount point, EISDIR, ENOTDIR
// and ENOTEMPTY where the kinds do not fit, and the errors of Unlink.
//
// POSIX: renameat().
func (ns *Namespace) Rename(at At, from string, at2 At, to string) error {
	src, dst := ns.walk(&at, from, parentOf), ns.walk(&at2, to, parentOf)
	for src.next() {
		var err error
		if dst.next() {
			err = rename(&src, &dst)
		} else if err = src.prefix(); err == nil {
			err = dst.err
		}
		if !src.again(err) {
			return err
		}
	}
	return src.err
}

func rename(src, dst *walk) error {
	names := src.kind == lastName && dst.kind == lastName
	checked := dst.checked(dst.loc.m)
	if !names || src.slash || dst.slash || checked || src.loc.m != dst.loc.m {
		// What is wrong with the directories comes first. Where nothing
		// else is to be looked at here, the file system says so.
		for _, w := range [...]*walk{src, dst} {
			if err := w.prefix(); err != nil {
				return err
			}
		}
	}
	switch {
	case src.kind == lastRoot || dst.kind == lastRoot:
		return abi.EBUSY
	case !names:
		return abi.EINVAL
	}
	if src.ns.isImplied(&src.loc) || dst.ns.isImplied(&dst.loc) {
		return abi.EBUSY
	}
	if src.loc.m != dst.loc.m {
		// What is missing is told first, so that callers that copy upon
		// EXDEV need not find out.
		if _, err := src.loc.fs.Lstat(src.loc.name); err != nil {
			return err
		}
		return abi.EXDEV
	}
	if err := src.mayRemove(); err != nil {
		return err
	}
	if src.slash || dst.slash || checked {
		st, err := src.loc.fs.Lstat(src.loc.name)
		if err != nil {
			return err
		}
		if (src.slash || dst.slash) && !st.Mode.IsDir() {
			return abi.ENOTDIR
		}
		if checked && st.Mode.IsDir() && !dst.at.Cred.May(&st, abi.AccessWrite) {
			p, q := src.loc.parent(), dst.loc.parent()
			if p.abs != q.abs {
				return abi.EACCES // its ".." is to change
			}
		}
	}
	if checked {
		err := dst.mayRemove()
		if err != nil && abi.ErrnoOf(err) == abi.ENOENT {
			err = dst.mayCreate(checked)
		}
		if err != nil {
			return err
		}
	}
	if r, ok := src.loc.fs.(RenameFS); ok {
		return r.Rename(src.loc.name, dst.loc.name)
	}
	return abi.ENOTSUP
}
