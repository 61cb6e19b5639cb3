// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

//go:build unix

package image

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestCacheDirRefused(t *testing.T) {
	tests := []struct {
		name string
		make func(t *testing.T, dir string) error
		want string
	}{
		{"symbolic link", func(t *testing.T, dir string) error { return os.Symlink(t.TempDir(), dir) }, "not a directory"},
		{"dangling link", func(_ *testing.T, dir string) error { return os.Symlink("nowhere", dir) }, "not a directory"},
		{"file", func(_ *testing.T, dir string) error { return os.WriteFile(dir, nil, 0o600) }, "not a directory"},
		{"group may write", func(_ *testing.T, dir string) error {
			return os.Mkdir(dir, 0o700)
		}, "may be written to by others (mode 0770)"},
		{"all may write", func(_ *testing.T, dir string) error {
			return os.Mkdir(dir, 0o700)
		}, "may be written to by others (mode 0777)"},
		{"all may write above", func(t *testing.T, dir string) error {
			return os.Chmod(filepath.Dir(dir), 0o777)
		}, "may be written to by others"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			parent := filepath.Join(t.TempDir(), "parent")
			require.NoError(t, os.Mkdir(parent, 0o700))
			dir := filepath.Join(parent, "cache")
			require.NoError(t, tt.make(t, dir))
			switch tt.name {
			case "group may write":
				require.NoError(t, os.Chmod(dir, 0o770))
			case "all may write":
				require.NoError(t, os.Chmod(dir, 0o777))
			}
			_, err := OpenCache(dir, 0)
			require.ErrorIs(t, err, ErrCacheDir)
			require.ErrorContains(t, err, tt.want)
		})
	}
	t.Run("another user's", func(t *testing.T) {
		if os.Geteuid() != 0 {
			t.Skip("only root can give a directory away")
		}
		dir := privateTemp(t)
		require.NoError(t, os.Mkdir(dir, 0o700))
		require.NoError(t, os.Chown(dir, 12345, 12345))
		_, err := OpenCache(dir, 0)
		require.ErrorIs(t, err, ErrCacheDir)
		require.ErrorContains(t, err, "another user")
	})
	t.Run("below a sticky directory", func(t *testing.T) {
		parent := t.TempDir()
		require.NoError(t, os.Chmod(parent, 0o777|os.ModeSticky))
		dir := filepath.Join(parent, "a", "b")
		_, err := OpenCache(dir, 0)
		require.NoError(t, err)
		i, err := os.Stat(dir)
		require.NoError(t, err)
		require.Equal(t, os.FileMode(0o700), i.Mode().Perm())
	})
	t.Run("subdirectory swapped", func(t *testing.T) {
		dir := privateTemp(t)
		c, err := OpenCache(dir, 0)
		require.NoError(t, err)
		require.NoError(t, os.Remove(c.codeRoot()))
		require.NoError(t, os.Symlink(t.TempDir(), c.codeRoot()))
		_, err = OpenCache(dir, 0)
		require.ErrorIs(t, err, ErrCacheDir)
	})
}
