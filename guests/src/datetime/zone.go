// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package datetime

import "github.com/wsandbox/wsandbox/guests/src/wsys"

// Zone is a time zone. The zero value and nil are UTC.
type Zone struct {
	std, dst       string
	stdOff, dstOff int // seconds east of UTC
	hasDST         bool
	start, end     rule // of daylight saving time, in local time

	// Transitions of a zone file, before the rules above apply.
	trans []int64
	index []uint8
	types []zoneType
	rules bool // whether the rules apply behind the last transition
}

type zoneType struct {
	off  int
	dst  bool
	name string
}

// A rule is a date of each year: 'M' month.week.day, 'J' day from 1 without leap
// days, 'n' day from 0; and a time in seconds.
type rule struct {
	kind             byte
	month, week, day int
	time             int
}

// UTC is Coordinated Universal Time.
var UTC = &Zone{std: "UTC"}

// Fixed returns a zone of one offset, in seconds east of UTC.
func Fixed(name string, offset int) *Zone { return &Zone{std: name, stdOff: offset} }

// Load returns the zone that a value of TZ names: a POSIX string such as
// "CET-1CEST,M3.5.0,M10.5.0/3", or the name of a file in /usr/share/zoneinfo.
// set says whether TZ is set at all: if not, /etc/localtime is used where it
// exists. Unknown zones are UTC, as in libc.
func Load(tz string, set bool) *Zone {
	if !set {
		if b, err := wsys.ReadFile("/etc/localtime"); err == nil {
			if z := parseFile(b); z != nil {
				return z
			}
		}
		return UTC
	}
	if tz != "" && tz[0] == ':' {
		tz = tz[1:]
	}
	if tz == "" || tz == "UTC" || tz == "UTC0" {
		return UTC
	}
	if okName(tz) {
		path := tz
		if tz[0] != '/' {
			path = "/usr/share/zoneinfo/" + tz
		}
		if b, err := wsys.ReadFile(path); err == nil {
			if z := parseFile(b); z != nil {
				return z
			}
		}
	}
	if z := ParsePOSIX(tz); z != nil {
		return z
	}
	// glibc takes the letters of an unknown name as the abbreviation of UTC.
	n := 0
	for n < len(tz) && alpha(tz[n]) {
		n++
	}
	if n >= 3 {
		return Fixed(tz[:n], 0)
	}
	return UTC
}

// okName reports whether s may be the name of a zone file. As in libc, a file
// comes before a POSIX string of the same look, such as EST5EDT.
func okName(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] == ',' || s[i] == '<' || s[i] == '.' && i > 0 && s[i-1] == '.' {
			return false
		}
	}
	return true
}

func alpha(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }
func digit(c byte) bool { return c >= '0' && c <= '9' }

// ParsePOSIX parses a POSIX TZ string. It returns nil where it is none.
//
// POSIX: XBD 8.3 Other Environment Variables, TZ.
func ParsePOSIX(s string) *Zone {
	p := tzParser{s: s}
	z := &Zone{}
	z.std = p.name()
	off, ok := p.offset()
	if z.std == "" || !ok {
		return nil
	}
	z.stdOff = -off
	if p.s == "" {
		return z
	}
	if z.dst = p.name(); z.dst == "" {
		return nil
	}
	z.hasDST, z.dstOff = true, z.stdOff+3600
	if p.s != "" && p.s[0] != ',' {
		if off, ok = p.offset(); !ok {
			return nil
		}
		z.dstOff = -off
	}
	if p.s == "" {
		z.start = rule{kind: 'M', month: 3, week: 2, time: 7200}
		z.end = rule{kind: 'M', month: 11, week: 1, time: 7200}
		return z
	}
	if !p.rule(&z.start) || !p.rule(&z.end) || p.s != "" {
		return nil
	}
	return z
}

type tzParser struct{ s string }

func (p *tzParser) name() string {
	i := 0
	if p.s != "" && p.s[0] == '<' {
		for i = 1; i < len(p.s) && (alpha(p.s[i]) || digit(p.s[i]) || p.s[i] == '+' || p.s[i] == '-'); i++ {
		}
		if i == len(p.s) || p.s[i] != '>' || i < 4 {
			return ""
		}
		n := p.s[1:i]
		p.s = p.s[i+1:]
		return n
	}
	for i < len(p.s) && alpha(p.s[i]) {
		i++
	}
	if i < 3 {
		return ""
	}
	n := p.s[:i]
	p.s = p.s[i:]
	return n
}

func (p *tzParser) num(max int) (int, bool) {
	v, i := 0, 0
	for i < len(p.s) && digit(p.s[i]) && i < 4 {
		v = v*10 + int(p.s[i]-'0')
		i++
	}
	p.s = p.s[i:]
	return v, i > 0 && v <= max
}

// offset parses [+-]hh[:mm[:ss]] into seconds.
func (p *tzParser) offset() (int, bool) {
	sign := 1
	if p.s != "" && (p.s[0] == '+' || p.s[0] == '-') {
		if p.s[0] == '-' {
			sign = -1
		}
		p.s = p.s[1:]
	}
	v, ok := p.num(167)
	v *= 3600
	for unit := 60; ok && unit > 0 && p.s != "" && p.s[0] == ':'; unit /= 60 {
		p.s = p.s[1:]
		var n int
		n, ok = p.num(59)
		v += n * unit
	}
	return sign * v, ok
}

func (p *tzParser) rule(r *rule) bool {
	if p.s == "" || p.s[0] != ',' {
		return false
	}
	p.s = p.s[1:]
	if p.s == "" {
		return false
	}
	var ok bool
	switch c := p.s[0]; {
	case c == 'M':
		r.kind = 'M'
		p.s = p.s[1:]
		if r.month, ok = p.num(12); !ok || r.month == 0 || !p.dot() {
			return false
		}
		if r.week, ok = p.num(5); !ok || r.week == 0 || !p.dot() {
			return false
		}
		if r.day, ok = p.num(6); !ok {
			return false
		}
	case c == 'J':
		r.kind = 'J'
		p.s = p.s[1:]
		if r.day, ok = p.num(365); !ok || r.day == 0 {
			return false
		}
	default:
		r.kind = 'n'
		if r.day, ok = p.num(365); !ok {
			return false
		}
	}
	r.time = 7200
	if p.s != "" && p.s[0] == '/' {
		p.s = p.s[1:]
		if r.time, ok = p.offset(); !ok {
			return false
		}
	}
	return true
}

func (p *tzParser) dot() bool {
	if p.s == "" || p.s[0] != '.' {
		return false
	}
	p.s = p.s[1:]
	return true
}

// at returns the local time, as seconds since 1970 by the local clock, at which
// the rule applies in a year.
func (r *rule) at(year int64) int64 {
	var day int64
	switch r.kind {
	case 'J':
		day = Days(year, 1, 1) + int64(r.day) - 1
		if Leap(year) && r.day >= 60 {
			day++
		}
	case 'n':
		day = Days(year, 1, 1) + int64(r.day)
	default:
		first := Days(year, int64(r.month), 1)
		wd := ((first%7+7)%7 + 4) % 7
		day = first + (int64(r.day)-wd+7)%7 + 7*int64(r.week-1)
		if r.week == 5 && day >= Days(year, int64(r.month)+1, 1) {
			day -= 7
		}
	}
	return day*86400 + int64(r.time)
}

// At returns the offset in seconds east of UTC, the abbreviation and whether it
// is daylight saving time at sec seconds since the Unix epoch.
func (z *Zone) At(sec int64) (offset int, name string, dst bool) {
	if z == nil {
		return 0, "UTC", false
	}
	if len(z.types) > 0 && (len(z.trans) == 0 || sec < z.trans[len(z.trans)-1] || !z.rules) {
		lo, hi := 0, len(z.trans)
		for lo < hi {
			m := (lo + hi) / 2
			if z.trans[m] <= sec {
				lo = m + 1
			} else {
				hi = m
			}
		}
		var t zoneType
		if lo > 0 {
			t = z.types[z.index[lo-1]]
		} else {
			t = z.types[0]
			for _, c := range z.types {
				if !c.dst {
					t = c
					break
				}
			}
		}
		return t.off, t.name, t.dst
	}
	if !z.hasDST {
		return z.stdOff, z.std, false
	}
	year, _, _ := DateOf(floorDiv(sec, 86400) + floorDiv(floorMod(sec, 86400)+int64(z.stdOff), 86400))
	start := z.start.at(year) - int64(z.stdOff)
	end := z.end.at(year) - int64(z.dstOff)
	in := start <= sec && sec < end
	if start > end {
		in = !(end <= sec && sec < start)
	}
	if in {
		return z.dstOff, z.dst, true
	}
	return z.stdOff, z.std, false
}

func floorMod(a, b int64) int64 { return a - floorDiv(a, b)*b }

// parseFile parses a compiled zone file. It returns nil where it is malformed.
//
// RFC 8536.
func parseFile(b []byte) *Zone {
	be32 := func(b []byte) int64 {
		return int64(int32(uint32(b[0])<<24 | uint32(b[1])<<16 | uint32(b[2])<<8 | uint32(b[3])))
	}
	var n [6]int // isutcnt, isstdcnt, leapcnt, timecnt, typecnt, charcnt
	header := func() bool {
		if len(b) < 44 || string(b[:4]) != "TZif" {
			return false
		}
		for i := range n {
			v := be32(b[20+4*i:])
			if v < 0 || v > 1<<16 {
				return false
			}
			n[i] = int(v)
		}
		return true
	}
	if !header() {
		return nil
	}
	size := 4
	body := func() int { return n[3]*(size+1) + n[4]*6 + n[5] + n[2]*(size+4) + n[1] + n[0] }
	version := b[4]
	if version >= '2' {
		if skip := 44 + body(); skip > len(b) {
			return nil
		}
		b = b[44+body():]
		if !header() {
			return nil
		}
		size = 8
	}
	if 44+body() > len(b) || n[4] == 0 {
		return nil
	}
	rest := b[44+body():]
	b = b[44:]
	z := &Zone{}
	for i := 0; i < n[3]; i++ {
		v := be32(b[i*size:])
		if size == 8 {
			v = v<<32 | be32(b[i*size+4:])&0xffffffff
		}
		z.trans = append(z.trans, v)
	}
	z.index = b[n[3]*size : n[3]*(size+1)]
	b = b[n[3]*(size+1):]
	chars := b[n[4]*6 : n[4]*6+n[5]]
	for i := 0; i < n[4]; i++ {
		t := b[i*6:]
		a := int(t[5])
		if a >= len(chars) {
			return nil
		}
		e := a
		for e < len(chars) && chars[e] != 0 {
			e++
		}
		z.types = append(z.types, zoneType{int(be32(t)), t[4] != 0, string(chars[a:e])})
	}
	for i, x := range z.index {
		if int(x) >= n[4] || i > 0 && z.trans[i] < z.trans[i-1] {
			return nil
		}
	}
	if size == 8 && len(rest) > 2 && rest[0] == '\n' {
		e := 1
		for e < len(rest) && rest[e] != '\n' {
			e++
		}
		if r := ParsePOSIX(string(rest[1:e])); r != nil {
			r.trans, r.index, r.types, r.rules = z.trans, z.index, z.types, true
			if len(z.trans) == 0 {
				r.types = nil
			}
			return r
		}
	}
	return z
}
