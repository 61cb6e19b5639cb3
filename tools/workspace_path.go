// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package tools

import (
	"errors"
	"path"
	"strings"
)

// InvalidPathError reports a path that leads out of the workspace and the
// grants. Nothing makes a second try succeed.
type InvalidPathError struct {
	Rel    string // as the caller gave it, with slashes
	Reason string // "absolute" or "escape_root"
}

// Code returns the error code that clients know.
func (*InvalidPathError) Code() string { return "invalid_manifest_path" }

func (e *InvalidPathError) Error() string {
	if e.Reason == "absolute" {
		return "manifest path must be relative: " + e.Rel
	}
	return "manifest path must not escape root: " + e.Rel
}

// WriteError reports a path that may be read only.
type WriteError struct {
	Path      string
	Reason    string // "read_only_extra_path_grant"
	GrantPath string // the grant that decides
}

// Code returns the error code that clients know.
func (*WriteError) Code() string { return "workspace_archive_write_error" }

func (e *WriteError) Error() string { return "failed to write archive for path: " + e.Path }

// PathPolicy says which paths the calls accept: those of a workspace, and those
// of grants beside it. It works on the text of paths, with slashes; links are
// followed by the sandbox, in one step with their use, and lead nowhere else.
type PathPolicy struct {
	root   string
	grants []Grant
}

// NewPathPolicy returns the policy of the workspace at root, an absolute path of
// the sandbox, and of valid grants (see [Grant.Check]).
func NewPathPolicy(root string, grants ...Grant) (*PathPolicy, error) {
	if !path.IsAbs(root) {
		return nil, errors.New("sandbox workspace root must be absolute")
	}
	p := &PathPolicy{root: path.Clean(root)}
	for _, g := range grants {
		if err := g.Check(); err != nil {
			return nil, err
		}
		g.Path = path.Clean(g.Path)
		p.grants = append(p.grants, g)
	}
	return p, nil
}

// within reports whether name is dir or below it; both are clean and absolute.
func within(name, dir string) bool {
	return name == dir || dir == "/" || strings.HasPrefix(name, dir) && name[len(dir)] == '/'
}

// hasDrive reports whether p begins with the drive of a Windows path.
func hasDrive(p string) bool {
	return len(p) >= 2 && p[1] == ':' && (p[0]|0x20) >= 'a' && (p[0]|0x20) <= 'z'
}

// Absolute returns the clean absolute path of a file of the workspace: p itself,
// or p below the root where it is relative. Its error is an
// [*InvalidPathError].
func (t *PathPolicy) Absolute(p string) (string, error) {
	shown := strings.ReplaceAll(p, "\\", "/")
	if hasDrive(p) {
		return "", &InvalidPathError{Rel: shown, Reason: "absolute"}
	}
	if path.IsAbs(p) {
		if c := path.Clean(p); within(c, t.root) {
			return c, nil
		}
		return "", &InvalidPathError{Rel: shown, Reason: "absolute"}
	}
	if c := path.Join(t.root, p); within(c, t.root) {
		return c, nil
	}
	return "", &InvalidPathError{Rel: shown, Reason: "escape_root"}
}

// Relative returns the path of a file of the workspace relative to its root, "."
// for the root.
func (t *PathPolicy) Relative(p string) (string, error) {
	abs, err := t.Absolute(p)
	if err != nil {
		return "", err
	}
	if abs == t.root {
		return ".", nil
	}
	return strings.TrimPrefix(strings.TrimPrefix(abs, t.root), "/"), nil
}

// Normalize returns the clean absolute path of a file of the workspace or, by an
// absolute path only, of a grant. The longest grant decides; its error is a
// [*WriteError] where the file is to be written and may only be read.
func (t *PathPolicy) Normalize(p string, forWrite bool) (string, error) {
	abs, err := t.Absolute(p)
	if err == nil {
		return abs, nil
	}
	if !path.IsAbs(p) || hasDrive(p) {
		return "", err
	}
	abs = path.Clean(p)
	var best *Grant
	for i, g := range t.grants {
		if within(abs, g.Path) && (best == nil || len(g.Path) > len(best.Path)) {
			best = &t.grants[i]
		}
	}
	switch {
	case best == nil:
		return "", err
	case forWrite && best.ReadOnly:
		return "", &WriteError{Path: abs, Reason: "read_only_extra_path_grant", GrantPath: best.Path}
	}
	return abs, nil
}
