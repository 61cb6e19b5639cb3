// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package wasishell_test

import (
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/wasishell"
)

// TestAttackReadOnly is D1 of the list. No case may get past a read-only mount,
// whatever the command.
func TestAttackReadOnly(t *testing.T) {
	// Each word list must fail for the file system, not for another reason.
	const changes = `
cd /mnt/ro
check() { if "$@" 2> /tmp/e > /dev/null < /dev/null; then echo "$*: done"; elif ! grep -q 'Read-only file system' /tmp/e; then echo "$*: $(cat /tmp/e)"; fi; }
check eval ': > file'
check eval ': >> file'
check eval ': >| file'
check eval ': <> file'
check eval ': > new'
check eval 'exec 5> file'
check truncate -s 0 file
check truncate -s 100 new
check touch file
check touch new
check touch -d @0 dir
check chmod 600 file
check chmod -R 700 dir
check chown user file
check chgrp user file
check mkdir d
check mkdir dir/d
check rm -f file
check rm -rf dir
check rmdir dir
check unlink file
check ln file f2
check ln -s x l
check mkfifo p
check mktemp -p .
check cp /workspace/file file
check cp /workspace/file new
check cp -r /workspace/dir d
check cp -f /workspace/file file
check mv file f2
check mv /workspace/file file
check mv file /workspace/f2
check tee file
check tee -a file
check sort -o file file
check split file
check sed -i s/a/b/ file
check dd if=/workspace/file of=file
check install /workspace/file f
check join -o 1.1 file file -
check head -c 1 -- /mnt/ro/new
`
	g := newTarget(t)
	o := g.sh(changes)
	require.Equal(t, "join -o 1.1 file file -: join: extra operand '-'\n"+
		"Try 'join --help' for more information.\n"+
		"head -c 1 -- /mnt/ro/new: head: cannot open '/mnt/ro/new' for reading: No such file or directory\n", o.out)

	t.Run("mode read-only", func(t *testing.T) {
		g := newTarget(t, func(c *wasishell.Config) { c.Mode = wasishell.ModeReadOnly })
		before, err := os.ReadFile(g.host("rw/file"))
		require.NoError(t, err)
		o := g.sh(`for d in /workspace /mnt/rw /mnt/ro; do cd $d; : > file; : > new; rm file; mkdir d; chmod 0 file; touch file; done 2>&1 | grep -vc 'Read-only file system'; rm -rf /workspace/dir 2> /dev/null; cat /workspace/dir/inner; echo ok > /tmp/f && cat /tmp/f`)
		require.Equal(t, "0\nin inner\nok\n", o.out)
		after, err := os.ReadFile(g.host("rw/file"))
		require.NoError(t, err)
		require.Equal(t, before, after)
	})
}

// TestAttackDescriptors is D1 to D3 at the host functions: what a descriptor was
// not opened for cannot be done with it, by no way.
func TestAttackDescriptors(t *testing.T) {
	g := newTarget(t)
	r := g.remote()
	refused := []abi.Errno{abi.EBADF, abi.ENOTCAPABLE, abi.EINVAL, abi.EROFS, abi.EPERM, abi.EACCES}
	openAt := func(p string, oflags, rights, fdflags uint64) (uint64, abi.Errno) {
		ptr, n := r.path(atPath, p)
		e := r.call("path_open", preopenRoot, followLinks, ptr, n, oflags, rights, rightAll, fdflags, atResult)
		return uint64(r.u32(atResult)), e
	}
	t.Run("D1 open", func(t *testing.T) {
		for _, c := range []struct {
			path                    string
			oflags, rights, fdflags uint64
		}{
			{"mnt/ro/file", oflagTrunc, rightRead, 0},
			{"mnt/ro/file", 0, rightWrite, 0},
			{"mnt/ro/file", 0, rightRead | rightWrite, fdflagAppend},
			{"mnt/ro/file", oflagTrunc | oflagCreat, rightAll, 0},
			{"mnt/ro/new", oflagCreat, rightRead, 0},
			{"mnt/ro/new", oflagCreat | oflagExcl, rightAll, 0},
			{"mnt/ro/dir/../new", oflagCreat, rightAll, fdflagAppend},
		} {
			_, e := openAt(c.path, c.oflags, c.rights, c.fdflags)
			require.Equal(t, abi.EROFS, e, "%+v", c)
		}
	})
	change := func(t *testing.T, fd uint64) {
		t.Helper()
		r.poke(atData, []byte("evil"))
		p, n := r.iovec(atData, 4)
		for name, got := range map[string]abi.Errno{
			"fd_write":              r.call("fd_write", fd, p, n, atResult),
			"fd_pwrite":             r.call("fd_pwrite", fd, p, n, 0, atResult),
			"fd_allocate":           r.call("fd_allocate", fd, 0, 4096),
			"fd_filestat_set_size":  r.call("fd_filestat_set_size", fd, 0),
			"ext.fd_write":          r.call("ext.fd_write", fd, atData, 4, 0, atResult),
			"ext.fd_splice":         r.call("ext.fd_splice", fd, fd, 4, atResult),
			"fd_fdstat_set_rights":  r.call("fd_fdstat_set_rights", fd, rightAll, rightAll),
			"fd_write after rights": r.call("fd_write", fd, p, n, atResult),
		} {
			require.Contains(t, refused, got, name)
		}
	}
	for _, path := range []string{"mnt/ro/file", "workspace/file", "etc/passwd"} {
		t.Run("D2 "+path, func(t *testing.T) {
			fd, e := openAt(path, 0, rightRead|rightSeek, 0)
			require.Zero(t, e)
			change(t, fd)
			require.Equal(t, abi.EBADF, r.call("fd_renumber", fd, 60), "to a descriptor that is not open")
			require.Zero(t, r.call("ext.fd_dup_to", 2, 60, 0))
			require.Zero(t, r.call("fd_renumber", fd, 60))
			require.Equal(t, abi.EBADF, r.call("fd_close", fd), "renumbered")
			change(t, 60)
			require.Zero(t, r.call("ext.fd_dup", 60, 70, 0, atResult))
			dup := uint64(r.u32(atResult))
			change(t, dup)
			require.Zero(t, r.call("ext.fd_dup_to", dup, 80, 0))
			change(t, 80)
			// By its name in /proc and /dev nothing more can be had.
			for _, p := range []string{"proc/self/fd/60", "dev/fd/60"} {
				_, e := openAt(p, 0, rightWrite, 0)
				require.Contains(t, []abi.Errno{abi.EACCES, abi.EROFS}, e, p)
				_, e = openAt(p, oflagTrunc, rightRead, 0)
				require.Contains(t, []abi.Errno{abi.EACCES, abi.EROFS}, e, p)
			}
			for _, fd := range []uint64{60, dup, 80} {
				require.Zero(t, r.call("fd_close", fd))
			}
		})
	}
	t.Run("D2 written only", func(t *testing.T) {
		fd, e := openAt("workspace/w", oflagCreat, rightWrite, 0)
		require.Zero(t, e)
		p, n := r.iovec(atData, 4)
		require.Zero(t, r.call("fd_write", fd, p, n, atResult))
		for _, got := range []abi.Errno{
			r.call("fd_read", fd, p, n, atResult), r.call("fd_pread", fd, p, n, 0, atResult),
			r.call("ext.fd_read", fd, atData, 4, 0, atResult), r.call("fd_readdir", fd, atData, 100, 0, atResult),
		} {
			require.Contains(t, append(refused, abi.ENOTDIR), got)
		}
		require.Zero(t, r.call("fd_close", fd))
	})
	t.Run("D3 rights are inherited and never grow", func(t *testing.T) {
		p, n := r.path(atPath, "workspace")
		const base = 1<<13 | 1<<14 | rightRead // path_open, fd_readdir
		require.Zero(t, r.call("path_open", preopenRoot, 0, p, n, oflagDir, base, rightRead, 0, atResult))
		dir := uint64(r.u32(atResult))
		q, k := r.path(atPath2, "file")
		require.Equal(t, abi.ENOTCAPABLE, r.call("path_open", dir, 0, q, k, 0, rightRead|rightWrite, 0, 0, atResult))
		require.Equal(t, abi.ENOTCAPABLE, r.call("path_open", dir, 0, q, k, oflagTrunc, rightRead, 0, 0, atResult))
		require.Equal(t, abi.ENOTCAPABLE, r.call("path_unlink_file", dir, q, k))
		require.Equal(t, abi.ENOTCAPABLE, r.call("path_rename", dir, q, k, dir, p, n))
		require.Equal(t, abi.ENOTCAPABLE, r.call("path_filestat_set_times", dir, 0, q, k, 1, 1, 5))
		require.Equal(t, abi.ENOTCAPABLE, r.call("fd_fdstat_set_rights", dir, rightAll, rightAll))
		require.Zero(t, r.call("path_open", dir, 0, q, k, 0, rightRead, 0, 0, atResult))
		require.Zero(t, r.call("fd_close", uint64(r.u32(atResult))))
		require.Zero(t, r.call("fd_close", dir))
	})
	b, err := os.ReadFile(g.host("ws/file"))
	require.NoError(t, err)
	require.Equal(t, "in file\n", string(b))
}

// TestAttackReopen is D3 in the shell.
func TestAttackReopen(t *testing.T) {
	runAttacks(t, []attack{
		{
			name: "D3 read-only descriptors by their names",
			script: `exec 3< file 4< /mnt/ro/file
				for p in /dev/fd/3 /proc/self/fd/3 /dev/fd/4 /proc/self/fd/4; do echo x > $p; echo x >> $p; echo x <> $p >&0; truncate -s 0 $p; sed -i d $p; done 2> /dev/null
				for p in /proc/$$/fd/3 /proc/$$/fd/4; do tee $p < /etc/hostname; truncate -s 0 $p; done > /dev/null 2>&1
				cat file /mnt/ro/file`,
			out: "in file\nro file\n",
		},
		{
			name:   "D2 the wrong way in the shell",
			script: `exec 3< file; echo x >&3; exec 4> w; cat <&4; read x <&4; echo x >&9; cat <&9; exec 5<&-; echo >&5`,
			out: "bash: line 1: echo: write error: Bad file descriptor\ncat: -: Bad file descriptor\n" +
				"bash: line 1: read: read error: 0: Bad file descriptor\n" +
				"bash: line 1: 9: Bad file descriptor\nbash: line 1: 9: Bad file descriptor\nbash: line 1: 5: Bad file descriptor\n",
			code: 1,
		},
		{
			name:  "D permission bits",
			posix: true,
			script: `echo secret > s; chmod 0 s; cat s; echo x > s; cat < s; mkdir d; echo x > d/f; chmod 0 d; ls d; cat d/f; cd d; touch d/g; chmod 500 d; touch d/g; rm d/f; mv d/f .; chmod 700 d
				cat /root/x; ls /root; echo x > /etc/passwd; rm /etc/passwd; chmod 777 /etc; mv /etc /tmp/; touch /usr/bin/x; rm /usr/bin/cat; echo x > /usr/bin/cat; chown 0 s; mkdir /x; kill -9 1; kill 1`,
			out: "cat: s: Permission denied\nbash: line 1: s: Permission denied\nbash: line 1: s: Permission denied\n" +
				"ls: cannot open directory 'd': Permission denied\ncat: d/f: Permission denied\nbash: line 1: cd: d: Permission denied\n" +
				"touch: cannot touch 'd/g': Permission denied\ntouch: cannot touch 'd/g': Permission denied\nrm: cannot remove 'd/f': Permission denied\n" +
				"mv: cannot move 'd/f' to './f': Permission denied\n" +
				"cat: /root/x: Permission denied\nls: cannot open directory '/root': Permission denied\nbash: line 2: /etc/passwd: Permission denied\n" +
				"rm: cannot remove '/etc/passwd': Permission denied\nchmod: changing permissions of '/etc': Operation not permitted\n" +
				"mv: cannot move '/etc' to '/tmp/etc': Permission denied\ntouch: cannot touch '/usr/bin/x': Read-only file system\n" +
				"rm: cannot remove '/usr/bin/cat': Read-only file system\nbash: line 2: /usr/bin/cat: Read-only file system\n" +
				"chown: changing ownership of 's': Operation not permitted\nmkdir: cannot create directory '/x': Permission denied\n" +
				"bash: line 2: kill: (1) - Operation not permitted\nbash: line 2: kill: (1) - Operation not permitted\n",
			code: 1,
		},
	})
}
