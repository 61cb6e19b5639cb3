// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package interp

import (
	"strings"

	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/guests/src/wsys"
)

type hashEntry struct {
	path string
	hits int
}

// defaultPath is searched where PATH is unset, and by command -p.
const defaultPath = "/usr/local/bin:/usr/bin:/bin"

// executable reports whether path is a file that may be executed: ENOENT,
// EISDIR, EACCES.
func (sh *Shell) executable(path string) error {
	st, err := wsys.StatAt(wsys.AtCwd, sh.path(path), true)
	if err != nil {
		return err
	}
	if st.Mode.IsDir() {
		return abi.EISDIR
	}
	if st.Mode&0o111 == 0o111 {
		return nil
	}
	return wsys.Access(wsys.AtCwd, sh.path(path), abi.AccessExec)
}

// searchPath returns the file a command name stands for in the directories of
// path, or an error and the file that is in the way.
func (sh *Shell) searchPath(name, path string) (string, error) {
	found, err := "", error(abi.ENOENT)
	for path != "" || found == "" {
		dir := path
		if i := strings.IndexByte(path, ':'); i >= 0 {
			dir, path = path[:i], path[i+1:]
		} else {
			path = ""
		}
		p := dir + "/" + name
		if dir == "" {
			p = "./" + name
		}
		switch e := sh.executable(p); e {
		case nil:
			return p, nil
		case abi.EACCES:
			if err == abi.ENOENT {
				found, err = p, e
			}
		}
		if path == "" {
			break
		}
	}
	return found, err
}

// lookPath finds the program of a command name.
func (sh *Shell) lookPath(name string) (string, error) {
	if strings.IndexByte(name, '/') >= 0 {
		return name, nil
	}
	if h, ok := sh.hashed[name]; ok {
		h.hits++
		sh.hashed[name] = h
		return h.path, nil
	}
	path, ok := sh.get(sh.rt.id.path)
	if !ok {
		path = defaultPath
	}
	p, err := sh.searchPath(name, path)
	if err == nil && sh.opts.hashall {
		if sh.hashed == nil {
			sh.hashed = map[string]hashEntry{}
		}
		sh.hashed[name] = hashEntry{p, 1}
	}
	return p, err
}

// environ returns the environment of programs.
func (sh *Shell) environ() []string {
	if sh.envOK {
		return sh.env
	}
	env := make([]string, 0, len(sh.env)+4)
	for i, v := range sh.slots {
		if v == nil || v.flags&vExport == 0 {
			continue
		}
		if v.flags&(vSet|vDyn) == 0 && v.flags&(vArray|vAssoc) == 0 {
			continue
		}
		if v.flags&(vArray|vAssoc) != 0 {
			continue // arrays are not exported
		}
		env = append(env, sh.rt.names[i]+"="+v.text(sh))
	}
	for _, f := range sh.funcs {
		if f != nil && f.export {
			env = append(env, "BASH_FUNC_"+f.name+"%%=() "+f.src)
		}
	}
	sh.env, sh.envOK = env, true
	return env
}

// spec describes a program with the shell's descriptors, directory and masks.
func (sh *Shell) spec(path string, args []string) (*wsys.SpawnSpec, error) {
	s := &wsys.SpawnSpec{
		Flags: abi.SpawnNoInherit,
		Umask: int32(sh.umask),
		Path:  path,
		Args:  args,
		Env:   sh.environ(),
	}
	s.Env = append(s.Env[:len(s.Env):len(s.Env)], "_="+path)
	if sh.cwd != sh.rt.kcwd {
		s.Dir = sh.cwd
	}
	s.Ignored = sh.traps.ignoredSet()
	for n, f := range sh.fds {
		if f == nil || f.close {
			continue
		}
		k, err := sh.kernelFD(f)
		if err != nil {
			return nil, err
		}
		s.Actions = append(s.Actions, wsys.FDAction{FD: int32(n), Src: k})
	}
	return s, nil
}

// spawn starts a program.
func (sh *Shell) spawn(path string, args []string, at place) (*proc, error) {
	s, err := sh.spec(path, args)
	if err != nil {
		return nil, err
	}
	g := sh.group(at)
	if g >= 0 {
		s.Flags |= abi.SpawnSetpgid
		s.Pgid = g
		if sh.takesTTY(at) {
			s.Flags |= abi.SpawnForeground
		}
	}
	if at.background && !sh.opts.monitor {
		s.Ignored.Add(abi.SIGINT)
		s.Ignored.Add(abi.SIGQUIT)
	}
	pid, err := wsys.Spawn(s)
	if err == abi.EAGAIN {
		sh.rt.reap() // zombies count
		pid, err = wsys.Spawn(s)
	}
	if err != nil {
		return nil, err
	}
	p := &proc{pid: pid}
	if g < 0 {
		p.front = sh.rt.front
	}
	sh.rt.procs[pid] = p
	return p, nil
}

// external runs a program and waits for it. last permits it to replace the
// shell.
func (sh *Shell) external(args []string, assigns []*assign, last bool) int {
	path, err := sh.lookPath(args[0])
	if err == nil && last && sh.replaceable() {
		s, e := sh.spec(path, append([]string(nil), args...))
		if e == nil {
			e = sh.execProgram(s)
		}
		err = e
	} else if err == nil {
		var p *proc
		p, err = sh.spawn(path, args, place{foreground: true})
		if err == abi.ENOENT && strings.IndexByte(args[0], '/') < 0 && sh.hashed != nil {
			// The hashed file is gone: look again.
			delete(sh.hashed, args[0])
			if path, err = sh.lookPath(args[0]); err == nil {
				p, err = sh.spawn(path, args, place{foreground: true})
			}
		}
		if err == nil {
			return sh.foreground(p, args)
		}
	}
	return sh.startFailed(args, path, err)
}

// startFailed reports why a program could not be started, or runs a script
// that has no interpreter line.
func (sh *Shell) startFailed(args []string, path string, err error) int {
	name := args[0]
	switch err {
	case abi.ENOEXEC:
		return sh.script(path, args)
	case abi.ENOENT, abi.ENOTDIR:
		if strings.IndexByte(name, '/') < 0 {
			if id, ok := sh.rt.syms["command_not_found_handle"]; ok {
				if fn := sh.function(id); fn != nil {
					return sh.inSubshell(func(c *Shell) int {
						return c.call(fn, append([]string{fn.name}, args...))
					})
				}
			}
			sh.errorf(name + ": command not found")
			return 127
		}
		if _, e := sh.stat(path, true); e == nil && !sh.opts.posix {
			sh.errorf(name + ": cannot execute: required file not found")
			return 127
		}
		sh.errorf(name + ": " + errText(err))
		return 127
	case abi.EACCES, abi.EISDIR:
		if st, e := sh.stat(path, true); e == nil && st.Mode.IsDir() {
			err = abi.EISDIR
		}
		sh.errorf(name + ": " + errText(err))
		return 126
	case abi.EAGAIN:
		return sh.forkFailed(err)
	}
	sh.errorf(name + ": " + errText(err))
	return 126
}

// script runs a file without an interpreter line as a shell script.
func (sh *Shell) script(path string, args []string) int {
	f, err := sh.open(path, abi.ORdonly)
	if err != nil {
		sh.errorf(args[0] + ": " + errText(err))
		return 126
	}
	b, err := wsys.ReadAll(f.k)
	f.release()
	if err != nil {
		sh.errorf(args[0] + ": " + errText(err))
		return 126
	}
	if isBinary(b) {
		sh.errorf(args[0] + ": cannot execute binary file: Exec format error")
		return 126
	}
	argv := append([]string(nil), args...)
	return sh.inSubshell(func(c *Shell) int {
		for i, v := range c.slots {
			if v != nil && v.flags&(vExport|vDyn|vHook) == 0 {
				c.slots[i] = nil
			}
		}
		c.funcs = nil
		c.frame = nil
		c.aliases = nil
		c.sourced = 0
		c.opts.errexit, c.opts.nounset, c.opts.xtrace, c.opts.noglob, c.opts.allexport, c.opts.cmdstring = false, false, false, false, false, false
		c.level = 0
		c.params = argv[1:]
		c.name0, c.prefix, c.source = path, path, path
		return c.runText(string(b), 0)
	})
}

// isBinary reports whether the first line of a file is not text.
func isBinary(b []byte) bool {
	for _, c := range b[:min(len(b), 80)] {
		switch c {
		case '\n':
			return false
		case 0:
			return true
		}
	}
	return false
}

// replaceable reports whether a program may take the place of the process.
func (sh *Shell) replaceable() bool {
	return sh == sh.rt.main && sh.rt.sched.Solo() && sh.traps.exit == "" && sh.rt.wanted == 0 && !sh.opts.interactive && len(sh.procs) == 0
}

// execProgram replaces the process by a program.
func (sh *Shell) execProgram(s *wsys.SpawnSpec) error {
	err := wsys.Exec(s)
	if err == nil {
		err = abi.EIO
	}
	return err
}
