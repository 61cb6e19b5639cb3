// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package vfs_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/engine/vfs"
	"github.com/wsandbox/wsandbox/engine/vfs/memfs"
)

// TestOwner: what a user makes belongs to it, and to the group of a directory
// that hands its own down.
func TestOwner(t *testing.T) {
	m := memfs.New(memfs.Options{UID: 1000, GID: 1000})
	require.NoError(t, m.Add(
		memfs.Entry{Name: "tmp", Mode: abi.ModeDir | 0o1777}, memfs.Entry{Name: "shared", Mode: abi.ModeDir | abi.ModeSetgid | 0o777, GID: 50},
	))
	ns, err := vfs.NewNamespace(vfs.Mount{Path: "/", FS: m})
	require.NoError(t, err)
	for _, c := range []struct {
		cred *vfs.Cred
		gid  uint32
	}{{&vfs.Cred{UID: 2000, GID: 2001}, 2001}, {&vfs.Cred{UID: 1000, GID: 1000}, 1000}} {
		for _, dir := range []string{"/tmp/", "/shared/"} {
			at := vfs.At{Dir: "/", Cred: c.cred}
			name := dir + string(rune('a'+c.cred.UID/1000))
			f, _, err := ns.Open(at, name, abi.OWronly|abi.OCreat, 0o600)
			require.NoError(t, err)
			require.NoError(t, f.Close())
			require.NoError(t, ns.Mkdir(at, name+"d", 0o700))
			require.NoError(t, ns.Symlink("x", at, name+"l"))
			require.NoError(t, ns.Mkfifo(at, name+"f", 0o600))
			gid := c.gid
			if dir == "/shared/" {
				gid = 50
			}
			for _, s := range []string{"", "d", "l", "f"} {
				st, err := ns.Stat(at, name+s, false)
				require.NoError(t, err)
				require.Equal(t, []uint32{c.cred.UID, gid}, []uint32{st.UID, st.GID}, name+s)
			}
			// Making it again changes nothing.
			f, _, err = ns.Open(vfs.At{Dir: "/", Cred: c.cred}, name, abi.OWronly|abi.OCreat, 0o600)
			require.NoError(t, err)
			require.NoError(t, f.Close())
		}
	}
}

// enforcing is a file system whose system below checks permissions, for the user
// that runs the sandbox.
type enforcing struct{ *memfs.FS }

func (enforcing) EnforcesSearch() bool { return true }

// TestEnforcedForOne: what the system below allows its own user, it does not
// allow another user inside.
func TestEnforcedForOne(t *testing.T) {
	m := memfs.New(memfs.Options{UID: 1000, GID: 1000})
	require.NoError(t, m.Add(memfs.Entry{Name: "private", Mode: 0o600, UID: 1000, GID: 1000, Data: "x"}))
	ns, err := vfs.NewNamespace(vfs.Mount{Path: "/", FS: enforcing{m}})
	require.NoError(t, err)
	for uid, want := range map[uint32]error{vfs.HostUID: nil, 2000: abi.EACCES} {
		f, _, err := ns.Open(vfs.At{Dir: "/", Cred: &vfs.Cred{UID: uid, GID: uid}}, "/private", abi.ORdonly, 0)
		if want != nil {
			require.Equal(t, want, err)
			continue
		}
		require.NoError(t, err)
		require.NoError(t, f.Close())
	}
}
