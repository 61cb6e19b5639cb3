// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package interp

import (
	"slices"
	"strings"

	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/guests/src/shell/lineedit"
	"github.com/wsandbox/wsandbox/guests/src/wsys"
)

// maxCompletions bounds what is looked at for one word.
const maxCompletions = 20_000

// partial is the word at the end of an unfinished command line.
type partial struct {
	from    int    // its offset in the line
	text    string // without quotes
	raw     string // as it stands in the line
	quote   byte   // the quote that is open, or 0
	command bool   // it names a command
	name    string // of the command that it belongs to
}

// commandWords come before a command.
const commandWords = " ! { case do done elif else fi for if in then time until while coproc exec command builtin sudo env nohup xargs "

// lastWord finds the word that a line ends in.
func lastWord(line string) partial {
	p := partial{command: true}
	var word []byte
	started := false // of a word
	redir := false   // the word is the file of a redirection
	sub, cut := 0, 0 // where the name begins that is the value of the word
	end := func() {
		if !started {
			return
		}
		w := string(word)
		switch {
		case redir:
		case p.command && (strings.Contains(commandWords, " "+w+" ") || isAssignment(w)):
		case p.command:
			p.command, p.name = false, w
		}
		word, started, redir, sub = word[:0], false, false, 0
	}
	begin := func(i int) {
		if !started {
			started, p.from = true, i
		}
	}
	for i := 0; i < len(line); i++ {
		c := line[i]
		switch {
		case p.quote == '\'':
			if c == '\'' {
				p.quote = 0
			} else {
				word = append(word, c)
			}
		case c == '\\':
			begin(i)
			if i+1 < len(line) {
				i++
				if p.quote == '"' && strings.IndexByte("\"\\$`\n", line[i]) < 0 {
					word = append(word, '\\')
				}
				word = append(word, line[i])
			}
		case p.quote == '"' && c == '"':
			p.quote = 0
		case c == '`', c == '$' && i+1 < len(line) && line[i+1] == '(':
			// A command within the word.
			if c == '$' {
				i++
			}
			p = partial{command: true, from: i + 1}
			word, started, sub = word[:0], false, 0
		case p.quote == '"':
			word = append(word, c)
		case c == '"' || c == '\'':
			begin(i)
			p.quote = c
		case c == ' ' || c == '\t':
			end()
		case strings.IndexByte(";&|()\n", c) >= 0:
			end()
			p = partial{command: true}
			redir = false
		case c == '<' || c == '>':
			if allDigits(string(word)) {
				word, started = word[:0], false
			}
			end()
			redir = true
		case c == '=' && started, c == ':' && started && isAssignment(line[p.from:i]):
			// What follows is a name of its own, but for where it starts.
			word = append(word, c)
			if w := string(word); isAssignment(w) || w[0] == '-' {
				sub, cut = i+1, len(word)
			}
		default:
			begin(i)
			word = append(word, c)
		}
	}
	switch {
	case !started:
		p.from = len(line)
	case sub > 0:
		p.from, word, p.command = sub, word[cut:], false
	}
	p.text, p.raw = string(word), line[p.from:]
	p.command = p.command && !redir
	return p
}

// isAssignment reports whether w begins with NAME=.
func isAssignment(w string) bool {
	i := strings.IndexByte(w, '=')
	return i > 0 && validName(strings.TrimSuffix(w[:i], "+"))
}

// completions returns what the word at the end of line may become.
func (sh *Shell) completions(line string) lineedit.Completion {
	p := lastWord(line)
	c := lineedit.Completion{From: p.from}
	if p.quote != '\'' {
		if i := strings.LastIndexByte(p.raw, '$'); i >= 0 && (i == 0 || p.raw[i-1] != '\\') {
			brace := strings.HasPrefix(p.raw[i+1:], "{")
			name := strings.TrimPrefix(p.raw[i+1:], "{")
			if name == "" || validName(name) {
				c.From += i
				c.Words = sh.completeVariable(name, brace)
				return c
			}
		}
	}
	if p.command && strings.IndexByte(p.text, '/') < 0 && !strings.HasPrefix(p.raw, "~") {
		c.Words = sh.completeCommand(&p)
		if len(c.Words) > 0 {
			return c
		}
	}
	if strings.HasPrefix(p.raw, "%") && slices.Contains([]string{"fg", "bg", "jobs", "kill", "wait", "disown"}, p.name) {
		for _, j := range sh.jobs {
			if s := "%" + itoa(int64(j.id)); !j.forgotten() && !j.subst && strings.HasPrefix(s, p.raw) {
				c.Words = append(c.Words, lineedit.Word{Text: s, Show: s, End: " "})
			}
		}
		return c
	}
	c.Words = sh.completeFile(&p)
	return c
}

func (sh *Shell) completeVariable(name string, brace bool) []lineedit.Word {
	var l []lineedit.Word
	for _, n := range sh.namesWith(name) {
		if brace {
			l = append(l, lineedit.Word{Text: "${" + n, Show: "${" + n, End: "}"})
		} else {
			l = append(l, lineedit.Word{Text: "$" + n, Show: "$" + n, End: " "})
		}
	}
	return l
}

func (sh *Shell) completeCommand(p *partial) []lineedit.Word {
	seen := map[string]bool{}
	var l []lineedit.Word
	add := func(n string) {
		if strings.HasPrefix(n, p.text) && n != "" && !seen[n] {
			seen[n] = true
			l = append(l, lineedit.Word{Text: p.quoted(n), Show: n, End: p.close() + " "})
		}
	}
	for n := range sh.aliases {
		add(n)
	}
	for i := range builtinList {
		if n := builtinList[i].name; !sh.disabled[n] {
			add(n)
		}
	}
	for _, n := range strings.Fields("case coproc do done elif else esac fi for function if in select then time until while") {
		add(n)
	}
	for _, n := range sh.funcNames() {
		add(n)
	}
	path, _ := sh.get(sh.rt.id.path)
	for d := range strings.SplitSeq(path, ":") {
		if d == "" {
			d = "."
		}
		sh.eachEntry(d, p.text, func(n string, e *wsys.Dirent) {
			if !seen[n] && sh.executable(d+"/"+n) == nil {
				add(n)
			}
		})
	}
	sortWords(l)
	return l
}

func sortWords(l []lineedit.Word) {
	slices.SortFunc(l, func(a, b lineedit.Word) int { return strings.Compare(a.Text, b.Text) })
}

// eachEntry calls f for the entries of a directory that begin with prefix.
func (sh *Shell) eachEntry(dir, prefix string, f func(name string, e *wsys.Dirent)) {
	fd, err := wsys.Open(wsys.AtCwd, sh.path(dir), abi.ORdonly|abi.ODirectory|abi.OCloexec, 0)
	if err != nil {
		return
	}
	defer wsys.Close(fd)
	var l []wsys.Dirent
	cookie := uint64(0)
	for n := 0; n < maxCompletions; n += len(l) {
		l, err = wsys.ReadDir(fd, l[:0], cookie, false)
		if err != nil || len(l) == 0 {
			return
		}
		for i := range l {
			e := &l[i]
			cookie = e.Cookie
			if strings.HasPrefix(e.Name, prefix) && e.Name != "." && e.Name != ".." && (e.Name[0] != '.' || prefix != "") {
				f(e.Name, e)
			}
		}
	}
}

func (sh *Shell) completeFile(p *partial) []lineedit.Word {
	dirsOnly := p.name == "cd" || p.name == "pushd" || p.name == "rmdir"
	// The directory is kept as it was written.
	cut := strings.LastIndexByte(p.text, '/') + 1
	rawCut := strings.LastIndexByte(p.raw, '/') + 1
	dir, prefix := p.text[:cut], p.text[cut:]
	rawDir := p.raw[:rawCut]
	if cut > 0 && strings.HasPrefix(p.raw, "~") {
		user, rest, _ := strings.Cut(dir, "/")
		dir = sh.tilde(user) + "/" + rest
	}
	if p.quote != '\'' && strings.IndexByte(rawDir, '$') >= 0 {
		if strings.ContainsAny(rawDir, "(`'\"") {
			return nil // nothing is run for a completion
		}
		w := sh.parseText(rawDir, 1)
		failed := sh.expandFailed
		dir = sh.text(w)
		sh.expandFailed = failed
	}
	if cut > 0 && dir == "" {
		return nil
	}
	from := dir
	if from == "" {
		from = "."
	}
	var l []lineedit.Word
	sh.eachEntry(from, prefix, func(n string, e *wsys.Dirent) {
		isDir := e.Mode.IsDir()
		if !isDir && !e.Mode.IsRegular() {
			st, err := sh.stat(dir+n, true)
			isDir = err == nil && st.Mode.IsDir()
		}
		switch {
		case dirsOnly && !isDir:
			return
		case p.command && !isDir && sh.executable(dir+n) != nil:
			return
		}
		w := lineedit.Word{Text: rawDir + p.quotedPart(n, rawCut == 0), Show: n, End: p.close() + " "}
		if isDir {
			w.Show += "/"
			w.End = "/"
		}
		l = append(l, w)
	})
	sortWords(l)
	return l
}

// close is the quote that is open.
func (p *partial) close() string {
	if p.quote != 0 {
		return string(p.quote)
	}
	return ""
}

// quoted returns a name with the quotes that the word has begun with.
func (p *partial) quoted(n string) string { return p.quotedPart(n, true) }

// quotedPart returns what stands for n in the line: at the start of the word, or
// behind its directory.
func (p *partial) quotedPart(n string, first bool) string {
	open := ""
	if first && p.quote != 0 {
		open = string(p.quote)
	}
	switch p.quote {
	case '\'':
		return open + strings.ReplaceAll(n, "'", `'\''`)
	case '"':
		return open + escapeBytes(n, "\"\\$`!")
	}
	if strings.ContainsAny(n, "\n\r") {
		return "$'" + strings.NewReplacer("\\", "\\\\", "'", "\\'", "\n", "\\n", "\r", "\\r").Replace(n) + "'"
	}
	s := escapeBytes(n, " \t\"'\\$`&;|<>()*?[]{}!#^")
	if first && n[0] == '~' {
		s = "\\" + s
	}
	return s
}

// escapeBytes puts a backslash before the bytes of set.
func escapeBytes(s, set string) string {
	var b strings.Builder
	for i := range len(s) {
		if strings.IndexByte(set, s[i]) >= 0 {
			b.WriteByte('\\')
		}
		b.WriteByte(s[i])
	}
	return b.String()
}
