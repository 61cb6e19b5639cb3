// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package interp

import (
	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/guests/src/awk/syntax"
	"github.com/wsandbox/wsandbox/guests/src/cmdkit"
	"github.com/wsandbox/wsandbox/guests/src/wsys"
)

// assignment splits an operand NAME=value.
func assignment(s string) (name, val string, ok bool) {
	i := 0
	for i < len(s) && (s[i]|0x20 >= 'a' && s[i]|0x20 <= 'z' || s[i] == '_' || i > 0 && s[i]-'0' <= 9) {
		i++
	}
	if i == 0 || i == len(s) || s[i] != '=' {
		return "", "", false
	}
	return s[:i], s[i+1:], true
}

// assign does the assignment of an operand or of -v. Names that the program does
// not use are of no consequence.
func (in *interp) assign(name, val string) {
	v := inputValue(syntax.Unescape(val))
	if id := syntax.SpecialByName(name); id != syntax.NotSpecial {
		in.setSpecial(id, v)
		return
	}
	for _, f := range in.prog.Funcs {
		if f.Name == name {
			in.fatal("cannot use function name `" + name + "' as variable name")
		}
	}
	for _, s := range in.prog.Arrays {
		if s.Name == name {
			in.fatal("cannot use array `" + name + "' as a variable")
		}
	}
	for i, s := range in.prog.Scalars {
		if s.Name == name {
			in.globals[i] = v
		}
	}
}

// nextInput opens the next operand and reports whether there was one.
func (in *interp) nextInput() bool {
	for {
		argc := in.special[syntax.ARGC]
		if !(float64(in.argi) < argc.num()) {
			if in.sawFile {
				return false
			}
			in.sawFile = true
			in.startInput("-", in.stdin(), false)
			return true
		}
		var room [20]byte
		v := in.argv.get(textOf(appendInt(room[:0], in.argi)))
		in.argi++
		if v == nil {
			continue
		}
		name := in.text(v)
		if name == "" {
			continue
		}
		if k, val, ok := assignment(name); ok {
			in.assign(k, val)
			continue
		}
		in.sawFile = true
		in.special[syntax.ARGIND] = numValue(float64(in.argi - 1))
		fd := in.device(name)
		if fd == in.p.Stdin.FD {
			in.startInput(name, in.stdin(), false)
			return true
		}
		owned := false
		var err error
		if fd < 0 {
			owned = true
			if fd, err = wsys.Open(wsys.AtCwd, name, abi.ORdonly|abi.OCloexec, 0); err == nil {
				if st, e := wsys.Fstat(fd); e == nil && st.Mode.IsDir() {
					wsys.Close(fd)
					if len(in.beginFile.stmts) == 0 {
						in.warn("command line argument `" + name + "' is a directory: skipped")
						continue
					}
					err = abi.EISDIR
				}
			}
		}
		if err != nil {
			if len(in.beginFile.stmts) == 0 {
				in.fatalPlain("cannot open file `" + name + "' for reading: " + cmdkit.Strerror(err))
			}
			in.failedFile(name, err)
			continue
		}
		in.startInput(name, &reader{fd: fd}, owned)
		return true
	}
}

// startInput makes r the main input.
func (in *interp) startInput(name string, r *reader, owned bool) {
	in.main, in.mainOwned, in.fnr = r, owned, 0
	in.special[syntax.FILENAME] = inputValue(name)
	if in.edits && owned {
		in.beginInplace(name, r.fd)
	}
	if len(in.beginFile.stmts) > 0 {
		in.special[syntax.ERRNO] = strValue("")
		in.setRecord("")
		if in.fileRule(&in.beginFile) == cNextFile {
			in.skipFile()
		}
	}
}

// failedFile runs the BEGINFILE rules for a file that cannot be opened; unless
// they skip it that is the end.
func (in *interp) failedFile(name string, err error) {
	in.special[syntax.FILENAME] = inputValue(name)
	in.setErrno(err)
	in.setRecord("")
	if in.fileRule(&in.beginFile) != cNextFile {
		in.fatalPlain("cannot open file `" + name + "' for reading: " + cmdkit.Strerror(err))
	}
}

// fileRule runs BEGINFILE or ENDFILE rules.
func (in *interp) fileRule(b *body) ctl {
	switch c := b.exec(in); c {
	case cExit:
		panic(unwind(c))
	default:
		return c
	}
}

// endInput is the end of the main input.
func (in *interp) endInput() {
	r := in.main
	if r.err != nil {
		in.fatalPlain("error reading input file `" + in.text(&in.special[syntax.FILENAME]) + "': " + cmdkit.Strerror(r.err))
	}
	in.main = nil
	if len(in.endFile.stmts) > 0 {
		in.fileRule(&in.endFile)
	}
	if in.mainOwned {
		wsys.Close(r.fd)
	}
	in.endInplace()
}

// skipFile gives up what is left of the main input.
func (in *interp) skipFile() {
	if in.main != nil {
		in.main.err = nil
		in.endInput()
	}
}

// mainRecord reads the next record of the main input.
func (in *interp) mainRecord() (string, bool) {
	for {
		if in.main == nil {
			if in.noInput || !in.nextInput() {
				in.noInput = true
				return "", false
			}
			if in.main == nil {
				continue
			}
		}
		if in.mainIsTTY() {
			in.stdout.flush()
		}
		if rec, ok := in.main.record(in); ok {
			in.nr++
			in.fnr++
			return rec, true
		}
		in.endInput()
	}
}

// mainIsTTY reports whether prompts must be shown before the next read, which is
// where standard output is a terminal and all input has been used.
func (in *interp) mainIsTTY() bool {
	return in.main.r == in.main.w && in.stdoutTTY()
}

func (in *interp) stdoutTTY() bool {
	if !in.ttyKnown {
		in.ttyKnown = true
		in.stdout.now = wsys.Isatty(in.stdout.fd)
	}
	return in.stdout.now
}
