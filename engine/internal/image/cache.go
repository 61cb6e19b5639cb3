// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package image

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"time"

	"golang.org/x/sys/cpu"
)

// ErrCacheDir is returned for a cache directory that cannot be trusted.
var ErrCacheDir = errors.New("image: cache directory is not private")

const (
	// formatVersion is raised whenever what this package or the rewriter
	// writes changes.
	formatVersion = "6"

	// wazeroVersion is the version of go.mod, which a test checks. It stands
	// in where a program was built without module information.
	wazeroVersion = "v1.12.0"
	wazeroPath    = "github.com/tetratelabs/wazero"

	// DefaultCacheBytes is the size beyond which old entries are deleted.
	DefaultCacheBytes = 1 << 30

	// UnusedFor is how long an entry stays that nobody uses.
	UnusedFor = 30 * 24 * time.Hour

	staleTemp  = time.Hour      // age of temporary files left by a crash
	touchAfter = 24 * time.Hour // what is used is marked so at most that often
	sweepAfter = 24 * time.Hour // how often it is looked for what is not used
)

// Cache is a directory that holds compiled modules and snapshots. Programs of
// the same user may share it at the same time: entries are written under
// another name and renamed, never changed, and each carries checksums. Whoever
// may write to it can run code as the user, so it is refused unless it is
// private.
//
// Below the directory given by the user stands one per combination of versions,
// holding
//
//	KEY.image       manifest, stub and snapshot of one module
//	code/…/NAME     machine code, named by the runtime
//	tmp-*           work in progress
//
// The modification time of each says when it was last used. What was not used
// for a month, of whatever version, is deleted, and what was not used for the
// longest time where all versions together exceed the size.
type Cache struct {
	root     string // what the user gave
	dir      string // of this version
	maxBytes int64
	mu       sync.Mutex // one sweep at a time
}

// OpenCache opens or makes the cache directory dir. It returns ErrCacheDir
// where dir is a symbolic link, belongs to another user or may be written to by
// others, or where such a directory above it could be replaced by others.
// maxBytes bounds its size; 0 is DefaultCacheBytes.
func OpenCache(dir string, maxBytes int64) (*Cache, error) {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return nil, fmt.Errorf("image: cache: %w", err)
	}
	if err := privateDir(dir); err != nil {
		return nil, err
	}
	if maxBytes == 0 {
		maxBytes = DefaultCacheBytes
	}
	c := &Cache{root: dir, dir: filepath.Join(dir, versionTag()), maxBytes: maxBytes}
	for _, d := range []string{c.dir, c.codeRoot()} {
		if err := os.Mkdir(d, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
			return nil, fmt.Errorf("image: cache: %w", err)
		}
		if err := checkPrivate(d); err != nil {
			return nil, err
		}
	}
	if i, err := os.Stat(c.dir); err == nil {
		touch(c.dir, i.ModTime())
	}
	if c.sweepDue() {
		c.sweep()
	}
	return c, nil
}

// privateDir makes dir where it is missing and checks it and those above.
func privateDir(dir string) error {
	parent := filepath.Dir(dir)
	if err := os.MkdirAll(parent, 0o700); err != nil {
		return fmt.Errorf("image: cache: %w", err)
	}
	if err := os.Mkdir(dir, 0o700); err != nil && !errors.Is(err, fs.ErrExist) {
		return fmt.Errorf("image: cache: %w", err)
	}
	if err := checkPrivate(dir); err != nil {
		return err
	}
	real, err := filepath.EvalSymlinks(parent)
	if err != nil {
		return fmt.Errorf("image: cache: %w", err)
	}
	for {
		if err := checkParent(real); err != nil {
			return err
		}
		up := filepath.Dir(real)
		if up == real {
			return nil
		}
		real = up
	}
}

// versionTag names everything but the module that an entry depends on.
func versionTag() string {
	version := wazeroVersion
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, m := range info.Deps {
			if m.Path == wazeroPath {
				version = m.Version
				if m.Replace != nil {
					version += "=" + m.Replace.Path + "@" + m.Replace.Version
				}
			}
		}
	}
	sum := sha256.Sum256(fmt.Appendf(nil, "%s %s %s %+v %+v", runtime.GOOS, runtime.GOARCH, version, cpu.X86, cpu.ARM64))
	return "v" + formatVersion + "-" + hex.EncodeToString(sum[:8])
}

func (c *Cache) codeRoot() string { return filepath.Join(c.dir, "code") }

func (c *Cache) entryPath(key string) string { return filepath.Join(c.dir, key+".image") }

// tempDir makes a directory for work in progress.
func (c *Cache) tempDir() (string, error) { return os.MkdirTemp(c.dir, "tmp-") }

// removeTemp deletes such a directory. What resists, such as a file that another
// program looks at, is left to sweep.
func removeTemp(dir string) {
	if os.RemoveAll(dir) == nil {
		return
	}
	// On Windows RemoveAll deletes in a way that not every file system
	// knows, and Remove in one that each does.
	_ = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			_ = os.Remove(path)
		}
		return nil
	})
	removeEmpty(dir)
}

// removeEmpty deletes dir and the directories below it as far as there is
// nothing else in them.
func removeEmpty(dir string) {
	var dirs []string
	_ = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err == nil && d.IsDir() {
			dirs = append(dirs, path)
		}
		return nil
	})
	for _, d := range slices.Backward(dirs) {
		_ = os.Remove(d)
	}
}

// sweepDue reports whether it is time for a sweep, which it then notes.
func (c *Cache) sweepDue() bool {
	stamp := filepath.Join(c.root, "swept")
	now := time.Now()
	if i, err := os.Lstat(stamp); err == nil && now.Sub(i.ModTime()).Abs() < sweepAfter {
		return false
	}
	if os.Chtimes(stamp, now, now) == nil {
		return true
	}
	return os.WriteFile(stamp, nil, 0o600) == nil
}

// cached is a file of the cache.
type cached struct {
	path string
	size int64
	used time.Time
}

// sweep deletes what crashed programs left, what was not used for long and,
// beyond the size limit, what was not used for the longest time, but never keep.
// It is best effort: a file that another program has open may resist. Who is
// about to use a file that goes makes it again.
func (c *Cache) sweep(keep ...string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	entries, err := os.ReadDir(c.root)
	if err != nil {
		return
	}
	now := time.Now()
	var files []cached
	for _, d := range entries {
		if !isVersionTag(d.Name()) {
			continue // nothing of a cache
		}
		dir := filepath.Join(c.root, d.Name())
		if checkPrivate(dir) != nil {
			continue
		}
		// Before its files go, as that changes the time.
		i, err := d.Info()
		unused := err == nil && dir != c.dir && now.Sub(i.ModTime()) > UnusedFor
		files = append(files, c.sweepVersion(dir, now)...)
		if unused {
			removeEmpty(dir)
		}
	}
	var total int64
	for _, f := range files {
		total += f.size
	}
	if total <= c.maxBytes {
		return
	}
	// Below the limit by a quarter, so that this is rare. An entry whose
	// code is gone, or code whose entry is, is made again when needed.
	slices.SortFunc(files, func(a, b cached) int { return cmp.Compare(a.used.UnixNano(), b.used.UnixNano()) })
	for _, f := range files {
		if total <= c.maxBytes-c.maxBytes/4 {
			return
		}
		if !slices.Contains(keep, f.path) && os.Remove(f.path) == nil {
			total -= f.size
		}
	}
}

// sweepVersion deletes what is stale in the directory of one version and returns
// the files that stay.
func (c *Cache) sweepVersion(dir string, now time.Time) (files []cached) {
	add := func(path string, d fs.DirEntry) {
		i, err := d.Info()
		if err != nil || !i.Mode().IsRegular() {
			return
		}
		if now.Sub(i.ModTime()) > UnusedFor && os.Remove(path) == nil {
			return
		}
		files = append(files, cached{path, i.Size(), i.ModTime()})
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil
	}
	for _, d := range entries {
		path := filepath.Join(dir, d.Name())
		switch {
		case strings.HasPrefix(d.Name(), "tmp-"):
			if i, err := d.Info(); err == nil && now.Sub(i.ModTime()) > staleTemp {
				removeTemp(path)
			}
		case strings.HasSuffix(d.Name(), ".image"):
			add(path, d)
		}
	}
	_ = filepath.WalkDir(filepath.Join(dir, "code"), func(path string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			add(path, d)
		}
		return nil
	})
	return files
}

// isVersionTag reports whether name is what versionTag returns in some version:
// "v", digits, "-", and more.
func isVersionTag(name string) bool {
	digits, rest, ok := strings.Cut(strings.TrimPrefix(name, "v"), "-")
	return ok && name[0] == 'v' && digits != "" && rest != "" && strings.Trim(digits, "0123456789") == ""
}

// touch marks a file or directory as used.
func touch(path string, modified time.Time) {
	if now := time.Now(); now.Sub(modified) > touchAfter {
		_ = os.Chtimes(path, now, now)
	}
}
