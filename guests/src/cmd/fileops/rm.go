// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package fileops

import (
	"strconv"

	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/guests/src/cmdkit"
	"github.com/wsandbox/wsandbox/guests/src/filemode"
	"github.com/wsandbox/wsandbox/guests/src/fswalk"
	"github.com/wsandbox/wsandbox/guests/src/wsys"
)

var rmSyntax = cmdkit.Syntax{
	Short: "dfirvIR",
	Hint:  leadingHyphen,
	Long: []cmdkit.Long{{Name: "force", Val: 'f'}, {Name: "interactive", Arg: cmdkit.OptionalArg, Val: 256},
		{Name: "one-file-system", Val: 257}, {Name: "no-preserve-root", Val: 258}, {Name: "preserve-root", Arg: cmdkit.OptionalArg, Val: 259},
		{Name: "recursive", Val: 'r'}, {Name: "dir", Val: 'd'}, {Name: "verbose", Val: 'v'}},
	Usage: []string{"[OPTION]... [FILE]..."},
	Help: `Remove the files.

  -f, --force           ignore missing files, never ask
  -i                    ask before every removal
  -I                    ask once before removing more than three files, or trees
      --interactive[=WHEN]  never, once (-I) or always (-i)
      --one-file-system     leave out directories on other file systems
      --no-preserve-root    do not treat '/' specially
      --preserve-root       do not remove '/' (default)
  -r, -R, --recursive   remove directories and what is in them
  -d, --dir             remove empty directories
  -v, --verbose         tell what is done
`,
}

// leadingHyphen tells how to remove a file whose name looks like an option.
func leadingHyphen(p *cmdkit.Proc) {
	for _, a := range p.Args {
		if len(a) < 2 || a[0] != '-' {
			continue
		}
		if _, err := wsys.StatAt(cwd, a, false); err == nil {
			p.Stderr.WriteString("Try '" + p.Name + " ./" + cmdkit.QuoteArg(a) + "' to remove the file " + cmdkit.QuoteAF(a) + ".\n")
			return
		}
	}
}

type remover struct {
	p                                *cmdkit.Proc
	force, recursive, dir, verbose   bool
	always, never, oneDev, promptTTY bool
	preserveRoot                     bool
	walk                             fswalk.Walker
	status                           int
}

// Rm removes files and trees.
func Rm(p *cmdkit.Proc) int {
	r := remover{p: p, preserveRoot: true}
	once := false
	g := p.Options(&rmSyntax)
	for g.Next() {
		switch g.Opt {
		case 'f':
			r.force, r.always, once = true, false, false
		case 'i':
			r.force, r.always, once = false, true, false
		case 'I':
			r.force, r.always, once = false, false, true
		case 256:
			v := 2
			if g.HasArg {
				var ok bool
				if v, ok = p.Choice("--interactive", g.Arg, []string{"never", "no", "none", "once", "always", "yes"}, []int{0, 0, 0, 1, 2, 2}); !ok {
					return p.TryHelp(1)
				}
			}
			r.always, once = v == 2, v == 1
			if v != 0 {
				r.force = false
			}
			r.never = v == 0
		case 257:
			r.oneDev = true
		case 258:
			r.preserveRoot = false
		case 'r', 'R':
			r.recursive = true
		case 'd':
			r.dir = true
		case 'v':
			r.verbose = true
		}
	}
	if g.Stop {
		return g.Status
	}
	if len(g.Operands) == 0 {
		if r.force {
			return 0
		}
		return p.MissingOperand(1)
	}
	if n := len(g.Operands); once && (r.recursive || n > 3) {
		what := " argument"
		if n > 1 {
			what += "s"
		}
		if r.recursive {
			what += " recursively"
		}
		if !ask(p, "remove ", strconv.Itoa(n), what, "? ") {
			return 0
		}
	}
	r.promptTTY = !r.force && !r.never && wsys.Isatty(p.Stdin.FD)
	r.walk.OneDev = r.oneDev
	var root *abi.Stat
	if r.recursive && r.preserveRoot {
		if st, err := wsys.StatAt(cwd, "/", false); err == nil {
			root = &st
		}
	}
	for _, f := range g.Operands {
		if r.recursive && lastDot(f) {
			r.status = p.Warn("refusing to remove '.' or '..' directory: skipping ", cmdkit.QuoteAF(f))
			continue
		}
		if root != nil {
			if st, err := wsys.StatAt(cwd, f, false); err == nil && same(&st, root) {
				name := cmdkit.QuoteAF(f)
				if f == "/" {
					p.Warn("it is dangerous to operate recursively on ", name)
				} else {
					p.Warn("it is dangerous to operate recursively on ", name, " (same as ", cmdkit.QuoteAF("/"), ")")
				}
				r.status = p.Warn("use --no-preserve-root to override this failsafe")
				continue
			}
		}
		r.remove(f)
	}
	return r.status
}

// remove removes one operand.
func (r *remover) remove(name string) {
	if !r.recursive && !r.always && !r.promptTTY {
		// The common case in one call.
		err := wsys.Unlink(cwd, name)
		if err == nil {
			r.said("removed ", name)
			return
		}
		if (err == abi.ENOENT || err == abi.ENOTDIR) && r.force {
			return
		}
		st, serr := wsys.StatAt(cwd, name, false)
		if serr == nil && st.Mode.IsDir() {
			r.plainDir(name)
			return
		}
		r.status = r.p.Errno(err, "cannot remove ", cmdkit.QuoteAF(name))
		return
	}
	r.walk.Start(name)
	for e := r.walk.Next(); e != nil; e = r.walk.Next() {
		switch e.Kind {
		case fswalk.Missing:
			if !r.force || e.Err != abi.ENOENT && e.Err != abi.ENOTDIR {
				r.status = r.p.Errno(e.Err, "cannot remove ", cmdkit.QuoteAF(e.Path()))
			}
		case fswalk.File:
			r.file(e)
		case fswalk.Dir:
			r.enter(e)
		case fswalk.Unreadable:
			// An empty directory that cannot be read can still be removed.
			if err := wsys.Rmdir(e.Dir, e.Name); err == nil {
				r.said("removed directory ", e.Path())
			} else {
				r.status = r.p.Errno(e.Err, "cannot remove ", cmdkit.QuoteAF(e.Path()))
			}
			r.walk.Next() // its Post
		case fswalk.Post:
			r.leave(e)
		}
	}
}

func (r *remover) said(what, path string) {
	if r.verbose {
		say(r.p, what, cmdkit.QuoteAF(path))
	}
}

func (r *remover) plainDir(name string) {
	if !r.dir {
		r.status = r.p.Errno(abi.EISDIR, "cannot remove ", cmdkit.QuoteAF(name))
	} else if err := wsys.Rmdir(cwd, name); err != nil {
		r.status = r.p.Errno(err, "cannot remove ", cmdkit.QuoteAF(name))
	} else {
		r.said("removed directory ", name)
	}
}

// asks reports whether removing needs a confirmation: always with -i, and at a
// terminal for files that are write protected.
func (r *remover) asks(e *fswalk.Entry) (protected, asks bool) {
	if r.force || r.never {
		return false, false
	}
	if (r.always || r.promptTTY) && !e.Mode.IsSymlink() {
		protected = wsys.Access(e.Dir, e.Name, abi.AccessWrite) != nil
	}
	return protected, r.always || protected
}

func (r *remover) file(e *fswalk.Entry) {
	if protected, asks := r.asks(e); asks {
		kind := "remove "
		if protected {
			kind = "remove write-protected "
		}
		st, _ := e.Stat()
		if !ask(r.p, kind, filemode.TypeName(st.Mode, st.Size), " ", cmdkit.QuoteAF(e.Path()), "? ") {
			return
		}
	}
	if err := wsys.Unlink(e.Dir, e.Name); err != nil {
		if err == abi.ENOENT && r.force {
			return
		}
		r.status = r.p.Errno(err, "cannot remove ", cmdkit.QuoteAF(e.Path()))
		return
	}
	r.said("removed ", e.Path())
}

func (r *remover) enter(e *fswalk.Entry) {
	if !r.recursive {
		r.walk.Skip()
		if !r.dir {
			r.status = r.p.Errno(abi.EISDIR, "cannot remove ", cmdkit.QuoteAF(e.Path()))
			return
		}
		if _, asks := r.asks(e); !asks || ask(r.p, "remove directory ", cmdkit.QuoteAF(e.Path()), "? ") {
			r.leaveNow(e)
		}
		return
	}
	if !e.Entered() {
		r.status = r.p.Warn("skipping ", cmdkit.QuoteAF(e.Path()), ", since it's on a different device")
		return
	}
	protected, asks := r.asks(e)
	if !asks {
		return
	}
	kind := "descend into directory "
	if protected {
		kind = "descend into write-protected directory "
	}
	if empty(e) {
		r.walk.Skip()
		kind = "remove directory "
		if protected {
			kind = "remove write-protected directory "
		}
		if ask(r.p, kind, cmdkit.QuoteAF(e.Path()), "? ") {
			r.leaveNow(e)
		}
		return
	}
	if !ask(r.p, kind, cmdkit.QuoteAF(e.Path()), "? ") {
		r.walk.Skip()
	}
}

// empty reports whether a directory has no entries.
func empty(e *fswalk.Entry) bool {
	fd, err := wsys.Open(e.Dir, e.Name, abi.ORdonly|abi.ODirectory|abi.ONofollow|abi.OCloexec, 0)
	if err != nil {
		return false
	}
	defer wsys.Close(fd)
	l, err := wsys.ReadDir(fd, nil, 0, false)
	return err == nil && len(l) <= 2
}

func (r *remover) leave(e *fswalk.Entry) {
	if _, asks := r.asks(e); asks && !ask(r.p, "remove directory ", cmdkit.QuoteAF(e.Path()), "? ") {
		return
	}
	r.leaveNow(e)
}

func (r *remover) leaveNow(e *fswalk.Entry) {
	if err := wsys.Rmdir(e.Dir, e.Name); err != nil {
		if err == abi.ENOENT && r.force {
			return
		}
		if err == abi.ENOTEMPTY && r.status != 0 {
			return // why something stayed inside has been said
		}
		r.status = r.p.Errno(err, "cannot remove ", cmdkit.QuoteAF(e.Path()))
		return
	}
	r.said("removed directory ", e.Path())
}
