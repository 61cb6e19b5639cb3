// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package pathname

import (
	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/guests/src/cmdkit"
	"github.com/wsandbox/wsandbox/guests/src/wsys"
)

var basenameSyntax = cmdkit.Syntax{
	Short: "+as:z",
	Long: []cmdkit.Long{{Name: "multiple", Val: 'a'}, {Name: "suffix", Arg: cmdkit.RequiredArg, Val: 's'},
		{Name: "zero", Val: 'z'}},
	Usage: []string{"NAME [SUFFIX]", "OPTION... NAME..."},
	Help: `Print NAME without its leading directories, and without a trailing SUFFIX.

  -a, --multiple       every argument is a NAME
  -s, --suffix=SUFFIX  remove SUFFIX; implies -a
  -z, --zero           end each line with NUL, not newline
`,
}

// Basename prints the last element of names.
func Basename(p *cmdkit.Proc) int {
	g := p.Options(&basenameSyntax)
	multiple, suffix, end := false, "", byte('\n')
	for g.Next() {
		switch g.Opt {
		case 'a':
			multiple = true
		case 's':
			multiple, suffix = true, g.Arg
		case 'z':
			end = 0
		}
	}
	if g.Stop {
		return g.Status
	}
	names := g.Operands
	if len(names) == 0 {
		return p.MissingOperand(1)
	}
	if !multiple {
		if len(names) > 2 {
			return p.ExtraOperand(1, names[2])
		}
		if len(names) == 2 {
			suffix, names = names[1], names[:1]
		}
	}
	for _, n := range names {
		b := cmdkit.Base(n)
		if s := len(suffix); s > 0 && len(b) > s && b[len(b)-s:] == suffix && b[0] != '/' {
			b = b[:len(b)-s]
		}
		p.Stdout.WriteString(b)
		p.Stdout.WriteByte(end)
	}
	return 0
}

var dirnameSyntax = cmdkit.Syntax{
	Short: "z",
	Long:  []cmdkit.Long{{Name: "zero", Val: 'z'}},
	Usage: []string{"[OPTION] NAME..."},
	Help: `Print each NAME without its last element, or '.' where it has no slash.

  -z, --zero     end each line with NUL, not newline
`,
}

// Dirname prints what is before the last element of names.
func Dirname(p *cmdkit.Proc) int {
	g := p.Options(&dirnameSyntax)
	end := byte('\n')
	for g.Next() {
		end = 0
	}
	if g.Stop {
		return g.Status
	}
	if len(g.Operands) == 0 {
		return p.MissingOperand(1)
	}
	for _, n := range g.Operands {
		p.Stdout.WriteString(dir(n))
		p.Stdout.WriteByte(end)
	}
	return 0
}

func dir(n string) string {
	i := len(n)
	for i > 1 && n[i-1] == '/' {
		i--
	}
	for i > 0 && n[i-1] != '/' {
		i--
	}
	for i > 1 && n[i-1] == '/' {
		i--
	}
	if i == 0 {
		return "."
	}
	return n[:i]
}

var readlinkSyntax = cmdkit.Syntax{
	Short: "efmnqsvz",
	Long: []cmdkit.Long{{Name: "canonicalize", Val: 'f'}, {Name: "canonicalize-existing", Val: 'e'}, {Name: "canonicalize-missing", Val: 'm'},
		{Name: "no-newline", Val: 'n'}, {Name: "quiet", Val: 'q'}, {Name: "silent", Val: 's'}, {Name: "verbose", Val: 'v'}, {Name: "zero", Val: 'z'}},
	Usage: []string{"[OPTION]... FILE..."},
	Help: `Print what a symbolic link contains, or a canonical name.

  -f, --canonicalize           follow every link; all but the last element exist
  -e, --canonicalize-existing  likewise, and all elements exist
  -m, --canonicalize-missing   likewise, elements may be missing
  -n, --no-newline             no newline at the end
  -q, --quiet, -s, --silent    no messages (default)
  -v, --verbose                report errors
  -z, --zero                   end each line with NUL, not newline
`,
}

// Readlink prints the targets of links, or canonical names.
func Readlink(p *cmdkit.Proc) int {
	g := p.Options(&readlinkSyntax)
	mode, newline, verbose, end := rune(0), true, false, byte('\n')
	if _, ok := p.LookupEnv("POSIXLY_CORRECT"); ok {
		verbose = true
	}
	for g.Next() {
		switch g.Opt {
		case 'e', 'f', 'm':
			mode = g.Opt
		case 'n':
			newline = false
		case 'q', 's':
			verbose = false
		case 'v':
			verbose = true
		case 'z':
			end = 0
		}
	}
	if g.Stop {
		return g.Status
	}
	if len(g.Operands) == 0 {
		return p.MissingOperand(1)
	}
	if len(g.Operands) > 1 && !newline {
		p.Warn("ignoring --no-newline with multiple arguments")
		newline = true
	}
	st := 0
	for _, f := range g.Operands {
		var s string
		var err error
		switch mode {
		case 0:
			s, err = wsys.Readlink(wsys.AtCwd, f)
		case 'e':
			s, err = cmdkit.Canonical(f, cmdkit.NoneMissing)
		case 'f':
			s, err = cmdkit.Canonical(f, cmdkit.LastMissing)
		case 'm':
			s, err = cmdkit.Canonical(f, cmdkit.AllMissing)
		}
		if err != nil {
			st = 1
			if verbose {
				p.FileErrno(err, f)
			}
			continue
		}
		p.Stdout.WriteString(s)
		if newline {
			p.Stdout.WriteByte(end)
		}
	}
	return st
}

var realpathSyntax = cmdkit.Syntax{
	Short: "eLmPqsz",
	Long: []cmdkit.Long{{Name: "canonicalize-existing", Val: 'e'}, {Name: "canonicalize-missing", Val: 'm'}, {Name: "logical", Val: 'L'},
		{Name: "physical", Val: 'P'}, {Name: "quiet", Val: 'q'}, {Name: "relative-base", Arg: cmdkit.RequiredArg, Val: 256},
		{Name: "relative-to", Arg: cmdkit.RequiredArg, Val: 257}, {Name: "strip", Val: 's'}, {Name: "no-symlinks", Val: 's'},
		{Name: "zero", Val: 'z'}},
	Usage: []string{"[OPTION]... FILE..."},
	Help: `Print the absolute name of each FILE, without links. All but the last element
must exist.

  -e, --canonicalize-existing  all elements must exist
  -m, --canonicalize-missing   no element need exist
  -L, --logical                resolve '..' before links
  -P, --physical               resolve links as met (default)
  -q, --quiet                  no messages
      --relative-to=DIR        print names relative to DIR
      --relative-base=DIR      print absolute names unless below DIR
  -s, --strip, --no-symlinks   do not follow links
  -z, --zero                   end each line with NUL, not newline
`,
}

// lexical returns the absolute path without "." and "..", links untouched.
func lexical(path string) (string, error) {
	if path == "" {
		return "", abi.ENOENT
	}
	if path[0] != '/' {
		cwd, err := wsys.Getcwd()
		if err != nil {
			return "", err
		}
		path = cwd + "/" + path
	}
	out := ""
	for i := 0; i < len(path); {
		j := i
		for j < len(path) && path[j] != '/' {
			j++
		}
		switch e := path[i:j]; e {
		case "", ".":
		case "..":
			n := len(out) - 1
			for n > 0 && out[n] != '/' {
				n--
			}
			out = out[:max(n, 0)]
		default:
			out += "/" + e
		}
		i = j + 1
	}
	if out == "" {
		out = "/"
	}
	return out, nil
}

type resolver struct {
	missing           cmdkit.Missing
	logical, noFollow bool
}

func (r *resolver) path(f string) (string, error) {
	if r.logical || r.noFollow {
		if f == "" {
			return "", abi.ENOENT
		}
		l, err := lexical(f)
		if err != nil {
			return "", err
		}
		if r.noFollow {
			if r.missing != cmdkit.AllMissing {
				// The elements must exist nevertheless.
				if _, err := wsys.StatAt(wsys.AtCwd, l, false); err != nil {
					if err != abi.ENOENT || r.missing == cmdkit.NoneMissing {
						return "", err
					}
					if _, err := wsys.StatAt(wsys.AtCwd, dir(l), true); err != nil {
						return "", err
					}
				}
			}
			return l, nil
		}
		f = l
	}
	return cmdkit.Canonical(f, r.missing)
}

// Realpath prints canonical names.
func Realpath(p *cmdkit.Proc) int {
	g := p.Options(&realpathSyntax)
	r := &resolver{missing: cmdkit.LastMissing}
	quiet, end := false, byte('\n')
	base, to, hasBase, hasTo := "", "", false, false
	for g.Next() {
		switch g.Opt {
		case 'e':
			r.missing = cmdkit.NoneMissing
		case 'm':
			r.missing = cmdkit.AllMissing
		case 'L':
			r.logical, r.noFollow = true, false
		case 'P':
			r.logical, r.noFollow = false, false
		case 'q':
			quiet = true
		case 's':
			r.noFollow, r.logical = true, false
		case 'z':
			end = 0
		case 256:
			base, hasBase = g.Arg, true
		case 257:
			to, hasTo = g.Arg, true
		}
	}
	if g.Stop {
		return g.Status
	}
	if len(g.Operands) == 0 {
		return p.MissingOperand(1)
	}
	if hasBase && !hasTo {
		to, hasTo = base, true
	}
	resolveDir := func(d string) (string, bool) {
		s, err := r.path(d)
		if err == nil && r.missing == cmdkit.NoneMissing {
			if st, serr := wsys.StatAt(wsys.AtCwd, s, true); serr != nil {
				err = serr
			} else if !st.Mode.IsDir() {
				err = abi.ENOTDIR
			}
		}
		if err != nil {
			p.FileErrno(err, d)
			return "", false
		}
		return s, true
	}
	var ok bool
	if hasTo {
		if to, ok = resolveDir(to); !ok {
			return 1
		}
	}
	if hasBase {
		if base, ok = resolveDir(base); !ok {
			return 1
		}
		if !cmdkit.Within(to, base) {
			// Nothing is printed relative then.
			hasTo = false
		}
	}
	st := 0
	for _, f := range g.Operands {
		s, err := r.path(f)
		if err != nil {
			st = 1
			if !quiet {
				p.FileErrno(err, f)
			}
			continue
		}
		if hasTo && (!hasBase || cmdkit.Within(s, base)) {
			s = cmdkit.Relative(s, to)
		}
		p.Stdout.WriteString(s)
		p.Stdout.WriteByte(end)
	}
	return st
}

var whichSyntax = cmdkit.Syntax{
	Short: "as", BadUsage: 2,
	Long:  []cmdkit.Long{{Name: "all", Val: 'a'}},
	Usage: []string{"[OPTION]... NAME..."},
	Help: `Print the file that each NAME would run, as found in PATH. The shell's own
commands and functions are not known here.

  -a, --all      print every match
  -s             print nothing
`,
}

// Which finds programs in PATH.
func Which(p *cmdkit.Proc) int {
	g := p.Options(&whichSyntax)
	all, silent := false, false
	for g.Next() {
		switch g.Opt {
		case 'a':
			all = true
		case 's':
			silent = true
		}
	}
	if g.Stop {
		return g.Status
	}
	if len(g.Operands) == 0 {
		return 1
	}
	path, ok := p.LookupEnv("PATH")
	if !ok {
		path = cmdkit.DefaultPath
	}
	st := 0
	for _, name := range g.Operands {
		if !which(p, name, path, all, silent) {
			st = 1
		}
	}
	return st
}

func which(p *cmdkit.Proc, name, path string, all, silent bool) bool {
	executable := func(f string) bool {
		s, err := wsys.StatAt(wsys.AtCwd, f, true)
		return err == nil && s.Mode.IsRegular() && wsys.Access(wsys.AtCwd, f, abi.AccessExec) == nil
	}
	show := func(f string) {
		if !silent {
			p.Stdout.WriteString(f + "\n")
		}
	}
	if name == "" {
		return false
	}
	for i := 0; i < len(name); i++ {
		if name[i] == '/' {
			if executable(name) {
				show(name)
				return true
			}
			return false
		}
	}
	found := false
	for {
		i := 0
		for i < len(path) && path[i] != ':' {
			i++
		}
		d := path[:i]
		if d == "" {
			d = "."
		}
		if f := d + "/" + name; executable(f) {
			show(f)
			found = true
			if !all {
				return true
			}
		}
		if i == len(path) {
			return found
		}
		path = path[i+1:]
	}
}
