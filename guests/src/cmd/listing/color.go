// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package listing

import (
	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/guests/src/cmdkit"
	"github.com/wsandbox/wsandbox/guests/src/fnmatch"
)

// colors are the sequences of LS_COLORS.
type colors struct {
	left, right, reset, end string
	hasEnd                  bool
	normal, file            string
	dir, link, fifo, sock   string
	block, char             string
	orphan, missing         string
	exec, setuid, setgid    string
	sticky, other, both     string
	multi                   string
	linkAsTarget            bool
	ext                     [][2]string
	used                    bool
}

// terminals are the names of terminals that show colours, as patterns.
var terminals = [...]string{"alacritty", "ansi", "*color*", "con[0-9]*x[0-9]*", "cons25", "console", "cygwin", "dtterm", "dvtm",
	"eterm-color", "gnome", "hurd", "jfbterm", "konsole", "kterm", "linux", "linux-c", "mlterm", "putty", "rxvt*", "screen*", "st",
	"terminator", "tmux*", "vt100", "xterm*"}

// newColors returns the colours of the environment, or nil where neither
// LS_COLORS nor the kind of terminal says that there are any.
func newColors(p *cmdkit.Proc) *colors {
	if p.Getenv("LS_COLORS") == "" && p.Getenv("COLORTERM") == "" {
		term, known := p.Getenv("TERM"), false
		for _, t := range terminals {
			known = known || fnmatch.Match(t, term, 0)
		}
		if !known {
			return nil
		}
	}
	c := defaultColors()
	c.parse(p.Getenv("LS_COLORS"))
	return c
}

// defaultColors are those without LS_COLORS.
func defaultColors() *colors {
	return &colors{left: "\x1b[", right: "m", reset: "0", dir: "01;34", link: "01;36", fifo: "33", sock: "01;35", block: "01;33", char: "01;33",
		exec: "01;32", setuid: "37;41", setgid: "30;43", sticky: "37;44", other: "34;42", both: "30;42"}
}

// parse reads LS_COLORS: KEY=VALUE pairs with colons between them.
func (c *colors) parse(s string) {
	for s != "" {
		i := 0
		for i < len(s) && s[i] != ':' {
			i++
		}
		item := s[:i]
		if i < len(s) {
			i++
		}
		s = s[i:]
		eq := -1
		for k := 0; k < len(item); k++ {
			if item[k] == '=' {
				eq = k
				break
			}
		}
		if eq < 1 {
			continue
		}
		key, val := item[:eq], unescapeColor(item[eq+1:])
		if key[0] == '*' {
			// A later entry replaces an earlier one.
			c.ext = append(c.ext, [2]string{key[1:], val})
			continue
		}
		for _, f := range [...]struct {
			key string
			to  *string
		}{{"lc", &c.left}, {"rc", &c.right}, {"ec", &c.end}, {"rs", &c.reset}, {"no", &c.normal}, {"fi", &c.file}, {"di", &c.dir},
			{"ln", &c.link}, {"pi", &c.fifo}, {"so", &c.sock}, {"bd", &c.block}, {"cd", &c.char}, {"or", &c.orphan}, {"mi", &c.missing},
			{"ex", &c.exec}, {"su", &c.setuid}, {"sg", &c.setgid}, {"st", &c.sticky}, {"ow", &c.other}, {"tw", &c.both}, {"mh", &c.multi}} {
			if f.key == key {
				*f.to = val
			}
		}
		c.hasEnd = c.hasEnd || key == "ec"
		if key == "ln" && val == "target" {
			c.linkAsTarget = true
		}
	}
}

func unescapeColor(s string) string {
	b := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '^' && i+1 < len(s):
			i++
			b = append(b, s[i]&0x1f)
		case s[i] == '\\' && i+1 < len(s):
			i++
			switch s[i] {
			case 'e':
				b = append(b, 0x1b)
			case 'a':
				b = append(b, 7)
			case 'n':
				b = append(b, '\n')
			case 't':
				b = append(b, '\t')
			case '_':
				b = append(b, ' ')
			default:
				b = append(b, s[i])
			}
		default:
			b = append(b, s[i])
		}
	}
	return string(b)
}

func set(s string) bool { return s != "" && s != "0" && s != "00" }

// of returns the sequence for a file of the given mode. orphan says that it is a
// link that leads nowhere, missing that it is what such a link names.
func (c *colors) of(name string, mode abi.Mode, nlink uint32, orphan, missing bool) string {
	if missing {
		if set(c.missing) {
			return c.missing
		}
		return ""
	}
	switch mode & abi.ModeFmt {
	case abi.ModeDir:
		switch {
		case mode&abi.ModeSticky != 0 && mode&0o002 != 0 && set(c.both):
			return c.both
		case mode&0o002 != 0 && set(c.other):
			return c.other
		case mode&abi.ModeSticky != 0 && set(c.sticky):
			return c.sticky
		}
		return c.dir
	case abi.ModeSymlink:
		if orphan && set(c.orphan) {
			return c.orphan
		}
		if c.linkAsTarget {
			return ""
		}
		return c.link
	case abi.ModeFIFO:
		return c.fifo
	case abi.ModeSocket:
		return c.sock
	case abi.ModeBlock:
		return c.block
	case abi.ModeChar:
		return c.char
	}
	switch {
	case mode&abi.ModeSetuid != 0 && set(c.setuid):
		return c.setuid
	case mode&abi.ModeSetgid != 0 && set(c.setgid):
		return c.setgid
	case mode&0o111 != 0 && set(c.exec):
		return c.exec
	case nlink > 1 && set(c.multi):
		return c.multi
	}
	for i := len(c.ext) - 1; i >= 0; i-- {
		if e := c.ext[i][0]; len(name) >= len(e) && name[len(name)-len(e):] == e {
			return c.ext[i][1]
		}
	}
	return c.file
}

// put writes text in a colour.
func (c *colors) put(w *cmdkit.Writer, seq, text string) {
	if !set(seq) {
		if seq = c.normal; !set(seq) {
			w.WriteString(text)
			return
		}
	}
	if !c.used {
		c.used = true
		c.restore(w)
	}
	w.WriteString(c.left)
	w.WriteString(seq)
	w.WriteString(c.right)
	w.WriteString(text)
	c.restore(w)
}

func (c *colors) restore(w *cmdkit.Writer) {
	if c.hasEnd {
		w.WriteString(c.end)
		return
	}
	w.WriteString(c.left)
	w.WriteString(c.reset)
	w.WriteString(c.right)
}
