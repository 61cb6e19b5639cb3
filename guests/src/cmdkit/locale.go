// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package cmdkit

// UTF8 reports whether text is UTF-8: the locale that LC_ALL, LC_CTYPE or LANG
// name says so. Otherwise every byte is a character.
//
// POSIX: XBD 8.2 Internationalization Variables.
func (p *Proc) UTF8() bool {
	for _, name := range [...]string{"LC_ALL", "LC_CTYPE", "LANG"} {
		if v := p.Getenv(name); v != "" {
			return utf8Locale(v)
		}
	}
	return false
}

// utf8Locale reports whether a locale's name has the codeset UTF-8, however it
// is spelt.
func utf8Locale(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] != '.' {
			continue
		}
		s = s[i+1:]
		want := "utf8"
		for k := 0; k < len(s) && s[k] != '@'; k++ {
			c := s[k]
			if c == '-' {
				continue
			}
			if want == "" || c|0x20 != want[0] && c != want[0] {
				return false
			}
			want = want[1:]
		}
		return want == ""
	}
	return false
}
