// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package wasishell_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wsandbox/wsandbox/engine/abi"
)

// everyUse reads, lists, writes, creates, changes and removes what $1 names, and
// prints a line for each that succeeds.
const everyUse = `
for p in "$@"; do
	{
	cat -- "$p" && echo "$p: read"
	head -c 1 < "$p" && echo "$p: redirected"
	ls -- "$p/" && echo "$p: listed"
	stat -L -- "$p" && echo "$p: described"
	cd -- "$p" && { echo "$p: entered"; cd /workspace; }
	echo x > "$p" && echo "$p: written"
	echo x >> "$p" && echo "$p: appended"
	truncate -s 0 -- "$p" && echo "$p: truncated"
	touch -- "$p" && echo "$p: touched"
	chmod 777 -- "$p" && echo "$p: mode changed"
	cp -- file "$p" && echo "$p: copied to"
	mkdir -- "$p/new" && echo "$p: made in"
	ln -- file "$p/hard" && echo "$p: linked in"
	ln -s -- x "$p/soft" && echo "$p: link made in"
	mkfifo -- "$p/fifo" && echo "$p: fifo made in"
	mv -- "$p/secret" stolen && echo "$p: moved from"
	cp -rL -- "$p" /tmp/copy && echo "$p: copied"
	[ -e "$p" ] && echo "$p: exists"
	[ "$p" -nt file ] && echo "$p: times compared"
	find "$p/" -name secret -print && echo "$p: searched"
	rm -r -- "$p/secret" "$p/dir" && echo "$p: removed"
	exec 9< "$p" && echo "$p: opened"
	"$p" && echo "$p: run"
	. "$p" && echo "$p: sourced"
	} 2>> /tmp/errors
done
cat /tmp/errors >&2
`

// TestAttackPaths is A of the list: names that lead out.
func TestAttackPaths(t *testing.T) {
	runAttacks(t, []attack{
		{
			name: "A1 dot-dot reads",
			script: `for p in ../outside/secret ../../outside/secret dir/../../outside/secret .//..//outside/secret \
				./../outside/./secret dir/../dir/../../outside/secret ../outside/secret/ ../outside/secret/. \
				/../../../../outside/secret ../ws/file nothing/../file; do cat "$p"; done`,
			out: lines("cat: %: No such file or directory", "../outside/secret", "../../outside/secret", "dir/../../outside/secret",
				".//..//outside/secret", "./../outside/./secret", "dir/../dir/../../outside/secret", "../outside/secret/",
				"../outside/secret/.", "/../../../../outside/secret", "../ws/file", "nothing/../file"),
			code: 1,
		},
		{
			name:   "A1 dot-dot behind what is no directory",
			script: `for p in file/../../outside/secret file/.. file/. file/ file/../file dir/inner/; do cat "$p"; done`,
			out:    lines("cat: %: Not a directory", "file/../../outside/secret", "file/..", "file/.", "file/", "file/../file", "dir/inner/"),
			code:   1,
		},
		{
			name:   "A1 dots and slashes inside",
			script: `cat ./file .//dir/../file dir/./../dir//inner /workspace/../workspace/file; cd dir/..; pwd; cd ../../..; pwd; ls -d ..`,
			out:    "in file\nin file\nin inner\nin file\n/workspace\n/\n..\n",
		},
		{
			name:   "A1 the directory above",
			script: `ls -a ..; mkdir ../x; echo > ../y; rmdir ../mnt; mv file ..; ln file ../f`,
			out: ".\n..\nbin\ndev\netc\nhome\nmnt\nproc\nroot\nrun\ntmp\nusr\nvar\nworkspace\n" +
				"mkdir: cannot create directory '../x': Permission denied\n" +
				"bash: line 1: ../y: Permission denied\n" +
				"rmdir: failed to remove '../mnt': Device or resource busy\n" +
				"mv: cannot create regular file '../file': Permission denied\n" +
				"ln: failed to create hard link '../f' => 'file': Permission denied\n",
			code: 1,
		},
		{
			name:   "A2 from another mount",
			script: `cd /mnt/ro && cat ../../workspace/file ../rw/file ../outside/secret /mnt/ro/../../../outside/secret; ls /mnt/ro/..`,
			out: "in file\nrw file\ncat: ../outside/secret: No such file or directory\n" +
				"cat: /mnt/ro/../../../outside/secret: No such file or directory\nro\nrw\n",
		},
		{
			name: "A3 long names",
			script: `l=$(printf '%0255d' 0); m=${l}0; p=$(printf 'a/%.0s' {1..2048})
				echo x > $l && cat $l && mv $l l && rm l
				for n in $m $p; do
					echo x > $n; mkdir $n; ln -s x $n; ln file $n; mv file $n; cat $n; stat $n; cat $n/x; cd $n; ls $n; touch $n
					rm $n; rmdir $n; ln -s $n long; readlink $n; mkfifo $n; mktemp -p $n; test -e $n && echo exists; [ -e $n ] && echo exists
				done 2>&1 | grep -v 'File name too long'; ls`,
			out: "x\ndir\nfile\nlong\n",
		},
		{
			name:   "A5 empty names",
			script: `for c in cat mkdir rm rmdir touch ls stat 'ln -s x' 'mv file' 'mkfifo' 'head'; do $c ""; done 2>&1 | grep -c 'No such file or directory'; > ""; [ -e "" ]; echo $?`,
			out:    "11\nbash: line 1: : No such file or directory\n1\n",
		},
		{
			name:  "A6 bytes that are no text",
			posix: true,
			script: `n=$'\xff\xfe'; w=$'\xed\xa0\x80'; l=$'a\nb'; c=$'\xc3\xa9'; d=$'e\xcc\x81'; b='back\slash:name*?"<>|'
				for f in "$n" "$w" "$l" "$c" "$d" "$b"; do echo "in $f" > "$f"; done
				for f in "$n" "$w" "$l" "$c" "$d" "$b"; do [ "$(cat "$f")" = "in $f" ] || echo "lost $f"; done
				[ "$(find . -type f | wc -l)" = 9 ] || find . -type f
				mkdir "d$n" && cd "d$n" && [ "$PWD" = "/workspace/d$n" ] && [ "$(pwd)" = "$PWD" ] || pwd | od -c
				cd ..; rm -r -- "d$n" "$n" "$w" "$l" "$c" "$d" "$b"; ls`,
			out: "dir\nfile\n",
		},
		{
			name:   "A case tricks and names of other systems",
			posix:  true,
			script: `for p in FILE 'C:\outside\secret' '\\?\C:\x' '//host/share' '/c/outside' 'file::$DATA' 'DIR/INNER' 'outsi~1/secret' '..\outside\secret' '~root/x' 'file:///etc/passwd'; do cat -- "$p" 2>&1; done | grep -vc 'No such file or directory'`,
			out:    "0\n",
			code:   1,
		},
	})
}

// lines fills each of parts into a line.
func lines(format string, parts ...string) string {
	var b strings.Builder
	for _, p := range parts {
		b.WriteString(strings.ReplaceAll(format, "%", p))
		b.WriteByte('\n')
	}
	return b.String()
}

// TestAttackEveryUse tries all that can be done with a name on all names that
// lead out.
func TestAttackEveryUse(t *testing.T) {
	g := newTarget(t)
	g.hostLink("../outside/secret", "rel")
	g.hostLink(g.host("outside/secret"), "abs")
	g.hostLink("rel", "chain")
	g.hostLink("../outside", "dirl")
	g.hostLink("../outside/new", "dangling")
	g.hostLink("../outside/dir/../secret", "dots")
	g.hostLink(g.host("outside"), "absdir")
	g.hostLink("..", "up")
	o := g.run(g.sb.Shell(everyUse,
		"../outside/secret", "../outside", "../../outside/secret", "dir/../../outside/secret",
		"rel", "abs", "chain", "dangling", "dots", "rel/", "abs/.", "dirl/secret", "dirl/", "dirl/.", "dirl/dir/inner", "dirl/dir/..", "dirl/../outside/secret",
		"absdir/secret", "absdir/", "up/outside/secret", "up/outside/", "/proc/self/cwd/../outside/secret", "/proc/self/root/outside/secret",
		"/proc/1/root/outside/secret", "/proc/1/cwd/outside/secret", "/dev/fd/../../outside/secret",
	))
	errors := 0
	for _, l := range strings.Split(o.out, "\n") {
		if strings.HasSuffix(l, "No such file or directory") || strings.HasSuffix(l, "Permission denied") {
			errors++
		}
		for _, done := range []string{
			": read", ": redirected", ": listed", ": described", ": entered", ": written", ": appended", ": truncated", ": touched",
			": mode changed", ": copied to", ": made in", ": linked in", ": link made in", ": fifo made in", ": moved from", ": copied",
			": exists", ": times compared", ": searched", ": removed", ": opened", ": run", ": sourced",
		} {
			require.False(t, strings.HasSuffix(l, done), "succeeded: %s", l)
		}
	}
	require.Greater(t, errors, 450, "the attacks were made")
	g.intact()

	// The links themselves are the workspace's own.
	o = g.sh(`for l in rel abs chain dirl dangling dots absdir up; do readlink $l > /dev/null && mv $l m && ln -sfn x m && rm m || echo $l; done; ls`)
	require.Equal(t, "dir\nfile\n", o.out)
}

// TestAttackPathBytes is A4 and A6 at the host functions: a program may pass
// any bytes.
func TestAttackPathBytes(t *testing.T) {
	g := newTarget(t)
	r := g.remote()
	long := strings.Repeat("a/", 2100)
	for _, c := range []struct {
		name, path string
		want       abi.Errno
	}{
		{"A4 NUL at the end", "file\x00", abi.EINVAL},
		{"A4 NUL inside", "fi\x00le", abi.EINVAL},
		{"A4 NUL before dot-dot", "file\x00/../../outside/secret", abi.EINVAL},
		{"A5 empty", "", abi.ENOENT},
		{"A3 long", long, abi.ENAMETOOLONG},
		{"A3 long component", strings.Repeat("b", 256), abi.ENAMETOOLONG},
		{"A1 out", "../outside/secret", abi.ENOENT},
		{"A1 far out", "../../../../../../../../outside/secret", abi.ENOENT},
		{"A1 slash", "file/", abi.ENOTDIR},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, n := r.path(atPath, c.path)
			q, k := r.path(atPath2, "file")
			at := uint64(preopenCwd)
			for name, got := range map[string]abi.Errno{
				"path_open":               r.call("path_open", at, followLinks, p, n, 0, rightRead, 0, 0, atResult),
				"path_filestat_get":       r.call("path_filestat_get", at, followLinks, p, n, atResult),
				"path_filestat_set_times": r.call("path_filestat_set_times", at, followLinks, p, n, 1, 1, 5),
				"path_unlink_file":        r.call("path_unlink_file", at, p, n),
				"path_rename":             r.call("path_rename", at, p, n, at, q, k),
				"path_link":               r.call("path_link", at, 0, p, n, at, q, k),
				"ext.path_stat":           r.call("ext.path_stat", 0xffffffff, p, n, 1, atResult),
				"ext.path_open":           r.call("ext.path_open", 0xffffffff, p, n, 0, 0, atResult),
				"ext.path_realpath":       r.call("ext.path_realpath", 0xffffffff, p, n, atData, 4096, atResult),
				"ext.proc_chdir":          r.call("ext.proc_chdir", p, n),
			} {
				if c.want == abi.ENOTDIR && name == "path_link" {
					continue // file exists
				}
				require.Equal(t, c.want, got, name)
			}
			if c.want == abi.ENOENT || c.want == abi.ENOTDIR {
				return // creating is another matter
			}
			for name, got := range map[string]abi.Errno{
				"path_create_directory": r.call("path_create_directory", at, p, n),
				"path_symlink":          r.call("path_symlink", q, k, at, p, n),
				"path_rename to":        r.call("path_rename", at, q, k, at, p, n),
				"path_link to":          r.call("path_link", at, 0, q, k, at, p, n),
				"ext.path_mkfifo":       r.call("ext.path_mkfifo", 0xffffffff, p, n, 0o600),
			} {
				require.Equal(t, c.want, got, name)
			}
		})
	}
	b, err := os.ReadFile(filepath.Join(g.ws, "file"))
	require.NoError(t, err)
	require.Equal(t, "in file\n", string(b))
}
