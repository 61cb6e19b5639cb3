// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package devfs

import (
	"io"
	"strings"
	"sync"
	"time"

	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/engine/vfs"
)

// Dev is the device number of every devfs. It differs from the defaults of the
// other file systems.
const Dev = 5

// Options configures a file system.
type Options struct {
	// Rand is read for random and urandom. Without it they do not exist.
	Rand io.Reader
	// Clock returns nanoseconds since the Unix epoch for the times of the
	// files, which are those of New; nil means the system's clock.
	Clock func() int64
}

// FS is a file system of devices. Nothing can be made, removed or changed in it.
type FS struct {
	nodes []node
	names map[string]int // index in nodes
	now   int64
	rand  lockedReader
}

// node is an entry of the root. Its inode number is its index and 2.
type node struct {
	name   string
	mode   abi.Mode
	rdev   uint64
	target string
	open   func(*FS, *node) (vfs.File, error)
}

var (
	_ vfs.FS         = (*FS)(nil)
	_ vfs.ReadlinkFS = (*FS)(nil)
	_ vfs.TraverseFS = (*FS)(nil)
	_ vfs.MkdirFS    = (*FS)(nil)
	_ vfs.RemoveFS   = (*FS)(nil)
	_ vfs.ChmodFS    = (*FS)(nil)
)

// rdev makes a device number as Linux does.
func rdev(major, minor uint64) uint64 { return major<<8 | minor }

// New returns the file system.
func New(opt Options) *FS {
	now := time.Now().UnixNano
	if opt.Clock != nil {
		now = opt.Clock
	}
	fs := &FS{now: now(), names: make(map[string]int), rand: lockedReader{r: opt.Rand}}
	// The numbers are those of Linux: Documentation/admin-guide/devices.txt.
	char := func(name string, major, minor uint64, open func(*FS, *node) (vfs.File, error)) {
		fs.nodes = append(fs.nodes, node{name: name, mode: abi.ModeChar | 0o666, rdev: rdev(major, minor), open: open})
	}
	char("null", 1, 3, func(fs *FS, n *node) (vfs.File, error) { return &null{device{fs: fs, n: n}}, nil })
	char("zero", 1, 5, func(fs *FS, n *node) (vfs.File, error) { return &zero{device{fs: fs, n: n}}, nil })
	char("full", 1, 7, func(fs *FS, n *node) (vfs.File, error) { return &full{zero{device{fs: fs, n: n}}}, nil })
	if opt.Rand != nil {
		open := func(fs *FS, n *node) (vfs.File, error) { return &random{device{fs: fs, n: n}}, nil }
		char("random", 1, 8, open)
		char("urandom", 1, 9, open)
	}
	char("tty", 5, 0, func(fs *FS, n *node) (vfs.File, error) { return &tty{device{fs: fs, n: n}}, nil })
	for _, l := range [...][2]string{
		{"fd", "/proc/self/fd"},
		{"stdin", "/proc/self/fd/0"},
		{"stdout", "/proc/self/fd/1"},
		{"stderr", "/proc/self/fd/2"},
	} {
		fs.nodes = append(fs.nodes, node{name: l[0], mode: abi.ModeSymlink | 0o777, target: l[1]})
	}
	for i := range fs.nodes {
		fs.names[fs.nodes[i].name] = i
	}
	return fs
}

// find returns the node of name, nil for the root.
func (fs *FS) find(name string) (*node, error) {
	if name == "." {
		return nil, nil
	}
	first, _, more := strings.Cut(name, "/")
	i, ok := fs.names[first]
	switch {
	case len(first) > 255:
		return nil, abi.ENAMETOOLONG
	case !ok:
		return nil, abi.ENOENT
	case more && fs.nodes[i].target != "":
		return nil, abi.ELOOP
	case more:
		return nil, abi.ENOTDIR
	}
	return &fs.nodes[i], nil
}

// Open implements [vfs.FS].
func (fs *FS) Open(name string, flag abi.OpenFlag, perm abi.Mode) (vfs.File, error) {
	n, err := fs.find(name)
	if err != nil {
		if flag&abi.OCreat != 0 && abi.ErrnoOf(err) == abi.ENOENT && !strings.Contains(name, "/") {
			err = abi.EROFS
		}
		return nil, err
	}
	switch {
	case flag&abi.OCreat != 0 && flag&abi.OExcl != 0:
		return nil, abi.EEXIST
	case n == nil && (flag.Writable() || flag&(abi.OCreat|abi.OTrunc) != 0):
		return nil, abi.EISDIR
	case n == nil:
		return &dir{device{fs: fs}}, nil
	case n.target != "":
		return nil, abi.ELOOP
	case flag&abi.ODirectory != 0:
		return nil, abi.ENOTDIR
	}
	return n.open(fs, n)
}

// Lstat implements [vfs.FS].
func (fs *FS) Lstat(name string) (abi.Stat, error) {
	n, err := fs.find(name)
	if err != nil {
		return abi.Stat{}, err
	}
	return fs.stat(n), nil
}

func (fs *FS) stat(n *node) abi.Stat {
	st := abi.Stat{Dev: Dev, Blksize: 4096, Atim: fs.now, Mtim: fs.now, Ctim: fs.now}
	if n == nil {
		st.Ino, st.Mode, st.Nlink = 1, abi.ModeDir|0o755, 2
		return st
	}
	st.Ino, st.Mode, st.Nlink, st.Rdev = uint64(fs.names[n.name])+2, n.mode, 1, n.rdev
	st.Size = int64(len(n.target))
	return st
}

// Readlink implements [vfs.ReadlinkFS].
func (fs *FS) Readlink(name string) (string, error) {
	n, err := fs.find(name)
	if err != nil {
		return "", err
	}
	if n == nil || n.target == "" {
		return "", abi.EINVAL
	}
	return n.target, nil
}

// Traverse implements [vfs.TraverseFS]. The only directory can be searched by
// everyone.
func (fs *FS) Traverse(name string, _ *vfs.Cred) error {
	if strings.Contains(name, "/") {
		_, err := fs.find(name)
		return err
	}
	return nil
}

// exists tells apart the two ways in which making a name fails.
func (fs *FS) exists(name string) error {
	_, err := fs.find(name)
	switch {
	case err == nil:
		return abi.EEXIST
	case abi.ErrnoOf(err) == abi.ENOENT && !strings.Contains(name, "/"):
		return abi.EROFS
	}
	return err
}

// Mkdir implements [vfs.MkdirFS]: EEXIST or EROFS.
func (fs *FS) Mkdir(name string, _ abi.Mode) error { return fs.exists(name) }

// Symlink implements [vfs.SymlinkFS]: EEXIST or EROFS.
func (fs *FS) Symlink(_, name string) error { return fs.exists(name) }

// Unlink implements [vfs.RemoveFS]: ENOENT or EROFS.
func (fs *FS) Unlink(name string) error { return fs.refuse(name) }

// Rmdir implements [vfs.RemoveFS]: ENOENT or EROFS.
func (fs *FS) Rmdir(name string) error { return fs.refuse(name) }

// Rename implements [vfs.RenameFS]: ENOENT or EROFS.
func (fs *FS) Rename(from, _ string) error { return fs.refuse(from) }

// Chmod implements [vfs.ChmodFS]: ENOENT or EROFS.
func (fs *FS) Chmod(name string, _ abi.Mode) error { return fs.refuse(name) }

// Chown implements [vfs.ChownFS]: ENOENT or EROFS.
func (fs *FS) Chown(name string, _, _ uint32) error { return fs.refuse(name) }

// Utimes implements [vfs.UtimesFS]: ENOENT or EROFS. Programs touch /dev/null
// without harm on Linux; here its times are those of the start.
func (fs *FS) Utimes(name string, _, _ int64) error { return fs.refuse(name) }

func (fs *FS) refuse(name string) error {
	if _, err := fs.find(name); err != nil {
		return err
	}
	return abi.EROFS
}

// lockedReader makes a reader safe for concurrent use.
type lockedReader struct {
	mu sync.Mutex
	r  io.Reader
}

func (l *lockedReader) read(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if _, err := io.ReadFull(l.r, p); err != nil {
		return 0, abi.EIO
	}
	return len(p), nil
}
