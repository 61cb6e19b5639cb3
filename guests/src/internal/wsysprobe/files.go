// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

//go:build wasip1

package main

import (
	"strconv"
	"strings"

	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/guests/src/wsys"
)

func testEnvironment() {
	str("Args", strings.Join(wsys.Args(), "|"), "probe|all|two words|")
	str("Environ", strings.Join(wsys.Environ(), "|"), "A=b|EMPTY=")
	v, found := wsys.Getenv("A")
	is("Getenv A found", found)
	str("Getenv A", v, "b")
	_, found = wsys.Getenv("B")
	is("Getenv B not found", !found)

	d, err := wsys.Getcwd()
	ok("Getcwd", err)
	str("Getcwd", d, "/work")
	ok("Chdir /", wsys.Chdir("/"))
	d, _ = wsys.Getcwd()
	str("Getcwd after Chdir", d, "/")
	errno("Chdir missing", wsys.Chdir("missing"), abi.ENOENT)
	errno("Chdir file", wsys.Chdir("/probe"), abi.ENOTDIR)
	errno("Chdir NUL", wsys.Chdir("a\x00b"), abi.EINVAL)
	errno("Chdir long", wsys.Chdir(strings.Repeat("x", 5000)), abi.ENAMETOOLONG)
	fd, err := wsys.Open(wsys.AtCwd, "work", abi.ORdonly|abi.ODirectory, 0)
	ok("Open directory", err)
	ok("Fchdir", wsys.Fchdir(fd))
	d, _ = wsys.Getcwd()
	str("Getcwd after Fchdir", d, "/work")
	ok("Close directory", wsys.Close(fd))
	errno("Fchdir closed", wsys.Fchdir(fd), abi.EBADF)
	// A directory name that does not fit the first buffer of a text call.
	long := "/work/" + strings.Repeat("d", 200) + "/" + strings.Repeat("e", 200)
	ok("Mkdir long 1", wsys.Mkdir(wsys.AtCwd, long[:206], 0o755))
	ok("Mkdir long 2", wsys.Mkdir(wsys.AtCwd, long, 0o755))
	ok("Chdir long path", wsys.Chdir(long))
	d, err = wsys.Getcwd()
	ok("Getcwd long", err)
	str("Getcwd long", d, long)
	ok("Chdir back", wsys.Chdir("/work"))
	ok("Rmdir long 2", wsys.Rmdir(wsys.AtCwd, long))
	ok("Rmdir long 1", wsys.Rmdir(wsys.AtCwd, long[:206]))

	eq("Umask asks", wsys.Umask(-1), 0o022)
	eq("Umask sets", wsys.Umask(0o077), 0o022)
	eq("Umask reads", wsys.Umask(0o022), 0o077)

	i, err := wsys.Info(0)
	ok("Info", err)
	is("Info PID", i.PID > 1)
	eq("Info PPID", i.PPID, 1)
	eq("Info Pgid", i.Pgid, i.PID)
	eq("Info Sid", i.Sid, i.PID)
	eq("Info UID", i.UID, 1000)
	eq("Info GID", i.GID, 1000)
	eq("Info EUID", i.EUID, 1000)
	eq("Info EGID", i.EGID, 1000)
	j, err := wsys.Info(i.PID)
	ok("Info PID", err)
	is("Info of the own PID", i == j)
	_, err = wsys.Info(99999)
	errno("Info unknown", err, abi.ESRCH)
}

func testFiles() {
	fd, err := wsys.Open(wsys.AtCwd, "file", abi.ORdwr|abi.OCreat|abi.OExcl|abi.OCloexec, 0o666)
	ok("Open create", err)
	n, err := wsys.Write(fd, []byte("hello, world\n"))
	ok("Write", err)
	eq("Write", n, 13)
	off, err := wsys.Seek(fd, -6, abi.SeekEnd)
	ok("Seek", err)
	eq("Seek", off, 7)
	_, err = wsys.Seek(fd, -1, abi.SeekSet)
	errno("Seek below 0", err, abi.EINVAL)
	off, _ = wsys.Seek(fd, 0, abi.SeekCur)
	eq("Seek tells", off, 7)
	b := make([]byte, 32)
	n, err = wsys.Read(fd, b)
	ok("Read", err)
	str("Read", string(b[:n]), "world\n")
	n, err = wsys.Read(fd, b)
	ok("Read end", err)
	eq("Read end", n, 0)
	n, err = wsys.Read(fd, nil)
	ok("Read nothing", err)
	eq("Read nothing", n, 0)

	st, err := wsys.Fstat(fd)
	ok("Fstat", err)
	eq("Fstat Mode", st.Mode, abi.ModeRegular|0o644)
	eq("Fstat Size", st.Size, 13)
	eq("Fstat Nlink", st.Nlink, 1)
	eq("Fstat UID", st.UID, 1000)
	eq("Fstat GID", st.GID, 1000)
	is("Fstat Ino", st.Ino != 0)
	is("Fstat Mtim", st.Mtim > 1e18)
	ok("Fchmod", wsys.Fchmod(fd, 0o640))
	ok("Fchown", wsys.Fchown(fd, -1, 1000))
	errno("Fchown root", wsys.Fchown(fd, 0, -1), abi.EPERM)
	ok("Futimes", wsys.Futimes(fd, 5e9, abi.UtimeOmit))
	ok("Ftruncate", wsys.Ftruncate(fd, 5))
	errno("Ftruncate below 0", wsys.Ftruncate(fd, -1), abi.EINVAL)
	ok("Fsync", wsys.Fsync(fd))
	ok("Futimes", wsys.Futimes(fd, abi.UtimeOmit, 7e9))
	st2, err := wsys.Fstat(fd)
	ok("Fstat 2", err)
	eq("Fchmod", st2.Mode.Perm(), 0o640)
	eq("Ftruncate", st2.Size, 5)
	eq("Futimes Atim", st2.Atim, 5e9)
	eq("Futimes Mtim", st2.Mtim, 7e9)
	eq("Fstat same Ino", st2.Ino, st.Ino)
	sf, err := wsys.Fstatfs(fd)
	ok("Fstatfs", err)
	is("Fstatfs", sf.Bsize > 0 && sf.Namelen == 255)

	i, err := wsys.FDInfo(fd)
	ok("FDInfo", err)
	eq("FDInfo Mode", i.Mode&abi.ModeFmt, abi.ModeRegular)
	eq("FDInfo Flags", i.Flags&(abi.OAccmode|abi.OAppend|abi.ONonblock), abi.ORdwr)
	is("FDInfo Cloexec", i.Cloexec)
	is("FDInfo TTY", !i.TTY)
	is("Isatty", !wsys.Isatty(fd))
	ok("SetCloexec", wsys.SetCloexec(fd, false))
	ok("SetFlags", wsys.SetFlags(fd, abi.OAppend|abi.ONonblock))
	i, _ = wsys.FDInfo(fd)
	is("SetCloexec", !i.Cloexec)
	eq("SetFlags", i.Flags&(abi.OAppend|abi.ONonblock), abi.OAppend|abi.ONonblock)
	_, err = wsys.Seek(fd, 0, abi.SeekSet)
	ok("Seek", err)
	ok("WriteString appends", wsys.WriteString(fd, "!"))
	all, err := wsys.ReadFile("file")
	ok("ReadFile", err)
	str("ReadFile", string(all), "hello!")
	ok("Close", wsys.Close(fd))
	errno("Close again", wsys.Close(fd), abi.EBADF)
	_, err = wsys.Write(fd, []byte("x"))
	errno("Write closed", err, abi.EBADF)
	_, err = wsys.FDInfo(-1)
	errno("FDInfo -1", err, abi.EBADF)

	fd, err = wsys.Open(wsys.AtCwd, "file", abi.ORdonly, 0)
	ok("Open read", err)
	_, err = wsys.Write(fd, []byte("x"))
	errno("Write read-only", err, abi.EBADF)
	ok("Close", wsys.Close(fd))
	_, err = wsys.Open(wsys.AtCwd, "file", abi.OWronly|abi.OCreat|abi.OExcl, 0o666)
	errno("Open exclusive", err, abi.EEXIST)
	_, err = wsys.Open(wsys.AtCwd, "file", abi.ORdonly|abi.ODirectory, 0)
	errno("Open as directory", err, abi.ENOTDIR)
	_, err = wsys.Open(wsys.AtCwd, ".", abi.OWronly, 0)
	errno("Open directory to write", err, abi.EISDIR)
	_, err = wsys.Open(wsys.AtCwd, "file", 1<<20, 0)
	errno("Open unknown flag", err, abi.EINVAL)
	_, err = wsys.Open(77, "file", abi.ORdonly, 0)
	errno("Open at closed", err, abi.EBADF)
	_, err = wsys.Open(wsys.AtCwd, "", abi.ORdonly, 0)
	errno("Open empty", err, abi.ENOENT)
}

func testPaths() {
	ok("Mkdir", wsys.Mkdir(wsys.AtCwd, "dir", 0o777))
	errno("Mkdir again", wsys.Mkdir(wsys.AtCwd, "dir", 0o777), abi.EEXIST)
	d, err := wsys.Open(wsys.AtCwd, "dir", abi.ORdonly|abi.ODirectory, 0)
	ok("Open dir", err)
	st, err := wsys.StatAt(wsys.AtCwd, "dir", false)
	ok("StatAt", err)
	eq("StatAt", st.Mode, abi.ModeDir|0o755)
	_, err = wsys.Read(d, make([]byte, 1))
	errno("Read directory", err, abi.EISDIR)

	ok("Link", wsys.Link(wsys.AtCwd, "file", d, "hard", false))
	st, err = wsys.StatAt(d, "hard", false)
	ok("StatAt hard", err)
	eq("Link", st.Nlink, 2)
	errno("Link exists", wsys.Link(wsys.AtCwd, "file", d, "hard", false), abi.EEXIST)
	ok("Symlink", wsys.Symlink("../file", d, "soft"))
	to, err := wsys.Readlink(d, "soft")
	ok("Readlink", err)
	str("Readlink", to, "../file")
	long := strings.Repeat("long/", 100)
	ok("Symlink long", wsys.Symlink(long, d, "longlink"))
	to, err = wsys.Readlink(d, "longlink")
	ok("Readlink long", err)
	str("Readlink long", to, long)
	_, err = wsys.Readlink(d, "hard")
	errno("Readlink file", err, abi.EINVAL)
	st, err = wsys.StatAt(d, "soft", false)
	ok("StatAt soft", err)
	is("StatAt soft", st.Mode.IsSymlink())
	st, err = wsys.StatAt(d, "soft", true)
	ok("StatAt follow", err)
	eq("StatAt follow", st.Size, 6)
	_, err = wsys.Open(d, "soft", abi.ORdonly|abi.ONofollow, 0)
	errno("Open nofollow", err, abi.ELOOP)
	p, err := wsys.Realpath(wsys.AtCwd, "dir/./soft")
	ok("Realpath", err)
	str("Realpath", p, "/work/file")
	_, err = wsys.Realpath(wsys.AtCwd, "missing/x")
	errno("Realpath missing", err, abi.ENOENT)

	ok("Mkfifo", wsys.Mkfifo(d, "fifo", 0o600))
	st, err = wsys.StatAt(d, "fifo", false)
	ok("StatAt fifo", err)
	eq("Mkfifo", st.Mode, abi.ModeFIFO|0o600)

	ok("Chmod", wsys.Chmod(d, "hard", 0o400, true))
	errno("Access write", wsys.Access(d, "hard", abi.AccessWrite), abi.EACCES)
	ok("Access read", wsys.Access(d, "hard", abi.AccessRead))
	ok("Access exists", wsys.Access(d, "hard", 0))
	errno("Access missing", wsys.Access(d, "missing", 0), abi.ENOENT)
	errno("Access unknown mode", wsys.Access(d, "hard", 8), abi.EINVAL)
	ok("Chown", wsys.Chown(d, "hard", 1000, -1, true))
	errno("Chown other", wsys.Chown(d, "hard", 0, -1, true), abi.EPERM)
	ok("Utimes", wsys.Utimes(d, "soft", 1e9, 2e9, true))
	st, _ = wsys.StatAt(d, "hard", false)
	eq("Utimes Atim", st.Atim, 1e9)
	eq("Utimes Mtim", st.Mtim, 2e9)
	eq("Chmod", st.Mode.Perm(), 0o400)
	sf, err := wsys.StatfsAt(wsys.AtCwd, ".")
	ok("StatfsAt", err)
	is("StatfsAt", sf.Bsize > 0)

	ok("Rename", wsys.Rename(d, "hard", wsys.AtCwd, "moved"))
	errno("Rename missing", wsys.Rename(d, "hard", wsys.AtCwd, "moved"), abi.ENOENT)
	ok("Rename over", wsys.Rename(wsys.AtCwd, "moved", d, "moved"))

	names := map[string]wsys.Dirent{}
	var ents []wsys.Dirent
	for cookie := uint64(0); ; cookie = ents[len(ents)-1].Cookie {
		ents, err = wsys.ReadDir(d, ents[:0], cookie, true)
		ok("ReadDir", err)
		if len(ents) == 0 || err != nil {
			break
		}
		for _, e := range ents {
			names[e.Name] = e
		}
	}
	eq("ReadDir", len(names), 6)
	for _, n := range []string{".", "..", "soft", "longlink", "fifo", "moved"} {
		e, found := names[n]
		is("ReadDir has "+n, found)
		if n == ".." {
			continue
		}
		st, err := wsys.StatAt(d, n, false)
		ok("StatAt "+n, err)
		eq("ReadDir Ino of "+n, e.Ino, st.Ino)
		if e.StatOK {
			st.Atim = e.Stat.Atim // reading the directory changes its own
			is("ReadDir Stat of "+n, e.Stat == st)
		} else {
			eq("ReadDir Mode of "+n, e.Mode&abi.ModeFmt, st.Mode&abi.ModeFmt)
		}
	}
	_, err = wsys.ReadDir(wsys.Stdin, nil, 0, false)
	errno("ReadDir of no directory", err, abi.ENOTDIR)
	// More entries than one buffer holds.
	ok("Mkdir many", wsys.Mkdir(wsys.AtCwd, "many", 0o755))
	for i := range 2000 {
		fd, err := wsys.Open(wsys.AtCwd, "many/entry-"+strconv.Itoa(i), abi.OWronly|abi.OCreat, 0o644)
		if err != nil {
			ok("Open many", err)
			break
		}
		wsys.Close(fd)
	}
	m, err := wsys.Open(wsys.AtCwd, "many", abi.ORdonly|abi.ODirectory, 0)
	ok("Open many", err)
	seen, calls := map[string]bool{}, 0
	for cookie := uint64(0); ; cookie = ents[len(ents)-1].Cookie {
		ents, err = wsys.ReadDir(m, ents[:0], cookie, calls%2 == 0)
		ok("ReadDir many", err)
		if len(ents) == 0 || err != nil {
			break
		}
		calls++
		for _, e := range ents {
			is("ReadDir many once", !seen[e.Name])
			seen[e.Name] = true
		}
	}
	eq("ReadDir many", len(seen), 2002)
	is("ReadDir many calls", calls > 1)
	ok("Close many", wsys.Close(m))

	errno("Unlink directory", wsys.Unlink(wsys.AtCwd, "dir"), abi.EISDIR)
	errno("Rmdir not empty", wsys.Rmdir(wsys.AtCwd, "dir"), abi.ENOTEMPTY)
	errno("Rmdir file", wsys.Rmdir(d, "moved"), abi.ENOTDIR)
	for _, n := range []string{"soft", "longlink", "fifo", "moved"} {
		ok("Unlink "+n, wsys.Unlink(d, n))
	}
	errno("Unlink missing", wsys.Unlink(d, "soft"), abi.ENOENT)
	ok("Close dir", wsys.Close(d))
	ok("Rmdir", wsys.Rmdir(wsys.AtCwd, "dir"))
}
