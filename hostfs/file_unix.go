// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

//go:build linux || darwin

package hostfs

import (
	"sync"

	"golang.org/x/sys/unix"

	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/engine/vfs"
)

// Open implements [vfs.FS].
func (fs *FS) Open(name string, flag abi.OpenFlag, perm abi.Mode) (vfs.File, error) {
	if err := fs.begin(name); err != nil {
		return nil, err
	}
	defer fs.mu.RUnlock()
	for range 4 {
		f, err := fs.open(name, flag, perm&abi.ModePerm)
		if err != errSwapped {
			return f, err
		}
	}
	return nil, abi.ELOOP
}

// errSwapped says that a name changed its kind between two looks.
const errSwapped = swapped("hostfs: file was swapped")

type swapped string

func (e swapped) Error() string { return string(e) }

func (fs *FS) open(name string, flag abi.OpenFlag, perm abi.Mode) (vfs.File, error) {
	write := flag.Writable() || flag&abi.OTrunc != 0
	if flag&(abi.ODirectory|abi.OCreat) == abi.ODirectory && !write {
		// Nothing but a directory is opened by this, so that no look is
		// needed first.
		fd, err := fs.openAt(name, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_NONBLOCK, 0)
		if err == nil {
			return &dirFile{file: file{fs: fs, fd: fd}, root: name == "."}, nil
		}
		if abi.ErrnoOf(err) != abi.ENOTDIR {
			return nil, err
		}
		// A link is to give ELOOP.
	}
	// A look first: opening a device may do something, and opening a FIFO may
	// let somebody else go on.
	var st unix.Stat_t
	if err := fs.lstat(name, &st); err != nil {
		if flag&abi.OCreat == 0 || abi.ErrnoOf(err) != abi.ENOENT {
			return nil, err
		}
		return fs.create(name, flag, perm)
	}
	kind := st.Mode & unix.S_IFMT
	switch {
	case flag&abi.OCreat != 0 && flag&abi.OExcl != 0:
		return nil, abi.EEXIST
	case kind == unix.S_IFLNK:
		return nil, abi.ELOOP
	case kind == unix.S_IFDIR && (write || flag&abi.OCreat != 0):
		return nil, abi.EISDIR
	case kind == unix.S_IFDIR:
		fd, err := fs.openAt(name, unix.O_RDONLY|unix.O_DIRECTORY|unix.O_NONBLOCK, 0)
		if err != nil {
			return nil, swappedOr(err)
		}
		return &dirFile{file: file{fs: fs, fd: fd}, root: name == "."}, nil
	case flag&abi.ODirectory != 0:
		return nil, abi.ENOTDIR
	case kind == unix.S_IFIFO && fs.fifos.has(fifoOf(&st)):
		return &fifo{st: fs.stat(&st)}, nil
	case kind != unix.S_IFREG:
		return nil, abi.ENXIO
	case write && fs.opt.ReadOnly:
		return nil, abi.EROFS
	}
	fd, err := fs.openAt(name, openFlags(flag), 0)
	if err != nil {
		return nil, swappedOr(err)
	}
	return fs.regular(fd)
}

// create makes a regular file, which must not exist.
func (fs *FS) create(name string, flag abi.OpenFlag, perm abi.Mode) (vfs.File, error) {
	if flag&abi.ODirectory != 0 {
		return nil, abi.EINVAL
	}
	if fs.opt.ReadOnly {
		dir, _ := splitName(name)
		var st unix.Stat_t
		switch err := fs.lstat(dir, &st); {
		case err != nil:
			return nil, err
		case st.Mode&unix.S_IFMT != unix.S_IFDIR:
			return nil, abi.ENOTDIR
		}
		return nil, abi.EROFS
	}
	fd, err := fs.openAt(name, openFlags(flag)|unix.O_CREAT|unix.O_EXCL, uint32(perm))
	if err != nil {
		if abi.ErrnoOf(err) == abi.EEXIST && flag&abi.OExcl == 0 {
			return nil, errSwapped
		}
		return nil, err
	}
	var st unix.Stat_t
	if err := unix.Fstat(fd, &st); err != nil {
		unix.Close(fd)
		return nil, errnoOf(err)
	}
	if abi.Mode(st.Mode)&abi.ModePerm != perm { // the umask of the host process
		if err := unix.Fchmod(fd, uint32(perm)); err != nil {
			unix.Close(fd)
			return nil, errnoOf(err)
		}
	}
	return &regular{file{fs: fs, fd: fd}}, nil
}

// regular makes sure that what has been opened is a regular file.
func (fs *FS) regular(fd int) (vfs.File, error) {
	var st unix.Stat_t
	err := unix.Fstat(fd, &st)
	if err == nil && st.Mode&unix.S_IFMT == unix.S_IFREG {
		return &regular{file{fs: fs, fd: fd}}, nil
	}
	unix.Close(fd)
	if err != nil {
		return nil, errnoOf(err)
	}
	return nil, errSwapped
}

// swappedOr returns errSwapped where err can only mean that the file is no
// longer of the kind it was.
func swappedOr(err error) error {
	switch abi.ErrnoOf(err) {
	case abi.ENOTDIR, abi.EISDIR, abi.ENXIO:
		return errSwapped
	}
	return err
}

func openFlags(flag abi.OpenFlag) int {
	f := unix.O_NONBLOCK | unix.O_NOCTTY
	switch flag & abi.OAccmode {
	case abi.ORdonly:
		f |= unix.O_RDONLY
	case abi.OWronly:
		f |= unix.O_WRONLY
	default:
		f |= unix.O_RDWR
	}
	if flag&abi.OTrunc != 0 {
		f |= unix.O_TRUNC
	}
	if flag&abi.OSync != 0 {
		f |= unix.O_SYNC
	}
	return f
}

// fifo is a FIFO of the sandbox: the kernel attaches a pipe.
type fifo struct{ st abi.Stat }

func (f *fifo) Stat() (abi.Stat, error) { return f.st, nil }
func (f *fifo) Close() error            { return nil }

// file is what every open file has.
type file struct {
	fs *FS
	// mu keeps Close from releasing fd, whose number may be used again,
	// under an operation. Operations that need the descriptor's position or
	// flags take it for writing.
	mu sync.RWMutex
	fd int // -1 once closed
}

// begin starts an operation; the caller calls mu.RUnlock if it returned nil.
func (f *file) begin() error {
	f.mu.RLock()
	if f.fd < 0 {
		f.mu.RUnlock()
		return abi.EBADF
	}
	return nil
}

// Stat implements [vfs.File].
func (f *file) Stat() (abi.Stat, error) {
	if err := f.begin(); err != nil {
		return abi.Stat{}, err
	}
	defer f.mu.RUnlock()
	var st unix.Stat_t
	if err := unix.Fstat(f.fd, &st); err != nil {
		return abi.Stat{}, errnoOf(err)
	}
	return f.fs.stat(&st), nil
}

// Close implements [vfs.File].
func (f *file) Close() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.fd < 0 {
		return abi.EBADF
	}
	err := unix.Close(f.fd)
	f.fd = -1
	if err == unix.EINTR {
		err = nil // the descriptor is gone all the same
	}
	return errnoOf(err)
}

// Chmod implements [vfs.FileChmod].
func (f *file) Chmod(perm abi.Mode) error {
	defer f.fs.searched.changed()
	if f.fs.opt.ReadOnly {
		return abi.EROFS
	}
	if err := f.begin(); err != nil {
		return err
	}
	defer f.mu.RUnlock()
	var st unix.Stat_t
	if err := unix.Fstat(f.fd, &st); err != nil {
		return errnoOf(err)
	}
	return errnoOf(unix.Fchmod(f.fd, settable(&st, perm)))
}

// Chown implements [vfs.FileChown], as [FS.Chown] does.
func (f *file) Chown(uid, gid uint32) error {
	if f.fs.opt.ReadOnly {
		return abi.EROFS
	}
	st, err := f.Stat()
	if err != nil {
		return err
	}
	return mayChown(&st, uid, gid)
}

// Utimes implements [vfs.FileUtimes].
func (f *file) Utimes(atim, mtim int64) error {
	if f.fs.opt.ReadOnly {
		return abi.EROFS
	}
	if err := f.begin(); err != nil {
		return err
	}
	defer f.mu.RUnlock()
	return errnoOf(futimens(f.fd, timespecs(atim, mtim)))
}

// regular is an open regular file.
type regular struct{ file }

var (
	_ vfs.RegularFile = (*regular)(nil)
	_ vfs.FileChmod   = (*regular)(nil)
	_ vfs.FileChown   = (*regular)(nil)
	_ vfs.FileUtimes  = (*regular)(nil)
)

// maxIO bounds one read or write, as Linux does.
const maxIO = 0x7ffff000

// ReadAt implements [vfs.RegularFile].
func (f *regular) ReadAt(p []byte, off int64) (int, error) {
	if off < 0 {
		return 0, abi.EINVAL
	}
	if err := f.begin(); err != nil {
		return 0, err
	}
	defer f.mu.RUnlock()
	done := 0
	for done < len(p) {
		n, err := unix.Pread(f.fd, p[done:min(len(p), done+maxIO)], off+int64(done))
		if err == unix.EINTR {
			continue
		}
		if err != nil {
			if done > 0 {
				return done, nil
			}
			return 0, errnoOf(err)
		}
		if n == 0 {
			break
		}
		done += n
	}
	return done, nil
}

// WriteAt implements [vfs.RegularFile]. Where an error ends it early it returns
// how many bytes were written before.
func (f *regular) WriteAt(p []byte, off int64) (int, error) {
	if off < 0 {
		return 0, abi.EINVAL
	}
	if err := f.begin(); err != nil {
		return 0, err
	}
	defer f.mu.RUnlock()
	return writeAll(p, func(b []byte, done int64) (int, error) { return unix.Pwrite(f.fd, b, off+done) })
}

func writeAll(p []byte, write func(b []byte, done int64) (int, error)) (int, error) {
	done := 0
	for done < len(p) {
		n, err := write(p[done:min(len(p), done+maxIO)], int64(done))
		switch {
		case err == unix.EINTR:
		case err != nil:
			return done, errnoOf(err)
		case n <= 0:
			return done, abi.EIO
		default:
			done += n
		}
	}
	return done, nil
}

// Append implements [vfs.RegularFile]. The operating system finds the end, so
// that appending is atomic towards everyone; the descriptor's position, which
// nothing else uses, tells where it ended.
func (f *regular) Append(p []byte) (int64, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.fd < 0 {
		return 0, abi.EBADF
	}
	if _, err := appendAll(f.fd, p); err != nil {
		return 0, err
	}
	end, err := unix.Seek(f.fd, 0, unix.SEEK_CUR)
	return end, errnoOf(err)
}

// appendSlow appends by setting O_APPEND for as long as it takes. The caller has
// the descriptor for itself.
func appendSlow(fd int, p []byte) (int, error) {
	flags, err := unix.FcntlInt(uintptr(fd), unix.F_GETFL, 0)
	if err == nil {
		_, err = unix.FcntlInt(uintptr(fd), unix.F_SETFL, flags|unix.O_APPEND)
	}
	if err != nil {
		return 0, errnoOf(err)
	}
	n, err := writeAll(p, func(b []byte, _ int64) (int, error) { return unix.Write(fd, b) })
	// Later writes at offsets would append, so that failing to clear the
	// flag may not go unnoticed.
	if _, ferr := unix.FcntlInt(uintptr(fd), unix.F_SETFL, flags); ferr != nil && err == nil {
		err = errnoOf(ferr)
	}
	return n, err
}

// Truncate implements [vfs.RegularFile].
func (f *regular) Truncate(size int64) error {
	if size < 0 {
		return abi.EINVAL
	}
	if err := f.begin(); err != nil {
		return err
	}
	defer f.mu.RUnlock()
	_, err := retry(func() (int, error) { return 0, unix.Ftruncate(f.fd, size) })
	return errnoOf(err)
}

// Sync implements [vfs.RegularFile].
func (f *regular) Sync() error {
	if err := f.begin(); err != nil {
		return err
	}
	defer f.mu.RUnlock()
	_, err := retry(func() (int, error) { return 0, unix.Fsync(f.fd) })
	return errnoOf(err)
}
