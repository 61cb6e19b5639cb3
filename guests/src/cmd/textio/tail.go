// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package textio

import (
	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/guests/src/cmdkit"
	"github.com/wsandbox/wsandbox/guests/src/wsys"
)

var tailSyntax = cmdkit.Syntax{
	Short: "c:n:qvzfFs:",
	Long: []cmdkit.Long{
		{Name: "bytes", Arg: cmdkit.RequiredArg, Val: 'c'}, {Name: "lines", Arg: cmdkit.RequiredArg, Val: 'n'},
		{Name: "quiet", Val: 'q'}, {Name: "silent", Val: 'q'}, {Name: "verbose", Val: 'v'}, {Name: "zero-terminated", Val: 'z'},
		{Name: "follow", Arg: cmdkit.OptionalArg, Val: 256}, {Name: "retry", Val: 257}, {Name: "pid", Arg: cmdkit.RequiredArg, Val: 258},
		{Name: "sleep-interval", Arg: cmdkit.RequiredArg, Val: 's'}, {Name: "max-unchanged-stats", Arg: cmdkit.RequiredArg, Val: 259},
	},
	Usage: []string{"[OPTION]... [FILE]..."},
	Help: "Print the last 10 lines of each FILE to standard output. With more than one\nFILE, precede each with a header giving the file name.\n\n" +
		"  -c, --bytes=[+]NUM       output the last NUM bytes; with '+', from byte NUM on\n  -f, --follow[={name|descriptor}]  output appended data as the file grows\n" +
		"  -F                       same as --follow=name --retry\n  -n, --lines=[+]NUM       output the last NUM lines; with '+', from line NUM on\n" +
		"      --pid=PID            with -f, end after process PID does\n  -q, --quiet, --silent    never print headers\n      --retry              keep trying to open a file\n" +
		"  -s, --sleep-interval=N   with -f, look every N seconds (default 1.0)\n  -v, --verbose            always print headers\n  -z, --zero-terminated    line delimiter is NUL\n\n" +
		"NUM may have a suffix: b 512, kB 1000, K 1024, MB, M, GB, G, ...\n",
}

// followed is a file of tail -f.
type followed struct {
	name     string
	fd       wsys.FD // -1: not open
	size     int64
	dev, ino uint64
}

type tail struct {
	n           uint64
	bytes, from bool
	delim       byte
	follow      int // 0 no, 1 descriptor, 2 name
	retry       bool
	pid         wsys.PID
	interval    int64
	files       []followed
}

// Tail is tail(1).
func Tail(p *cmdkit.Proc) int {
	t := tail{n: 10, delim: '\n', interval: 1e9}
	headers := 0
	set := func(what, arg string) bool {
		t.from = false
		switch {
		case arg != "" && arg[0] == '+':
			t.from, arg = true, arg[1:]
		case arg != "" && arg[0] == '-':
			arg = arg[1:]
		}
		v, ok := p.Count(what, arg, sizeSuffixes)
		t.n = min(v, 1<<62)
		return ok
	}
	args := p.Args
	// The obsolete tail -NUM[bcl][f] and tail +NUM….
	if len(args) > 0 && len(args) <= 2 && len(args[0]) > 1 && (args[0][0] == '-' || args[0][0] == '+') && isDigit(args[0][1]) {
		old := args[0][1:]
		i := 0
		for i < len(old) && isDigit(old[i]) {
			i++
		}
		num, rest := old[:i], old[i:]
		if rest != "" && (rest[0] == 'b' || rest[0] == 'c' || rest[0] == 'l') {
			t.bytes = rest[0] != 'l'
			if rest[0] == 'b' {
				num += "b"
			}
			rest = rest[1:]
		}
		if rest == "f" {
			t.follow, rest = 1, ""
		}
		if rest == "" {
			sign := ""
			if args[0][0] == '+' {
				sign = "+"
			}
			if !set("invalid number of "+unitName(t.bytes), sign+num) {
				return 1
			}
			args = args[1:]
		}
	}
	g := p.OptionsOf(&tailSyntax, args)
	for g.Next() {
		switch g.Opt {
		case 'c', 'n':
			t.bytes = g.Opt == 'c'
			if !set("invalid number of "+unitName(t.bytes), g.Arg) {
				return 1
			}
		case 'q':
			headers = -1
		case 'v':
			headers = 1
		case 'z':
			t.delim = 0
		case 'f':
			t.follow = max(t.follow, 1)
		case 'F':
			t.follow, t.retry = 2, true
		case 256:
			t.follow = 1
			if g.HasArg {
				v, ok := p.Choice("--follow", g.Arg, []string{"descriptor", "name"}, []int{1, 2})
				if !ok {
					return 1
				}
				t.follow = v
			}
		case 257:
			t.retry = true
		case 258:
			v, ok := p.Count("invalid PID", g.Arg, "")
			if !ok {
				return 1
			}
			t.pid = wsys.PID(min(v, 1<<31-1))
		case 's':
			v, ok := cmdkit.ParseSeconds(g.Arg)
			if !ok {
				p.Warn("invalid number of seconds: ", cmdkit.Quote(g.Arg))
				return 1
			}
			t.interval = v
		case 259:
			if _, ok := p.Count("invalid maximum number of unchanged stats between opens", g.Arg, ""); !ok {
				return 1
			}
		}
	}
	if g.Stop {
		return g.Status
	}
	operands := g.Operands
	if len(operands) == 0 {
		operands = []string{"-"}
	}
	title := titles{on: headers > 0 || headers == 0 && len(operands) > 1}
	status := 0
	for _, name := range operands {
		fd, err := p.Open(name)
		if err != nil {
			status = p.Errno(err, "cannot open ", cmdkit.QuoteAF(name), " for reading")
			if t.follow == 2 && t.retry {
				t.files = append(t.files, followed{name: name, fd: -1})
			}
			continue
		}
		title.print(p, name)
		r := p.InputReader(fd)
		t.one(p, r)
		if r.Err != nil {
			status = p.Errno(r.Err, "error reading ", cmdkit.QuoteAF(name))
			r.Err = nil
		}
		if t.follow == 0 {
			p.CloseInput(fd)
			continue
		}
		st, err := wsys.Fstat(fd)
		if err != nil || !st.Mode.IsRegular() && name == "-" {
			continue // as POSIX: -f means nothing for a pipe on standard input
		}
		t.files = append(t.files, followed{name: name, fd: fd, size: st.Size, dev: st.Dev, ino: st.Ino})
	}
	if t.follow > 0 && len(t.files) > 0 {
		p.Stdout.Flush()
		t.watch(p, &title)
	}
	return status
}

func (t *tail) one(p *cmdkit.Proc, r *cmdkit.Reader) {
	switch {
	case t.from && t.bytes:
		skip := t.n
		if skip > 0 {
			skip--
		}
		for skip > 0 {
			b := r.Chunk()
			if len(b) == 0 {
				return
			}
			if uint64(len(b)) > skip {
				p.Stdout.Write(b[skip:])
				break
			}
			skip -= uint64(len(b))
		}
		copyAll(p, r)
	case t.from:
		skip := t.n
		if skip > 0 {
			skip--
		}
		for skip > 0 {
			b := r.Chunk()
			if len(b) == 0 {
				return
			}
			i := 0
			for i < len(b) && skip > 0 {
				if b[i] == t.delim {
					skip--
				}
				i++
			}
			if skip == 0 {
				p.Stdout.Write(b[i:])
			}
		}
		copyAll(p, r)
	case t.bytes:
		t.lastBytes(p, r)
	default:
		t.lastLines(p, r)
	}
}

func (t *tail) lastBytes(p *cmdkit.Proc, r *cmdkit.Reader) {
	if r.Buffered() == 0 {
		if end, ok := seekable(r.FD); ok {
			pos, _ := wsys.Seek(r.FD, 0, abi.SeekCur)
			if uint64(max(0, end-pos)) > t.n {
				_, _ = wsys.Seek(r.FD, end-int64(t.n), abi.SeekSet)
			}
			copyAll(p, r)
			return
		}
	}
	var held []byte
	for {
		b := r.Chunk()
		if len(b) == 0 {
			break
		}
		held = append(held, b...)
		if uint64(len(held)) > 2*t.n+1<<16 {
			held = append(held[:0], held[len(held)-int(t.n):]...)
		}
	}
	if uint64(len(held)) > t.n {
		held = held[len(held)-int(t.n):]
	}
	p.Stdout.Write(held)
}

// seekable returns the size of a regular file.
func seekable(fd wsys.FD) (int64, bool) {
	st, err := wsys.Fstat(fd)
	if err != nil || !st.Mode.IsRegular() || st.Size == 0 {
		return 0, false // files of /proc have no size but content
	}
	return st.Size, true
}

func (t *tail) lastLines(p *cmdkit.Proc, r *cmdkit.Reader) {
	if t.n == 0 {
		if end, ok := seekable(r.FD); ok {
			_, _ = wsys.Seek(r.FD, end, abi.SeekSet)
			return
		}
	}
	if r.Buffered() == 0 {
		if end, ok := seekable(r.FD); ok && t.lastLinesSeek(p, r, end) {
			return
		}
	}
	// A ring of lines would cost an allocation each; the text is kept whole
	// and cut now and then.
	var held []byte
	lines := uint64(0) // delimiters in held
	for {
		b := r.Chunk()
		if len(b) == 0 {
			break
		}
		held = append(held, b...)
		lines += uint64(count(b, t.delim))
		if lines > 2*t.n+1024 && len(held) > 256<<10 {
			cut := lastLinesAt(held, t.n+1, t.delim)
			held = append(held[:0], held[cut:]...)
			lines = uint64(count(held, t.delim))
		}
	}
	p.Stdout.Write(held[lastLinesAt(held, t.n, t.delim):])
}

func count(b []byte, c byte) int { return wsys.CountByte(b, c) }

// lastLinesAt returns where the last n lines of b begin; an unfinished last line
// counts.
func lastLinesAt(b []byte, n uint64, delim byte) int {
	if n == 0 {
		return len(b)
	}
	i := len(b)
	if i > 0 && b[i-1] == delim {
		i--
	}
	for i > 0 {
		if b[i-1] == delim {
			if n--; n == 0 {
				return i
			}
		}
		i--
	}
	return 0
}

// lastLinesSeek reads a file from its end. It reports false where the file
// cannot be read that way.
func (t *tail) lastLinesSeek(p *cmdkit.Proc, r *cmdkit.Reader, end int64) bool {
	begin, err := wsys.Seek(r.FD, 0, abi.SeekCur)
	if err != nil || begin >= end {
		return err == nil
	}
	var block [16 << 10]byte
	need := t.n
	pos := end
	last := true
	for pos > begin {
		n := min(int64(len(block)), pos-begin)
		pos -= n
		if _, err := wsys.Seek(r.FD, pos, abi.SeekSet); err != nil {
			return false
		}
		b := block[:n]
		for got := 0; got < len(b); {
			k, err := wsys.Read(r.FD, b[got:])
			if err == abi.EINTR {
				continue
			}
			if err != nil || k == 0 { // the file shrank
				_, _ = wsys.Seek(r.FD, begin, abi.SeekSet)
				return false
			}
			got += k
		}
		i := len(b)
		if last {
			last = false
			if b[i-1] == t.delim {
				i--
			}
		}
		for ; i > 0; i-- {
			if b[i-1] == t.delim {
				if need--; need == 0 {
					pos += int64(i)
					begin = pos
					break
				}
			}
		}
	}
	if _, err := wsys.Seek(r.FD, pos, abi.SeekSet); err != nil {
		return false
	}
	copyAll(p, r)
	return true
}

// watch is the endless part of tail -f.
func (t *tail) watch(p *cmdkit.Proc, title *titles) {
	current := len(t.files) - 1
	for p.Stdout.Err == nil {
		for i := range t.files {
			f := &t.files[i]
			if t.follow == 2 {
				t.reopen(p, f)
			}
			if f.fd < 0 {
				continue
			}
			st, err := wsys.Fstat(f.fd)
			if err != nil {
				continue
			}
			if st.Mode.IsRegular() && st.Size < f.size {
				p.Warn(f.name, ": file truncated")
				_, _ = wsys.Seek(f.fd, 0, abi.SeekSet)
			}
			if st.Mode.IsRegular() && st.Size == f.size {
				continue
			}
			f.size = st.Size
			if i != current {
				title.print(p, f.name)
				current = i
			}
			copyAll(p, p.InputReader(f.fd))
			p.Stdout.Flush()
		}
		if t.pid != 0 && wsys.Kill(t.pid, 0) == abi.ESRCH {
			return
		}
		// A reader that is gone must end us though nothing is written.
		out := []wsys.PollFD{{FD: p.Stdout.FD, Events: 0}}
		if n, err := wsys.Poll(out, t.interval); err == nil && n > 0 && out[0].Revents&(abi.PollErr|abi.PollHup) != 0 {
			wsys.DieBy(abi.SIGPIPE)
		}
	}
}

// reopen looks whether a name leads to another file now.
func (t *tail) reopen(p *cmdkit.Proc, f *followed) {
	st, err := wsys.StatAt(wsys.AtCwd, f.name, true)
	if err != nil {
		if f.fd >= 0 && t.retry {
			p.Errno(err, cmdkit.QuoteAF(f.name), " has become inaccessible")
			wsys.Close(f.fd)
			f.fd = -1
		}
		return
	}
	if f.fd >= 0 && st.Dev == f.dev && st.Ino == f.ino {
		return
	}
	fd, err := wsys.Open(wsys.AtCwd, f.name, abi.ORdonly|abi.OCloexec, 0)
	if err != nil {
		return
	}
	if f.fd >= 0 {
		wsys.Close(f.fd)
		p.Warn(cmdkit.QuoteAF(f.name), " has been replaced;  following new file")
	} else {
		p.Warn(cmdkit.QuoteAF(f.name), " has appeared;  following new file")
	}
	*f = followed{name: f.name, fd: fd, size: -1, dev: st.Dev, ino: st.Ino}
}
