// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

//go:build unix && !linux

package image

import "os"

// snapshotFile returns an empty file without a name.
func snapshotFile() (*os.File, error) {
	f, err := os.CreateTemp("", "wsandbox-*")
	if err != nil {
		return nil, err
	}
	if err := os.Remove(f.Name()); err != nil {
		_ = f.Close()
		return nil, err
	}
	return f, nil
}

// sealSnapshot does nothing: nobody else can name the file.
func sealSnapshot(*os.File) error { return nil }
