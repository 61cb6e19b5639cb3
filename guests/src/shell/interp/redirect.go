// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package interp

import (
	"strings"

	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/guests/src/shell/sched"
	"github.com/wsandbox/wsandbox/guests/src/wsys"
)

// savedFD is a descriptor to be restored behind a command.
type savedFD struct {
	n int
	f *file
}

// redirect performs redirections in order. What it returns goes to undo, also
// where it failed.
//
// POSIX: XCU 2.7 Redirection.
func (sh *Shell) redirect(rs []*redir) ([]savedFD, bool) {
	var saved []savedFD
	for _, r := range rs {
		if !sh.redirect1(r, &saved) {
			return saved, false
		}
	}
	return saved, true
}

// undo restores descriptors.
func (sh *Shell) undo(saved []savedFD) {
	for i := len(saved) - 1; i >= 0; i-- {
		sh.setFD(saved[i].n, saved[i].f)
	}
}

// keepRedirs makes redirections permanent.
func (sh *Shell) keepRedirs(saved []savedFD) {
	for _, s := range saved {
		if s.f != nil {
			s.f.release()
		}
	}
}

// replace puts f at n and notes what was there.
func (sh *Shell) replace(n int, f *file, saved *[]savedFD) {
	old := sh.fd(n)
	if old != nil {
		old.refs++
	}
	*saved = append(*saved, savedFD{n, old})
	sh.setFD(n, f)
}

func (sh *Shell) redirError(r *redir, subject string, err error) bool {
	if sh.expandFailed {
		return false
	}
	line := sh.line
	msg := errText(err)
	if err == abi.EEXIST && sh.opts.noclobber {
		msg = "cannot overwrite existing file"
	}
	sh.errorf(subject + ": " + msg)
	sh.line = line
	return false
}

func (sh *Shell) redirect1(r *redir, saved *[]savedFD) bool {
	fd := r.fd
	if r.op == rdBad {
		sh.errorf("redirection " + r.src + ": not supported")
		return false
	}
	if fd >= maxFD {
		return sh.redirError(r, itoa(int64(fd)), abi.EBADF)
	}
	if r.varName != "" && (r.op == rdDupIn || r.op == rdDupOut) && r.word.kind == wLit && r.word.lit == "-" {
		s, _ := sh.get(sh.rt.intern(r.varName))
		n, ok := canonicalInt(s)
		if !ok || n < 0 || n >= maxFD {
			sh.errorf(r.varName + ": ambiguous redirect")
			return false
		}
		sh.setFD(int(n), nil)
		return true
	}
	if r.op == rdHeredoc {
		s := sh.text(r.hdoc)
		if sh.expandFailed {
			return false
		}
		if r.str {
			s += "\n"
		}
		f, err := sh.heredoc(s)
		if err != nil {
			return sh.redirError(r, "cannot create temp file for here-document", err)
		}
		return sh.place(r, fd, f, saved)
	}
	target, ok := sh.redirWord(r)
	if !ok {
		return false
	}
	switch r.op {
	case rdDupIn, rdDupOut:
		return sh.dup(r, fd, target, saved)
	case rdAll, rdAllApp:
		flags := abi.OWronly | abi.OCreat
		if r.op == rdAllApp {
			flags |= abi.OAppend
		} else {
			flags |= abi.OTrunc
		}
		return sh.both(r, target, flags, saved)
	}
	var flags abi.OpenFlag
	switch r.op {
	case rdOut:
		flags = abi.OWronly | abi.OCreat | abi.OTrunc
		if sh.opts.noclobber && sh.devFD(target) < 0 {
			st, err := sh.stat(target, true)
			if err != nil {
				flags = abi.OWronly | abi.OCreat | abi.OExcl
			} else if st.Mode&abi.ModeFmt == abi.ModeRegular {
				return sh.redirError(r, target, abi.EEXIST)
			}
		}
	case rdClobber:
		flags = abi.OWronly | abi.OCreat | abi.OTrunc
	case rdAppend:
		flags = abi.OWronly | abi.OCreat | abi.OAppend
	case rdIn:
		flags = abi.ORdonly
	case rdInOut:
		flags = abi.ORdwr | abi.OCreat
	}
	f, err := sh.open(target, flags)
	if err != nil {
		return sh.redirError(r, target, err)
	}
	return sh.place(r, fd, f, saved)
}

// redirWord expands the target of a redirection to one word.
func (sh *Shell) redirWord(r *redir) (string, bool) {
	w := r.word
	if w.kind == wLit && !w.meta {
		return w.lit, true
	}
	if sh.opts.posix && !sh.opts.interactive {
		s := sh.text(w)
		return s, !sh.expandFailed
	}
	l, ok := sh.fieldsOf([]*word{w})
	if !ok {
		return "", false
	}
	if len(l) != 1 {
		sh.errorf(strings.TrimSpace(r.src[strings.IndexByte(r.src, ' ')+1:]) + ": ambiguous redirect")
		return "", false
	}
	return l[0], true
}

// place puts a new file at fd, or at a free number stored in a variable.
func (sh *Shell) place(r *redir, fd int, f *file, saved *[]savedFD) bool {
	if r.varName == "" {
		sh.replace(fd, f, saved)
		return true
	}
	n := 10
	for sh.fd(n) != nil {
		n++
	}
	if n >= maxFD {
		f.release()
		return sh.redirError(r, r.varName, abi.EMFILE)
	}
	name, sub := r.varName, (*subscript)(nil)
	if i := strings.IndexByte(name, '['); i > 0 {
		sub = sh.rt.subscriptText(name[i+1 : len(name)-1])
		name = name[:i]
	}
	if !validName(name) {
		f.release()
		sh.errorf("`" + r.varName + "': not a valid identifier")
		return false
	}
	ok := false
	if sub != nil {
		ok = sh.setElement(sh.rt.intern(name), sub, itoa(int64(n)), false)
	} else {
		ok = sh.setName(name, itoa(int64(n)))
	}
	if !ok {
		f.release()
		return false
	}
	sh.setFD(n, f) // stays open behind the command
	return true
}

// dup performs n>&m, n>&- and n>&m-.
func (sh *Shell) dup(r *redir, fd int, target string, saved *[]savedFD) bool {
	if target == "-" {
		sh.replace(fd, nil, saved)
		return true
	}
	move := strings.HasSuffix(target, "-")
	m, ok := canonicalInt(strings.TrimSuffix(target, "-"))
	if !ok || m < 0 {
		if r.op == rdDupOut && fd == 1 && target != "" {
			// >&file is another way to write &>file.
			return sh.both(r, target, abi.OWronly|abi.OCreat|abi.OTrunc, saved)
		}
		sh.errorf(target + ": ambiguous redirect")
		return false
	}
	f := sh.fd(int(min(m, maxFD)))
	if f == nil {
		return sh.redirError(r, itoa(m), abi.EBADF)
	}
	f.refs++
	if !sh.place(r, fd, f, saved) {
		return false
	}
	if move && int(m) != fd {
		sh.replace(int(m), nil, saved)
	}
	return true
}

// both sends standard output and standard error to a file.
func (sh *Shell) both(r *redir, target string, flags abi.OpenFlag, saved *[]savedFD) bool {
	if sh.opts.noclobber && flags&abi.OTrunc != 0 {
		if st, err := sh.stat(target, true); err == nil && st.Mode&abi.ModeFmt == abi.ModeRegular {
			return sh.redirError(r, target, abi.EEXIST)
		}
	}
	f, err := sh.open(target, flags)
	if err != nil {
		return sh.redirError(r, target, err)
	}
	sh.replace(1, f, saved)
	f.refs++
	sh.replace(2, f, saved)
	return true
}

// pipeSize is what every pipe takes without a reader.
const pipeSize = 4096

// heredoc returns a file with the given content: a pipe that holds it, which a
// thread fills where it is larger than a pipe.
func (sh *Shell) heredoc(s string) (*file, error) {
	r, w, err := wsys.Pipe(abi.OCloexec)
	if err != nil {
		return nil, err
	}
	n := 0
	if len(s) > 0 {
		n, err = wsys.WriteNonblock(w, []byte(s))
		if err != nil && err != abi.EAGAIN {
			wsys.Close(r)
			wsys.Close(w)
			return nil, err
		}
	}
	if n == len(s) {
		wsys.Close(w)
		return &file{k: r, refs: 1}, nil
	}
	rest := []byte(s[n:])
	rt := sh.rt
	rt.sched.Go(func() {
		for len(rest) > 0 {
			n, err := wsys.WriteNonblock(w, rest)
			rest = rest[n:]
			if err == abi.EAGAIN {
				rt.sched.Block(&sched.Wait{FD: w, Events: abi.PollOut})
			} else if err != nil && err != abi.EINTR {
				break
			}
		}
		wsys.Close(w)
	})
	return &file{k: r, refs: 1}, nil
}
