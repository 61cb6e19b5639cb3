// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package datetime

// A word of a date is a token with a value.
type word struct {
	name string
	kind tokenKind
	val  int64
}

// Units of relative items, in the val of a tUnit token: the calendar field, and
// a factor above it.
const (
	unitYear int64 = iota
	unitMonth
	unitDay
	unitHour
	unitMinute
	unitSecond
	unitMask   = 7
	unitFactor = 8
)

var meridians = [...]word{{"AM", tMeridian, 0}, {"A.M.", tMeridian, 0}, {"PM", tMeridian, 1}, {"P.M.", tMeridian, 1}}

var calendar = [...]word{
	{"JANUARY", tMonth, 1}, {"FEBRUARY", tMonth, 2}, {"MARCH", tMonth, 3}, {"APRIL", tMonth, 4}, {"MAY", tMonth, 5},
	{"JUNE", tMonth, 6}, {"JULY", tMonth, 7}, {"AUGUST", tMonth, 8}, {"SEPTEMBER", tMonth, 9}, {"SEPT", tMonth, 9},
	{"OCTOBER", tMonth, 10}, {"NOVEMBER", tMonth, 11}, {"DECEMBER", tMonth, 12},
	{"SUNDAY", tDay, 0}, {"MONDAY", tDay, 1}, {"TUESDAY", tDay, 2}, {"TUES", tDay, 2}, {"WEDNESDAY", tDay, 3},
	{"WEDNES", tDay, 3}, {"THURSDAY", tDay, 4}, {"THUR", tDay, 4}, {"THURS", tDay, 4}, {"FRIDAY", tDay, 5}, {"SATURDAY", tDay, 6},
}

var units = [...]word{
	{"YEAR", tUnit, unitYear + unitFactor}, {"MONTH", tUnit, unitMonth + unitFactor}, {"FORTNIGHT", tUnit, unitDay + 14*unitFactor},
	{"WEEK", tUnit, unitDay + 7*unitFactor}, {"DAY", tUnit, unitDay + unitFactor}, {"HOUR", tUnit, unitHour + unitFactor},
	{"MINUTE", tUnit, unitMinute + unitFactor}, {"MIN", tUnit, unitMinute + unitFactor},
	{"SECOND", tUnit, unitSecond + unitFactor}, {"SEC", tUnit, unitSecond + unitFactor},
}

var relatives = [...]word{
	{"TOMORROW", tDayShift, 1}, {"YESTERDAY", tDayShift, -1}, {"TODAY", tDayShift, 0}, {"NOW", tDayShift, 0},
	{"LAST", tOrdinal, -1}, {"THIS", tOrdinal, 0}, {"NEXT", tOrdinal, 1}, {"FIRST", tOrdinal, 1}, {"THIRD", tOrdinal, 3},
	{"FOURTH", tOrdinal, 4}, {"FIFTH", tOrdinal, 5}, {"SIXTH", tOrdinal, 6}, {"SEVENTH", tOrdinal, 7}, {"EIGHTH", tOrdinal, 8},
	{"NINTH", tOrdinal, 9}, {"TENTH", tOrdinal, 10}, {"ELEVENTH", tOrdinal, 11}, {"TWELFTH", tOrdinal, 12},
	{"AGO", tAgo, -1}, {"HENCE", tAgo, 1},
}

// zones have their offset in minutes east of UTC.
var zones = [...]word{
	{"GMT", tZone, 0}, {"UT", tZone, 0}, {"UTC", tZone, 0},
	{"WET", tZone, 0}, {"WEST", tDayZone, 0}, {"BST", tDayZone, 0}, {"ART", tZone, -180}, {"BRT", tZone, -180},
	{"BRST", tDayZone, -180}, {"NST", tZone, -210}, {"NDT", tDayZone, -210}, {"AST", tZone, -240}, {"ADT", tDayZone, -240},
	{"CLT", tZone, -240}, {"CLST", tDayZone, -240}, {"EST", tZone, -300}, {"EDT", tDayZone, -300}, {"CST", tZone, -360},
	{"CDT", tDayZone, -360}, {"MST", tZone, -420}, {"MDT", tDayZone, -420}, {"PST", tZone, -480}, {"PDT", tDayZone, -480},
	{"AKST", tZone, -540}, {"AKDT", tDayZone, -540}, {"HST", tZone, -600}, {"HAST", tZone, -600}, {"HADT", tDayZone, -600},
	{"SST", tZone, -720}, {"WAT", tZone, 60}, {"CET", tZone, 60}, {"CEST", tDayZone, 60}, {"MET", tZone, 60}, {"MEZ", tZone, 60},
	{"MEST", tDayZone, 60}, {"MESZ", tDayZone, 60}, {"EET", tZone, 120}, {"EEST", tDayZone, 120}, {"CAT", tZone, 120},
	{"SAST", tZone, 120}, {"EAT", tZone, 180}, {"MSK", tZone, 180}, {"MSD", tDayZone, 180}, {"IST", tZone, 330},
	{"SGT", tZone, 480}, {"KST", tZone, 540}, {"JST", tZone, 540}, {"GST", tZone, 600}, {"NZST", tZone, 720}, {"NZDT", tDayZone, 720},
}

const universalZones = 3 // those at the start of zones, before the local names

func find(table []word, name string) (token, bool) {
	for i := range table {
		if table[i].name == name {
			return token{kind: table[i].kind, val: table[i].val}, true
		}
	}
	return token{}, false
}

// lookup classifies a word, given in upper case.
func (p *dateParser) lookup(w string) token {
	if t, ok := find(meridians[:], w); ok {
		return t
	}
	for i := range calendar {
		n := calendar[i].name
		if n == w || (len(w) == 3 || len(w) == 4 && w[3] == '.') && n[:3] == w[:3] {
			return token{kind: calendar[i].kind, val: calendar[i].val}
		}
	}
	if t, ok := p.zone(w); ok {
		return t
	}
	if w == "DST" {
		return token{kind: tDST}
	}
	if t, ok := find(units[:], w); ok {
		return t
	}
	if n := len(w) - 1; w[n] == 'S' {
		if t, ok := find(units[:], w[:n]); ok {
			return t
		}
	}
	if t, ok := find(relatives[:], w); ok {
		return t
	}
	if len(w) == 1 {
		c := w[0]
		switch {
		case c == 'T':
			return token{kind: tT, val: -7 * 60}
		case c >= 'A' && c <= 'I':
			return token{kind: tZone, val: int64(c-'A'+1) * 60}
		case c >= 'K' && c <= 'M':
			return token{kind: tZone, val: int64(c-'K'+10) * 60}
		case c >= 'N' && c <= 'Y':
			return token{kind: tZone, val: -int64(c-'N'+1) * 60}
		case c == 'Z':
			return token{kind: tZone}
		}
	}
	b := make([]byte, 0, len(w))
	for i := 0; i < len(w); i++ {
		if w[i] != '.' {
			b = append(b, w[i])
		}
	}
	if len(b) < len(w) {
		if t, ok := p.zone(string(b)); ok {
			return t
		}
	}
	return token{kind: tUnknown}
}

// zone looks a zone name up: the universal ones, those of the local zone around
// now, and the others.
func (p *dateParser) zone(w string) (token, bool) {
	if t, ok := find(zones[:universalZones], w); ok {
		return t, true
	}
	for quarter := int64(0); quarter < 4; quarter++ {
		off, name, dst := p.z.At(p.now + quarter*90*86400)
		if name == w {
			t := token{kind: tLocalZone, val: int64(off)}
			if dst {
				t.digits = 1
			}
			return t, true
		}
	}
	return find(zones[universalZones:], w)
}
