// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

//go:build linux || darwin

package hostfs

import (
	"golang.org/x/sys/unix"

	"github.com/wsandbox/wsandbox/engine/abi"
)

// stat translates what the operating system says about a file.
func (fs *FS) stat(st *unix.Stat_t) abi.Stat {
	s := abi.Stat{
		Dev:     uint64(st.Dev) + devOffset,
		Ino:     st.Ino,
		Mode:    abi.Mode(st.Mode) & (abi.ModeFmt | abi.ModeAll),
		Nlink:   uint32(st.Nlink),
		UID:     fs.ids.mapUID(st.Uid),
		GID:     fs.ids.mapGID(st.Gid),
		Size:    st.Size,
		Blksize: uint32(st.Blksize),
		Blocks:  st.Blocks,
	}
	if k := s.Mode & abi.ModeFmt; k == abi.ModeChar || k == abi.ModeBlock {
		s.Rdev = uint64(st.Rdev)
	}
	s.Atim, s.Mtim, s.Ctim = st.Atim.Nano(), st.Mtim.Nano(), st.Ctim.Nano()
	return s
}

// Lstat implements [vfs.FS].
func (fs *FS) Lstat(name string) (abi.Stat, error) {
	if err := fs.begin(name); err != nil {
		return abi.Stat{}, err
	}
	defer fs.mu.RUnlock()
	var st unix.Stat_t
	if err := fs.lstat(name, &st); err != nil {
		return abi.Stat{}, err
	}
	return fs.stat(&st), nil
}

// Statfs implements [vfs.StatfsFS].
func (fs *FS) Statfs() (abi.Statfs, error) {
	if err := fs.begin(); err != nil {
		return abi.Statfs{}, err
	}
	defer fs.mu.RUnlock()
	var st unix.Statfs_t
	if _, err := retry(func() (int, error) { return 0, unix.Fstatfs(fs.root.fd, &st) }); err != nil {
		return abi.Statfs{}, errnoOf(err)
	}
	return abi.Statfs{
		Bsize: uint64(st.Bsize), Blocks: st.Blocks, Bfree: st.Bfree, Bavail: st.Bavail,
		Files: st.Files, Ffree: st.Ffree, Namelen: 255,
	}, nil
}
