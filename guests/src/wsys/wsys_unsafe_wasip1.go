// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package wsys

import (
	"unsafe"

	"github.com/wsandbox/wsandbox/engine/abi"
)

func errOf(e int32) error {
	if e == 0 {
		return nil
	}
	return abi.Errno(e)
}

func bp(b []byte) unsafe.Pointer { return unsafe.Pointer(unsafe.SliceData(b)) }
func sp(s string) unsafe.Pointer { return unsafe.Pointer(unsafe.StringData(s)) }
func sl(s string) int32          { return int32(len(s)) }

func ip[T any](p *T) unsafe.Pointer { return unsafe.Pointer(p) }

// text calls a function of the (buf, cap, len*) form until the buffer is large
// enough.
func text(f func(buf unsafe.Pointer, size int32, need unsafe.Pointer) int32) (string, error) {
	b := make([]byte, 256)
	for {
		need := new(int32)
		e := f(bp(b), int32(len(b)), ip(need))
		if e == int32(abi.ERANGE) && int(*need) > len(b) {
			b = make([]byte, *need)
			continue
		}
		if e != 0 {
			return "", abi.Errno(e)
		}
		return string(b[:*need]), nil
	}
}

func list(s string) []string {
	var l []string
	for s != "" {
		i := 0
		for i < len(s) && s[i] != 0 {
			i++
		}
		l = append(l, s[:i])
		if i < len(s) {
			i++
		}
		s = s[i:]
	}
	return l
}

// Args returns the arguments, the program's name first.
func Args() []string {
	s, _ := text(xProcArgs)
	return list(s)
}

// Environ returns the initial environment as NAME=value strings.
func Environ() []string {
	s, _ := text(xProcEnviron)
	return list(s)
}

// Getcwd returns the absolute path of the working directory.
func Getcwd() (string, error) { return text(xProcGetcwd) }

// Chdir changes the working directory: ENOENT, ENOTDIR, EACCES, ELOOP.
func Chdir(path string) error { return errOf(xProcChdir(sp(path), sl(path))) }

// Fchdir changes the working directory to an open directory.
func Fchdir(fd FD) error { return errOf(xProcFchdir(fd)) }

// Umask sets the file creation mask and returns the old one; -1 only asks.
func Umask(mask int) int {
	old := new(int32)
	xProcUmask(int32(mask), ip(old))
	return int(*old)
}

// Info describes the process pid, or the caller where pid is 0: ESRCH.
func Info(pid PID) (abi.ProcInfo, error) {
	p := new(abi.ProcInfo)
	e := xProcInfo(pid, ip(p))
	return *p, errOf(e)
}

// Spawn starts a process. See abi.SpawnSpec: ENOENT, EACCES, ENOEXEC, E2BIG,
// EAGAIN at the limit of processes, EMFILE, EBADF for an action's source.
func Spawn(s *SpawnSpec) (PID, error) {
	b := s.Append(nil)
	pid := new(int32)
	e := xProcSpawn(bp(b), int32(len(b)), ip(pid))
	return *pid, errOf(e)
}

// Exec replaces the program of the calling process. It returns only an error.
func Exec(s *SpawnSpec) error {
	b := s.Append(nil)
	e := xProcExec(bp(b), int32(len(b)))
	return errOf(e)
}

// Wait waits for a child of parent (0: the caller; else a shadow process of
// its) as waitpid does: ECHILD, EINTR.
func Wait(parent, which PID, flags abi.WaitFlag) (WaitResult, error) {
	b := new([abi.WaitResultSize]byte)
	e := xProcWait(parent, which, int32(flags), ip(b))
	if e != 0 {
		return WaitResult{}, abi.Errno(e)
	}
	var r WaitResult
	r.Parse(b[:])
	return r, nil
}

// Kill sends a signal as kill(2) does; 0 tests: ESRCH, EINVAL, EPERM.
func Kill(pid PID, sig Signal) error { return errOf(xProcKill(pid, int32(sig))) }

// Setpgid moves a process (0: the caller) into a group (0: its own).
func Setpgid(pid, pgid PID) error { return errOf(xProcSetpgid(pid, pgid)) }

// Setsid makes the caller the leader of a new session: EPERM.
func Setsid() (PID, error) {
	sid := new(int32)
	e := xProcSetsid(ip(sid))
	return *sid, errOf(e)
}

// Shadow makes a process that has a pid, a parent, a group and a wait status
// but no program: the caller runs it as a goroutine and reports its state with
// ShadowStatus. pgid is -1 to inherit and 0 for a new group.
func Shadow(parent, pgid PID, flags abi.SpawnFlag) (PID, error) {
	pid := new(int32)
	e := xProcShadow(parent, pgid, int32(flags), ip(pid))
	return *pid, errOf(e)
}

// ShadowStatus reports that a shadow process stopped, continued or ended. With
// pid 0 the caller itself has ended for all others but runs its shadows on, and
// ends with the last of them: EPERM where it has none, or its job ends with it.
func ShadowStatus(pid PID, st WaitStatus) error { return errOf(xProcShadowStatus(pid, int32(st))) }

// ProcTimes returns the processor times of the caller and its children.
func ProcTimes() Times {
	t := new(Times)
	xProcTimes(ip(t))
	return *t
}

// DieBy ends the caller as the default action of sig does.
func DieBy(sig Signal) { xProcExitSignal(int32(sig)) }

// SigFlag registers the word in which the host sets abi.SigFlag bits. The word
// must be a global variable.
func SigFlag(word *uint32) { xSigFlag(ip(word)) }

// SigAction sets what the caller does with a signal: EINVAL.
func SigAction(sig Signal, a abi.SigAction) error { return errOf(xSigAction(int32(sig), int32(a))) }

// SigPending takes the pending handled signals of the caller (0) or of a shadow
// process. Every signal sent to a shadow is reported, also fatal ones.
func SigPending(pid PID) SignalSet {
	s := new(SignalSet)
	xSigPending(pid, ip(s))
	return *s
}

// Hostname returns the sandbox's host name.
func Hostname() string { s, _ := text(xSysHostname); return s }

// Getrlimit returns a limit: EINVAL.
func Getrlimit(r abi.Resource) (soft, hard uint64, err error) {
	v := new([2]uint64)
	e := xSysGetrlimit(int32(r), ip(v))
	return v[0], v[1], errOf(e)
}

// Setrlimit lowers a limit of the caller and its later children: EINVAL, EPERM.
func Setrlimit(r abi.Resource, soft, hard uint64) error {
	return errOf(xSysSetrlimit(int32(r), int64(soft), int64(hard)))
}

// Poll waits until an entry is ready or timeout nanoseconds have passed (-1:
// for ever) and returns how many are: EINTR on a handled signal.
func Poll(fds []PollFD, timeout int64) (int, error) {
	b := make([]byte, abi.PollFDSize*len(fds)+abi.PollFDSize)
	for i, f := range fds {
		p := b[i*abi.PollFDSize:]
		p[0], p[1], p[2], p[3] = byte(f.FD), byte(f.FD>>8), byte(f.FD>>16), byte(f.FD>>24)
		p[4], p[5] = byte(f.Events), byte(f.Events>>8)
	}
	n := new(int32)
	e := xPoll(bp(b), int32(len(fds)), timeout, ip(n))
	for i := range fds {
		p := b[i*abi.PollFDSize:]
		fds[i].Revents = abi.PollEvents(p[6]) | abi.PollEvents(p[7])<<8
	}
	return int(*n), errOf(e)
}

// Read reads up to len(p) bytes, waiting for the first; 0, nil is the end.
func Read(fd FD, p []byte) (int, error) { return read(fd, p, 0) }

// ReadNonblock is Read that returns EAGAIN instead of waiting.
func ReadNonblock(fd FD, p []byte) (int, error) { return read(fd, p, int32(abi.IONonblock)) }

func read(fd FD, p []byte, flags int32) (int, error) {
	n := new(int32)
	e := xFdRead(fd, bp(p), int32(len(p)), flags, ip(n))
	return int(*n), errOf(e)
}

// Write writes p, waiting until all of it is written or an error or handled
// signal (EINTR) cuts it short. EPIPE comes with SIGPIPE.
func Write(fd FD, p []byte) (int, error) { return write(fd, p, 0) }

// WriteNonblock is Write that returns EAGAIN, or fewer bytes, instead of
// waiting.
func WriteNonblock(fd FD, p []byte) (int, error) { return write(fd, p, int32(abi.IONonblock)) }

func write(fd FD, p []byte, flags int32) (int, error) {
	n := new(int32)
	e := xFdWrite(fd, bp(p), int32(len(p)), flags, ip(n))
	return int(*n), errOf(e)
}

// FDInfo describes a descriptor: EBADF.
func FDInfo(fd FD) (abi.FDInfo, error) {
	b := new([abi.FDInfoSize]byte)
	e := xFdInfo(fd, ip(b))
	u := func(i int) uint32 {
		return uint32(b[i]) | uint32(b[i+1])<<8 | uint32(b[i+2])<<16 | uint32(b[i+3])<<24
	}
	return abi.FDInfo{Mode: Mode(u(0)), Flags: OpenFlag(u(4)), Cloexec: b[8] != 0, TTY: b[9] != 0}, errOf(e)
}

// Isatty reports whether fd is a terminal.
func Isatty(fd FD) bool { i, err := FDInfo(fd); return err == nil && i.TTY }

// SetFlags sets the status flags (abi.OAppend, ONonblock, OSync).
func SetFlags(fd FD, f OpenFlag) error { return errOf(xFdSetfl(fd, int32(f))) }

// Pipe makes a pipe: EMFILE.
func Pipe(flags OpenFlag) (r, w FD, err error) {
	p := new([2]int32)
	e := xFdPipe(int32(flags), ip(p))
	return p[0], p[1], errOf(e)
}

// Dup duplicates fd to the lowest free descriptor not below lowest.
func Dup(fd, lowest FD, flags OpenFlag) (FD, error) {
	n := new(int32)
	e := xFdDup(fd, lowest, int32(flags), ip(n))
	return *n, errOf(e)
}

// DupTo duplicates fd to to, which is closed first: EBADF.
func DupTo(fd, to FD, flags OpenFlag) error { return errOf(xFdDupTo(fd, to, int32(flags))) }

// SetCloexec sets or clears close-on-exec.
func SetCloexec(fd FD, on bool) error {
	v := int32(0)
	if on {
		v = 1
	}
	return errOf(xFdCloexec(fd, v))
}

//go:wasmimport wasi_snapshot_preview1 fd_close
func wasiFdClose(fd int32) uint32

//go:wasmimport wasi_snapshot_preview1 fd_seek
//go:noescape
func wasiFdSeek(fd int32, off int64, whence uint32, res unsafe.Pointer) uint32

//go:wasmimport wasi_snapshot_preview1 fd_filestat_set_size
func wasiFdSetSize(fd int32, size int64) uint32

//go:wasmimport wasi_snapshot_preview1 fd_sync
func wasiFdSync(fd int32) uint32

//go:wasmimport wasi_snapshot_preview1 clock_time_get
//go:noescape
func wasiClock(id uint32, precision int64, res unsafe.Pointer) uint32

//go:wasmimport wasi_snapshot_preview1 random_get
//go:noescape
func wasiRandom(p unsafe.Pointer, n int32) uint32

//go:wasmimport wasi_snapshot_preview1 proc_exit
func wasiExit(code int32)

// Close closes fd: EBADF.
func Close(fd FD) error { return errOf(int32(wasiFdClose(fd))) }

// Seek moves the offset of fd: ESPIPE, EINVAL.
func Seek(fd FD, off int64, whence abi.Whence) (int64, error) {
	n := new(int64)
	e := wasiFdSeek(fd, off, uint32(whence), ip(n))
	return *n, errOf(int32(e))
}

// Ftruncate sets the size of a file.
func Ftruncate(fd FD, size int64) error { return errOf(int32(wasiFdSetSize(fd, size))) }

// Fsync flushes a file.
func Fsync(fd FD) error { return errOf(int32(wasiFdSync(fd))) }

// Now returns nanoseconds since the Unix epoch.
func Now() int64 { return clock(0) }

// Monotonic returns nanoseconds of a clock that only moves forward.
func Monotonic() int64 { return clock(1) }

func clock(id uint32) int64 {
	n := new(int64)
	wasiClock(id, 1, ip(n))
	return *n
}

// Random fills p with random bytes.
func Random(p []byte) { wasiRandom(bp(p), int32(len(p))) }

// Exit ends the process. It does not return.
func Exit(code int) { wasiExit(int32(code)) }

// Fstat describes an open file.
func Fstat(fd FD) (Stat, error) {
	b := new([abi.StatSize]byte)
	e := xFdStat(fd, ip(b))
	var s Stat
	s.Parse(b[:])
	return s, errOf(e)
}

// Fchmod changes an open file's permission bits.
func Fchmod(fd FD, m Mode) error { return errOf(xFdChmod(fd, int32(m))) }

// Fchown changes an open file's owner; -1 keeps one.
func Fchown(fd FD, uid, gid int) error { return errOf(xFdChown(fd, int32(uid), int32(gid))) }

// Futimes changes an open file's times.
func Futimes(fd FD, atim, mtim int64) error { return errOf(xFdUtimes(fd, atim, mtim)) }

// ReadDir appends entries behind cookie (0: the start) to dst, as many as one
// call brings; none is the end. "." and ".." are included.
func ReadDir(fd FD, dst []Dirent, cookie uint64, stat bool) ([]Dirent, error) {
	flags := uint32(0)
	if stat {
		flags = abi.DirStat
	}
	b := dirBuf[:]
	used := new(int32)
	if e := xFdDirRead(fd, bp(b), int32(len(b)), int64(cookie), int32(flags), ip(used)); e != 0 {
		return dst, abi.Errno(e)
	}
	b = b[:*used]
	u64 := func(i int) uint64 {
		v := uint64(0)
		for k := 7; k >= 0; k-- {
			v = v<<8 | uint64(b[i+k])
		}
		return v
	}
	for len(b) >= abi.DirentExtSize {
		d := Dirent{Cookie: u64(0), Ino: u64(8), Mode: Mode(uint32(u64(16)))}
		n := int(b[20]) | int(b[21])<<8
		hasStat := b[22]&1 != 0
		b = b[abi.DirentExtSize:]
		d.Name = string(b[:n])
		b = b[n:]
		if hasStat {
			d.StatOK = true
			d.Stat.Parse(b)
			d.Mode = d.Stat.Mode
			b = b[abi.StatSize:]
		}
		dst = append(dst, d)
	}
	return dst, nil
}

var dirBuf [32 << 10]byte

// Splice copies up to limit bytes from in to out inside the kernel and returns
// how many; 0, nil is the end of in. EINVAL where the kernel cannot for this
// pair: copy by hand.
func Splice(in, out FD, limit int64) (int64, error) {
	n := new(int64)
	e := xFdSplice(in, out, limit, ip(n))
	return *n, errOf(e)
}

// Fstatfs describes the file system of an open file.
func Fstatfs(fd FD) (Statfs, error) {
	b := new([abi.StatfsSize]byte)
	e := xFdStatfs(fd, ip(b))
	var s Statfs
	s.Parse(b[:])
	return s, errOf(e)
}

// Open opens a file as openat does. perm is masked by the umask.
func Open(dir FD, path string, flags OpenFlag, perm Mode) (FD, error) {
	n := new(int32)
	e := xPathOpen(dir, sp(path), sl(path), int32(flags), int32(perm), ip(n))
	return *n, errOf(e)
}

func lookup(follow bool) int32 {
	if follow {
		return int32(abi.SymlinkFollow)
	}
	return 0
}

// StatAt describes the named file, or with follow what a link points to.
func StatAt(dir FD, path string, follow bool) (Stat, error) {
	b := new([abi.StatSize]byte)
	e := xPathStat(dir, sp(path), sl(path), lookup(follow), ip(b))
	var s Stat
	s.Parse(b[:])
	return s, errOf(e)
}

// Access checks permissions; mode combines abi.Access bits, 0 asks for
// existence.
func Access(dir FD, path string, mode uint32) error {
	return errOf(xPathAccess(dir, sp(path), sl(path), int32(mode)))
}

// Mkdir makes a directory.
func Mkdir(dir FD, path string, perm Mode) error {
	return errOf(xPathMkdir(dir, sp(path), sl(path), int32(perm)))
}

// Mkfifo makes a FIFO.
func Mkfifo(dir FD, path string, perm Mode) error {
	return errOf(xPathMkfifo(dir, sp(path), sl(path), int32(perm)))
}

// Unlink removes a name that is not a directory's.
func Unlink(dir FD, path string) error { return errOf(xPathUnlink(dir, sp(path), sl(path))) }

// Rmdir removes an empty directory.
func Rmdir(dir FD, path string) error { return errOf(xPathRmdir(dir, sp(path), sl(path))) }

// Rename renames a file.
func Rename(fromDir FD, from string, toDir FD, to string) error {
	return errOf(xPathRename(fromDir, sp(from), sl(from), toDir, sp(to), sl(to)))
}

// Link makes a hard link.
func Link(fromDir FD, from string, toDir FD, to string, follow bool) error {
	return errOf(xPathLink(fromDir, sp(from), sl(from), toDir, sp(to), sl(to), lookup(follow)))
}

// Symlink makes a symbolic link with the given target.
func Symlink(target string, dir FD, path string) error {
	return errOf(xPathSymlink(sp(target), sl(target), dir, sp(path), sl(path)))
}

// Readlink returns the target of a symbolic link: EINVAL where it is none.
func Readlink(dir FD, path string) (string, error) {
	return text(func(b unsafe.Pointer, c int32, n unsafe.Pointer) int32 {
		return xPathReadlink(dir, sp(path), sl(path), b, c, n)
	})
}

// Chmod changes permission bits.
func Chmod(dir FD, path string, perm Mode, follow bool) error {
	return errOf(xPathChmod(dir, sp(path), sl(path), lookup(follow), int32(perm)))
}

// Chown changes the owner and group; -1 keeps one.
func Chown(dir FD, path string, uid, gid int, follow bool) error {
	return errOf(xPathChown(dir, sp(path), sl(path), lookup(follow), int32(uid), int32(gid)))
}

// Utimes changes times: nanoseconds, abi.UtimeNow or abi.UtimeOmit.
func Utimes(dir FD, path string, atim, mtim int64, follow bool) error {
	return errOf(xPathUtimes(dir, sp(path), sl(path), lookup(follow), atim, mtim))
}

// StatfsAt describes the file system that holds path.
func StatfsAt(dir FD, path string) (Statfs, error) {
	b := new([abi.StatfsSize]byte)
	e := xPathStatfs(dir, sp(path), sl(path), ip(b))
	var s Statfs
	s.Parse(b[:])
	return s, errOf(e)
}

// Realpath returns the absolute path without links, "." and "..".
func Realpath(dir FD, path string) (string, error) {
	return text(func(b unsafe.Pointer, c int32, n unsafe.Pointer) int32 {
		return xPathRealpath(dir, sp(path), sl(path), b, c, n)
	})
}

// TTYGetattr fills b with the terminal attributes of fd, an encoded
// abi.Termios: ENOTTY, EINVAL for a short b.
func TTYGetattr(fd FD, b []byte) error {
	if len(b) < abi.TermiosSize {
		return abi.EINVAL
	}
	return errOf(xTtyGetattr(fd, bp(b)))
}

// TTYSetattr sets the terminal attributes of fd, an encoded abi.Termios: ENOTTY,
// EINVAL.
func TTYSetattr(fd FD, when int, b []byte) error {
	if len(b) < abi.TermiosSize {
		return abi.EINVAL
	}
	return errOf(xTtySetattr(fd, int32(when), bp(b)))
}

// TTYGetwinsize returns the size of the terminal fd: ENOTTY.
func TTYGetwinsize(fd FD) (Winsize, error) {
	ws := new(Winsize)
	e := xTtyGetwinsize(fd, ip(ws))
	return *ws, errOf(e)
}

// TTYSetwinsize sets the size of the terminal fd: ENOTTY.
func TTYSetwinsize(fd FD, ws Winsize) error {
	p := &ws
	return errOf(xTtySetwinsize(fd, ip(p)))
}

// Tcgetpgrp returns the foreground process group of the terminal fd: ENOTTY.
func Tcgetpgrp(fd FD) (PID, error) {
	p := new(int32)
	e := xTtyGetpgrp(fd, ip(p))
	return *p, errOf(e)
}

// Tcsetpgrp sets the foreground process group of the terminal fd: ENOTTY,
// EPERM.
func Tcsetpgrp(fd FD, pgid PID) error { return errOf(xTtySetpgrp(fd, pgid)) }

// Index returns the offset of the first needle in b, or -1.
func Index(b, needle []byte) int {
	n := new(int32)
	xAccelIndex(bp(b), int32(len(b)), bp(needle), int32(len(needle)), ip(n))
	return int(*n)
}

// IndexByte returns the offset of the first c in b, or -1. It pays off for
// distances of some hundred bytes.
func IndexByte(b []byte, c byte) int {
	n := new(int32)
	xAccelIndexByte(bp(b), int32(len(b)), int32(c), ip(n))
	return int(*n)
}

// CountByte returns how many bytes of b are c.
func CountByte(b []byte, c byte) int {
	n := new(int32)
	xAccelCountByte(bp(b), int32(len(b)), int32(c), ip(n))
	return int(*n)
}

// Positions stores the offsets of the bytes of b that are c1 or c2, in order,
// until out is full, and returns how many.
func Positions(b []byte, c1, c2 byte, out []uint32) int {
	n := new(int32)
	xAccelPositions(bp(b), int32(len(b)), int32(c1), int32(c2), wp(out), int32(len(out)), ip(n))
	return int(*n)
}

// Find stores in out where needle is in b, as mode says, and returns how many
// numbers it stored: fewer than fit only where all of b has been searched. eol
// ends a line.
func Find(b, needle []byte, mode uint32, eol byte, out []uint32) int {
	n := new(int32)
	xAccelFind(bp(b), int32(len(b)), bp(needle), int32(len(needle)), int32(mode), int32(eol), wp(out), int32(len(out)), ip(n))
	return int(*n)
}

// Split stores for each line of b the offsets of its first k delimiters and of
// its end, eol, which also stands for the delimiters that it lacks, and returns
// how many numbers that are: fewer than fit only at the end of b. What is behind
// the last eol does not count. out must have room for one line.
func Split(b []byte, delim, eol byte, k int, out []uint32) int {
	n := new(int32)
	xAccelSplit(bp(b), int32(len(b)), int32(delim), int32(eol), int32(k), wp(out), int32(len(out)), ip(n))
	return int(*n)
}

// ValidUTF8 returns how many bytes at the start of b are valid UTF-8.
func ValidUTF8(b []byte) int {
	n := new(int32)
	xAccelUtf8(bp(b), int32(len(b)), ip(n))
	return int(*n)
}

// Runs returns how many runs of bytes b has for which set is not 0. in says
// whether the byte before b is one, and then whether the last is.
func Runs(b []byte, set *[256]uint8, in *bool) int {
	n, state := new(int32), new(uint32)
	if *in {
		*state = 1
	}
	xAccelRuns(bp(b), int32(len(b)), ip(set), ip(state), ip(n))
	*in = *state != 0
	return int(*n)
}

// Translate replaces the bytes of b in place as table says: the byte to put in
// the low bits, abi.TranslateDrop and abi.TranslateSqueeze above. prev is the
// byte before b, -1 for none, and becomes the last one. It returns the new
// length.
func Translate(b []byte, table *[256]uint16, prev *int32) int {
	n := new(int32)
	xAccelTranslate(bp(b), int32(len(b)), ip(table), ip(prev), ip(n))
	return int(*n)
}

// Gather copies pieces of src, or of alt where the offset has abi.GatherAlt set,
// one behind the other to dst and returns how many bytes that are. A piece is an
// offset and a length. Pieces out of bounds and a dst that is too short are
// mistakes of the caller: nothing useful is returned.
func Gather(dst, src, alt []byte, pieces []uint32) int {
	n := new(int32)
	xAccelGather(bp(src), int32(len(src)), bp(alt), int32(len(alt)), wp(pieces), int32(len(pieces)/2), bp(dst), int32(len(dst)), ip(n))
	return int(*n)
}

func wp[T int32 | uint32](l []T) unsafe.Pointer { return unsafe.Pointer(unsafe.SliceData(l)) }

// dfaBlock is what accel_dfa works on, as abi.DFASize lays it out.
type dfaBlock struct {
	trans, wide, classes, low, class, flags, text, needle, out unsafe.Pointer // 64 bits each
	states, columns, multi, intervals                          uint32
	textLen, needleLen, outCap                                 uint32
	mode, eol, start, pos, state                               uint32
	last                                                       int32
	n, reason, inner                                           uint32
}

// block stands outside of Run so that everything it points to is on the heap,
// which does not move. Nothing runs between filling it and using it.
var block dfaBlock

// Run runs the automaton and returns an abi.DFA reason.
func (d *DFA) Run() uint32 {
	block = dfaBlock{
		trans: wp(d.Trans), wide: wp(d.Wide), classes: ip(d.Classes), low: wp(d.Low), class: wp(d.Class), flags: bp(d.Flags),
		text: bp(d.Text), needle: bp(d.Needle), out: wp(d.Out),
		states: uint32(len(d.Flags)), columns: uint32(d.Columns), multi: uint32(d.Multi), intervals: uint32(len(d.Low)),
		textLen: uint32(len(d.Text)), needleLen: uint32(len(d.Needle)), outCap: uint32(len(d.Out)),
		mode: d.Mode, eol: uint32(d.EOL), start: uint32(d.Start), pos: uint32(d.Pos), state: uint32(d.State),
		last: int32(d.Last), inner: uint32(d.Inner),
	}
	xAccelDfa(ip(&block))
	d.Pos, d.State, d.Last, d.N = int(block.pos), int32(block.state), int(block.last), int(block.n)
	return block.reason
}

// Hash feeds data to a hash of the given abi.Hash kind; final puts the digest
// at the start of state.
func Hash(kind uint32, state *[abi.HashStateSize]byte, data []byte, final bool) {
	f := int32(0)
	if final {
		f = 1
	}
	xAccelHash(int32(kind), ip(state), bp(data), int32(len(data)), f)
}
