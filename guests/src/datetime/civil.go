// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package datetime

// Civil is a date and time of day in some zone, in the Gregorian calendar
// extended to all years.
type Civil struct {
	Year           int64
	Month, Day     int // from 1
	Hour, Min, Sec int
	Weekday        int // 0 is Sunday
	Yearday        int // from 0
	Offset         int // seconds east of UTC
	DST            bool
	Zone           string // abbreviation of the zone
}

// Days returns the number of days from 1970-01-01 to the given date. Month and
// day may be out of range: they carry over.
func Days(year int64, month, day int64) int64 {
	month--
	year += floorDiv(month, 12)
	month = month - floorDiv(month, 12)*12 + 1
	// Years are counted from March, so that the leap day is the last one.
	if month <= 2 {
		year--
		month += 12
	}
	era := floorDiv(year, 400)
	yoe := year - era*400
	doy := (153*(month-3) + 2) / 5
	doe := yoe*365 + yoe/4 - yoe/100 + doy
	return era*146097 + doe - 719468 + day - 1
}

// DateOf is the inverse of Days.
func DateOf(days int64) (year int64, month, day int) {
	days += 719468
	era := floorDiv(days, 146097)
	doe := days - era*146097
	yoe := (doe - doe/1460 + doe/36524 - doe/146096) / 365
	doy := doe - (365*yoe + yoe/4 - yoe/100)
	mp := (5*doy + 2) / 153
	day = int(doy - (153*mp+2)/5 + 1)
	month = int(mp + 3)
	year = yoe + era*400
	if month > 12 {
		month -= 12
		year++
	}
	return year, month, day
}

func floorDiv(a, b int64) int64 {
	q := a / b
	if a%b != 0 && (a < 0) != (b < 0) {
		q--
	}
	return q
}

// Leap reports whether a year has 366 days.
func Leap(year int64) bool { return year%4 == 0 && (year%100 != 0 || year%400 == 0) }

// In returns the date and time in zone z at sec seconds since the Unix epoch.
func In(sec int64, z *Zone) Civil {
	off, name, dst := z.At(sec)
	// The zone offset is added after the division, which cannot overflow.
	days := floorDiv(sec, 86400)
	s := sec - days*86400 + int64(off)
	days += floorDiv(s, 86400)
	s -= floorDiv(s, 86400) * 86400
	var c Civil
	c.Year, c.Month, c.Day = DateOf(days)
	c.Hour, c.Min, c.Sec = int(s/3600), int(s/60%60), int(s%60)
	c.Weekday = int((days%7 + 11) % 7)
	c.Yearday = int(days - Days(c.Year, 1, 1))
	c.Offset, c.Zone, c.DST = off, name, dst
	return c
}

// Unix returns the seconds since the Unix epoch of a date and time in zone z,
// whose fields may be out of range, as mktime(3) does. Of two instants with the
// same local time it takes the one in daylight saving time where dst asks for it,
// else the other; in a gap it goes on with the offset before it.
func Unix(year, month, day, hour, min, sec int64, z *Zone, dst bool) int64 {
	local := Days(year, month, day)*86400 + hour*3600 + min*60 + sec
	before, _, _ := z.At(local - 86400)
	after, _, _ := z.At(local + 86400)
	t1, t2 := local-int64(before), local-int64(after)
	o1, _, d1 := z.At(t1)
	o2, _, d2 := z.At(t2)
	ok1, ok2 := o1 == before, o2 == after
	switch {
	case ok1 && ok2:
		if d1 != d2 && d2 == dst {
			return t2
		}
		return t1
	case ok2:
		return t2
	}
	return t1
}

// ISOWeek returns the ISO 8601 week number and the year it belongs to.
func (c *Civil) ISOWeek() (year int64, week int) {
	wd := (c.Weekday + 6) % 7 // Monday is 0
	week = (c.Yearday - wd + 10) / 7
	switch {
	case week < 1:
		year = c.Year - 1
		n := 365
		if Leap(year) {
			n++
		}
		return year, (c.Yearday + n - wd + 10) / 7
	case week == 53:
		n := 365
		if Leap(c.Year) {
			n++
		}
		if c.Yearday-wd+3 >= n { // the Thursday is in the next year
			return c.Year + 1, 1
		}
	}
	return c.Year, week
}

var monthNames = [...]string{"January", "February", "March", "April", "May", "June", "July", "August", "September", "October", "November", "December"}

var dayNames = [...]string{"Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"}
