// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package vfs

import (
	"strings"

	"github.com/wsandbox/wsandbox/engine/abi"
)

const (
	maxName  = 255
	maxPath  = 4096    // with the NUL byte that ends a path in C
	maxAbs   = 1 << 16 // of a resolved path: relative paths reach deeper than maxPath
	maxLinks = 40
)

// lastKind is the kind of the last component of a path.
type lastKind uint8

const (
	lastName lastKind = iota
	lastDot
	lastDotDot
	lastRoot // the path is made of slashes only
)

// lexical is a path joined to its starting directory without looking at any
// file.
type lexical struct {
	abs   string
	kind  lastKind
	slash bool // slashes follow the last component
	up    bool // it begins with ".."
}

// checkPath applies the rules for paths of processes that need no file.
func checkPath(path string) error {
	if path == "" {
		return abi.ENOENT
	}
	if len(path) >= maxPath {
		return abi.ENAMETOOLONG
	}
	n := 0
	for i := 0; i < len(path); i++ {
		switch path[i] {
		case 0:
			return abi.EINVAL
		case '/':
			n = 0
		default:
			if n++; n > maxName {
				return abi.ENAMETOOLONG
			}
		}
	}
	return nil
}

// lex joins path, which passed checkPath, to the canonical directory dir. It
// reports false where ".." follows a name: what that means depends on files.
func lex(dir, path string) (lexical, bool) {
	var x lexical
	abs := dir
	if path[0] == '/' {
		abs = "/"
	}
	x.kind = lastRoot
	clean := true // the rest of path can be used as it is
	names := 0
	first := -1
	for i := 0; i < len(path); {
		if path[i] == '/' {
			if i > 0 && names > 0 {
				if i+1 == len(path) || path[i+1] == '/' {
					clean = false
				}
			} else if i > 0 {
				clean = false
			}
			x.slash = true
			i++
			continue
		}
		j := i
		for j < len(path) && path[j] != '/' {
			j++
		}
		x.slash = false
		switch c := path[i:j]; c {
		case ".":
			x.kind = lastDot
			clean = false
		case "..":
			if names > 0 {
				return x, false
			}
			x.kind, x.up = lastDotDot, true
			abs, _ = split(abs)
			clean = false
		default:
			x.kind = lastName
			if first < 0 {
				first = i
			}
			names++
		}
		i = j
	}
	switch {
	case names == 0:
		x.abs = abs
	case clean && path[0] == '/':
		x.abs = path
	case clean:
		x.abs = join(abs, path)
	default:
		b := make([]byte, 0, len(abs)+len(path)-first+1)
		if abs != "/" {
			b = append(b, abs...)
		}
		for rest := path[first:]; rest != ""; {
			var c string
			c, rest, _ = strings.Cut(rest, "/")
			if c != "" && c != "." {
				b = append(b, '/')
				b = append(b, c...)
			}
		}
		x.abs = string(b)
	}
	return x, true
}

// canonical reports whether path is absolute and clean.
func canonical(path string) bool {
	if path == "" || path[0] != '/' || len(path) > maxAbs {
		return false
	}
	if path == "/" {
		return true
	}
	for c := range strings.SplitSeq(path[1:], "/") {
		if c == "" || c == "." || c == ".." || len(c) > maxName || strings.IndexByte(c, 0) >= 0 {
			return false
		}
	}
	return true
}

// join adds name to the canonical directory dir.
func join(dir, name string) string {
	if dir == "/" {
		return "/" + name
	}
	return dir + "/" + name
}

// split cuts the canonical path into its directory and its last name. The
// directory of "/" is "/".
func split(path string) (dir, base string) {
	i := strings.LastIndexByte(path, '/')
	if i <= 0 {
		return "/", path[i+1:]
	}
	return path[:i], path[i+1:]
}

// below returns the name of the canonical path below dir ("." for dir itself)
// and reports whether it lies there.
func below(path, dir string) (string, bool) {
	switch {
	case path == dir:
		return ".", true
	case dir == "/":
		return path[1:], true
	case len(path) > len(dir) && path[len(dir)] == '/' && path[:len(dir)] == dir:
		return path[len(dir)+1:], true
	}
	return "", false
}
