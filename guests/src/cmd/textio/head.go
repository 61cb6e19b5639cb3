// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package textio

import (
	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/guests/src/cmdkit"
	"github.com/wsandbox/wsandbox/guests/src/wsys"
)

var headSyntax = cmdkit.Syntax{
	Short: "c:n:qvz",
	Long: []cmdkit.Long{
		{Name: "bytes", Arg: cmdkit.RequiredArg, Val: 'c'}, {Name: "lines", Arg: cmdkit.RequiredArg, Val: 'n'},
		{Name: "quiet", Val: 'q'}, {Name: "silent", Val: 'q'}, {Name: "verbose", Val: 'v'}, {Name: "zero-terminated", Val: 'z'},
	},
	Usage: []string{"[OPTION]... [FILE]..."},
	Help: "Print the first 10 lines of each FILE to standard output. With more than one\nFILE, precede each with a header giving the file name.\n\n" +
		"  -c, --bytes=[-]NUM       print the first NUM bytes; with '-', all but the last\n  -n, --lines=[-]NUM       print the first NUM lines; with '-', all but the last\n" +
		"  -q, --quiet, --silent    never print headers\n  -v, --verbose            always print headers\n  -z, --zero-terminated    line delimiter is NUL\n\n" +
		"NUM may have a suffix: b 512, kB 1000, K 1024, MB, M, GB, G, ...\n",
}

// sizeSuffixes are the multipliers that head, tail and split accept.
const sizeSuffixes = "bkKMGTPEZY0"

// Head is head(1).
func Head(p *cmdkit.Proc) int {
	n, bytes, allBut := uint64(10), false, false
	headers, delim := 0, byte('\n')
	set := func(what, arg string) bool {
		allBut = false
		if arg != "" && arg[0] == '-' {
			allBut, arg = true, arg[1:]
		}
		v, ok := p.Count(what, arg, sizeSuffixes)
		n = min(v, 1<<62)
		return ok
	}
	args := p.Args
	if len(args) > 0 && len(args[0]) > 1 && args[0][0] == '-' && isDigit(args[0][1]) { // the obsolete head -NUM[bkm][cqv]
		old := args[0][1:]
		i := 0
		for i < len(old) && isDigit(old[i]) {
			i++
		}
		num := old[:i]
		for ; i < len(old); i++ {
			switch old[i] {
			case 'c':
				bytes = true
			case 'b', 'k', 'm':
				bytes = true
				num += map[byte]string{'b': "b", 'k': "K", 'm': "M"}[old[i]]
			case 'l':
				bytes = false
			case 'q':
				headers = -1
			case 'v':
				headers = 1
			case 'z':
				delim = 0
			default:
				p.Warn("invalid trailing option -- ", old[i:i+1])
				return p.TryHelp(1)
			}
		}
		if !set("invalid number of "+unitName(bytes), num) {
			return 1
		}
		args = args[1:]
	}
	g := p.OptionsOf(&headSyntax, args)
	for g.Next() {
		switch g.Opt {
		case 'c', 'n':
			bytes = g.Opt == 'c'
			if !set("invalid number of "+unitName(bytes), g.Arg) {
				return 1
			}
		case 'q':
			headers = -1
		case 'v':
			headers = 1
		case 'z':
			delim = 0
		}
	}
	if g.Stop {
		return g.Status
	}
	title := titles{always: headers > 0, on: headers > 0 || headers == 0 && len(g.Operands) > 1}
	return p.EachInputReporting(g.Operands, func(err error, name string, opening bool) int {
		if opening {
			return p.Errno(err, "cannot open ", cmdkit.QuoteAF(name), " for reading")
		}
		if name == "-" {
			name = "standard input"
		}
		return p.Errno(err, "error reading ", cmdkit.QuoteAF(name))
	}, func(name string, r *cmdkit.Reader) bool {
		title.print(p, name)
		switch {
		case allBut && bytes:
			headAllButBytes(p, r, n)
		case allBut:
			headAllButLines(p, r, n, delim)
		case bytes:
			headBytes(p, r, n)
		default:
			headLines(p, r, n, delim)
		}
		return true
	})
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

func unitName(bytes bool) string {
	if bytes {
		return "bytes"
	}
	return "lines"
}

// titles prints the "==> name <==" lines between several files.
type titles struct{ on, always, any bool }

func (t *titles) print(p *cmdkit.Proc, name string) {
	if !t.on {
		return
	}
	if t.any {
		p.Stdout.WriteByte('\n')
	}
	t.any = true
	if name == "-" {
		name = "standard input"
	}
	p.Stdout.WriteString("==> ")
	p.Stdout.WriteString(name)
	p.Stdout.WriteString(" <==\n")
}

func headBytes(p *cmdkit.Proc, r *cmdkit.Reader, n uint64) {
	p.Stdout.Flush()
	for n > 0 && r.Buffered() == 0 && p.Stdout.Err == nil {
		k, err := wsys.Splice(r.FD, p.Stdout.FD, int64(min(n, 1<<40)))
		if err != nil && err != abi.EINTR {
			break
		}
		if err == nil && k == 0 {
			return
		}
		n -= uint64(k)
	}
	for n > 0 && p.Stdout.Err == nil {
		b := r.Chunk()
		if len(b) == 0 {
			return
		}
		if uint64(len(b)) > n {
			giveBack(r, len(b)-int(n))
			b = b[:n]
		}
		p.Stdout.Write(b)
		n -= uint64(len(b))
	}
}

// giveBack returns the bytes that were read too far to a seekable input, so
// that the next reader of the description finds them.
func giveBack(r *cmdkit.Reader, n int) {
	if n > 0 {
		_, _ = wsys.Seek(r.FD, -int64(n), abi.SeekCur) // a pipe cannot: those bytes are lost, as natively
	}
}

func headLines(p *cmdkit.Proc, r *cmdkit.Reader, n uint64, delim byte) {
	for n > 0 && p.Stdout.Err == nil {
		b := r.Chunk()
		if len(b) == 0 {
			return
		}
		i := 0
		for i < len(b) && n > 0 {
			if b[i] == delim {
				n--
			}
			i++
		}
		p.Stdout.Write(b[:i])
		giveBack(r, len(b)-i)
	}
}

// headAllButBytes prints all but the last n bytes.
func headAllButBytes(p *cmdkit.Proc, r *cmdkit.Reader, n uint64) {
	if st, err := wsys.Fstat(r.FD); err == nil && st.Mode.IsRegular() && st.Size > 0 && r.Buffered() == 0 {
		if pos, err := wsys.Seek(r.FD, 0, abi.SeekCur); err == nil {
			if left := st.Size - pos; left > 0 && uint64(left) > n {
				headBytes(p, r, uint64(left)-n)
			}
			return
		}
	}
	var held []byte
	for p.Stdout.Err == nil {
		b := r.Chunk()
		if len(b) == 0 {
			return
		}
		held = append(held, b...)
		if uint64(len(held)) > n {
			out := len(held) - int(n)
			p.Stdout.Write(held[:out])
			held = append(held[:0], held[out:]...)
		}
	}
}

// headAllButLines prints all but the last n lines; an unfinished last line
// counts as one.
func headAllButLines(p *cmdkit.Proc, r *cmdkit.Reader, n uint64, delim byte) {
	if n == 0 {
		copyAll(p, r)
		return
	}
	var ring [][]byte
	at := 0
	for p.Stdout.Err == nil {
		line, ok := r.Line(delim)
		if !ok {
			return
		}
		if uint64(len(ring)) < n {
			ring = append(ring, append([]byte(nil), line...))
			continue
		}
		p.Stdout.Write(ring[at])
		ring[at] = append(ring[at][:0], line...)
		if at++; at == len(ring) {
			at = 0
		}
	}
}
