// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package interp

import (
	"strconv"
	"strings"

	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/guests/src/cmdkit"
	"github.com/wsandbox/wsandbox/guests/src/wsys"
)

// stream is an open file or command.
type stream struct {
	name   string
	kind   byte // '>' and 'a': file written; '<': file read; '|': command written; 'r': command read; '&': both
	w      *writer
	r      *reader
	pid    wsys.PID // of a command, or 0
	shared bool     // the descriptor is not the stream's own
	parked bool     // a file that is closed until it is written to again
}

const (
	maxStreams = 4096
	streamBuf  = 16 << 10
)

// command says whether the stream is a command.
func (s *stream) command() bool { return s.kind == '|' || s.kind == 'r' || s.kind == '&' }

// find returns the stream of that name and kind, or nil.
func (in *interp) find(name string, kind byte) *stream {
	s := in.streams[name]
	for s != nil && s.kind != kind {
		s = in.others[s]
	}
	return s
}

func (in *interp) add(s *stream) *stream {
	if in.streams == nil {
		in.streams = map[string]*stream{}
		in.others = map[*stream]*stream{}
	}
	if len(in.order) >= maxStreams {
		in.fatal("too many open files and commands")
	}
	if o := in.streams[s.name]; o != nil {
		in.others[s] = o
	}
	in.streams[s.name] = s
	in.order = append(in.order, s)
	return s
}

// forsake forgets a stream.
func (in *interp) forsake(s *stream) {
	if in.streams[s.name] == s {
		if o := in.others[s]; o != nil {
			in.streams[s.name] = o
		} else {
			delete(in.streams, s.name)
		}
	} else {
		for o := in.streams[s.name]; o != nil; o = in.others[o] {
			if in.others[o] == s {
				in.others[o] = in.others[s]
				break
			}
		}
	}
	delete(in.others, s)
	for i, o := range in.order {
		if o == s {
			in.order = append(in.order[:i], in.order[i+1:]...)
			break
		}
	}
}

// device returns the descriptor that a special file name stands for, or -1.
func (in *interp) device(name string) wsys.FD {
	switch name {
	case "-", "/dev/stdin":
		return in.p.Stdin.FD
	case "/dev/stdout":
		return in.stdout.fd
	case "/dev/stderr":
		return in.p.Stderr.FD
	}
	const fd = "/dev/fd/"
	if len(name) > len(fd) && name[:len(fd)] == fd {
		if n, err := strconv.ParseUint(name[len(fd):], 10, 16); err == nil {
			return wsys.FD(n)
		}
	}
	return -1
}

func (in *interp) restricted(what string) {
	if in.sandbox {
		in.fatal(what + " not allowed in sandbox mode")
	}
}

// output returns the writer of a redirection.
func (in *interp) output(kind byte, name string) *writer {
	s := in.find(name, kind)
	if s == nil && kind != '|' && kind != '&' {
		// "print > f" and "print >> f" are one stream.
		s = in.find(name, '>'+'a'-kind)
	}
	if s != nil {
		if s.parked {
			s.parked = false
			s.w.fd = in.openOutput(name, abi.OAppend)
		}
		return s.w
	}
	in.restricted("redirection")
	if name == "" {
		in.fatal("expression for `" + redirection(kind) + "' redirection has null string value")
	}
	name = strings.Clone(name)
	s = &stream{name: name, kind: kind}
	switch kind {
	case '|':
		r, w, err := wsys.Pipe(abi.OCloexec)
		if err == nil {
			in.flush()
			s.pid, err = in.shell(name, wsys.FDAction{FD: 0, Src: r})
			wsys.Close(r)
			if err != nil {
				wsys.Close(w)
			}
		}
		if err != nil {
			in.fatal("cannot open pipe `" + name + "' for output: " + cmdkit.Strerror(err))
		}
		s.w = &writer{fd: w, buf: make([]byte, 0, streamBuf)}
	case '&':
		in.coprocess(s)
	default:
		if fd := in.device(name); fd == in.stdout.fd {
			s.w, s.shared = &in.stdout, true
		} else if fd >= 0 && name != "-" && name != "/dev/stdin" {
			s.w, s.shared = &writer{fd: fd, buf: make([]byte, 0, 512), now: true}, true
		} else {
			flag := abi.OTrunc
			if kind == 'a' {
				flag = abi.OAppend
			}
			fd := in.openOutput(name, flag)
			s.w = &writer{fd: fd, buf: make([]byte, 0, streamBuf), now: wsys.Isatty(fd)}
		}
	}
	return in.add(s).w
}

func redirection(kind byte) string {
	switch kind {
	case 'a':
		return ">>"
	case '&':
		return "|&"
	}
	return string(rune(kind))
}

// openOutput opens a file for writing. Where there are no more descriptors
// another file is closed for the time being.
func (in *interp) openOutput(name string, flag abi.OpenFlag) wsys.FD {
	for {
		fd, err := wsys.Open(wsys.AtCwd, name, abi.OWronly|abi.OCreat|abi.OCloexec|flag, 0o666)
		if err == nil {
			return fd
		}
		if err != abi.EMFILE || !in.park() {
			in.fatal("cannot redirect to `" + name + "': " + cmdkit.Strerror(err))
		}
	}
}

func (in *interp) park() bool {
	for i, s := range in.order {
		if (s.kind == '>' || s.kind == 'a') && !s.shared && !s.parked {
			s.w.flush()
			wsys.Close(s.w.fd)
			s.parked = true
			in.order = append(append(in.order[:i:i], in.order[i+1:]...), s)
			return true
		}
	}
	return false
}

// input returns the reader of a getline, or nil where it cannot be opened.
func (in *interp) input(kind byte, name string) *reader {
	s := in.find(name, kind)
	if s != nil {
		return s.r
	}
	in.restricted("redirection")
	s = &stream{name: name, kind: kind}
	var err error
	switch kind {
	case 'r':
		var r, w wsys.FD
		if r, w, err = wsys.Pipe(abi.OCloexec); err == nil {
			in.flush()
			s.pid, err = in.shell(name, wsys.FDAction{FD: 1, Src: w})
			wsys.Close(w)
			if err != nil {
				wsys.Close(r)
			}
		}
		s.r = &reader{fd: r}
	case '&':
		in.coprocess(s)
	default:
		fd := in.device(name)
		switch {
		case fd == in.p.Stdin.FD:
			in.flushTerminal()
			s.r, s.shared = in.stdin(), true
		case fd >= 0:
			s.r, s.shared = &reader{fd: fd}, true
		default:
			fd, err = wsys.Open(wsys.AtCwd, name, abi.ORdonly|abi.OCloexec, 0)
			if err == nil {
				s.r = &reader{fd: fd}
				if st, e := wsys.Fstat(fd); e == nil && st.Mode.IsDir() {
					wsys.Close(fd)
					err = abi.EISDIR
				}
			}
		}
	}
	if err != nil {
		in.setErrno(err)
		return nil
	}
	return in.add(s).r
}

// stdin returns the reader of standard input, which all its names share.
func (in *interp) stdin() *reader {
	if in.stdinReader == nil {
		in.stdinReader = &reader{fd: in.p.Stdin.FD}
	}
	return in.stdinReader
}

// coprocess starts a command whose input and output are pipes.
func (in *interp) coprocess(s *stream) {
	fail := func(err error) {
		in.fatal("cannot open two way pipe `" + s.name + "' for input/output: " + cmdkit.Strerror(err))
	}
	r1, w1, err := wsys.Pipe(abi.OCloexec)
	if err != nil {
		fail(err)
	}
	r2, w2, err := wsys.Pipe(abi.OCloexec)
	if err != nil {
		wsys.Close(r1)
		wsys.Close(w1)
		fail(err)
	}
	in.flush()
	s.pid, err = in.shell(s.name, wsys.FDAction{FD: 0, Src: r1}, wsys.FDAction{FD: 1, Src: w2})
	wsys.Close(r1)
	wsys.Close(w2)
	if err != nil {
		wsys.Close(w1)
		wsys.Close(r2)
		fail(err)
	}
	s.w = &writer{fd: w1, buf: make([]byte, 0, streamBuf)}
	s.r = &reader{fd: r2}
}

// shell starts sh -c with the command.
func (in *interp) shell(command string, actions ...wsys.FDAction) (wsys.PID, error) {
	std := [3]wsys.FD{in.p.Stdin.FD, in.stdout.fd, in.p.Stderr.FD}
	for _, a := range actions {
		std[a.FD] = a.FD
	}
	for i, fd := range std {
		if fd != wsys.FD(i) {
			actions = append(actions, wsys.FDAction{FD: wsys.FD(i), Src: fd})
		}
	}
	spec := &wsys.SpawnSpec{Path: cmdkit.Shell, Args: []string{"sh", "-c", command}, Env: in.p.Environ(), Umask: -1, Actions: actions}
	return wsys.Spawn(spec)
}

// flush writes what is buffered for all streams.
func (in *interp) flush() {
	in.stdout.flush()
	for _, s := range in.order {
		if s.w != nil && !s.parked {
			s.w.flush()
		}
	}
}

// flushTerminal shows prompts before standard input is read.
func (in *interp) flushTerminal() {
	if in.stdoutTTY() {
		in.stdout.flush()
	}
}

// status returns what close and system return for a command's end.
func status(st wsys.WaitStatus) float64 {
	if st.Signaled() {
		return float64(256 + int(st.Signal()))
	}
	return float64(st.ExitStatus())
}

// closeStream closes a stream and returns what close does.
func (in *interp) closeStream(s *stream) float64 {
	result := 0.0
	if s.w != nil && !s.parked {
		s.w.flush()
		if s.w.err != nil && s.w.err != abi.EPIPE {
			in.setErrno(s.w.err)
			result = -1
		}
		if !s.shared {
			wsys.Close(s.w.fd)
		}
	}
	if s.r != nil && !s.shared {
		wsys.Close(s.r.fd)
	}
	if s.pid != 0 {
		r, err := cmdkit.Wait(s.pid)
		if err != nil {
			return -1
		}
		result = status(r.Status)
	}
	return result
}

// close is the function close.
func (in *interp) close(name, how string) float64 {
	result := -1.0
	for {
		s := in.streams[name]
		if s == nil {
			break
		}
		if how == "to" && s.kind == '&' && s.w != nil {
			s.w.flush()
			wsys.Close(s.w.fd)
			s.w = nil
			return 0
		}
		if s.w == &in.stdout {
			in.stdout.flush()
		}
		in.forsake(s)
		result = in.closeStream(s)
	}
	return result
}

// closeAll closes every stream at the end of the program, commands that read
// what the program printed last.
func (in *interp) closeAll() {
	in.stdout.flush()
	for _, commands := range [2]bool{false, true} {
		for _, s := range in.order {
			if s.command() == commands {
				in.closeStream(s)
			}
		}
	}
	in.order, in.streams, in.others = nil, nil, nil
}

// system is the function system.
func (in *interp) system(command string) float64 {
	in.restricted("'system' function")
	in.flush()
	pid, err := in.shell(command)
	if err != nil {
		in.setErrno(err)
		return -1
	}
	r, err := cmdkit.Wait(pid)
	if err != nil {
		return -1
	}
	return status(r.Status)
}
