// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package engine

import (
	"crypto/sha256"
	"encoding/hex"
	"runtime"
	"slices"
	"sync/atomic"

	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/engine/internal/image"
	"github.com/wsandbox/wsandbox/engine/kernel"
	"github.com/wsandbox/wsandbox/engine/vfs"
)

// maxPending bounds what the processes of an engine that wait for their module
// to be compiled hold of it in memory. Beyond it a module is read again when its
// turn comes, which fails where the file has changed since.
const maxPending = 256 << 20

// heldModule is a module in memory.
type heldModule struct {
	e    *Engine
	wasm atomic.Pointer[[]byte]
}

// hold counts wasm, which is to be reserved already, until it is taken or m is
// forgotten.
func (e *Engine) hold(m *module, wasm []byte) {
	h := &heldModule{e: e}
	h.wasm.Store(&wasm)
	m.held = h
	runtime.AddCleanup(m, func(h *heldModule) { h.take() }, h)
}

// take returns the module, the first time.
func (h *heldModule) take() []byte {
	if h == nil {
		return nil
	}
	b := h.wasm.Swap(nil)
	if b == nil {
		return nil
	}
	h.e.pending.Add(-int64(len(*b)))
	return *b
}

// LoadModule implements [kernel.Runner]. Whether the module is valid shows when
// it runs.
func (e *Engine) LoadModule(f vfs.RegularFile, path string) (kernel.Image, error) {
	st, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if st.Size > e.cfg.Limits.Module {
		return nil, abi.ENOMEM
	}
	m := &module{e: e, path: path}
	if e.pending.Add(st.Size) > maxPending {
		e.pending.Add(-st.Size)
		m.digest, m.size, err = digestModule(f, e.cfg.Limits.Module)
		if err != nil {
			return nil, err
		}
		return m, nil
	}
	wasm, err := readModule(f, e.cfg.Limits.Module)
	if err != nil {
		e.pending.Add(-st.Size)
		return nil, err
	}
	m.size = int64(len(wasm))
	e.pending.Add(m.size - st.Size)
	m.digest = image.Digest(wasm)
	e.hold(m, wasm)
	return m, nil
}

// reload reads the module of proc again: ETXTBSY where it is no longer the one
// with the digest, or what opening and reading it returns.
func (e *Engine) reload(proc *kernel.Process, path, digest string) ([]byte, error) {
	f, err := proc.OpenProgram(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	r, ok := f.(vfs.RegularFile)
	if !ok {
		return nil, abi.ETXTBSY
	}
	wasm, err := readModule(r, e.cfg.Limits.Module)
	if err != nil {
		return nil, err
	}
	if image.Digest(wasm) != digest {
		return nil, abi.ETXTBSY
	}
	return wasm, nil
}

// magic begins every module.
const magic = "\x00asm\x01\x00\x00\x00"

// readModule reads a whole file: ENOEXEC without the head of a module, ENOMEM
// where it is larger than limit.
func readModule(f vfs.RegularFile, limit int64) ([]byte, error) {
	st, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if st.Size > limit {
		return nil, abi.ENOMEM
	}
	// The file may change meanwhile: read to its end, whatever its size was.
	b := make([]byte, 0, max(st.Size, 0)+1)
	for {
		n, err := f.ReadAt(b[len(b):cap(b)], int64(len(b)))
		if err != nil {
			return nil, err
		}
		if n == 0 {
			break
		}
		if b = b[:len(b)+n]; int64(len(b)) > limit {
			return nil, abi.ENOMEM
		}
		if len(b) == cap(b) {
			b = slices.Grow(b, 64<<10)
		}
	}
	if len(b) < len(magic) || string(b[:len(magic)]) != magic {
		return nil, abi.ENOEXEC
	}
	return b, nil
}

// digestModule returns the digest and size of what readModule would return.
func digestModule(f vfs.RegularFile, limit int64) (digest string, size int64, err error) {
	h := sha256.New()
	b := make([]byte, 64<<10)
	for {
		n, err := f.ReadAt(b, size)
		if err != nil {
			return "", 0, err
		}
		if n == 0 {
			break
		}
		if size == 0 && (n < len(magic) || string(b[:len(magic)]) != magic) {
			return "", 0, abi.ENOEXEC
		}
		if size += int64(n); size > limit {
			return "", 0, abi.ENOMEM
		}
		_, _ = h.Write(b[:n]) // never fails
	}
	if size == 0 {
		return "", 0, abi.ENOEXEC
	}
	return hex.EncodeToString(h.Sum(nil)), size, nil
}
