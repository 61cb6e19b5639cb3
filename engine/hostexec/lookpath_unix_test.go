// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

//go:build linux || darwin

package hostexec

import (
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestLookPath(t *testing.T) {
	top := tempDir(t)
	for _, dir := range []string{"bin", "work/bin", "late", "opt"} {
		require.NoError(t, os.MkdirAll(filepath.Join(top, dir), 0o755))
	}
	file := func(name string, mode os.FileMode) string {
		p := filepath.Join(top, name)
		require.NoError(t, os.WriteFile(p, []byte("#!/bin/sh\n"), mode))
		return p
	}
	link := func(to, name string) { require.NoError(t, os.Symlink(to, filepath.Join(top, name))) }
	gitReal := file("opt/git-2.0", 0o755)
	link("../opt/git-2.0", "bin/git")
	evil := file("work/git", 0o755)
	file("work/bin/git", 0o755)
	file("work/only", 0o755)
	file("bin/plain", 0o644)
	late := file("late/plain", 0o755)
	file("bin/text", 0o644)
	link(evil, "bin/trap")
	trap := file("late/trap", 0o755)
	link("nowhere", "bin/dangling")
	require.NoError(t, os.Mkdir(filepath.Join(top, "bin/dir"), 0o755))
	link(filepath.Join(top, "work"), "alias")
	work, bin, lateDir := filepath.Join(top, "work"), filepath.Join(top, "bin"), filepath.Join(top, "late")
	t.Chdir(work)
	list := func(dirs ...string) string {
		s := ""
		for i, d := range dirs {
			if i > 0 {
				s += string(filepath.ListSeparator)
			}
			s += d
		}
		return s
	}
	for _, tt := range []struct {
		name, program, path string
		forbidden           []string
		want                string
		err                 error
	}{
		{"resolved", "git", list(bin), nil, gitReal, nil},
		{"the workspace first in PATH", "git", list(work, filepath.Join(work, "bin"), bin), []string{work}, gitReal, nil},
		{"by another name of it", "git", list(filepath.Join(top, "alias"), filepath.Join(top, "late/../work/bin"), bin), []string{work}, gitReal, nil},
		{"forbidden by another name", "git", list(work, bin), []string{filepath.Join(top, "alias")}, gitReal, nil},
		{"not forbidden", "git", list(work), nil, evil, nil},
		{"current directory", "only", list("", ".", "./", "bin", "../work"), nil, "", fs.ErrNotExist},
		{"empty PATH", "only", "", nil, "", fs.ErrNotExist},
		{"a path of its own", "./only", list(work), nil, "", fs.ErrNotExist},
		{"a relative path", "bin/git", list(work), nil, "", fs.ErrNotExist},
		{"dots", "..", list(bin), nil, "", fs.ErrNotExist},
		{"a later one that can be run", "plain", list(bin, lateDir), nil, late, nil},
		{"none that can be run", "text", list(bin, lateDir), nil, "", ErrNotExecutable},
		{"a link into the workspace", "trap", list(bin, lateDir), []string{work}, trap, nil},
		{"only a link into the workspace", "trap", list(bin), []string{work}, "", fs.ErrNotExist},
		{"dangling", "dangling", list(bin), nil, "", fs.ErrNotExist},
		{"a directory", "dir", list(bin), nil, "", ErrNotExecutable},
		{"absolute", filepath.Join(bin, "git"), "", nil, gitReal, nil},
		{"absolute in the workspace", evil, "", []string{work}, "", ErrForbiddenPath},
		{"absolute link into the workspace", filepath.Join(bin, "trap"), "", []string{work}, "", ErrForbiddenPath},
		{"absolute, none", filepath.Join(bin, "none"), "", nil, "", fs.ErrNotExist},
		{"empty", "", list(bin), nil, "", ErrInvalid},
		{"NUL", "git\x00", list(bin), nil, "", ErrInvalid},
		{"relative forbidden", "git", list(bin), []string{"work"}, "", ErrInvalid},
		{"forbidden that is not there", "git", list(bin), []string{filepath.Join(top, "none")}, gitReal, nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := LookPath(tt.program, tt.path, tt.forbidden...)
			require.ErrorIs(t, err, tt.err)
			require.Equal(t, tt.want, got)
		})
	}
}
