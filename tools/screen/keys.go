// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package screen

import (
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// named are the keys by name: what is sent, and what instead in application
// cursor mode (DECCKM), as xterm does.
var named = map[string]struct{ normal, app string }{
	"ENTER":     {"\r", ""},
	"RETURN":    {"\r", ""},
	"TAB":       {"\t", ""},
	"BTAB":      {"\x1b[Z", ""},
	"SPACE":     {" ", ""},
	"BS":        {"\x7f", ""},
	"BACKSPACE": {"\x7f", ""},
	"ESC":       {"\x1b", ""},
	"ESCAPE":    {"\x1b", ""},
	"UP":        {"\x1b[A", "\x1bOA"},
	"DOWN":      {"\x1b[B", "\x1bOB"},
	"RIGHT":     {"\x1b[C", "\x1bOC"},
	"LEFT":      {"\x1b[D", "\x1bOD"},
	"HOME":      {"\x1b[H", "\x1bOH"},
	"END":       {"\x1b[F", "\x1bOF"},
	"INS":       {"\x1b[2~", ""},
	"DEL":       {"\x1b[3~", ""},
	"PGUP":      {"\x1b[5~", ""},
	"PGDN":      {"\x1b[6~", ""},
	"F1":        {"\x1bOP", ""},
	"F2":        {"\x1bOQ", ""},
	"F3":        {"\x1bOR", ""},
	"F4":        {"\x1bOS", ""},
	"F5":        {"\x1b[15~", ""},
	"F6":        {"\x1b[17~", ""},
	"F7":        {"\x1b[18~", ""},
	"F8":        {"\x1b[19~", ""},
	"F9":        {"\x1b[20~", ""},
	"F10":       {"\x1b[21~", ""},
	"F11":       {"\x1b[23~", ""},
	"F12":       {"\x1b[24~", ""},
}

// KeyNames returns the names that Key knows, sorted, without those made of a
// modifier and a key.
func KeyNames() []string {
	names := make([]string, 0, len(named))
	for n := range named {
		names = append(names, n)
	}
	slices.Sort(names)
	return names
}

// ControlKey returns the name of a control key in its one form, "C-a": text is
// "C-", "CTRL-" or "CTRL+" in any case and one character. ok is false for
// anything else.
func ControlKey(text string) (name string, ok bool) {
	upper := strings.ToUpper(text)
	for _, prefix := range []string{"C-", "CTRL-", "CTRL+"} {
		if !strings.HasPrefix(upper, prefix) {
			continue
		}
		if c := text[len(prefix):]; len(c) == 1 && c[0] > ' ' && c[0] < 0x7f {
			return "C-" + strings.ToLower(c), true
		}
	}
	return "", false
}

// Key returns the bytes that a terminal sends for a key. name is one of
// KeyNames in any case, a control key (ControlKey), "M-" or "ALT-" and a
// character or a key, or a modifier ("S-", "C-", "M-", combined in any order)
// and an arrow, HOME, END, INS, DEL, PGUP, PGDN or a function key. app is the
// application cursor mode (Modes.AppCursor). ok is false for other names, and
// for control keys that send nothing.
func Key(name string, app bool) (b []byte, ok bool) {
	if k, ok := named[strings.ToUpper(name)]; ok {
		if app && k.app != "" {
			return []byte(k.app), true
		}
		return []byte(k.normal), true
	}
	if c, ok := ControlKey(name); ok {
		return control(c[2])
	}
	return modified(name, app)
}

// control returns the control character of c.
func control(c byte) ([]byte, bool) {
	switch {
	case c >= 'a' && c <= 'z', c >= '@' && c <= '_':
		return []byte{c & 0x1f}, true
	case c == '?':
		return []byte{0x7f}, true
	}
	return nil, false
}

// modified encodes a key with modifiers as xterm does: 1 plus 1 for Shift, 2
// for Alt, 4 for Control.
func modified(name string, app bool) ([]byte, bool) {
	mods := 0
	rest := name
	for {
		upper := strings.ToUpper(rest)
		found := false
		for _, m := range []struct {
			prefix string
			bit    int
		}{{"S-", 1}, {"SHIFT-", 1}, {"M-", 2}, {"ALT-", 2}, {"C-", 4}, {"CTRL-", 4}, {"CTRL+", 4}} {
			if strings.HasPrefix(upper, m.prefix) && mods&m.bit == 0 && len(rest) > len(m.prefix) {
				mods |= m.bit
				rest = rest[len(m.prefix):]
				found = true
				break
			}
		}
		if !found {
			break
		}
	}
	if mods == 0 {
		return nil, false
	}
	key := strings.ToUpper(rest)
	k, known := named[key]
	switch {
	case !known && mods == 2: // Alt and a character
		if utf8.RuneCountInString(rest) != 1 || !utf8.ValidString(rest) {
			return nil, false
		}
		return append([]byte{0x1b}, rest...), true
	case !known && mods == 6 && len(rest) == 1:
		b, ok := control(strings.ToLower(rest)[0])
		if !ok {
			return nil, false
		}
		return append([]byte{0x1b}, b...), true
	case !known:
		return nil, false
	case key == "TAB" && mods == 1:
		return []byte("\x1b[Z"), true
	case key == "SPACE" && mods == 4:
		return []byte{0}, true
	case mods == 2 && k.normal[0] != 0x1b, mods == 2 && k.normal == "\x1b":
		return append([]byte{0x1b}, k.normal...), true
	}
	seq := k.normal
	switch last := seq[len(seq)-1]; {
	case strings.HasPrefix(seq, "\x1bO"), len(seq) == 3 && last != 'Z' && seq[0] == 0x1b:
		return append(strconv.AppendInt([]byte("\x1b[1;"), int64(mods+1), 10), last), true
	case last == '~':
		return append(strconv.AppendInt([]byte(seq[:len(seq)-1]+";"), int64(mods+1), 10), '~'), true
	}
	return nil, false
}

// Paste returns the bytes of a text that is pasted: line feeds become carriage
// returns, and in bracketed paste mode (Modes.BracketedPaste) the text is
// enclosed, without the sequence that would end the enclosure early.
func Paste(text string, bracketed bool) []byte {
	text = strings.ReplaceAll(strings.ReplaceAll(text, "\r\n", "\r"), "\n", "\r")
	if !bracketed {
		return []byte(text)
	}
	for _, end := range []string{"\x1b[201~", "\u009b201~"} {
		for strings.Contains(text, end) {
			text = strings.ReplaceAll(text, end, "")
		}
	}
	return []byte("\x1b[200~" + text + "\x1b[201~")
}
