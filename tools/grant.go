// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package tools

import (
	"errors"
	"path"
	"path/filepath"
	"strings"

	"github.com/wsandbox/wsandbox/wasishell"
)

// Grant gives a sandbox a directory beside its workspace.
type Grant struct {
	// Path is the absolute path inside, with slashes, and not "/".
	Path string `json:"path"`
	// HostPath is the absolute path of the host's directory: Path where
	// empty.
	HostPath string `json:"host_path,omitempty"`
	// ReadOnly forbids changes.
	ReadOnly bool `json:"read_only"`
	// Description tells the model what is there.
	Description string `json:"description,omitempty"`
}

// Check reports what is wrong with the text of a grant.
func (g Grant) Check() error {
	switch {
	case !path.IsAbs(g.Path):
		return errors.New("sandbox path grant path must be POSIX absolute")
	case path.Clean(g.Path) == "/":
		return errors.New("sandbox path grant path must not be filesystem root")
	}
	_, err := g.hostPath()
	return err
}

// hostPath returns HostPath in the spelling of the system it belongs to, or "".
func (g Grant) hostPath() (string, error) {
	bad := func(what string) (string, error) {
		return "", errors.New("sandbox path grant host_path " + what)
	}
	h := g.HostPath
	slashed := strings.ReplaceAll(h, "\\", "/")
	windows := hasDrive(h)
	switch {
	case h == "":
		return "", nil
	case strings.HasPrefix(slashed, "//"):
		return bad("does not support UNC or device paths")
	case windows && (len(slashed) < 3 || slashed[2] != '/'), !windows && !path.IsAbs(h):
		return bad("must be an absolute host path")
	}
	parts := h
	if windows {
		parts = slashed[2:]
	}
	for _, e := range strings.Split(parts, "/") {
		if e == ".." {
			return bad("must not contain parent segments")
		}
	}
	clean := path.Clean(parts)
	if clean == "/" {
		return bad("must not be filesystem root")
	}
	if windows {
		return h[:2] + strings.ReplaceAll(clean, "/", "\\"), nil
	}
	return clean, nil
}

// Mount returns the mount that makes a grant effective, for
// [wasishell.Config].Mounts. It follows the links of the host's path, which must
// exist and must not lead to the root of the file system.
func (g Grant) Mount() (wasishell.Mount, error) {
	if err := g.Check(); err != nil {
		return wasishell.Mount{}, err
	}
	host, err := g.hostPath()
	if err != nil {
		return wasishell.Mount{}, err
	}
	if host == "" {
		host = filepath.FromSlash(path.Clean(g.Path))
	}
	real, err := filepath.EvalSymlinks(host)
	if err != nil {
		return wasishell.Mount{}, err
	}
	if real == filepath.Dir(real) {
		return wasishell.Mount{}, errors.New("sandbox path grant path must not resolve to filesystem root")
	}
	return wasishell.Mount{Host: real, Guest: path.Clean(g.Path), ReadOnly: g.ReadOnly}, nil
}
