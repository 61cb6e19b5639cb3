// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package textio

import "github.com/wsandbox/wsandbox/guests/src/cmdkit"

var echoSyntax = cmdkit.Syntax{
	Usage: []string{"[SHORT-OPTION]... [STRING]...", "LONG-OPTION"},
	Help:  "Echo the STRING(s) to standard output.\n\n  -n             do not output the trailing newline\n  -e             enable interpretation of backslash escapes\n  -E             disable interpretation of backslash escapes (default)\n",
}

// Echo is echo(1) of coreutils. Only a lone --help or --version is an option;
// arguments that are no group of n, e and E are text.
func Echo(p *cmdkit.Proc) int {
	args := p.Args
	if len(args) == 1 && (args[0] == "--help" || args[0] == "--version") && p.HelpOnly(&echoSyntax) {
		return 0
	}
	newline, escapes := true, false
options:
	for len(args) > 0 && len(args[0]) > 1 && args[0][0] == '-' {
		for i := 1; i < len(args[0]); i++ {
			switch args[0][i] {
			case 'n', 'e', 'E':
			default:
				break options
			}
		}
		for i := 1; i < len(args[0]); i++ {
			switch args[0][i] {
			case 'n':
				newline = false
			case 'e':
				escapes = true
			case 'E':
				escapes = false
			}
		}
		args = args[1:]
	}
	for i, a := range args {
		if i > 0 {
			p.Stdout.WriteByte(' ')
		}
		if !escapes {
			p.Stdout.WriteString(a)
			continue
		}
		if !echoEscapes(p.Stdout, a) {
			return 0
		}
	}
	if newline {
		p.Stdout.WriteByte('\n')
	}
	return 0
}

// echoEscapes writes s with its escapes replaced; false means that \c ended all
// output.
func echoEscapes(w *cmdkit.Writer, s string) bool {
	digits := func(i, most, base int) (v, next int) {
		for n := 0; n < most && i < len(s); n++ {
			d := -1
			switch c := s[i]; {
			case c >= '0' && c <= '9':
				d = int(c - '0')
			case c >= 'a' && c <= 'f':
				d = int(c-'a') + 10
			case c >= 'A' && c <= 'F':
				d = int(c-'A') + 10
			}
			if d < 0 || d >= base {
				break
			}
			v = v*base + d
			i++
		}
		return v, i
	}
	for i := 0; i < len(s); {
		c := s[i]
		i++
		if c != '\\' || i == len(s) {
			w.WriteByte(c)
			continue
		}
		e := s[i]
		i++
		switch e {
		case 'a':
			w.WriteByte(7)
		case 'b':
			w.WriteByte(8)
		case 'c':
			return false
		case 'e':
			w.WriteByte(27)
		case 'f':
			w.WriteByte(12)
		case 'n':
			w.WriteByte('\n')
		case 'r':
			w.WriteByte('\r')
		case 't':
			w.WriteByte('\t')
		case 'v':
			w.WriteByte(11)
		case '\\':
			w.WriteByte('\\')
		case '0':
			v, next := digits(i, 3, 8)
			w.WriteByte(byte(v))
			i = next
		case '1', '2', '3', '4', '5', '6', '7':
			v, next := digits(i-1, 3, 8)
			w.WriteByte(byte(v))
			i = next
		case 'x':
			v, next := digits(i, 2, 16)
			if next == i {
				w.WriteString("\\x")
				break
			}
			w.WriteByte(byte(v))
			i = next
		default:
			w.WriteByte('\\')
			w.WriteByte(e)
		}
	}
	return true
}
