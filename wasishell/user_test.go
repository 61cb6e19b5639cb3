// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package wasishell_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/wasishell"
)

func TestUsers(t *testing.T) {
	sb, err := wasishell.New(t.Context(), wasishell.Config{Runtime: sharedRuntime(t), Users: []wasishell.User{
		{Name: "agent", UID: 2000, GID: 2000, Groups: []wasishell.Group{{Name: "staff", GID: 50}}},
		{Name: "peer", UID: 2001, GID: 1000, Groups: []wasishell.Group{{Name: "staff", GID: 50}}, Home: "/srv/peer"},
	}})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, sb.Close()) })
	run := func(user, script string) string {
		cmd := sb.Shell(script)
		cmd.User = user
		out, err := cmd.CombinedOutput(t.Context())
		require.NoError(t, err, "%s", out)
		return string(out)
	}
	for _, c := range []struct{ user, script, want string }{
		{"", "id; echo $HOME $USER; cat /etc/group", "uid=1000(user) gid=1000(user) groups=1000(user)\n/home/user user\nroot:x:0:\nuser:x:1000:\nagent:x:2000:\nstaff:x:50:agent,peer\nnogroup:x:65534:\n"},
		{"user", "id -un", "user\n"},
		{"agent", "id; echo $HOME $USER $LOGNAME; ls -ld ~ | cut -d ' ' -f 1-4", "uid=2000(agent) gid=2000(agent) groups=2000(agent),50(staff)\n/home/agent agent agent\ndrwxr-xr-x 2 agent agent\n"},
		{"peer", "id; cd; pwd", "uid=2001(peer) gid=1000(user) groups=1000(user),50(staff)\n/srv/peer\n"},
		// What one makes is its own, and bits count for the others.
		{"agent", "umask 027; echo x > /tmp/f; mkdir /tmp/d; ln -s f /tmp/l; chgrp staff /tmp/f; stat -c '%U %G %a' /tmp/f /tmp/d /tmp/l; ( chown peer /tmp/f ) 2>&1 || echo refused", "agent staff 640\nagent agent 750\nagent agent 777\nchown: changing ownership of '/tmp/f': Operation not permitted\nrefused\n"},
		{"peer", "cat /tmp/f; echo y 2> /dev/null >> /tmp/f || echo no write; ls /tmp/d 2> /dev/null || echo no list; rm -f /tmp/f 2> /dev/null || echo sticky", "x\nno write\nno list\nsticky\n"},
		{"", "cat /tmp/f 2> /dev/null || echo no read; echo x 2> /dev/null > /home/agent/x || echo not mine", "no read\nnot mine\n"},
		{"agent", "for f in /proc/self/status; do grep -c . $f > /dev/null && echo ok; done", "ok\n"},
	} {
		require.Equal(t, c.want, run(c.user, c.script), "%s: %s", c.user, c.script)
	}
	cmd := sb.Shell("true")
	cmd.User = "nobody-here"
	require.ErrorIs(t, cmd.Run(t.Context()), wasishell.ErrNoUser)

	// A directory that a user may not enter.
	require.Equal(t, "", run("agent", "mkdir -m 700 /tmp/own"))
	cmd = sb.Shell("pwd")
	cmd.User, cmd.Dir = "peer", "/tmp/own"
	err = cmd.Run(t.Context())
	require.ErrorIs(t, err, wasishell.ErrNoDir)
	require.ErrorIs(t, err, abi.EACCES)
}

func TestUsersCheck(t *testing.T) {
	sharedRuntime(t)
	for _, c := range []struct {
		users []wasishell.User
		want  string
	}{
		{[]wasishell.User{{Name: "root", UID: 5, GID: 5}}, "another has its name"},
		{[]wasishell.User{{Name: "a", UID: 0, GID: 5}}, "a number that is not 0"},
		{[]wasishell.User{{Name: "a", UID: 5, GID: 0}}, "a number that is not 0"},
		{[]wasishell.User{{Name: "a", UID: 1000, GID: 5}}, "another has its name or number"},
		{[]wasishell.User{{Name: "a", UID: 5, GID: 5}, {Name: "a", UID: 6, GID: 6}}, "another has its name or number"},
		{[]wasishell.User{{Name: "a", UID: 5, GID: 5}, {Name: "b", UID: 6, GID: 5}}, "another has its name or number"},
		{[]wasishell.User{{Name: "a", UID: 5, GID: 5, Groups: []wasishell.Group{{Name: "g", GID: 7}, {Name: "g", GID: 8}}}}, "another has its name or number"},
		{[]wasishell.User{{Name: "a", UID: 5, GID: 5, Groups: []wasishell.Group{{Name: "wheel", GID: 0}}}}, "a number that is not 0"},
		{[]wasishell.User{{Name: "", UID: 5, GID: 5}}, "want a name"},
		{[]wasishell.User{{Name: "A", UID: 5, GID: 5}}, "want a name"},
		{[]wasishell.User{{Name: "a:b", UID: 5, GID: 5}}, "want a name"},
		{[]wasishell.User{{Name: "a\nroot", UID: 5, GID: 5}}, "want a name"},
		{[]wasishell.User{{Name: "a", UID: 5, GID: 5, Home: "rel"}}, "no clean absolute path"},
		{[]wasishell.User{{Name: "a", UID: 5, GID: 5, Home: "/a:b"}}, "no clean absolute path"},
		{[]wasishell.User{{Name: "a", UID: 5, GID: 5, Home: "/home/../root"}}, "no clean absolute path"},
	} {
		_, err := wasishell.New(t.Context(), wasishell.Config{Runtime: shared.rt, Users: c.users})
		require.ErrorContains(t, err, c.want, "%+v", c.users)
	}
}
