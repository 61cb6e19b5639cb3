// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package vfs

import "github.com/wsandbox/wsandbox/engine/abi"

// Open opens the file that path names and returns it with its canonical path.
// With OPath the result serves only Stat, and Chmod and the like through the
// namespace; then the last component may be a link where flag has ONofollow.
// OAppend, ONonblock and OCloexec are the caller's business.
//
// It returns EINVAL for flags that exclude each other, EISDIR for a directory
// opened for writing, truncation or with OCreat, ENOTDIR where ODirectory or
// trailing slashes meet something else, ELOOP for a link with ONofollow, EEXIST
// with OCreat and OExcl, EROFS, EACCES, ENXIO for a special file that cannot be
// opened, and the errors of resolution.
//
// POSIX: open().
func (ns *Namespace) Open(at At, path string, flag abi.OpenFlag, perm abi.Mode) (File, string, error) {
	if flag&^abi.OpenFlagAll != 0 || flag&abi.OAccmode == abi.OAccmode {
		return nil, "", abi.EINVAL
	}
	if flag&abi.OPath != 0 {
		flag &= abi.OPath | abi.ODirectory | abi.ONofollow
	}
	if flag&abi.OCreat == 0 {
		flag &^= abi.OExcl
	} else if flag&abi.ODirectory != 0 {
		return nil, "", abi.EINVAL
	}
	flag &^= abi.OAppend | abi.ONonblock | abi.OCloexec
	how := followLast
	switch {
	case flag&abi.OCreat != 0 && flag&(abi.ONofollow|abi.OExcl) != 0:
		how = parentOf
	case flag&abi.OCreat != 0:
		how = createLast
	case flag&abi.ONofollow != 0:
		how = noFollow
	}
	w := ns.walk(&at, path, how)
	for w.next() {
		f, err := w.open(flag, perm&abi.ModeAll)
		if w.again(err) {
			continue
		}
		if flag&abi.ODirectory != 0 && err != nil && abi.ErrnoOf(err) == abi.ELOOP {
			err = abi.ENOTDIR // as in Linux; only a link with ONofollow comes here
		}
		return f, w.loc.abs, err
	}
	return nil, "", w.err
}

func (w *walk) open(flag abi.OpenFlag, perm abi.Mode) (File, error) {
	l := &w.loc
	if w.jump {
		if flag&abi.ODirectory != 0 && flag&abi.OPath == 0 {
			st, err := w.target()
			if err != nil {
				return nil, err
			}
			if !st.Mode.IsDir() {
				return nil, abi.ENOTDIR
			}
		}
		return l.fs.(JumpFS).OpenLink(l.name, flag)
	}
	if flag&abi.OCreat != 0 && w.slash {
		if err := w.prefix(); err != nil {
			return nil, err
		}
		if flag&abi.OExcl != 0 && w.kind != lastName {
			return nil, abi.EEXIST
		}
		return nil, abi.EISDIR
	}
	if flag&abi.OPath != 0 {
		st, err := w.target()
		if err != nil {
			return nil, err
		}
		if flag&abi.ODirectory != 0 && !st.Mode.IsDir() {
			return nil, abi.ENOTDIR
		}
		return &pathFile{loc: *l, ns: w.ns}, nil
	}
	checked := w.checked(l.m)
	if w.ns.isImplied(l) {
		switch {
		case flag&abi.OExcl != 0:
			return nil, abi.EEXIST
		case flag.Writable() || flag&(abi.OCreat|abi.OTrunc) != 0:
			return nil, abi.EISDIR
		}
		return w.openImplied(checked)
	}
	if w.slash {
		flag |= abi.ODirectory
	}
	if !checked && !l.m.ro {
		return l.fs.Open(l.name, flag, perm)
	}
	if flag&abi.OExcl != 0 {
		if _, err := w.lstat(); err == nil {
			return nil, abi.EEXIST
		}
	} else {
		f, err := w.openExisting(flag&^abi.OCreat, checked)
		if flag&abi.OCreat == 0 || err == nil || abi.ErrnoOf(err) != abi.ENOENT {
			return f, err
		}
	}
	if err := w.mayCreate(checked); err != nil {
		return nil, err
	}
	f, err := l.fs.Open(l.name, flag|abi.OExcl, perm)
	if err != nil && abi.ErrnoOf(err) == abi.EEXIST && flag&abi.OExcl == 0 {
		return w.openExisting(flag&^abi.OCreat, checked) // made by someone else meanwhile
	}
	if err == nil {
		err = w.own(nil)
		if err != nil {
			_ = f.Close() // the error that counts is the first one
			return nil, err
		}
	}
	return f, err
}

// openExisting opens without creating. It asks the open file for its mode, so
// that what is checked is what is opened.
func (w *walk) openExisting(flag abi.OpenFlag, checked bool) (File, error) {
	l := &w.loc
	if !checked {
		return l.fs.Open(l.name, flag, 0)
	}
	f, err := l.fs.Open(l.name, flag&^abi.OTrunc, 0)
	if err != nil {
		return nil, err
	}
	if err = w.mayOpen(f, flag); err != nil {
		f.Close()
		return nil, err
	}
	if flag&abi.OTrunc != 0 && !flag.Writable() {
		f.Close()
		return l.fs.Open(l.name, flag, 0)
	}
	return f, nil
}

func (w *walk) mayOpen(f File, flag abi.OpenFlag) error {
	st, err := f.Stat()
	if err != nil {
		return err
	}
	var want uint32
	if flag.Readable() {
		want |= abi.AccessRead
	}
	if flag.Writable() || flag&abi.OTrunc != 0 {
		want |= abi.AccessWrite
	}
	if !w.at.Cred.May(&st, want) {
		return abi.EACCES
	}
	if flag&abi.OTrunc == 0 {
		return nil
	}
	if st.Mode.IsDir() {
		return abi.EISDIR
	}
	if w.loc.m.ro && st.Mode.IsRegular() {
		return abi.EROFS
	}
	if r, ok := f.(RegularFile); ok && flag.Writable() {
		return r.Truncate(0)
	}
	return nil
}

// openImplied opens a mount point or a directory above one.
func (w *walk) openImplied(checked bool) (File, error) {
	l := &w.loc
	f, err := l.fs.Open(l.name, abi.ODirectory, 0)
	if err == nil && checked {
		if err := w.mayOpen(f, abi.ORdonly); err != nil {
			f.Close()
			return nil, err
		}
	}
	d, ok := f.(Directory)
	if err != nil || !ok {
		switch abi.ErrnoOf(err) {
		case abi.ENOENT, abi.ENOTDIR, abi.ELOOP, abi.Success:
		default:
			return nil, err
		}
		if f != nil {
			f.Close()
		}
		d = nil
	}
	names := w.ns.implied[l.abs]
	if len(names) == 0 && d != nil {
		return d, nil
	}
	return &mountDir{ns: w.ns, at: *w.at, abs: l.abs, names: names, dir: d}, nil
}

// pathFile is what OPath opens: a name.
type pathFile struct {
	ns  *Namespace
	loc location
}

func (f *pathFile) Stat() (abi.Stat, error) { return f.ns.lstat(&f.loc) }
func (f *pathFile) Close() error            { return nil }
