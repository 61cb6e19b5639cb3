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

// HostUID is the user that stands for the one that runs the sandbox: whose files
// a file system of the host has as those of user 1000.
const HostUID = 1000

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

// Owns reports whether c may do what only the owner of a file may.
func (c *Cred) Owns(st *abi.Stat) bool { return c.UID == 0 || c.UID == st.UID }

// MayChown reports whether c may give a file the owner uid and the group gid;
// ^uint32(0) keeps one.
//
// POSIX: chown().
func (c *Cred) MayChown(st *abi.Stat, uid, gid uint32) bool {
	if c.UID == 0 || uid == ^uint32(0) && gid == ^uint32(0) {
		return true
	}
	return c.UID == st.UID && (uid == ^uint32(0) || uid == st.UID) &&
		(gid == ^uint32(0) || gid == st.GID || gid == c.GID || slices.Contains(c.Groups, gid))
}

// MayUtimes reports what stands against changing a file's times: EPERM, or
// EACCES where both are to become the present.
//
// POSIX: utimensat().
func (c *Cred) MayUtimes(st *abi.Stat, atim, mtim int64) error {
	switch {
	case c.Owns(st) || atim == abi.UtimeOmit && mtim == abi.UtimeOmit:
		return nil
	case atim != abi.UtimeNow || mtim != abi.UtimeNow:
		return abi.EPERM
	case !c.May(st, abi.AccessWrite):
		return abi.EACCES
	}
	return nil
}
