// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package engine

import (
	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/engine/internal/image"
	"github.com/wsandbox/wsandbox/engine/kernel"
)

// module is the image of one process that runs a module from a file.
type module struct {
	e      *Engine
	path   string
	digest string
	wasm   []byte // until it runs
}

var _ kernel.Image = (*module)(nil)

// Descriptors of a module's preopens.
const (
	preopenRoot = 3
	preopenCwd  = 4
)

// Run implements [kernel.Image].
func (m *module) Run(proc *kernel.Process) abi.WaitStatus {
	if err := m.e.enter(); err != nil {
		return m.e.refuse(proc, err)
	}
	defer m.e.leave()
	wasm := m.wasm
	m.wasm = nil
	img, release, err := m.e.modules.Acquire(m.path, m.digest, wasm, waiter(proc))
	if err != nil {
		return m.e.refuse(proc, err)
	}
	defer release()
	if err := preopen(proc); err != nil {
		return m.e.refuse(proc, err)
	}
	return m.e.run(proc, img, false)
}

// preopen gives a module the directories that its C library looks for from
// descriptor 3 on, in place of what it inherited there. Both may be left: the
// namespace is the boundary, and ".." is to work as everywhere.
func preopen(proc *kernel.Process) error {
	if err := proc.InstallPreopen(preopenRoot, "/", kernel.Preopen{GuestPath: "/"}); err != nil {
		return err
	}
	cwd, err := proc.Getcwd()
	if err != nil {
		return err
	}
	return proc.InstallPreopen(preopenCwd, cwd, kernel.Preopen{GuestPath: "."})
}

var _ = image.ErrModule
