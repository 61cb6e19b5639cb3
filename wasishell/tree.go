// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package wasishell

import (
	"sort"
	"strings"

	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/engine/vfs/memfs"
)

// The sandbox's user.
const (
	userName = "user"
	userID   = 1000
)

// baseTree fills the root file system: what is not a mount.
func baseTree(root *memfs.FS, c *Config, now int64) error {
	text := func(name, data string) memfs.Entry {
		return memfs.Entry{Name: name, Mode: 0o644, Data: data, Mtim: now}
	}
	dir := func(name string, mode abi.Mode, owner uint32) memfs.Entry {
		return memfs.Entry{Name: name, Mode: abi.ModeDir | mode, UID: owner, GID: owner, Mtim: now}
	}
	link := func(name, target string) memfs.Entry {
		return memfs.Entry{Name: name, Mode: abi.ModeSymlink, Target: target, Mtim: now}
	}
	users, groups := c.passwd()
	entries := []memfs.Entry{
		link("bin", "usr/bin"),
		dir("dev", 0o755, 0),
		dir("etc", 0o755, 0),
		text("etc/group", groups),
		text("etc/hostname", c.Hostname+"\n"),
		text("etc/hosts", "127.0.0.1\tlocalhost\n127.0.1.1\t"+c.Hostname+"\n"),
		text("etc/os-release", "NAME=wsandbox\nID=wsandbox\nPRETTY_NAME=wsandbox\n"),
		text("etc/passwd", users),
		text("etc/shells", "/bin/sh\n/bin/bash\n"),
		dir("home", 0o755, 0),
		dir("home/user", 0o755, userID),
		dir("proc", 0o555, 0),
		dir("root", 0o700, 0),
		dir("run", 0o755, 0),
		dir("tmp", 0o1777, 0),
		dir("usr/bin", 0o755, 0),
		dir("usr/local/bin", 0o755, 0),
		dir("var/tmp", 0o1777, 0),
		dir("workspace", 0o755, userID),
	}
	for _, u := range c.Users {
		e := dir(strings.TrimPrefix(u.Home, "/"), 0o755, u.UID)
		e.GID = u.GID
		entries = append(entries, e)
	}
	files := append([]File(nil), c.Files...)
	sort.SliceStable(files, func(i, j int) bool { return files[i].Path < files[j].Path })
	for _, f := range files {
		perm := abi.Mode(f.Perm) & abi.ModePerm
		if f.Perm == 0 {
			perm = 0o444
		}
		entries = append(entries, memfs.Entry{Name: strings.TrimPrefix(f.Path, "/"), Mode: perm, Data: string(f.Data), Mtim: now})
	}
	return root.Add(entries...)
}
