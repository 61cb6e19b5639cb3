// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package fileops

import (
	"strconv"

	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/guests/src/cmdkit"
	"github.com/wsandbox/wsandbox/guests/src/datetime"
	"github.com/wsandbox/wsandbox/guests/src/wsys"
)

var touchSyntax = cmdkit.Syntax{
	Short: "acd:fhmr:t:",
	Long: []cmdkit.Long{{Name: "time", Arg: cmdkit.RequiredArg, Val: 256}, {Name: "no-create", Val: 'c'}, {Name: "date", Arg: cmdkit.RequiredArg, Val: 'd'},
		{Name: "reference", Arg: cmdkit.RequiredArg, Val: 'r'}, {Name: "no-dereference", Val: 'h'}},
	Usage: []string{"[OPTION]... FILE..."},
	Help: `Set the access and modification times of each FILE, to now unless told
otherwise. A FILE that does not exist is created empty, except with -c or -h.

  -a                    change only the access time
  -c, --no-create       do not create files
  -d, --date=STRING     use this date, in the words of date -d
  -f                    ignored
  -h, --no-dereference  change a symbolic link itself
  -m                    change only the modification time
  -r, --reference=FILE  use the times of FILE
  -t STAMP              use [[CC]YY]MMDDhhmm[.ss]
      --time=WORD       access, atime, use: like -a; modify, mtime: like -m
`,
}

// Touch sets times.
func Touch(p *cmdkit.Proc) int {
	g := p.Options(&touchSyntax)
	var which int // 1 access, 2 modification
	create, follow := true, true
	ref, date, stamp := "", "", ""
	hasRef, hasDate, hasStamp := false, false, false
	for g.Next() {
		switch g.Opt {
		case 'a':
			which |= 1
		case 'm':
			which |= 2
		case 'c':
			create = false
		case 'd':
			date, hasDate = g.Arg, true
		case 'h':
			follow = false
		case 'r':
			ref, hasRef = g.Arg, true
		case 't':
			stamp, hasStamp = g.Arg, true
		case 256:
			v, ok := p.Choice("--time", g.Arg, []string{"atime", "access", "use", "mtime", "modify"}, []int{1, 1, 1, 2, 2})
			if !ok {
				return p.TryHelp(1)
			}
			which |= v
		}
	}
	if g.Stop {
		return g.Status
	}
	if which == 0 {
		which = 3
	}
	if hasStamp && (hasRef || hasDate) {
		return p.UsageError(1, "cannot specify times from more than one source")
	}
	atim, mtim := abi.UtimeNow, abi.UtimeNow
	zone := func() *datetime.Zone {
		tz, set := p.LookupEnv("TZ")
		return datetime.Load(tz, set)
	}
	parse := func(base int64) (int64, bool) {
		sec, nsec, ok := datetime.Parse(date, floor(base), int(base-floor(base)*1e9), zone())
		if !ok || sec > 9223372036 || sec < -9223372036 {
			p.Warn("invalid date format ", cmdkit.Quote(date))
			return 0, false
		}
		return sec*1e9 + int64(nsec), true
	}
	var ok bool
	switch {
	case hasRef:
		st, err := wsys.StatAt(cwd, ref, follow)
		if err != nil {
			return p.Errno(err, "failed to get attributes of ", cmdkit.QuoteAF(ref))
		}
		atim, mtim = st.Atim, st.Mtim
		if hasDate {
			if atim, ok = parse(st.Atim); !ok {
				return 1
			}
			if mtim, ok = parse(st.Mtim); !ok {
				return 1
			}
		}
	case hasDate:
		if atim, ok = parse(wsys.Now()); !ok {
			return 1
		}
		mtim = atim
	case hasStamp:
		sec, ok := parseStamp(stamp, zone())
		if !ok {
			return p.Warn("invalid date format ", cmdkit.Quote(stamp))
		}
		atim, mtim = sec*1e9, sec*1e9
	}
	if which&1 == 0 {
		atim = abi.UtimeOmit
	}
	if which&2 == 0 {
		mtim = abi.UtimeOmit
	}
	if len(g.Operands) == 0 {
		return p.UsageError(1, "missing file operand")
	}
	st := 0
	for _, f := range g.Operands {
		if f == "-" {
			if err := wsys.Futimes(p.Stdout.FD, atim, mtim); err != nil {
				st = p.Errno(err, "setting times of ", cmdkit.QuoteAF(f))
			}
			continue
		}
		err := wsys.Utimes(cwd, f, atim, mtim, follow)
		if err == abi.ENOENT && !create {
			continue
		}
		if err == abi.ENOENT && follow {
			fd, oerr := wsys.Open(cwd, f, abi.OWronly|abi.OCreat|abi.ONonblock|abi.OCloexec, 0o666)
			if oerr != nil {
				if oerr == abi.EISDIR { // the name ends in a slash
					st = p.Errno(err, "setting times of ", cmdkit.QuoteAF(f))
				} else {
					st = p.Errno(oerr, "cannot touch ", cmdkit.QuoteAF(f))
				}
				continue
			}
			err = nil
			if hasRef || hasDate || hasStamp || which != 3 {
				err = wsys.Futimes(fd, atim, mtim)
			}
			wsys.Close(fd)
		}
		if err != nil {
			what := "setting times of "
			if create && follow {
				// What opening the file says is the better message.
				fd, oerr := wsys.Open(cwd, f, abi.OWronly|abi.ONonblock|abi.OCloexec, 0)
				switch oerr {
				case nil:
					wsys.Close(fd)
				case abi.EISDIR, abi.EINVAL, abi.EPERM:
				default:
					what, err = "cannot touch ", oerr
				}
			}
			st = p.Errno(err, what, cmdkit.QuoteAF(f))
		}
	}
	return st
}

// floor returns the seconds of a time in nanoseconds, rounded down.
func floor(ns int64) int64 {
	s := ns / 1e9
	if ns%1e9 < 0 {
		s--
	}
	return s
}

// parseStamp parses [[CC]YY]MMDDhhmm[.ss].
//
// POSIX: touch, -t time.
func parseStamp(s string, z *datetime.Zone) (int64, bool) {
	sec := 0
	if n := len(s) - 3; n > 0 && s[n] == '.' {
		v, err := strconv.ParseUint(s[n+1:], 10, 8)
		if err != nil || v > 60 {
			return 0, false
		}
		sec, s = int(v), s[:n]
	}
	if len(s) != 8 && len(s) != 10 && len(s) != 12 {
		return 0, false
	}
	for i := 0; i < len(s); i++ {
		if s[i] < '0' || s[i] > '9' {
			return 0, false
		}
	}
	two := func(i int) int64 { return int64(s[i]-'0')*10 + int64(s[i+1]-'0') }
	var year int64
	switch len(s) {
	case 8:
		c := datetime.In(floor(wsys.Now()), z)
		year = c.Year
	case 10:
		if year = two(0); year < 69 {
			year += 2000
		} else {
			year += 1900
		}
		s = s[2:]
	case 12:
		year = two(0)*100 + two(2)
		s = s[4:]
	}
	month, day, hour, min := two(0), two(2), two(4), two(6)
	if month < 1 || month > 12 || day < 1 || hour > 23 || min > 59 {
		return 0, false
	}
	if y, m, d := datetime.DateOf(datetime.Days(year, month, day)); y != year || int64(m) != month || int64(d) != day {
		return 0, false
	}
	t := datetime.Unix(year, month, day, hour, min, int64(sec), z, false)
	return t, t < 9223372036 && t > -9223372036
}
