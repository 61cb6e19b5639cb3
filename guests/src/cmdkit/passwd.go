// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package cmdkit

import (
	"strconv"

	"github.com/wsandbox/wsandbox/guests/src/wsys"
)

// User is an entry of /etc/passwd.
type User struct {
	Name              string
	UID, GID          uint32
	Gecos, Dir, Shell string
}

// Group is an entry of /etc/group.
type Group struct {
	Name    string
	GID     uint32
	Members []string
}

var (
	users, groups             []byte
	usersLoaded, groupsLoaded bool
)

// fields calls f with the fields of each line of a colon-separated file until f
// returns true.
func fields(b []byte, f func(v [][]byte) bool) {
	var v [8][]byte
	for len(b) > 0 {
		i := indexByte(b, '\n')
		line := b
		if i >= 0 {
			line, b = b[:i], b[i+1:]
		} else {
			b = nil
		}
		n := 0
		for n < len(v)-1 {
			i := indexByte(line, ':')
			if i < 0 {
				break
			}
			v[n], line = line[:i], line[i+1:]
			n++
		}
		v[n] = line
		if n >= 2 && f(v[:n+1]) {
			return
		}
	}
}

func id(b []byte) (uint32, bool) {
	v, err := strconv.ParseUint(string(b), 10, 32)
	return uint32(v), err == nil
}

func findUser(match func(name []byte, uid uint32) bool) (u User, found bool) {
	if !usersLoaded {
		users, _ = wsys.ReadFile("/etc/passwd")
		usersLoaded = true
	}
	fields(users, func(v [][]byte) bool {
		if len(v) < 4 {
			return false
		}
		uid, ok1 := id(v[2])
		gid, ok2 := id(v[3])
		if !ok1 || !ok2 || !match(v[0], uid) {
			return false
		}
		u, found = User{Name: string(v[0]), UID: uid, GID: gid}, true
		if len(v) >= 7 {
			u.Gecos, u.Dir, u.Shell = string(v[4]), string(v[5]), string(v[6])
		}
		return true
	})
	return
}

func findGroup(match func(name []byte, gid uint32) bool) (g Group, found bool) {
	EachGroup(func(name []byte, gid uint32, members []byte) bool {
		if !match(name, gid) {
			return false
		}
		g, found = Group{Name: string(name), GID: gid, Members: split(string(members), ',')}, true
		return true
	})
	return
}

// EachGroup calls f with every entry of /etc/group until f returns true.
// members are the names with commas between them.
func EachGroup(f func(name []byte, gid uint32, members []byte) bool) {
	if !groupsLoaded {
		groups, _ = wsys.ReadFile("/etc/group")
		groupsLoaded = true
	}
	fields(groups, func(v [][]byte) bool {
		gid, ok := id(v[2])
		if !ok {
			return false
		}
		var m []byte
		if len(v) > 3 {
			m = v[3]
		}
		return f(v[0], gid, m)
	})
}

func split(s string, sep byte) []string {
	var l []string
	for s != "" {
		i := 0
		for i < len(s) && s[i] != sep {
			i++
		}
		l = append(l, s[:i])
		if i < len(s) {
			i++
		}
		s = s[i:]
	}
	return l
}

// UserByID finds a user of /etc/passwd.
func UserByID(uid uint32) (User, bool) {
	return findUser(func(_ []byte, u uint32) bool { return u == uid })
}

// UserByName finds a user of /etc/passwd.
func UserByName(name string) (User, bool) {
	return findUser(func(n []byte, _ uint32) bool { return string(n) == name })
}

// GroupByID finds a group of /etc/group.
func GroupByID(gid uint32) (Group, bool) {
	return findGroup(func(_ []byte, g uint32) bool { return g == gid })
}

// GroupByName finds a group of /etc/group.
func GroupByName(name string) (Group, bool) {
	return findGroup(func(n []byte, _ uint32) bool { return string(n) == name })
}

// Names remembers the names of the numbers it was asked for.
type Names struct {
	uids, gids []numName
}

type numName struct {
	id   uint32
	name string
}

// User returns the name of a user, or the number where it has none.
func (c *Names) User(uid uint32) string {
	for i := range c.uids {
		if c.uids[i].id == uid {
			return c.uids[i].name
		}
	}
	name := ""
	if u, ok := UserByID(uid); ok {
		name = u.Name
	} else {
		name = strconv.FormatUint(uint64(uid), 10)
	}
	c.uids = append(c.uids, numName{uid, name})
	return name
}

// Group returns the name of a group, or the number where it has none.
func (c *Names) Group(gid uint32) string {
	for i := range c.gids {
		if c.gids[i].id == gid {
			return c.gids[i].name
		}
	}
	name := ""
	if g, ok := GroupByID(gid); ok {
		name = g.Name
	} else {
		name = strconv.FormatUint(uint64(gid), 10)
	}
	c.gids = append(c.gids, numName{gid, name})
	return name
}
