// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package wasishell_test

import (
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// raceTime is how long each race goes on. The races run beside each other.
func raceTime() time.Duration {
	if testing.Short() {
		return 1200 * time.Millisecond
	}
	return 10 * time.Second
}

// interfere runs f again and again until the returned function is called.
func interfere(f func()) (stop func()) {
	done := make(chan struct{})
	var wg sync.WaitGroup
	wg.Go(func() {
		for {
			select {
			case <-done:
				return
			default:
				f()
			}
		}
	})
	return func() { close(done); wg.Wait() }
}

// usesOfVictim is one round of all that can be done with a directory "victim",
// with the shell's own means for speed. What comes out is printed.
const usesOfVictim = `
	read -r x < victim/secret && echo "$x"
	read -r x < victim/dir/inner && echo "$x"
	read -r x < "victim/../outside/secret" && echo "$x"
	echo evil > victim/secret
	echo evil >> victim/new
	: > victim/dir/inner
	for f in victim/* victim/dir/*; do [ -e "$f" ] && echo "$f"; done
	cd victim && { read -r x < secret && echo "$x"; echo evil > new; for f in *; do echo "in $f"; done; cd /workspace; }
`

// TestAttackSwapByHost is B6 of the list: a directory that is a link out half of
// the time.
func TestAttackSwapByHost(t *testing.T) {
	t.Parallel()
	g := newTarget(t)
	require.NoError(t, os.MkdirAll(g.host("ws/victim/dir"), 0o755))
	g.hostLink("../outside", "evil")
	stop := interfere(func() {
		if err := unix.Renameat2(unix.AT_FDCWD, g.host("ws/victim"), unix.AT_FDCWD, g.host("ws/evil"), unix.RENAME_EXCHANGE); err != nil {
			t.Error(err)
		}
	})
	defer stop()
	cmd := g.sb.Shell(`{ while :; do ` + usesOfVictim + ` done; } 2> /dev/null & { while :; do cat victim/secret victim/dir/inner; ls -R victim/; cp -rL victim /tmp/c; rm -rf victim/empty victim/secret; chmod -R 700 victim; touch victim/secret; mkdir victim/m; mv victim/secret x; ln victim/secret y; done; } 2> /dev/null & wait`)
	cmd.Timeout = raceTime()
	o := g.run(cmd)
	require.NotZero(t, strings.Count(o.out, "in new"), "the race has taken place: %.500s", o.out)
	g.serves()
}

// TestAttackSwapByGuest is B6 of the list with two guests.
func TestAttackSwapByGuest(t *testing.T) {
	t.Parallel()
	g := newTarget(t)
	cmd := g.sb.Shell(`mkdir d; ln -s ../outside l; ln -s ` + g.host("outside") + ` a
		{ while :; do mv -T d victim; mv -T victim d; mv -T l victim; mv -T victim l; mv -T a victim; mv -T victim a; done; } 2> /dev/null &
		{ while :; do ` + usesOfVictim + ` done; } 2> /dev/null & wait`)
	cmd.Timeout = raceTime()
	g.run(cmd)
	g.serves()
}

// TestAttackParentMoved: the host moves the directory that the guest is in, or
// has open, out of the workspace and back.
func TestAttackParentMoved(t *testing.T) {
	t.Parallel()
	g := newTarget(t)
	require.NoError(t, os.MkdirAll(g.host("ws/p/q/r"), 0o755))
	require.NoError(t, os.Mkdir(g.host("elsewhere"), 0o755))
	g.before = g.outside()
	stop := interfere(func() {
		if err := os.Rename(g.host("ws/p/q"), g.host("elsewhere/q")); err != nil {
			t.Error(err)
		}
		if err := os.Rename(g.host("elsewhere/q"), g.host("ws/p/q")); err != nil {
			t.Error(err)
		}
	})
	defer stop()
	cmd := g.sb.Shell(`{ while cd /workspace/p; do
			cd q/r && { for p in ../.. ../../.. ../../../..; do read -r x < $p/outside/secret && echo "$x"; echo evil > $p/outside/new && echo made; for f in $p/outside/*; do [ -e "$f" ] && echo "$f"; done; done; pwd -P; }
			read -r x < q/r/../../../outside/secret && echo "$x"; echo evil > q/r/../../../outside/new; : > q/r/f
		done; } 2> /dev/null`)
	cmd.Timeout = raceTime()
	o := g.run(cmd)
	require.NotContains(t, o.out, "outside")
	require.NotContains(t, o.out, "made")
	require.Contains(t, o.out, "/workspace/p/q/r", "the race has taken place")
	es, err := os.ReadDir(g.host("elsewhere"))
	require.NoError(t, err)
	require.LessOrEqual(t, len(es), 1)
	g.serves()
}

// TestAttackWorkspaceReplaced: the host moves the workspace away and puts a link
// in its place. The sandbox stays with the directory it was given.
func TestAttackWorkspaceReplaced(t *testing.T) {
	g := newTarget(t)
	require.NoError(t, os.Rename(g.ws, g.host("moved")))
	require.NoError(t, os.Symlink("outside", g.ws))
	o := g.sh(`cat secret file; echo new > made; ls`)
	require.Equal(t, "cat: secret: No such file or directory\nin file\ndir\nfile\nmade\n", o.out)
	b, err := os.ReadFile(g.host("moved/made"))
	require.NoError(t, err)
	require.Equal(t, "new\n", string(b))
	require.NoError(t, os.Remove(g.ws))
	require.NoError(t, os.Rename(g.host("moved"), g.ws))
}
