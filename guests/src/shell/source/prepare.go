// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package source

import "strings"

// Options say what Prepare does.
type Options struct {
	// Alias returns the value of an alias. Nil: aliases are not expanded.
	Alias func(name string) (string, bool)
	// Mask masks what a static parser would refuse.
	Mask bool
	// SplitBang reads !( at the start of a command as the negation of a
	// subshell, which it is where extended patterns are off.
	SplitBang bool
}

// Edit is a change of the text's length: Delta bytes more at Pos of the result.
type Edit struct{ Pos, Delta int }

// Original returns the offset in the original text of an offset behind edits.
func Original(edits []Edit, off int) int {
	d := 0
	for _, e := range edits {
		if e.Pos < off {
			d += e.Delta
		}
	}
	return off - d
}

// Prepare returns text, with aliases expanded, and the text to parse. Both have
// the same length.
func Prepare(text string, opt Options) (src, masked string, edits []Edit) {
	sc := scanner{src: text, alias: opt.Alias, edit: true, bang: opt.SplitBang}
	for sc.i < len(sc.src) {
		if !sc.commands(0) {
			break
		}
		if sc.i < len(sc.src) { // an unmatched ) is the parser's to report
			sc.i++
		}
	}
	if !opt.Mask || len(sc.masks)+len(sc.blanks)+len(sc.plus)+len(sc.lets)+len(sc.bads) == 0 {
		return sc.src, sc.src, sc.edits
	}
	b := []byte(sc.src)
	for _, m := range sc.masks {
		first := true
		for i := m.from; i < m.to; i++ {
			if b[i] == '\n' {
				continue
			}
			if b[i] = ' '; first {
				b[i], first = '0', false
			}
		}
	}
	for _, i := range sc.plus { // [k]+=v, which the parser knows only as [k]=v
		b[i-1], b[i] = ' ', ']'
	}
	for _, m := range sc.bads { // stand as $(:), which the compiler knows by its text
		b[m.from+1], b[m.to-1] = '(', ')'
		for i := m.from + 2; i < m.to-1; i++ {
			if b[i] != '\n' {
				b[i] = ' '
			}
		}
		if m.to-m.from > 3 {
			b[m.from+2] = ':'
		}
	}
	for _, i := range sc.blanks {
		b[i] = ' '
	}
	for _, i := range sc.lets { // the parser's own idea of let is too narrow
		b[i] = 'E'
	}
	return sc.src, string(b), sc.edits
}

type span struct{ from, to int }

type heredoc struct {
	delim  string
	tabs   bool
	quoted bool
}

// scanner finds its way through shell text without building a tree.
type scanner struct {
	src    string
	i      int
	alias  func(string) (string, bool)
	edit   bool // insertions are permitted
	masks  []span
	blanks []int
	plus   []int
	lets   []int
	bads   []span // parameter expansions that cannot be read: ${...}
	edits  []Edit
	bang   bool
	again  bool // the word comes from an alias, so that it may be one itself
	docs   []heredoc
	active []activeAlias
	depth  int
}

const maxDepth = 200

func isBlank(c byte) bool { return c == ' ' || c == '\t' }

func isNameStart(c byte) bool { return c == '_' || c|32 >= 'a' && c|32 <= 'z' }

func isNameByte(c byte) bool { return isNameStart(c) || c >= '0' && c <= '9' }

func (s *scanner) at(k int) byte {
	if s.i+k < len(s.src) {
		return s.src[s.i+k]
	}
	return 0
}

// commands scans commands up to the unmatched close, behind which it stops. It
// reports false where the text ends first. close 0 is the end of the text.
func (s *scanner) commands(close byte) bool {
	if s.depth++; s.depth > maxDepth {
		s.i = len(s.src)
		s.depth--
		return close == 0
	}
	defer func() { s.depth-- }()
	cmd := true   // a command word may come
	decl := false // the words are arguments of declare and its kin
	cases := 0    // open case commands
	pats := false // a pattern of a case may come
	word := false // within a word
	for s.i < len(s.src) {
		c := s.src[s.i]
		if c == close && close != 0 && cases == 0 {
			s.i++
			return true
		}
		switch c {
		case ' ', '\t', '\r':
			s.i++
			word = false
		case '\n':
			s.i++
			s.heredocs()
			cmd, decl, word = true, false, false
		case ';', '&', '|':
			if c == ';' && s.at(1) == ';' && cases > 0 {
				pats = true
				s.i++
			}
			s.i++
			cmd, decl, word = true, false, false
		case '#':
			if !word {
				for s.i < len(s.src) && s.src[s.i] != '\n' {
					s.i++
				}
				continue
			}
			s.i++
		case '(':
			if !word && s.at(1) == '(' && cmd {
				if n := arithEnd(s.src[s.i+1:]); n > 0 {
					s.mask(s.i+2, s.i+n)
					s.i += n + 2
					cmd = false
					continue
				}
				if s.edit {
					s.insert(s.i + 1)
				}
			}
			s.i++
			if pats && cases > 0 {
				continue // the optional ( of a pattern
			}
			array := word && s.i >= 2 && s.src[s.i-2] == '='
			if array {
				s.array()
			} else if !s.commands(')') {
				return close == 0
			}
			word = array
			cmd = !array
		case ')':
			if cases > 0 {
				s.i++
				pats, cmd, decl, word = false, true, false, false
				continue
			}
			if close == 0 {
				return true
			}
			s.i++
		case '<':
			if s.at(1) == '<' && s.at(2) != '<' {
				s.hereOp()
				word = false
				continue
			}
			if s.at(1) == '(' {
				s.i += 2
				if !s.commands(')') {
					return close == 0
				}
				continue
			}
			for s.at(0) == '<' || s.at(0) == '&' || s.at(0) == '>' {
				s.i++
			}
			s.redirWord()
			word = false
		case '>':
			if s.at(1) == '(' {
				s.i += 2
				if !s.commands(')') {
					return close == 0
				}
				continue
			}
			s.i++
			for s.at(0) == '>' || s.at(0) == '&' || s.at(0) == '|' {
				s.i++
			}
			s.redirWord()
			word = false
		default:
			if word {
				if !s.wordPiece() {
					return close == 0
				}
				continue
			}
			word = true
			lit := s.literal()
			if forced := s.leaveAliases() || s.again; (cmd || forced) && !pats && lit != "" && s.expandAlias(lit) {
				word, s.again = false, true
				continue
			}
			s.again = false
			if lit != "" {
				end := s.i + len(lit)
				if (cmd || decl) && end < len(s.src) && s.src[end] == '[' && validName(lit) {
					if n := Bracket(s.src[end:]); n > 0 && end+n < len(s.src) && (s.src[end+n] == '=' || s.src[end+n] == '+') {
						s.mask(end+1, end+n-1)
						s.i = end + n
						continue
					}
				}
				s.i = end
				whole := s.i >= len(s.src) || strings.IndexByte(" \t\r\n;&|()<>", s.src[s.i]) >= 0
				if !whole {
					// An assignment keeps the command position.
					if cmd && strings.IndexByte(lit, '=') < 0 {
						cmd = false
					}
					if !s.wordPiece() {
						return close == 0
					}
					continue
				}
				switch {
				case lit == "esac" && cases > 0 && (cmd || pats):
					cases--
					cmd, pats = false, false
				case lit == "in" && cases > 0 && !cmd && !pats:
					pats = true
				case pats:
				case !cmd:
				case lit == "case":
					cases++
					cmd = false
				case lit == "let":
					s.lets = append(s.lets, s.i-2)
					cmd = false
				case lit == "!":
					if s.bang && s.at(0) == '(' {
						s.insert(s.i)
					}
					if s.at(0) == ' ' && s.at(1) == '!' && isBlank(s.at(2)) {
						s.blanks = append(s.blanks, s.i-1, s.i+1)
						s.i += 2
					}
				case isKeyword(lit):
				case lit == "[[":
					s.cond()
					cmd = false
				case lit == "export" || lit == "declare" || lit == "typeset" || lit == "local" || lit == "readonly":
					cmd, decl = false, true
				case strings.IndexByte(lit, '=') > 0:
				default:
					cmd = false
				}
				continue
			}
			cmd = false
			if !s.wordPiece() {
				return close == 0
			}
		}
	}
	return close == 0
}

func isKeyword(s string) bool {
	switch s {
	case "if", "then", "else", "elif", "fi", "do", "done", "while", "until", "{", "}", "time", "coproc":
		return true
	}
	return false
}

func validName(s string) bool {
	if s == "" || !isNameStart(s[0]) {
		return false
	}
	for i := range len(s) {
		if !isNameByte(s[i]) {
			return false
		}
	}
	return true
}

// literal returns the unquoted literal text at the position, without passing
// over it.
func (s *scanner) literal() string {
	k := s.i
	for k < len(s.src) && strings.IndexByte(" \t\r\n;&|()<>\\'\"`$[", s.src[k]) < 0 {
		k++
	}
	if k == s.i && k < len(s.src) && s.src[k] == '[' {
		for k < len(s.src) && s.src[k] == '[' {
			k++
		}
		if k < len(s.src) && !isBlank(s.src[k]) {
			return ""
		}
	}
	return s.src[s.i:k]
}

// wordPiece passes over one character, quoting or expansion of a word.
func (s *scanner) wordPiece() bool {
	switch c := s.src[s.i]; c {
	case '$':
		return s.dollar()
	case '"':
		return s.double()
	default:
		return s.skip(c)
	}
}

// skip passes over a quotation. The text of an old-style substitution is
// masked, because it is parsed on its own later.
func (s *scanner) skip(c byte) bool {
	n := Skip(s.src[s.i:])
	if n == 0 {
		s.i = len(s.src)
		return false
	}
	if c == '`' {
		s.mask(s.i+1, s.i+n-1)
	}
	s.i += n
	return true
}

// redirWord passes over blanks and the word of a redirection.
func (s *scanner) redirWord() {
	for isBlank(s.at(0)) {
		s.i++
	}
	for s.i < len(s.src) && strings.IndexByte(" \t\r\n;&|()<>", s.src[s.i]) < 0 {
		if !s.wordPiece() {
			return
		}
	}
}

func (s *scanner) mask(from, to int) {
	if to > from {
		s.masks = append(s.masks, span{from, to})
	}
}

// cond passes over [[ ... ]].
func (s *scanner) cond() {
	for s.i < len(s.src) {
		if isBlank(s.src[s.i]) && strings.HasPrefix(s.src[s.i+1:], "]]") {
			s.i += 3
			return
		}
		if s.src[s.i] == '#' || s.src[s.i] == '\n' {
			s.i++
			continue
		}
		if !s.wordPiece() {
			return
		}
	}
}

// array passes over the elements of name=(...), masking their subscripts.
func (s *scanner) array() {
	start := true
	for s.i < len(s.src) {
		switch c := s.src[s.i]; {
		case c == ')':
			s.i++
			return
		case isBlank(c) || c == '\n':
			s.i++
			start = true
		case c == '#' && start:
			for s.i < len(s.src) && s.src[s.i] != '\n' {
				s.i++
			}
		case c == '[' && start:
			n := Bracket(s.src[s.i:])
			if n > 0 && s.i+n < len(s.src) && (s.src[s.i+n] == '=' || s.src[s.i+n] == '+') {
				s.mask(s.i+1, s.i+n-1)
				s.i += n
				if s.src[s.i] == '+' {
					s.plus = append(s.plus, s.i)
				}
			} else {
				s.i++
			}
			start = false
		case (c == '<' || c == '>') && s.at(1) == '(':
			s.i += 2
			if !s.commands(')') {
				return
			}
		case c == '(':
			s.i++
			if !s.commands(')') {
				return
			}
		default:
			start = false
			if !s.wordPiece() {
				return
			}
		}
	}
}
