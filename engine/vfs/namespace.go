// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package vfs

import (
	"fmt"
	"slices"
	"strings"

	"github.com/wsandbox/wsandbox/engine/abi"
)

// Mount binds a file system into a namespace.
type Mount struct {
	Path     string // absolute and clean; "/" is the root
	FS       FS
	ReadOnly bool   // every modification gives EROFS, whatever FS permits
	Source   string // for /proc/mounts
	Type     string // for /proc/mounts
}

// Namespace is a tree of mounts and the one place where paths are resolved. It
// is immutable and safe for concurrent use.
//
// A mount point and the directories above it exist by decree: they are
// directories, whatever the file systems below them hold at these names. They
// appear in the listing of their parent, and removing or renaming one gives
// EBUSY. A namespace without a mount at "/" has an empty, read-only root.
//
// Methods take the paths of processes, which are hostile: an empty path gives
// ENOENT, a NUL byte EINVAL, a component of more than 255 bytes or a path of
// 4096 bytes and more ENAMETOOLONG. Resolution gives ENOENT, ENOTDIR, ELOOP
// after 40 links or in an endless race, EACCES where a directory may not be
// searched, and EPERM where [At].Beneath is violated. What else a method returns
// is said there.
//
// POSIX: XBD 4.16 Pathname Resolution.
type Namespace struct {
	mounts  []Mount  // as given, sorted by path
	byDepth []*mount // longest path first
	// implied holds every mount point and every directory above one, with
	// the names of its children that are such directories too.
	implied map[string][]string
	folds   bool // some file system with mounts below ignores case
}

// mount is a Mount prepared for use.
type mount struct {
	path     string
	fs       FS
	caller   CallerFS // not nil where fs is to be asked for the caller's view
	ro       bool
	enforced bool // the host enforces permissions
	folds    bool
}

// NewNamespace returns the namespace made of mounts. An error says which mount
// has a path that is not absolute and clean, no file system, or the path of
// another mount.
func NewNamespace(mounts ...Mount) (*Namespace, error) {
	ns := &Namespace{mounts: slices.Clone(mounts), implied: make(map[string][]string)}
	slices.SortStableFunc(ns.mounts, func(a, b Mount) int { return strings.Compare(a.Path, b.Path) })
	if len(ns.mounts) == 0 || ns.mounts[0].Path != "/" {
		root := Mount{Path: "/", FS: emptyFS{}, ReadOnly: true, Source: "none", Type: "empty"}
		ns.mounts = slices.Insert(ns.mounts, 0, root)
	}
	for i := range ns.mounts {
		m := &ns.mounts[i]
		if !canonical(m.Path) {
			return nil, fmt.Errorf("vfs: mount %q: path is not absolute and clean: %w", m.Path, abi.EINVAL)
		}
		if m.FS == nil {
			return nil, fmt.Errorf("vfs: mount %q: no file system: %w", m.Path, abi.EINVAL)
		}
		if i > 0 && ns.mounts[i-1].Path == m.Path {
			return nil, fmt.Errorf("vfs: mount %q: used twice: %w", m.Path, abi.EBUSY)
		}
		mm := &mount{path: m.Path, fs: m.FS, ro: m.ReadOnly}
		if s, ok := m.FS.(SearchFS); ok {
			mm.enforced = s.EnforcesSearch()
		}
		if f, ok := m.FS.(FoldFS); ok {
			mm.folds = f.FoldsCase()
		}
		if c, ok := m.FS.(CallerFS); ok {
			mm.caller = c
		} else if m.ReadOnly {
			mm.fs = ReadOnly(m.FS)
		}
		ns.byDepth = append(ns.byDepth, mm)
		ns.imply(m.Path)
	}
	slices.SortStableFunc(ns.byDepth, func(a, b *mount) int { return len(b.path) - len(a.path) })
	for _, m := range ns.byDepth {
		ns.folds = ns.folds || m.folds && ns.hasBelow(m)
	}
	return ns, nil
}

// imply records path and every directory above it.
func (ns *Namespace) imply(path string) {
	if _, ok := ns.implied[path]; !ok {
		ns.implied[path] = nil
	}
	for path != "/" {
		dir, base := split(path)
		if slices.Contains(ns.implied[dir], base) {
			return
		}
		names := append(ns.implied[dir], base)
		slices.Sort(names)
		ns.implied[dir] = names
		path = dir
	}
}

func (ns *Namespace) hasBelow(m *mount) bool {
	for _, o := range ns.byDepth {
		if _, ok := below(o.path, m.path); ok && o != m {
			return true
		}
	}
	return false
}

// Mounts returns the mounts, sorted by path.
func (ns *Namespace) Mounts() []Mount { return slices.Clone(ns.mounts) }

// location is a canonical path, the file system it lies in and its name there.
type location struct {
	m    *mount
	fs   FS // of m, for the caller, and refusing changes where m is read-only
	name string
	abs  string
}

// locate finds the mount of the canonical path abs.
func (ns *Namespace) locate(at *At, abs string) location {
	if ns.folds {
		abs = ns.unfold(abs)
	}
	for _, m := range ns.byDepth {
		name, ok := below(abs, m.path)
		if !ok {
			continue
		}
		l := location{m: m, fs: m.fs, name: name, abs: abs}
		if m.caller != nil {
			l.fs = m.caller.ForCaller(at.Caller)
			if m.ro {
				l.fs = ReadOnly(l.fs)
			}
		}
		return l
	}
	panic("vfs: namespace without a root") // NewNamespace always adds one
}

// unfold rewrites the beginning of abs to the spelling of a mount point where it
// differs in case only and the file system above ignores case. Without it, a
// read-only mount over /workspace/.git would be open to a guest that says .GIT.
func (ns *Namespace) unfold(abs string) string {
	for _, m := range ns.byDepth {
		if m.path == "/" || !m.folds || !ns.hasBelow(m) {
			continue
		}
		if _, ok := below(abs, m.path); !ok {
			continue
		}
		abs = ns.unfoldBelow(m.path, abs)
	}
	for _, m := range ns.byDepth {
		if m.path == "/" && m.folds {
			abs = ns.unfoldBelow("/", abs)
		}
	}
	return abs
}

func (ns *Namespace) unfoldBelow(dir, abs string) string {
	for {
		rest, ok := below(abs, dir)
		if !ok || rest == "." {
			return abs
		}
		first, tail, more := strings.Cut(rest, "/")
		i := slices.IndexFunc(ns.implied[dir], func(s string) bool { return strings.EqualFold(s, first) })
		if i < 0 {
			return abs
		}
		dir = join(dir, ns.implied[dir][i])
		abs = dir
		if more {
			abs = join(dir, tail)
		}
	}
}

// isImplied reports whether l is a mount point or lies above one.
func (ns *Namespace) isImplied(l *location) bool {
	_, ok := ns.implied[l.abs]
	return ok
}

// lstat describes l and never what a link points to.
func (ns *Namespace) lstat(l *location) (abi.Stat, error) {
	st, err := l.fs.Lstat(l.name)
	if (err != nil || !st.Mode.IsDir()) && ns.isImplied(l) {
		return impliedStat(l.abs), nil
	}
	return st, err
}

// parent returns the directory of l, which is not a mount point.
func (l *location) parent() location {
	p := *l
	p.abs, _ = split(l.abs)
	if i := strings.LastIndexByte(l.name, '/'); i >= 0 {
		p.name = l.name[:i]
	} else {
		p.name = "."
	}
	return p
}
