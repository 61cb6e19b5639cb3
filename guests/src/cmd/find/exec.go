// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package find

import (
	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/guests/src/cmdkit"
	"github.com/wsandbox/wsandbox/guests/src/fswalk"
	"github.com/wsandbox/wsandbox/guests/src/wsys"
)

// Bounds of the arguments that -exec … + collects for one command.
const (
	maxBatchBytes = 128 << 10
	maxBatchArgs  = 32 << 10
)

// exec parses the command of -exec and its kin.
func (p *parser) exec(name string) pred {
	start := p.pos
	ask := name == "-ok" || name == "-okdir"
	inDir := name == "-execdir" || name == "-okdir"
	plus := false
	i := start
	for ; i < len(p.args); i++ {
		if p.args[i] == ";" {
			break
		}
		if p.args[i] == "+" && i > start && p.args[i-1] == "{}" && !ask {
			plus = true
			break
		}
	}
	if i == len(p.args) || i == start {
		p.pos = len(p.args)
		if i == start && i < len(p.args) {
			return p.fail("invalid argument ", old(";"), " to ", old(name))
		}
		return p.fail("missing argument to ", old(name))
	}
	cmd := p.args[start:i]
	p.pos = i + 1
	if inDir {
		if bad, advice := relativePath(p.f.p.Getenv("PATH")); bad != "" {
			return p.fail(bad, name, " action of find.  ", advice)
		}
	}
	if plus {
		for _, a := range cmd[:len(cmd)-1] {
			if a == "{}" {
				return p.fail("Only one instance of {} is supported with ", name, " ... +")
			}
		}
		b := &batch{cmd: cmd[:len(cmd)-1], inDir: inDir}
		p.f.batches = append(p.f.batches, b)
		return b.add
	}
	return func(f *finder, e *fswalk.Entry) bool {
		path, dir := string(f.pathOf(e)), ""
		if inDir {
			dir, path = split(e, path)
		}
		argv := make([]string, len(cmd))
		for i, a := range cmd {
			argv[i] = substitute(a, path)
		}
		if ask && !f.ask(cmd[0], string(f.pathOf(e))) {
			return false
		}
		return f.spawn(argv, dir)
	}
}

// relativePath returns the start and the end of a message where PATH leads the current
// directory into play, which the files found could abuse.
func relativePath(path string) (bad, advice string) {
	if path == "" {
		return "", ""
	}
	for {
		i := 0
		for i < len(path) && path[i] != ':' {
			i++
		}
		switch e := path[:i]; {
		case e == "" || e == ".":
			return "The current directory is included in the PATH environment variable, which is insecure in combination with the ",
				`Please remove the current directory from your $PATH (that is, remove ".", doubled colons, or leading or trailing colons)`
		case e[0] != '/':
			return "The relative path " + cmdkit.Quote(e) + " is included in the PATH environment variable, which is insecure in combination with the ",
				"Please remove that entry from $PATH"
		}
		if i == len(path) {
			return "", ""
		}
		path = path[i+1:]
	}
}

// split returns the directory of an entry and its name as -execdir gives it.
func split(e *fswalk.Entry, path string) (dir, name string) {
	n := len(path)
	for n > 1 && path[n-1] == '/' {
		n--
	}
	i := n
	for i > 0 && path[i-1] != '/' {
		i--
	}
	if i == n { // the root directory
		return "/", "/"
	}
	base := path[i:n]
	if base != "/" {
		base = "./" + base
	}
	if i == 0 {
		return ".", base
	}
	return path[:i], base
}

// substitute replaces every {} of a by path.
func substitute(a, path string) string {
	for i := 0; i+1 < len(a); i++ {
		if a[i] == '{' && a[i+1] == '}' {
			return a[:i] + path + substitute(a[i+2:], path)
		}
	}
	return a
}

// ask is the question of -ok.
func (f *finder) ask(cmd, path string) bool {
	f.flush()
	f.p.Stderr.WriteString("< " + cmd + " ... " + path + " > ? ")
	l, ok := f.p.Stdin.Line('\n')
	return ok && len(l) > 0 && (l[0] == 'y' || l[0] == 'Y')
}

func (f *finder) flush() {
	f.p.Stdout.Flush()
	for _, o := range f.outputs {
		o.w.Flush()
	}
}

// spawn runs a command in a directory and reports whether it succeeded.
func (f *finder) spawn(argv []string, dir string) bool {
	f.flush()
	spec, err := f.p.SpawnSpec(argv)
	if err == nil {
		if dir != "" && dir != "." {
			spec.Dir = dir
			if abs, aerr := wsys.Getcwd(); aerr == nil && spec.Path[0] != '/' {
				spec.Path = abs + "/" + spec.Path
			}
		}
		var pid wsys.PID
		if pid, err = cmdkit.Spawn(spec); err == nil {
			r, werr := cmdkit.Wait(pid)
			if werr != nil {
				f.status = f.p.Errno(werr, "waiting for ", cmdkit.Quote(argv[0]))
				return false
			}
			if r.Status.Signaled() {
				f.p.Warn(cmdkit.Quote(argv[0]), " terminated by signal ", itoa(int64(r.Status.Signal())))
			}
			return r.Status.Exited() && r.Status.ExitStatus() == 0
		}
	}
	if err == abi.E2BIG {
		f.status = 1
	}
	f.p.Errno(err, cmdkit.Quote(argv[0]))
	return false
}

// batch is a command of -exec … +, with the files it gets.
type batch struct {
	cmd   []string
	inDir bool
	dir   string
	files []string
	bytes int
}

func (b *batch) add(f *finder, e *fswalk.Entry) bool {
	path, dir := string(f.pathOf(e)), ""
	if b.inDir {
		dir, path = split(e, path)
	}
	if len(b.files) > 0 && (dir != b.dir || b.bytes+len(path)+9 > maxBatchBytes || len(b.files) >= maxBatchArgs) {
		b.run(f)
	}
	if len(b.files) == 0 {
		b.bytes = 0
		for _, a := range b.cmd {
			b.bytes += len(a) + 9
		}
	}
	b.dir = dir
	b.files = append(b.files, path)
	b.bytes += len(path) + 9
	return true
}

func (b *batch) run(f *finder) {
	if len(b.files) == 0 {
		return
	}
	argv := append(append(make([]string, 0, len(b.cmd)+len(b.files)), b.cmd...), b.files...)
	b.files = b.files[:0]
	if !f.spawn(argv, b.dir) {
		f.status = 1
	}
}
