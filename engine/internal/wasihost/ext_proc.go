// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package wasihost

import (
	"encoding/binary"

	"github.com/wsandbox/wsandbox/engine/abi"
)

// spawnMax bounds the encoded SpawnSpec: twice the default limit of arguments
// and environment, which the kernel enforces.
const spawnMax = 8 << 20

// procArgs stores the arguments, each ended by a NUL.
//
// # Errors
//
//   - ERANGE: the buffer is too small
//   - EFAULT
func procArgs(c *Context, m memory, a []uint64) error {
	return m.putList(uint32(a[0]), uint32(a[1]), uint32(a[2]), c.args())
}

// procEnviron stores the environment, each string ended by a NUL.
//
// # Errors
//
//   - ERANGE: the buffer is too small
//   - EFAULT
func procEnviron(c *Context, m memory, a []uint64) error {
	return m.putList(uint32(a[0]), uint32(a[1]), uint32(a[2]), c.environ())
}

// procGetcwd stores the absolute path of the working directory.
//
// # Errors
//
//   - ERANGE: the buffer is too small
//   - ENOENT: the directory is gone
//   - EFAULT
//
// POSIX: getcwd().
func procGetcwd(c *Context, m memory, a []uint64) error {
	s, err := c.p.Getcwd()
	if err != nil {
		return err
	}
	return m.putText(uint32(a[0]), uint32(a[1]), uint32(a[2]), s)
}

// procChdir changes the working directory.
//
// # Errors
//
//   - ENOENT, ENOTDIR, EACCES, ELOOP, ENAMETOOLONG, EINVAL, EIO, EFAULT
//
// POSIX: chdir().
func procChdir(c *Context, m memory, a []uint64) error {
	path, err := m.path(uint32(a[0]), uint32(a[1]))
	if err != nil {
		return err
	}
	return c.p.Chdir(path)
}

// procFchdir changes the working directory to an open directory.
//
// # Errors
//
//   - EBADF, ENOTDIR, EACCES
//
// POSIX: fchdir().
func procFchdir(c *Context, _ memory, a []uint64) error { return c.p.Fchdir(int32(a[0])) }

// procUmask sets the file creation mask, unless it is -1, and stores the old
// one.
//
// # Errors
//
//   - EFAULT
//
// POSIX: umask().
func procUmask(c *Context, m memory, a []uint64) error {
	if err := m.check(uint32(a[1]), 4); err != nil {
		return err
	}
	return m.putU32(uint32(a[1]), c.p.Umask(int32(a[0])))
}

// procInfo stores the numbers of a process (abi.ProcInfo), of the caller's for
// 0.
//
// # Errors
//
//   - ESRCH, EFAULT
func procInfo(c *Context, m memory, a []uint64) error {
	i, err := c.p.Info(int32(a[0]))
	if err != nil {
		return err
	}
	b, err := m.view(uint32(a[1]), abi.ProcInfoSize)
	if err != nil {
		return err
	}
	for k, v := range [...]uint32{uint32(i.PID), uint32(i.PPID), uint32(i.Pgid), uint32(i.Sid), i.UID, i.GID, i.EUID, i.EGID} {
		binary.LittleEndian.PutUint32(b[4*k:], v)
	}
	binary.LittleEndian.PutUint64(b[32:], uint64(i.Ignored))
	binary.LittleEndian.PutUint64(b[40:], i.Inherited)
	return nil
}

// spawnSpec decodes the abi.SpawnSpec of n bytes at ptr.
func (m memory) spawnSpec(ptr, n uint32) (*abi.SpawnSpec, error) {
	b, err := m.view(ptr, n)
	if err != nil {
		return nil, err
	}
	if n > spawnMax {
		return nil, abi.E2BIG
	}
	return abi.DecodeSpawnSpec(b)
}

// procSpawn starts a process and stores its number.
//
// # Errors
//
//   - EINVAL: a malformed record
//   - E2BIG, ENOENT, EACCES, ENOEXEC, ENOTDIR, ELOOP, ENAMETOOLONG
//   - EAGAIN: too many processes
//   - EBADF: the source of an action is not open
//   - EMFILE, ENFILE, ENOMEM, EPERM, ESRCH, EIO, EFAULT
//
// POSIX: posix_spawn().
func procSpawn(c *Context, m memory, a []uint64) error {
	if err := m.check(uint32(a[2]), 4); err != nil {
		return err
	}
	s, err := m.spawnSpec(uint32(a[0]), uint32(a[1]))
	if err != nil {
		return err
	}
	pid, err := c.p.Spawn(s)
	if err != nil {
		return err
	}
	return m.putU32(uint32(a[2]), uint32(pid))
}

// procExec replaces the program of the process. It returns only an error, one
// of proc_spawn's.
//
// POSIX: execve().
func procExec(c *Context, m memory, a []uint64) error {
	s, err := m.spawnSpec(uint32(a[0]), uint32(a[1]))
	if err != nil {
		return err
	}
	if err = c.p.Exec(s); err != nil {
		return err
	}
	unwind()
	return nil
}

// procWait waits for a child to change state and stores abi.WaitResult.
//
// # Errors
//
//   - ECHILD: there is no such child
//   - EINTR: a handled signal
//   - EINVAL: unknown flags
//   - ESRCH: the parent is not a shadow process of the caller
//   - EFAULT
//
// POSIX: waitpid().
func procWait(c *Context, m memory, a []uint64) error {
	if err := m.check(uint32(a[3]), abi.WaitResultSize); err != nil {
		return err
	}
	r, err := c.p.Wait(int32(a[0]), int32(a[1]), abi.WaitFlag(a[2]))
	if err != nil {
		return err
	}
	b, err := m.view(uint32(a[3]), abi.WaitResultSize)
	if err == nil {
		r.Put(b)
	}
	return err
}

// signal returns the signal of an argument; 0 is one too where zero is set.
func signal(v uint64, zero bool) (abi.Signal, error) {
	n := uint32(v)
	if n == 0 && zero || n < uint32(abi.NSIG) && abi.Signal(n).Valid() {
		return abi.Signal(n), nil
	}
	return 0, abi.EINVAL
}

// procKill sends a signal to a process, a group (below 0) or all (-1).
//
// # Errors
//
//   - EINVAL: no such signal
//   - ESRCH, EPERM
//
// POSIX: kill().
func procKill(c *Context, _ memory, a []uint64) error {
	s, err := signal(a[1], true)
	if err != nil {
		return err
	}
	return c.p.Kill(int32(a[0]), s)
}

// procSetpgid moves a process into a group.
//
// # Errors
//
//   - ESRCH, EPERM, EACCES, EINVAL
//
// POSIX: setpgid().
func procSetpgid(c *Context, _ memory, a []uint64) error {
	return c.p.Setpgid(int32(a[0]), int32(a[1]))
}

// procSetsid makes the caller the leader of a new session and stores its
// number.
//
// # Errors
//
//   - EPERM: it leads a group already
//   - EFAULT
//
// POSIX: setsid().
func procSetsid(c *Context, m memory, a []uint64) error {
	if err := m.check(uint32(a[0]), 4); err != nil {
		return err
	}
	sid, err := c.p.Setsid()
	if err != nil {
		return err
	}
	return m.putU32(uint32(a[0]), uint32(sid))
}

// procShadow makes a process without a program, which the caller runs itself,
// and stores its number.
//
// # Errors
//
//   - EAGAIN: too many processes
//   - ESRCH: the parent is not a shadow process of the caller
//   - EINVAL, EPERM, EFAULT
func procShadow(c *Context, m memory, a []uint64) error {
	if err := m.check(uint32(a[3]), 4); err != nil {
		return err
	}
	pid, err := c.p.Shadow(int32(a[0]), int32(a[1]), abi.SpawnFlag(a[2]))
	if err != nil {
		return err
	}
	return m.putU32(uint32(a[3]), uint32(pid))
}

// procShadowStatus reports that a shadow process stopped, continued or ended.
//
// # Errors
//
//   - ESRCH: not a shadow process of the caller
//   - EINVAL: not a wait status
func procShadowStatus(c *Context, _ memory, a []uint64) error {
	return c.p.ShadowStatus(int32(a[0]), abi.WaitStatus(a[1]))
}

// procTimes stores the processor times of the caller and of its reaped
// children: four numbers of nanoseconds, 64 bits each.
//
// # Errors
//
//   - EFAULT
//
// POSIX: times().
func procTimes(c *Context, m memory, a []uint64) error {
	b, err := m.view(uint32(a[0]), 32)
	if err != nil {
		return err
	}
	u, s, cu, cs := c.p.Times()
	for k, v := range [...]int64{u, s, cu, cs} {
		binary.LittleEndian.PutUint64(b[8*k:], uint64(v))
	}
	return nil
}

// procExitSignal ends the caller as the default action of a signal does. It
// returns only an error.
//
// # Errors
//
//   - EINVAL: no such signal
func procExitSignal(c *Context, _ memory, a []uint64) error {
	s, err := signal(a[0], false)
	if err != nil {
		return err
	}
	return c.p.ExitSignal(s)
}

// sigFlag registers the word in which the host sets the bits abi.SigFlagSignal
// and abi.SigFlagChild when there is news, at the end of calls and at yields; 0
// takes it back.
//
// # Errors
//
//   - EFAULT
func sigFlag(c *Context, m memory, a []uint64) error {
	ptr := uint32(a[0])
	if ptr != 0 {
		if err := m.check(ptr, 4); err != nil {
			return err
		}
	}
	c.sigFlag = ptr
	return nil
}

// sigAction sets what the process does with a signal.
//
// # Errors
//
//   - EINVAL: no such signal or action, or SIGKILL or SIGSTOP
//
// POSIX: sigaction().
func sigAction(c *Context, _ memory, a []uint64) error {
	s, err := signal(a[0], false)
	if err != nil {
		return err
	}
	if uint32(a[1]) > uint32(abi.SigHandle) {
		return abi.EINVAL
	}
	return c.p.SigAction(s, abi.SigAction(a[1]))
}

// sigPending takes the pending handled signals of the caller (0) or of a shadow
// process and stores the set, 64 bits.
//
// # Errors
//
//   - ESRCH: not a shadow process of the caller
//   - EFAULT
func sigPending(c *Context, m memory, a []uint64) error {
	if err := m.check(uint32(a[1]), 8); err != nil {
		return err
	}
	s, err := c.p.SigPending(int32(a[0]))
	if err != nil {
		return err
	}
	return m.putU64(uint32(a[1]), uint64(s))
}

// sysHostname stores the host name of the sandbox.
//
// # Errors
//
//   - ERANGE: the buffer is too small
//   - EFAULT
//
// POSIX: gethostname().
func sysHostname(c *Context, m memory, a []uint64) error {
	return m.putText(uint32(a[0]), uint32(a[1]), uint32(a[2]), c.p.Hostname())
}

// sysGetrlimit stores the soft and hard limit of a resource, 64 bits each.
//
// # Errors
//
//   - EINVAL: no such resource
//   - EFAULT
//
// POSIX: getrlimit().
func sysGetrlimit(c *Context, m memory, a []uint64) error {
	soft, hard, err := c.p.Getrlimit(abi.Resource(int32(a[0])))
	if err != nil {
		return err
	}
	b, err := m.view(uint32(a[1]), 16)
	if err == nil {
		binary.LittleEndian.PutUint64(b, soft)
		binary.LittleEndian.PutUint64(b[8:], hard)
	}
	return err
}

// sysSetrlimit lowers the limits of a resource.
//
// # Errors
//
//   - EINVAL: no such resource, or soft above hard
//   - EPERM: above the hard limit
//
// POSIX: setrlimit().
func sysSetrlimit(c *Context, _ memory, a []uint64) error {
	return c.p.Setrlimit(abi.Resource(int32(a[0])), a[1], a[2])
}
