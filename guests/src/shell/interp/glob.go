// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package interp

import (
	"slices"
	"strings"

	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/guests/src/shell/pattern"
	"github.com/wsandbox/wsandbox/guests/src/wsys"
)

// maxGlob bounds the names one pattern may expand to.
const maxGlob = 1 << 20

// globber expands one pattern.
type globber struct {
	sh    *Shell
	flags pattern.Flags
	out   []string
	fail  bool
	steps int
	ign   string // GLOBIGNORE
}

// glob appends the sorted names that match pat, or what stands for no match.
//
// POSIX: XCU 2.6.6 Pathname Expansion.
func (sh *Shell) glob(out []string, pat, raw string) []string {
	g := globber{sh: sh, flags: sh.patFlags()}
	if sh.shopt.nocaseglob {
		g.flags |= pattern.NoCase
	}
	parts := splitPath(pat)
	dir := ""
	for len(parts) > 0 && parts[0] == "" {
		dir += "/"
		parts = parts[1:]
	}
	g.ign, _ = sh.get(sh.rt.id.globignore)
	g.walk(dir, parts, 0)
	if g.fail {
		return out
	}
	if g.ign != "" {
		g.ignore(g.ign)
	}
	if len(g.out) == 0 {
		switch {
		case sh.shopt.failglob:
			sh.expandError("no match: " + raw)
			return out
		case sh.shopt.nullglob:
			return out
		}
		return append(out, raw)
	}
	slices.Sort(g.out)
	if sh.shopt.globstar {
		g.out = slices.Compact(g.out)
	}
	return append(out, g.out...)
}

// splitPath splits a pattern at slashes; runs of slashes give empty parts.
func splitPath(pat string) []string {
	var parts []string
	start := 0
	for i := 0; i < len(pat); i++ {
		switch pat[i] {
		case '\\':
			i++
		case '/':
			parts = append(parts, pat[start:i])
			start = i + 1
		}
	}
	return append(parts, pat[start:])
}

func (g *globber) tooMany() bool {
	g.steps++
	if g.steps&255 == 0 && g.sh.interrupted() {
		g.fail = true
	}
	if len(g.out) > maxGlob && !g.fail {
		g.fail = true
		g.sh.expandError("pathname expansion: too many matches")
	}
	return g.fail
}

// walk matches the rest of the pattern below dir, which is a path with its
// slash or empty.
func (g *globber) walk(dir string, parts []string, depth int) {
	if g.tooMany() || depth > 256 {
		return
	}
	// Literal parts need no directory to be read.
	for len(parts) > 1 && (parts[0] == "" || !pattern.HasMeta(parts[0], g.flags)) {
		dir += pattern.Unescape(parts[0]) + "/"
		parts = parts[1:]
	}
	p := parts[0]
	if len(parts) == 1 && (p == "" || !pattern.HasMeta(p, g.flags)) {
		name := dir + pattern.Unescape(p)
		if p == "" {
			if st, err := g.sh.stat(strings.TrimRight(dir, "/")+"/", true); err == nil && st.Mode.IsDir() {
				g.out = append(g.out, name)
			}
			return
		}
		if _, err := g.sh.stat(name, false); err == nil {
			g.out = append(g.out, name)
		}
		return
	}
	if p == "**" && g.sh.shopt.globstar {
		g.deep(dir, parts[1:], depth)
		return
	}
	pt := g.sh.rt.pattern(p, g.flags)
	dots := g.sh.shopt.dotglob || g.ign != ""
	explicit := pt.StartsWithDot()
	more := len(parts) > 1
	for _, e := range g.read(dir) {
		if g.tooMany() {
			return
		}
		name := e.Name
		if name[0] == '.' && (name == "." || name == "..") && !explicit || name[0] == '.' && !dots && !explicit {
			continue
		}
		if (name == "." || name == "..") && (dots || g.ign != "" || g.sh.shopt.globskipdots) {
			continue
		}
		if !pt.Match(name) {
			continue
		}
		if !more {
			g.out = append(g.out, dir+name)
			continue
		}
		if t := e.Mode & abi.ModeFmt; t != abi.ModeDir && t != abi.ModeSymlink && t != 0 {
			continue
		}
		g.walk(dir+name+"/", parts[1:], depth+1)
	}
}

// deep matches ** : this directory and all below, without following links.
func (g *globber) deep(dir string, rest []string, depth int) {
	if depth > 256 {
		return
	}
	for len(rest) > 0 && rest[0] == "**" {
		rest = rest[1:]
	}
	if len(rest) == 0 {
		if dir != "" && depth == 0 {
			g.out = append(g.out, dir)
		}
	} else {
		g.walk(dir, rest, depth+1)
	}
	for _, e := range g.read(dir) {
		if g.tooMany() {
			return
		}
		if e.Name == "." || e.Name == ".." || e.Name[0] == '.' && !g.sh.shopt.dotglob {
			continue
		}
		isDir := e.Mode&abi.ModeFmt == abi.ModeDir
		if len(rest) == 0 {
			g.out = append(g.out, dir+e.Name)
		}
		if isDir {
			g.deepBelow(dir+e.Name+"/", rest, depth+1)
		}
	}
}

func (g *globber) deepBelow(dir string, rest []string, depth int) {
	if len(rest) == 1 && rest[0] == "" {
		g.out = append(g.out, dir)
		g.deepDirs(dir, depth)
		return
	}
	g.deep(dir, rest, depth)
}

// deepDirs adds the directories below dir for a pattern that ends in **/.
func (g *globber) deepDirs(dir string, depth int) {
	if depth > 256 {
		return
	}
	for _, e := range g.read(dir) {
		if g.tooMany() {
			return
		}
		if e.Name != "." && e.Name != ".." && (e.Name[0] != '.' || g.sh.shopt.dotglob) && e.Mode&abi.ModeFmt == abi.ModeDir {
			g.out = append(g.out, dir+e.Name+"/")
			g.deepDirs(dir+e.Name+"/", depth+1)
		}
	}
}

// read lists a directory; one that cannot be read is empty.
func (g *globber) read(dir string) []wsys.Dirent {
	if dir == "" {
		dir = "."
	}
	fd, err := wsys.Open(wsys.AtCwd, g.sh.path(dir), abi.ORdonly|abi.ODirectory|abi.OCloexec, 0)
	if err != nil {
		return nil
	}
	defer wsys.Close(fd)
	var l []wsys.Dirent
	cookie := uint64(0)
	for {
		n := len(l)
		l, err = wsys.ReadDir(fd, l, cookie, false)
		if err != nil || len(l) == n || len(l) > maxGlob*4 {
			return l
		}
		cookie = l[len(l)-1].Cookie
	}
}

func (g *globber) ignore(pats string) {
	var keep []string
	for _, s := range g.out {
		hit := false
		for _, p := range splitColons(pats) {
			// A slash is matched by a slash only.
			if p != "" && strings.Count(p, "/") == strings.Count(s, "/") {
				hit = hit || pattern.Match(p, s, g.flags)
			}
		}
		if !hit {
			keep = append(keep, s)
		}
	}
	g.out = keep
}

// splitColons splits a list of patterns at the colons outside brackets.
func splitColons(s string) []string {
	var l []string
	start := 0
	for i := 0; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case '[':
			if e := strings.IndexByte(s[i+1:], ']'); e >= 0 {
				if k := strings.Index(s[i:], ":]]"); k >= 0 && strings.Contains(s[i:i+k], "[:") {
					e = k + 1
				}
				i += e
			}
		case ':':
			l = append(l, s[start:i])
			start = i + 1
		}
	}
	return append(l, s[start:])
}
