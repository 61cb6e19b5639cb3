// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package wasishell_test

import (
	"os"
	"os/user"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wsandbox/wsandbox/wasishell"
)

// TestAttackEnvironment: nothing of the host's environment is visible.
func TestAttackEnvironment(t *testing.T) {
	const value = "value-of-the-host"
	t.Setenv("WSANDBOX_TEST_SECRET", value)
	t.Setenv("BASH_ENV", "/workspace/evil")
	t.Setenv("ENV", "/workspace/evil")
	t.Setenv("PS4", "$(echo "+value+")")
	t.Setenv("GOTRACEBACK", "crash")
	g := newTarget(t, func(c *wasishell.Config) { c.Env = []string{"GIVEN=1"} })
	require.NoError(t, os.WriteFile(g.host("ws/evil"), []byte("echo evil\n"), 0o755))
	o := g.sh(`printenv | sort; set; export; declare -p; cat /proc/*/environ /proc/self/environ; sh -c 'set'`)
	require.NotContains(t, o.out, value)
	require.NotContains(t, o.out, "WSANDBOX_TEST_SECRET")
	require.NotContains(t, o.out, "GOTRACEBACK")
	require.NotContains(t, o.out, "evil")

	o = g.run(g.sb.Command("printenv"))
	got := strings.Split(strings.TrimSuffix(o.out, "\n"), "\n")
	require.ElementsMatch(t, []string{
		"PATH=/usr/local/bin:/usr/bin:/bin", "HOME=/home/user", "USER=user", "LOGNAME=user", "SHELL=/bin/bash", "TERM=dumb", "LANG=C.UTF-8",
		"PWD=/workspace", "GIVEN=1",
	}, got)
}

// TestAttackHostFacts is L4 of the list: nothing names the host, its user or its
// paths, in no error and no file of /proc.
func TestAttackHostFacts(t *testing.T) {
	g := newTarget(t)
	g.hostLink("loop", "loop")
	o := g.sh(`
for f in $(find /proc /etc /dev -type f -o -type l | sort); do case $f in */kmsg|/dev/*) ;; *) echo "== $f"; cat $f 2>&1 | head -c 4000; readlink $f; esac; done
ls -laR /proc/self /proc/1 / /home 2>&1; df; df -h .; stat -f . ; stat . / /mnt/ro; mount; hostname; uname -a; id; whoami; groups; ps; realpath . ../ws /mnt/rw/../ro; readlink -f loop file; pwd -P; cd /mnt/rw/; pwd -P; find . -printf '%p %P %h %l\n'
cat nothing /mnt/ro/nothing loop file/x; ls /mnt/ro/nothing; mkdir /mnt/ro/x file/x; cp /mnt/ro/dir file; mv nothing x; ./file; . ./nothing; exec 9< nothing; cd nothing; rmdir dir; ln file /mnt/ro/x; chmod 1 /mnt/ro/file; /workspace/file; type nothing
`)
	host, err := os.Hostname()
	require.NoError(t, err)
	secrets := []string{os.TempDir() + "/Test", "wasishell.test", "/.cache", "go-build"}
	if len(host) > 3 { // else it may well be a word of the output
		secrets = append(secrets, host)
	}
	if u, err := user.Current(); err == nil && len(u.Username) > 3 && !slices.Contains([]string{"root", "user", "nobody"}, u.Username) { // those are names inside too
		secrets = append(secrets, u.Username)
	}
	for _, s := range secrets {
		require.NotContains(t, o.out, s)
	}
	require.Contains(t, o.out, "/workspace", "the script has done something")

	// Errors of the library name what the caller gave, and no more.
	for _, c := range []*wasishell.Cmd{
		g.sb.Command("nothing"), g.sb.Command("./nothing"), g.sb.Command("./file"), g.sb.Command("/workspace"), g.sb.Command("loop/x"), g.sb.Command(""),
		{}, g.sb.Command("../outside/secret"), g.sb.Command("cat\x00"),
	} {
		o := g.run(c)
		require.Error(t, o.err, "%q", c.Args)
	}
	c := g.sb.Command("pwd")
	c.Dir = "../outside"
	require.Error(t, g.run(c).err)
}
