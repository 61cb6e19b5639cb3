// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package kernel

import (
	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/engine/vfs"
)

// procFile is a file of procfs: a text made when it is opened.
type procFile struct {
	st   abi.Stat
	data []byte
}

func (f *procFile) Stat() (abi.Stat, error)            { return f.st, nil }
func (f *procFile) Close() error                       { return nil }
func (f *procFile) WriteAt([]byte, int64) (int, error) { return 0, abi.EBADF }
func (f *procFile) Append([]byte) (int64, error)       { return 0, abi.EBADF }
func (f *procFile) Truncate(int64) error               { return abi.EINVAL }
func (f *procFile) Sync() error                        { return nil }

func (f *procFile) ReadAt(p []byte, off int64) (int, error) {
	if off < 0 {
		return 0, abi.EINVAL
	}
	if off >= int64(len(f.data)) {
		return 0, nil
	}
	return copy(p, f.data[off:]), nil
}

// procDir is an open directory of procfs. Its cookies are positions in the
// list of names that a directory of that kind can have in ascending order, so
// they stay valid while processes and descriptors come and go.
type procDir struct {
	fs   *procView
	name string
	st   abi.Stat
}

func (d *procDir) Stat() (abi.Stat, error) { return d.st, nil }
func (d *procDir) Close() error            { return nil }

func (d *procDir) ReadDir(dst []vfs.Dirent, cookie uint64, n int, stat bool) ([]vfs.Dirent, error) {
	for _, e := range d.fs.entries(d.name) {
		if n <= 0 {
			break
		}
		if e.cookie <= cookie {
			continue
		}
		name := d.name
		if e.name != "." && e.name != ".." {
			name = procJoin(d.name, e.name)
		}
		st, err := d.fs.Lstat(name)
		if err != nil {
			continue // gone meanwhile
		}
		de := vfs.Dirent{Name: e.name, Cookie: e.cookie, Ino: st.Ino, Mode: st.Mode & abi.ModeFmt}
		if stat {
			de.StatOK, de.Stat = true, st
		}
		dst = append(dst, de)
		n--
	}
	return dst, nil
}

func procJoin(dir, name string) string {
	if dir == "." {
		return name
	}
	return dir + "/" + name
}

// jumpFile is what opening a link of /proc/N/fd gives: an open file
// description of a process. Process.Open makes a description of its own of it.
type jumpFile struct{ f *OpenFile }

func (j *jumpFile) Stat() (abi.Stat, error) { return j.f.file.Stat() }
func (j *jumpFile) Close() error            { return j.f.Close() }

// reopen makes a new description of the same file, with an offset and status
// flags of its own. It takes j over. It returns EACCES where flag asks for an
// access that the description does not have: what was opened for reading never
// becomes writable, whatever the file's permission bits.
func (j *jumpFile) reopen(k *Kernel, flag abi.OpenFlag) (*OpenFile, error) {
	f := j.f
	err := error(nil)
	switch {
	case flag&abi.OPath != 0:
	case f.access&abi.OPath != 0,
		flag.Readable() && !f.readable(),
		flag.Writable() && !f.writable():
		err = abi.EACCES
	case flag&abi.OTrunc != 0 && f.reg != nil:
		if !f.writable() {
			err = abi.EACCES
		} else {
			err = f.reg.Truncate(0)
		}
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	o := newOpenFile(k, f.file, f.path, flag)
	o.base = f
	if o.tty != nil {
		o.tty = f.tty
	}
	return o, nil
}
