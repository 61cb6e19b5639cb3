// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package fileops

import (
	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/guests/src/cmdkit"
	"github.com/wsandbox/wsandbox/guests/src/fswalk"
	"github.com/wsandbox/wsandbox/guests/src/wsys"
)

var mvSyntax = cmdkit.Syntax{
	Short: "bfint:uvS:TZ",
	Long: []cmdkit.Long{{Name: "backup", Arg: cmdkit.OptionalArg, Val: 'b'}, {Name: "context", Val: 'Z'}, {Name: "force", Val: 'f'},
		{Name: "interactive", Val: 'i'}, {Name: "no-clobber", Val: 'n'}, {Name: "no-target-directory", Val: 'T'},
		{Name: "strip-trailing-slashes", Val: 256}, {Name: "suffix", Arg: cmdkit.RequiredArg, Val: 'S'},
		{Name: "target-directory", Arg: cmdkit.RequiredArg, Val: 't'}, {Name: "update", Val: 'u'}, {Name: "verbose", Val: 'v'}},
	Usage: []string{"[OPTION]... [-T] SOURCE DEST", "[OPTION]... SOURCE... DIRECTORY", "[OPTION]... -t DIRECTORY SOURCE..."},
	Help: `Rename SOURCE to DEST, or move several to DIRECTORY.

  -b, --backup[=CONTROL]   keep a backup of each existing destination file
  -f, --force              do not ask before overwriting
  -i, --interactive        ask before overwriting
  -n, --no-clobber         do not overwrite a file
                           (of -f, -i, -n only the last counts)
      --strip-trailing-slashes  remove slashes at the end of SOURCE
  -S, --suffix=SUFFIX      the suffix of backups
  -t, --target-directory=DIRECTORY  move into DIRECTORY
  -T, --no-target-directory  treat DEST as a file
  -u, --update             move only what is newer than the destination
  -v, --verbose            tell what is done
`,
}

type mover struct {
	p                                              *cmdkit.Proc
	backup                                         backups
	force, interactive, noClobber, update, verbose bool
	tty                                            bool
	moved                                          map[fileID]bool
}

// Mv moves files.
func Mv(p *cmdkit.Proc) int {
	m := &mover{p: p}
	var bo backupOptions
	var to targets
	strip := false
	g := p.Options(&mvSyntax)
	for g.Next() {
		switch g.Opt {
		case 'b', 'S':
			bo.set(g)
		case 'f':
			m.force, m.interactive, m.noClobber = true, false, false
		case 'i':
			m.force, m.interactive, m.noClobber = false, true, false
		case 'n':
			m.force, m.interactive, m.noClobber = false, false, true
		case 't', 'T':
			to.set(g)
		case 'u':
			m.update = true
		case 'v':
			m.verbose = true
		case 256:
			strip = true
		}
	}
	if g.Stop {
		return g.Status
	}
	if bo.wanted && m.noClobber {
		return p.UsageError(1, "options --backup and --no-clobber are mutually exclusive")
	}
	var ok bool
	if m.backup, ok = bo.resolve(p); !ok {
		return p.TryHelp(1)
	}
	// The common case, a plain rename to a new name, needs no questions first.
	if len(g.Operands) == 2 && !to.dirGiven && !m.verbose && !strip && g.Operands[1] != "" {
		if _, err := wsys.StatAt(cwd, g.Operands[1], false); err == abi.ENOENT {
			if wsys.Rename(cwd, g.Operands[0], cwd, g.Operands[1]) == nil {
				return 0
			}
		}
	}
	if !to.resolve(p, g.Operands) {
		return 1
	}
	if len(to.files) > 1 {
		m.moved = map[fileID]bool{}
	}
	m.tty = !m.force && wsys.Isatty(p.Stdin.FD)
	st := 0
	for _, src := range to.files {
		if strip {
			src = trimSlashes(src)
		}
		dst := to.dest
		if to.dir != "" {
			dst = to.name(src)
		}
		if !m.move(src, dst) {
			st = 1
		}
	}
	return st
}

func (m *mover) move(src, dst string) bool {
	p := m.p
	s, err := wsys.StatAt(cwd, src, false)
	if err != nil {
		p.Errno(err, "cannot stat ", cmdkit.QuoteAF(src))
		return false
	}
	bak := ""
	d, err := wsys.StatAt(cwd, dst, false)
	exists := err == nil
	if exists {
		if same(&s, &d) {
			if m.backup.kind == backupNone || sameName(src, dst) {
				if s.Mode.IsDir() && !sameName(src, dst) {
					p.Warn("cannot move ", cmdkit.QuoteAF(src), " to a subdirectory of itself, ", cmdkit.QuoteAF(dst))
					return false
				}
				p.Warn(cmdkit.QuoteAF(src), " and ", cmdkit.QuoteAF(dst), " are the same file")
				return false
			}
		}
		if s.Mode.IsSymlink() || d.Mode.IsSymlink() {
			// Moving a file onto a link to it, or a link onto its file.
			a, err1 := wsys.StatAt(cwd, src, true)
			b, err2 := wsys.StatAt(cwd, dst, true)
			if err1 == nil && err2 == nil && same(&a, &b) && s.Mode.IsSymlink() && !d.Mode.IsSymlink() && m.backup.kind == backupNone {
				p.Warn(cmdkit.QuoteAF(src), " and ", cmdkit.QuoteAF(dst), " are the same file")
				return false
			}
		}
		switch {
		case m.noClobber:
			return true
		case m.update && d.Mtim >= s.Mtim && !d.Mode.IsDir():
			return true
		case s.Mode.IsDir() && !d.Mode.IsDir():
			p.Warn("cannot overwrite non-directory ", cmdkit.QuoteAF(dst), " with directory ", cmdkit.QuoteAF(src))
			return false
		case !s.Mode.IsDir() && d.Mode.IsDir() && m.backup.kind == backupNone:
			p.Warn("cannot overwrite directory ", cmdkit.QuoteAF(dst), " with non-directory")
			return false
		case m.moved[idOf(&d)]:
			p.Warn("will not overwrite just-created ", cmdkit.QuoteAF(dst), " with ", cmdkit.QuoteAF(src))
			return false
		}
		if m.interactive || m.tty {
			locked := !d.Mode.IsSymlink() && wsys.Access(cwd, dst, abi.AccessWrite) != nil
			switch {
			case locked:
				if !ask(p, modeQuestion(&d, "replace ", "? ", dst)) {
					return true
				}
			case m.interactive && !ask(p, "overwrite ", cmdkit.QuoteAF(dst), "? "):
				return true
			}
		}
		if m.backup.kind != backupNone {
			bak = m.backup.name(dst)
			if err := wsys.Rename(cwd, dst, cwd, bak); err != nil {
				p.Errno(err, "cannot backup ", cmdkit.QuoteAF(dst))
				return false
			}
		}
	}
	switch err := wsys.Rename(cwd, src, cwd, dst); err {
	case nil:
		if m.moved != nil {
			m.moved[idOf(&s)] = true
		}
		m.said(src, dst, bak)
		return true
	case abi.EXDEV:
		return m.across(src, dst, &s, exists && bak == "")
	case abi.EINVAL:
		if s.Mode.IsDir() {
			p.Warn("cannot move ", cmdkit.QuoteAF(src), " to a subdirectory of itself, ", cmdkit.QuoteAF(dst))
			return false
		}
		fallthrough
	default:
		p.Errno(err, "cannot move ", cmdkit.QuoteAF(src), " to ", cmdkit.QuoteAF(dst))
		return false
	}
}

func (m *mover) said(src, dst, backup string) {
	if !m.verbose {
		return
	}
	b := ""
	if backup != "" {
		b = " (backup: " + cmdkit.QuoteAF(backup) + ")"
	}
	say(m.p, "renamed ", cmdkit.QuoteAF(src), " -> ", cmdkit.QuoteAF(dst), b)
}

// across moves to another file system: it copies everything, then removes the
// source where that succeeded.
func (m *mover) across(src, dst string, st *abi.Stat, exists bool) bool {
	p := m.p
	if exists {
		var err error
		if st.Mode.IsDir() {
			err = wsys.Rmdir(cwd, dst)
		} else {
			err = wsys.Unlink(cwd, dst)
		}
		if err != nil {
			p.Errno(err, "inter-device move failed: ", cmdkit.QuoteAF(src), " to ", cmdkit.QuoteAF(dst), "; unable to remove target")
			return false
		}
	}
	c := &copier{p: p, recursive: true, follow: fswalk.FollowNone, moving: true, verbose: m.verbose,
		keepMode: true, keepOwner: true, keepTimes: true, keepLinks: true}
	if !c.tree(src, dst) {
		return false
	}
	r := remover{p: p, force: true, never: true, recursive: true, verbose: m.verbose}
	r.remove(src)
	return r.status == 0
}
