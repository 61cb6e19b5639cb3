// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package wasishell_test

import (
	"fmt"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wsandbox/wsandbox/engine/abi"
)

// TestAttackLinks is B of the list. That links made by the host lead nowhere is
// in TestAttackEveryUse.
func TestAttackLinks(t *testing.T) {
	runAttacks(t, []attack{
		{
			name: "B1 loops made by the host",
			host: func(g *target) { g.hostLink("loop", "loop"); g.hostLink("b", "a"); g.hostLink("a", "b") },
			script: `for l in loop a; do cat $l; echo x > $l; stat -L $l > /dev/null; cd $l; test -e $l && echo exists; readlink $l; done 2>&1
				rm loop a b; ls`,
			out: "cat: loop: Too many levels of symbolic links\nbash: line 1: loop: Too many levels of symbolic links\n" +
				"stat: cannot statx 'loop': Too many levels of symbolic links\nbash: line 1: cd: loop: Too many levels of symbolic links\nloop\n" +
				"cat: a: Too many levels of symbolic links\nbash: line 1: a: Too many levels of symbolic links\n" +
				"stat: cannot statx 'a': Too many levels of symbolic links\nbash: line 1: cd: a: Too many levels of symbolic links\nb\n" +
				"dir\nfile\n",
		},
		{
			name: "B2 links made by the guest",
			script: `ln -s ../outside/secret s; ln -s ../outside d; ln -s ../../../../../../../../outside/secret far
				cat s far d/secret; echo x > s; echo x >> far; truncate -s 0 s; truncate -s 0 d/secret; chmod 777 d/secret; touch -c s; touch d/secret
				mv d/secret x; mv file d/secret; rm d/secret; mkdir d/new; ls d/; rmdir d/empty
				rm s d far; ls`,
			out: "cat: s: No such file or directory\ncat: far: No such file or directory\ncat: d/secret: No such file or directory\n" +
				"bash: line 2: s: No such file or directory\nbash: line 2: far: No such file or directory\n" +
				"truncate: cannot open 's' for writing: No such file or directory\n" +
				"truncate: cannot open 'd/secret' for writing: No such file or directory\n" +
				"chmod: cannot access 'd/secret': No such file or directory\ntouch: cannot touch 'd/secret': No such file or directory\n" +
				"mv: cannot stat 'd/secret': No such file or directory\nmv: cannot move 'file' to 'd/secret': No such file or directory\n" +
				"rm: cannot remove 'd/secret': No such file or directory\n" +
				"mkdir: cannot create directory 'd/new': No such file or directory\nls: cannot access 'd/': No such file or directory\n" +
				"rmdir: failed to remove 'd/empty': No such file or directory\ndir\nfile\n",
		},
		{
			name:   "B3 trailing slashes",
			host:   func(g *target) { g.hostLink("../outside/", "slash"); g.hostLink("../outside/secret/", "file slash") },
			script: `cat slash/secret slash//secret 'file slash' 'file slash/'; ls slash slash/ slash/. ; echo > slash/; mkdir slash/; rmdir slash/empty/; rm -r slash/`,
			out: "cat: slash/secret: No such file or directory\ncat: slash//secret: No such file or directory\n" +
				"cat: 'file slash': No such file or directory\ncat: 'file slash/': No such file or directory\n" +
				"ls: cannot access 'slash/': No such file or directory\nls: cannot access 'slash/.': No such file or directory\nslash\n" +
				"bash: line 1: slash/: Is a directory\nmkdir: cannot create directory 'slash/': File exists\n" +
				"rmdir: failed to remove 'slash/empty/': No such file or directory\n" +
				"rm: cannot remove 'slash/': No such file or directory\n",
			code: 1,
		},
		{
			name: "B5 links as the target of rename and link",
			host: func(g *target) {
				g.hostLink("../outside/secret", "t")
				g.hostLink("../outside/new", "n")
				g.hostLink("../outside", "d")
			},
			script: `mv file d/; mv -T file d && echo moved over the link; cat d; ln d n; ln -s x n; ln -f d t; cat t; mv t n; ls`,
			out: "mv: cannot move 'file' to 'd/': Not a directory\nmoved over the link\nin file\n" +
				"ln: failed to create hard link 'n': File exists\nln: failed to create symbolic link 'n': File exists\nin file\n" +
				"d\ndir\nn\n",
		},
		{
			name: "B7 creation through a dangling link",
			host: func(g *target) {
				g.hostLink("../outside/new", "dangling")
				g.hostLink(g.host("outside/new"), "abs")
				g.hostLink("dangling", "chain")
			},
			script: `for l in dangling abs chain; do echo x > $l; echo x >> $l; touch $l; cp file $l; tee $l < file > /dev/null; mkdir $l; done 2>&1 | grep -c 'No such file\|File exists\|dangling symlink'; cp -r dir abs/`,
			out:    "18\ncp: cannot create directory 'abs/': File exists\n",
			code:   1,
		},
		{
			name: "B8 long chains",
			script: `for i in {1..41}; do ln -s l$((i-1)) l$i; done; echo end > l0; cat l40; cat l41; echo x > l41; cd /tmp
				for i in {1..41}; do ln -s d$((i-1)) d$i; done; mkdir d0; cd d40 && pwd; cd /tmp; cd d41`,
			out: "end\ncat: l41: Too many levels of symbolic links\nbash: line 1: l41: Too many levels of symbolic links\n/tmp/d40\n" +
				"bash: line 2: cd: d41: Too many levels of symbolic links\n",
			code: 1,
		},
		{
			name: "B9 links that stay inside work",
			host: func(g *target) { g.hostLink("../ws/file", "via the host's name") },
			script: `mkdir -p node_modules/.bin node_modules/.pnpm/a@1/node_modules/a a/b; echo 'echo a "$@"' > node_modules/.pnpm/a@1/node_modules/a/cli; chmod +x node_modules/.pnpm/a@1/node_modules/a/cli
				ln -s .pnpm/a@1/node_modules/a node_modules/a; ln -s ../a/cli node_modules/.bin/a; node_modules/.bin/a 1 2
				ln -s ../../file a/b/up; cat a/b/up; ln -s /workspace/file abs; cat abs; ln -s . self; cat self/self/self/file; ln -s a/b/../../dir d; ls d/; echo new > d/made; cat dir/made
				ln -s ../../../../../workspace/file over; cat over; cat "via the host's name"`,
			out:  "a 1 2\nin file\nin file\nin file\ninner\nnew\nin file\ncat: \"via the host's name\": No such file or directory\n",
			code: 1,
		},
		{
			name:   "B links in /proc and /dev",
			script: `cat /proc/self/root/etc/hostname /proc/self/cwd/file; ls /proc/self/fd/../root/../; readlink /proc/self/exe /proc/self/cwd /proc/self/root /proc/1/cwd; ls -L /proc/self/fd/0 2>&1; cat /proc/1/mem /proc/kcore /proc/self/mem /proc/self/maps /proc/sys/kernel/hostname`,
			out: "wsandbox\nin file\nbin\ndev\netc\nhome\nmnt\nproc\nroot\nrun\ntmp\nusr\nvar\nworkspace\n/usr/bin/readlink\n/workspace\n/\n/\n/proc/self/fd/0\n" +
				"cat: /proc/1/mem: No such file or directory\ncat: /proc/kcore: No such file or directory\ncat: /proc/self/mem: No such file or directory\n" +
				"cat: /proc/self/maps: No such file or directory\ncat: /proc/sys/kernel/hostname: No such file or directory\n",
			code: 1,
		},
	})
}

// TestAttackNoFollow is B8 at the host functions.
func TestAttackNoFollow(t *testing.T) {
	g := newTarget(t)
	g.hostLink("file", "inside")
	g.hostLink("../outside/secret", "outside")
	g.hostLink("dir", "dirlink")
	r := g.remote()
	for _, c := range []struct {
		path           string
		lookup, oflags uint64
		want           abi.Errno
	}{
		{"inside", 0, 0, abi.ELOOP},
		{"inside", followLinks, 0, 0},
		{"inside", 0, oflagTrunc, abi.ELOOP},
		{"inside", 0, oflagCreat | oflagExcl, abi.EEXIST},
		{"outside", 0, 0, abi.ELOOP},
		{"outside", followLinks, 0, abi.ENOENT},
		{"outside", followLinks, oflagCreat, abi.ENOENT},
		{"outside", followLinks, oflagCreat | oflagExcl, abi.EEXIST},
		{"outside", followLinks, oflagTrunc, abi.ENOENT},
		{"dirlink/inner", 0, 0, 0}, // only the last component
		{"dirlink", 0, oflagDir, abi.ENOTDIR},
		{"dirlink/", 0, oflagDir, 0},
		{"file/", 0, 0, abi.ENOTDIR},
	} {
		fd, e := r.open(c.path, c.lookup, c.oflags, rightRead, 0)
		if c.want == abi.ENOTDIR && e == abi.ELOOP {
			e = abi.ENOTDIR // either is right for a link that is not followed
		}
		require.Equal(t, c.want, e, "open %q, lookup %d, flags %d", c.path, c.lookup, c.oflags)
		if e == 0 {
			require.Zero(t, r.call("fd_close", fd))
		}
	}
}

// TestAttackHardLinkByHost is C2: who may write to the workspace from outside
// may put a file there, by a link as well. It is that file, and no way further.
func TestAttackHardLinkByHost(t *testing.T) {
	g := newTarget(t)
	require.NoError(t, os.WriteFile(g.host("linked"), []byte("linked"), 0o644))
	g.before = g.outside()
	if err := os.Link(g.host("linked"), g.host("ws/hard")); err != nil {
		t.Skip(err)
	}
	o := g.sh(`cat hard; echo; stat -c %h hard; rm hard; ls`)
	require.Equal(t, "linked\n2\ndir\nfile\n", o.out)
	b, err := os.ReadFile(g.host("linked"))
	require.NoError(t, err)
	require.Equal(t, "linked", string(b))
}

// TestAttackRename is C of the list but for overlays, which there are none of.
func TestAttackRename(t *testing.T) {
	ro := func(l string) string { return l + ": Read-only file system\n" }
	runAttacks(t, []attack{
		{
			name:   "C1 from a read-only mount",
			script: `ln /mnt/ro/file h; ln /mnt/ro/file /mnt/rw/h; ln /mnt/ro/file /mnt/ro/h; mv /mnt/ro/file /mnt/ro/g; ln file /mnt/ro/h; mv file /mnt/ro/new; ls; ls /mnt/rw /mnt/ro`,
			out: "ln: failed to create hard link 'h' => '/mnt/ro/file': Invalid cross-device link\n" +
				"ln: failed to create hard link '/mnt/rw/h' => '/mnt/ro/file': Invalid cross-device link\n" +
				ro("ln: failed to create hard link '/mnt/ro/h'") +
				ro("mv: cannot move '/mnt/ro/file' to '/mnt/ro/g'") +
				ro("ln: failed to create hard link '/mnt/ro/h'") +
				ro("mv: cannot create regular file '/mnt/ro/new'") +
				"dir\nfile\n/mnt/ro:\ndir\nfile\n\n/mnt/rw:\nfile\n",
		},
		{
			name:   "C3 across mounts",
			script: `ln file /mnt/rw/h; ln /mnt/rw/file h; ln file /tmp/h; ln /etc/passwd p; mv file /mnt/rw/moved && cat /mnt/rw/moved; mv /mnt/rw/moved file; cat file; ls`,
			out: "ln: failed to create hard link '/mnt/rw/h' => 'file': Invalid cross-device link\n" +
				"ln: failed to create hard link 'h' => '/mnt/rw/file': Invalid cross-device link\n" +
				"ln: failed to create hard link '/tmp/h' => 'file': Invalid cross-device link\n" +
				"ln: failed to create hard link 'p' => '/etc/passwd': Invalid cross-device link\n" +
				"in file\nin file\ndir\nfile\n",
		},
		{
			name: "C5 mount points, dots, children",
			script: `mkdir -p e/f; for c in 'mv -T e /mnt/rw' 'mv -T /mnt/rw e2' 'mv /mnt /tmp/' 'mv -T e /' 'mv -T e /workspace' 'mv -T e .' 'mv -T e ..' 'mv e e/f' 'mv e/. x' 'mv . x' 'mv .. x' \
				'rmdir /mnt/rw' 'rmdir /workspace' 'rmdir .' 'rmdir ..' 'rmdir e/..' 'rmdir /' 'unlink /mnt/rw' 'rm -r .' 'rm -r ..' 'rm -rf /' 'rm -rf e/..' 'ln -sT x /mnt/rw' 'ln file /mnt/rw/file' 'ln e g' 'ln /mnt/rw /mnt/g' 'mkdir /mnt/rw' 'mkdir .' 'mkdir ..' 'mkdir /'; do
				$c 2> /dev/null && echo "$c: done"; done; ls; ls /mnt/rw; cat file`,
			out: "dir\ne\nfile\nfile\nin file\n",
		},
	})
}

// TestAttackRenameErrno is C5 at the host functions, where no command has looked
// before.
func TestAttackRenameErrno(t *testing.T) {
	g := newTarget(t)
	r := g.remote()
	require.NoError(t, os.MkdirAll(g.host("ws/e/f"), 0o755))
	for _, c := range []struct {
		from, to string
		want     []abi.Errno
	}{
		{"e", "e/f/g", []abi.Errno{abi.EINVAL}},
		{"e", "e/f", []abi.Errno{abi.EINVAL}},
		{"e", "e", []abi.Errno{0}},
		{"e", ".", []abi.Errno{abi.EBUSY, abi.EINVAL}},
		{"e", "..", []abi.Errno{abi.EBUSY, abi.EINVAL}},
		{"e", "e/..", []abi.Errno{abi.EBUSY, abi.EINVAL}},
		{".", "x", []abi.Errno{abi.EBUSY, abi.EINVAL}},
		{"e/.", "x", []abi.Errno{abi.EBUSY, abi.EINVAL}},
		{"..", "x", []abi.Errno{abi.EBUSY, abi.EINVAL}},
		{"e", "../mnt/rw", []abi.Errno{abi.EBUSY, abi.EXDEV}},
		{"e", "../mnt/ro", []abi.Errno{abi.EBUSY, abi.EXDEV, abi.EROFS}},
		{"../mnt/rw", "x", []abi.Errno{abi.EBUSY, abi.EXDEV}},
		{"../mnt", "x", []abi.Errno{abi.EBUSY, abi.EXDEV, abi.EACCES}},
		{"../workspace", "../tmp/x", []abi.Errno{abi.EBUSY, abi.EXDEV}},
		{"file", "../mnt/rw/x", []abi.Errno{abi.EXDEV}},
		{"../mnt/ro/file", "x", []abi.Errno{abi.EXDEV, abi.EROFS}},
		{"file", "../mnt/ro/file", []abi.Errno{abi.EXDEV, abi.EROFS}},
		{"../mnt/ro/file", "../mnt/ro/x", []abi.Errno{abi.EROFS}},
		{"../mnt/ro/file", "../mnt/ro/file", []abi.Errno{0, abi.EROFS}},
		{"file", "e", []abi.Errno{abi.EISDIR}},
		{"e", "file", []abi.Errno{abi.ENOTDIR}},
		{"file", "x/", []abi.Errno{abi.ENOTDIR}},
		{"file/", "x", []abi.Errno{abi.ENOTDIR}},
		{"", "x", []abi.Errno{abi.ENOENT}},
		{"file", "", []abi.Errno{abi.ENOENT}},
		{"../outside/secret", "x", []abi.Errno{abi.ENOENT}},
		{"file", "../outside/x", []abi.Errno{abi.ENOENT}},
	} {
		t.Run(fmt.Sprintf("%s to %s", c.from, c.to), func(t *testing.T) {
			p, n := r.path(atPath, c.from)
			q, k := r.path(atPath2, c.to)
			require.Contains(t, c.want, r.call("path_rename", preopenCwd, p, n, preopenCwd, q, k))
		})
	}
}
