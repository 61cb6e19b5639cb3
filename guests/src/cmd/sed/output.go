// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package sed

import (
	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/guests/src/cmdkit"
	"github.com/wsandbox/wsandbox/guests/src/wsys"
)

// output is a file that is written to. The end of a line that had none is
// written only where something follows.
type output struct {
	w       *cmdkit.Writer
	name    string
	missing bool
	buf     []byte
	eager   bool // write at once: others may be looking
}

// outputSize is how much is collected before it is handed on.
const outputSize = 16 << 10

// write writes a line, with its end where nl is set.
func (s *sed) write(o *output, b []byte, nl bool) {
	if o.missing {
		o.buf = append(o.buf, s.eol)
	}
	o.missing = !nl
	o.buf = append(o.buf, b...)
	if nl {
		o.buf = append(o.buf, s.eol)
	}
	if o.eager || len(o.buf) >= outputSize {
		s.flush(o)
	}
}

// writeRaw writes whole lines.
func (s *sed) writeRaw(o *output, b []byte) {
	if o.missing {
		o.buf = append(o.buf, s.eol)
		o.missing = false
	}
	if len(b) >= outputSize {
		s.flush(o)
		o.w.Write(b)
		s.check(o)
		return
	}
	o.buf = append(o.buf, b...)
	if o.eager || len(o.buf) >= outputSize {
		s.flush(o)
	}
}

// flush hands on what is collected.
func (s *sed) flush(o *output) {
	if len(o.buf) > 0 {
		o.w.Write(o.buf)
		o.buf = o.buf[:0]
	}
	if o.eager {
		o.w.Flush()
	}
	s.check(o)
}

func (s *sed) check(o *output) {
	if o.w.Err != nil && o != s.stdout {
		s.fatal(exitPanic, "couldn't write to ", o.name, ": ", cmdkit.Strerror(o.w.Err))
	}
}

// openOutput opens a file of w.
func (s *sed) openOutput(p *parser, name string) *output {
	switch name {
	case "/dev/stdout":
		return s.stdout
	case "/dev/stderr":
		return &output{w: s.p.Stderr, name: name, eager: true}
	}
	for _, o := range s.outputs {
		if o.name == name {
			return o
		}
	}
	fd, err := wsys.Open(wsys.AtCwd, name, abi.OWronly|abi.OCreat|abi.OTrunc|abi.OCloexec, 0o666)
	if err != nil {
		s.fatal(exitPanic, "couldn't open file ", name, ": ", cmdkit.Strerror(err))
	}
	o := &output{w: cmdkit.NewWriter(fd), name: name, eager: true}
	s.outputs = append(s.outputs, o)
	return o
}

func (s *sed) closeOutputs() {
	s.flush(s.stdout)
	for _, o := range s.outputs {
		s.flush(o)
		wsys.Close(o.w.FD)
	}
}

// edit is a file being edited in place: a new file beside it that takes its name
// at the end.
type edit struct {
	name, tmp string
	fd        wsys.FD
}

// beginEdit makes the new file, or reports why it cannot.
func (s *sed) beginEdit(name string, fd wsys.FD) *edit {
	st, err := wsys.Fstat(fd)
	if err != nil || !st.Mode.IsRegular() {
		s.warn("couldn't edit ", name, ": not a regular file")
		s.status = exitPanic
		return nil
	}
	if s.follow {
		if real, err := wsys.Realpath(wsys.AtCwd, name); err == nil {
			name = real
		}
	}
	dir := directory(name)
	const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
	for range 100 {
		var r [6]byte
		wsys.Random(r[:])
		for i := range r {
			r[i] = letters[int(r[i])%len(letters)]
		}
		e := &edit{name: name, tmp: dir + "sed" + string(r[:])}
		e.fd, err = wsys.Open(wsys.AtCwd, e.tmp, abi.ORdwr|abi.OCreat|abi.OExcl|abi.OCloexec, 0o600)
		if err == abi.EEXIST {
			continue
		}
		if err != nil {
			break
		}
		// The owner first: changing it clears set-id bits. It may not be ours to
		// give away, which is no error.
		wsys.Fchown(e.fd, int(st.UID), int(st.GID))
		wsys.Fchmod(e.fd, st.Mode.Perm())
		return e
	}
	s.fatal(exitPanic, "couldn't open temporary file ", dir, "sedXXXXXX: ", cmdkit.Strerror(err))
	return nil
}

// finishEdit gives the new file the name of the old one.
func (s *sed) finishEdit(e *edit) {
	s.flush(s.out)
	w := s.out.w
	w.Flush()
	err := w.Err
	if cerr := wsys.Close(e.fd); err == nil {
		err = cerr
	}
	if err != nil {
		wsys.Unlink(wsys.AtCwd, e.tmp)
		s.fatal(exitPanic, "couldn't write to ", e.tmp, ": ", cmdkit.Strerror(err))
	}
	if s.suffix != "" {
		backup := backupName(e.name, s.suffix)
		if err := wsys.Rename(wsys.AtCwd, e.name, wsys.AtCwd, backup); err != nil {
			wsys.Unlink(wsys.AtCwd, e.tmp)
			s.fatal(exitPanic, "cannot rename ", e.name, ": ", cmdkit.Strerror(err))
		}
	}
	if err := wsys.Rename(wsys.AtCwd, e.tmp, wsys.AtCwd, e.name); err != nil {
		wsys.Unlink(wsys.AtCwd, e.tmp)
		s.fatal(exitPanic, "cannot rename ", e.tmp, ": ", cmdkit.Strerror(err))
	}
}

// directory returns the path up to its last slash.
func directory(path string) string {
	for i := len(path) - 1; i >= 0; i-- {
		if path[i] == '/' {
			return path[:i+1]
		}
	}
	return ""
}

// backupName returns the name of the backup: the name with the suffix, or the
// suffix with its asterisks replaced by the base name; relative to the file's
// directory unless it has a slash itself.
func backupName(name, suffix string) string {
	dir := directory(name)
	base := name[len(dir):]
	var b []byte
	star, slash := false, false
	for i := 0; i < len(suffix); i++ {
		switch suffix[i] {
		case '*':
			star = true
			b = append(b, base...)
		case '/':
			slash = true
			b = append(b, '/')
		default:
			b = append(b, suffix[i])
		}
	}
	if !star {
		return name + suffix
	}
	if slash {
		return string(b)
	}
	return dir + string(b)
}
