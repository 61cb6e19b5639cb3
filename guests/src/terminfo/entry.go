// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package terminfo

import "strconv"

// Kind is what the value of a capability is.
type Kind uint8

// Kinds of capabilities.
const (
	Unknown Kind = iota // no capability has this name
	Boolean
	Number
	String
)

// KindOf returns the kind of the capability called name.
func KindOf(name string) Kind {
	for i, names := range [...]string{booleanNames, numberNames, stringNames} {
		for from := 0; from < len(names); {
			to := from
			for to < len(names) && names[to] > ' ' {
				to++
			}
			if names[from:to] == name {
				return Boolean + Kind(i)
			}
			from = to + 1
		}
	}
	return Unknown
}

// Terminal is the description of one terminal.
type Terminal struct {
	Name     string // the first of its names
	LongName string // its description
	text     map[string]string
}

// maxUse bounds how many descriptions one builds upon.
const maxUse = 4

// Lookup returns the terminal called name. ok is false where it is not known.
func Lookup(name string) (t *Terminal, ok bool) {
	t = &Terminal{text: make(map[string]string, 160)}
	if name == "" || !t.load(name, maxUse) {
		return nil, false
	}
	return t, true
}

// load adds what the entry called name says.
func (t *Terminal) load(name string, depth int) bool {
	for _, e := range entries {
		names, rest := cut(e, ',')
		if depth == 0 || !named(names, name, t) {
			continue
		}
		for rest != "" {
			var c string
			c, rest = cut(rest, ',')
			if n := len(c); n > 4 && c[:4] == "use=" {
				first, long := t.Name, t.LongName
				if !t.load(c[4:], depth-1) {
					return false
				}
				t.Name, t.LongName = first, long
				continue
			}
			i := 0
			for i < len(c) && c[i] != '=' && c[i] != '#' && c[i] != '@' {
				i++
			}
			if i > 0 && c[i:] == "@" {
				delete(t.text, c[:i])
			} else if i > 0 {
				t.text[c[:i]] = c[i:]
			}
		}
		return true
	}
	return false
}

// named reports whether name is among names, and takes over what they say.
func named(names, name string, t *Terminal) bool {
	first, found, n := "", false, ""
	for names != "" {
		n, names = cut(names, '|')
		if first == "" {
			first = n
		}
		found = found || n == name && names != ""
	}
	if found {
		t.Name, t.LongName = first, n
	}
	return found
}

// cut splits s behind the first sep that no backslash stands before, and drops
// newlines and spaces before the rest.
func cut(s string, sep byte) (head, rest string) {
	i := 0
	for i < len(s) && s[i] != sep {
		if s[i] == '\\' && i+1 < len(s) {
			i++
		}
		i++
	}
	if i >= len(s) {
		return s, ""
	}
	head, rest = s[:i], s[i+1:]
	for rest != "" && (rest[0] == ' ' || rest[0] == '\n') {
		rest = rest[1:]
	}
	return head, rest
}

// Bool reports whether the terminal has a boolean capability.
func (t *Terminal) Bool(name string) bool {
	v, ok := t.text[name]
	return ok && v == ""
}

// Number returns a numeric capability, or -1.
func (t *Terminal) Number(name string) int {
	if v := t.text[name]; len(v) > 1 && v[0] == '#' {
		if n, err := strconv.Atoi(v[1:]); err == nil {
			return n
		}
	}
	return -1
}

// String returns a string capability with its escapes resolved, before
// parameters are filled in. ok is false where the terminal has none.
func (t *Terminal) String(name string) (s string, ok bool) {
	v := t.text[name]
	if v == "" || v[0] != '=' {
		return "", false
	}
	return unescape(v[1:]), true
}

// unescape resolves the notation of control characters.
func unescape(s string) string {
	b := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case c == '^' && i+1 < len(s):
			i++
			if c = s[i] & 0x1f; s[i] == '?' {
				c = 0x7f
			}
		case c == '\\' && i+1 < len(s):
			i++
			switch c = s[i]; c {
			case 'E', 'e':
				c = 0x1b
			case 'n', 'l':
				c = '\n'
			case 'r':
				c = '\r'
			case 't':
				c = '\t'
			case 'b':
				c = '\b'
			case 'f':
				c = '\f'
			case 's':
				c = ' '
			case '0', '1', '2', '3', '4', '5', '6', '7':
				v := 0
				for k := 0; k < 3 && i < len(s) && s[i] >= '0' && s[i] <= '7'; k++ {
					v = v*8 + int(s[i]-'0')
					i++
				}
				i--
				c = byte(v)
			}
		}
		b = append(b, c)
	}
	return string(b)
}
