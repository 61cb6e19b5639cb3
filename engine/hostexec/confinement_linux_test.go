// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package hostexec

import (
	"net"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func needFiles(t *testing.T) {
	t.Helper()
	if r := Support(); !r.Files {
		t.Skip("no confinement on this kernel: " + strings.Join(r.Missing, "; "))
	}
}

// canary is a directory beside the workspace with a file whose content must not
// come out.
func canary(t *testing.T) (workspace, secret string) {
	t.Helper()
	top := tempDir(t)
	workspace = filepath.Join(top, "workspace")
	require.NoError(t, os.Mkdir(workspace, 0o755))
	secret = filepath.Join(top, "secret")
	require.NoError(t, os.WriteFile(secret, []byte("CANARY"), 0o644))
	require.NoError(t, os.Symlink(secret, filepath.Join(workspace, "link")))
	return workspace, secret
}

func TestConfinedFiles(t *testing.T) {
	needFiles(t)
	workspace, secret := canary(t)
	library := filepath.Join(filepath.Dir(workspace), "library")
	require.NoError(t, os.Mkdir(library, 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(library, "data"), []byte("DATA"), 0o644))
	require.NoError(t, os.WriteFile(filepath.Join(library, "tool"), []byte("#!"+sh(t)+"\necho TOOL\n"), 0o755))
	for _, tt := range []struct{ name, script, want string }{
		{"read outside", `cat "$SECRET"`, ""},
		{"read through a link", `cat link`, ""},
		{"list outside", `ls ..`, ""},
		{"a hard link to it", `ln "$SECRET" hard && cat hard`, ""},
		{"rename it in", `mv "$SECRET" here && cat here`, ""},
		{"truncate outside", `: > "$SECRET"`, ""},
		{"append outside", `echo x >> "$SECRET"`, ""},
		{"create outside", `echo x > ../new`, ""},
		{"remove outside", `rm -f "$SECRET"`, ""},
		{"directory outside", `mkdir ../newdir`, ""},
		{"through the parent's root", `cat /proc/` + strconv.Itoa(os.Getpid()) + `/root"$SECRET"`, ""},
		{"the parent's environment", `tr '\0' '\n' < /proc/` + strconv.Itoa(os.Getpid()) + `/environ | grep -q . && echo LEAK`, ""},
		{"the parent's descriptors", `readlink /proc/` + strconv.Itoa(os.Getpid()) + `/fd/0`, ""},
		{"the parent's memory", `cat /proc/` + strconv.Itoa(os.Getpid()) + `/maps`, ""},
		{"shadow", `cat /etc/shadow`, ""},
		{"home", `ls /root /home`, ""},
		{"write to the system", `echo x > /usr/hostexec-test && echo WROTE`, ""},
		{"device node", `mknod node c 1 3 && echo MADE`, ""},
		{"in the workspace", `echo a > f && mkdir -p d/e && mv f d/e/g && cat d/e/g && rm -r d && echo ok`, "a\nok\n"},
		{"devices", `echo x > /dev/null && head -c 4 /dev/zero | wc -c | tr -d ' '`, "4\n"},
		{"read-only grant", `cat ../library/data; ../library/tool; echo x > ../library/data; echo x > ../library/new; cat ../library/data`, "DATATOOL\nDATA"},
		{"signal the parent", `kill -0 ` + strconv.Itoa(os.Getpid()) + ` && echo LEAK`, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if tt.name == "signal the parent" && !Support().Signals {
				t.Skip("no signal scope")
			}
			out := newBuffer()
			c := script(t, tt.script)
			c.Env = append(c.Env, "SECRET="+secret)
			c.Dir, c.Stdout = workspace, out
			c.Confine = &Confinement{Require: true, ReadWrite: []string{workspace}, ReadOnly: []string{library}}
			p, err := Start(t.Context(), c)
			require.NoError(t, err)
			require.True(t, p.Confined().Files)
			_, err = wait(t, p)
			require.NoError(t, err)
			require.Equal(t, tt.want, out.String())
			text, err := os.ReadFile(secret)
			require.NoError(t, err)
			require.Equal(t, "CANARY", string(text))
		})
	}
	names, err := os.ReadDir(filepath.Dir(workspace))
	require.NoError(t, err)
	require.Len(t, names, 3, "nothing new outside")
	// The canary is one: unconfined, it is read.
	c := script(t, `cat "$SECRET"`)
	c.Env = append(c.Env, "SECRET="+secret)
	out, _, err := run(t, c)
	require.NoError(t, err)
	require.Equal(t, "CANARY", out)
}

func TestConfinedTerminal(t *testing.T) {
	needFiles(t)
	c := script(t, `stty size && echo x > /dev/tty && echo y > "$(readlink /proc/self/fd/0)" && echo ok; sleep 0.2`)
	c.Winsize = &Winsize{11, 22}
	c.Confine = &Confinement{Require: true}
	out, _, err := run(t, c)
	require.NoError(t, err)
	require.Equal(t, "11 22\r\nx\r\ny\r\nok\r\n", out)
}

// TestConfinedNetwork has a test program of its own: no usual tool makes all
// these sockets.
func TestConfinedNetwork(t *testing.T) {
	needFiles(t)
	if !Support().Network {
		t.Skip("network cannot be taken here")
	}
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	defer listener.Close()
	dir := tempDir(t)
	local, err := net.Listen("unix", filepath.Join(dir, "socket"))
	require.NoError(t, err)
	defer local.Close()
	c := Cmd{Path: self(t), Args: []string{"hostexec", "hostexec-dial", listener.Addr().String(), filepath.Join(dir, "socket")}}
	out, _, err := run(t, c)
	require.NoError(t, err)
	require.Equal(t, "tcp ok\nudp ok\nunix ok\nlisten ok\nabstract ok\npair ok\n", out, "unconfined")

	c.Confine = &Confinement{Require: true, ReadWrite: []string{dir}, Network: true}
	out, _, err = run(t, c)
	require.NoError(t, err)
	require.Contains(t, out, "tcp ok\nudp ok\nunix ok\nlisten ok\n", "network left")

	c.Confine = &Confinement{Require: true, ReadWrite: []string{dir}}
	out, _, err = run(t, c)
	require.NoError(t, err)
	require.Equal(t, "tcp no\nudp no\nunix no\nlisten no\nabstract no\npair ok\n", out, "confined")
}

func TestConfinedCapabilities(t *testing.T) {
	needFiles(t)
	c := script(t, "grep Cap /proc/self/status")
	c.Confine = &Confinement{Require: true}
	out, _, err := run(t, c)
	require.NoError(t, err)
	for line := range strings.Lines(out) {
		name, value, _ := strings.Cut(strings.TrimSpace(line), ":")
		set, err := strconv.ParseUint(strings.TrimSpace(value), 16, 64)
		require.NoError(t, err)
		if name != "CapBnd" || os.Getuid() == 0 {
			require.Zero(t, set&^kept, name)
		}
	}
}

func TestRequireFailsClosed(t *testing.T) {
	for _, tt := range []struct {
		abi     int
		seccomp bool
		network bool
		ok      bool
	}{
		{0, true, false, false},
		{0, true, true, false},
		{2, true, false, false}, // files outside could be emptied
		{3, true, false, true},
		{3, false, false, false},
		{3, false, true, true},
		{7, true, false, true},
		{7, false, false, false},
		{11, false, false, false},
	} {
		r := report(tt.abi, tt.seccomp, tt.network)
		err := (&Confinement{Require: true, Network: tt.network}).require(r)
		if tt.ok {
			require.NoError(t, err, tt)
		} else {
			require.ErrorIs(t, err, ErrConfinement, tt)
			require.NotEmpty(t, r.Missing, tt)
		}
		require.NoError(t, (&Confinement{Network: tt.network}).require(r), "without Require it is only reported")
	}
	require.Equal(t, "no confinement", report(0, false, false).String())
	require.Equal(t, "landlock+seccomp (ABI 7): files, network, signals", report(7, true, false).String())
	require.Equal(t, "landlock (ABI 4): files", report(4, true, true).String())
}

func TestPrivileges(t *testing.T) {
	for _, tt := range []struct {
		privileges bool
		want       string
	}{{false, "NoNewPrivs:\t1\n"}, {true, "NoNewPrivs:\t0\n"}} {
		if !tt.privileges && !Support().Tree {
			continue
		}
		c := script(t, "grep NoNewPrivs /proc/self/status")
		c.Privileges = tt.privileges
		out, _, err := run(t, c)
		require.NoError(t, err)
		require.Equal(t, tt.want, out)
	}
	_, err := Start(t.Context(), Cmd{Path: sh(t), Dir: tempDir(t), Privileges: true, Confine: &Confinement{}})
	require.ErrorIs(t, err, ErrInvalid)
}
