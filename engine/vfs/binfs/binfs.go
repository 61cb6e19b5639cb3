// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package binfs

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/engine/vfs"
)

// Dev is the device number of every binfs. It differs from the defaults of the
// other file systems.
const Dev = 6

// FS is a directory of programs, sorted by name.
type FS struct {
	dir      string
	programs []program
	now      int64
}

type program struct{ name, guest string }

var (
	_ vfs.FS         = (*FS)(nil)
	_ vfs.TraverseFS = (*FS)(nil)
	_ vfs.MkdirFS    = (*FS)(nil)
	_ vfs.RemoveFS   = (*FS)(nil)
	_ vfs.ChmodFS    = (*FS)(nil)
)

// New returns the directory of the applets, which map a program's name to the
// guest that runs it. Dir is the absolute path at which the directory is mounted.
// Clock returns nanoseconds since the Unix epoch and is asked once, for the times
// of the files; nil means the system's clock. A dir that is not absolute, a name
// that cannot be a file's, or an empty guest, is an error that wraps abi.EINVAL.
func New(dir string, applets map[string]string, clock func() int64) (*FS, error) {
	if clock == nil {
		clock = func() int64 { return time.Now().UnixNano() }
	}
	if !strings.HasPrefix(dir, "/") || strings.ContainsAny(dir, "\x00\n") {
		return nil, fmt.Errorf("binfs: directory %q: not an absolute path: %w", dir, abi.EINVAL)
	}
	fs := &FS{dir: strings.TrimRight(dir, "/"), now: clock()}
	for _, name := range slices.Sorted(maps.Keys(applets)) {
		if name == "" || name == "." || name == ".." || len(name) > 255 || strings.ContainsAny(name, "/\x00\n") {
			return nil, fmt.Errorf("binfs: program %q: not a file name: %w", name, abi.EINVAL)
		}
		if applets[name] == "" {
			return nil, fmt.Errorf("binfs: program %q: no guest: %w", name, abi.EINVAL)
		}
		fs.programs = append(fs.programs, program{name, applets[name]})
	}
	return fs, nil
}

// find returns the index of name, -1 for the root.
func (fs *FS) find(name string) (int, error) {
	if name == "." {
		return -1, nil
	}
	first, _, more := strings.Cut(name, "/")
	if len(first) > 255 {
		return 0, abi.ENAMETOOLONG
	}
	i, ok := slices.BinarySearchFunc(fs.programs, first, func(p program, s string) int { return strings.Compare(p.name, s) })
	switch {
	case !ok:
		return 0, abi.ENOENT
	case more:
		return 0, abi.ENOTDIR
	}
	return i, nil
}

// Open implements [vfs.FS].
func (fs *FS) Open(name string, flag abi.OpenFlag, _ abi.Mode) (vfs.File, error) {
	i, err := fs.find(name)
	switch {
	case err != nil:
		if flag&abi.OCreat != 0 && abi.ErrnoOf(err) == abi.ENOENT && !strings.Contains(name, "/") {
			err = abi.EROFS
		}
		return nil, err
	case flag&abi.OCreat != 0 && flag&abi.OExcl != 0:
		return nil, abi.EEXIST
	case i < 0:
		if flag.Writable() || flag&(abi.OCreat|abi.OTrunc) != 0 {
			return nil, abi.EISDIR
		}
		return &dir{file{fs: fs, i: i}}, nil
	case flag&abi.ODirectory != 0:
		return nil, abi.ENOTDIR
	case flag.Writable() || flag&abi.OTrunc != 0:
		return nil, abi.EROFS
	}
	return &executable{file{fs: fs, i: i}}, nil
}

// Lstat implements [vfs.FS].
func (fs *FS) Lstat(name string) (abi.Stat, error) {
	i, err := fs.find(name)
	if err != nil {
		return abi.Stat{}, err
	}
	return fs.stat(i), nil
}

func (fs *FS) stat(i int) abi.Stat {
	st := abi.Stat{
		Dev: Dev, Ino: uint64(i + 2), Blksize: 4096,
		Mode: abi.ModeRegular | 0o755, Nlink: 1, Atim: fs.now, Mtim: fs.now, Ctim: fs.now,
	}
	if i < 0 {
		st.Mode, st.Nlink = abi.ModeDir|0o755, 2
		return st
	}
	st.Size = fs.size(i)
	st.Blocks = (st.Size + 511) / 512
	return st
}

// content is what reading a program gives: a script that runs it, so that a copy
// of the file is that program too.
func (fs *FS) content(i int) string {
	path := strings.ReplaceAll(fs.dir+"/"+fs.programs[i].name, "'", `'\''`)
	return "#!" + fs.dir + "/sh\nexec '" + path + "' \"$@\"\n"
}

// size is the length of content, without making it: programs are searched for
// and described far more often than read.
func (fs *FS) size(i int) int64 {
	name := fs.programs[i].name
	quotes := strings.Count(fs.dir, "'") + strings.Count(name, "'")
	return int64(len("#!/sh\nexec '/' \"$@\"\n") + 2*len(fs.dir) + len(name) + 3*quotes)
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

func (fs *FS) refuse(name string) error {
	if _, err := fs.find(name); err != nil {
		return err
	}
	return abi.EROFS
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

// Utimes implements [vfs.UtimesFS]: ENOENT or EROFS.
func (fs *FS) Utimes(name string, _, _ int64) error { return fs.refuse(name) }
