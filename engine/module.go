// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package engine

import (
	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/engine/kernel"
	"github.com/wsandbox/wsandbox/engine/vfs"
)

// module is the image of one process that runs a module from a file.
type module struct {
	e      *Engine
	path   string
	digest string
	size   int64
	held   *heldModule // nil: to be read again
}

var _ kernel.Image = (*module)(nil)

// Descriptors of a module's preopens. Those of maxPreopens-2 directories in the
// root may follow.
const (
	preopenRoot = 3
	preopenCwd  = 4
	preopenMore = 5
	maxPreopens = 34
)

// Run implements [kernel.Image].
func (m *module) Run(proc *kernel.Process) abi.WaitStatus {
	if err := m.e.enter(); err != nil {
		return m.e.refuse(proc, err)
	}
	refuse := func(err error) abi.WaitStatus {
		m.e.leave()
		return m.e.refuse(proc, err)
	}
	held := m.held
	m.held = nil
	load := func() ([]byte, error) {
		// Others may wait for the module longer than this process.
		if wasm := held.take(); wasm != nil {
			return wasm, nil
		}
		return m.e.reload(proc, m.path, m.digest)
	}
	img, release, err := m.e.modules.Acquire(m.path, m.digest, m.size, load, proc.WaitFor)
	held.take() // somebody else has had it compiled
	if err != nil {
		return refuse(err)
	}
	if err := preopen(proc); err != nil {
		release()
		return refuse(err)
	}
	return m.e.run(proc, img, false, func() {
		release()
		m.e.leave()
	})
}

// preopen gives a module the directories that its C library looks for from
// descriptor 3 on, in place of what it inherited there. They may be left: the
// namespace is the boundary, and ".." is to work as everywhere.
//
// The C library of WASI makes no difference between "tmp/f" and "/tmp/f": it
// takes the slash away and looks for the longest preopen that the path begins
// with, the last one where there are several. With "/" and "." alone every path
// would so be relative to the working directory. Therefore the directories in
// the root become preopens as well, but for those whose name also exists in the
// working directory: there the relative path is meant.
func preopen(proc *kernel.Process) error {
	if err := proc.InstallPreopen(preopenRoot, "/", kernel.Preopen{GuestPath: "/"}); err != nil {
		return err
	}
	cwd, err := proc.Getcwd()
	if err != nil {
		return err
	}
	if err := proc.InstallPreopen(preopenCwd, cwd, kernel.Preopen{GuestPath: "."}); err != nil || cwd == "/" {
		return err
	}
	fd := int32(preopenMore)
	var cookie uint64
	var entries []vfs.Dirent
	for {
		entries, err = proc.ReadDir(preopenRoot, entries[:0], cookie, maxPreopens, false)
		if err != nil || len(entries) == 0 {
			return err
		}
		for _, d := range entries {
			cookie = d.Cookie
			if d.Name == "." || d.Name == ".." {
				continue
			}
			if fd == preopenRoot+maxPreopens {
				return nil
			}
			if _, err := proc.StatAt(abi.AtCwd, d.Name, false); err != abi.ENOENT {
				continue
			}
			// What is no directory, or may not be opened, is left out.
			if err := proc.InstallPreopen(fd, "/"+d.Name, kernel.Preopen{GuestPath: "/" + d.Name}); err == nil {
				fd++
			}
		}
	}
}
