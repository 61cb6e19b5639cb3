// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package wsys

import (
	"bytes"
	"crypto/md5"
	"crypto/rand"
	"crypto/sha1"
	"crypto/sha256"
	"crypto/sha512"
	"encoding"
	"encoding/binary"
	"hash"
	"hash/crc32"
	"os"
	"os/signal"
	"path/filepath"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
	"unsafe"

	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/engine/accel"
)

// This file serves package wsys by the system calls of Linux, for developing
// and testing guest programs natively. It is never part of a guest.

var errnoTable = map[syscall.Errno]abi.Errno{
	syscall.E2BIG: abi.E2BIG, syscall.EACCES: abi.EACCES, syscall.EAGAIN: abi.EAGAIN, syscall.EBADF: abi.EBADF,
	syscall.EBUSY: abi.EBUSY, syscall.ECHILD: abi.ECHILD, syscall.EDQUOT: abi.EDQUOT, syscall.EEXIST: abi.EEXIST,
	syscall.EFAULT: abi.EFAULT, syscall.EFBIG: abi.EFBIG, syscall.EILSEQ: abi.EILSEQ, syscall.EINTR: abi.EINTR,
	syscall.EINVAL: abi.EINVAL, syscall.EIO: abi.EIO, syscall.EISDIR: abi.EISDIR, syscall.ELOOP: abi.ELOOP,
	syscall.EMFILE: abi.EMFILE, syscall.EMLINK: abi.EMLINK, syscall.ENAMETOOLONG: abi.ENAMETOOLONG,
	syscall.ENFILE: abi.ENFILE, syscall.ENODEV: abi.ENODEV, syscall.ENOENT: abi.ENOENT, syscall.ENOEXEC: abi.ENOEXEC,
	syscall.ENOMEM: abi.ENOMEM, syscall.ENOSPC: abi.ENOSPC, syscall.ENOSYS: abi.ENOSYS, syscall.ENOTDIR: abi.ENOTDIR,
	syscall.ENOTEMPTY: abi.ENOTEMPTY, syscall.ENOTSUP: abi.ENOTSUP, syscall.ENOTTY: abi.ENOTTY, syscall.ENXIO: abi.ENXIO,
	syscall.EOVERFLOW: abi.EOVERFLOW, syscall.EPERM: abi.EPERM, syscall.EPIPE: abi.EPIPE, syscall.ERANGE: abi.ERANGE,
	syscall.EROFS: abi.EROFS, syscall.ESPIPE: abi.ESPIPE, syscall.ESRCH: abi.ESRCH, syscall.ETIMEDOUT: abi.ETIMEDOUT,
	syscall.ETXTBSY: abi.ETXTBSY, syscall.EXDEV: abi.EXDEV,
}

func conv(err error) error {
	if err == nil {
		return nil
	}
	for {
		switch e := err.(type) {
		case syscall.Errno:
			if e == 0 {
				return nil
			}
			if v, ok := errnoTable[e]; ok {
				return v
			}
			return abi.EIO
		case *os.PathError:
			err = e.Err
		case *os.SyscallError:
			err = e.Err
		case *os.LinkError:
			err = e.Err
		default:
			return abi.ErrnoOf(err)
		}
	}
}

func raw(e syscall.Errno) error {
	if e == 0 {
		return nil
	}
	return conv(e)
}

func at(dir FD) int {
	if dir == AtCwd {
		return -0x64 // AT_FDCWD
	}
	return int(dir)
}

func cstr(s string) (unsafe.Pointer, error) {
	p, err := syscall.BytePtrFromString(s)
	if err != nil {
		return nil, abi.EINVAL
	}
	return unsafe.Pointer(p), nil
}

const (
	atSymlinkNofollow = 0x100
	atSymlinkFollow   = 0x400
	atRemovedir       = 0x200
)

// Args returns the arguments, the program's name first.
func Args() []string { return os.Args }

// Environ returns the initial environment as NAME=value strings.
func Environ() []string { return os.Environ() }

// Getcwd returns the absolute path of the working directory.
func Getcwd() (string, error) { s, err := syscall.Getwd(); return s, conv(err) }

// Chdir changes the working directory.
func Chdir(path string) error { return conv(syscall.Chdir(path)) }

// Fchdir changes the working directory to an open directory.
func Fchdir(fd FD) error { return conv(syscall.Fchdir(int(fd))) }

// Umask sets the file creation mask and returns the old one; -1 only asks.
func Umask(mask int) int {
	if mask < 0 {
		old := syscall.Umask(0)
		syscall.Umask(old)
		return old
	}
	return syscall.Umask(mask)
}

// Info describes the process pid, or the caller where pid is 0.
func Info(pid PID) (abi.ProcInfo, error) {
	if pid != 0 && int(pid) != os.Getpid() {
		pgid, err := syscall.Getpgid(int(pid))
		return abi.ProcInfo{PID: pid, Pgid: int32(pgid)}, conv(err)
	}
	sid, _, _ := syscall.RawSyscall(syscall.SYS_GETSID, 0, 0, 0)
	var ignored SignalSet
	for s := Signal(1); s < abi.NSIG; s++ {
		if signal.Ignored(syscall.Signal(s)) {
			ignored.Add(s)
		}
	}
	inherited := uint64(0)
	for fd := range uintptr(64) {
		if fl, _, e := syscall.RawSyscall(syscall.SYS_FCNTL, fd, syscall.F_GETFD, 0); e == 0 && fl&syscall.FD_CLOEXEC == 0 {
			inherited |= 1 << fd
		}
	}
	return abi.ProcInfo{
		PID: int32(os.Getpid()), PPID: int32(os.Getppid()), Pgid: int32(syscall.Getpgrp()), Sid: int32(sid),
		UID: uint32(os.Getuid()), GID: uint32(os.Getgid()), EUID: uint32(os.Geteuid()), EGID: uint32(os.Getegid()),
		Ignored: ignored, Inherited: inherited,
	}, nil
}

func forkExecAttr(s *SpawnSpec) (*syscall.ProcAttr, []int) {
	attr := &syscall.ProcAttr{Dir: s.Dir, Env: s.Env, Sys: &syscall.SysProcAttr{}}
	if s.Flags&abi.SpawnSetpgid != 0 && s.Pgid < firstShadow {
		attr.Sys.Setpgid, attr.Sys.Pgid = true, int(s.Pgid)
		attr.Sys.Foreground, attr.Sys.Ctty = s.Flags&abi.SpawnForeground != 0 && jobTTY >= 0, int(jobTTY)
	}
	attr.Sys.Setsid = s.Flags&abi.SpawnSetsid != 0
	var files []uintptr
	put := func(fd, src FD) {
		for int(fd) >= len(files) {
			files = append(files, ^uintptr(0))
		}
		files[fd] = uintptr(src)
		if src < 0 {
			files[fd] = ^uintptr(0)
		}
	}
	if s.Flags&abi.SpawnNoInherit == 0 {
		for fd := FD(0); fd < 256; fd++ {
			f, _, e := syscall.RawSyscall(syscall.SYS_FCNTL, uintptr(fd), syscall.F_GETFD, 0)
			if e == 0 && f&syscall.FD_CLOEXEC == 0 {
				put(fd, fd)
			}
		}
	}
	for _, a := range s.Actions {
		put(a.FD, a.Src)
	}
	attr.Files = files
	return attr, nil
}

// Spawn starts a process.
func Spawn(s *SpawnSpec) (PID, error) {
	for _, a := range s.Actions {
		if a.Src >= 0 {
			if _, _, e := syscall.RawSyscall(syscall.SYS_FCNTL, uintptr(a.Src), syscall.F_GETFD, 0); e != 0 {
				return 0, conv(e)
			}
		}
	}
	attr, _ := forkExecAttr(s)
	path := s.Path
	if s.Dir != "" && !filepath.IsAbs(path) {
		path = filepath.Join(s.Dir, path)
	}
	if s.Umask >= 0 {
		old := syscall.Umask(int(s.Umask))
		defer syscall.Umask(old)
	}
	argv := s.Args
	if len(argv) == 0 {
		argv = []string{path}
	}
	pid, err := syscall.ForkExec(path, argv, attr)
	shadowMu.Lock()
	defer shadowMu.Unlock()
	if err == nil && s.PPID != 0 {
		shadowChild[PID(pid)] = s.PPID
	}
	if err == nil && s.Flags&abi.SpawnSetpgid != 0 {
		if s.Pgid >= firstShadow {
			shadowMember[PID(pid)] = s.Pgid
		}
		if s.Flags&abi.SpawnForeground != 0 {
			shadowFront = s.Pgid
			if s.Pgid < firstShadow {
				shadowFront = 0
			}
		}
	}
	return PID(pid), conv(err)
}

// Exec replaces the program of the calling process.
func Exec(s *SpawnSpec) error {
	for _, a := range s.Actions {
		if a.Src < 0 {
			_ = syscall.Close(int(a.FD))
			continue
		}
		if a.Src == a.FD {
			_, _, _ = syscall.RawSyscall(syscall.SYS_FCNTL, uintptr(a.FD), syscall.F_SETFD, 0)
			continue
		}
		if err := syscall.Dup3(int(a.Src), int(a.FD), 0); err != nil {
			return conv(err)
		}
	}
	if s.Dir != "" {
		if err := syscall.Chdir(s.Dir); err != nil {
			return conv(err)
		}
	}
	return conv(syscall.Exec(s.Path, s.Args, s.Env))
}

// firstShadow is above the system's process numbers.
const firstShadow PID = 1 << 23

// Shadow processes are kept in this process. Groups that they lead do not exist
// natively: programs in them are in this process's own group, and so the
// terminal knows only that.
var (
	shadowMu     sync.Mutex
	shadowNext   = firstShadow
	shadows      = map[PID]*shadow{}
	shadowChild  = map[PID]PID{}      // real child -> shadow parent
	shadowMember = map[PID]PID{}      // real child -> group led by a shadow
	shadowFront  PID                  // such a group that is in the foreground, or 0
	jobTTY       FD              = -1 // the terminal last asked for its group
)

type shadow struct {
	parent, pgid PID
	status       WaitStatus
	changed      bool
	pending      SignalSet
}

// Wait waits for a child of parent as waitpid does. Natively a wait for real
// and shadow children at once polls.
func Wait(parent, which PID, flags abi.WaitFlag) (WaitResult, error) {
	for {
		shadowMu.Lock()
		haveShadow := false
		for pid, s := range shadows {
			if s.parent != parent || (which > 0 && which != pid) {
				continue
			}
			haveShadow = true
			if !s.changed || (s.status.Stopped() && flags&abi.WUNTRACED == 0) || (s.status.Continued() && flags&abi.WCONTINUED == 0) {
				continue
			}
			s.changed = false
			st := s.status
			if st.Exited() || st.Signaled() {
				delete(shadows, pid)
			}
			shadowMu.Unlock()
			return WaitResult{PID: pid, Status: st}, nil
		}
		var mine []PID
		for c, p := range shadowChild {
			if p == parent && (which <= 0 || which == c) {
				mine = append(mine, c)
			}
		}
		shadowMu.Unlock()
		opts := int(flags) | syscall.WNOHANG
		if !haveShadow && len(mine) == 0 && parent == 0 {
			opts = int(flags)
		}
		var ws syscall.WaitStatus
		var ru syscall.Rusage
		var pid int
		err := error(syscall.ECHILD)
		if parent == 0 {
			pid, err = syscall.Wait4(int(which), &ws, opts, &ru)
		} else {
			for _, c := range mine {
				if pid, err = syscall.Wait4(int(c), &ws, opts, &ru); pid > 0 {
					break
				}
			}
		}
		if pid > 0 {
			if ws.Exited() || ws.Signaled() {
				shadowMu.Lock()
				delete(shadowChild, PID(pid))
				delete(shadowMember, PID(pid))
				shadowMu.Unlock()
			}
			return WaitResult{PID: PID(pid), Status: WaitStatus(ws), Utime: ru.Utime.Nano(), Stime: ru.Stime.Nano(), Maxrss: ru.Maxrss << 10}, nil
		}
		if err != nil && !haveShadow {
			return WaitResult{}, conv(err)
		}
		if flags&abi.WNOHANG != 0 {
			return WaitResult{}, nil
		}
		time.Sleep(time.Millisecond)
	}
}

// Kill sends a signal as kill(2) does; 0 tests.
func Kill(pid PID, sig Signal) error {
	shadowMu.Lock()
	defer shadowMu.Unlock()
	if s, ok := shadows[pid]; ok {
		if sig != 0 {
			s.pending.Add(sig)
			setFlag(abi.SigFlagSignal)
		}
		return nil
	}
	if pid < 0 {
		hit := false
		for _, s := range shadows {
			if s.pgid == -pid {
				hit = true
				if sig != 0 {
					s.pending.Add(sig)
					setFlag(abi.SigFlagSignal)
				}
			}
		}
		for c, g := range shadowMember {
			if g == -pid && syscall.Kill(int(c), syscall.Signal(sig)) == nil {
				hit = true
			}
		}
		if pid <= -firstShadow {
			if !hit {
				return abi.ESRCH
			}
			return nil
		}
		if err := syscall.Kill(int(pid), syscall.Signal(sig)); err != nil && !hit {
			return conv(err)
		}
		return nil
	}
	return conv(syscall.Kill(int(pid), syscall.Signal(sig)))
}

// Setpgid moves a process into a group.
func Setpgid(pid, pgid PID) error {
	shadowMu.Lock()
	defer shadowMu.Unlock()
	if s, ok := shadows[pid]; ok {
		s.pgid = pgid
		return nil
	}
	if pgid >= firstShadow {
		shadowMember[pid] = pgid
		return nil
	}
	return conv(syscall.Setpgid(int(pid), int(pgid)))
}

// Setsid makes the caller the leader of a new session.
func Setsid() (PID, error) { s, err := syscall.Setsid(); return PID(s), conv(err) }

// Shadow makes a process without a program.
func Shadow(parent, pgid PID, flags abi.SpawnFlag) (PID, error) {
	shadowMu.Lock()
	defer shadowMu.Unlock()
	shadowNext++
	pid := shadowNext
	switch {
	case pgid == 0:
		pgid = pid
	case pgid < 0:
		pgid = PID(syscall.Getpgrp())
		if p, ok := shadows[parent]; ok {
			pgid = p.pgid
		}
	}
	shadows[pid] = &shadow{parent: parent, pgid: pgid}
	if flags&abi.SpawnForeground != 0 && jobTTY >= 0 {
		foreground(jobTTY, pgid)
	}
	return pid, nil
}

// ShadowStatus reports that a shadow process stopped, continued or ended.
func ShadowStatus(pid PID, st WaitStatus) error {
	if pid == 0 {
		return abi.EPERM // natively the process goes on for those who wait for it
	}
	shadowMu.Lock()
	defer shadowMu.Unlock()
	s, ok := shadows[pid]
	if !ok {
		return abi.ESRCH
	}
	s.status, s.changed = st, true
	setFlag(abi.SigFlagChild)
	return nil
}

// ProcTimes returns the processor times of the caller and its children.
func ProcTimes() Times {
	var a, b syscall.Rusage
	_ = syscall.Getrusage(0, &a)
	_ = syscall.Getrusage(-1, &b)
	return Times{a.Utime.Nano(), a.Stime.Nano(), b.Utime.Nano(), b.Stime.Nano()}
}

// DieBy ends the caller as the default action of sig does.
func DieBy(sig Signal) {
	signal.Reset(syscall.Signal(sig))
	_ = syscall.Kill(os.Getpid(), syscall.Signal(sig))
	time.Sleep(100 * time.Millisecond)
	os.Exit(128 + int(sig))
}

var (
	flagWord *uint32
	sigMu    sync.Mutex
	sigBits  SignalSet
	sigChan  chan os.Signal
)

func setFlag(bits uint32) {
	if flagWord != nil {
		atomic.OrUint32(flagWord, bits)
	}
}

// SigFlag registers the word in which abi.SigFlag bits are set.
func SigFlag(word *uint32) { flagWord = word }

// SigAction sets what the caller does with a signal.
func SigAction(sig Signal, a abi.SigAction) error {
	s := syscall.Signal(sig)
	switch a {
	case abi.SigDefault:
		signal.Reset(s)
	case abi.SigIgnore:
		signal.Ignore(s)
	case abi.SigHandle:
		if sigChan == nil {
			sigChan = make(chan os.Signal, 64)
			go func() {
				for s := range sigChan {
					sig := Signal(s.(syscall.Signal))
					if sig != abi.SIGINT && sig != abi.SIGQUIT && sig != abi.SIGTSTP || !frontSignal(sig) {
						sigMu.Lock()
						sigBits.Add(sig)
						sigMu.Unlock()
					}
					setFlag(abi.SigFlagSignal)
				}
			}()
		}
		signal.Notify(sigChan, s)
	default:
		return abi.EINVAL
	}
	return nil
}

// frontSignal gives a signal of the terminal's keys, which this process got, to
// the shadows in the foreground.
func frontSignal(sig Signal) bool {
	shadowMu.Lock()
	defer shadowMu.Unlock()
	hit := false
	for _, s := range shadows {
		if shadowFront != 0 && s.pgid == shadowFront {
			s.pending.Add(sig)
			hit = true
		}
	}
	return hit
}

// SigPending takes the pending handled signals.
func SigPending(pid PID) SignalSet {
	if pid != 0 {
		shadowMu.Lock()
		defer shadowMu.Unlock()
		s, ok := shadows[pid]
		if !ok {
			return 0
		}
		b := s.pending
		s.pending = 0
		return b
	}
	sigMu.Lock()
	defer sigMu.Unlock()
	b := sigBits
	sigBits = 0
	return b
}

// Hostname returns the host name.
func Hostname() string { s, _ := os.Hostname(); return s }

// Getrlimit returns a limit.
func Getrlimit(r abi.Resource) (soft, hard uint64, err error) {
	var l syscall.Rlimit
	err = conv(syscall.Getrlimit(int(r), &l))
	return l.Cur, l.Max, err
}

// Setrlimit lowers a limit.
func Setrlimit(r abi.Resource, soft, hard uint64) error {
	return conv(syscall.Setrlimit(int(r), &syscall.Rlimit{Cur: soft, Max: hard}))
}

// Poll waits until an entry is ready.
func Poll(fds []PollFD, timeout int64) (int, error) {
	type pfd struct {
		fd      int32
		ev, rev int16
	}
	end := time.Now().Add(time.Duration(timeout))
	for {
		p := make([]pfd, len(fds), len(fds)+1)
		child := false
		for i, f := range fds {
			p[i] = pfd{fd: f.FD, ev: int16(f.Events)}
			if f.FD == abi.PollChild {
				p[i].fd, child = -1, true
			}
		}
		wait := time.Hour
		if timeout >= 0 {
			wait = max(0, time.Until(end))
		}
		wait = min(wait, 5*time.Millisecond) // children and signals are polled natively
		ts := syscall.NsecToTimespec(int64(wait))
		p = append(p, pfd{fd: -1})
		n, _, e := syscall.Syscall6(syscall.SYS_PPOLL, uintptr(unsafe.Pointer(&p[0])), uintptr(len(fds)), uintptr(unsafe.Pointer(&ts)), 0, 0, 0)
		if e != 0 && e != syscall.EINTR {
			return 0, conv(e)
		}
		ready := 0
		if e == 0 {
			ready = int(n)
		}
		for i := range fds {
			fds[i].Revents = abi.PollEvents(p[i].rev)
			if fds[i].FD == abi.PollChild {
				fds[i].Revents = 0
				var info [128]byte
				_, _, e := syscall.RawSyscall6(syscall.SYS_WAITID, 0, 0, uintptr(unsafe.Pointer(&info[0])), 0x01000000|4|2|8|1, 0, 0)
				if e == 0 && binary.LittleEndian.Uint32(info[16:]) != 0 {
					fds[i].Revents = abi.PollIn
				}
				shadowMu.Lock()
				for _, s := range shadows {
					if s.changed {
						fds[i].Revents = abi.PollIn
					}
				}
				shadowMu.Unlock()
				if fds[i].Revents != 0 {
					ready++
				}
			}
		}
		if ready > 0 {
			return ready, nil
		}
		if flagWord != nil && atomic.LoadUint32(flagWord)&abi.SigFlagSignal != 0 {
			return 0, abi.EINTR
		}
		if timeout >= 0 && time.Now().After(end) {
			return 0, nil
		}
		_ = child
	}
}

// Read reads up to len(p) bytes, waiting for the first; 0, nil is the end.
func Read(fd FD, p []byte) (int, error) {
	for {
		n, err := syscall.Read(int(fd), p)
		if err == syscall.EINTR && (flagWord == nil || atomic.LoadUint32(flagWord) == 0) {
			continue
		}
		return max(n, 0), conv(err)
	}
}

// ReadNonblock is Read that returns EAGAIN instead of waiting.
func ReadNonblock(fd FD, p []byte) (int, error) {
	if r := pollOne(fd, abi.PollIn); r == 0 {
		return 0, abi.EAGAIN
	}
	return Read(fd, p)
}

func pollOne(fd FD, ev abi.PollEvents) int16 {
	p := struct {
		fd      int32
		ev, rev int16
	}{fd: fd, ev: int16(ev)}
	var ts syscall.Timespec
	_, _, _ = syscall.Syscall6(syscall.SYS_PPOLL, uintptr(unsafe.Pointer(&p)), 1, uintptr(unsafe.Pointer(&ts)), 0, 0, 0)
	return p.rev
}

// Write writes p, waiting until all of it is written.
func Write(fd FD, p []byte) (int, error) {
	done := 0
	for {
		n, err := syscall.Write(int(fd), p[done:])
		done += max(n, 0)
		if err == syscall.EINTR {
			continue
		}
		if err != nil || done == len(p) {
			return done, conv(err)
		}
	}
}

// WriteNonblock is Write that returns EAGAIN, or fewer bytes, instead of
// waiting.
func WriteNonblock(fd FD, p []byte) (int, error) {
	if r := pollOne(fd, abi.PollOut); r == 0 {
		return 0, abi.EAGAIN
	}
	if len(p) > 4096 {
		p = p[:4096] // a writable pipe takes PIPE_BUF bytes
	}
	n, err := syscall.Write(int(fd), p)
	return max(n, 0), conv(err)
}

// FDInfo describes a descriptor.
func FDInfo(fd FD) (abi.FDInfo, error) {
	var st syscall.Stat_t
	if err := syscall.Fstat(int(fd), &st); err != nil {
		return abi.FDInfo{}, conv(err)
	}
	fl, _, _ := syscall.RawSyscall(syscall.SYS_FCNTL, uintptr(fd), syscall.F_GETFL, 0)
	fdf, _, _ := syscall.RawSyscall(syscall.SYS_FCNTL, uintptr(fd), syscall.F_GETFD, 0)
	i := abi.FDInfo{Mode: Mode(st.Mode) & abi.ModeFmt, Flags: OpenFlag(fl & 3), Cloexec: fdf&syscall.FD_CLOEXEC != 0}
	if fl&syscall.O_APPEND != 0 {
		i.Flags |= abi.OAppend
	}
	if fl&syscall.O_NONBLOCK != 0 {
		i.Flags |= abi.ONonblock
	}
	var tio [128]byte
	_, _, e := syscall.RawSyscall(syscall.SYS_IOCTL, uintptr(fd), syscall.TCGETS, uintptr(unsafe.Pointer(&tio[0])))
	i.TTY = e == 0
	return i, nil
}

// Isatty reports whether fd is a terminal.
func Isatty(fd FD) bool { i, err := FDInfo(fd); return err == nil && i.TTY }

// SetFlags sets the status flags.
func SetFlags(fd FD, f OpenFlag) error {
	_, _, e := syscall.RawSyscall(syscall.SYS_FCNTL, uintptr(fd), syscall.F_SETFL, uintptr(openFlags(f)))
	return raw(e)
}

// Pipe makes a pipe.
func Pipe(flags OpenFlag) (r, w FD, err error) {
	var p [2]int
	err = syscall.Pipe2(p[:], openFlags(flags))
	return FD(p[0]), FD(p[1]), conv(err)
}

// Dup duplicates fd to the lowest free descriptor not below lowest.
func Dup(fd, lowest FD, flags OpenFlag) (FD, error) {
	cmd := uintptr(syscall.F_DUPFD)
	if flags&abi.OCloexec != 0 {
		cmd = syscall.F_DUPFD_CLOEXEC
	}
	n, _, e := syscall.RawSyscall(syscall.SYS_FCNTL, uintptr(fd), cmd, uintptr(lowest))
	return FD(n), raw(e)
}

// DupTo duplicates fd to to, which is closed first.
func DupTo(fd, to FD, flags OpenFlag) error {
	if fd == to {
		return SetCloexec(fd, flags&abi.OCloexec != 0)
	}
	return conv(syscall.Dup3(int(fd), int(to), openFlags(flags&abi.OCloexec)))
}

// SetCloexec sets or clears close-on-exec.
func SetCloexec(fd FD, on bool) error {
	v := uintptr(0)
	if on {
		v = syscall.FD_CLOEXEC
	}
	_, _, e := syscall.RawSyscall(syscall.SYS_FCNTL, uintptr(fd), syscall.F_SETFD, v)
	return raw(e)
}

// Close closes fd.
func Close(fd FD) error { return conv(syscall.Close(int(fd))) }

// Seek moves the offset of fd.
func Seek(fd FD, off int64, whence abi.Whence) (int64, error) {
	n, err := syscall.Seek(int(fd), off, int(whence))
	return n, conv(err)
}

// Ftruncate sets the size of a file.
func Ftruncate(fd FD, size int64) error { return conv(syscall.Ftruncate(int(fd), size)) }

// Fsync flushes a file.
func Fsync(fd FD) error { return conv(syscall.Fsync(int(fd))) }

// Now returns nanoseconds since the Unix epoch.
func Now() int64 { return time.Now().UnixNano() }

var start = time.Now()

// Monotonic returns nanoseconds of a clock that only moves forward.
func Monotonic() int64 { return int64(time.Since(start)) }

// Random fills p with random bytes.
func Random(p []byte) { _, _ = rand.Read(p) }

// Exit ends the process.
func Exit(code int) { os.Exit(code & 0xff) }

func fromStat(st *syscall.Stat_t) Stat {
	return Stat{
		Dev: st.Dev, Ino: st.Ino, Mode: Mode(st.Mode), Nlink: uint32(st.Nlink), UID: st.Uid, GID: st.Gid, Rdev: st.Rdev,
		Size: st.Size, Blksize: uint32(st.Blksize), Blocks: st.Blocks,
		Atim: st.Atim.Nano(), Mtim: st.Mtim.Nano(), Ctim: st.Ctim.Nano(),
	}
}

// Fstat describes an open file.
func Fstat(fd FD) (Stat, error) {
	var st syscall.Stat_t
	err := syscall.Fstat(int(fd), &st)
	return fromStat(&st), conv(err)
}

// Fchmod changes an open file's permission bits.
func Fchmod(fd FD, m Mode) error { return conv(syscall.Fchmod(int(fd), uint32(m))) }

// Fchown changes an open file's owner; -1 keeps one.
func Fchown(fd FD, uid, gid int) error { return conv(syscall.Fchown(int(fd), uid, gid)) }

func utim(t int64) syscall.Timespec {
	switch t {
	case abi.UtimeNow:
		return syscall.Timespec{Nsec: 0x3fffffff}
	case abi.UtimeOmit:
		return syscall.Timespec{Nsec: 0x3ffffffe}
	}
	s := t / 1e9
	n := t % 1e9
	if n < 0 {
		s, n = s-1, n+1e9
	}
	return syscall.Timespec{Sec: s, Nsec: n}
}

// Futimes changes an open file's times.
func Futimes(fd FD, atim, mtim int64) error {
	ts := [2]syscall.Timespec{utim(atim), utim(mtim)}
	_, _, e := syscall.RawSyscall6(syscall.SYS_UTIMENSAT, uintptr(fd), 0, uintptr(unsafe.Pointer(&ts)), 0, 0, 0)
	return raw(e)
}

// ReadDir appends entries behind cookie (0: the start) to dst.
func ReadDir(fd FD, dst []Dirent, cookie uint64, stat bool) ([]Dirent, error) {
	if _, err := syscall.Seek(int(fd), int64(cookie), 0); err != nil {
		return dst, conv(err)
	}
	var buf [32 << 10]byte
	n, err := syscall.ReadDirent(int(fd), buf[:])
	if err != nil {
		return dst, conv(err)
	}
	le := binary.LittleEndian
	for b := buf[:n]; len(b) > 0; {
		l := le.Uint16(b[16:])
		name := b[19:l]
		name = name[:bytes.IndexByte(name, 0)]
		d := Dirent{Name: string(name), Ino: le.Uint64(b), Cookie: le.Uint64(b[8:]), Mode: Mode(b[18]) << 12}
		if stat {
			if s, err := StatAt(fd, d.Name, false); err == nil {
				d.Stat, d.StatOK, d.Mode = s, true, s.Mode
			}
		}
		dst = append(dst, d)
		b = b[l:]
	}
	return dst, nil
}

// Splice copies up to limit bytes from in to out inside the kernel.
func Splice(in, out FD, limit int64) (int64, error) {
	n, err := syscall.Sendfile(int(out), int(in), nil, int(min(limit, 1<<30)))
	return int64(max(n, 0)), conv(err)
}

func fromStatfs(s *syscall.Statfs_t) Statfs {
	return Statfs{Bsize: uint64(s.Bsize), Blocks: s.Blocks, Bfree: s.Bfree, Bavail: s.Bavail, Files: s.Files, Ffree: s.Ffree, Namelen: uint64(s.Namelen)}
}

// Fstatfs describes the file system of an open file.
func Fstatfs(fd FD) (Statfs, error) {
	var s syscall.Statfs_t
	err := syscall.Fstatfs(int(fd), &s)
	return fromStatfs(&s), conv(err)
}

func openFlags(f OpenFlag) int {
	r := int(f & abi.OAccmode)
	for _, m := range [...]struct {
		a abi.OpenFlag
		s int
	}{
		{abi.OCreat, syscall.O_CREAT}, {abi.OExcl, syscall.O_EXCL}, {abi.OTrunc, syscall.O_TRUNC}, {abi.OAppend, syscall.O_APPEND},
		{abi.ONonblock, syscall.O_NONBLOCK}, {abi.ODirectory, syscall.O_DIRECTORY}, {abi.ONofollow, syscall.O_NOFOLLOW},
		{abi.OCloexec, syscall.O_CLOEXEC}, {abi.OSync, syscall.O_SYNC}, {abi.OPath, 0x200000},
	} {
		if f&m.a != 0 {
			r |= m.s
		}
	}
	return r
}

// Open opens a file as openat does.
func Open(dir FD, path string, flags OpenFlag, perm Mode) (FD, error) {
	for {
		fd, err := syscall.Openat(at(dir), path, openFlags(flags), uint32(perm))
		if err == syscall.EINTR {
			continue
		}
		return FD(fd), conv(err)
	}
}

// StatAt describes the named file, or with follow what a link points to.
func StatAt(dir FD, path string, follow bool) (Stat, error) {
	p, err := cstr(path)
	if err != nil {
		return Stat{}, err
	}
	flags := uintptr(atSymlinkNofollow)
	if follow {
		flags = 0
	}
	var st syscall.Stat_t
	_, _, e := syscall.Syscall6(sysFstatat, uintptr(at(dir)), uintptr(p), uintptr(unsafe.Pointer(&st)), flags, 0, 0)
	return fromStat(&st), raw(e)
}

// Access checks permissions.
func Access(dir FD, path string, mode uint32) error {
	p, err := cstr(path)
	if err != nil {
		return err
	}
	_, _, e := syscall.Syscall(syscall.SYS_FACCESSAT, uintptr(at(dir)), uintptr(p), uintptr(mode))
	return raw(e)
}

// Mkdir makes a directory.
func Mkdir(dir FD, path string, perm Mode) error {
	return conv(syscall.Mkdirat(at(dir), path, uint32(perm)))
}

// Mkfifo makes a FIFO.
func Mkfifo(dir FD, path string, perm Mode) error {
	return conv(syscall.Mknodat(at(dir), path, syscall.S_IFIFO|uint32(perm), 0))
}

// Unlink removes a name that is not a directory's.
func Unlink(dir FD, path string) error { return conv(syscall.Unlinkat(at(dir), path)) }

// Rmdir removes an empty directory.
func Rmdir(dir FD, path string) error {
	p, err := cstr(path)
	if err != nil {
		return err
	}
	_, _, e := syscall.Syscall(syscall.SYS_UNLINKAT, uintptr(at(dir)), uintptr(p), atRemovedir)
	return raw(e)
}

// Rename renames a file.
func Rename(fromDir FD, from string, toDir FD, to string) error {
	return conv(syscall.Renameat(at(fromDir), from, at(toDir), to))
}

// Link makes a hard link.
func Link(fromDir FD, from string, toDir FD, to string, follow bool) error {
	p, err := cstr(from)
	if err != nil {
		return err
	}
	q, err := cstr(to)
	if err != nil {
		return err
	}
	flags := uintptr(0)
	if follow {
		flags = atSymlinkFollow
	}
	_, _, e := syscall.Syscall6(syscall.SYS_LINKAT, uintptr(at(fromDir)), uintptr(p), uintptr(at(toDir)), uintptr(q), flags, 0)
	return raw(e)
}

// Symlink makes a symbolic link with the given target.
func Symlink(target string, dir FD, path string) error {
	p, err := cstr(target)
	if err != nil {
		return err
	}
	q, err := cstr(path)
	if err != nil {
		return err
	}
	_, _, e := syscall.Syscall(syscall.SYS_SYMLINKAT, uintptr(p), uintptr(at(dir)), uintptr(q))
	return raw(e)
}

// Readlink returns the target of a symbolic link.
func Readlink(dir FD, path string) (string, error) {
	p, err := cstr(path)
	if err != nil {
		return "", err
	}
	var b [4096]byte
	n, _, e := syscall.Syscall6(syscall.SYS_READLINKAT, uintptr(at(dir)), uintptr(p), uintptr(unsafe.Pointer(&b[0])), uintptr(len(b)), 0, 0)
	if e != 0 {
		return "", conv(e)
	}
	return string(b[:n]), nil
}

// Chmod changes permission bits.
func Chmod(dir FD, path string, perm Mode, follow bool) error {
	if !follow {
		if st, err := StatAt(dir, path, false); err != nil || st.Mode.IsSymlink() {
			if err == nil {
				err = abi.ENOTSUP
			}
			return err
		}
	}
	return conv(syscall.Fchmodat(at(dir), path, uint32(perm), 0))
}

// Chown changes the owner and group; -1 keeps one.
func Chown(dir FD, path string, uid, gid int, follow bool) error {
	flags := atSymlinkNofollow
	if follow {
		flags = 0
	}
	return conv(syscall.Fchownat(at(dir), path, uid, gid, flags))
}

// Utimes changes times.
func Utimes(dir FD, path string, atim, mtim int64, follow bool) error {
	p, err := cstr(path)
	if err != nil {
		return err
	}
	flags := uintptr(atSymlinkNofollow)
	if follow {
		flags = 0
	}
	ts := [2]syscall.Timespec{utim(atim), utim(mtim)}
	_, _, e := syscall.Syscall6(syscall.SYS_UTIMENSAT, uintptr(at(dir)), uintptr(p), uintptr(unsafe.Pointer(&ts)), flags, 0, 0)
	return raw(e)
}

// StatfsAt describes the file system that holds path.
func StatfsAt(dir FD, path string) (Statfs, error) {
	fd, err := Open(dir, path, abi.OPath|abi.OCloexec, 0)
	if err != nil {
		return Statfs{}, err
	}
	defer Close(fd)
	return Fstatfs(fd)
}

// Realpath returns the absolute path without links, "." and "..".
func Realpath(dir FD, path string) (string, error) {
	fd, err := Open(dir, path, abi.OPath|abi.OCloexec, 0)
	if err != nil {
		return "", err
	}
	defer Close(fd)
	return Readlink(AtCwd, "/proc/self/fd/"+itoa(int(fd)))
}

func itoa(n int) string {
	var b [12]byte
	i := len(b)
	for {
		i--
		b[i] = byte('0' + n%10)
		if n /= 10; n == 0 {
			return string(b[i:])
		}
	}
}

func ioctl(fd FD, req uintptr, p unsafe.Pointer) error {
	_, _, e := syscall.Syscall(syscall.SYS_IOCTL, uintptr(fd), req, uintptr(p))
	return raw(e)
}

// Requests of ioctl for struct termios2, which package syscall lacks.
const (
	tcgets2 = 0x802c542a
	tcsets2 = 0x402c542b // and the two behind it: drain, flush
)

// TTYGetattr fills b with the terminal attributes of fd, an encoded
// abi.Termios.
func TTYGetattr(fd FD, b []byte) error {
	if len(b) < abi.TermiosSize {
		return abi.EINVAL
	}
	return ioctl(fd, tcgets2, unsafe.Pointer(&b[0]))
}

// TTYSetattr sets the terminal attributes of fd, an encoded abi.Termios.
func TTYSetattr(fd FD, when int, b []byte) error {
	if len(b) < abi.TermiosSize || when < 0 || when > 2 {
		return abi.EINVAL
	}
	return ioctl(fd, tcsets2+uintptr(when), unsafe.Pointer(&b[0]))
}

// TTYGetwinsize returns the size of the terminal fd.
func TTYGetwinsize(fd FD) (ws Winsize, err error) {
	err = ioctl(fd, syscall.TIOCGWINSZ, unsafe.Pointer(&ws))
	return
}

// TTYSetwinsize sets the size of the terminal fd.
func TTYSetwinsize(fd FD, ws Winsize) error {
	return ioctl(fd, syscall.TIOCSWINSZ, unsafe.Pointer(&ws))
}

// Tcgetpgrp returns the foreground process group of the terminal fd.
func Tcgetpgrp(fd FD) (pgid PID, err error) {
	if err = ioctl(fd, syscall.TIOCGPGRP, unsafe.Pointer(&pgid)); err != nil {
		return 0, err
	}
	shadowMu.Lock()
	defer shadowMu.Unlock()
	jobTTY = fd
	if shadowFront != 0 && pgid == PID(syscall.Getpgrp()) {
		pgid = shadowFront
	}
	return pgid, nil
}

// Tcsetpgrp sets the foreground process group of the terminal fd.
func Tcsetpgrp(fd FD, pgid PID) error {
	shadowMu.Lock()
	defer shadowMu.Unlock()
	return foreground(fd, pgid)
}

func foreground(fd FD, pgid PID) error {
	real := pgid
	if pgid >= firstShadow {
		real = PID(syscall.Getpgrp())
	}
	err := ioctl(fd, syscall.TIOCSPGRP, unsafe.Pointer(&real))
	if err == nil {
		shadowFront = 0
		if real != pgid {
			shadowFront = pgid
		}
	}
	return err
}

// Index returns the offset of the first needle in b, or -1.
func Index(b, needle []byte) int { return bytes.Index(b, needle) }

// IndexByte returns the offset of the first c in b, or -1.
func IndexByte(b []byte, c byte) int { return bytes.IndexByte(b, c) }

// CountByte returns how many bytes of b are c.
func CountByte(b []byte, c byte) int { return bytes.Count(b, []byte{c}) }

// Positions stores the offsets of the bytes of b that are c1 or c2, in order,
// until out is full, and returns how many.
func Positions(b []byte, c1, c2 byte, out []uint32) int {
	return accel.Positions(numbers(out), b, c1, c2, 0)
}

// Find stores in out where needle is in b, as mode says, and returns how many
// numbers it stored: fewer than fit only where all of b has been searched. eol
// ends a line.
func Find(b, needle []byte, mode uint32, eol byte, out []uint32) int {
	f := accel.Finder{Text: b, Needle: needle, Mode: mode &^ abi.AccelFold, Fold: mode&abi.AccelFold != 0, EOL: eol, Out: numbers(out)}
	for f.Run(1 << 20) {
	}
	return f.N
}

// Split stores for each line of b the offsets of its first k delimiters and of
// its end, eol, which also stands for the delimiters that it lacks, and returns
// how many numbers that are: fewer than fit only at the end of b. What is behind
// the last eol does not count. out must have room for one line.
func Split(b []byte, delim, eol byte, k int, out []uint32) int {
	n, _ := accel.Split(numbers(out), b, delim, eol, k, 0)
	return n
}

// ValidUTF8 returns how many bytes at the start of b are valid UTF-8.
func ValidUTF8(b []byte) int { return accel.ValidUTF8(b) }

// Runs returns how many runs of bytes b has for which set is not 0. in says
// whether the byte before b is one, and then whether the last is.
func Runs(b []byte, set *[256]uint8, in *bool) int {
	n, last := accel.Runs(b, set[:], *in)
	*in = last
	return n
}

// Translate replaces the bytes of b in place as table says: the byte to put in
// the low bits, abi.TranslateDrop and abi.TranslateSqueeze above. prev is the
// byte before b, -1 for none, and becomes the last one. It returns the new
// length.
func Translate(b []byte, table *[256]uint16, prev *int32) int {
	n, last := accel.Translate(b, unsafe.Slice((*byte)(unsafe.Pointer(table)), 512), *prev)
	*prev = last
	return n
}

// Gather copies pieces of src, or of alt where the offset has abi.GatherAlt set,
// one behind the other to dst and returns how many bytes that are. A piece is an
// offset and a length. Pieces out of bounds and a dst that is too short are
// mistakes of the caller: nothing useful is returned.
func Gather(dst, src, alt []byte, pieces []uint32) int {
	n, _, _ := accel.Gather(dst, src, alt, numbers(pieces), 1<<62)
	return n
}

// numbers returns the bytes of l, which are little endian on every machine that
// this file is for.
func numbers[T int32 | uint32](l []T) []byte {
	return unsafe.Slice((*byte)(unsafe.Pointer(unsafe.SliceData(l))), 4*len(l))
}

// Run runs the automaton and returns an abi.DFA reason.
func (d *DFA) Run() uint32 {
	a := accel.Automaton{
		Trans: numbers(d.Trans), Wide: numbers(d.Wide), Columns: uint32(d.Columns), Classes: d.Classes[:], Multi: uint32(d.Multi),
		Low: numbers(d.Low), Class: numbers(d.Class), Flags: d.Flags, Text: d.Text, Needle: d.Needle, Out: numbers(d.Out),
		Mode: d.Mode &^ abi.AccelFold, Fold: d.Mode&abi.AccelFold != 0, EOL: d.EOL, Start: uint32(d.Start), Inner: uint32(d.Inner), Pos: d.Pos, State: uint32(d.State), Last: d.Last,
	}
	a.Begin()
	reason, more := a.Run(1 << 20)
	for more {
		reason, more = a.Run(1 << 20)
	}
	d.Pos, d.State, d.Last, d.N = a.Pos, int32(a.State), a.Last, a.N
	return reason
}

// Hash feeds data to a hash; final puts the digest at the start of state.
func Hash(kind uint32, state *[abi.HashStateSize]byte, data []byte, final bool) {
	h := [...]func() hash.Hash{sha256.New, md5.New, sha1.New, sha512.New, func() hash.Hash { return crc32.NewIEEE() }}[kind]()
	if n := binary.LittleEndian.Uint16(state[abi.HashStateSize-2:]); n != 0 {
		_ = h.(encoding.BinaryUnmarshaler).UnmarshalBinary(state[:n])
	}
	h.Write(data)
	if final {
		clear(state[:])
		copy(state[:], h.Sum(nil))
		return
	}
	m, _ := h.(encoding.BinaryMarshaler).MarshalBinary()
	copy(state[:], m)
	binary.LittleEndian.PutUint16(state[abi.HashStateSize-2:], uint16(len(m)))
}
