// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package fileops

import (
	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/guests/src/cmdkit"
	"github.com/wsandbox/wsandbox/guests/src/filemode"
	"github.com/wsandbox/wsandbox/guests/src/fswalk"
	"github.com/wsandbox/wsandbox/guests/src/wsys"
)

var chmodSyntax = cmdkit.Syntax{
	Short: "Rcfvr::w::x::X::s::t::u::g::o::a::,::+::=::0::1::2::3::4::5::6::7::",
	Long: []cmdkit.Long{{Name: "changes", Val: 'c'}, {Name: "recursive", Val: 'R'}, {Name: "no-preserve-root", Val: 256},
		{Name: "preserve-root", Val: 257}, {Name: "quiet", Val: 'f'}, {Name: "reference", Arg: cmdkit.RequiredArg, Val: 258},
		{Name: "silent", Val: 'f'}, {Name: "verbose", Val: 'v'}},
	Usage: []string{"[OPTION]... MODE[,MODE]... FILE...", "[OPTION]... OCTAL-MODE FILE...", "[OPTION]... --reference=RFILE FILE..."},
	Help: `Change the mode of each FILE to MODE, or to that of RFILE.

  -c, --changes          tell about each change
  -f, --silent, --quiet  suppress most error messages
  -v, --verbose          tell about each file
      --no-preserve-root  do not treat '/' specially (default)
      --preserve-root    do not work recursively on '/'
      --reference=RFILE  use RFILE's mode
  -R, --recursive        change directories and what is in them

Each MODE is of the form '[ugoa]*([-+=]([rwxXst]*|[ugo]))+|[-+=][0-7]+'.
`,
}

type moder struct {
	p                       *cmdkit.Proc
	changes                 filemode.Changes
	umask                   abi.Mode
	quiet, verbose, changed bool
	surprise                bool // the mode was given like an option
	status                  int
}

// Chmod changes permission bits.
func Chmod(p *cmdkit.Proc) int {
	m := &moder{p: p, umask: umask()}
	recursive, preserveRoot, ref, hasRef := false, false, "", false
	var mode []byte
	hasMode := false
	g := p.Options(&chmodSyntax)
	for g.Next() {
		switch g.Opt {
		case 'R':
			recursive = true
		case 'c':
			m.changed = true
		case 'f':
			m.quiet = true
		case 'v':
			m.verbose = true
		case 256, 257:
			preserveRoot = g.Opt == 257
		case 258:
			ref, hasRef = g.Arg, true
		default:
			// A mode such as -x or -rwx looks like options.
			if hasMode {
				mode = append(mode, ',')
			}
			mode = append(mode, '-', byte(g.Opt))
			mode = append(mode, g.Arg...)
			hasMode, m.surprise = true, true
		}
	}
	if g.Stop {
		return g.Status
	}
	files := g.Operands
	if hasRef {
		if hasMode {
			return p.UsageError(1, "cannot combine mode and --reference options")
		}
	} else if !hasMode {
		if len(files) > 0 {
			mode, files = []byte(files[0]), files[1:]
			hasMode = true
		}
	}
	if len(files) == 0 {
		if hasMode && !m.surprise {
			return p.MissingOperand(1, string(mode))
		}
		return p.MissingOperand(1)
	}
	if hasRef {
		st, err := wsys.StatAt(cwd, ref, true)
		if err != nil {
			return p.Errno(err, "failed to get attributes of ", cmdkit.QuoteAF(ref))
		}
		m.changes, _ = filemode.Parse(string(filemode.AppendOctal(nil, st.Mode&abi.ModeAll, 5)))
	} else {
		var ok bool
		if m.changes, ok = filemode.Parse(string(mode)); !ok {
			return p.UsageError(1, "invalid mode: ", cmdkit.Quote(string(mode)))
		}
	}
	w := fswalk.Walker{Stat: true}
	for _, f := range files {
		if recursive && preserveRoot && isRoot(f) {
			p.Warn("it is dangerous to operate recursively on ", cmdkit.QuoteAF("/"))
			p.Warn("use --no-preserve-root to override this failsafe")
			m.status = 1
			continue
		}
		if !recursive {
			m.change(wsys.AtCwd, f, f, nil)
			continue
		}
		w.Follow = fswalk.FollowRoots
		w.Start(f)
		for e := w.Next(); e != nil; e = w.Next() {
			switch e.Kind {
			case fswalk.Missing:
				m.missing(e.Err, e.Path())
			case fswalk.Unreadable:
				if !m.quiet {
					p.Errno(e.Err, "cannot read directory ", cmdkit.QuoteAF(e.Path()))
				}
				m.status = 1
			case fswalk.File, fswalk.Dir:
				if e.Mode.IsSymlink() && e.Depth > 0 {
					continue
				}
				m.change(e.Dir, e.Name, e.Path(), e)
			}
		}
	}
	return m.status
}

func isRoot(path string) bool {
	a, err1 := wsys.StatAt(cwd, path, true)
	b, err2 := wsys.StatAt(cwd, "/", true)
	return err1 == nil && err2 == nil && same(&a, &b)
}

func (m *moder) missing(err error, path string) {
	m.status = 1
	if m.quiet {
		return
	}
	if l, lerr := wsys.StatAt(cwd, path, false); lerr == nil && l.Mode.IsSymlink() {
		m.p.Warn("cannot operate on dangling symlink ", cmdkit.QuoteAF(path))
		return
	}
	m.p.Errno(err, "cannot access ", cmdkit.QuoteAF(path))
}

func (m *moder) change(dir wsys.FD, name, path string, e *fswalk.Entry) {
	var st abi.Stat
	var err error
	if e != nil {
		st, err = e.Stat()
	} else {
		st, err = wsys.StatAt(dir, name, true)
	}
	if err != nil {
		m.missing(err, path)
		return
	}
	if e != nil && st.Mode.IsSymlink() {
		if st, err = wsys.StatAt(dir, name, true); err != nil {
			m.missing(err, path)
			return
		}
	}
	old := st.Mode & abi.ModeAll
	mode := m.changes.Adjust(old, st.Mode.IsDir(), m.umask)
	if err := wsys.Chmod(dir, name, mode, true); err != nil {
		m.status = 1
		if !m.quiet {
			m.p.Errno(err, "changing permissions of ", cmdkit.QuoteAF(path))
		}
		if m.verbose {
			m.tell("failed to change mode of ", path, " from ", old, " to ", mode)
		}
		return
	}
	if m.verbose || m.changed && mode != old {
		if mode == old {
			say(m.p, "mode of ", cmdkit.QuoteAF(path), " retained as ", modeText(mode))
		} else {
			m.tell("mode of ", path, " changed from ", old, " to ", mode)
		}
	}
	if m.surprise {
		if naive := m.changes.Adjust(old, st.Mode.IsDir(), 0); mode&^naive != 0 {
			m.status = m.p.Warn(cmdkit.QuoteF(path), ": new permissions are ", filemode.String(mode)[1:], ", not ", filemode.String(naive)[1:])
		}
	}
}

func modeText(m abi.Mode) string {
	return string(filemode.AppendOctal(nil, m, 4)) + " (" + filemode.String(m)[1:] + ")"
}

func (m *moder) tell(what, path, from string, old abi.Mode, to string, mode abi.Mode) {
	say(m.p, what, cmdkit.QuoteAF(path), from, modeText(old), to, modeText(mode))
}
