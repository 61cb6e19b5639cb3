// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package interp

import (
	"strconv"
	"unicode/utf8"

	"github.com/wsandbox/wsandbox/guests/src/awk/syntax"
	"github.com/wsandbox/wsandbox/guests/src/cmdkit"
)

type rsMode uint8

const (
	rsChar rsMode = iota
	rsParagraph
	rsRegex
)

const rtVar = syntax.RT

func itoa(n int) string { return strconv.Itoa(n) }

func appendInt(b []byte, n int) []byte { return strconv.AppendInt(b, int64(n), 10) }

// getSpecial returns a special variable.
func (in *interp) getSpecial(id syntax.Special) value {
	switch id {
	case syntax.NF:
		return numValue(float64(in.fieldCount()))
	case syntax.NR:
		return numValue(in.nr)
	case syntax.FNR:
		return numValue(in.fnr)
	}
	return in.special[id]
}

// setSpecial assigns to a special variable and does what follows from that.
func (in *interp) setSpecial(id syntax.Special, v value) {
	switch id {
	case syntax.NF:
		in.setFieldCount(v.num())
		return
	case syntax.NR:
		in.nr = v.num()
		return
	case syntax.FNR:
		in.fnr = v.num()
		return
	case syntax.FS, syntax.FPAT, syntax.FIELDWIDTHS, syntax.IGNORECASE, syntax.RS:
		in.fieldCount() // the record at hand is split the old way
	case syntax.OFS:
		in.fieldZeroNow()
	}
	in.special[id] = v
	s := ""
	if id != syntax.IGNORECASE {
		s = in.text(&v)
	}
	switch id {
	case syntax.FS:
		in.split = in.splitModeOf(s, &in.fsRegex)
		in.fsChanged()
	case syntax.FPAT:
		in.fpat = regex{src: s}
		in.fpat.get(in)
		in.split = splitFields
		in.lookAhead()
	case syntax.FIELDWIDTHS:
		in.setWidths(s)
		in.split = splitWidths
		in.lookAhead()
	case syntax.IGNORECASE:
		in.ignoreCase = v.cond()
		if in.split <= splitChars {
			fs := in.special[syntax.FS]
			in.split = in.splitModeOf(in.text(&fs), &in.fsRegex)
			in.fsChanged()
		}
	case syntax.OFS:
		in.ofs = s
	case syntax.ORS:
		in.ors = s
	case syntax.SUBSEP:
		in.subsep = s
	case syntax.CONVFMT:
		in.convFmt = in.newNumFormat(s)
	case syntax.OFMT:
		in.outFmt = in.newNumFormat(s)
	case syntax.RS:
		defer in.lookAhead()
		switch {
		case s == "":
			in.rsMode = rsParagraph
		case len(s) == 1 && !(in.ignoreCase && s[0]|0x20 >= 'a' && s[0]|0x20 <= 'z'):
			in.rsMode, in.rsByte = rsChar, s[0]
		default:
			in.rsMode = rsRegex
			src := s
			if in.utf8 && utf8.RuneCountInString(s) == 1 {
				src = "[" + s + "]"
			}
			in.rsRegex = regex{src: src}
			in.rsRegex.get(in)
		}
	}
}

func (in *interp) fsChanged() {
	if in.split == splitByte {
		in.splitByte = in.fsRegex.src[0]
	} else if in.split == splitRegex {
		in.fsRegex.get(in)
	}
	in.lookAhead()
}

// lookAhead decides whether fields are looked for together with records.
func (in *interp) lookAhead() {
	on := in.usesFields && in.rsMode == rsChar && (in.split == splitBlank && in.rsByte == '\n' || in.split == splitByte && in.splitByte != in.rsByte)
	if in.main != nil {
		in.rec.seps = nil // all fields have been found
		in.main.forget()
	}
	in.fieldsAhead = on
}

// fieldZeroNow puts a stale record together before OFS changes.
func (in *interp) fieldZeroNow() { in.field0() }

// setErrno sets ERRNO to the wording of an error.
func (in *interp) setErrno(err error) {
	in.special[syntax.ERRNO] = strValue(cmdkit.Strerror(err))
}
