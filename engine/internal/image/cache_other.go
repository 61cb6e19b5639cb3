// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !unix

package image

import (
	"fmt"
	"os"
)

// checkPrivate returns ErrCacheDir unless dir is a directory and no link. Who
// may write to it is not looked at: on Windows the profile directory that holds
// it by default has an access list of its own.
func checkPrivate(dir string) error {
	i, err := os.Lstat(dir)
	if err != nil {
		return fmt.Errorf("image: cache: %w", err)
	}
	if !i.IsDir() {
		return fmt.Errorf("%w: %s is not a directory", ErrCacheDir, dir)
	}
	return nil
}

func checkParent(string) error { return nil }
