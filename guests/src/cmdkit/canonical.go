// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package cmdkit

import (
	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/guests/src/wsys"
)

// Missing says which elements of a path need not exist.
type Missing uint8

// What may be missing.
const (
	NoneMissing Missing = iota // readlink -e
	LastMissing                // readlink -f
	AllMissing                 // readlink -m
)

// maxLinks bounds the symbolic links of a path.
const maxLinks = 40

// Canonical returns the absolute path without ".", ".." and symbolic links. Its
// errors are those of looking the path up, ELOOP among them.
func Canonical(path string, missing Missing) (string, error) {
	if path == "" {
		return "", abi.ENOENT
	}
	if missing != AllMissing {
		// The usual case in one call.
		if r, err := wsys.Realpath(wsys.AtCwd, path); err == nil {
			return r, nil
		} else if missing == NoneMissing || err != abi.ENOENT {
			return "", err
		}
	}
	out := ""
	if path[0] != '/' {
		dir, err := wsys.Getcwd()
		if err != nil {
			return "", err
		}
		out = dir
		if out == "/" {
			out = ""
		}
	}
	links := 0
	gone := false // behind a missing element nothing is looked up
	for path != "" {
		i := 0
		for i < len(path) && path[i] != '/' {
			i++
		}
		elem := path[:i]
		slash := i < len(path)
		for i < len(path) && path[i] == '/' {
			i++
		}
		path = path[i:]
		switch elem {
		case "", ".":
			continue
		case "..":
			n := len(out) - 1
			for n > 0 && out[n] != '/' {
				n--
			}
			out = out[:max(n, 0)]
			gone = false
			continue
		}
		next := out + "/" + elem
		if gone {
			out = next
			continue
		}
		st, err := wsys.StatAt(wsys.AtCwd, next, false)
		switch {
		case err == nil && st.Mode.IsSymlink():
			if links++; links > maxLinks {
				if missing == AllMissing {
					out, gone = next, true
					continue
				}
				return "", abi.ELOOP
			}
			target, err := wsys.Readlink(wsys.AtCwd, next)
			if err != nil {
				return "", err
			}
			if target != "" && target[0] == '/' {
				out = ""
			}
			if path != "" || slash {
				target += "/" + path
			}
			path = target
			continue
		case err == nil && !st.Mode.IsDir() && (path != "" || slash):
			if missing != AllMissing {
				return "", abi.ENOTDIR
			}
			gone = true
		case err != nil:
			if missing != AllMissing && (path != "" || err != abi.ENOENT) {
				return "", err
			}
			gone = true
		}
		out = next
	}
	if out == "" {
		out = "/"
	}
	return out, nil
}

// Relative returns path as seen from the directory dir. Both are canonical.
func Relative(path, dir string) string {
	n := 0 // length of the common leading directories
	for i := 0; ; i++ {
		pe, de := i == len(path) || path[i] == '/', i == len(dir) || dir[i] == '/'
		if pe && de {
			n = i
		}
		if i == len(path) || i == len(dir) || path[i] != dir[i] {
			break
		}
	}
	up := 0
	rest := dir[n:]
	for i := 0; i < len(rest); i++ {
		if rest[i] != '/' && (i == 0 || rest[i-1] == '/') {
			up++
		}
	}
	out := make([]byte, 0, len(path)+3*up)
	for ; up > 0; up-- {
		out = append(out, "../"...)
	}
	rest = path[n:]
	if rest != "" && rest[0] == '/' {
		rest = rest[1:]
	}
	if out = append(out, rest...); len(out) == 0 {
		return "."
	}
	if out[len(out)-1] == '/' {
		out = out[:len(out)-1]
	}
	return string(out)
}

// Within reports whether the canonical path is dir or below it.
func Within(path, dir string) bool {
	return dir == "/" || len(path) >= len(dir) && path[:len(dir)] == dir && (len(path) == len(dir) || path[len(dir)] == '/')
}
