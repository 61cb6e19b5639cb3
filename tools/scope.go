// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package tools

import (
	"errors"
	"path"
	"strings"
)

// Scope is the directory of the workspace that relative paths of calls start
// from. It changes no rights. The zero Scope is the root of the workspace.
type Scope struct{ dir string }

// NewScope returns the scope of a directory, relative to the workspace and with
// slashes.
func NewScope(cwd string) (Scope, error) {
	bad := func(what string) (Scope, error) { return Scope{}, errors.New("sandbox.cwd must " + what) }
	switch {
	case strings.TrimSpace(cwd) == "":
		return bad("be non-empty")
	case path.IsAbs(cwd) || hasDrive(cwd):
		return bad("be workspace-relative")
	case strings.Contains(cwd, "\\"):
		return bad("use POSIX path separators")
	}
	for _, e := range strings.Split(cwd, "/") {
		if e == ".." {
			return bad("not contain parent segments")
		}
	}
	if c := path.Clean(cwd); c != "." {
		return Scope{c}, nil
	}
	return Scope{}, nil
}

// Dir returns the directory relative to the workspace, "" for its root.
func (s Scope) Dir() string { return s.dir }

// Anchor returns p, where that is relative, below the scope's directory.
// Backslashes are left as they are.
func (s Scope) Anchor(p string) string {
	if s.dir == "" || path.IsAbs(p) || hasDrive(p) {
		return p
	}
	return path.Join(s.dir, p)
}

// Render returns, for the model, a path relative to the workspace as one
// relative to the scope.
func (s Scope) Render(rel string) string {
	rel = path.Clean(rel)
	if s.dir == "" {
		return rel
	}
	from, to := strings.Split(s.dir, "/"), strings.Split(rel, "/")
	if rel == "." {
		to = nil
	}
	n := 0
	for n < len(from) && n < len(to) && from[n] == to[n] {
		n++
	}
	out := strings.Repeat("../", len(from)-n) + strings.Join(to[n:], "/")
	if out = strings.TrimSuffix(out, "/"); out == "" {
		return "."
	}
	return out
}
