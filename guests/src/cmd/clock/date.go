// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package clock

import (
	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/guests/src/cmdkit"
	"github.com/wsandbox/wsandbox/guests/src/datetime"
	"github.com/wsandbox/wsandbox/guests/src/wsys"
)

var dateSyntax = cmdkit.Syntax{
	Short: "d:f:I::r:Rs:u",
	Long: []cmdkit.Long{{Name: "date", Arg: cmdkit.RequiredArg, Val: 'd'}, {Name: "debug", Val: 259}, {Name: "file", Arg: cmdkit.RequiredArg, Val: 'f'},
		{Name: "iso-8601", Arg: cmdkit.OptionalArg, Val: 'I'}, {Name: "reference", Arg: cmdkit.RequiredArg, Val: 'r'},
		{Name: "resolution", Val: 258}, {Name: "rfc-822", Val: 'R'}, {Name: "rfc-2822", Val: 'R'},
		{Name: "rfc-3339", Arg: cmdkit.RequiredArg, Val: 256}, {Name: "rfc-email", Val: 'R'}, {Name: "set", Arg: cmdkit.RequiredArg, Val: 's'},
		{Name: "uct", Val: 'u'}, {Name: "utc", Val: 'u'}, {Name: "universal", Val: 'u'}},
	Usage: []string{"[OPTION]... [+FORMAT]", "[-u|--utc|--universal] [MMDDhhmm[[CC]YY][.ss]]"},
	Help: `Print the date and time in FORMAT. The clock cannot be set from inside the
sandbox.

  -d, --date=STRING   print the time STRING says, not now
      --debug         accepted
  -f, --file=FILE     like --date for each line of FILE
  -I[FMT], --iso-8601[=FMT]  in ISO 8601: date (default), hours, minutes,
                      seconds, ns
      --resolution    print the resolution of times
  -R, --rfc-email     as in mail: Mon, 14 Aug 2006 02:34:56 -0600
      --rfc-3339=FMT  in RFC 3339: date, seconds, ns
  -r, --reference=FILE  print when FILE was modified last
  -s, --set=STRING    refused
  -u, --utc, --universal  Coordinated Universal Time

FORMAT has sequences such as %Y %m %d %H %M %S %N %z %Z %a %A %b %B %c %C %D %e
%F %g %G %h %I %j %k %l %n %p %P %q %r %R %s %t %T %u %U %V %w %W %x %X %y %:z
%::z %:::z %%, with flags - _ 0 + ^ # and a width behind the %.
`,
}

var isoFormats = [...]string{"%Y-%m-%d", "%Y-%m-%dT%H%:z", "%Y-%m-%dT%H:%M%:z", "%Y-%m-%dT%H:%M:%S%:z", "%Y-%m-%dT%H:%M:%S,%N%:z"}

// Date prints the date and time.
func Date(p *cmdkit.Proc) int {
	g := p.Options(&dateSyntax)
	var str, file, ref, format string
	hasStr, hasFile, hasRef, hasFormat, utc, resolution := false, false, false, false, false, false
	set := false
	setFormat := func(f string) bool {
		if hasFormat {
			p.Warn("multiple output formats specified")
			return false
		}
		format, hasFormat = f, true
		return true
	}
	for g.Next() {
		switch g.Opt {
		case 'd':
			str, hasStr = g.Arg, true
		case 'f':
			file, hasFile = g.Arg, true
		case 'I':
			v := 0
			if g.HasArg {
				var ok bool
				if v, ok = p.Choice("--iso-8601", g.Arg, []string{"hours", "minutes", "date", "seconds", "ns"}, []int{1, 2, 0, 3, 4}); !ok {
					return p.TryHelp(1)
				}
			}
			if !setFormat(isoFormats[v]) {
				return 1
			}
		case 'r':
			ref, hasRef = g.Arg, true
		case 'R':
			if !setFormat("%a, %d %b %Y %H:%M:%S %z") {
				return 1
			}
		case 's':
			set = true
			str = g.Arg
		case 'u':
			utc = true
		case 256:
			v, ok := p.Choice("--rfc-3339", g.Arg, []string{"date", "seconds", "ns"}, []int{0, 1, 2})
			if !ok {
				return p.TryHelp(1)
			}
			if !setFormat([...]string{"%Y-%m-%d", "%Y-%m-%d %H:%M:%S%:z", "%Y-%m-%d %H:%M:%S.%N%:z"}[v]) {
				return 1
			}
		case 258:
			resolution = true
		}
	}
	if g.Stop {
		return g.Status
	}
	n := 0
	for _, b := range [...]bool{hasStr, hasFile, hasRef, resolution} {
		if b {
			n++
		}
	}
	if n > 1 {
		return p.UsageError(1, "the options to specify dates for printing are mutually exclusive")
	}
	if set && n > 0 {
		return p.UsageError(1, "the options to print and set the time may not be used together")
	}
	ops := g.Operands
	if len(ops) > 1 {
		return p.ExtraOperand(1, ops[1])
	}
	if len(ops) == 1 {
		switch {
		case ops[0] != "" && ops[0][0] == '+':
			if !setFormat(ops[0][1:]) {
				return 1
			}
		case set || n > 0:
			p.Warn("the argument ", cmdkit.Quote(ops[0]), " lacks a leading '+';")
			p.Stderr.WriteString("when using an option to specify date(s), any non-option\nargument must be a format string beginning with '+'\n")
			return p.TryHelp(1)
		default:
			set, str = true, ops[0]
			if !settable(str) {
				return p.Warn("invalid date ", cmdkit.Quote(str))
			}
		}
	}
	zone := datetime.UTC
	if !utc {
		tz, tzSet := p.LookupEnv("TZ")
		zone = datetime.Load(tz, tzSet)
	}
	if !hasFormat {
		format = "%a %b %e %H:%M:%S %Z %Y"
		if resolution {
			format = "%s.%N"
		}
	}
	now := wsys.Now()
	sec, nsec := now/1e9, int(now%1e9)
	show := func(sec int64, nsec int) {
		c := datetime.In(sec, zone)
		p.Stdout.WriteString(string(datetime.AppendFormat(nil, format, &c, sec, nsec)))
		p.Stdout.WriteByte('\n')
	}
	parse := func(s string) bool {
		t, ns, ok := datetime.Parse(s, sec, nsec, zone)
		if !ok {
			p.Warn("invalid date ", cmdkit.Quote(s))
			return false
		}
		show(t, ns)
		return true
	}
	switch {
	case set:
		p.Errno(abi.EPERM, "cannot set date")
		return 1
	case hasStr:
		if !parse(str) {
			return 1
		}
	case hasFile:
		fd, err := p.Open(file)
		if err != nil {
			return p.FileErrno(err, file)
		}
		st := 0
		r := p.InputReader(fd)
		for {
			l, ok := r.Line('\n')
			if !ok {
				break
			}
			if len(l) > 0 && l[len(l)-1] == '\n' {
				l = l[:len(l)-1]
			}
			if !parse(string(l)) {
				st = 1
			}
		}
		if r.Err != nil {
			st = p.FileErrno(r.Err, file)
		}
		p.CloseInput(fd)
		return st
	case hasRef:
		st, err := wsys.StatAt(wsys.AtCwd, ref, true)
		if err != nil {
			return p.FileErrno(err, ref)
		}
		s, ns := st.Mtim/1e9, st.Mtim%1e9
		if ns < 0 {
			s, ns = s-1, ns+1e9
		}
		show(s, int(ns))
	case resolution:
		show(0, 1)
	default:
		show(sec, nsec)
	}
	return 0
}

// settable reports whether s looks like MMDDhhmm[[CC]YY][.ss].
func settable(s string) bool {
	if n := len(s) - 3; n > 0 && s[n] == '.' {
		if !digits(s[n+1:]) {
			return false
		}
		s = s[:n]
	}
	return digits(s) && (len(s) == 8 || len(s) == 10 || len(s) == 12)
}

func digits(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] < '0' || s[i] > '9' {
			return false
		}
	}
	return true
}
