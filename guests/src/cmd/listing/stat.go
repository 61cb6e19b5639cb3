// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package listing

import (
	"strconv"

	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/guests/src/cmdkit"
	"github.com/wsandbox/wsandbox/guests/src/datetime"
	"github.com/wsandbox/wsandbox/guests/src/filemode"
	"github.com/wsandbox/wsandbox/guests/src/mounts"
	"github.com/wsandbox/wsandbox/guests/src/wsys"
)

var statSyntax = cmdkit.Syntax{
	Short: "c:fLt",
	Long: []cmdkit.Long{{Name: "dereference", Val: 'L'}, {Name: "file-system", Val: 'f'}, {Name: "format", Arg: cmdkit.RequiredArg, Val: 'c'},
		{Name: "printf", Arg: cmdkit.RequiredArg, Val: 256}, {Name: "terse", Val: 't'}, {Name: "cached", Arg: cmdkit.RequiredArg, Val: 257}},
	Usage: []string{"[OPTION]... FILE..."},
	Help: `Show what is known of a file or file system.

  -L, --dereference     follow links
  -f, --file-system     show the file system that holds the file
      --cached=MODE     always, never, default: accepted
  -c, --format=FORMAT   use FORMAT, and a newline behind each
      --printf=FORMAT   use FORMAT with backslash escapes, and no newline
  -t, --terse           in terse form

Sequences for files: %a %A permissions (octal, ls), %b %B blocks and their unit,
%d %D device (%Hd %Ld its parts), %f raw mode, %F type, %g %G group, %h links,
%i inode, %m mount point, %n %N name (quoted, with link target), %o I/O size,
%s size, %r %t %T %Hr %Lr device type, %u %U user, %w %W birth, %x %X access,
%y %Y modification, %z %Z change (text, seconds).
For file systems: %a %b %f blocks available, all, free, %c %d inodes all, free,
%i id, %l longest name, %n name, %s %S block sizes, %t %T type.
`,
}

type statter struct {
	p          *cmdkit.Proc
	fs, follow bool
	format     string
	zone       *datetime.Zone
	names      cmdkit.Names
	mounts     []mounts.Mount
	hasMounts  bool
	quote      quoting
	status     int
	stop       bool // the format is wrong
}

// Stat shows what is known of files.
func Stat(p *cmdkit.Proc) int {
	s := &statter{p: p, quote: quoteShellEscapeAlways}
	terse, given, escapes := false, false, false
	g := p.Options(&statSyntax)
	for g.Next() {
		switch g.Opt {
		case 'L':
			s.follow = true
		case 'f':
			s.fs = true
		case 't':
			terse = true
		case 'c':
			s.format, given, escapes = g.Arg, true, false
		case 256:
			s.format, given, escapes = g.Arg, true, true
		case 257:
			if _, ok := p.Choice("--cached", g.Arg, []string{"default", "never", "always"}, []int{0, 1, 2}); !ok {
				return p.TryHelp(1)
			}
		}
	}
	if g.Stop {
		return g.Status
	}
	if len(g.Operands) == 0 {
		return p.MissingOperand(1)
	}
	if v, ok := p.LookupEnv("QUOTING_STYLE"); ok {
		for i, n := range quotingNames {
			if n == v {
				s.quote = quoting(quotingVals[i])
			}
		}
	}
	for _, f := range g.Operands {
		if s.fs {
			st, err := wsys.StatfsAt(cwd, f)
			if err != nil {
				s.status = p.Errno(err, "cannot read file system information for ", cmdkit.QuoteAF(f))
				continue
			}
			format := s.format
			switch {
			case given:
			case terse:
				format = "%n %i %l %t %s %S %b %f %a %c %d\n"
			default:
				format = "  File: \"%n\"\n    ID: %-8i Namelen: %-7l Type: %T\nBlock size: %-10s Fundamental block size: %S\n" +
					"Blocks: Total: %-10b Free: %-10f Available: %a\nInodes: Total: %-10c Free: %d\n"
			}
			s.print(format, escapes, f, func(d string, mod byte) (string, bool, bool) { return s.fsDirective(d[0], f, &st) })
		} else {
			st, err := wsys.Stat{}, error(nil)
			if f == "-" {
				st, err = wsys.Fstat(p.Stdin.FD)
			} else {
				st, err = wsys.StatAt(cwd, f, s.follow)
			}
			if err != nil {
				if f == "-" {
					s.status = p.Errno(err, "cannot stat standard input")
				} else {
					s.status = p.Errno(err, "cannot statx ", cmdkit.QuoteAF(f))
				}
				continue
			}
			format := s.format
			switch {
			case given:
			case terse:
				format = "%n %s %b %f %u %g %D %i %h %t %T %X %Y %Z %W %o\n"
			default:
				dev := "Device: %Hd,%Ld\tInode: %-10i  Links: %h\n"
				if isDevice(st.Mode) {
					dev = "Device: %Hd,%Ld\tInode: %-10i  Links: %-5h Device type: %Hr,%Lr\n"
				}
				format = "  File: %N\n  Size: %-10s\tBlocks: %-10b IO Block: %-6o %F\n" + dev +
					"Access: (%04a/%10.10A)  Uid: (%5u/%8U)   Gid: (%5g/%8G)\nAccess: %x\nModify: %y\nChange: %z\n Birth: %w\n"
			}
			s.file(format, escapes, f, &st, given)
		}
		if s.stop {
			return 1
		}
		if given && !escapes {
			p.Stdout.WriteByte('\n')
		}
	}
	return s.status
}

func (s *statter) file(format string, escapes bool, f string, st *abi.Stat, given bool) {
	s.print(format, escapes, f, func(d string, mod byte) (string, bool, bool) { return s.directive(d[0], mod, f, st, given) })
}

// print writes format, with what value returns for each directive: a text, and
// whether it is a number.
func (s *statter) print(format string, escapes bool, f string, value func(d string, mod byte) (string, bool, bool)) {
	o := s.p.Stdout
	for i := 0; i < len(format); i++ {
		switch c := format[i]; {
		case c == '\\' && escapes:
			i += s.escape(format[i+1:])
		case c == '%':
			k := i + 1
			for k < len(format) && (format[k] == '#' || format[k] == '-' || format[k] == '+' || format[k] == '.' || format[k] == ' ' || format[k] == '\'' || isDigit(format[k])) {
				k++
			}
			spec := format[i+1 : k]
			if k == len(format) {
				if spec != "" {
					s.p.Warn(cmdkit.Quote(format[i:]), ": invalid directive")
					s.stop = true
					return
				}
				o.WriteByte('%')
				return
			}
			mod := byte(0)
			if (format[k] == 'H' || format[k] == 'L') && k+1 < len(format) && (format[k+1] == 'd' || format[k+1] == 'r') {
				mod = format[k]
				k++
			}
			i = k
			if format[k] == '%' {
				if spec != "" {
					s.p.Warn(cmdkit.Quote("%"+spec+"%"), ": invalid directive")
					s.stop = true
					return
				}
				o.WriteByte('%')
				continue
			}
			v, number, ok := value(format[k:k+1], mod)
			if !ok {
				o.WriteByte('?')
				continue
			}
			s.field(spec, v, number, format[k], mod)
		default:
			o.WriteByte(c)
		}
	}
}

// escape writes the escape sequence behind a backslash and returns its length.
func (s *statter) escape(f string) int {
	o := s.p.Stdout
	if f == "" {
		s.p.Warn("warning: backslash at end of format")
		o.WriteByte('\\')
		return 0
	}
	switch c := f[0]; {
	case c >= '0' && c <= '7':
		v, n := 0, 0
		for n < len(f) && n < 3 && f[n] >= '0' && f[n] <= '7' {
			v = v*8 + int(f[n]-'0')
			n++
		}
		o.WriteByte(byte(v))
		return n
	case c == 'x' && len(f) > 1 && hexDigit(f[1]) >= 0:
		v, n := 0, 1
		for n < len(f) && n < 3 && hexDigit(f[n]) >= 0 {
			v = v*16 + hexDigit(f[n])
			n++
		}
		o.WriteByte(byte(v))
		return n
	default:
		const from, to = "abefnrtv\"\\", "\a\b\x1b\f\n\r\t\v\"\\"
		for i := 0; i < len(from); i++ {
			if from[i] == c {
				o.WriteByte(to[i])
				return 1
			}
		}
		s.p.Warn("warning: unrecognized escape '\\", string(c), "'")
		o.WriteByte(c)
	}
	return 1
}

func hexDigit(c byte) int {
	switch {
	case isDigit(c):
		return int(c - '0')
	case c|0x20 >= 'a' && c|0x20 <= 'f':
		return int(c|0x20-'a') + 10
	}
	return -1
}

// maxField bounds the width of a field.
const maxField = 4096

// field writes a value with the flags, width and precision of spec.
func (s *statter) field(spec, v string, number bool, conv, mod byte) {
	left, zero, alt, plus, space := false, false, false, false, false
	i := 0
flags:
	for ; i < len(spec); i++ {
		switch spec[i] {
		case '-':
			left = true
		case '0':
			zero = true
		case '#':
			alt = true
		case '+':
			plus = true
		case ' ':
			space = true
		case '\'':
		default:
			break flags
		}
	}
	width, prec, hasPrec := 0, 0, false
	for ; i < len(spec) && isDigit(spec[i]); i++ {
		width = min(width*10+int(spec[i]-'0'), maxField)
	}
	if i < len(spec) && spec[i] == '.' {
		hasPrec = true
		for i++; i < len(spec) && isDigit(spec[i]); i++ {
			prec = min(prec*10+int(spec[i]-'0'), maxField)
		}
	}
	time := mod == 0 && !s.fs && (conv == 'W' || conv == 'X' || conv == 'Y' || conv == 'Z')
	switch {
	case time:
		v = fraction(v, prec, hasPrec, spec)
	case number:
		if alt && mod == 0 && !s.fs {
			switch conv {
			case 'a':
				if v[0] != '0' {
					v = "0" + v
				}
			case 'D', 'f', 't', 'T':
				if v != "0" {
					v = "0x" + v
				}
			}
		}
		if hasPrec {
			for len(v) < prec {
				v = "0" + v
			}
			zero = false
		}
	case hasPrec && prec < len(v):
		v = v[:prec]
	}
	signed := time || conv == 's' && !s.fs || conv == 'o'
	if signed && v != "" && v[0] != '-' {
		if plus {
			v = "+" + v
		} else if space {
			v = " " + v
		}
	}
	o := s.p.Stdout
	n := width - len(v)
	if !number && !time {
		n = width - len(v)
		zero = false
	}
	switch {
	case left:
		o.WriteString(v)
		o.Pad(n)
	case zero && n > 0:
		k := 0
		if v != "" && (v[0] == '-' || v[0] == '+' || v[0] == ' ') {
			o.WriteByte(v[0])
			k = 1
		} else if len(v) > 1 && v[0] == '0' && v[1] == 'x' {
			o.WriteString("0x")
			k = 2
		}
		for ; n > 0; n-- {
			o.WriteByte('0')
		}
		o.WriteString(v[k:])
	default:
		o.Pad(n)
		o.WriteString(v)
	}
}

// fraction cuts a time "seconds.nanoseconds" to a precision; without one, to
// seconds, and with an empty one to all nine digits.
func fraction(v string, prec int, hasPrec bool, spec string) string {
	dot := len(v) - 10
	if !hasPrec {
		if v[0] == '-' && v[dot+1:] != "000000000" {
			sec, _ := strconv.ParseInt(v[:dot], 10, 64)
			return strconv.FormatInt(sec-1, 10)
		}
		return v[:dot]
	}
	if spec[len(spec)-1] == '.' {
		prec = 9
	}
	if prec == 0 {
		return v[:dot]
	}
	for prec > 9 {
		v += "0"
		prec--
	}
	return v[:min(dot+1+prec, len(v))] + v[min(dot+10, len(v)):]
}

func (s *statter) time(ns int64) string {
	if s.zone == nil {
		tz, set := s.p.LookupEnv("TZ")
		s.zone = datetime.Load(tz, set)
	}
	sec, nsec := splitTime(ns)
	c := datetime.In(sec, s.zone)
	return string(datetime.AppendFormat(nil, "%Y-%m-%d %H:%M:%S.%N %z", &c, sec, nsec))
}

func splitTime(ns int64) (int64, int) {
	sec, nsec := ns/1e9, ns%1e9
	if nsec < 0 {
		sec, nsec = sec-1, nsec+1e9
	}
	return sec, int(nsec)
}

// seconds returns a time as seconds, a point and nine digits.
func seconds(ns int64) string {
	sec, nsec := splitTime(ns)
	b := strconv.AppendInt(nil, sec, 10)
	if sec < 0 && nsec > 0 {
		// Towards minus infinity, as printed in decimal.
		b = b[:0]
		if sec == -1 {
			b = append(b, '-')
		}
		b = strconv.AppendInt(b, sec+1, 10)
		nsec = 1e9 - nsec
	}
	b = append(b, '.')
	for d := 100000000; d > 0; d /= 10 {
		b = append(b, '0'+byte(nsec/d%10))
	}
	return string(b)
}

func (s *statter) directive(d, mod byte, f string, st *abi.Stat, given bool) (v string, number, ok bool) {
	u := func(v uint64) (string, bool, bool) { return strconv.FormatUint(v, 10), true, true }
	x := func(v uint64) (string, bool, bool) { return strconv.FormatUint(v, 16), true, true }
	t := func(s string) (string, bool, bool) { return s, false, true }
	switch d {
	case 'a':
		return string(filemode.AppendOctal(nil, st.Mode&abi.ModeAll, 1)), true, true
	case 'A':
		return t(filemode.String(st.Mode))
	case 'b':
		return u(uint64(st.Blocks))
	case 'B':
		return u(512)
	case 'C':
		s.status = s.p.Warn("failed to get security context of ", cmdkit.QuoteAF(f), ": No data available")
		return t("?")
	case 'd', 'r':
		dev := st.Dev
		if d == 'r' {
			dev = st.Rdev
		}
		switch mod {
		case 'H':
			return u(major(dev))
		case 'L':
			return u(minor(dev))
		}
		return u(dev)
	case 'D':
		return x(st.Dev)
	case 'R':
		return x(st.Rdev)
	case 'f':
		return x(uint64(st.Mode))
	case 'F':
		return t(filemode.TypeName(st.Mode, st.Size))
	case 'g':
		return u(uint64(st.GID))
	case 'G':
		if g, found := cmdkit.GroupByID(st.GID); found {
			return t(g.Name)
		}
		return t("UNKNOWN")
	case 'h':
		return u(uint64(st.Nlink))
	case 'i':
		return u(st.Ino)
	case 'm':
		return t(s.mountPoint(f))
	case 'n':
		return t(f)
	case 'N':
		q := s.quote
		if !given && q == quoteShellEscapeAlways {
			q = quoteLiteral
		}
		name, _, _ := quoteName(f, q, false)
		if st.Mode.IsSymlink() {
			target, err := wsys.Readlink(cwd, f)
			if err != nil {
				s.status = s.p.Errno(err, "cannot read symbolic link ", cmdkit.QuoteAF(f))
				return t(name)
			}
			target, _, _ = quoteName(target, q, false)
			name += " -> " + target
		}
		return t(name)
	case 'o':
		return u(uint64(st.Blksize))
	case 's':
		return strconv.FormatInt(st.Size, 10), true, true
	case 't':
		return x(major(st.Rdev))
	case 'T':
		return x(minor(st.Rdev))
	case 'u':
		return u(uint64(st.UID))
	case 'U':
		if g, found := cmdkit.UserByID(st.UID); found {
			return t(g.Name)
		}
		return t("UNKNOWN")
	case 'w':
		return t("-") // file systems of the sandbox do not keep the time of birth
	case 'W':
		return "0.000000000", true, true
	case 'x':
		return t(s.time(st.Atim))
	case 'X':
		return seconds(st.Atim), true, true
	case 'y':
		return t(s.time(st.Mtim))
	case 'Y':
		return seconds(st.Mtim), true, true
	case 'z':
		return t(s.time(st.Ctim))
	case 'Z':
		return seconds(st.Ctim), true, true
	}
	return "", false, false
}

func (s *statter) mountOf(f string) (mounts.Mount, bool) {
	if !s.hasMounts {
		s.mounts, _ = mounts.List()
		s.hasMounts = true
	}
	path, err := cmdkit.Canonical(f, cmdkit.NoneMissing)
	if err != nil {
		return mounts.Mount{}, false
	}
	return mounts.Of(s.mounts, path)
}

func (s *statter) mountPoint(f string) string {
	if m, ok := s.mountOf(f); ok {
		return m.Target
	}
	return "?"
}

func (s *statter) fsDirective(d byte, f string, st *abi.Statfs) (v string, number, ok bool) {
	u := func(v uint64) (string, bool, bool) { return strconv.FormatUint(v, 10), true, true }
	switch d {
	case 'a':
		return u(st.Bavail)
	case 'b':
		return u(st.Blocks)
	case 'c':
		return u(st.Files)
	case 'd':
		return u(st.Ffree)
	case 'f':
		return u(st.Bfree)
	case 'i':
		return "0", true, true // the kernel gives file systems no number
	case 'l':
		return u(st.Namelen)
	case 'n':
		return f, false, true
	case 's', 'S':
		return u(st.Bsize)
	case 't':
		return "0", true, true
	case 'T':
		if m, ok := s.mountOf(f); ok {
			return m.Type, false, true
		}
		return "UNKNOWN", false, true
	}
	return "", false, false
}
