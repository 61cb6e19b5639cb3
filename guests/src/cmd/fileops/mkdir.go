// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package fileops

import (
	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/guests/src/cmdkit"
	"github.com/wsandbox/wsandbox/guests/src/filemode"
	"github.com/wsandbox/wsandbox/guests/src/wsys"
)

var mkdirSyntax = cmdkit.Syntax{
	Short: "m:pvZ",
	Long: []cmdkit.Long{{Name: "mode", Arg: cmdkit.RequiredArg, Val: 'm'}, {Name: "parents", Val: 'p'},
		{Name: "verbose", Val: 'v'}, {Name: "context", Arg: cmdkit.OptionalArg, Val: 'Z'}},
	Usage: []string{"[OPTION]... DIRECTORY..."},
	Help: `Create the directories, if they do not exist.

  -m, --mode=MODE  set the mode as chmod does, instead of a=rwx minus umask
  -p, --parents    make missing parents too; an existing directory is no error
  -v, --verbose    tell about each created directory
`,
}

// modeArg parses the argument of -m and reports a wrong one.
func modeArg(p *cmdkit.Proc, arg string) (filemode.Changes, bool) {
	c, ok := filemode.Parse(arg)
	if !ok {
		p.Warn("invalid mode ", cmdkit.Quote(arg))
	}
	return c, ok
}

// Mkdir makes directories.
func Mkdir(p *cmdkit.Proc) int {
	g := p.Options(&mkdirSyntax)
	parents, verbose, modeGiven, mode := false, false, false, ""
	for g.Next() {
		switch g.Opt {
		case 'm':
			mode, modeGiven = g.Arg, true
		case 'p':
			parents = true
		case 'v':
			verbose = true
		}
	}
	if g.Stop {
		return g.Status
	}
	if len(g.Operands) == 0 {
		return p.MissingOperand(1)
	}
	m := abi.Mode(0o777)
	if modeGiven {
		c, ok := modeArg(p, mode)
		if !ok {
			return 1
		}
		m = c.Adjust(0o777, true, umask())
	}
	st := 0
	for _, dir := range g.Operands {
		if !makeDir(p, dir, m, modeGiven, parents, verbose) {
			st = 1
		}
	}
	return st
}

// makeDir makes one directory, with parents where asked for.
func makeDir(p *cmdkit.Proc, dir string, mode abi.Mode, exact, parents, verbose bool) bool {
	return makeDirTold(p, dir, mode, exact, parents, func(d string) {
		if verbose {
			say(p, p.Name, ": created directory ", cmdkit.QuoteAF(d))
		}
	})
}

// makeDirTold is makeDir that tells created about each directory made.
func makeDirTold(p *cmdkit.Proc, dir string, mode abi.Mode, exact, parents bool, created func(string)) bool {
	err := wsys.Mkdir(cwd, dir, mode)
	if parents && err != nil {
		if isDir(dir) {
			return true
		}
		if err == abi.ENOENT || err == abi.ENOTDIR {
			if !makeParents(p, dir, created) {
				return false
			}
			if err = wsys.Mkdir(cwd, dir, mode); err == abi.EEXIST && isDir(dir) {
				return true
			}
		}
	}
	if err != nil {
		p.Errno(err, "cannot create directory ", cmdkit.QuoteAF(dir))
		return false
	}
	created(dir)
	if exact {
		if err := wsys.Chmod(cwd, dir, mode, true); err != nil {
			p.Errno(err, "cannot set permissions of ", cmdkit.QuoteAF(dir))
			return false
		}
	}
	return true
}

// makeParents makes the missing directories above path, writable and searchable
// for their owner.
func makeParents(p *cmdkit.Proc, path string, created func(string)) bool {
	path = trimSlashes(path)
	mask := umask()
	for i := 1; i < len(path); i++ {
		if path[i] != '/' || path[i-1] == '/' {
			continue
		}
		dir := path[:i]
		switch err := wsys.Mkdir(cwd, dir, 0o777); {
		case err == nil:
			if mask&0o300 != 0 {
				wsys.Chmod(cwd, dir, 0o777&^mask|0o300, true)
			}
			created(dir)
		case isDir(dir):
		default:
			if err == abi.EEXIST {
				err = abi.ENOTDIR
			}
			p.Errno(err, "cannot create directory ", cmdkit.QuoteAF(dir))
			return false
		}
	}
	return true
}

var rmdirSyntax = cmdkit.Syntax{
	Short: "pv",
	Long: []cmdkit.Long{{Name: "ignore-fail-on-non-empty", Val: 256}, {Name: "parents", Val: 'p'}, {Name: "path", Val: 'p'},
		{Name: "verbose", Val: 'v'}},
	Usage: []string{"[OPTION]... DIRECTORY..."},
	Help: `Remove the directories, if they are empty.

      --ignore-fail-on-non-empty  say nothing where a directory is not empty
  -p, --parents  remove the parents in the name as well
  -v, --verbose  tell about each directory
`,
}

// Rmdir removes empty directories.
func Rmdir(p *cmdkit.Proc) int {
	g := p.Options(&rmdirSyntax)
	parents, verbose, ignore := false, false, false
	for g.Next() {
		switch g.Opt {
		case 'p':
			parents = true
		case 'v':
			verbose = true
		case 256:
			ignore = true
		}
	}
	if g.Stop {
		return g.Status
	}
	if len(g.Operands) == 0 {
		return p.MissingOperand(1)
	}
	st := 0
	for _, dir := range g.Operands {
		for first := true; ; first = false {
			if verbose {
				say(p, p.Name, ": removing directory, ", cmdkit.QuoteAF(dir))
			}
			if err := wsys.Rmdir(cwd, dir); err != nil {
				if ignore && (err == abi.ENOTEMPTY || err == abi.EEXIST) {
					break
				}
				what := "failed to remove "
				if !first {
					what = "failed to remove directory "
				} else if l, lerr := wsys.StatAt(cwd, trimSlashes(dir), false); err == abi.ENOTDIR && lerr == nil && l.Mode.IsSymlink() && dir[len(dir)-1] == '/' {
					if isDir(dir) {
						st = p.Warn("failed to remove ", cmdkit.QuoteAF(dir), ": Symbolic link not followed")
						break
					}
				}
				st = p.Errno(err, what, cmdkit.QuoteAF(dir))
				break
			}
			d := trimSlashes(dir)
			i := len(d) - 1
			for i >= 0 && d[i] != '/' {
				i--
			}
			if !parents || i <= 0 {
				break
			}
			if dir = trimSlashes(d[:i]); dir == "/" {
				break
			}
		}
	}
	return st
}

var mkfifoSyntax = cmdkit.Syntax{
	Short: "m:Z",
	Long:  []cmdkit.Long{{Name: "mode", Arg: cmdkit.RequiredArg, Val: 'm'}, {Name: "context", Arg: cmdkit.OptionalArg, Val: 'Z'}},
	Usage: []string{"[OPTION]... NAME..."},
	Help: `Create named pipes.

  -m, --mode=MODE  set the mode as chmod does, instead of a=rw minus umask
`,
}

// Mkfifo makes named pipes.
func Mkfifo(p *cmdkit.Proc) int {
	g := p.Options(&mkfifoSyntax)
	given, arg := false, ""
	for g.Next() {
		if g.Opt == 'm' {
			arg, given = g.Arg, true
		}
	}
	if g.Stop {
		return g.Status
	}
	if len(g.Operands) == 0 {
		return p.MissingOperand(1)
	}
	mode := abi.Mode(0o666)
	if given {
		c, ok := filemode.Parse(arg)
		if !ok {
			return p.Warn("invalid mode")
		}
		mode = c.Adjust(0o666, false, umask())
		if mode&^abi.ModePerm != 0 {
			return p.Warn("mode must specify only file permission bits")
		}
	}
	st := 0
	for _, name := range g.Operands {
		if err := wsys.Mkfifo(cwd, name, mode); err != nil {
			st = p.Errno(err, "cannot create fifo ", cmdkit.QuoteAF(name))
		} else if given {
			if err := wsys.Chmod(cwd, name, mode, true); err != nil {
				st = p.Errno(err, "cannot set permissions of ", cmdkit.QuoteAF(name))
			}
		}
	}
	return st
}

var unlinkSyntax = cmdkit.Syntax{Usage: []string{"FILE", "OPTION"}, Help: "Call the unlink function to remove FILE.\n\n"}

// Unlink removes one name.
func Unlink(p *cmdkit.Proc) int {
	g := p.Options(&unlinkSyntax)
	for g.Next() {
	}
	switch {
	case g.Stop:
		return g.Status
	case len(g.Operands) == 0:
		return p.MissingOperand(1)
	case len(g.Operands) > 1:
		return p.ExtraOperand(1, g.Operands[1])
	}
	if err := wsys.Unlink(cwd, g.Operands[0]); err != nil {
		return p.Errno(err, "cannot unlink ", cmdkit.QuoteAF(g.Operands[0]))
	}
	return 0
}

var linkSyntax = cmdkit.Syntax{Usage: []string{"FILE1 FILE2", "OPTION"}, Help: "Call the link function to create FILE2 as a link to the existing FILE1.\n\n"}

// Link makes one hard link.
func Link(p *cmdkit.Proc) int {
	g := p.Options(&linkSyntax)
	for g.Next() {
	}
	switch {
	case g.Stop:
		return g.Status
	case len(g.Operands) < 2:
		return p.MissingOperand(1, g.Operands...)
	case len(g.Operands) > 2:
		return p.ExtraOperand(1, g.Operands[2])
	}
	from, to := g.Operands[0], g.Operands[1]
	if err := wsys.Link(cwd, from, cwd, to, false); err != nil {
		return p.Errno(err, "cannot create link ", cmdkit.QuoteAF(to), " to ", cmdkit.QuoteAF(from))
	}
	return 0
}
