// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package datetime

type tokenKind uint8

const (
	tEnd tokenKind = iota
	tUnknown
	tNum  // digits
	tSNum // a sign and digits
	tUDec // digits with a fraction
	tSDec // a sign and digits with a fraction
	tChar // val is a character
	tMeridian
	tMonth
	tDay
	tUnit
	tOrdinal
	tAgo
	tDayShift
	tZone
	tDayZone
	tLocalZone
	tDST
	tT
)

type token struct {
	kind   tokenKind
	val    int64
	digits int
	neg    bool
	nsec   int // of tUDec and tSDec, not negative
}

// maxNumber bounds every number of a date, so that sums cannot overflow.
const maxNumber = int64(1) << 55

type dateParser struct {
	s    string
	now  int64
	z    *Zone
	toks []token

	times, dates, days, zones, dsts int
	rels                            bool

	year                    int64
	yearDigits              int
	month, day              int64
	hour, min, sec          int64
	nsec                    int
	meridian                int64 // -1: 24 hours
	dayOrdinal, dayNumber   int64
	zoneOffset              int64 // seconds
	localZone               bool
	relYear, relMonth       int64
	relDay, relHour         int64
	relMin, relSec, relNsec int64
	bad                     bool
}

// Parse reads a date as GNU date -d does: items in any order, such as a
// calendar date, a time of day, a zone, a day of the week, relative items and
// plain numbers; or "@" and seconds since the Unix epoch. What is not said comes
// from now. A leading TZ="ZONE" replaces the zone z.
//
// GNU: coreutils, Date input formats.
func Parse(s string, now int64, nowNsec int, z *Zone) (sec int64, nsec int, ok bool) {
	s = skipBlank(s)
	if len(s) > 4 && s[:4] == `TZ="` {
		var tz []byte
		i := 4
		for ; i < len(s) && s[i] != '"'; i++ {
			if s[i] == '\\' {
				if i++; i == len(s) || s[i] != '\\' && s[i] != '"' {
					return 0, 0, false
				}
			}
			tz = append(tz, s[i])
		}
		if i == len(s) {
			return 0, 0, false
		}
		z = Load(string(tz), true)
		s = skipBlank(s[i+1:])
	}
	p := &dateParser{s: s, now: now, z: z, meridian: -1}
	if !p.scan() {
		return 0, 0, false
	}
	c := In(now, z)
	p.year, p.month, p.day = c.Year, int64(c.Month), int64(c.Day)
	p.hour, p.min, p.sec, p.nsec = int64(c.Hour), int64(c.Min), int64(c.Sec), nowNsec
	if t := p.toks; t[0].kind == tChar && t[0].val == '@' {
		if len(t) < 2 || t[1].kind < tNum || t[1].kind > tSDec || t[2].kind != tEnd {
			return 0, 0, false
		}
		v, ns := t[1].val, t[1].nsec
		if t[1].neg && ns > 0 {
			v, ns = v-1, 1e9-ns
		}
		return v, ns, true
	}
	for p.toks[0].kind != tEnd && !p.bad {
		p.item()
	}
	if p.bad || p.times > 1 || p.dates > 1 || p.days > 1 || p.zones > 1 || p.dsts > 1 {
		return 0, 0, false
	}
	return p.resolve()
}

func skipBlank(s string) string {
	for s != "" && (s[0] == ' ' || s[0] >= '\t' && s[0] <= '\r') {
		s = s[1:]
	}
	return s
}

// scan splits the text into tokens.
func (p *dateParser) scan() bool {
	s := p.s
	for {
		s = skipBlank(s)
		if s == "" {
			// Enough ends, so that looking ahead needs no checks.
			p.toks = append(p.toks, token{}, token{}, token{}, token{}, token{}, token{})
			return true
		}
		if len(p.toks) > 10000 {
			return false
		}
		c := s[0]
		switch {
		case digit(c) || c == '-' || c == '+':
			t := token{kind: tNum}
			if !digit(c) {
				s = skipBlank(s[1:])
				if s == "" || !digit(s[0]) {
					continue // a sign without a number means nothing
				}
				t.kind, t.neg = tSNum, c == '-'
			}
			for s != "" && digit(s[0]) {
				if t.val = t.val*10 + int64(s[0]-'0'); t.val > maxNumber {
					return false
				}
				t.digits++
				s = s[1:]
			}
			if t.neg {
				t.val = -t.val
			}
			if len(s) > 1 && (s[0] == '.' || s[0] == ',') && digit(s[1]) {
				t.kind += tUDec - tNum
				s = s[1:]
				more := false
				for n := 0; s != "" && digit(s[0]); n++ {
					if n < 9 {
						t.nsec = t.nsec*10 + int(s[0]-'0')
						t.digits = n + 1
					} else if s[0] != '0' {
						more = true
					}
					s = s[1:]
				}
				for n := t.digits; n < 9; n++ {
					t.nsec *= 10
				}
				if more && t.neg {
					t.nsec++ // towards minus infinity
				}
			}
			p.toks = append(p.toks, t)
		case alpha(c):
			n := 0
			w := make([]byte, 0, 16)
			for n < len(s) && (alpha(s[n]) || s[n] == '.') {
				if len(w) < 20 {
					u := s[n]
					if u >= 'a' {
						u &^= 0x20
					}
					w = append(w, u)
				}
				n++
			}
			s = s[n:]
			p.toks = append(p.toks, p.lookup(string(w)))
		case c == '(':
			depth := 0
			for {
				if s == "" {
					return false
				}
				if s[0] == '(' {
					depth++
				} else if s[0] == ')' {
					depth--
				}
				s = s[1:]
				if depth == 0 {
					break
				}
			}
		default:
			p.toks = append(p.toks, token{kind: tChar, val: int64(c)})
			s = s[1:]
		}
	}
}

func (p *dateParser) fail() { p.bad = true }

func (p *dateParser) skip(n int) { p.toks = p.toks[n:] }

func (p *dateParser) is(i int, c byte) bool {
	return p.toks[i].kind == tChar && p.toks[i].val == int64(c)
}

// item reads one item at the start of the tokens.
func (p *dateParser) item() {
	t := p.toks
	switch t[0].kind {
	case tNum:
		p.number()
	case tSNum:
		if t[1].kind != tUnit {
			p.fail()
			return
		}
		p.relative(t[0].val, 0, t[1].val, 2)
	case tUDec, tSDec:
		if t[1].kind != tUnit || t[1].val != unitSecond+unitFactor {
			p.fail()
			return
		}
		ns := int64(t[0].nsec)
		if t[0].neg {
			ns = -ns
		}
		p.relative(t[0].val, ns, t[1].val, 2)
	case tUnit:
		p.relative(1, 0, t[0].val, 1)
	case tOrdinal:
		switch t[1].kind {
		case tUnit:
			p.relative(t[0].val, 0, t[1].val, 2)
		case tDay:
			p.weekday(t[0].val, t[1].val, 2)
		default:
			p.fail()
		}
	case tDayShift:
		p.rels = true
		p.relDay += t[0].val
		p.skip(1)
	case tDay:
		n := 1
		if p.is(1, ',') {
			n = 2
		}
		p.weekday(0, t[0].val, n)
	case tMonth:
		switch {
		case t[1].kind == tSNum && t[2].kind == tSNum:
			p.date(-t[2].val, t[2].digits, t[0].val, -t[1].val, 3)
		case t[1].kind == tNum && p.is(2, ','):
			if t[3].kind != tNum {
				p.fail()
				return
			}
			p.date(t[3].val, t[3].digits, t[0].val, t[1].val, 4)
		case t[1].kind == tNum:
			p.dates++
			p.month, p.day = t[0].val, t[1].val
			p.skip(2)
		default:
			p.fail()
		}
	case tZone, tT:
		off := t[0].val * 60
		n := 1
		switch {
		case t[1].kind == tSNum && t[2].kind == tUnit:
		case t[1].kind == tSNum:
			o, m := p.offset(1)
			off += o
			n += m
		case t[1].kind == tDST && t[0].kind == tZone:
			off += 3600
			n++
		}
		p.setZone(off, n)
	case tDayZone:
		p.setZone(t[0].val*60+3600, 1)
	case tLocalZone:
		off, n := t[0].val, 1
		if t[1].kind == tDST {
			n++
			if t[0].digits == 0 {
				off += 3600
			}
			p.dsts++
		}
		p.setZone(off, n)
	default:
		p.fail()
	}
}

func (p *dateParser) setZone(off int64, n int) {
	p.zones++
	p.zoneOffset = off
	p.skip(n)
}

// offset reads a zone offset at token i: [+-]hh, [+-]hhmm or [+-]hh:mm. It
// returns the seconds and the number of tokens.
func (p *dateParser) offset(i int) (sec int64, n int) {
	t := p.toks[i]
	v, n := t.val, 1
	if v < 0 {
		v = -v
	}
	var minutes int64
	switch {
	case p.is(i+1, ':') && p.toks[i+2].kind == tNum:
		minutes = v*60 + p.toks[i+2].val
		n = 3
	case p.is(i+1, ':'):
		p.fail()
	case t.digits <= 2:
		minutes = v * 60
	default:
		minutes = v/100*60 + v%100
	}
	if minutes > 24*60 {
		p.fail()
	}
	if t.neg {
		minutes = -minutes
	}
	return minutes * 60, n
}

func (p *dateParser) weekday(ordinal, day int64, n int) {
	p.days++
	p.dayOrdinal, p.dayNumber = ordinal, day
	p.skip(n)
}

// date takes a calendar date from n tokens.
func (p *dateParser) date(year int64, digits int, month, day int64, n int) {
	p.dates++
	p.year, p.yearDigits, p.month, p.day = year, digits, month, day
	p.skip(n)
}

// relative adds v units from n tokens, and reads "ago".
func (p *dateParser) relative(v, ns, unit int64, n int) {
	p.rels = true
	p.skip(n)
	if p.toks[0].kind == tAgo {
		v, ns = v*p.toks[0].val, ns*p.toks[0].val
		p.skip(1)
	}
	v *= unit / unitFactor
	sum := &p.relYear
	switch unit & unitMask {
	case unitMonth:
		sum = &p.relMonth
	case unitDay:
		sum = &p.relDay
	case unitHour:
		sum = &p.relHour
	case unitMinute:
		sum = &p.relMin
	case unitSecond:
		sum = &p.relSec
		p.relNsec += ns
	}
	if *sum += v; *sum > maxNumber || *sum < -maxNumber {
		p.fail()
	}
}

// number reads an item that starts with an unsigned number.
func (p *dateParser) number() {
	t := p.toks
	v := t[0].val
	switch t[1].kind {
	case tMeridian:
		p.time(v, 0, 0, 0, t[1].val, 2)
		return
	case tUnit:
		p.relative(v, 0, t[1].val, 2)
		return
	case tDay:
		p.weekday(v, t[1].val, 2)
		return
	case tMonth:
		switch t[2].kind {
		case tSNum:
			p.date(-t[2].val, t[2].digits, t[1].val, v, 3)
		case tNum:
			p.date(t[2].val, t[2].digits, t[1].val, v, 3)
		default:
			p.dates++
			p.month, p.day = t[1].val, v
			p.skip(2)
		}
		return
	case tSNum:
		switch t[2].kind {
		case tSNum:
			p.date(v, t[0].digits, -t[1].val, -t[2].val, 3)
			if p.toks[0].kind == tT {
				p.skip(1)
				if p.toks[0].kind != tNum || !p.is(1, ':') && p.toks[1].kind != tSNum {
					p.fail()
					return
				}
				p.clock()
			}
		case tUnit: // a number, then a relative item
			p.plain(v, t[0].digits)
			p.skip(1)
		default:
			p.clock()
		}
		return
	}
	switch {
	case p.is(1, ':'):
		p.clock()
	case p.is(1, '/'):
		if t[2].kind != tNum {
			p.fail()
			return
		}
		if !p.is(3, '/') {
			p.dates++
			p.month, p.day = v, t[2].val
			p.skip(3)
			return
		}
		switch {
		case t[4].kind != tNum:
			p.fail()
		case t[0].digits >= 4:
			p.date(v, t[0].digits, t[2].val, t[4].val, 5)
		default:
			p.date(t[4].val, t[4].digits, v, t[2].val, 5)
		}
	default:
		p.plain(v, t[0].digits)
		p.skip(1)
	}
}

// clock reads a time of day with colons, or an hour with a zone.
func (p *dateParser) clock() {
	t := p.toks
	var min, sec int64
	ns, n := 0, 1
	if p.is(1, ':') {
		if t[2].kind != tNum {
			p.fail()
			return
		}
		min, n = t[2].val, 3
		if p.is(3, ':') {
			if t[4].kind != tNum && t[4].kind != tUDec {
				p.fail()
				return
			}
			sec, ns, n = t[4].val, t[4].nsec, 5
		}
		if t[n].kind == tMeridian {
			p.time(t[0].val, min, sec, ns, t[n].val, n+1)
			return
		}
	}
	p.time(t[0].val, min, sec, ns, -1, n)
	if p.toks[0].kind == tSNum {
		off, n := p.offset(0)
		p.setZone(off, n)
	}
}

func (p *dateParser) time(hour, min, sec int64, nsec int, meridian int64, n int) {
	p.times++
	p.hour, p.min, p.sec, p.nsec, p.meridian = hour, min, sec, nsec, meridian
	p.skip(n)
}

// plain takes a number that stands alone: a year behind a date, a date of eight
// digits, or a time.
func (p *dateParser) plain(v int64, digits int) {
	switch {
	case p.dates > 0 && p.yearDigits == 0 && !p.rels && (p.times > 0 || digits > 2):
		p.year, p.yearDigits = v, digits
	case digits > 4:
		p.dates++
		p.day, p.month, p.year = v%100, v/100%100, v/10000
		p.yearDigits = digits - 4
	default:
		p.times++
		p.hour, p.min = v, 0
		if digits > 2 {
			p.hour, p.min = v/100, v%100
		}
		p.sec, p.nsec, p.meridian = 0, 0, -1
	}
}

// resolve computes the instant that the items name.
func (p *dateParser) resolve() (sec int64, nsec int, ok bool) {
	year := p.year
	if p.yearDigits > 0 {
		switch {
		case year < 0:
			year = -year
		case p.yearDigits == 2 && year < 69:
			year += 2000
		case p.yearDigits == 2:
			year += 1900
		}
	}
	hour, min, s, ns := int64(0), int64(0), int64(0), int64(0)
	if p.times > 0 || p.rels && p.dates == 0 && p.days == 0 {
		hour, min, s, ns = p.hour, p.min, p.sec, int64(p.nsec)
		switch {
		case p.meridian < 0:
			if hour > 23 {
				return 0, 0, false
			}
		case hour < 1 || hour > 12:
			return 0, 0, false
		default:
			hour = hour%12 + 12*p.meridian
		}
	}
	month, day := p.month, p.day
	if month < 1 || month > 12 || day < 1 || day > 31 || min > 59 || s > 59 || hour < 0 || year > 1<<31+1899 || year < -1<<31 {
		return 0, 0, false
	}
	if y, m, d := DateOf(Days(year, month, day)); y != year || int64(m) != month || int64(d) != day {
		return 0, 0, false
	}
	z := p.z
	if p.zones > 0 {
		z = Fixed("", int(p.zoneOffset))
	}
	if p.days > 0 && p.dates == 0 {
		wd := floorMod(Days(year, month, day)+4, 7)
		day += floorMod(p.dayNumber-wd, 7)
		weeks := p.dayOrdinal
		if weeks > 0 && wd != p.dayNumber {
			weeks--
		}
		day += 7 * weeks
	}
	if !p.rels && p.zones == 0 {
		// A time that the clocks leap over does not exist.
		t := Unix(year, month, day, hour, min, s, z, true)
		if c := In(t, z); int64(c.Hour) != hour || int64(c.Min) != min {
			return 0, 0, false
		}
	}
	const most = int64(1) << 40
	year, month, day = year+p.relYear, month+p.relMonth, day+p.relDay
	if year > most || year < -most || month > most || month < -most || day > most || day < -most {
		return 0, 0, false
	}
	t := Unix(year, month, day, hour, min, s, z, true)
	if y, _, _ := DateOf(floorDiv(t, 86400)); y > 1<<31+1899 || y < -1<<31 {
		return 0, 0, false
	}
	ns += p.relNsec
	const seconds = int64(1) << 53
	if p.relHour > seconds/3600 || p.relHour < -seconds/3600 || p.relMin > seconds/60 || p.relMin < -seconds/60 {
		return 0, 0, false
	}
	t += p.relHour*3600 + p.relMin*60 + p.relSec + floorDiv(ns, 1e9)
	if t > 1<<56 || t < -1<<56 {
		return 0, 0, false
	}
	return t, int(floorMod(ns, 1e9)), true
}
