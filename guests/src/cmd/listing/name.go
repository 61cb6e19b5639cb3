// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package listing

import (
	"github.com/wsandbox/wsandbox/guests/src/cmdkit"
)

// quoting is a style of printing names.
type quoting uint8

const (
	quoteLiteral quoting = iota
	quoteShell
	quoteShellAlways
	quoteShellEscape
	quoteShellEscapeAlways
	quoteC
	quoteEscape
	quoteLocale
	quoteCMaybe  // c, as the C locale has no other way
	quoteCLocale // locale
	quoteTree    // escapes for control characters only
)

var (
	quotingNames = []string{"literal", "shell", "shell-always", "shell-escape", "shell-escape-always", "c", "c-maybe", "escape", "locale", "clocale"}
	quotingVals  = []int{0, 1, 2, 3, 4, 5, 8, 6, 7, 9}
)

// quoteName returns a name in a style, with its width in columns, and whether
// the style put quotes around it.
func quoteName(name string, q quoting, hideControl bool) (s string, width int, quoted bool) {
	switch q {
	case quoteLiteral:
		s = name
	case quoteShell, quoteShellAlways:
		s, quoted = shellPlain(name, q == quoteShellAlways)
	case quoteShellEscape, quoteShellEscapeAlways:
		if q == quoteShellEscape && !cmdkit.NeedsShellQuotes(name, false) {
			s = name
			break
		}
		s, quoted = string(cmdkit.AppendShellQuoted(nil, name, true, false)), true
	case quoteC, quoteCMaybe:
		s, quoted = string(cmdkit.AppendCQuoted(nil, name)), true
	case quoteLocale, quoteCLocale:
		s, quoted = cmdkit.Quote(name), true
	case quoteTree:
		b := make([]byte, 0, len(name)+8)
		for i := 0; i < len(name); {
			n, printable := cmdkit.RuneLen(name[i:])
			if printable {
				b = append(b, name[i:i+n]...)
			} else {
				for k := i; k < i+n; k++ {
					b = cmdkit.AppendEscaped(b, name[k])
				}
			}
			i += n
		}
		s = string(b)
	case quoteEscape:
		b := make([]byte, 0, len(name)+8)
		for i := 0; i < len(name); {
			n, printable := cmdkit.RuneLen(name[i:])
			switch {
			case name[i] == '\\' || name[i] == ' ':
				b = append(b, '\\', name[i])
			case printable:
				b = append(b, name[i:i+n]...)
			default:
				for k := i; k < i+n; k++ {
					b = cmdkit.AppendEscaped(b, name[k])
				}
			}
			i += n
		}
		s = string(b)
	}
	if hideControl {
		s = questionMarks(s)
	}
	return s, cmdkit.Width(s), quoted
}

// shellPlain quotes for a shell without escapes for control characters.
func shellPlain(name string, always bool) (string, bool) {
	if !always {
		// Control characters need quotes only where C has a letter for them.
		b := []byte(name)
		for i, c := range b {
			if c >= 0x80 || c < ' ' && (c < '\a' || c > '\r') || c == 0x7f {
				b[i] = 'x'
			}
		}
		if !cmdkit.NeedsShellQuotes(string(b), false) {
			return name, false
		}
	}
	hasSingle := false
	b := []byte{'\''}
	for i := 0; i < len(name); i++ {
		if name[i] == '\'' {
			hasSingle = true
			b = append(b, `'\''`...)
			continue
		}
		b = append(b, name[i])
	}
	if hasSingle {
		if s := string(cmdkit.AppendShellQuoted(nil, name, true, false)); s[0] == '"' {
			return s, true
		}
	}
	return string(append(b, '\'')), true
}

// questionMarks replaces what does not print.
func questionMarks(s string) string {
	clean := true
	for i := 0; i < len(s) && clean; {
		n, printable := cmdkit.RuneLen(s[i:])
		clean = printable
		i += n
	}
	if clean {
		return s
	}
	b := make([]byte, 0, len(s))
	for i := 0; i < len(s); {
		n, printable := cmdkit.RuneLen(s[i:])
		if printable {
			b = append(b, s[i:i+n]...)
		} else {
			b = append(b, '?')
		}
		i += n
	}
	return string(b)
}
