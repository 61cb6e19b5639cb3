// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package engine

import (
	"errors"
	"io"
	"time"
)

var (
	// ErrClosed is returned by methods of a closed engine.
	ErrClosed = errors.New("engine: closed")

	// ErrUnsupportedHost is returned where the machine has no compiler for
	// WebAssembly. Interpreting it, a hundred times slower, is not an option.
	ErrUnsupportedHost = errors.New("engine: unsupported machine")

	// ErrCacheDir is returned for a cache directory that others could write
	// to.
	ErrCacheDir = errors.New("engine: cache directory is not private")
)

// Program is a built-in program: an image that runs as any of its applets.
type Program struct {
	Name    string   // as in vfs.Executable
	Applets []string // names it is known by
	// Digest is the SHA-256 of the module in hex. By it the program is found
	// in the cache, without a call of Wasm.
	Digest string
	// Wasm returns the module, a reactor as described in the package comment.
	Wasm func() ([]byte, error)
}

// Config configures an [Engine].
type Config struct {
	// Programs are the built-in programs. They are compiled when first run.
	Programs []Program

	// CacheDir is a directory for compiled programs, which all programs of
	// the same user may share. It is made with mode 0700 where it is missing
	// and refused (ErrCacheDir) where others could write to it. Empty keeps
	// everything in memory: then each engine compiles what it runs, and
	// holds the modules as well.
	CacheDir string

	Limits Limits

	// Progress is called when a compilation takes more than half a second,
	// then four times a second and at its end. Calls for one program do not
	// overlap. It may be nil.
	Progress func(ProgressEvent)

	// Trace receives a line for each host call of each process and for each
	// process that ends badly, each in one Write. It may be nil.
	Trace io.Writer
}

// Limits bounds what an engine holds. A zero field means the default named
// beside it.
type Limits struct {
	IdleInstances int           // instances kept for reuse: 64; negative: none
	IdleBytes     int64         // memory of these in bytes: 64 MiB
	IdleTime      time.Duration // how long they are kept: 30 s
	Memory        int64         // linear memory of one process in bytes, at most and by default 4 GiB; kernels may allow less
	Module        int64         // size of a module that is no built-in program in bytes: 64 MiB
	Modules       int           // compiled modules kept when no process runs them: 16
	ModulesBytes  int64         // size of these in bytes: 128 MiB
	CacheBytes    int64         // size of CacheDir in bytes: 1 GiB
	Workers       int           // goroutines of one compilation: one per processor
}

const maxMemory = 4 << 30

func (l Limits) withDefaults() Limits {
	def := func(v *int64, d int64) {
		if *v <= 0 {
			*v = d
		}
	}
	def(&l.Memory, maxMemory)
	l.Memory = min(l.Memory, maxMemory)
	def(&l.Module, 64<<20)
	def(&l.ModulesBytes, 128<<20)
	if l.Modules <= 0 {
		l.Modules = 16
	}
	return l
}

// ProgressEvent tells how a compilation goes.
type ProgressEvent struct {
	Name    string        // of the program, or path of the module in the sandbox
	Phase   string        // "compile", "initialize" or "store"
	Elapsed time.Duration // since its beginning
	Bytes   int           // size of the module
	Done    bool          // the last event of this compilation
}
