// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package grep

import (
	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/guests/src/fswalk"
	"github.com/wsandbox/wsandbox/guests/src/wsys"
)

// operand searches a file named on the command line and reports whether to stop.
func (g *grep) operand(name string) bool {
	if name == "-" {
		return g.search(g.p.Stdin.FD, g.label, false)
	}
	if g.dirs == dirRecurse {
		return g.tree(name, false)
	}
	if g.files.skip(name, true) {
		return false
	}
	if g.devicesSkip || g.dirs == dirSkip || len(g.dirRule) > 0 {
		if st, err := wsys.StatAt(wsys.AtCwd, name, true); err == nil {
			if st.Mode.IsDir() && (g.dirs == dirSkip || g.dirRule.skip(name, true)) || g.devicesSkip && device(st.Mode) {
				return false
			}
		}
	}
	return g.file(wsys.AtCwd, name, name, false)
}

func device(m abi.Mode) bool {
	switch m & abi.ModeFmt {
	case abi.ModeChar, abi.ModeBlock, abi.ModeFIFO, abi.ModeSocket:
		return true
	}
	return false
}

// file opens and searches a file.
func (g *grep) file(dir wsys.FD, name, shown string, regular bool) bool {
	fd, err := wsys.Open(dir, name, abi.ORdonly|abi.OCloexec, 0)
	if err != nil {
		g.fileError(shown, err)
		return false
	}
	stop := g.search(fd, shown, regular)
	wsys.Close(fd)
	return stop
}

// tree searches the files below root. Where it was not named, the names go
// without "./".
func (g *grep) tree(root string, implied bool) bool {
	w := fswalk.Walker{Follow: fswalk.FollowRoots}
	if g.follow {
		w.Follow = fswalk.FollowAll
	}
	defer w.Close()
	w.Start(root)
	var path []byte
	for e := w.Next(); e != nil; e = w.Next() {
		operand := e.Depth == 0
		name := e.Name
		shown := func() string {
			path = e.AppendPath(path[:0])
			s := path
			if implied && len(s) > 2 && s[0] == '.' && s[1] == '/' {
				s = s[2:]
			}
			return string(s)
		}
		switch e.Kind {
		case fswalk.Dir:
			if !(implied && operand) && g.dirRule.skip(trimSlashes(name), operand) {
				w.Skip()
			}
		case fswalk.Cycle:
			if !g.suppress {
				g.p.Warn("warning: ", shown(), ": recursive directory loop")
			}
		case fswalk.Unreadable, fswalk.Missing:
			g.fileError(shown(), e.Err)
		case fswalk.File:
			if g.files.skip(name, operand) {
				continue
			}
			if e.Mode.IsSymlink() && !g.follow && !operand {
				continue
			}
			if device(e.Mode) && (g.devicesSkip || !operand && !g.devicesRead) {
				continue
			}
			if g.file(e.Dir, name, shown(), e.Mode.IsRegular()) {
				return true
			}
		}
	}
	return false
}

func trimSlashes(s string) string {
	for len(s) > 1 && s[len(s)-1] == '/' {
		s = s[:len(s)-1]
	}
	return s
}
