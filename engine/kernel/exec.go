// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package kernel

import "github.com/wsandbox/wsandbox/engine/abi"

// Exec replaces the caller's program. On success the caller leaves the guest
// and returns from Image.Run; the kernel then runs the new image with the same
// number, parent, group and limits. Descriptors with close-on-exec are closed
// after s.Actions are applied; handled signals get their default action, and
// shadow processes end.
//
// It returns the errors of [Process.Spawn], and EINVAL for flags other than
// SpawnNoInherit and a PPID. After an error nothing has changed.
//
// POSIX: exec().
func (p *Process) Exec(s *abi.SpawnSpec) error {
	if err := p.leaving(); err != nil {
		return err
	}
	if s.Flags&^abi.SpawnNoInherit != 0 || s.PPID != 0 {
		return abi.EINVAL
	}
	dir, err := p.childDir(s.Dir)
	if err != nil {
		return err
	}
	prog, err := p.load(s, dir)
	if err != nil {
		return err
	}
	var fds fdTable
	if err := p.fds.childTable(&fds, s, p.maxFD()); err != nil {
		return err
	}
	p.fds.replace(&fds)
	p.mu.Lock()
	p.cwd, p.path, p.comm, p.args, p.env = dir, prog.path, commOf(prog.path), prog.args, s.Env
	if s.Umask >= 0 {
		p.umask = abi.Mode(s.Umask) & abi.ModePerm
	}
	p.mu.Unlock()
	p.k.mu.Lock()
	p.execed = true
	p.handled = 0
	p.ignored |= s.Ignored &^ uncatchable & (1<<abi.NSIG - 2)
	p.pending = 0
	p.k.endShadowsLocked(p)
	p.settlePendingLocked()
	p.flagBits.Store(0)
	p.k.mu.Unlock()
	p.next = prog.image
	p.attn.Or(attnExec)
	return nil
}
