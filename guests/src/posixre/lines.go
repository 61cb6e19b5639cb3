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

// FindAll stores the bounds of the leftmost-longest matches in b from pos on, as
// repeated calls of Find at the end of the match before do, one character
// further behind an empty match; with once only the first of each line. It
// returns how many numbers it stored and where to go on, len(b) behind the last.
// b consists of whole lines, and a match at its very end does not count. out
// must have room for one match. The pattern must have been compiled with Lines
// or ZeroLines. The error is as for [Regexp.Find].
func (re *Regexp) FindAll(b []byte, pos int, once bool, out []uint32) (n, next int, err error) {
	if re.backrefs == 0 && !re.words && hostWorth(len(b)-pos) {
		return re.hostMatches(b, pos, once, out)
	}
	return re.findAll(b, pos, once, out)
}

func (re *Regexp) findAll(b []byte, pos int, once bool, out []uint32) (n, next int, err error) {
	var loc [2]int
	for pos < len(b) && len(out)-n >= 2 {
		ok, err := re.Find(b, pos, 0, loc[:])
		if err != nil {
			return n, pos, err
		}
		if !ok || loc[0] == len(b) {
			return n, len(b), nil
		}
		out[n], out[n+1] = uint32(loc[0]), uint32(loc[1])
		n += 2
		switch pos = loc[1]; {
		case once:
			_, pos = re.lineOf(b, pos)
			pos = min(pos+1, len(b))
		case loc[0] == loc[1]:
			_, size := re.abc.next(b, pos)
			pos += size
		}
	}
	return n, pos, nil
}
