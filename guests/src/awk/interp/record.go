// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package interp

import (
	"strings"
	"unicode/utf8"

	"github.com/wsandbox/wsandbox/guests/src/wsys"
)

// noField is the value of a field that is not there: a string, as in other awks.
var noField = value{k: kStr}

// maxFields is the most fields a record can have.
const maxFields = 1 << 24

type splitMode uint8

const (
	splitBlank  splitMode = iota // runs of blanks
	splitByte                    // one character
	splitRegex                   // matches
	splitChars                   // every character is a field
	splitWidths                  // FIELDWIDTHS
	splitFields                  // FPAT describes fields
)

// record is the current record. As long as no field is assigned to, the fields
// are pieces of the text, found as far as someone has asked for them.
type record struct {
	text  string
	stale bool // text must be put together from vals

	pos  []uint32 // start and end of the fields found
	n    int      // fields found
	done bool     // those are all
	next int      // where to go on
	nl   bool     // newlines separate fields as well

	seps []uint32 // separators that the host has found, the record's end being the last
	off  int      // what they count from
	sep  int      // how many are used

	vals  []value // the fields, once one has been assigned to
	owned bool    // vals counts
	zero  kind    // of $0 as a value
}

// setRecord makes s, text from outside, the record.
func (in *interp) setRecord(s string) {
	r := &in.rec
	r.text, r.stale = s, false
	r.n, r.done, r.next, r.owned, r.zero = 0, false, 0, false, kInput
	r.nl = in.rsMode == rsParagraph
	if r.seps != nil {
		r.seps = nil
	}
}

// setMainRecord makes the record of the main input that has been read last the
// record.
func (in *interp) setMainRecord(s string) {
	in.setRecord(s)
	if m := in.main; m.sepTo > 0 {
		r := &in.rec
		r.seps, r.sep = m.ends[m.sepFrom:m.sepTo], 0
		r.off = int(m.ends[m.sepTo-1]) - len(s)
	}
}

// ahead finds fields by means of the separators.
func (r *record) ahead(want int, blank bool) {
	start := r.next
	n, sep := r.n, r.sep
	seps := r.seps
	off := r.off
	pos := r.pos
	for n < want {
		if sep >= len(seps) {
			r.done = true
			break
		}
		p := int(seps[sep]) - off
		sep++
		if p > start || !blank {
			if 2*n+2 > len(pos) {
				pos = append(pos, 0, 0)
			}
			pos[2*n], pos[2*n+1] = uint32(start), uint32(p)
			n++
		}
		start = p + 1
	}
	if len(pos) != len(r.pos) {
		r.pos = pos
	}
	r.n, r.sep, r.next = n, sep, start
}

// field0 returns the text of the record.
func (in *interp) field0() string {
	if in.rec.stale {
		in.rebuild()
	}
	return in.rec.text
}

// rebuild puts the record together after an assignment to a field or NF.
func (in *interp) rebuild() {
	r := &in.rec
	start := len(in.buf)
	ofs := in.ofs
	for i := range r.vals {
		if i > 0 {
			if len(ofs) == 1 {
				in.buf = append(in.buf, ofs[0])
			} else {
				in.buf = append(in.buf, ofs...)
			}
		}
		if v := &r.vals[i]; v.k == kNum {
			in.buf = in.appendNum(in.buf, v.n, &in.convFmt)
		} else {
			in.buf = append(in.buf, v.s...)
		}
	}
	in.roomFor(len(in.buf) - start)
	r.text, r.stale, r.zero = in.newText(in.buf[start:]), false, kInput
	in.buf = in.buf[:start]
}

// fieldCount returns NF.
func (in *interp) fieldCount() int {
	r := &in.rec
	if r.owned {
		return len(r.vals)
	}
	if !r.done {
		in.findFields(maxFields)
	}
	return r.n
}

// fieldText returns the text of $i, i > 0.
func (in *interp) fieldText(i int) string {
	r := &in.rec
	if i > r.n || r.owned {
		if r.owned {
			if i > len(r.vals) {
				return ""
			}
			return in.text(&r.vals[i-1])
		}
		if !r.done {
			if r.seps != nil && in.split == splitBlank {
				r.ahead(i, true)
			} else {
				in.findFields(i)
			}
		}
		if i > r.n {
			return ""
		}
	}
	return r.text[r.pos[2*i-2]:r.pos[2*i-1]]
}

// fieldValue returns $i.
func (in *interp) fieldValue(i int) value {
	r := &in.rec
	if i == 0 {
		return value{s: in.field0(), k: r.zero}
	}
	if r.owned {
		if i > len(r.vals) {
			return noField
		}
		return r.vals[i-1]
	}
	if i > r.n && !r.done {
		in.findFields(i)
	}
	if i > r.n {
		return noField
	}
	return inputValue(r.text[r.pos[2*i-2]:r.pos[2*i-1]])
}

// own turns the fields into values of their own.
func (in *interp) own() {
	r := &in.rec
	if r.owned {
		return
	}
	n := in.fieldCount()
	r.vals = r.vals[:0]
	for i := 0; i < n; i++ {
		r.vals = append(r.vals, inputValue(r.text[r.pos[2*i]:r.pos[2*i+1]]))
	}
	r.owned = true
}

// setField assigns to $i.
func (in *interp) setField(i int, v value) {
	if i == 0 {
		in.setRecord(in.text(&v))
		if v.k == kStr {
			in.rec.zero = kStr // though fields of it may look like numbers
		}
		return
	}
	in.own()
	if i > len(in.rec.vals) {
		in.resize(i)
	}
	if v.k == kUninit {
		v = strValue("")
	}
	in.rec.vals[i-1] = v
	in.rec.stale = true
}

func (in *interp) resize(n int) {
	r := &in.rec
	if n > maxFields {
		in.fatal("too many fields")
	}
	if n > cap(r.vals) {
		if n > 4096 {
			in.room(2 * n * 32)
		}
		r.vals = append(make([]value, 0, max(n, 2*cap(r.vals))), r.vals...)
	}
	for len(r.vals) < n {
		r.vals = append(r.vals, value{k: kStr})
	}
	r.vals = r.vals[:n]
}

// setFieldCount assigns to NF.
func (in *interp) setFieldCount(n float64) {
	if !(n >= 0) {
		in.fatal("NF set to negative value")
	}
	if n > maxFields {
		in.fatal("too many fields")
	}
	in.own()
	in.resize(int(n))
	in.rec.stale = true
}

// findFields finds fields until there are want.
func (in *interp) findFields(want int) {
	r := &in.rec
	switch in.split {
	case splitBlank:
		if r.seps != nil {
			r.ahead(want, true)
			return
		}
		r.blanks(want)
		return
	case splitByte:
		if r.seps != nil && r.text != "" {
			r.ahead(want, false)
			return
		}
		r.bytes(want, in.splitByte)
		return
	}
	r.n = 0
	r.pos = in.pieces(r.text, in.split, &in.fsRegex, r.nl, r.pos[:0], nil)
	r.n, r.done = len(r.pos)/2, true
	if r.n > maxFields {
		in.fatal("too many fields")
	}
}

func (r *record) add(start, end int) {
	if n := 2 * r.n; n < len(r.pos) {
		r.pos[n], r.pos[n+1] = uint32(start), uint32(end)
	} else {
		r.pos = append(r.pos[:n], uint32(start), uint32(end))
	}
	r.n++
}

func (r *record) blanks(want int) {
	s, i := r.text, r.next
	for r.n < want {
		for i < len(s) && (s[i] == ' ' || s[i] == '\t' || s[i] == '\n') {
			i++
		}
		if i == len(s) {
			r.done = true
			break
		}
		start := i
		for i < len(s) && s[i] != ' ' && s[i] != '\t' && s[i] != '\n' {
			i++
		}
		r.add(start, i)
	}
	r.next = i
}

func (r *record) bytes(want int, c byte) {
	s, i := r.text, r.next
	if s == "" {
		r.done = true
		return
	}
	for r.n < want {
		start := i
		if r.nl {
			for i < len(s) && s[i] != c && s[i] != '\n' {
				i++
			}
		} else if len(s)-i > wsys.Worth && want == maxFields {
			r.bytesByHost(i, c)
			return
		} else {
			for i < len(s) && s[i] != c {
				i++
			}
		}
		r.add(start, i)
		if i == len(s) {
			r.done = true
			break
		}
		i++
	}
	r.next = i
}

// bytesByHost finds all fields from i on.
func (r *record) bytesByHost(i int, c byte) {
	var ends [128]uint32
	b := bytesOf(r.text)
	for {
		n := wsys.Positions(b[i:], c, c, ends[:])
		from := i
		for _, e := range ends[:n] {
			r.add(i, from+int(e))
			i = from + int(e) + 1
		}
		if n < len(ends) {
			break
		}
	}
	r.add(i, len(b))
	r.done = true
}

// pieces appends the bounds of the pieces that mode finds in s, and to seps,
// unless it is nil, those of what is between them: what is before the first,
// then what follows each.
func (in *interp) pieces(s string, mode splitMode, fs *regex, nl bool, pos []uint32, seps *[]uint32) []uint32 {
	if s == "" {
		return pos
	}
	sep := func(start, end int) {
		if seps != nil {
			*seps = append(*seps, uint32(start), uint32(end))
		}
	}
	b := bytesOf(s)
	i := 0
	switch mode {
	case splitBlank:
		gap := 0
		for {
			for i < len(s) && (s[i] == ' ' || s[i] == '\t' || s[i] == '\n') {
				i++
			}
			sep(gap, i)
			if i == len(s) {
				return pos
			}
			start := i
			for i < len(s) && s[i] != ' ' && s[i] != '\t' && s[i] != '\n' {
				i++
			}
			pos = append(pos, uint32(start), uint32(i))
			gap = i
		}
	case splitByte:
		c := fs.src[0]
		sep(0, 0)
		for {
			start := i
			for i < len(s) && s[i] != c && (!nl || s[i] != '\n') {
				i++
			}
			pos = append(pos, uint32(start), uint32(i))
			if i == len(s) {
				return pos
			}
			sep(i, i+1)
			i++
		}
	case splitChars:
		sep(0, 0)
		for i < len(s) {
			n := 1
			if in.utf8 {
				_, n = utf8.DecodeRuneInString(s[i:])
			}
			pos = append(pos, uint32(i), uint32(i+n))
			i += n
			sep(i, i)
		}
		return pos
	case splitWidths:
		for k, w := range in.widths {
			for n := w.skip; n > 0 && i < len(s); n-- {
				i += in.charLen(s, i)
			}
			if i >= len(s) {
				break
			}
			start := i
			if w.rest {
				i = len(s)
			}
			for n := w.width; n > 0 && i < len(s); n-- {
				i += in.charLen(s, i)
			}
			pos = append(pos, uint32(start), uint32(i))
			_ = k
		}
		return pos
	case splitFields:
		re := in.fpat.get(in)
		if fs != nil && fs != &in.fsRegex {
			re = fs.get(in)
		}
		gap := 0
		last := -1
		var loc [2]int
		for i <= len(s) {
			ok, err := re.Find(b, i, 0, loc[:])
			if err != nil {
				in.fatal(err.Error())
			}
			if !ok {
				break
			}
			if loc[0] == loc[1] {
				if loc[0] == last {
					// Not right behind a field.
					i = loc[0] + 1
					last = -1
					continue
				}
				sep(gap, loc[0])
				pos = append(pos, uint32(loc[0]), uint32(loc[1]))
				gap = loc[0]
				i = loc[0] + 1
				continue
			}
			sep(gap, loc[0])
			pos = append(pos, uint32(loc[0]), uint32(loc[1]))
			gap, i, last = loc[1], loc[1], loc[1]
		}
		sep(gap, len(s))
		return pos
	}
	re := fs.get(in)
	sep(0, 0)
	start := 0
	var loc [2]int
	for i < len(s) {
		ok, err := re.Find(b, i, 0, loc[:])
		if err != nil {
			in.fatal(err.Error())
		}
		if !ok {
			loc[0], loc[1] = len(s), len(s)
		}
		if nl {
			if k := strings.IndexByte(s[start:loc[0]], '\n'); k >= 0 {
				loc[0] = start + k
				loc[1] = loc[0] + 1
				ok = true
			}
		}
		if !ok {
			break
		}
		if loc[0] == loc[1] {
			i = loc[1] + 1
			continue
		}
		pos = append(pos, uint32(start), uint32(loc[0]))
		sep(loc[0], loc[1])
		i, start = loc[1], loc[1]
	}
	return append(pos, uint32(start), uint32(len(s)))
}

// charLen returns the length of the character at s[i].
func (in *interp) charLen(s string, i int) int {
	if !in.utf8 || s[i] < utf8.RuneSelf {
		return 1
	}
	_, n := utf8.DecodeRuneInString(s[i:])
	return n
}

// splitModeOf returns how a value of FS splits, and the regular expression for
// that.
func (in *interp) splitModeOf(fs string, re *regex) splitMode {
	switch {
	case fs == " ":
		return splitBlank
	case fs == "":
		return splitChars
	case fs == "\\":
		*re = regex{src: fs}
		return splitByte
	case len(fs) == 1 && !in.ignoreCase:
		if re.src != fs {
			*re = regex{src: fs}
		}
		return splitByte
	}
	src := fs
	if len(fs) == 1 || in.utf8 && utf8.RuneCountInString(fs) == 1 {
		src = "[" + fs + "]"
		if fs == "^" {
			src = `\^`
		}
	}
	if re.src != src {
		*re = regex{src: src}
	}
	return splitRegex
}

// fieldWidth is an entry of FIELDWIDTHS.
type fieldWidth struct {
	skip, width int
	rest        bool
}

// setWidths reads FIELDWIDTHS.
func (in *interp) setWidths(s string) {
	in.widths = in.widths[:0]
	for _, w := range strings.Fields(s) {
		var f fieldWidth
		if w == "*" {
			f.rest = true
		} else {
			ok := true
			if i := strings.IndexByte(w, ':'); i >= 0 {
				f.skip, ok = decimal(w[:i])
				w = w[i+1:]
			}
			var ok2 bool
			f.width, ok2 = decimal(w)
			if !ok || !ok2 || f.width == 0 {
				in.fatal("invalid FIELDWIDTHS value, for field " + itoa(len(in.widths)+1) + ", near `" + w + "'")
			}
		}
		in.widths = append(in.widths, f)
	}
}

func decimal(s string) (int, bool) {
	n := 0
	for i := 0; i < len(s); i++ {
		if s[i]-'0' > 9 || n > 1<<24 {
			return 0, false
		}
		n = 10*n + int(s[i]-'0')
	}
	return n, s != ""
}
