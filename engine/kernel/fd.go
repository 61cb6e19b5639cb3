// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package kernel

import (
	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/engine/kernel/internal/pipe"
	"github.com/wsandbox/wsandbox/engine/vfs"
)

// maxFD returns the bound of the caller's descriptors.
func (p *Process) maxFD() int {
	return int(min(p.rlim[rlimNofile].soft, uint64(p.k.limits.Files)))
}

// installFile gives f, whose reference it takes over, the lowest free
// descriptor. On an error (EMFILE) it closes f.
func (p *Process) installFile(f *OpenFile, lowest int, flags abi.OpenFlag, beneath bool) (int32, error) {
	fd, err := p.installEntry(fdEntry{
		f: f, cloexec: flags&abi.OCloexec != 0, beneath: beneath,
		base: abi.RightsAll, inheriting: abi.RightsAll,
	}, lowest)
	if err != nil {
		f.Close()
	}
	return fd, err
}

func (p *Process) installEntry(e fdEntry, lowest int) (int32, error) {
	fd, err := p.fds.install(e, lowest, p.maxFD())
	if err == abi.EMFILE {
		p.refuse(abi.LimitFiles)
	}
	return fd, err
}

// FDInfo describes a descriptor: EBADF.
func (p *Process) FDInfo(fd int32) (abi.FDInfo, error) {
	e, err := p.fds.entry(fd)
	if err != nil {
		return abi.FDInfo{}, err
	}
	st, err := e.f.stat(p.k)
	if err != nil {
		return abi.FDInfo{}, err
	}
	return abi.FDInfo{
		Mode:    st.Mode & abi.ModeFmt,
		Flags:   e.f.access | abi.OpenFlag(e.f.flags.Load()),
		Cloexec: e.cloexec,
		TTY:     e.f.tty != nil,
	}, nil
}

// Setfl sets the status flags of the description behind fd to those of OAppend,
// ONonblock and OSync in flags: EBADF, EINVAL for other flags.
//
// POSIX: fcntl() F_SETFL.
func (p *Process) Setfl(fd int32, flags abi.OpenFlag) error {
	if flags&^(statusFlags|abi.OAccmode) != 0 {
		return abi.EINVAL
	}
	f, err := p.fds.get(fd)
	if err != nil {
		return err
	}
	f.flags.Store(uint32(flags & statusFlags))
	return nil
}

// Pipe makes a pipe and returns its ends; flags may hold OCloexec and
// ONonblock: EINVAL for others, EMFILE, ENFILE.
//
// POSIX: pipe().
func (p *Process) Pipe(flags abi.OpenFlag) (r, w int32, err error) {
	if flags&^(abi.OCloexec|abi.ONonblock) != 0 {
		return -1, -1, abi.EINVAL
	}
	if err := p.checkOpenFiles(2); err != nil {
		return -1, -1, err
	}
	pr, pw := pipe.New(p.k.pipes)
	rf := newOpenFile(p.k, pr, "pipe", abi.ORdonly|flags)
	wf := newOpenFile(p.k, pw, "pipe", abi.OWronly|flags)
	r, err = p.installFile(rf, 0, flags, false)
	if err != nil {
		wf.Close()
		return -1, -1, err
	}
	w, err = p.installFile(wf, 0, flags, false)
	if err != nil {
		p.Close(r)
		return -1, -1, err
	}
	return r, w, nil
}

// Dup duplicates fd to the lowest free descriptor not below lowest; flags may
// hold OCloexec: EBADF, EMFILE, EINVAL for other flags or a lowest out of
// bounds. The duplicate has the rights of fd but is no preopen.
//
// POSIX: fcntl() F_DUPFD.
func (p *Process) Dup(fd, lowest int32, flags abi.OpenFlag) (int32, error) {
	e, err := p.fds.entry(fd)
	if err != nil {
		return -1, err
	}
	if flags&^abi.OCloexec != 0 {
		return -1, abi.EINVAL
	}
	e.cloexec, e.pre = flags&abi.OCloexec != 0, nil
	e.f.acquire()
	n, err := p.installEntry(e, int(lowest))
	if err != nil {
		e.f.Close()
	}
	return n, err
}

// DupTo duplicates fd to the descriptor to, which is closed first; flags may
// hold OCloexec. Where both are the same nothing happens: EBADF, EINVAL for
// other flags.
//
// POSIX: dup2().
func (p *Process) DupTo(fd, to int32, flags abi.OpenFlag) error {
	e, err := p.fds.entry(fd)
	if err != nil {
		return err
	}
	if flags&^abi.OCloexec != 0 {
		return abi.EINVAL
	}
	if fd == to {
		return nil
	}
	e.cloexec, e.pre = flags&abi.OCloexec != 0, nil
	e.f.acquire()
	old, err := p.fds.put(e, to, p.maxFD())
	if err != nil {
		e.f.Close()
		return err
	}
	if old != nil {
		old.Close()
	}
	return nil
}

// Renumber moves the descriptor fd to to, which must be open and is closed:
// EBADF.
//
// WASI: fd_renumber.
func (p *Process) Renumber(fd, to int32) error {
	if _, err := p.fds.get(to); err != nil {
		return err
	}
	if fd == to {
		return nil
	}
	e, err := p.fds.take(fd)
	if err != nil {
		return err
	}
	old, err := p.fds.put(e, to, len(p.fds.e))
	if err != nil {
		e.f.Close()
		return err
	}
	if old != nil {
		old.Close()
	}
	return nil
}

// Cloexec sets or clears close-on-exec: EBADF.
func (p *Process) Cloexec(fd int32, on bool) error {
	return p.fds.change(fd, func(e *fdEntry) error {
		e.cloexec = on
		return nil
	})
}

// Close closes a descriptor: EBADF.
func (p *Process) Close(fd int32) error {
	e, err := p.fds.take(fd)
	if err != nil {
		return err
	}
	return e.f.Close()
}

// Rights returns the rights of preview 1 that a descriptor carries: EBADF.
func (p *Process) Rights(fd int32) (base, inheriting abi.Rights, err error) {
	e, err := p.fds.entry(fd)
	return e.base, e.inheriting, err
}

// SetRights narrows the rights of a descriptor: EBADF, ENOTCAPABLE for a right
// it does not have.
//
// WASI: fd_fdstat_set_rights.
func (p *Process) SetRights(fd int32, base, inheriting abi.Rights) error {
	return p.fds.change(fd, func(e *fdEntry) error {
		if !e.base.Has(base) || !e.inheriting.Has(inheriting) {
			return abi.ENOTCAPABLE
		}
		e.base, e.inheriting = base, inheriting
		return nil
	})
}

// Preopen returns what makes fd a preopen, and reports whether it is one.
func (p *Process) Preopen(fd int32) (Preopen, bool) {
	e, err := p.fds.entry(fd)
	if err != nil || e.pre == nil {
		return Preopen{}, false
	}
	return *e.pre, true
}

// InstallPreopen opens the directory dir, an absolute path, as the descriptor
// fd, which is closed first, and makes it a preopen. The errors are those of
// Open, and EBADF for a descriptor out of bounds.
func (p *Process) InstallPreopen(fd int32, dir string, pre Preopen) error {
	if fd < 0 || int(fd) >= p.maxFD() {
		return abi.EBADF
	}
	if err := p.checkOpenFiles(1); err != nil {
		return err
	}
	f, abs, err := p.k.ns.Open(vfs.At{Dir: "/", Cred: p.cred, Caller: p}, dir, abi.ORdonly|abi.ODirectory, 0)
	if err != nil {
		return err
	}
	o := newOpenFile(p.k, f, abs, abi.ORdonly)
	old, err := p.fds.put(fdEntry{
		f: o, beneath: pre.Beneath, pre: &pre, base: abi.RightsAll, inheriting: abi.RightsAll,
	}, fd, p.maxFD())
	if err != nil {
		o.Close()
		return err
	}
	if old != nil {
		old.Close()
	}
	return nil
}
