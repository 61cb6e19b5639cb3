// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

//go:build unix

package image

import (
	"fmt"
	"os"
	"syscall"
)

// checkPrivate returns ErrCacheDir unless dir is a directory, no link, that
// belongs to the user and that nobody else may write to.
func checkPrivate(dir string) error {
	i, err := os.Lstat(dir)
	if err != nil {
		return fmt.Errorf("image: cache: %w", err)
	}
	st, ok := i.Sys().(*syscall.Stat_t)
	switch {
	case !i.IsDir():
		return fmt.Errorf("%w: %s is not a directory", ErrCacheDir, dir)
	case !ok || int(st.Uid) != os.Geteuid():
		return fmt.Errorf("%w: %s belongs to another user", ErrCacheDir, dir)
	case i.Mode().Perm()&0o022 != 0:
		return fmt.Errorf("%w: %s may be written to by others (mode %04o)", ErrCacheDir, dir, i.Mode().Perm())
	}
	return nil
}

// checkParent returns ErrCacheDir where anybody may rename what lies in dir.
func checkParent(dir string) error {
	i, err := os.Lstat(dir)
	if err != nil {
		return fmt.Errorf("image: cache: %w", err)
	}
	if i.Mode().Perm()&0o002 != 0 && i.Mode()&os.ModeSticky == 0 {
		return fmt.Errorf("%w: %s may be written to by others", ErrCacheDir, dir)
	}
	return nil
}
