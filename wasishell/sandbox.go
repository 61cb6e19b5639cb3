// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package wasishell

import (
	"context"
	"crypto/rand"
	"errors"
	"math"
	"path"
	"sync"
	"sync/atomic"

	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/engine/kernel"
	"github.com/wsandbox/wsandbox/engine/vfs"
	"github.com/wsandbox/wsandbox/engine/vfs/binfs"
	"github.com/wsandbox/wsandbox/engine/vfs/devfs"
	"github.com/wsandbox/wsandbox/engine/vfs/memfs"
	"github.com/wsandbox/wsandbox/hostfs"
)

// defaultDisk bounds the files in memory.
const defaultDisk = 1 << 30

// Sandbox is a process kernel with a file namespace. It is safe for concurrent
// use: commands run beside each other as on one machine.
type Sandbox struct {
	cfg    Config
	env    []string
	rt     *Runtime
	ownRT  bool
	ns     *vfs.Namespace
	cred   *vfs.Cred
	kernel *kernel.Kernel
	mounts []*hostfs.FS

	terminals atomic.Uint32 // made so far

	mu     sync.Mutex
	closed bool
	using  sync.WaitGroup
}

// New returns a sandbox. It fails where the configuration is not valid, a host
// directory cannot be opened, or no programs are embedded. ctx bounds only the
// call.
func New(ctx context.Context, cfg Config) (_ *Sandbox, err error) {
	cfg.Mounts = append([]Mount(nil), cfg.Mounts...)
	if err := cfg.check(); err != nil {
		return nil, &Error{Op: "open", Subject: "sandbox", Err: err}
	}
	s := &Sandbox{cfg: cfg, rt: cfg.Runtime, cred: &vfs.Cred{UID: userID, GID: userID}}
	defer func() {
		if err != nil {
			_ = s.Close()
		}
	}()
	if s.rt == nil {
		if s.rt, err = NewRuntime(ctx, RuntimeConfig{}); err != nil {
			return nil, err
		}
		s.ownRT = true
	}
	if s.ns, err = s.namespace(); err != nil {
		return nil, err
	}
	s.env = mergeEnv([]string{
		"PATH=" + searchPath, "HOME=" + homeDir, "USER=" + userName, "LOGNAME=" + userName,
		"SHELL=/bin/" + cfg.Shell, "TERM=dumb", "LANG=C.UTF-8", "PWD=" + cfg.Dir,
	}, cfg.Env)
	l := cfg.Limits
	s.kernel, err = kernel.New(kernel.Config{
		Runner: s.rt.engine, Namespace: s.ns, Hostname: cfg.Hostname, Cred: s.cred,
		Limits: kernel.Limits{
			Memory: l.Memory, TotalMemory: l.TotalMemory, CPU: l.CPU, Processes: l.Processes,
			Files: l.Files, OpenFiles: l.OpenFiles, Output: l.Output, FileSize: l.FileSize,
		},
	})
	if err != nil {
		return nil, &Error{Op: "open", Subject: "kernel", Err: err}
	}
	return s, nil
}

// namespace builds the sandbox's files.
func (s *Sandbox) namespace() (*vfs.Namespace, error) {
	c := &s.cfg
	clock := kernel.SystemClock()
	disk, inodes := c.Limits.Disk, c.Limits.Inodes
	if disk == 0 {
		disk = defaultDisk
	}
	if disk < 0 {
		disk = math.MaxInt64
	}
	if inodes == 0 {
		inodes = 1 << 20
	}
	if inodes < 0 {
		inodes = math.MaxInt
	}
	// The size of one file is bounded by the kernel.
	root := memfs.New(memfs.Options{
		MaxBytes: math.MaxInt64, MaxInodes: math.MaxInt64,
		Clock: clock.Now, UID: userID, GID: userID,
	})
	if err := baseTree(root, c, clock.Now()); err != nil {
		return nil, &Error{Op: "open", Subject: "files", Err: err}
	}
	root.Allow(disk, int64(inodes))
	applets := map[string]string{}
	for _, g := range s.rt.list {
		for _, a := range g.Applets {
			applets[a] = g.Name
		}
	}
	programs, err := binfs.New("/usr/bin", applets, clock.Now)
	if err != nil {
		return nil, &Error{Op: "open", Subject: "programs", Err: err}
	}
	mounts := []vfs.Mount{
		{Path: "/", FS: root, Source: "none", Type: "tmpfs"},
		{Path: "/usr/bin", FS: programs, ReadOnly: true, Source: "none", Type: "binfs"},
		{Path: "/dev", FS: devfs.New(devfs.Options{Clock: clock.Now, Rand: rand.Reader}), Source: "none", Type: "devfs"},
		{Path: "/proc", FS: kernel.NewProcFS(), ReadOnly: true, Source: "none", Type: "proc"},
	}
	readOnly := c.Mode == ModeReadOnly
	add := func(host, guest string, ro bool) error {
		fs, err := hostfs.Open(host, hostfs.Options{ReadOnly: ro})
		if err != nil {
			return &Error{Op: "mount", Subject: host, Err: err}
		}
		s.mounts = append(s.mounts, fs)
		mounts = append(mounts, vfs.Mount{Path: guest, FS: fs, ReadOnly: ro, Source: "workspace", Type: "hostfs"})
		cache, err := s.rt.cacheBelow(host)
		if err != nil {
			return &Error{Op: "mount", Subject: host, Err: err}
		}
		if cache != "" {
			empty := memfs.New(memfs.Options{MaxInodes: 1, Clock: clock.Now})
			mounts = append(mounts, vfs.Mount{Path: path.Join(guest, cache), FS: empty, ReadOnly: true, Source: "none", Type: "tmpfs"})
		}
		return nil
	}
	if c.Workspace != "" {
		if err := add(c.Workspace, workspaceDir, readOnly); err != nil {
			return nil, err
		}
	}
	for _, m := range c.Mounts {
		below, err := vfs.NewNamespace(mounts...)
		if err != nil {
			return nil, &Error{Op: "mount", Err: err}
		}
		if st, err := below.Stat(vfs.At{Dir: "/", Cred: &vfs.Cred{}}, m.Guest, true); err == nil && !st.Mode.IsDir() {
			return nil, &Error{Op: "mount", Subject: m.Guest, Err: abi.ENOTDIR} // a file stands there
		}
		if err := add(m.Host, m.Guest, readOnly || m.ReadOnly); err != nil {
			return nil, err
		}
	}
	ns, err := vfs.NewNamespace(mounts...)
	if err != nil {
		return nil, &Error{Op: "mount", Err: err}
	}
	return ns, nil
}

// enter marks the sandbox as in use, so that Close waits for what is under way.
func (s *Sandbox) enter() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return ErrClosed
	}
	s.using.Add(1)
	return nil
}

func (s *Sandbox) leave() { s.using.Done() }

// Close ends every process of the sandbox and releases what it holds. When it
// returns, nothing of it runs any more, but for a Read or Write of the caller's
// own Stdin, Stdout or Stderr that has not returned. A second Close does
// nothing.
func (s *Sandbox) Close() error {
	s.mu.Lock()
	if s.closed {
		s.mu.Unlock()
		return nil
	}
	s.closed = true
	s.mu.Unlock()
	s.using.Wait()
	var errs []error
	if s.kernel != nil {
		errs = append(errs, s.kernel.Close())
	}
	for _, m := range s.mounts {
		errs = append(errs, m.Close())
	}
	if s.ownRT {
		errs = append(errs, s.rt.Close())
	}
	return errors.Join(errs...)
}
