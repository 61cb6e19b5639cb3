// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package kernel

import (
	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/engine/vfs"
)

// The path functions take a directory descriptor or abi.AtCwd. All of them
// return EBADF and ENOTDIR for a descriptor that is no directory, ENOENT for an
// empty path, ENAMETOOLONG, EINVAL for a NUL in a path, and the errors of
// resolving one: ENOENT, ENOTDIR, ELOOP, EACCES, and EPERM for a path that
// leaves a preopen. What each returns besides is said by the method of the same
// name of vfs.Namespace.
//
// A directory descriptor stands for the path that it was opened by: where the
// directory is renamed, the descriptor does not follow it.

// at returns where a path starts.
func (p *Process) at(dirfd int32, path string) (vfs.At, error) {
	at := vfs.At{Dir: p.cwd, Cred: p.cred, Caller: p}
	if err := p.k.checkPath(path); err != nil {
		return at, err
	}
	if dirfd == abi.AtCwd {
		return at, nil
	}
	e, err := p.fds.entry(dirfd)
	if err != nil {
		return at, err
	}
	if e.f.dir == nil && e.f.access&abi.OPath == 0 {
		return at, abi.ENOTDIR
	}
	at.Dir, at.Beneath = e.f.path, e.beneath
	return at, nil
}

// directory returns the canonical path of a directory that may be searched:
// ENOTDIR, EACCES.
func (p *Process) directory(at vfs.At, path string) (string, error) {
	if err := p.k.checkPath(path); err != nil {
		return "", err
	}
	abs, err := p.k.ns.Realpath(at, path)
	if err != nil {
		return "", err
	}
	st, err := p.k.ns.Stat(at, path, true)
	if err != nil {
		return "", err
	}
	if !st.Mode.IsDir() {
		return "", abi.ENOTDIR
	}
	if !p.cred.May(&st, abi.AccessExec) {
		return "", abi.EACCES
	}
	return abs, nil
}

// Getcwd returns the working directory: ENOENT where it is no more.
//
// POSIX: getcwd().
func (p *Process) Getcwd() (string, error) {
	st, err := p.k.ns.Stat(vfs.At{Dir: "/", Cred: rootCred, Caller: p}, p.cwd, false)
	if err != nil || !st.Mode.IsDir() {
		return "", abi.ENOENT
	}
	return p.cwd, nil
}

var rootCred = &vfs.Cred{}

// Chdir changes the working directory: ENOENT, ENOTDIR, EACCES.
//
// POSIX: chdir().
func (p *Process) Chdir(path string) error {
	at, err := p.at(abi.AtCwd, path)
	if err != nil {
		return err
	}
	return p.chdir(at, path)
}

func (p *Process) chdir(at vfs.At, path string) error {
	abs, err := p.directory(at, path)
	if err != nil {
		return err
	}
	p.mu.Lock()
	p.cwd = abs
	p.mu.Unlock()
	return nil
}

// Fchdir changes the working directory to that of a descriptor: EBADF,
// ENOTDIR, EACCES.
//
// POSIX: fchdir().
func (p *Process) Fchdir(fd int32) error {
	if fd == abi.AtCwd {
		return abi.EBADF
	}
	at, err := p.at(fd, ".")
	if err != nil {
		return err
	}
	return p.chdir(at, ".")
}

// Open opens a file at the lowest free descriptor. perm is masked by the
// umask. A FIFO waits for its other end unless ONonblock is given.
//
// Besides the errors of vfs.Namespace.Open it returns EINVAL for unknown flags,
// EMFILE, ENFILE, ENXIO for a FIFO opened to write without waiting while nobody
// reads, and EINTR.
//
// POSIX: openat().
func (p *Process) Open(dirfd int32, path string, flag abi.OpenFlag, perm abi.Mode) (int32, error) {
	if flag&^abi.OpenFlagAll != 0 || flag&abi.OAccmode == abi.OAccmode {
		return -1, abi.EINVAL
	}
	at, err := p.at(dirfd, path)
	if err != nil {
		return -1, err
	}
	if err := p.checkOpenFiles(1); err != nil {
		return -1, err
	}
	f, abs, err := p.k.ns.Open(at, path, flag, perm&^p.umask&abi.ModePerm)
	if err != nil {
		return -1, err
	}
	o, err := p.describe(f, abs, flag)
	if err != nil {
		return -1, err
	}
	return p.installFile(o, 0, flag, at.Beneath)
}

// describe makes the description of a file just opened. On an error the file
// is closed.
func (p *Process) describe(f vfs.File, abs string, flag abi.OpenFlag) (*OpenFile, error) {
	switch f := f.(type) {
	case *jumpFile:
		return f.reopen(p.k, flag)
	case vfs.RegularFile, vfs.Directory, vfs.Stream:
		return newOpenFile(p.k, f, abs, flag), nil
	}
	if flag&abi.OPath != 0 {
		return newOpenFile(p.k, f, abs, flag), nil
	}
	if _, ok := f.(vfs.ControllingTerminal); ok {
		f.Close()
		return p.openTTY(abs, flag)
	}
	st, err := f.Stat()
	switch {
	case err != nil:
	case st.Mode&abi.ModeFmt == abi.ModeFIFO:
		var s vfs.Stream
		s, err = p.openFIFO(f, &st, flag)
		if err == nil {
			return newOpenFile(p.k, s, abs, flag), nil
		}
	default:
		err = abi.ENXIO
	}
	f.Close()
	return nil, err
}

// StatAt describes the named file or, with follow, what a link points to.
//
// POSIX: fstatat().
func (p *Process) StatAt(dirfd int32, path string, follow bool) (abi.Stat, error) {
	at, err := p.at(dirfd, path)
	if err != nil {
		return abi.Stat{}, err
	}
	return p.k.ns.Stat(at, path, follow)
}

// Access checks permissions: EACCES, EROFS, EINVAL for an unknown mode.
//
// POSIX: faccessat().
func (p *Process) Access(dirfd int32, path string, mode uint32) error {
	if mode&^(abi.AccessRead|abi.AccessWrite|abi.AccessExec) != 0 {
		return abi.EINVAL
	}
	at, err := p.at(dirfd, path)
	if err != nil {
		return err
	}
	return p.k.ns.Access(at, path, mode)
}

// Mkdir makes a directory; perm is masked by the umask.
//
// POSIX: mkdirat().
func (p *Process) Mkdir(dirfd int32, path string, perm abi.Mode) error {
	at, err := p.at(dirfd, path)
	if err != nil {
		return err
	}
	return p.k.ns.Mkdir(at, path, perm&^p.umask&(abi.ModePerm|abi.ModeSticky))
}

// Mkfifo makes a FIFO; perm is masked by the umask.
//
// POSIX: mkfifoat().
func (p *Process) Mkfifo(dirfd int32, path string, perm abi.Mode) error {
	at, err := p.at(dirfd, path)
	if err != nil {
		return err
	}
	return p.k.ns.Mkfifo(at, path, perm&^p.umask&abi.ModePerm)
}

// Unlink removes a name that is not a directory's.
//
// POSIX: unlinkat().
func (p *Process) Unlink(dirfd int32, path string) error {
	at, err := p.at(dirfd, path)
	if err != nil {
		return err
	}
	return p.k.ns.Unlink(at, path)
}

// Rmdir removes an empty directory.
//
// POSIX: unlinkat() AT_REMOVEDIR.
func (p *Process) Rmdir(dirfd int32, path string) error {
	at, err := p.at(dirfd, path)
	if err != nil {
		return err
	}
	return p.k.ns.Rmdir(at, path)
}

// Rename renames a file.
//
// POSIX: renameat().
func (p *Process) Rename(fromDir int32, from string, toDir int32, to string) error {
	at, err := p.at(fromDir, from)
	if err != nil {
		return err
	}
	at2, err := p.at(toDir, to)
	if err != nil {
		return err
	}
	return p.k.ns.Rename(at, from, at2, to)
}

// Link makes a hard link, with follow to what a symbolic link points to.
//
// POSIX: linkat().
func (p *Process) Link(fromDir int32, from string, toDir int32, to string, follow bool) error {
	at, err := p.at(fromDir, from)
	if err != nil {
		return err
	}
	at2, err := p.at(toDir, to)
	if err != nil {
		return err
	}
	return p.k.ns.Link(at, from, at2, to, follow)
}

// Symlink makes a symbolic link with the given target.
//
// POSIX: symlinkat().
func (p *Process) Symlink(target string, dirfd int32, path string) error {
	if err := p.k.checkPath(target); err != nil {
		return err
	}
	at, err := p.at(dirfd, path)
	if err != nil {
		return err
	}
	return p.k.ns.Symlink(target, at, path)
}

// Readlink returns the target of a symbolic link: EINVAL where it is none.
//
// POSIX: readlinkat().
func (p *Process) Readlink(dirfd int32, path string) (string, error) {
	at, err := p.at(dirfd, path)
	if err != nil {
		return "", err
	}
	return p.k.ns.Readlink(at, path)
}

// Chmod changes permission bits.
//
// POSIX: fchmodat().
func (p *Process) Chmod(dirfd int32, path string, perm abi.Mode, follow bool) error {
	at, err := p.at(dirfd, path)
	if err != nil {
		return err
	}
	return p.k.ns.Chmod(at, path, perm&abi.ModeAll, follow)
}

// Chown changes the owner and group; ^0 keeps one.
//
// POSIX: fchownat().
func (p *Process) Chown(dirfd int32, path string, uid, gid uint32, follow bool) error {
	at, err := p.at(dirfd, path)
	if err != nil {
		return err
	}
	return p.k.ns.Chown(at, path, uid, gid, follow)
}

// Utimes changes times: nanoseconds, abi.UtimeNow or abi.UtimeOmit.
//
// POSIX: utimensat().
func (p *Process) Utimes(dirfd int32, path string, atim, mtim int64, follow bool) error {
	at, err := p.at(dirfd, path)
	if err != nil {
		return err
	}
	return p.k.ns.Utimes(at, path, atim, mtim, follow)
}

// StatfsAt describes the file system that holds path.
//
// POSIX: statvfs().
func (p *Process) StatfsAt(dirfd int32, path string) (abi.Statfs, error) {
	at, err := p.at(dirfd, path)
	if err != nil {
		return abi.Statfs{}, err
	}
	return p.k.ns.Statfs(at, path)
}

// Realpath returns the absolute path without links, "." and "..".
//
// POSIX: realpath().
func (p *Process) Realpath(dirfd int32, path string) (string, error) {
	at, err := p.at(dirfd, path)
	if err != nil {
		return "", err
	}
	return p.k.ns.Realpath(at, path)
}
