// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package interp

import (
	"strings"

	"github.com/wsandbox/wsandbox/guests/src/datetime"
	"github.com/wsandbox/wsandbox/guests/src/wsys"
)

// defaultTime is the format of strftime without one.
const defaultTime = "%a %b %e %H:%M:%S %Z %Y"

// zone returns the time zone of ENVIRON, or UTC.
func (in *interp) zone(utc bool) *datetime.Zone {
	if utc {
		return datetime.UTC
	}
	if v := in.environ.get("TZ"); v != nil {
		return datetime.Load(in.text(v), true)
	}
	return datetime.Load(in.p.LookupEnv("TZ"))
}

// strftime is the function strftime.
func strftime(in *interp, a []expr) string {
	format := defaultTime
	if len(a) > 0 {
		format = a[0].str(in)
	} else if v := in.procinfo.get("strftime"); v != nil {
		format = in.text(v)
	}
	sec := wsys.Now() / 1e9
	if len(a) > 1 {
		n := a[1].num(in)
		if !(n > -1e15 && n < 1e15) {
			in.fatal("strftime: second argument out of range")
		}
		sec = int64(n)
	}
	utc := len(a) > 2 && a[2].cond(in)
	c := datetime.In(sec, in.zone(utc))
	return string(datetime.AppendFormat(nil, format, &c, sec, 0))
}

// mktime is the function mktime.
func mktime(in *interp, a []expr) float64 {
	var f [7]int64
	f[6] = -1
	words := strings.Fields(a[0].str(in))
	if len(words) < 6 {
		return -1
	}
	for i, w := range words[:min(len(words), 7)] {
		n, end := number(w)
		if end == 0 || n < -1e9 || n > 1e9 {
			return -1
		}
		f[i] = int64(n)
	}
	utc := len(a) > 1 && a[1].cond(in)
	// Months out of range are years.
	f[1]--
	f[0] += f[1] / 12
	if f[1] %= 12; f[1] < 0 {
		f[1] += 12
		f[0]--
	}
	return float64(datetime.Unix(f[0], f[1]+1, f[2], f[3], f[4], f[5], in.zone(utc), f[6] > 0))
}
