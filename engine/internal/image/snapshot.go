// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package image

import (
	"io"
)

// snapshotPage is the unit in which snapshots leave out zeros.
const snapshotPage = 4096

// sparseFile is what writeSparse writes to.
type sparseFile interface {
	io.WriterAt
	Truncate(size int64) error
}

// writeSparse writes b at off, leaving holes for zeros, and ends the file
// behind it. The file must be empty from off on.
func writeSparse(f sparseFile, off int64, b []byte) error {
	if err := f.Truncate(off + int64(len(b))); err != nil {
		return err
	}
	zero := func(p []byte) bool {
		for len(p) >= 8 && [8]byte(p) == [8]byte{} {
			p = p[8:]
		}
		return len(p) == 0
	}
	for i := 0; i < len(b); {
		end := min(i+snapshotPage, len(b))
		if zero(b[i:end]) {
			i = end
			continue
		}
		for end < len(b) && !zero(b[end:min(end+snapshotPage, len(b))]) {
			end = min(end+snapshotPage, len(b))
		}
		if _, err := f.WriteAt(b[i:end], off+int64(i)); err != nil {
			return err
		}
		i = end
	}
	return nil
}
