// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package wasishell

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"time"

	"github.com/wsandbox/wsandbox/engine"
	"github.com/wsandbox/wsandbox/guests"
)

// RuntimeConfig configures a [Runtime].
type RuntimeConfig struct {
	// CacheDir holds compiled programs. Empty means "wsandbox" in the
	// user's cache directory, ErrNoCacheDir where that is not known; "off"
	// keeps them in memory only. It must not be writable by anyone else.
	// Where a host directory that holds it is bound into a sandbox, an empty
	// directory is seen in its place.
	CacheDir string
	// Progress is called while a program that is not in the cache compiles
	// for more than half a second. It must not block.
	Progress func(Progress)
	// Trace receives a line for each host call of every guest. It is for
	// debugging and slow.
	Trace io.Writer
}

// Progress reports the compilation of a program.
type Progress struct {
	Name    string
	Elapsed time.Duration
	Done    bool
}

// Runtime holds compiled programs and their pools of instances. It serves any
// number of sandboxes and is safe for concurrent use.
type Runtime struct {
	engine   *engine.Engine
	list     []guests.Guest
	cacheDir string // "": none
}

// Guests returns the built-in programs.
func Guests() ([]guests.Guest, error) { return guests.All() }

// NewRuntime returns a runtime with the built-in programs, which are compiled
// or loaded when they are first used.
func NewRuntime(ctx context.Context, cfg RuntimeConfig) (*Runtime, error) {
	list, err := guests.All()
	if err != nil {
		return nil, &Error{Op: "open", Subject: "guests", Err: err}
	}
	dir := cfg.CacheDir
	switch dir {
	case "":
		base, err := os.UserCacheDir()
		if err != nil {
			return nil, &Error{Op: "open", Subject: "cache", Err: fmt.Errorf("%w: %w", ErrNoCacheDir, err)}
		}
		dir = filepath.Join(base, "wsandbox")
	case "off":
		dir = ""
	}
	if dir != "" {
		// The working directory may change.
		if dir, err = filepath.Abs(dir); err != nil {
			return nil, &Error{Op: "open", Subject: "cache", Err: err}
		}
	}
	ec := engine.Config{CacheDir: dir, Trace: cfg.Trace}
	for _, g := range list {
		ec.Programs = append(ec.Programs, engine.Program{Name: g.Name, Applets: g.Applets, Wasm: g.Wasm, Digest: g.SHA256})
	}
	if cfg.Progress != nil {
		ec.Progress = func(p engine.ProgressEvent) {
			cfg.Progress(Progress{Name: p.Name, Elapsed: p.Elapsed, Done: p.Done})
		}
	}
	e, err := engine.New(ctx, ec)
	if err != nil {
		return nil, &Error{Op: "open", Subject: "engine", Err: err}
	}
	return &Runtime{engine: e, list: list, cacheDir: dir}, nil
}

// Warm compiles or loads the named built-in programs, all where none is named,
// so that the first command does not wait for it.
func (r *Runtime) Warm(ctx context.Context, names ...string) error {
	if err := r.engine.Warm(ctx, names...); err != nil {
		return &Error{Op: "warm", Err: err}
	}
	return nil
}

// Close releases the compiled programs. Sandboxes are closed first.
func (r *Runtime) Close() error { return r.engine.Close(context.Background()) }
