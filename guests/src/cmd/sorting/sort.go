// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package sorting

import (
	"bytes"
	"encoding/binary"
	"math"
	"slices"
	"strconv"

	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/guests/src/cmdkit"
	"github.com/wsandbox/wsandbox/guests/src/wsys"
)

var sortSyntax = cmdkit.Syntax{
	Short: "bcCdfghik:mMno:rRsS:t:T:uVz",
	Long: []cmdkit.Long{
		{Name: "ignore-leading-blanks", Val: 'b'}, {Name: "check", Arg: cmdkit.OptionalArg, Val: 256},
		{Name: "dictionary-order", Val: 'd'}, {Name: "ignore-case", Val: 'f'}, {Name: "general-numeric-sort", Val: 'g'},
		{Name: "human-numeric-sort", Val: 'h'}, {Name: "ignore-nonprinting", Val: 'i'}, {Name: "key", Arg: cmdkit.RequiredArg, Val: 'k'},
		{Name: "merge", Val: 'm'}, {Name: "month-sort", Val: 'M'}, {Name: "numeric-sort", Val: 'n'}, {Name: "output", Arg: cmdkit.RequiredArg, Val: 'o'},
		{Name: "reverse", Val: 'r'}, {Name: "random-sort", Val: 'R'}, {Name: "stable", Val: 's'}, {Name: "buffer-size", Arg: cmdkit.RequiredArg, Val: 'S'},
		{Name: "field-separator", Arg: cmdkit.RequiredArg, Val: 't'}, {Name: "temporary-directory", Arg: cmdkit.RequiredArg, Val: 'T'},
		{Name: "unique", Val: 'u'}, {Name: "version-sort", Val: 'V'}, {Name: "zero-terminated", Val: 'z'},
		{Name: "sort", Arg: cmdkit.RequiredArg, Val: 257}, {Name: "files0-from", Arg: cmdkit.RequiredArg, Val: 258},
		{Name: "parallel", Arg: cmdkit.RequiredArg, Val: 259}, {Name: "batch-size", Arg: cmdkit.RequiredArg, Val: 260},
		{Name: "random-source", Arg: cmdkit.RequiredArg, Val: 261},
	},
	Usage: []string{"[OPTION]... [FILE]...", "[OPTION]... --files0-from=F"},
	Help: "Write sorted concatenation of all FILE(s) to standard output. Text is compared\nbyte by byte.\n\n" +
		"  -b, --ignore-leading-blanks  ignore leading blanks\n  -d, --dictionary-order       consider only blanks and alphanumeric characters\n  -f, --ignore-case            fold lower case to upper case characters\n" +
		"  -g, --general-numeric-sort   compare according to general numerical value\n  -h, --human-numeric-sort     compare human readable numbers (2K 1G)\n  -i, --ignore-nonprinting     consider only printable characters\n" +
		"  -M, --month-sort             compare (unknown) < 'JAN' < ... < 'DEC'\n  -n, --numeric-sort           compare according to string numerical value\n  -R, --random-sort            shuffle, but group identical keys\n" +
		"  -r, --reverse                reverse the result of comparisons\n  -V, --version-sort           natural sort of (version) numbers within text\n      --sort=WORD              general-numeric, human-numeric, month, numeric,\n                               random, version\n" +
		"  -c, --check, -C              check for sorted input; do not sort\n  -k, --key=KEYDEF             sort via a key: F[.C][OPTS][,F[.C][OPTS]]\n  -m, --merge                  merge already sorted files\n" +
		"  -o, --output=FILE            write result to FILE\n  -s, --stable                 disable last-resort comparison\n  -t, --field-separator=SEP    use SEP instead of non-blank to blank transition\n" +
		"  -u, --unique                 output only the first of an equal run\n  -z, --zero-terminated        line delimiter is NUL\n      --files0-from=F          read the names, each ended by NUL, from F\n" +
		"  -S, -T, --parallel, --batch-size   accepted; the whole input is kept in memory\n",
	BadUsage: 2,
}

// sorter is a run of sort(1).
type sorter struct {
	data   []byte
	ends   []int    // where each file ends in data
	again  []bool   // line i equals one before it in order, for unique
	rough  bool     // different keys may have the same prefix
	starts []uint32 // line i is data[starts[i] : starts[i+1]-1]
	texts  []uint32 // what of line i is being sorted is data[texts[2*i] : texts[2*i+1]]
	keys   []key
	global order
	tab    int
	delim  byte
	stable bool
	unique bool
	seed   uint64
}

// maxInput bounds the input: what a WebAssembly memory can address with the
// indices beside it.
const maxInput = 1 << 30

// Sort is sort(1).
func Sort(p *cmdkit.Proc) int {
	s := sorter{tab: -1, delim: '\n'}
	output, hasOutput := "", false
	check, quiet, merge, globalB := false, false, false, false
	from, hasFrom := "", false
	g := p.Options(&sortSyntax)
	for g.Next() {
		switch g.Opt {
		case 'b':
			globalB = true
		case 'c', 'C':
			check, quiet = true, g.Opt == 'C'
		case 256:
			check = true
			if g.HasArg {
				v, ok := p.Choice("--check", g.Arg, []string{"quiet", "silent", "diagnose-first"}, []int{1, 1, 0})
				if !ok {
					return 2
				}
				quiet = v == 1
			}
		case 'k':
			k, ok := parseKey(p, g.Arg)
			if !ok {
				return 2
			}
			s.keys = append(s.keys, k)
		case 'm':
			merge = true
		case 'o':
			if hasOutput && output != g.Arg {
				p.Warn("multiple output files specified")
				return 2
			}
			output, hasOutput = g.Arg, true
		case 's':
			s.stable = true
		case 'S', 'T', 259, 260, 261:
		case 't':
			switch {
			case g.Arg == "":
				p.Warn("empty tab")
				return 2
			case g.Arg == "\\0":
				s.tab = 0
			case len(g.Arg) > 1:
				p.Warn("multi-character tab ", cmdkit.Quote(g.Arg))
				return 2
			default:
				s.tab = int(g.Arg[0])
			}
		case 'u':
			s.unique = true
		case 'z':
			s.delim = 0
		case 257:
			v, ok := p.Choice("--sort", g.Arg, []string{"general-numeric", "human-numeric", "month", "numeric", "random", "version"}, []int{'g', 'h', 'M', 'n', 'R', 'V'})
			if !ok {
				return 2
			}
			s.global.set(byte(v))
		case 258:
			from, hasFrom = g.Arg, true
		default:
			s.global.set(byte(g.Opt))
		}
	}
	if g.Stop {
		return g.Status
	}
	files := g.Operands
	if hasFrom {
		if len(files) > 0 {
			p.Warn("extra operand ", cmdkit.Quote(files[0]))
			p.Stderr.WriteString("file operands cannot be combined with --files0-from\n")
			return p.TryHelp(2)
		}
		list, err := names0(p, from)
		if err != nil {
			p.Errno(err, "open failed: ", from)
			return 2
		}
		files = list
	}
	if check && len(files) > 1 {
		p.Warn("extra operand ", cmdkit.QuoteAF(files[1]), " not allowed with -", map[bool]string{false: "c", true: "C"}[quiet])
		return 2
	}
	// Keys without options of their own take the global ones.
	for i := range s.keys {
		k := &s.keys[i]
		if !k.given && !k.from.skipBlanks && !k.to.skipBlanks {
			k.order = s.global
			k.order.given = false
			k.from.skipBlanks, k.to.skipBlanks = globalB, globalB
		}
	}
	if len(s.keys) == 0 && (s.global.given || globalB) {
		k := key{from: position{field: 1, char: 1, skipBlanks: globalB}, order: s.global}
		if !(s.global.kind == kindText && !s.global.dictionary && !s.global.fold && !s.global.noPrint && !globalB) {
			s.keys = []key{k}
		}
	}
	for i := range s.keys {
		if conflict := s.keys[i].conflict(); conflict != "" {
			p.Warn("options '-", conflict, "' are incompatible")
			return 2
		}
		if s.keys[i].kind == kindRandom {
			var b [8]byte
			wsys.Random(b[:])
			s.seed = binary.LittleEndian.Uint64(b[:])
		}
	}
	if st := s.read(p, files); st != 0 {
		return st
	}
	if check {
		name := "-"
		if len(files) > 0 {
			name = files[0]
		}
		return s.check(p, name, quiet)
	}
	var items []item
	if merge {
		items = s.merge()
	} else {
		items = s.sort()
	}
	if hasOutput {
		fd, err := wsys.Open(wsys.AtCwd, output, abi.OWronly|abi.OCreat|abi.OTrunc|abi.OCloexec, 0o666)
		if err != nil {
			p.Errno(err, "open failed: ", output)
			return 2
		}
		w := cmdkit.NewWriter(fd)
		w.SetLineBuffered(false)
		s.print(w, items)
		w.Flush()
		if err := w.Err; err == nil {
			w.Err = wsys.Close(fd)
		}
		if w.Err != nil {
			p.Errno(w.Err, "write failed: ", output)
			return 2
		}
		return 0
	}
	s.print(p.Stdout, items)
	p.Stdout.Flush()
	if p.Stdout.Err != nil {
		return 2
	}
	return 0
}

func names0(p *cmdkit.Proc, from string) ([]string, error) {
	fd, err := p.Open(from)
	if err != nil {
		return nil, err
	}
	defer p.CloseInput(fd)
	b, err := wsys.ReadAll(fd)
	if err != nil {
		return nil, err
	}
	var list []string
	for _, f := range bytes.Split(b, []byte{0}) {
		if len(f) > 0 {
			list = append(list, string(f))
		}
	}
	return list, nil
}

// conflict returns the letters of orderings that exclude each other.
func (o *order) conflict() string {
	if o.kind != kindText && o.kind != kindRandom && (o.dictionary || o.noPrint) {
		letter := map[kind]string{kindNumeric: "n", kindGeneral: "g", kindHuman: "h", kindMonth: "M", kindVersion: "V"}[o.kind]
		if o.dictionary {
			return "d" + letter
		}
		return "i" + letter
	}
	return ""
}

// read loads all inputs.
func (s *sorter) read(p *cmdkit.Proc, files []string) int {
	if len(files) == 0 {
		files = []string{"-"}
	}
	for _, name := range files { // all must be readable before any is read
		if name == "-" {
			continue
		}
		if err := wsys.Access(wsys.AtCwd, name, abi.AccessRead); err != nil {
			p.Errno(err, "cannot read: ", name)
			return 2
		}
	}
	size := int64(0)
	for _, name := range files {
		if st, err := wsys.StatAt(wsys.AtCwd, name, true); err == nil && st.Mode.IsRegular() {
			size += st.Size
		}
	}
	s.data = make([]byte, 0, min(size, maxInput)+4096)
	for _, name := range files {
		fd, err := p.Open(name)
		if err != nil {
			p.Errno(err, "open failed: ", name)
			return 2
		}
		for {
			if cap(s.data)-len(s.data) < 4096 {
				if len(s.data) > maxInput {
					p.Warn("memory exhausted")
					return 2
				}
				s.data = append(make([]byte, 0, 2*cap(s.data)+64<<10), s.data...)
			}
			n, err := wsys.Read(fd, s.data[len(s.data):cap(s.data)])
			s.data = s.data[:len(s.data)+n]
			if err == abi.EINTR {
				continue
			}
			if err != nil {
				p.Errno(err, "read failed: ", name)
				return 2
			}
			if n == 0 {
				break
			}
		}
		if n := len(s.data); n > 0 && s.data[n-1] != s.delim {
			s.data = append(s.data, s.delim)
		}
		s.ends = append(s.ends, len(s.data))
		p.CloseInput(fd)
	}
	s.starts = make([]uint32, wsys.CountByte(s.data, s.delim)+1)
	wsys.Positions(s.data, s.delim, s.delim, s.starts[1:])
	for i := range s.starts[1:] {
		s.starts[i+1]++
	}
	return 0
}

// line returns line i without its end.
func (s *sorter) line(i uint32) []byte { return s.data[s.starts[i] : s.starts[i+1]-1] }

func (s *sorter) lines() int { return len(s.starts) - 1 }

// compare orders two lines by the keys and, unless equal keys are to count as
// equal lines, by all their bytes.
func (s *sorter) compare(a, b uint32, lastResort bool) int {
	x, y := s.line(a), s.line(b)
	for i := range s.keys {
		k := &s.keys[i]
		if c := s.compareKeys(k.extract(x, s.tab), k.extract(y, s.tab), &k.order); c != 0 {
			if k.reverse {
				return -c
			}
			return c
		}
	}
	if len(s.keys) > 0 && !lastResort {
		return 0
	}
	c := bytes.Compare(x, y)
	if s.global.reverse {
		return -c
	}
	return c
}

// text returns what of line i is being sorted: a key, or all of it.
func (s *sorter) text(i uint32) []byte { return s.data[s.texts[2*i]:s.texts[2*i+1]] }

// sort returns the lines in order.
func (s *sorter) sort() []item {
	items := make([]item, s.lines())
	for i := range items {
		items[i].idx = uint32(i)
	}
	s.texts = make([]uint32, 2*len(items))
	if s.unique && len(s.keys) > 0 {
		s.again = make([]bool, len(items))
	}
	s.order(items, 0)
	return items
}

// order sorts lines that the keys before the given one do not tell apart. Behind
// the last key come the whole lines, unless their order is to be kept.
func (s *sorter) order(l []item, level int) {
	switch {
	case len(l) < 2:
		return
	case level == len(s.keys):
		if level > 0 && (s.stable || s.unique) {
			for i := range l {
				l[i].pre = 0
			}
			quick(l, inOrder, 64)
			if s.unique {
				for _, x := range l[1:] {
					s.again[x.idx] = true
				}
			}
			return
		}
		for i := range l {
			idx := l[i].idx
			s.texts[2*idx], s.texts[2*idx+1] = s.starts[idx], s.starts[idx+1]-1
			l[i].pre = prefix(s.text(idx))
		}
		s.multikey(l, 0, 128)
		if s.global.reverse {
			slices.Reverse(l)
		}
		return // lines that are equal now are the same
	}
	k := &s.keys[level]
	plain := k.plain()
	s.rough = false
	for i := range l {
		idx := l[i].idx
		line := s.line(idx)
		text := k.extract(line, s.tab)
		// The key is a part of the line.
		begin := s.starts[idx] + uint32(cap(line)-cap(text))
		s.texts[2*idx], s.texts[2*idx+1] = begin, begin+uint32(len(text))
		v := s.keyPrefix(text, &k.order)
		if k.reverse && !plain {
			v = ^v
		}
		l[i].pre = v
	}
	same := func(a, b *item) bool { return a.pre == b.pre }
	switch {
	case plain:
		s.multikey(l, 0, 128)
		if k.reverse {
			slices.Reverse(l)
		}
		same = func(a, b *item) bool { return bytes.Equal(s.text(a.idx), s.text(b.idx)) }
	case s.rough:
		quick(l, func(a, b uint32) bool {
			c := s.compare(a, b, !s.stable && !s.unique)
			return c < 0 || c == 0 && a < b
		}, 64)
		if s.unique {
			for i := 1; i < len(l); i++ {
				s.again[l[i].idx] = s.compare(l[i-1].idx, l[i].idx, false) == 0
			}
		}
		return
	default:
		quick(l, inOrder, 64)
	}
	for i := 0; i < len(l); {
		j := i + 1
		for j < len(l) && same(&l[i], &l[j]) {
			j++
		}
		s.order(l[i:j], level+1)
		i = j
	}
}

func inOrder(a, b uint32) bool { return a < b }

// merge returns the lines of files that are in order each, in order. What is not
// in order stays in the order of its file.
func (s *sorter) merge() []item {
	heads, stops := make([]uint32, len(s.ends)), make([]uint32, len(s.ends))
	line := uint32(0)
	for i, end := range s.ends {
		heads[i] = line
		for int(s.starts[line]) < end {
			line++
		}
		stops[i] = line
	}
	lastResort := !s.stable && !s.unique
	items := make([]item, 0, s.lines())
	for {
		best := -1
		for i := range heads {
			if heads[i] < stops[i] && (best < 0 || s.compare(heads[i], heads[best], lastResort) < 0) {
				best = i
			}
		}
		if best < 0 {
			return items
		}
		items = append(items, item{idx: heads[best]})
		heads[best]++
	}
}

// keyPrefix maps a key to a number that never contradicts compareKeys: keys
// with different prefixes are in the order of the prefixes.
func (s *sorter) keyPrefix(k []byte, o *order) uint64 {
	switch o.kind {
	case kindText:
		s.rough = true
		if !o.dictionary && !o.noPrint && !o.fold {
			return prefix(k)
		}
		v, n := uint64(0), 0
		for _, c := range k {
			if o.ignored(c) {
				continue
			}
			if o.fold {
				c = upper(c)
			}
			v |= uint64(c) << (56 - 8*n)
			if n++; n == 8 {
				break
			}
		}
		return v
	case kindNumeric:
		x := scanNumber(k)
		f := 0.0
		s.rough = s.rough || len(x.whole)+len(x.dec) > 15
		if len(x.whole) > 15 {
			f = 1e15 + float64(len(x.whole)) // more digits than a float keeps: compare decides
		} else {
			for _, c := range x.whole {
				f = f*10 + float64(c-'0')
			}
			scale := 1.0
			for _, c := range x.dec[:min(len(x.dec), 15-len(x.whole))] {
				f = f*10 + float64(c-'0')
				scale *= 10
			}
			f /= scale
		}
		if x.neg {
			f = -f
		}
		return floatOrder(f)
	case kindGeneral:
		f, class := general(k)
		if class < 2 {
			return uint64(class)
		}
		if f == 0 {
			f = 0 // -0 and 0 are equal
		}
		return max(floatOrder(f), 2)
	case kindMonth:
		return uint64(month(k))
	case kindRandom:
		s.rough = true
		return hash(k, s.seed)
	}
	s.rough = true
	return 0
}

// plain reports whether keys are compared as they are.
func (o *order) plain() bool {
	return o.kind == kindText && !o.dictionary && !o.noPrint && !o.fold
}

// floatOrder maps floats to numbers in the same order.
func floatOrder(f float64) uint64 {
	if f == 0 {
		f = 0
	}
	b := math.Float64bits(f)
	if b>>63 != 0 {
		return ^b
	}
	return b | 1<<63
}

// repeats reports whether line b, which comes next in order, equals line a.
func (s *sorter) repeats(a, b uint32) bool {
	if s.again != nil {
		return s.again[b]
	}
	return s.compare(a, b, false) == 0
}

func (s *sorter) print(w *cmdkit.Writer, items []item) {
	const flush = 32 << 10
	pieces := make([]uint32, 0, 2048)
	total := uint32(0)
	for i := range items {
		if s.unique && i > 0 && s.repeats(items[i-1].idx, items[i].idx) {
			continue
		}
		at := s.starts[items[i].idx:]
		n := at[1] - at[0]
		pieces = append(pieces, at[0], n)
		if total += n; total >= flush || len(pieces) == cap(pieces) {
			if w.Gather(s.data, nil, pieces, int(total)) != nil {
				return
			}
			pieces, total = pieces[:0], 0
		}
	}
	w.Gather(s.data, nil, pieces, int(total))
}

func (s *sorter) check(p *cmdkit.Proc, name string, quiet bool) int {
	for i := 1; i < s.lines(); i++ {
		c := s.compare(uint32(i-1), uint32(i), !s.stable && !s.unique)
		if c < 0 || c == 0 && !s.unique {
			continue
		}
		if !quiet {
			p.Stderr.WriteString(p.Name + ": " + name + ":" + strconv.Itoa(i+1) + ": disorder: " + string(s.line(uint32(i))) + "\n")
		}
		return 1
	}
	return 0
}
