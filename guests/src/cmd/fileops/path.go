// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package fileops

import (
	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/guests/src/cmdkit"
	"github.com/wsandbox/wsandbox/guests/src/wsys"
)

const cwd = wsys.AtCwd

// join returns dir/name.
func join(dir, name string) string {
	if dir == "" || dir[len(dir)-1] == '/' {
		return dir + name
	}
	return dir + "/" + name
}

// trimSlashes removes slashes at the end, but not all of a name.
func trimSlashes(s string) string {
	for len(s) > 1 && s[len(s)-1] == '/' {
		s = s[:len(s)-1]
	}
	return s
}

// dirName returns what is before the last element of a path, or ".".
func dirName(path string) string {
	path = trimSlashes(path)
	i := len(path) - 1
	for i >= 0 && path[i] != '/' {
		i--
	}
	if i < 0 {
		return "."
	}
	return trimSlashes(path[:i+1])
}

// lastDot reports whether the last element of a path is "." or "..".
func lastDot(path string) bool {
	b := cmdkit.Base(path)
	return b == "." || b == ".."
}

// isDir reports whether path leads to a directory.
func isDir(path string) bool {
	st, err := wsys.StatAt(cwd, path, true)
	return err == nil && st.Mode.IsDir()
}

// same reports whether two stats are of one file.
func same(a, b *abi.Stat) bool { return a.Dev == b.Dev && a.Ino == b.Ino }

// umask returns the file mode creation mask.
func umask() abi.Mode { return abi.Mode(wsys.Umask(-1)) }

// yes reads an answer from standard input and reports whether it is affirmative.
func yes(p *cmdkit.Proc) bool {
	line, ok := p.Stdin.Line('\n')
	return ok && len(line) > 0 && (line[0] == 'y' || line[0] == 'Y')
}

// ask writes a question to standard error and reports whether the answer is
// affirmative.
func ask(p *cmdkit.Proc, parts ...string) bool {
	p.Stdout.Flush()
	s := p.Name + ": "
	for _, part := range parts {
		s += part
	}
	p.Stderr.WriteString(s)
	return yes(p)
}

// say writes a line of a verbose mode.
func say(p *cmdkit.Proc, parts ...string) {
	for _, s := range parts {
		p.Stdout.WriteString(s)
	}
	p.Stdout.WriteByte('\n')
}
