// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package wasishell

import (
	"fmt"
	"path"
	"strconv"
	"strings"

	"github.com/wsandbox/wsandbox/engine/vfs"
)

// User is a user inside a sandbox, besides the sandbox's own, whose name is
// "user" and whose numbers are 1000. It has nothing to do with those of the
// host: files of the host's user belong to 1000, others to 65534, and another
// user has the rights that their permission bits give to others.
type User struct {
	// Name has lower-case letters, digits, "_" and "-", and begins with a
	// letter or "_".
	Name string
	// UID and GID are not 0, and not those of another user.
	UID, GID uint32
	// Groups are further groups.
	Groups []Group
	// Home is the home directory, which is made: /home/NAME where empty.
	Home string
}

// Group is a group inside a sandbox.
type Group struct {
	Name string // as that of a User
	GID  uint32 // not 0
}

// reserved are the users and groups of every sandbox.
var reserved = map[string]uint32{"root": 0, userName: userID, "nobody": 65534, "nogroup": 65534}

// checkUsers validates the users and fills in the defaults.
func (c *Config) checkUsers() error {
	c.Users = append([]User(nil), c.Users...)
	names, uids := map[string]bool{}, map[uint32]bool{0: true, userID: true, 65534: true}
	groups := map[string]uint32{}
	gids := map[uint32]string{}
	for name, id := range reserved {
		names[name] = true
		groups[name], gids[id] = id, name
	}
	group := func(g Group) error {
		if !validName(g.Name) || g.GID == 0 || g.GID == ^uint32(0) {
			return fmt.Errorf("group %q (%d): want a name of lower-case letters, digits, _ and -, and a number that is not 0", g.Name, g.GID)
		}
		id, known := groups[g.Name]
		if name, taken := gids[g.GID]; known && id != g.GID || taken && name != g.Name {
			return fmt.Errorf("group %q (%d): another has its name or number", g.Name, g.GID)
		}
		groups[g.Name], gids[g.GID] = g.GID, g.Name
		return nil
	}
	for i := range c.Users {
		u := &c.Users[i]
		if !validName(u.Name) || u.UID == 0 || u.UID == ^uint32(0) {
			return fmt.Errorf("user %q (%d): want a name of lower-case letters, digits, _ and -, and a number that is not 0", u.Name, u.UID)
		}
		if names[u.Name] || uids[u.UID] {
			return fmt.Errorf("user %q (%d): another has its name or number", u.Name, u.UID)
		}
		names[u.Name], uids[u.UID] = true, true
		if u.GID != userID {
			if err := group(Group{u.Name, u.GID}); err != nil {
				return err
			}
		}
		for _, g := range u.Groups {
			if err := group(g); err != nil {
				return err
			}
		}
		if u.Home == "" {
			u.Home = "/home/" + u.Name
		}
		if !path.IsAbs(u.Home) || path.Clean(u.Home) != u.Home || strings.ContainsAny(u.Home, ":\n\x00") {
			return fmt.Errorf("user %q: home directory %q is no clean absolute path", u.Name, u.Home)
		}
	}
	return nil
}

func validName(s string) bool {
	for i, r := range s {
		if (r < 'a' || r > 'z') && r != '_' && (i == 0 || (r < '0' || r > '9') && r != '-') {
			return false
		}
	}
	return s != "" && len(s) <= 32
}

// passwd returns the contents of /etc/passwd and /etc/group.
func (c *Config) passwd() (users, groups string) {
	users = "root:x:0:0:root:/root:/bin/sh\nuser:x:1000:1000:user:" + homeDir + ":/bin/bash\n"
	type entry struct {
		name    string
		members []string
	}
	ids := []uint32{0, userID}
	byID := map[uint32]*entry{0: {name: "root"}, userID: {name: userName}}
	add := func(name string, gid uint32) *entry {
		e := byID[gid]
		if e == nil {
			e = &entry{name: name}
			byID[gid], ids = e, append(ids, gid)
		}
		return e
	}
	for _, u := range c.Users {
		users += u.Name + ":x:" + id(u.UID) + ":" + id(u.GID) + ":" + u.Name + ":" + u.Home + ":/bin/bash\n"
		add(u.Name, u.GID)
		for _, g := range u.Groups {
			e := add(g.Name, g.GID)
			e.members = append(e.members, u.Name)
		}
	}
	add("nogroup", 65534)
	for _, gid := range ids {
		e := byID[gid]
		groups += e.name + ":x:" + id(gid) + ":" + strings.Join(e.members, ",") + "\n"
	}
	return users + "nobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin\n", groups
}

func id(n uint32) string { return strconv.FormatUint(uint64(n), 10) }

// account returns the rights of a user and what its environment says of it.
func (s *Sandbox) account(name string) (*vfs.Cred, []string, error) {
	if name == "" || name == userName {
		return s.cred, nil, nil
	}
	for _, u := range s.cfg.Users {
		if u.Name != name {
			continue
		}
		cred := &vfs.Cred{UID: u.UID, GID: u.GID}
		for _, g := range u.Groups {
			cred.Groups = append(cred.Groups, g.GID)
		}
		return cred, []string{"HOME=" + u.Home, "USER=" + u.Name, "LOGNAME=" + u.Name}, nil
	}
	return nil, nil, fmt.Errorf("%w: %q", ErrNoUser, name)
}
