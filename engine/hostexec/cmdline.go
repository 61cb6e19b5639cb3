// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package hostexec

import "strings"

// commandLine joins arguments so that a Windows program that splits its command
// line by the rules of CommandLineToArgvW and of the C run-time library gets
// exactly these. The first argument obeys other rules there: a backslash is no
// escape in it and it cannot hold a quotation mark, which is an error.
func commandLine(args []string) (string, error) {
	var b strings.Builder
	for i, a := range args {
		if strings.IndexByte(a, 0) >= 0 {
			return "", invalid("argument %q has a NUL byte", a)
		}
		if i == 0 {
			if strings.IndexByte(a, '"') >= 0 {
				return "", invalid("program name %q has a quotation mark", a)
			}
			b.WriteByte('"')
			b.WriteString(a)
			b.WriteByte('"')
			continue
		}
		b.WriteByte(' ')
		quoteArg(&b, a)
	}
	return b.String(), nil
}

// quoteArg quotes always but for plain words: backslashes are doubled before a
// quotation mark and before the closing one.
func quoteArg(b *strings.Builder, a string) {
	if a != "" && !strings.ContainsAny(a, " \t\n\v\"") {
		b.WriteString(a)
		return
	}
	b.WriteByte('"')
	slashes := 0
	for i := 0; i < len(a); i++ {
		switch a[i] {
		case '\\':
			slashes++
		case '"':
			for ; slashes >= 0; slashes-- { // one more than there were
				b.WriteByte('\\')
			}
			slashes = 0
		default:
			slashes = 0
		}
		b.WriteByte(a[i])
	}
	for ; slashes > 0; slashes-- {
		b.WriteByte('\\')
	}
	b.WriteByte('"')
}
