// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

//go:build unix

package wasishell_test

import (
	"io/fs"
	"net"
	"os"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"
)

// specials puts special files of the host into the workspace and returns the
// names of those that could be made.
func specials(g *target) []string {
	g.Helper()
	require.NoError(g, unix.Mkfifo(g.host("ws/fifo"), 0o666))
	names := []string{"fifo"}
	// A socket's address is short, so it is made by a relative name.
	l, err := net.Listen("unix", g.host("ws/s"))
	if err == nil {
		g.Cleanup(func() { _ = l.Close() })
		require.NoError(g, os.Rename(g.host("ws/s"), g.host("ws/sock")))
		names = append(names, "sock")
	}
	for name, dev := range map[string]uint64{"null": unix.Mkdev(1, 3), "zero": unix.Mkdev(1, 5), "kmsg": unix.Mkdev(1, 11)} {
		if unix.Mknod(g.host("ws/"+name), unix.S_IFCHR|0o666, int(dev)) == nil {
			names = append(names, name)
		}
	}
	if unix.Mknod(g.host("ws/block"), unix.S_IFBLK|0o666, int(unix.Mkdev(7, 0))) == nil {
		names = append(names, "block")
	}
	return names
}

// TestAttackSpecialFiles is F of the list: what is no file and no directory is
// seen, can be moved and removed, and is never opened.
func TestAttackSpecialFiles(t *testing.T) {
	g := newTarget(t)
	names := specials(g)
	g.hostLink("/proc/self/fd", "procfd")
	g.hostLink("/proc/self/root", "procroot")
	g.hostLink("/dev/tty", "tty")
	g.hostLink("fifo", "tofifo")
	g.hostLink("/dev/stdin", "stdin")
	const script = `
for f in "$@"; do
	for c in "cat $f" "head -c 1 $f" "cp $f /tmp/c" "dd if=$f of=/dev/null count=1" "dd if=/dev/zero of=$f count=1" "eval : < $f" "eval : > $f" "eval : >> $f" \
		"eval : <> $f" "tee $f" "truncate -s 0 $f" "sort $f" "grep x $f" "wc $f" "sha256sum $f" "sed x $f" "tail -n 1 $f" "cmp $f file" "split $f" "eval mapfile -t a < $f" ". ./$f" "./$f" "bash $f"; do
		$c > /dev/null 2> /tmp/e < /dev/null && echo "$c: done"
		[ -s /tmp/e ] || echo "$c: no message"
	done
	ls -l $f > /dev/null && stat -c %F $f > /tmp/kind && mv $f moved && ln moved linked && rm moved linked && [ ! -e $f ] || echo "$f: stays"
done
ls procfd/ > /dev/null; cat procroot/etc/hostname; cat stdin; ls -l tofifo | tr -s ' ' | cut -d' ' -f 9-; ls
`
	o := g.run(g.sb.Shell(script, names...))
	require.Equal(t, "wsandbox\ntofifo -> fifo\ndir\nfile\nprocfd\nprocroot\nstdin\ntofifo\ntty\n", o.out)

	o = g.sh(`cat tty; tty; echo x > tty; cat < tty; cat tofifo; echo x > tofifo 2>&1`)
	require.Equal(t, "cat: tty: No such device or address\nnot a tty\nbash: line 1: tty: No such device or address\n"+
		"bash: line 1: tty: No such device or address\ncat: tofifo: No such file or directory\n", o.out)
}

// TestAttackMadeInside checks that nothing special comes into being outside the
// kernel by what a guest does.
func TestAttackMadeInside(t *testing.T) {
	g := newTarget(t)
	o := g.sh(`mkfifo f /tmp/f && (echo through > f & cat f); [ -p f ] && echo fifo; install -m 6777 file setid; chmod 7777 file; mkdir -m 7777 sticky; stat -c %a file setid; ls /dev`)
	require.Equal(t, "through\nfifo\n777\n777\nfd\nfull\nnull\nrandom\nstderr\nstdin\nstdout\ntty\nurandom\nzero\n", o.out)
	err := fs.WalkDir(os.DirFS(g.ws), ".", func(p string, d fs.DirEntry, err error) error {
		require.NoError(t, err)
		info, err := d.Info()
		require.NoError(t, err)
		switch {
		case info.Mode()&(fs.ModeSetuid|fs.ModeSetgid) != 0:
			t.Errorf("%s: %v on the host: set-ID bits", p, info.Mode())
		case info.Mode()&(fs.ModeDevice|fs.ModeSocket|fs.ModeIrregular) != 0:
			t.Errorf("%s: %v on the host", p, info.Mode())
		}
		return nil
	})
	require.NoError(t, err)
}
