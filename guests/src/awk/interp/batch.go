// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package interp

import "github.com/wsandbox/wsandbox/guests/src/awk/syntax"

// batch runs the rules for the records whose separators have been found ahead,
// as long as nothing comes between, and reports whether the program has ended.
// It does what the steps for one record do, without the calls between them.
func (in *interp) batch() (exit bool) {
	m := in.main
	if m == nil || !m.separated || in.usesRT {
		return false
	}
	changes, ends, buf, base := m.changes, m.ends, m.buf, m.base
	blank := in.split == splitBlank
	r := &in.rec
	for k := m.used; k < len(ends); {
		start := m.r - base
		if int(ends[k]) < start {
			return false
		}
		from, n, pos := start, 0, r.pos
		for {
			if k == len(ends) {
				r.pos = pos
				return false // the end of the record is not among them
			}
			e := int(ends[k])
			k++
			if e > from || !blank {
				if 2*n+2 > len(pos) {
					pos = append(pos, 0, 0)
				}
				pos[2*n], pos[2*n+1] = uint32(from-start), uint32(e-start)
				n++
			}
			from = e + 1
			if buf[base+e] == m.delim {
				break
			}
		}
		rec := buf[m.r : base+from-1]
		if len(rec) == 0 {
			n = 0
		}
		r.text, r.pos, r.n = textOf(rec), pos, n
		r.stale, r.done, r.owned, r.nl, r.zero = false, true, false, false, kInput
		if r.seps != nil {
			r.seps = nil
		}
		m.used, m.r = k, base+from
		in.nr++
		in.fnr++
		if in.steps--; in.steps == 0 {
			in.steps++
			in.tick()
		}
		if in.copied != nil && in.copyFields(rec) {
			continue
		}
		if in.applyRules() {
			return true
		}
		if m != in.main || m.changes != changes || m.used != k || !in.fieldsAhead {
			return false
		}
	}
	return false
}

// lastField stands for $NF in interp.copied.
const lastField = -1

// copyFields prints the fields that are all the program prints, and reports
// whether it did.
func (in *interp) copyFields(rec []byte) bool {
	w := &in.stdout
	most := len(in.copied)*(len(rec)+len(in.ofs)) + len(in.ors)
	if most > cap(w.buf)-len(w.buf) {
		w.flush()
		if w.err != nil || most > cap(w.buf) {
			return false
		}
	}
	if w.now || !in.ttyKnown {
		return false
	}
	r := &in.rec
	b := w.buf
	for i, f := range in.copied {
		if i > 0 {
			b = append(b, in.ofs...)
		}
		if f == lastField {
			f = r.n
		}
		switch {
		case f == 0:
			b = append(b, rec...)
		case f <= r.n:
			b = append(b, rec[r.pos[2*f-2]:r.pos[2*f-1]]...)
		}
	}
	w.buf = append(b, in.ors...)
	return true
}

// copies returns the fields that are all a program prints of every record, or
// nil for other programs.
func copies(rules []rule) []int {
	if len(rules) != 1 || rules[0].pattern != nil || rules[0].pattern2 != nil || len(rules[0].body.stmts) != 1 {
		return nil
	}
	p, ok := rules[0].body.stmts[0].(*printStmt)
	if !ok || p.redir != 0 {
		return nil
	}
	var l []int
	for _, a := range p.args {
		switch f := a.(type) {
		case *constField:
			l = append(l, f.i)
		case *field:
			v, ok := f.x.(*specialVar)
			if !ok || v.id != syntax.NF {
				return nil
			}
			l = append(l, lastField)
		default:
			return nil
		}
	}
	return l
}

// applyRules runs the rules for the record and reports whether the program has
// ended.
func (in *interp) applyRules() (exit bool) {
	for i := range in.rules {
		r := &in.rules[i]
		var c ctl
		if r.pattern == nil && !r.print {
			if len(r.body.stmts) == 1 {
				in.pos = r.body.pos[0]
				c = r.body.stmts[0].exec(in)
			} else {
				c = r.body.exec(in)
			}
		} else {
			c = r.apply(in)
		}
		switch c {
		case cNone:
			continue
		case cNextFile:
			in.skipFile()
		case cExit:
			return true
		}
		return false
	}
	return false
}
