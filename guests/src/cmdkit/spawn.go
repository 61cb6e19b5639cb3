// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package cmdkit

import (
	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/guests/src/wsys"
)

// DefaultPath is searched for programs where PATH is not set.
const DefaultPath = "/usr/local/bin:/usr/bin:/bin"

// LookPath finds the program that execvp would start: name itself where it has
// a slash, else the first executable file of that name in the directories of
// path. Its error is ENOENT, or EACCES where a file was found that may not be
// executed.
func LookPath(name, path string) (string, error) {
	if name == "" {
		return "", abi.ENOENT
	}
	if hasByte(name, '/') {
		return name, nil
	}
	err := error(abi.ENOENT)
	for {
		i := 0
		for i < len(path) && path[i] != ':' {
			i++
		}
		file := name
		if i > 0 {
			file = path[:i] + "/" + name
		}
		st, e := wsys.StatAt(wsys.AtCwd, file, true)
		if e == nil && st.Mode.IsRegular() {
			if wsys.Access(wsys.AtCwd, file, abi.AccessExec) == nil {
				return file, nil
			}
			err = abi.EACCES
		}
		if i == len(path) {
			return "", err
		}
		path = path[i+1:]
	}
}

// LookPath is the function LookPath over the process's PATH.
func (p *Proc) LookPath(name string) (string, error) {
	path, ok := p.LookupEnv("PATH")
	if !ok {
		path = DefaultPath
	}
	return LookPath(name, path)
}

// SpawnSpec describes starting argv, found in PATH, with the process's
// environment and streams. The caller may change it before wsys.Spawn or
// wsys.Exec.
func (p *Proc) SpawnSpec(argv []string) (*wsys.SpawnSpec, error) {
	file, err := p.LookPath(argv[0])
	if err != nil {
		return nil, err
	}
	return &wsys.SpawnSpec{Path: file, Args: argv, Env: p.Environ(), Umask: -1}, nil
}

// Shell is the program that runs a file without a "#!" line, as execvp does.
const Shell = "/bin/sh"

// Spawn starts argv as execvp would and returns its pid.
func (p *Proc) Spawn(argv []string) (wsys.PID, error) {
	spec, err := p.SpawnSpec(argv)
	if err != nil {
		return 0, err
	}
	return Spawn(spec)
}

// Spawn is wsys.Spawn that gives a file of unknown format to the shell.
func Spawn(spec *wsys.SpawnSpec) (wsys.PID, error) {
	pid, err := wsys.Spawn(spec)
	if err == abi.ENOEXEC {
		pid, err = wsys.Spawn(viaShell(spec))
	}
	return pid, err
}

func viaShell(spec *wsys.SpawnSpec) *wsys.SpawnSpec {
	s := *spec
	s.Args = append([]string{Shell, spec.Path}, spec.Args[1:]...)
	s.Path = Shell
	return &s
}

// Wait waits for the child pid to end.
func Wait(pid wsys.PID) (wsys.WaitResult, error) {
	for {
		r, err := wsys.Wait(0, pid, 0)
		if err != abi.EINTR {
			return r, err
		}
	}
}

// Exec replaces the process by argv, found in PATH, with the environment env,
// after flushing standard output. It returns only where that fails: 127 where
// there is no such program and 126 where it cannot be started, after the
// message "NAME: 'argv0': wording" (GNU's wording for env, nohup, nice,
// timeout).
func (p *Proc) Exec(argv, env []string) int {
	p.Stdout.Flush()
	path, ok := "", false
	for _, kv := range env {
		if len(kv) >= 5 && kv[:5] == "PATH=" {
			path, ok = kv[5:], true
			break
		}
	}
	if !ok {
		path = DefaultPath
	}
	file, err := LookPath(argv[0], path)
	if err == nil {
		spec := &wsys.SpawnSpec{Path: file, Args: argv, Env: env, Umask: -1}
		if err = wsys.Exec(spec); err == abi.ENOEXEC {
			err = wsys.Exec(viaShell(spec))
		}
	}
	return p.ExecFailed(err, argv[0])
}

// ExecFailed reports that a program could not be started and returns 127 for
// ENOENT and 126 otherwise.
func (p *Proc) ExecFailed(err error, name string) int {
	p.Errno(err, QuoteAF(name))
	if err == abi.ENOENT {
		return 127
	}
	return 126
}

// ExecRun is Exec with the process's environment and the message "NAME: failed
// to run command 'argv0': wording".
func (p *Proc) ExecRun(argv []string) int {
	p.Stdout.Flush()
	spec, err := p.SpawnSpec(argv)
	if err == nil {
		if err = wsys.Exec(spec); err == abi.ENOEXEC {
			err = wsys.Exec(viaShell(spec))
		}
	}
	return p.RunFailed(err, argv[0])
}

// RunFailed is ExecFailed with the words of timeout and nohup.
func (p *Proc) RunFailed(err error, name string) int {
	p.Errno(err, "failed to run command ", QuoteAF(name))
	if err == abi.ENOENT {
		return 127
	}
	return 126
}
