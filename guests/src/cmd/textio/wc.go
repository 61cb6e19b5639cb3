// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package textio

import (
	"strconv"

	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/guests/src/cmdkit"
	"github.com/wsandbox/wsandbox/guests/src/wsys"
)

var wcSyntax = cmdkit.Syntax{
	Short: "clLmw",
	Long: []cmdkit.Long{
		{Name: "bytes", Val: 'c'}, {Name: "chars", Val: 'm'}, {Name: "lines", Val: 'l'}, {Name: "words", Val: 'w'},
		{Name: "max-line-length", Val: 'L'}, {Name: "files0-from", Arg: cmdkit.RequiredArg, Val: 256}, {Name: "total", Arg: cmdkit.RequiredArg, Val: 257},
	},
	Usage: []string{"[OPTION]... [FILE]...", "[OPTION]... --files0-from=F"},
	Help: "Print newline, word, and byte counts for each FILE, and a total line if more\nthan one FILE is given.\n\n" +
		"  -c, --bytes            print the byte counts\n  -m, --chars            print the character counts\n  -l, --lines            print the newline counts\n" +
		"      --files0-from=F    read the names, each ended by NUL, from F\n  -L, --max-line-length  print the maximum display width\n" +
		"  -w, --words            print the word counts\n      --total=WHEN       when to print a total: auto, always, only, never\n",
}

type counts struct{ lines, words, chars, bytes, width uint64 }

type wc struct {
	lines, words, chars, bytes, width bool
	digits                            int
}

// Wc is wc(1).
func Wc(p *cmdkit.Proc) int {
	var w wc
	from, hasFrom := "", false
	total := 0
	g := p.Options(&wcSyntax)
	for g.Next() {
		switch g.Opt {
		case 'c':
			w.bytes = true
		case 'm':
			w.chars = true
		case 'l':
			w.lines = true
		case 'w':
			w.words = true
		case 'L':
			w.width = true
		case 256:
			from, hasFrom = g.Arg, true
		case 257:
			v, ok := p.Choice("--total", g.Arg, []string{"auto", "always", "only", "never"}, []int{0, 1, 2, 3})
			if !ok {
				return 1
			}
			total = v
		}
	}
	if g.Stop {
		return g.Status
	}
	if !(w.bytes || w.chars || w.lines || w.words || w.width) {
		w.bytes, w.lines, w.words = true, true, true
	}
	files := g.Operands
	if hasFrom {
		if len(files) > 0 {
			p.Warn("extra operand ", cmdkit.QuoteAF(files[0]))
			p.Stderr.WriteString("file operands cannot be combined with --files0-from\n")
			return p.TryHelp(1)
		}
		list, ok := names0(p, from)
		if !ok {
			return 1
		}
		files = list
		if len(files) == 0 {
			return 0
		}
	}
	w.digits = w.numberWidth(files)
	if total == 2 {
		w.digits = 1
	}
	var sum counts
	status, n := 0, 0
	show := func(c *counts, name string) {
		sum.lines += c.lines
		sum.words += c.words
		sum.chars += c.chars
		sum.bytes += c.bytes
		sum.width = max(sum.width, c.width)
		n++
		if total != 2 {
			w.print(p, c, name)
		}
	}
	if len(files) == 0 {
		c := w.count(p.Stdin)
		show(&c, "")
		if p.Stdin.Err != nil {
			status = p.Errno(p.Stdin.Err, cmdkit.QuoteF("standard input"))
		}
	}
	for _, name := range files {
		fd, err := p.Open(name)
		if err != nil {
			status = p.FileErrno(err, name)
			n++
			continue
		}
		r := p.InputReader(fd)
		c := w.count(r)
		if r.Err != nil {
			status = p.FileErrno(r.Err, name)
			r.Err = nil
		}
		show(&c, name)
		p.CloseInput(fd)
	}
	if total == 1 || total == 2 || total == 0 && n > 1 {
		label := "total"
		if total == 2 {
			label = ""
		}
		w.print(p, &sum, label)
	}
	return status
}

// names0 reads the NUL-terminated names of --files0-from.
func names0(p *cmdkit.Proc, from string) ([]string, bool) {
	fd, err := p.Open(from)
	if err != nil {
		p.Errno(err, "cannot open ", cmdkit.QuoteAF(from), " for reading")
		return nil, false
	}
	defer p.CloseInput(fd)
	b, err := wsys.ReadAll(fd)
	if err != nil {
		p.FileErrno(err, from)
		return nil, false
	}
	var list []string
	for len(b) > 0 {
		i := 0
		for i < len(b) && b[i] != 0 {
			i++
		}
		if i == 0 {
			p.Warn(cmdkit.QuoteF(from), ":", strconv.Itoa(len(list)+1), ": invalid zero-length file name")
			return nil, false
		}
		list = append(list, string(b[:i]))
		b = b[min(i+1, len(b)):]
	}
	return list, true
}

// numberWidth returns the width of the columns as GNU computes it: that of the
// largest size, where all are regular files; 7 where one is not; 1 for a single
// column of a single file.
func (w *wc) numberWidth(files []string) int {
	columns := 0
	for _, on := range [...]bool{w.lines, w.words, w.chars, w.bytes, w.width} {
		if on {
			columns++
		}
	}
	if len(files) <= 1 && columns == 1 {
		return 1
	}
	if len(files) == 0 {
		if st, err := wsys.Fstat(wsys.Stdin); err == nil && st.Mode.IsRegular() {
			return len(strconv.FormatInt(st.Size, 10))
		}
		return 7
	}
	size, least := int64(0), 1
	for _, name := range files {
		var st wsys.Stat
		var err error
		if name == "-" {
			st, err = wsys.Fstat(wsys.Stdin)
		} else {
			st, err = wsys.StatAt(wsys.AtCwd, name, true)
		}
		switch {
		case err != nil:
		case st.Mode.IsRegular():
			size += st.Size
		default:
			least = 7
		}
	}
	return max(least, len(strconv.FormatInt(size, 10)))
}

func (w *wc) print(p *cmdkit.Proc, c *counts, name string) {
	first := true
	column := func(on bool, v uint64) {
		if !on {
			return
		}
		s := strconv.FormatUint(v, 10)
		if !first {
			p.Stdout.WriteByte(' ')
		}
		first = false
		p.Stdout.Pad(w.digits - len(s))
		p.Stdout.WriteString(s)
	}
	column(w.lines, c.lines)
	column(w.words, c.words)
	column(w.chars, c.chars)
	column(w.bytes, c.bytes)
	column(w.width, c.width)
	if name != "" {
		p.Stdout.WriteByte(' ')
		if hasNewline(name) {
			name = cmdkit.QuoteAF(name)
		}
		p.Stdout.WriteString(name)
	}
	p.Stdout.WriteByte('\n')
}

func hasNewline(s string) bool {
	for i := range len(s) {
		if s[i] == '\n' {
			return true
		}
	}
	return false
}

// count reads r to its end.
func (w *wc) count(r *cmdkit.Reader) (c counts) {
	if !w.lines && !w.words && !w.chars && !w.width && r.Buffered() == 0 {
		if st, err := wsys.Fstat(r.FD); err == nil && st.Mode.IsRegular() && st.Size > 0 {
			if pos, err := wsys.Seek(r.FD, 0, abi.SeekCur); err == nil {
				if _, err := wsys.Seek(r.FD, 0, abi.SeekEnd); err == nil {
					c.bytes = uint64(max(0, st.Size-pos))
					return c
				}
			}
		}
	}
	if !w.words && !w.width && !w.chars {
		for {
			b := r.Chunk()
			if len(b) == 0 {
				return c
			}
			c.bytes += uint64(len(b))
			if w.lines {
				c.lines += uint64(wsys.CountByte(b, '\n'))
			}
		}
	}
	inWord := false
	col := uint64(0)
	var partial [4]byte // an unfinished UTF-8 sequence at the end of a chunk
	held := 0
	for {
		b := r.Chunk()
		if len(b) == 0 {
			c.width = max(c.width, col)
			return c
		}
		c.bytes += uint64(len(b))
		if w.words || w.lines {
			c.lines, c.words, inWord = countWords(b, c.lines, c.words, inWord)
		}
		if !w.chars && !w.width {
			continue
		}
		for i := 0; i < len(b); {
			ch := b[i]
			if ch < 0x80 && held == 0 {
				i++
				c.chars++
				switch ch {
				case '\n', '\r', '\f':
					c.width = max(c.width, col)
					col = 0
				case '\t':
					col += 8 - col%8
				default:
					if ch >= 32 && ch < 127 {
						col++
					}
				}
				continue
			}
			partial[held] = ch
			held++
			i++
			s := string(partial[:held])
			n, printable := cmdkit.RuneLen(s)
			need := 0
			switch c0 := partial[0]; {
			case c0 >= 0xf0 && c0 < 0xf5:
				need = 4
			case c0 >= 0xe0 && c0 < 0xf0:
				need = 3
			case c0 >= 0xc2 && c0 < 0xe0:
				need = 2
			}
			switch {
			case need > held && (held == 1 || ch&0xc0 == 0x80):
				continue
			case need == held && n == held:
				c.chars++
				if printable {
					col += uint64(cmdkit.Width(s))
				}
			default:
				i -= held - 1 // one invalid byte is skipped, the rest is looked at again
				i = max(i, 0)
			}
			held = 0
		}
	}
}

// countWords counts the newlines and words of b. A word is a run of bytes that
// are not white space.
func countWords(b []byte, lines, words uint64, inWord bool) (uint64, uint64, bool) {
	if len(b) > wsys.Worth {
		words += uint64(wsys.Runs(b, &wordByte, &inWord))
		return lines + uint64(wsys.CountByte(b, '\n')), words, inWord
	}
	for _, ch := range b {
		if wordByte[ch] != 0 {
			if !inWord {
				words++
				inWord = true
			}
			continue
		}
		inWord = false
		if ch == '\n' {
			lines++
		}
	}
	return lines, words, inWord
}

var wordByte = func() (t [256]uint8) {
	for i := range t {
		if i != ' ' && (i < 9 || i > 13) {
			t[i] = 1
		}
	}
	return t
}()
