// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package vfs

import "github.com/wsandbox/wsandbox/engine/abi"

// ReadOnly returns a view of fsys that cannot change it: every modification, by
// name or through an open file, gives EROFS. Devices and FIFOs can still be
// opened for writing, as writing to them changes no file system.
func ReadOnly(fsys FS) FS {
	switch f := fsys.(type) {
	case readOnlyFS, readOnlyJumpFS:
		return fsys
	case JumpFS:
		return readOnlyJumpFS{readOnlyFS{fsys}, f}
	}
	return readOnlyFS{fsys}
}

type readOnlyFS struct{ fs FS }

type readOnlyJumpFS struct {
	readOnlyFS
	JumpFS
}

func (r readOnlyFS) Open(name string, flag abi.OpenFlag, perm abi.Mode) (File, error) {
	if flag.Writable() || flag&(abi.OCreat|abi.OTrunc) != 0 {
		st, err := r.fs.Lstat(name)
		switch {
		case err != nil:
			if flag&abi.OCreat != 0 && abi.ErrnoOf(err) == abi.ENOENT {
				return nil, r.missing(name)
			}
			return nil, err
		case flag&abi.OCreat != 0 && flag&abi.OExcl != 0:
			return nil, abi.EEXIST
		case st.Mode.IsSymlink():
			return nil, abi.ELOOP
		case st.Mode.IsDir() && (flag.Writable() || flag&abi.OTrunc != 0 || flag&abi.OCreat != 0):
			return nil, abi.EISDIR
		case flag&abi.ODirectory != 0 && !st.Mode.IsDir():
			return nil, abi.ENOTDIR
		case !special(st.Mode) && (flag.Writable() || flag&abi.OTrunc != 0):
			return nil, abi.EROFS
		}
		flag &^= abi.OCreat | abi.OExcl | abi.OTrunc
	}
	f, err := r.fs.Open(name, flag, perm)
	if err != nil {
		return nil, err
	}
	if flag.Writable() {
		// The name may have become a regular file meanwhile.
		if _, ok := f.(RegularFile); ok {
			f.Close()
			return nil, abi.EROFS
		}
	}
	return readOnlyFile(f), nil
}

// missing says why name, which does not exist, cannot be made.
func (r readOnlyFS) missing(name string) error {
	l := location{name: name, abs: "/" + name}
	p := l.parent()
	switch st, err := r.fs.Lstat(p.name); {
	case err != nil:
		return err
	case st.Mode.IsSymlink():
		return abi.ELOOP
	case !st.Mode.IsDir():
		return abi.ENOTDIR
	}
	return abi.EROFS
}

func (r readOnlyFS) Lstat(name string) (abi.Stat, error) { return r.fs.Lstat(name) }

func (r readOnlyFS) Readlink(name string) (string, error) { return readlink(r.fs, name) }

func (r readOnlyFS) Statfs() (abi.Statfs, error) {
	if s, ok := r.fs.(StatfsFS); ok {
		return s.Statfs()
	}
	return abi.Statfs{Bsize: 4096, Namelen: maxName}, nil
}

func (r readOnlyFS) Traverse(name string, c *Cred) error {
	if t, ok := r.fs.(TraverseFS); ok {
		return t.Traverse(name, c)
	}
	return abi.EACCES // the namespace then looks at each directory
}

func (readOnlyFS) Mkdir(string, abi.Mode) error           { return abi.EROFS }
func (readOnlyFS) Mkfifo(string, abi.Mode) error          { return abi.EROFS }
func (readOnlyFS) Unlink(string) error                    { return abi.EROFS }
func (readOnlyFS) Rmdir(string) error                     { return abi.EROFS }
func (readOnlyFS) Rename(string, string) error            { return abi.EROFS }
func (readOnlyFS) Link(string, string) error              { return abi.EROFS }
func (readOnlyFS) Symlink(string, string) error           { return abi.EROFS }
func (readOnlyFS) Chmod(string, abi.Mode) error           { return abi.EROFS }
func (readOnlyFS) Chown(string, uint32, uint32) error     { return abi.EROFS }
func (readOnlyFS) Utimes(string, int64, int64) error      { return abi.EROFS }
func (r readOnlyJumpFS) Lstat(n string) (abi.Stat, error) { return r.readOnlyFS.Lstat(n) }

// readOnlyFile hides what changes f. Streams are passed through where they have
// nothing to change.
func readOnlyFile(f File) File {
	switch f := f.(type) {
	case RegularFile:
		if _, ok := f.(Executable); ok {
			return readOnlyExecutable{readOnlyRegular{File: f, r: f}}
		}
		return readOnlyRegular{File: f, r: f}
	case Directory:
		return readOnlyDir{readOnlyAttr: readOnlyAttr{}, Directory: f}
	case Stream:
		if !changeable(f) {
			return f
		}
		return readOnlyStream{Stream: f}
	}
	if !changeable(f) {
		return f
	}
	return readOnlyLocation{File: f}
}

func changeable(f File) bool {
	switch f.(type) {
	case FileChmod, FileChown, FileUtimes:
		return true
	}
	return false
}

type readOnlyAttr struct{}

func (readOnlyAttr) Chmod(abi.Mode) error       { return abi.EROFS }
func (readOnlyAttr) Chown(uint32, uint32) error { return abi.EROFS }
func (readOnlyAttr) Utimes(int64, int64) error  { return abi.EROFS }

type readOnlyRegular struct {
	readOnlyAttr
	File
	r RegularFile
}

func (f readOnlyRegular) ReadAt(p []byte, off int64) (int, error) { return f.r.ReadAt(p, off) }
func (readOnlyRegular) WriteAt([]byte, int64) (int, error)        { return 0, abi.EROFS }
func (readOnlyRegular) Append([]byte) (int64, error)              { return 0, abi.EROFS }
func (readOnlyRegular) Truncate(int64) error                      { return abi.EROFS }
func (readOnlyRegular) Sync() error                               { return nil }

type readOnlyExecutable struct{ readOnlyRegular }

func (f readOnlyExecutable) Executable() (guest, applet string) {
	return f.r.(Executable).Executable()
}

type readOnlyDir struct {
	readOnlyAttr
	Directory
}

type readOnlyStream struct {
	readOnlyAttr
	Stream
}

type readOnlyLocation struct {
	readOnlyAttr
	File
}
