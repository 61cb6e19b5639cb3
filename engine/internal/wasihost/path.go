// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package wasihost

import (
	"strings"

	"github.com/wsandbox/wsandbox/engine/abi"
)

// Permission bits of what preview 1 programs create, before the umask.
const (
	newFilePerm abi.Mode = 0o666
	newDirPerm  abi.Mode = 0o777
)

// pathArg returns the path at a[i] and a[i+1] and the directory where it starts,
// for an operation on the directory fd that takes the right want. What the
// operation does to the name decides about a path of one component, see place.
func (c *Context) pathArg(m memory, fd int32, want abi.Rights, a []uint64, i int, does nameUse) (int32, string, error) {
	if err := c.need(fd, want); err != nil {
		return fd, "", err
	}
	path, err := m.path(uint32(a[i]), uint32(a[i+1]))
	if err != nil {
		return fd, "", err
	}
	if to := c.place(fd, path, does); to != fd {
		return to, path, c.need(to, want)
	}
	return fd, path, nil
}

// nameUse is what an operation does with the last component of a path.
type nameUse bool

const (
	looksUp nameUse = false
	changes nameUse = true // makes, moves or removes the name
)

// place returns the descriptor of the directory where path starts: fd, or the
// preopen "/" where fd is the preopen ".", both may be left, and the path's first
// component exists not in the working directory but in the root.
//
// Deviation: wasi-libc keeps no working directory of its own and strips leading
// slashes, so that a program that has both preopens passes "/tmp/x" and "tmp/x"
// alike, as "tmp/x" below ".". This tells them apart as well as can be. A single
// component is left where it is by an operation that changes the name, so that
// nothing but the working directory is changed by mistake.
func (c *Context) place(fd int32, path string, does nameUse) int32 {
	pre, ok := c.p.Preopen(fd)
	if !ok || pre.GuestPath != "." || pre.Beneath {
		return fd
	}
	for strings.HasPrefix(path, "./") {
		path = strings.TrimLeft(path[1:], "/")
	}
	first, rest, _ := strings.Cut(path, "/")
	if first == "" || first == "." || first == ".." || rest == "" && does == changes {
		return fd
	}
	if _, err := c.p.StatAt(fd, first, false); err != error(abi.ENOENT) {
		return fd
	}
	for root := int32(3); root < preopenMax; root++ {
		if pre, ok := c.p.Preopen(root); ok && pre.GuestPath == "/" && !pre.Beneath {
			if _, err := c.p.StatAt(root, first, false); err == nil {
				return root
			}
			break
		}
	}
	return fd
}

// preopenMax bounds the descriptors among which place looks for "/".
const preopenMax = 8

// follow reports whether lookup flags follow a last link: EINVAL for unknown
// flags.
func follow(flags uint64) (bool, error) {
	f := abi.Lookupflags(flags)
	if f&^abi.SymlinkFollow != 0 {
		return false, abi.EINVAL
	}
	return f != 0, nil
}

// pathOpen opens a file.
//
// # Parameters
//
//   - fd: the directory where the path starts
//   - dirflags: whether to follow a last symbolic link
//   - path, len: the path
//   - oflags: create, directory, exclusive, truncate
//   - base, inheriting: the rights of the new descriptor. fd_read or fd_readdir
//     opens for reading, fd_write for writing. Rights that do not apply to the
//     type of the file are left out
//   - fdflags: status flags
//   - opened: where the new descriptor goes
//
// # Errors
//
//   - EBADF
//   - ENOTCAPABLE: path_open is missing, path_create_file to create,
//     path_filestat_set_size to truncate, or a right asked for is not among
//     the inheriting rights of fd
//   - EPERM: the path leads out of a directory that confines it
//   - EINVAL: unknown flags, a NUL in the path, create with directory
//   - ENOENT, ENOTDIR, EISDIR, EEXIST, ELOOP, EACCES, EROFS, ENAMETOOLONG,
//     EMFILE, ENFILE, ENXIO, ENOSPC, EIO, EFAULT
//   - EINTR: a handled signal while a FIFO waited for its other end
//
// WASI: path_open.
func pathOpen(c *Context, m memory, a []uint64) error {
	fd, oflags, out := int32(a[0]), abi.Oflags(a[4]), uint32(a[8])
	base, inheriting := abi.Rights(a[5])&abi.RightsAll, abi.Rights(a[6])&abi.RightsAll
	want := abi.RightPathOpen
	if oflags&abi.OflagCreat != 0 {
		want |= abi.RightPathCreateFile
	}
	if oflags&abi.OflagTrunc != 0 {
		want |= abi.RightPathFilestatSetSize
	}
	does := looksUp
	if oflags&(abi.OflagCreat|abi.OflagTrunc) != 0 {
		does = changes
	}
	fd, path, err := c.pathArg(m, fd, want, a, 2, does)
	if err != nil {
		return err
	}
	_, most, err := c.p.Rights(fd)
	if err != nil {
		return err
	}
	if !most.Has(base) || !most.Has(inheriting) {
		if info, err := c.p.FDInfo(fd); err == nil && !info.Mode.IsDir() {
			return abi.ENOTDIR
		}
		return abi.ENOTCAPABLE
	}
	flag, err := openFlagOf(uint32(a[7]))
	if err != nil {
		return err
	}
	followLast, err := follow(a[1])
	if err != nil {
		return err
	}
	if uint32(a[4]) > 0xffff || !oflags.Valid() {
		return abi.EINVAL
	}
	if err := m.check(out, 4); err != nil {
		return err
	}
	if !followLast {
		flag |= abi.ONofollow
	}
	if oflags&abi.OflagCreat != 0 {
		flag |= abi.OCreat
	}
	if oflags&abi.OflagDirectory != 0 {
		flag |= abi.ODirectory
	}
	if oflags&abi.OflagExcl != 0 {
		flag |= abi.OExcl
	}
	if oflags&abi.OflagTrunc != 0 {
		flag |= abi.OTrunc
	}
	if flag&(abi.OCreat|abi.ODirectory) == abi.OCreat|abi.ODirectory {
		return abi.EINVAL
	}
	// Truncating takes a file open for writing; the rights are what keeps
	// the program from writing to it.
	write := base&abi.RightFDWrite != 0 || flag&abi.OTrunc != 0
	switch read := base&(abi.RightFDRead|abi.RightFDReaddir) != 0; {
	case read && write:
		flag |= abi.ORdwr
	case write:
		flag |= abi.OWronly
	}
	opened, err := c.p.Open(fd, path, flag, newFilePerm)
	if err != nil {
		return err
	}
	info, err := c.p.FDInfo(opened)
	if err == nil {
		b, i := applicable(&info)
		err = c.p.SetRights(opened, base&b, inheriting&i)
	}
	if err == nil {
		err = m.putU32(out, uint32(opened))
	}
	if err != nil {
		c.p.Close(opened)
	}
	return err
}

// pathCreateDirectory makes a directory.
//
// # Parameters
//
//   - fd: the directory where the path starts
//   - path, len: the path
//
// # Errors
//
//   - EBADF, ENOTCAPABLE (path_create_directory), EPERM
//   - ENOENT, ENOTDIR, EEXIST, ELOOP, EACCES, EROFS, ENAMETOOLONG, EINVAL,
//     ENOSPC, EIO, EFAULT
//
// WASI: path_create_directory.
func pathCreateDirectory(c *Context, m memory, a []uint64) error {
	fd, path, err := c.pathArg(m, int32(a[0]), abi.RightPathCreateDirectory, a, 1, changes)
	if err != nil {
		return err
	}
	return c.p.Mkdir(fd, path, newDirPerm)
}

// pathLink makes a hard link.
//
// # Parameters
//
//   - fd, flags, path, len: the file, and whether to follow a last link
//   - newfd, newpath, newlen: the new name
//
// # Errors
//
//   - EBADF, ENOTCAPABLE (path_link_source, path_link_target)
//   - EPERM: a directory, or the path leads out
//   - EXDEV, ENOENT, ENOTDIR, EEXIST, ELOOP, EMLINK, EACCES, EROFS,
//     ENAMETOOLONG, EINVAL, ENOSPC, EIO, ENOTSUP, EFAULT
//
// WASI: path_link.
func pathLink(c *Context, m memory, a []uint64) error {
	from, path, err := c.pathArg(m, int32(a[0]), abi.RightPathLinkSource, a, 2, looksUp)
	if err != nil {
		return err
	}
	to, newPath, err := c.pathArg(m, int32(a[4]), abi.RightPathLinkTarget, a, 5, changes)
	if err != nil {
		return err
	}
	f, err := follow(a[1])
	if err != nil {
		return err
	}
	return c.p.Link(from, path, to, newPath, f)
}

// pathReadlink stores the target of a symbolic link, cut short where the buffer
// is too small for it.
//
// # Parameters
//
//   - fd, path, len: the link
//   - buf, size: the buffer
//   - used: where the number of bytes goes
//
// # Errors
//
//   - EBADF, ENOTCAPABLE (path_readlink), EPERM
//   - EINVAL: not a symbolic link
//   - ENOENT, ENOTDIR, ELOOP, EACCES, ENAMETOOLONG, EIO, EFAULT
//
// WASI: path_readlink.
func pathReadlink(c *Context, m memory, a []uint64) error {
	fd, path, err := c.pathArg(m, int32(a[0]), abi.RightPathReadlink, a, 1, looksUp)
	if err != nil {
		return err
	}
	buf, err := m.view(uint32(a[3]), uint32(a[4]))
	if err != nil {
		return err
	}
	target, err := c.p.Readlink(fd, path)
	if err != nil {
		return err
	}
	return m.putU32(uint32(a[5]), uint32(copy(buf, target)))
}

// pathRemoveDirectory removes an empty directory.
//
// # Parameters
//
//   - fd: the directory where the path starts
//   - path, len: the path
//
// # Errors
//
//   - EBADF, ENOTCAPABLE (path_remove_directory), EPERM
//   - ENOTEMPTY, ENOENT, ENOTDIR, EBUSY, ELOOP, EACCES, EROFS, ENAMETOOLONG,
//     EINVAL, EIO, EFAULT
//
// WASI: path_remove_directory.
func pathRemoveDirectory(c *Context, m memory, a []uint64) error {
	fd, path, err := c.pathArg(m, int32(a[0]), abi.RightPathRemoveDirectory, a, 1, changes)
	if err != nil {
		return err
	}
	return c.p.Rmdir(fd, path)
}

// pathRename renames a file or directory.
//
// # Parameters
//
//   - fd, path, len: the old name
//   - newfd, newpath, newlen: the new name
//
// # Errors
//
//   - EBADF, ENOTCAPABLE (path_rename_source, path_rename_target), EPERM
//   - EXDEV, ENOENT, ENOTDIR, EISDIR, ENOTEMPTY, EBUSY, EINVAL, ELOOP,
//     EACCES, EROFS, ENAMETOOLONG, ENOSPC, EIO, EFAULT
//
// WASI: path_rename.
func pathRename(c *Context, m memory, a []uint64) error {
	from, path, err := c.pathArg(m, int32(a[0]), abi.RightPathRenameSource, a, 1, changes)
	if err != nil {
		return err
	}
	to, newPath, err := c.pathArg(m, int32(a[3]), abi.RightPathRenameTarget, a, 4, changes)
	if err != nil {
		return err
	}
	return c.p.Rename(from, path, to, newPath)
}

// pathSymlink makes a symbolic link.
//
// # Parameters
//
//   - target, len: what the link holds
//   - fd, path, len: the name of the link
//
// # Errors
//
//   - EBADF, ENOTCAPABLE (path_symlink)
//   - EPERM: the path leads out, or the target is absolute in a directory that
//     confines paths
//   - ENOENT, ENOTDIR, EEXIST, ELOOP, EACCES, EROFS, ENAMETOOLONG, EINVAL,
//     ENOSPC, EIO, ENOTSUP, EFAULT
//
// WASI: path_symlink.
func pathSymlink(c *Context, m memory, a []uint64) error {
	fd, path, err := c.pathArg(m, int32(a[2]), abi.RightPathSymlink, a, 3, changes)
	if err != nil {
		return err
	}
	target, err := m.path(uint32(a[0]), uint32(a[1]))
	if err != nil {
		return err
	}
	return c.p.Symlink(target, fd, path)
}

// pathUnlinkFile removes a name that is not a directory's.
//
// # Parameters
//
//   - fd: the directory where the path starts
//   - path, len: the path
//
// # Errors
//
//   - EBADF, ENOTCAPABLE (path_unlink_file), EPERM
//   - EISDIR, ENOENT, ENOTDIR, EBUSY, ELOOP, EACCES, EROFS, ENAMETOOLONG,
//     EINVAL, EIO, EFAULT
//
// WASI: path_unlink_file.
func pathUnlinkFile(c *Context, m memory, a []uint64) error {
	fd, path, err := c.pathArg(m, int32(a[0]), abi.RightPathUnlinkFile, a, 1, changes)
	if err != nil {
		return err
	}
	return c.p.Unlink(fd, path)
}
