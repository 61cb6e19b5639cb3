// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

//go:build linux

package hostfs

import (
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/engine/vfs"
	"github.com/wsandbox/wsandbox/engine/vfs/memfs"
)

// call is one operation on paths.
type call struct {
	op    callOp
	a, b  string
	flags abi.OpenFlag
}

type callOp byte

const (
	opStat callOp = iota
	opLstat
	opOpen
	opMkdir
	opRmdir
	opUnlink
	opRename
	opLink
	opSymlink
	opReadlink
	opChmod
)

func (c call) String() string {
	name := [...]string{"stat", "lstat", "open", "mkdir", "rmdir", "unlink", "rename", "link", "symlink", "readlink", "chmod"}[c.op]
	if c.op == opOpen {
		return fmt.Sprintf("open(%q, %#x)", c.a, c.flags)
	}
	return fmt.Sprintf("%s(%q, %q)", name, c.a, c.b)
}

// decodeCalls makes calls of any bytes. Paths are built of few names, so that
// they meet often.
func decodeCalls(data []byte) []call {
	next := func() byte {
		if len(data) == 0 {
			return 0
		}
		b := data[0]
		data = data[1:]
		return b
	}
	parts := [...]string{"a", "b", "c", "d", "..", ".", "", "a", "b", "e", "..", "c", "d", "/", "a", "b"}
	path := func() string {
		b := next()
		var p []string
		for range 1 + b&3 {
			p = append(p, parts[next()%16])
		}
		s := strings.Join(p, "/")
		if b&4 != 0 {
			s = "/" + s
		}
		if b&24 == 24 {
			s += "/"
		}
		return s
	}
	flags := [...]abi.OpenFlag{
		abi.ORdonly, abi.OWronly | abi.OCreat, abi.OWronly | abi.OCreat | abi.OExcl,
		abi.OWronly | abi.OCreat | abi.OTrunc, abi.ODirectory, abi.ONofollow, abi.OWronly | abi.ONofollow | abi.OCreat,
		abi.OWronly, abi.ORdwr | abi.OCreat, abi.OWronly | abi.OTrunc, abi.ODirectory | abi.ONofollow, abi.OCreat,
	}
	mix := [...]callOp{
		opMkdir, opMkdir, opMkdir, opSymlink, opSymlink, opSymlink, opOpen, opOpen, opOpen,
		opRename, opLink, opStat, opLstat, opRmdir, opUnlink, opReadlink,
	}
	var calls []call
	for len(data) > 0 && len(calls) < 80 {
		c := call{op: mix[next()%16], a: path()}
		switch c.op {
		case opOpen:
			c.flags = flags[next()%byte(len(flags))]
		case opReadlink:
			if next()&1 != 0 {
				c.op = opChmod
			}
		case opRename, opLink, opSymlink:
			c.b = path()
		}
		calls = append(calls, c)
	}
	return calls
}

// runCall runs c in a namespace as its superuser, so that only names matter.
func runCall(ns *vfs.Namespace, c call) (string, error) {
	at := vfs.At{Dir: "/", Cred: &vfs.Cred{}}
	switch c.op {
	case opStat, opLstat:
		st, err := ns.Stat(at, c.a, c.op == opStat)
		if err != nil {
			return "", err
		}
		return fmt.Sprintf("%o", st.Mode&abi.ModeFmt), nil
	case opOpen:
		f, _, err := ns.Open(at, c.a, c.flags, 0o644)
		if err != nil {
			return "", err
		}
		defer f.Close()
		st, err := f.Stat()
		return fmt.Sprintf("%o", st.Mode&abi.ModeFmt), err
	case opMkdir:
		return "", ns.Mkdir(at, c.a, 0o755)
	case opRmdir:
		return "", ns.Rmdir(at, c.a)
	case opUnlink:
		return "", ns.Unlink(at, c.a)
	case opRename:
		return "", ns.Rename(at, c.a, at, c.b)
	case opLink:
		return "", ns.Link(at, c.a, at, c.b, false)
	case opSymlink:
		return "", ns.Symlink(c.a, at, c.b)
	case opReadlink:
		return ns.Readlink(at, c.a)
	default:
		return "", ns.Chmod(at, c.a, 0o700, true)
	}
}

// runReal runs c on the operating system.
func runReal(c call) (string, error) {
	kind := func(st *unix.Stat_t) string { return fmt.Sprintf("%o", st.Mode&unix.S_IFMT) }
	var st unix.Stat_t
	switch c.op {
	case opStat:
		err := unix.Stat(c.a, &st)
		if err != nil {
			return "", err
		}
		return kind(&st), nil
	case opLstat:
		err := unix.Lstat(c.a, &st)
		if err != nil {
			return "", err
		}
		return kind(&st), nil
	case opOpen:
		flags := openFlags(c.flags) | unix.O_CLOEXEC
		for bit, f := range map[abi.OpenFlag]int{
			abi.OCreat: unix.O_CREAT, abi.OExcl: unix.O_EXCL,
			abi.ODirectory: unix.O_DIRECTORY, abi.ONofollow: unix.O_NOFOLLOW,
		} {
			if c.flags&bit != 0 {
				flags |= f
			}
		}
		fd, err := unix.Open(c.a, flags, 0o644)
		if err != nil {
			return "", err
		}
		defer unix.Close(fd)
		err = unix.Fstat(fd, &st)
		return kind(&st), err
	case opMkdir:
		return "", unix.Mkdir(c.a, 0o755)
	case opRmdir:
		return "", unix.Rmdir(c.a)
	case opUnlink:
		return "", unix.Unlink(c.a)
	case opRename:
		return "", unix.Rename(c.a, c.b)
	case opLink:
		return "", unix.Link(c.a, c.b)
	case opSymlink:
		return "", unix.Symlink(c.a, c.b)
	case opReadlink:
		b := make([]byte, 4096)
		n, err := unix.Readlink(c.a, b)
		if err != nil {
			return "", err
		}
		return string(b[:n]), nil
	default:
		return "", unix.Chmod(c.a, 0o700)
	}
}

// deviates reports whether our errno for c is meant to differ from Linux's: a
// last "." or ".." gives rename EBUSY and rmdir ENOTEMPTY there, where POSIX has
// EINVAL.
func deviates(c call, ours, theirs string) bool {
	dots := func(p string) bool {
		p = strings.TrimRight(p, "/")
		return p == "." || p == ".." || strings.HasSuffix(p, "/.") || strings.HasSuffix(p, "/..")
	}
	switch c.op {
	case opRename:
		// Linux looks up neither name before it refuses.
		return (dots(c.a) || dots(c.b)) && theirs == "EBUSY"
	case opRmdir:
		return dots(c.a) && ours == "EINVAL" && theirs == "ENOTEMPTY"
	}
	return false
}

// chroot makes dir the root directory of the calling goroutine's thread, which
// ends with it.
func chroot(t testing.TB, dir string) {
	runtime.LockOSThread()
	if err := unix.Unshare(unix.CLONE_FS); err != nil {
		t.Skipf("unshare: %v", err)
	}
	if err := unix.Chroot(dir); err != nil {
		t.Skipf("chroot: %v", err)
	}
	if err := unix.Chdir("/"); err != nil {
		t.Fatal(err)
	}
}

func compareCalls(t *testing.T, calls []call) {
	real, ours := t.TempDir(), t.TempDir()
	host := openTest(t, ours, Options{})
	walk := openTest(t, t.TempDir(), Options{noOpenat2: true})
	var spaces []*vfs.Namespace
	for _, fs := range []vfs.FS{host, walk, memfs.New(memfs.Options{})} {
		ns, err := vfs.NewNamespace(vfs.Mount{Path: "/", FS: fs})
		require.NoError(t, err)
		spaces = append(spaces, ns)
	}
	type result struct {
		value string
		err   error
	}
	results := make(chan []result, 1)
	go func() {
		defer close(results)
		chroot(t, real)
		var rs []result
		for _, c := range calls {
			v, err := runReal(c)
			rs = append(rs, result{v, err})
		}
		results <- rs
	}()
	want, ok := <-results
	if !ok {
		t.SkipNow()
	}
	name := func(err error) string {
		if err == nil {
			return ""
		}
		return abi.ErrnoOf(err).Name()
	}
	for i, c := range calls {
		wantErr := name(errnoOf(want[i].err))
		for j, ns := range spaces {
			v, err := runCall(ns, c)
			if got := name(err); got != wantErr && !deviates(c, got, wantErr) {
				t.Fatalf("call %d of %v: %v = %s, want %s (file system %d)", i, calls[:i+1], c, got, wantErr, j)
			} else if err == nil && v != want[i].value {
				t.Fatalf("call %d of %v: %v = %q, want %q (file system %d)", i, calls[:i+1], c, v, want[i].value, j)
			}
		}
	}
	wantTree := hostTree(t, real)
	require.Equal(t, wantTree, hostTree(t, ours), "%v", calls)
	require.Equal(t, wantTree, nsTree(t, spaces[2]), "%v", calls)
}

// hostTree lists a tree of the host: name, mode, links and target.
func hostTree(t *testing.T, dir string) []string {
	var out []string
	err := filepath.Walk(dir, func(p string, info os.FileInfo, err error) error {
		if err != nil {
			return err
		}
		var st unix.Stat_t
		if err := unix.Lstat(p, &st); err != nil {
			return err
		}
		target, _ := os.Readlink(p)
		if name := strings.TrimPrefix(p, dir); name != "" {
			out = append(out, treeLine(name, abi.Mode(st.Mode), uint64(st.Nlink), target))
		}
		return nil
	})
	require.NoError(t, err)
	return out
}

func treeLine(name string, mode abi.Mode, nlink uint64, target string) string {
	if mode.IsDir() {
		nlink = 0 // some file systems do not count
	}
	return fmt.Sprintf("%s %o %d %s", name, mode, nlink, target)
}

// nsTree lists the tree of a namespace likewise.
func nsTree(t *testing.T, ns *vfs.Namespace) []string {
	at := vfs.At{Dir: "/", Cred: &vfs.Cred{}}
	var out []string
	var visit func(dir string)
	visit = func(dir string) {
		f, _, err := ns.Open(at, dir+"/", abi.ODirectory, 0)
		require.NoError(t, err)
		defer f.Close()
		es, err := f.(vfs.Directory).ReadDir(nil, 0, 1000, false)
		require.NoError(t, err)
		names := map[string]bool{}
		var sorted []string
		for _, e := range es {
			if e.Name != "." && e.Name != ".." && !names[e.Name] {
				names[e.Name] = true
				sorted = append(sorted, e.Name)
			}
		}
		for i := range sorted {
			for j := i + 1; j < len(sorted); j++ {
				if sorted[j] < sorted[i] {
					sorted[i], sorted[j] = sorted[j], sorted[i]
				}
			}
		}
		for _, n := range sorted {
			p := dir + "/" + n
			st, err := ns.Stat(at, p, false)
			require.NoError(t, err)
			target := ""
			if st.Mode.IsSymlink() {
				target, err = ns.Readlink(at, p)
				require.NoError(t, err)
			}
			out = append(out, treeLine(p, st.Mode, uint64(st.Nlink), target))
			if st.Mode.IsDir() {
				visit(p)
			}
		}
	}
	visit("")
	return out
}

// FuzzWalk runs the same calls on Linux itself, in a directory that is the root
// of a thread, and through the namespace over host directories and memory.
func FuzzWalk(f *testing.F) {
	for seed := range 150 {
		x := uint64(seed)*0x9e3779b97f4a7c15 + 1
		b := make([]byte, 400)
		for i := range b {
			x ^= x << 13
			x ^= x >> 7
			x ^= x << 17
			b[i] = byte(x >> 32)
		}
		f.Add(b)
	}
	f.Fuzz(func(t *testing.T, data []byte) { compareCalls(t, decodeCalls(data)) })
}
