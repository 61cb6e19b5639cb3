// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package hostfs

import (
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/wsandbox/wsandbox/engine/abi"
)

// do runs op where name is. The root gives atRoot.
func (fs *FS) do(name string, atRoot error, op func(p place) error) error {
	if err := fs.beginWrite(name); err != nil {
		return err
	}
	defer fs.mu.RUnlock()
	if name == "." && atRoot != nil {
		return atRoot
	}
	p, err := fs.parent(name)
	if err != nil {
		return err
	}
	defer p.close()
	return op(p)
}

// Mkdir implements [vfs.MkdirFS].
func (fs *FS) Mkdir(name string, _ abi.Mode) error {
	return fs.do(name, abi.EEXIST, func(p place) error { return errnoOf(p.dir.Mkdir(p.base, 0o777)) })
}

// Mkfifo implements [vfs.MkfifoFS]: ENOTSUP, as Windows has none.
func (fs *FS) Mkfifo(string, abi.Mode) error {
	if fs.opt.ReadOnly {
		return abi.EROFS
	}
	return abi.ENOTSUP
}

// Unlink implements [vfs.RemoveFS].
func (fs *FS) Unlink(name string) error {
	return fs.do(name, abi.EISDIR, func(p place) error {
		st, err := fs.lstatAt(p.dir, p.base)
		if err != nil {
			return err
		}
		if st.Mode.IsDir() {
			return abi.EISDIR
		}
		return errnoOf(p.dir.Remove(p.base))
	})
}

// Rmdir implements [vfs.RemoveFS].
func (fs *FS) Rmdir(name string) error {
	return fs.do(name, abi.EBUSY, func(p place) error {
		st, err := fs.lstatAt(p.dir, p.base)
		if err != nil {
			return err
		}
		if !st.Mode.IsDir() {
			return abi.ENOTDIR
		}
		return errnoOf(p.dir.Remove(p.base))
	})
}

// Rename implements [vfs.RenameFS]. Windows does not replace a directory: an
// empty one is removed first.
func (fs *FS) Rename(from, to string) error {
	return fs.do2(from, to, abi.EBUSY, func(src, dst place) error {
		st, err := fs.lstatAt(src.dir, src.base)
		if err != nil {
			return err
		}
		if st.Mode.IsDir() && len(to) > len(from) && to[len(from)] == '/' && strings.EqualFold(to[:len(from)], from) {
			return abi.EINVAL
		}
		old, err := fs.lstatAt(dst.dir, dst.base)
		switch {
		case err != nil && abi.ErrnoOf(err) != abi.ENOENT:
			return err
		case err != nil:
		case old.Dev == st.Dev && old.Ino == st.Ino:
			if !strings.EqualFold(from, to) {
				return nil // two links to one file; otherwise the case changes
			}
		case st.Mode.IsDir() && !old.Mode.IsDir():
			return abi.ENOTDIR
		case !st.Mode.IsDir() && old.Mode.IsDir():
			return abi.EISDIR
		case old.Mode.IsDir():
			if err := dst.dir.Remove(dst.base); err != nil {
				return errnoOf(err)
			}
		}
		return errnoOf(fs.root.Rename(filepath.FromSlash(from), filepath.FromSlash(to)))
	})
}

// Link implements [vfs.LinkFS].
func (fs *FS) Link(from, to string) error {
	return fs.do2(from, to, abi.EPERM, func(src, dst place) error {
		st, err := fs.lstatAt(src.dir, src.base)
		if err != nil {
			return err
		}
		if _, err := fs.lstatAt(dst.dir, dst.base); err == nil {
			return abi.EEXIST
		}
		if st.Mode.IsDir() {
			return abi.EPERM
		}
		return errnoOf(fs.root.Link(filepath.FromSlash(from), filepath.FromSlash(to)))
	})
}

// do2 is do for two names.
func (fs *FS) do2(from, to string, atRoot error, op func(src, dst place) error) error {
	if err := fs.beginWrite(from, to); err != nil {
		return err
	}
	defer fs.mu.RUnlock()
	if from == "." || to == "." {
		return atRoot
	}
	src, err := fs.parent(from)
	if err != nil {
		return err
	}
	defer src.close()
	dst, err := fs.parent(to)
	if err != nil {
		return err
	}
	defer dst.close()
	return op(src, dst)
}

// Symlink implements [vfs.SymlinkFS]: EPERM where the host's user may not make
// links, EINVAL for targets that Windows would misread.
func (fs *FS) Symlink(target, name string) error {
	if err := checkWindowsTarget(target); err != nil {
		return err
	}
	return fs.do(name, abi.EEXIST, func(p place) error {
		return errnoOf(p.dir.Symlink(filepath.FromSlash(target), p.base))
	})
}

// Chmod implements [vfs.ChmodFS]. Windows keeps the owner's permission to write,
// of files only.
func (fs *FS) Chmod(name string, perm abi.Mode) error {
	return fs.do(name, nil, func(p place) error {
		st, err := fs.lstatAt(p.dir, p.base)
		switch {
		case err != nil:
			return err
		case st.Mode.IsSymlink():
			return abi.ENOTSUP
		case st.Mode.IsDir():
			return nil
		}
		return errnoOf(p.dir.Chmod(p.base, os.FileMode(perm&0o200)|0o444))
	})
}

// Utimes implements [vfs.UtimesFS]; ENOTSUP for a link.
func (fs *FS) Utimes(name string, atim, mtim int64) error {
	return fs.do(name, nil, func(p place) error {
		st, err := fs.lstatAt(p.dir, p.base)
		switch {
		case err != nil:
			return err
		case st.Mode.IsSymlink():
			return abi.ENOTSUP
		}
		return errnoOf(p.dir.Chtimes(p.base, timeOf(atim), timeOf(mtim)))
	})
}

// timeOf returns the zero time, which changes nothing, for UtimeOmit.
func timeOf(t int64) time.Time {
	switch t {
	case abi.UtimeNow:
		return time.Now()
	case abi.UtimeOmit:
		return time.Time{}
	}
	return time.Unix(0, t)
}

// Chown implements [vfs.ChownFS]: EPERM unless nothing is to change.
func (fs *FS) Chown(name string, uid, gid uint32) error {
	return fs.do(name, nil, func(p place) error {
		st, err := fs.lstatAt(p.dir, p.base)
		if err != nil {
			return err
		}
		return mayChown(&st, uid, gid)
	})
}
