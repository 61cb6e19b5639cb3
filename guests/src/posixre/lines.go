// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package posixre

// FindLines is FindLine for as many lines as out has room for: it stores the
// bounds of each, without the byte that ends it, and returns how many numbers
// that are and where to go on. Behind the last line that is len(b). out must
// have room for one line.
func (re *Regexp) FindLines(b []byte, pos int, out []uint32) (n, next int, err error) {
	if re.backrefs == 0 && hostWorth(len(b)-pos) {
		return re.hostLines(b, pos, out)
	}
	for len(out)-n >= 2 {
		s, e, err := re.FindLine(b, pos)
		if s < 0 || err != nil {
			return n, len(b), err
		}
		out[n], out[n+1] = uint32(s), uint32(e)
		n += 2
		pos = min(e+1, len(b))
	}
	return n, pos, nil
}

// lineOf returns the bounds of the line that at is in.
func (re *Regexp) lineOf(b []byte, at int) (start, end int) {
	start = lastIndexByte(b[:at], byte(re.eol)) + 1
	end = len(b)
	if k := indexByte(b[at:], byte(re.eol)); k >= 0 {
		end = at + k
	}
	return start, end
}
