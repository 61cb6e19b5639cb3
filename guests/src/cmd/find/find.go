// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package find

import (
	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/guests/src/cmdkit"
	"github.com/wsandbox/wsandbox/guests/src/datetime"
	"github.com/wsandbox/wsandbox/guests/src/fswalk"
	"github.com/wsandbox/wsandbox/guests/src/mounts"
	"github.com/wsandbox/wsandbox/guests/src/wsys"
)

const cwd = wsys.AtCwd

var syntax = cmdkit.Syntax{
	Usage: []string{"[-H] [-L] [-P] [PATH...] [EXPRESSION]"},
	Help: `Search the trees at each PATH (default .) and evaluate EXPRESSION (default
-print) for each file.

Operators, by falling precedence: ( EXPR )  ! EXPR  -not EXPR  EXPR1 -a EXPR2
EXPR1 EXPR2  EXPR1 -o EXPR2  EXPR1 , EXPR2
Options: -daystart -depth -follow -maxdepth N -mindepth N -mount -noleaf
  -regextype TYPE -warn -nowarn -xdev -ignore_readdir_race
Tests (N can be +N, -N or N): -amin N -anewer FILE -atime N -cmin N -cnewer FILE
  -ctime N -empty -executable -false -fstype TYPE -gid N -group NAME -ilname
  -iname -inum N -ipath -iregex -iwholename PATTERN -links N -lname PATTERN
  -mmin N -mtime N -name PATTERN -newer FILE -newerXY REF -nogroup -nouser
  -path PATTERN -perm [-/]MODE -readable -regex PATTERN -samefile FILE
  -size N[bcwkMG] -true -type [bcdpfls] -uid N -used N -user NAME -wholename
  PATTERN -writable -xtype [bcdpfls]
Actions: -delete -exec COMMAND ; -exec COMMAND {} + -execdir COMMAND ;
  -execdir COMMAND {} + -fls FILE -fprint FILE -fprint0 FILE -fprintf FILE FORMAT
  -ls -ok COMMAND ; -okdir COMMAND ; -print -print0 -printf FORMAT -prune -quit
`,
}

// finder is one run of find.
type finder struct {
	p    *cmdkit.Proc
	walk fswalk.Walker

	depthFirst         bool
	minDepth, maxDepth int
	expr               pred

	now      int64 // nanoseconds
	dayStart int64 // what -mtime and its kin count from, less a day
	zone     *datetime.Zone
	names    cmdkit.Names
	mounts   []mounts.Mount
	outputs  []*output
	batches  []*batch

	root    string // the starting point, as given
	path    []byte // of the current entry, where has is set
	has     bool
	quit    bool
	pruned  bool
	status  int
	tty     bool
	askedTT bool
}

// An output is a file that an action writes to.
type output struct {
	name string
	w    *cmdkit.Writer
}

// Find searches for files in trees.
func Find(p *cmdkit.Proc) int {
	if p.HelpOnly(&syntax) {
		return 0
	}
	f := &finder{p: p, maxDepth: -1, now: wsys.Now()}
	f.dayStart = f.now - day
	args := p.Args
	for len(args) > 0 {
		switch a := args[0]; {
		case a == "-H":
			f.walk.Follow = fswalk.FollowRoots
		case a == "-L":
			f.walk.Follow = fswalk.FollowAll
		case a == "-P":
			f.walk.Follow = fswalk.FollowNone
		case a == "--":
			args = args[1:]
			goto paths
		case a == "-D" && len(args) > 1:
			args = args[1:]
		case len(a) == 3 && a[:2] == "-O":
		default:
			goto paths
		}
		args = args[1:]
	}
paths:
	n := 0
	for n < len(args) && !isExpression(args[n]) {
		n++
	}
	roots := args[:n]
	if len(roots) == 0 {
		roots = []string{"."}
	}
	e, ok := f.parse(args[n:])
	if !ok {
		return 1
	}
	f.expr = e
	for _, r := range roots {
		f.search(r)
		if f.quit || p.WriteFailed() {
			break
		}
	}
	for _, b := range f.batches {
		b.run(f)
	}
	for _, o := range f.outputs {
		if err := o.w.Flush(); err != nil {
			f.status = p.Errno(err, o.name)
		}
		if o.w != p.Stdout {
			wsys.Close(o.w.FD)
		}
	}
	return f.status
}

// isExpression reports whether an argument ends the starting points.
func isExpression(a string) bool {
	return len(a) > 1 && a[0] == '-' || a == "(" || a == "!"
}

// quote quotes a name in a message as find does.
func quote(s string) string { return cmdkit.Quote(s) }

// fail reports an error about the file called path.
func (f *finder) fail(err error, path string) {
	f.status = f.p.Errno(err, quote(path))
}

func (f *finder) search(root string) {
	w := &f.walk
	f.root = root
	if root == "" {
		f.fail(abi.ENOENT, root)
		return
	}
	w.Start(root)
	for {
		e := w.Next()
		if e == nil {
			return
		}
		f.has, f.pruned = false, false
		switch e.Kind {
		case fswalk.Missing, fswalk.Unreadable:
			f.fail(e.Err, e.Path())
			continue
		case fswalk.Cycle:
			f.p.Warn("File system loop detected; ", quote(e.Path()), " is part of the same file system loop as ", quote(f.loop(e)), ".")
			f.status = 1
			continue
		case fswalk.File:
			f.eval(e)
		case fswalk.Dir:
			enters := e.Entered() && (f.maxDepth < 0 || e.Depth < f.maxDepth)
			if !f.depthFirst || !enters {
				f.eval(e)
			}
			if !enters || f.pruned && !f.depthFirst {
				w.Skip()
			}
		case fswalk.Post:
			if f.depthFirst {
				f.eval(e)
			}
		}
		if f.quit || f.p.WriteFailed() {
			w.Close()
			return
		}
	}
}

// loop returns the path of the directory that e leads back to.
func (f *finder) loop(e *fswalk.Entry) string {
	st, err := e.Stat()
	path := e.Path()
	for i := len(path) - 1; err == nil && i > 0; i-- {
		if path[i] != '/' {
			continue
		}
		up, uerr := wsys.StatAt(cwd, path[:i], true)
		if uerr == nil && up.Dev == st.Dev && up.Ino == st.Ino {
			return path[:i]
		}
	}
	return path
}

func (f *finder) eval(e *fswalk.Entry) {
	if e.Depth >= f.minDepth {
		f.expr(f, e)
	}
}

// pathOf returns the path of the current entry. It is valid until the next one.
func (f *finder) pathOf(e *fswalk.Entry) []byte {
	if !f.has {
		f.path, f.has = e.AppendPath(f.path[:0]), true
	}
	return f.path
}

// stat describes the current entry; it reports what fails.
func (f *finder) stat(e *fswalk.Entry) (abi.Stat, bool) {
	st, err := e.Stat()
	if err != nil {
		f.fail(err, e.Path())
		return st, false
	}
	return st, true
}

// output opens the file of -fprint and its kin, once for each name.
func (f *finder) output(name string) (*cmdkit.Writer, bool) {
	switch name {
	case "/dev/stdout":
		return f.p.Stdout, true
	case "/dev/stderr":
		return f.p.Stderr, true
	}
	for _, o := range f.outputs {
		if o.name == name {
			return o.w, true
		}
	}
	fd, err := wsys.Open(cwd, name, abi.OWronly|abi.OCreat|abi.OTrunc|abi.OCloexec, 0o666)
	if err != nil {
		f.fail(err, name)
		return nil, false
	}
	o := &output{name, cmdkit.NewWriter(fd)}
	f.outputs = append(f.outputs, o)
	return o.w, true
}
