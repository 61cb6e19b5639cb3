// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package patch

import (
	"bytes"
	"strconv"
)

// hunk is a change: the lines old, with a newline each unless the file ends
// without one, become the lines new.
type hunk struct {
	oldStart, newStart int // from 1; of the line before where there are none
	old, new           [][]byte
	same               []int    // for each line of new which of old it is, -1 for none
	prefix, suffix     int      // lines of context at the ends
	body               [][]byte // as in the patch, with the sign, for rejects
}

// diff is what a patch says of one file.
type diff struct {
	oldName, newName   string // of the --- and +++ lines; "" where there are none
	oldStamp, newStamp string // what stands behind the names
	index              string // of an Index: line
	gitOld, gitNew     string // of rename lines
	rename             bool
	mode               uint32 // of a "new file mode" or "new mode" line; 0: none
	created, deleted   bool
	head               [][]byte // the text before the hunks
	line               int      // number of the first line of the hunks
	hunks              []hunk
	skipped            bool // the hunks were not tried
}

// parser splits a patch.
type parser struct {
	lines [][]byte // without newlines
	i     int
	err   string
	at    int // line of err
}

func newParser(b []byte) *parser {
	p := &parser{}
	for len(b) > 0 {
		i := bytes.IndexByte(b, '\n')
		if i < 0 {
			i = len(b)
		}
		l := b[:i]
		p.lines = append(p.lines, l)
		b = b[min(i+1, len(b)):]
	}
	return p
}

func (p *parser) peek(k int) []byte {
	if p.i+k < len(p.lines) {
		return p.lines[p.i+k]
	}
	return nil
}

// next returns the diff of the next file, nil at the end or with err set.
func (p *parser) next() *diff {
	d := &diff{}
	from := p.i
	git := false
	for ; p.i < len(p.lines); p.i++ {
		l := trimCR(p.lines[p.i])
		rest, ok := cutPrefix(l, "diff --git ")
		switch {
		case ok:
			if git && (d.rename || d.created || d.deleted || d.mode != 0) {
				d.head = p.lines[from:p.i]
				return d // a change without hunks
			}
			*d = diff{}
			git = true
			d.gitOld, d.gitNew = gitNames(rest)
			continue
		case git:
			if v, ok := cutPrefix(l, "rename from "); ok {
				d.rename, d.gitOld = true, unquote(string(v))
				continue
			}
			if v, ok := cutPrefix(l, "rename to "); ok {
				d.rename, d.gitNew = true, unquote(string(v))
				continue
			}
			if v, ok := cutPrefix(l, "new file mode "); ok {
				d.created, d.mode = true, octal(v)
				continue
			}
			if v, ok := cutPrefix(l, "new mode "); ok {
				d.mode = octal(v)
				continue
			}
			if _, ok := cutPrefix(l, "deleted file mode "); ok {
				d.deleted = true
				continue
			}
		}
		if v, ok := cutPrefix(l, "Index: "); ok {
			d.index = string(v)
			continue
		}
		if v, ok := cutPrefix(l, "--- "); ok {
			if w, ok := cutPrefix(trimCR(p.peek(1)), "+++ "); ok && bytes.HasPrefix(p.peek(2), []byte("@@ -")) {
				d.oldName, d.oldStamp = nameOf(v)
				d.newName, d.newStamp = nameOf(w)
				p.i++
				continue
			}
		}
		if bytes.HasPrefix(l, []byte("@@ -")) {
			if _, ok := parseRange(l); ok {
				d.head, d.line = p.lines[from:p.i], p.i+1
				p.hunks(d)
				if p.err != "" {
					return nil
				}
				return d
			}
		}
	}
	if git && (d.rename || d.created || d.deleted || d.mode != 0) {
		d.head = p.lines[from:]
		return d
	}
	return nil
}

func trimCR(l []byte) []byte {
	if n := len(l); n > 0 && l[n-1] == '\r' {
		return l[:n-1]
	}
	return l
}

func cutPrefix(l []byte, s string) ([]byte, bool) {
	if len(l) >= len(s) && string(l[:len(s)]) == s {
		return l[len(s):], true
	}
	return nil, false
}

func octal(b []byte) uint32 {
	v, err := strconv.ParseUint(string(b), 8, 32)
	if err != nil {
		return 0
	}
	return uint32(v)
}

// gitNames splits "a/name b/name".
func gitNames(b []byte) (string, string) {
	s := string(b)
	if n := len(s); n > 0 && s[0] != '"' {
		// The usual case: the same name twice.
		if h := n / 2; n%2 == 1 && s[h] == ' ' && len(s[:h]) > 2 && s[2:h] == s[h+3:] {
			return s[:h], s[h+1:]
		}
		for i := 1; i+1 < n; i++ {
			if s[i] == ' ' {
				return s[:i], s[i+1:]
			}
		}
	}
	return "", ""
}

// nameOf splits a name from the time behind it.
func nameOf(b []byte) (name, stamp string) {
	if len(b) > 0 && b[0] == '"' {
		return unquote(string(b)), ""
	}
	if i := bytes.IndexByte(b, '\t'); i >= 0 {
		return string(b[:i]), string(b[i:])
	}
	return string(bytes.TrimRight(b, " ")), ""
}

// unquote resolves a name in double quotes.
func unquote(s string) string {
	if s == "" || s[0] != '"' {
		return s
	}
	var b []byte
	for i := 1; i < len(s) && s[i] != '"'; i++ {
		c := s[i]
		if c == '\\' && i+1 < len(s) {
			i++
			switch c = s[i]; c {
			case 'n':
				c = '\n'
			case 't':
				c = '\t'
			case '0', '1', '2', '3':
				v := 0
				k := 0
				for k < 3 && i+k < len(s) && s[i+k] >= '0' && s[i+k] <= '7' {
					v = v*8 + int(s[i+k]-'0')
					k++
				}
				i += k - 1
				c = byte(v)
			}
		}
		b = append(b, c)
	}
	return string(b)
}

// ranges are the numbers of a @@ line.
type ranges struct{ oldStart, oldLen, newStart, newLen int }

// maxLines bounds the numbers of a hunk.
const maxLines = 1 << 30

func parseRange(l []byte) (r ranges, ok bool) {
	rest, ok := cutPrefix(l, "@@ -")
	if !ok {
		return r, false
	}
	number := func() (v int, ok bool) {
		k := 0
		for k < len(rest) && rest[k] >= '0' && rest[k] <= '9' {
			if v = v*10 + int(rest[k]-'0'); v > maxLines {
				return 0, false
			}
			k++
		}
		rest = rest[k:]
		return v, k > 0
	}
	pair := func(start, n *int) bool {
		*n = 1
		var ok bool
		if *start, ok = number(); !ok {
			return false
		}
		if len(rest) > 0 && rest[0] == ',' {
			rest = rest[1:]
			*n, ok = number()
		}
		return ok
	}
	if !pair(&r.oldStart, &r.oldLen) {
		return r, false
	}
	if rest, ok = cutPrefix(rest, " +"); !ok || !pair(&r.newStart, &r.newLen) {
		return r, false
	}
	_, ok = cutPrefix(rest, " @@")
	return r, ok
}

// hunks reads the hunks that follow.
func (p *parser) hunks(d *diff) {
	for p.i < len(p.lines) {
		r, ok := parseRange(p.lines[p.i])
		if !ok {
			return
		}
		p.i++
		h := hunk{oldStart: r.oldStart, newStart: r.newStart}
		changed := false
		oldLeft, newLeft := r.oldLen, r.newLen
		var last byte
		for oldLeft > 0 || newLeft > 0 || p.i < len(p.lines) && len(p.lines[p.i]) > 0 && p.lines[p.i][0] == '\\' {
			if p.i == len(p.lines) {
				p.fail("unexpected end of file in patch")
				return
			}
			l := p.lines[p.i]
			sign, text := byte(' '), l
			if len(l) > 0 { // an empty line stands for an empty line of context
				sign, text = l[0], l[1:]
			}
			full := append(append(make([]byte, 0, len(text)+1), text...), '\n')
			switch {
			case sign == '\\':
				cut := func(s [][]byte) {
					if n := len(s); n > 0 {
						s[n-1] = bytes.TrimSuffix(s[n-1], []byte{'\n'})
					}
				}
				if last != '+' {
					cut(h.old)
				}
				if last != '-' {
					cut(h.new)
				}
			case (sign == ' ' || sign == '\t') && oldLeft > 0 && newLeft > 0:
				if sign == '\t' {
					full = append([]byte{'\t'}, full...)
				}
				h.same = append(h.same, len(h.old))
				h.old, h.new = append(h.old, full), append(h.new, bytes.Clone(full))
				oldLeft, newLeft = oldLeft-1, newLeft-1
				h.suffix++
				if !changed {
					h.prefix++
				}
			case sign == '-' && oldLeft > 0:
				h.old = append(h.old, full)
				oldLeft--
				changed, h.suffix = true, 0
			case sign == '+' && newLeft > 0:
				h.new, h.same = append(h.new, full), append(h.same, -1)
				newLeft--
				changed, h.suffix = true, 0
			default:
				p.fail("malformed patch at line " + strconv.Itoa(p.i+1) + ": " + string(l))
				return
			}
			last = sign
			h.body = append(h.body, l)
			p.i++
		}
		if !changed {
			h.suffix = 0
		}
		d.hunks = append(d.hunks, h)
	}
}

func (p *parser) fail(s string) { p.err = s }

// reversed returns the hunk that undoes h.
func (h *hunk) reversed() hunk {
	r := hunk{oldStart: h.newStart, newStart: h.oldStart, old: h.new, new: h.old, prefix: h.prefix, suffix: h.suffix}
	r.same = make([]int, len(r.new))
	for i := range r.same {
		r.same[i] = -1
	}
	for i, k := range h.same {
		if k >= 0 {
			r.same[k] = i
		}
	}
	// Removed lines go before added ones.
	var plus [][]byte
	flush := func() {
		r.body = append(r.body, plus...)
		plus = nil
	}
	for i := 0; i < len(h.body); i++ {
		l := h.body[i]
		group := [][]byte{l}
		if i+1 < len(h.body) && len(h.body[i+1]) > 0 && h.body[i+1][0] == '\\' {
			group = append(group, h.body[i+1])
			i++
		}
		switch {
		case len(l) > 0 && l[0] == '-':
			group[0] = append([]byte{'+'}, l[1:]...)
			plus = append(plus, group...)
		case len(l) > 0 && l[0] == '+':
			group[0] = append([]byte{'-'}, l[1:]...)
			r.body = append(r.body, group...)
		default:
			flush()
			r.body = append(r.body, group...)
		}
	}
	flush()
	return r
}

// creates reports whether the hunk makes a file out of nothing.
func (h *hunk) creates() bool { return h.oldStart == 0 && len(h.old) == 0 }
