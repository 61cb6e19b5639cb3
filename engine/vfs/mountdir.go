// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package vfs

import (
	"hash/fnv"
	"slices"
	"strings"

	"github.com/wsandbox/wsandbox/engine/abi"
)

// mountDir is an open directory with mount points among its entries. The
// entries of the file system come first, without the names that mounts hide;
// the mount points follow.
type mountDir struct {
	ns    *Namespace
	at    At
	abs   string
	names []string  // sorted
	dir   Directory // nil where the directory exists by decree only
}

// mountCookie marks the cookies of mount points. The cookies of file systems are
// offsets, which are not negative.
const mountCookie = 1 << 63

func (d *mountDir) Stat() (abi.Stat, error) {
	if d.dir == nil {
		return impliedStat(d.abs), nil
	}
	return d.dir.Stat()
}

func (d *mountDir) Close() error {
	if d.dir == nil {
		return nil
	}
	return d.dir.Close()
}

func (d *mountDir) Chmod(perm abi.Mode) error {
	if f, ok := d.dir.(FileChmod); ok {
		return f.Chmod(perm)
	}
	return d.refuse()
}

func (d *mountDir) Chown(uid, gid uint32) error {
	if f, ok := d.dir.(FileChown); ok {
		return f.Chown(uid, gid)
	}
	return d.refuse()
}

func (d *mountDir) Utimes(atim, mtim int64) error {
	if f, ok := d.dir.(FileUtimes); ok {
		return f.Utimes(atim, mtim)
	}
	return d.refuse()
}

func (d *mountDir) refuse() error {
	if d.dir == nil {
		return abi.EROFS
	}
	return abi.ENOTSUP
}

func (d *mountDir) ReadDir(dst []Dirent, cookie uint64, n int, stat bool) ([]Dirent, error) {
	for ; d.dir == nil && cookie < 2 && n > 0; n-- {
		e := Dirent{Name: ".", Cookie: cookie + 1, StatOK: stat}
		l := d.ns.locate(&d.at, d.abs)
		if cookie == 1 {
			up, _ := split(d.abs)
			e.Name, l = "..", d.ns.locate(&d.at, up)
		}
		st, err := d.ns.lstat(&l)
		if err != nil {
			return dst, err
		}
		e.Ino, e.Mode, e.Stat = st.Ino, abi.ModeDir, st
		dst = append(dst, e)
		cookie++
	}
	for d.dir != nil && cookie&mountCookie == 0 && n > 0 {
		start := len(dst)
		var err error
		dst, err = d.dir.ReadDir(dst, cookie, n, stat)
		if err != nil {
			return dst[:start], err
		}
		if len(dst) == start {
			break // the end
		}
		cookie = dst[len(dst)-1].Cookie
		kept := slices.DeleteFunc(dst[start:], func(e Dirent) bool { return d.hides(e.Name) })
		dst = dst[:start+len(kept)]
		n -= len(kept)
		if len(kept) > 0 {
			return dst, nil
		}
	}
	i := uint64(0)
	if cookie&mountCookie != 0 {
		i = cookie &^ mountCookie
	}
	for ; i < uint64(len(d.names)) && n > 0; i++ {
		l := d.ns.locate(&d.at, join(d.abs, d.names[i]))
		st, err := d.ns.lstat(&l)
		if err != nil {
			return dst, err
		}
		dst = append(dst, Dirent{
			Name: d.names[i], Cookie: mountCookie | (i + 1), Ino: st.Ino, Mode: abi.ModeDir,
			StatOK: stat, Stat: st,
		})
		n--
	}
	return dst, nil
}

// hides reports whether a mount stands at name.
func (d *mountDir) hides(name string) bool {
	if d.ns.folds {
		return slices.ContainsFunc(d.names, func(s string) bool { return strings.EqualFold(s, name) })
	}
	_, ok := slices.BinarySearch(d.names, name)
	return ok
}

// impliedStat describes a directory that exists by decree only.
func impliedStat(abs string) abi.Stat {
	h := fnv.New64a()
	h.Write([]byte(abs))
	return abi.Stat{
		Ino: h.Sum64()>>1 | 1, Mode: abi.ModeDir | 0o555, Nlink: 2, Blksize: 4096,
	}
}

// emptyFS is the root of a namespace that has none: its directories exist by
// decree only.
type emptyFS struct{}

func (emptyFS) Open(string, abi.OpenFlag, abi.Mode) (File, error) { return nil, abi.ENOENT }
func (emptyFS) Lstat(string) (abi.Stat, error)                    { return abi.Stat{}, abi.ENOENT }
