// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package vfs

import (
	"slices"

	"github.com/wsandbox/wsandbox/engine/abi"
)

// Cred says who asks. User 0 passes every permission check.
//
// POSIX: XBD 4.7 File Access Permissions.
type Cred struct {
	UID, GID uint32
	Groups   []uint32
}

// May reports whether c has the permissions want (a combination of
// abi.AccessRead, AccessWrite and AccessExec) on a file. User 0 needs an
// execute bit only to execute a file that is not a directory.
func (c *Cred) May(st *abi.Stat, want uint32) bool {
	if c.UID == 0 {
		return want&abi.AccessExec == 0 || st.Mode.IsDir() || st.Mode&0o111 != 0
	}
	bits := uint32(st.Mode) & 7
	switch {
	case st.UID == c.UID:
		bits = uint32(st.Mode) >> 6 & 7
	case st.GID == c.GID || slices.Contains(c.Groups, st.GID):
		bits = uint32(st.Mode) >> 3 & 7
	}
	return bits&want == want
}
