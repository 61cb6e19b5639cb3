// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package filetype

import (
	"bytes"
	"strconv"
	"unicode/utf8"
)

// kind is what was found out.
type kind struct {
	text    string // in words
	mime    string
	charset string
}

// longLine is the length from which lines are said to be long.
const longLine = 300

// control characters that text has.
func textByte(c byte) bool {
	return c >= ' ' && c != 0x7f || c >= 7 && c <= 13 || c == 0x1b
}

// encoding returns how text is encoded, "" for what is no text.
func encoding(b []byte, whole bool) (words, charset string, bom int) {
	switch {
	case bytes.HasPrefix(b, []byte("\xef\xbb\xbf")):
		if plainUTF8(b[3:], whole) {
			return "Unicode text, UTF-8 (with BOM) text", "utf-8", 3
		}
	case len(b) >= 4 && len(b)%2 == 0 && (bytes.HasPrefix(b, []byte("\xff\xfe")) || bytes.HasPrefix(b, []byte("\xfe\xff"))):
		lo, words, charset := 2, "Unicode text, UTF-16, little-endian text", "utf-16le"
		if b[0] == 0xfe {
			lo, words, charset = 3, "Unicode text, UTF-16, big-endian text", "utf-16be"
		}
		for i := lo; i < len(b); i += 2 {
			if hi := b[i^1]; hi == 0 && !textByte(b[i]) {
				return "", "", 0
			}
		}
		return words, charset, 2
	}
	ascii, latin, extended := true, true, true
	for _, c := range b {
		if c < utf8.RuneSelf && !textByte(c) {
			return "", "", 0
		}
		ascii = ascii && c < utf8.RuneSelf
		latin = latin && (c < 0x80 || c >= 0xa0 || c == 0x85)
	}
	switch {
	case ascii:
		return "ASCII text", "us-ascii", 0
	case plainUTF8(b, whole):
		return "Unicode text, UTF-8 text", "utf-8", 0
	case latin:
		return "ISO-8859 text", "iso-8859-1", 0
	case extended:
		return "Non-ISO extended-ASCII text", "unknown-8bit", 0
	}
	return "", "", 0
}

// plainUTF8 reports whether b is UTF-8 text; where it is not whole it may be cut.
func plainUTF8(b []byte, whole bool) bool {
	for i := 0; i < len(b); {
		if b[i] < utf8.RuneSelf {
			if !textByte(b[i]) {
				return false
			}
			i++
			continue
		}
		r, n := utf8.DecodeRune(b[i:])
		if r == utf8.RuneError && n <= 1 {
			return !whole && !utf8.FullRune(b[i:])
		}
		i += n
	}
	return true
}

// lines returns what there is to say of the lines and control characters.
func lines(b []byte, wide bool) string {
	crlf, cr, lf, esc, bs := 0, 0, 0, false, false
	longest, n := 0, 0
	for i := 0; i < len(b); i++ {
		c := b[i]
		if wide && c == 0 {
			continue
		}
		switch {
		case c == '\r' && i+1 < len(b) && b[i+1] == '\n':
			crlf++
			i++
			longest, n = max(longest, n), 0
		case c == '\r':
			cr++
			longest, n = max(longest, n), 0
		case c == '\n':
			lf++
			longest, n = max(longest, n), 0
		default:
			esc = esc || c == 0x1b
			bs = bs || c == '\b'
			n++
		}
	}
	longest = max(longest, n)
	s := ""
	if longest > longLine {
		s += ", with very long lines (" + strconv.Itoa(longest) + ")"
	}
	ends := ""
	for _, e := range [...]struct {
		n    int
		name string
	}{{crlf, "CRLF"}, {cr, "CR"}, {lf, "LF"}} {
		if e.n > 0 {
			if ends != "" {
				ends += ", "
			}
			ends += e.name
		}
	}
	switch ends {
	case "":
		s += ", with no line terminators"
	case "LF":
	default:
		s += ", with " + ends + " line terminators"
	}
	if esc {
		s += ", with escape sequences"
	}
	if bs {
		s += ", with overstriking"
	}
	return s
}

// text tells what kind of text b is; ok is false where it is none.
func text(b []byte, whole bool) (k kind, ok bool) {
	words, charset, bom := encoding(b, whole)
	if words == "" {
		return k, false
	}
	k = kind{mime: "text/plain", charset: charset}
	body := b[bom:]
	tail := lines(body, charset == "utf-16le" || charset == "utf-16be")
	what, mime := language(body, whole)
	switch {
	case what == "JSON text data":
		return kind{what, mime, charset}, true
	case what == "":
		k.text = words + tail
	case what[len(what)-1] == '!': // a script
		k.text, k.mime = what[:len(what)-1]+", "+words+" executable"+tail, mime
	default:
		k.text, k.mime = what+", "+words+tail, mime
	}
	return k, true
}

// language tells by its beginning what a text is written in. Scripts have a '!'
// at the end.
func language(b []byte, whole bool) (what, mime string) {
	if bytes.HasPrefix(b, []byte("#!")) {
		return script(b[2:])
	}
	start := bytes.TrimLeft(b, " \t\r\n")
	if len(start) > 0 && (start[0] == '{' || start[0] == '[') {
		if whole && validJSON(b) {
			return "JSON text data", "application/json"
		}
	}
	head := string(bytes.ToLower(start[:min(len(start), 256)]))
	has := func(s string) bool { return len(head) >= len(s) && head[:len(s)] == s }
	switch {
	case has("<?xml"):
		version := "1.0"
		if i := bytes.Index([]byte(head), []byte("version=")); i > 0 && i+12 <= len(head) {
			version = head[i+9 : i+12]
		}
		return "XML " + version + " document", "text/xml"
	case has("<!doctype html"), has("<html"), has("<head"):
		return "HTML document", "text/html"
	case has("<svg"):
		return "SVG Scalable Vector Graphics image", "image/svg+xml"
	case has("diff ") || has("--- ") && bytes.Contains(b[:min(len(b), 4096)], []byte("\n+++ ")):
		if bytes.Contains(b[:min(len(b), 8192)], []byte("\n@@ -")) {
			return "unified diff output", "text/x-diff"
		}
		return "diff output", "text/x-diff"
	}
	for _, l := range bytes.SplitN(b[:min(len(b), 8192)], []byte{'\n'}, 200) {
		if bytes.HasPrefix(l, []byte("#include ")) || bytes.HasPrefix(l, []byte("# include ")) {
			return "C source", "text/x-c"
		}
	}
	return "", ""
}

// script tells what the interpreter of a script is.
func script(b []byte) (what, mime string) {
	if i := bytes.IndexByte(b, '\n'); i >= 0 {
		b = b[:i]
	}
	words := bytes.Fields(b)
	if len(words) == 0 {
		return "", ""
	}
	line := string(bytes.Join(words, []byte{' '}))
	name := base(string(words[0]))
	if name == "env" && len(words) > 1 {
		name = base(string(words[len(words)-1]))
		for _, w := range words[1:] {
			if w[0] != '-' {
				name = base(string(w))
				break
			}
		}
	}
	for len(name) > 1 && (name[len(name)-1] >= '0' && name[len(name)-1] <= '9' || name[len(name)-1] == '.') {
		name = name[:len(name)-1]
	}
	switch name {
	case "sh", "dash":
		return "POSIX shell script!", "text/x-shellscript"
	case "bash":
		return "Bourne-Again shell script!", "text/x-shellscript"
	case "python", "pypy":
		return "Python script!", "text/x-script.python"
	case "perl":
		return "Perl script text executable", "text/x-perl"
	case "awk", "gawk", "mawk":
		return "awk script!", "text/x-awk"
	}
	return "a " + line + " script!", "text/plain"
}

func base(s string) string {
	for i := len(s) - 1; i >= 0; i-- {
		if s[i] == '/' {
			return s[i+1:]
		}
	}
	return s
}

// maxDepth bounds the nesting of JSON.
const maxDepth = 500

// validJSON reports whether b is one value of JSON.
func validJSON(b []byte) bool {
	i, ok := jsonValue(b, space(b, 0), 0)
	return ok && space(b, i) == len(b)
}

func space(b []byte, i int) int {
	for i < len(b) && (b[i] == ' ' || b[i] == '\t' || b[i] == '\n' || b[i] == '\r') {
		i++
	}
	return i
}

// jsonValue returns what is behind the value at b[i].
func jsonValue(b []byte, i, depth int) (int, bool) {
	if i >= len(b) || depth > maxDepth {
		return i, false
	}
	switch c := b[i]; {
	case c == '"':
		return jsonString(b, i)
	case c == '{' || c == '[':
		end := c + 2
		i = space(b, i+1)
		if i < len(b) && b[i] == end {
			return i + 1, true
		}
		for {
			var ok bool
			if c == '{' {
				if i, ok = jsonString(b, i); !ok {
					return i, false
				}
				if i = space(b, i); i >= len(b) || b[i] != ':' {
					return i, false
				}
				i = space(b, i+1)
			}
			if i, ok = jsonValue(b, i, depth+1); !ok {
				return i, false
			}
			if i = space(b, i); i >= len(b) {
				return i, false
			}
			if b[i] == end {
				return i + 1, true
			}
			if b[i] != ',' {
				return i, false
			}
			i = space(b, i+1)
		}
	case c == '-' || c >= '0' && c <= '9':
		return jsonNumber(b, i)
	}
	for _, w := range [...]string{"true", "false", "null"} {
		if len(b)-i >= len(w) && string(b[i:i+len(w)]) == w {
			return i + len(w), true
		}
	}
	return i, false
}

func jsonString(b []byte, i int) (int, bool) {
	if i >= len(b) || b[i] != '"' {
		return i, false
	}
	for i++; i < len(b); i++ {
		switch {
		case b[i] == '"':
			return i + 1, true
		case b[i] == '\\':
			i++
			if i < len(b) && b[i] == 'u' {
				for k := 1; k <= 4; k++ {
					if i+k >= len(b) || !hex(b[i+k]) {
						return i, false
					}
				}
			} else if i >= len(b) || bytes.IndexByte([]byte(`"\/bfnrt`), b[i]) < 0 {
				return i, false
			}
		case b[i] < ' ':
			return i, false
		}
	}
	return i, false
}

func hex(c byte) bool {
	return c >= '0' && c <= '9' || c|0x20 >= 'a' && c|0x20 <= 'f'
}

func jsonNumber(b []byte, i int) (int, bool) {
	digits := func() bool {
		from := i
		for i < len(b) && b[i] >= '0' && b[i] <= '9' {
			i++
		}
		return i > from
	}
	if b[i] == '-' {
		i++
	}
	zero := i < len(b) && b[i] == '0'
	from := i
	if !digits() || zero && i > from+1 {
		return i, false
	}
	if i < len(b) && b[i] == '.' {
		i++
		if !digits() {
			return i, false
		}
	}
	if i < len(b) && b[i]|0x20 == 'e' {
		i++
		if i < len(b) && (b[i] == '+' || b[i] == '-') {
			i++
		}
		if !digits() {
			return i, false
		}
	}
	return i, true
}
