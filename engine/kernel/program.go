// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package kernel

import (
	"strings"

	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/engine/vfs"
)

// maxInterpreters is how many "#!" lines may follow each other.
const maxInterpreters = 4

// maxInterpreterLine is how much of a "#!" line is looked at, in bytes.
const maxInterpreterLine = 256

// program is a program file resolved to an image.
type program struct {
	image Image
	path  string   // canonical
	args  []string // with those that "#!" lines put in front
}

// load resolves the program of s for p, in the directory dir.
//
// It returns ENOENT, ENOTDIR, ELOOP, ENAMETOOLONG and EACCES as opening the
// file does, EACCES where it is no regular file or may not be executed, ENOEXEC
// where it is neither built in nor a module nor a script, ELOOP where scripts
// name each other as interpreters, E2BIG, and what the Runner returns.
func (p *Process) load(s *abi.SpawnSpec, dir string) (program, error) {
	k := p.k
	if err := k.checkArgs(s.Args, s.Env); err != nil {
		return program{}, err
	}
	name, args := s.Path, s.Args
	at := vfs.At{Dir: dir, Cred: p.cred, Caller: p}
	for range maxInterpreters + 1 {
		if err := k.checkPath(name); err != nil {
			return program{}, err
		}
		prog, interp, arg, err := k.open(at, name)
		if err != nil {
			return program{}, err
		}
		if interp == "" {
			prog.args = args
			return prog, nil
		}
		n := []string{interp}
		if arg != "" {
			n = append(n, arg)
		}
		n = append(n, name)
		if len(args) > 0 {
			n = append(n, args[1:]...)
		}
		name, args = interp, n
	}
	return program{}, abi.ELOOP
}

// open opens one program file. It returns an interpreter where it is a script,
// else the program.
func (k *Kernel) open(at vfs.At, name string) (prog program, interp, arg string, err error) {
	f, abs, err := k.ns.Open(at, name, abi.ORdonly, 0)
	if err != nil {
		return prog, "", "", err
	}
	defer f.Close()
	st, err := f.Stat()
	if err != nil {
		return prog, "", "", err
	}
	mayExec := at.Cred.May(&st, abi.AccessExec)
	prog.path = abs
	if x, ok := f.(vfs.Executable); ok && mayExec {
		prog.image, err = k.runner.LoadGuest(x.Executable())
		return prog, "", "", err
	}
	r, ok := f.(vfs.RegularFile)
	if !ok || !st.Mode.IsRegular() {
		return prog, "", "", abi.EACCES
	}
	var head [maxInterpreterLine]byte
	n, err := r.ReadAt(head[:], 0)
	if err != nil {
		return prog, "", "", err
	}
	h := string(head[:n])
	// Deviation: a module that may be read may be run. Modules come from
	// packages and from systems without execute bits; what one may do is not
	// decided by that bit.
	if !mayExec && !strings.HasPrefix(h, "\x00asm") {
		return prog, "", "", abi.EACCES
	}
	switch {
	case strings.HasPrefix(h, "\x00asm"):
		prog.image, err = k.runner.LoadModule(r, abs)
		return prog, "", "", err
	case strings.HasPrefix(h, "#!"):
		interp, arg, err = parseInterpreter(h[2:], n == maxInterpreterLine)
		return prog, interp, arg, err
	}
	return prog, "", "", abi.ENOEXEC
}

// OpenProgram opens a program file again for the Runner, by the canonical path it
// was given and with the rights of the process. Any goroutine may call it.
func (p *Process) OpenProgram(path string) (vfs.File, error) {
	f, _, err := p.k.ns.Open(vfs.At{Dir: "/", Cred: p.cred}, path, abi.ORdonly, 0)
	return f, err
}

// parseInterpreter splits the line behind "#!" into the interpreter's path and
// at most one argument, which is the rest of the line without blanks at its
// ends. It returns ENOEXEC for an empty line and where the path is cut off.
//
// Linux: fs/binfmt_script.c.
func parseInterpreter(s string, full bool) (interp, arg string, err error) {
	line, _, ended := strings.Cut(s, "\n")
	line = strings.Trim(line, " \t\r")
	i := strings.IndexAny(line, " \t")
	if line == "" || strings.IndexByte(line, 0) >= 0 || !ended && full && i < 0 {
		return "", "", abi.ENOEXEC
	}
	if i < 0 {
		return line, "", nil
	}
	return line[:i], strings.Trim(line[i:], " \t"), nil
}

// checkArgs bounds arguments and environment: E2BIG, and EINVAL for a string
// that holds a NUL.
func (k *Kernel) checkArgs(lists ...[]string) error {
	n := 0
	for _, l := range lists {
		for _, s := range l {
			n += len(s) + 1 + 8
			if n > k.limits.ArgBytes {
				return abi.E2BIG
			}
			if strings.IndexByte(s, 0) >= 0 {
				return abi.EINVAL
			}
		}
	}
	return nil
}

// checkPath bounds a path: ENOENT for an empty one, ENAMETOOLONG, EINVAL for
// one that holds a NUL.
func (k *Kernel) checkPath(name string) error {
	switch {
	case name == "":
		return abi.ENOENT
	case len(name) >= k.limits.PathBytes:
		return abi.ENAMETOOLONG
	case strings.IndexByte(name, 0) >= 0:
		return abi.EINVAL
	}
	return nil
}

// commOf returns the short name of a program: the last component of its first
// argument or path, at most 15 bytes.
func commOf(path string) string {
	c := path[strings.LastIndexByte(path, '/')+1:]
	return c[:min(len(c), 15)]
}
