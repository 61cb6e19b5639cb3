// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package wasishell

import (
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
)

// errCacheInside is returned for a mount of the cache or a part of it.
var errCacheInside = errors.New("the directory holds compiled programs, which nothing inside may reach: use another one, or another CacheDir")

// cacheBelow looks for the runtime's cache in a host directory that is to be
// visible inside, whatever the names of both. Who could write to the cache could
// make the host run anything. It returns the slash-separated path of the cache
// below host, "" where it is not there, and an error where host is the cache or
// inside it.
func (r *Runtime) cacheBelow(host string) (string, error) {
	if r.cacheDir == "" {
		return "", nil
	}
	cache, err := filepath.EvalSymlinks(r.cacheDir)
	if err != nil {
		return "", err
	}
	switch rel, err := below(cache, host); {
	case err != nil:
		return "", err
	case rel == ".":
		return "", errCacheInside
	case rel != "":
		return rel, nil
	}
	abs, err := filepath.Abs(host)
	if err != nil {
		return "", err
	}
	if abs, err = filepath.EvalSymlinks(abs); err != nil {
		return "", err
	}
	switch rel, err := below(abs, cache); {
	case err != nil:
		return "", err
	case rel != "":
		return "", errCacheInside
	}
	return "", nil
}

// below returns the path of dir below above, "." where they are the same
// directory and "" where it is not below. dir is absolute and free of links.
func below(dir, above string) (string, error) {
	want, err := os.Stat(above)
	if err != nil {
		return "", err
	}
	rel := "."
	for {
		got, err := os.Stat(dir)
		switch {
		case err == nil && os.SameFile(got, want):
			return rel, nil
		case err != nil && !errors.Is(err, fs.ErrPermission):
			return "", err
		}
		up := filepath.Dir(dir)
		if up == dir {
			return "", nil
		}
		rel = path.Join(filepath.Base(dir), rel)
		dir = up
	}
}
