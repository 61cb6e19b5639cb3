// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package listing

import (
	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/guests/src/cmdkit"
	"github.com/wsandbox/wsandbox/guests/src/datetime"
	"github.com/wsandbox/wsandbox/guests/src/fnmatch"
	"github.com/wsandbox/wsandbox/guests/src/fswalk"
)

var duSyntax = cmdkit.Syntax{
	Short: "0abd:chHklmst:xB:DLPSX:",
	Long: []cmdkit.Long{{Name: "all", Val: 'a'}, {Name: "apparent-size", Val: 256}, {Name: "block-size", Arg: cmdkit.RequiredArg, Val: 'B'},
		{Name: "bytes", Val: 'b'}, {Name: "count-links", Val: 'l'}, {Name: "dereference", Val: 'L'}, {Name: "dereference-args", Val: 'D'},
		{Name: "exclude", Arg: cmdkit.RequiredArg, Val: 257}, {Name: "exclude-from", Arg: cmdkit.RequiredArg, Val: 'X'},
		{Name: "files0-from", Arg: cmdkit.RequiredArg, Val: 258}, {Name: "human-readable", Val: 'h'}, {Name: "inodes", Val: 259},
		{Name: "si", Val: 260}, {Name: "max-depth", Arg: cmdkit.RequiredArg, Val: 'd'}, {Name: "null", Val: '0'},
		{Name: "no-dereference", Val: 'P'}, {Name: "one-file-system", Val: 'x'}, {Name: "separate-dirs", Val: 'S'},
		{Name: "summarize", Val: 's'}, {Name: "total", Val: 'c'}, {Name: "threshold", Arg: cmdkit.RequiredArg, Val: 't'},
		{Name: "time", Arg: cmdkit.OptionalArg, Val: 261}, {Name: "time-style", Arg: cmdkit.RequiredArg, Val: 262}},
	Usage: []string{"[OPTION]... [FILE]...", "[OPTION]... --files0-from=F"},
	Help: `Add up the space that files take, for each directory.

  -0, --null            end each line with NUL
  -a, --all             count files, not only directories
      --apparent-size   sizes instead of the space on disk
  -B, --block-size=SIZE scale sizes by SIZE
  -b, --bytes           same as --apparent-size --block-size=1
  -c, --total           a grand total
  -D, -H, --dereference-args  follow links among the operands
  -d, --max-depth=N     only N levels down; 0 is the same as -s
      --exclude=PATTERN, -X FILE, --exclude-from=FILE  leave out what matches
      --files0-from=F   the operands are in F, each ended by NUL
  -h, --human-readable  sizes such as 1K 234M 2G; --si by powers of 1000
      --inodes          count inodes instead of space
  -k, -m                same as --block-size=1K, 1M
  -L, --dereference     follow all links; -P, --no-dereference none (default)
  -l, --count-links     count files with several names each time
  -S, --separate-dirs   without the sizes of subdirectories
  -s, --summarize       only a total for each operand
  -t, --threshold=SIZE  leave out what is smaller, or larger where negative
      --time[=WORD], --time-style=STYLE  show the newest modification (or atime, ctime)
  -x, --one-file-system stay on one file system
`,
}

type duser struct {
	p                               *cmdkit.Proc
	block                           cmdkit.BlockSize
	all, apparent, inodes, separate bool
	countLinks, human, hashAll      bool
	depth                           int
	threshold                       int64
	hasThreshold, thresholdNegative bool
	exclude                         []string
	walk                            fswalk.Walker
	seen                            map[[2]uint64]struct{}
	levels                          []duLevel
	total                           duLevel
	eol                             byte
	status                          int
	time                            byte // 0, or m, a, c
	timeFormat                      string
	zone                            *datetime.Zone
}

// duLevel is what a directory on the way adds up to: everything in it, and of
// that what is in subdirectories.
type duLevel struct {
	size, below uint64
	newest      int64
}

// Du adds up file sizes.
func Du(p *cmdkit.Proc) int {
	d := &duser{p: p, depth: -1, eol: '\n'}
	summarize, total, maxGiven, blockGiven := false, false, false, false
	from, hasFrom := "", false
	timeStyle := ""
	g := p.Options(&duSyntax)
	for g.Next() {
		switch g.Opt {
		case '0':
			d.eol = 0
		case 'a':
			d.all = true
		case 'b':
			d.apparent = true
			d.block, blockGiven = cmdkit.BlockSize{Size: 1}, true
		case 'c':
			total = true
		case 'd':
			v, e := cmdkit.ParseUint(g.Arg, "")
			if e != cmdkit.NumOK || v > 1<<30 {
				return p.UsageError(1, "invalid maximum depth ", cmdkit.Quote(g.Arg))
			}
			d.depth, maxGiven = int(v), true
		case 'h', 260:
			d.block, blockGiven = cmdkit.BlockSize{Size: 1, Human: true, SI: g.Opt == 260}, true
		case 'k':
			d.block, blockGiven = cmdkit.BlockSize{Size: 1024}, true
		case 'm':
			d.block, blockGiven = cmdkit.BlockSize{Size: 1 << 20}, true
		case 'B':
			b, ok := p.BlockSizeArg(g.Spelling(), g.Arg)
			if !ok {
				return 1
			}
			d.block, blockGiven = b, true
		case 'l':
			d.countLinks = true
		case 's':
			summarize = true
		case 't':
			arg := g.Arg
			if arg != "" && arg[0] == '-' {
				d.thresholdNegative = true
				arg = arg[1:]
			}
			v, e := cmdkit.ParseUint(arg, "kKmMGTPEZY0")
			if e != cmdkit.NumOK || v > 1<<63-1 {
				return p.Warn("invalid ", g.Spelling(), " argument '", g.Arg, "'")
			}
			if d.thresholdNegative && v == 0 {
				return p.Warn("invalid --threshold argument '-0'")
			}
			d.threshold, d.hasThreshold = int64(v), true
		case 'x':
			d.walk.OneDev = true
		case 'D', 'H':
			d.walk.Follow = fswalk.FollowRoots
		case 'L':
			d.walk.Follow = fswalk.FollowAll
		case 'P':
			d.walk.Follow = fswalk.FollowNone
		case 'S':
			d.separate = true
		case 'X':
			if !d.excludeFrom(g.Arg) {
				return 1
			}
		case 256:
			d.apparent = true
		case 257:
			d.exclude = append(d.exclude, g.Arg)
		case 258:
			from, hasFrom = g.Arg, true
		case 259:
			d.inodes = true
		case 261:
			d.time = 'm'
			if g.HasArg {
				v, ok := p.Choice("--time", g.Arg, []string{"atime", "access", "use", "ctime", "status"}, []int{'a', 'a', 'a', 'c', 'c'})
				if !ok {
					return p.TryHelp(1)
				}
				d.time = byte(v)
			}
		case 262:
			timeStyle = g.Arg
		}
	}
	if g.Stop {
		return g.Status
	}
	if d.all && summarize {
		return p.UsageError(1, "cannot both summarize and show all entries")
	}
	if summarize && maxGiven {
		if d.depth != 0 {
			return p.UsageError(1, "warning: summarizing conflicts with --max-depth=", itoa(uint64(d.depth)))
		}
		p.Warn("warning: summarizing is the same as using --max-depth=0")
	}
	if summarize {
		d.depth = 0
	}
	if !blockGiven {
		d.block, _ = p.BlockSizeEnv("DU_BLOCK_SIZE")
	}
	if d.inodes && (d.apparent) {
		p.Warn("warning: options --apparent-size and -b are ineffective with --inodes")
	}
	if d.inodes && !d.block.Human {
		d.block = cmdkit.BlockSize{Size: 1}
	}
	if d.time != 0 && !d.setTime(timeStyle) {
		return p.TryHelp(1)
	}
	ops := g.Operands
	if hasFrom {
		if len(ops) > 0 {
			p.Warn("extra operand ", cmdkit.QuoteAF(ops[0]))
			p.Stderr.WriteString("file operands cannot be combined with --files0-from\n")
			return p.TryHelp(1)
		}
		var ok bool
		if ops, ok = d.filesFrom(from); !ok {
			return 1
		}
	} else if len(ops) == 0 {
		ops = []string{"."}
	}
	d.hashAll = len(ops) > 1 || d.walk.Follow != fswalk.FollowNone
	d.walk.Stat = true
	d.seen = map[[2]uint64]struct{}{}
	for _, f := range ops {
		if f == "" {
			d.status = p.Warn("invalid zero-length file name")
			continue
		}
		d.tree(f)
		if p.WriteFailed() {
			break
		}
	}
	if total {
		d.print(&d.total, "total", false)
	}
	return d.status
}

func (d *duser) setTime(style string) bool {
	if style == "" {
		style = "long-iso"
	}
	switch {
	case style[0] == '+':
		d.timeFormat = style[1:]
	default:
		v, ok := d.p.Choice("time style", style, []string{"full-iso", "long-iso", "iso"}, []int{0, 1, 2})
		if !ok {
			return false
		}
		d.timeFormat = [...]string{"%Y-%m-%d %H:%M:%S.%N %z", "%Y-%m-%d %H:%M", "%Y-%m-%d"}[v]
	}
	tz, set := d.p.LookupEnv("TZ")
	d.zone = datetime.Load(tz, set)
	return true
}

func (d *duser) excludeFrom(file string) bool {
	fd, err := d.p.Open(file)
	if err != nil {
		d.p.FileErrno(err, file)
		return false
	}
	defer d.p.CloseInput(fd)
	r := d.p.InputReader(fd)
	for {
		l, ok := r.Line('\n')
		if !ok {
			return true
		}
		for len(l) > 0 && (l[len(l)-1] == '\n' || l[len(l)-1] == ' ') {
			l = l[:len(l)-1]
		}
		if len(l) > 0 {
			d.exclude = append(d.exclude, string(l))
		}
	}
}

func (d *duser) filesFrom(file string) ([]string, bool) {
	fd, err := d.p.Open(file)
	if err != nil {
		d.p.Errno(err, "cannot open ", cmdkit.QuoteAF(file), " for reading")
		return nil, false
	}
	defer d.p.CloseInput(fd)
	r := d.p.InputReader(fd)
	var l []string
	for {
		b, ok := r.Line(0)
		if !ok {
			return l, true
		}
		if n := len(b) - 1; b[n] == 0 {
			b = b[:n]
		}
		l = append(l, string(b))
	}
}

// excluded reports whether a pattern matches the end of the path, at a slash.
func (d *duser) excluded(path string) bool {
	for _, pat := range d.exclude {
		if fnmatch.Match(pat, path, 0) {
			return true
		}
		for i := 0; i+1 < len(path); i++ {
			if path[i] == '/' && path[i+1] != '/' && fnmatch.Match(pat, path[i+1:], 0) {
				return true
			}
		}
	}
	return false
}

func (d *duser) fresh(st *abi.Stat) bool {
	if d.countLinks && !d.hashAll || !d.hashAll && (st.Mode.IsDir() || st.Nlink < 2) {
		return true
	}
	if d.countLinks && !st.Mode.IsDir() {
		return true
	}
	id := [2]uint64{st.Dev, st.Ino}
	if _, dup := d.seen[id]; dup {
		return false
	}
	d.seen[id] = struct{}{}
	return true
}

func (d *duser) size(st *abi.Stat) uint64 {
	switch {
	case d.inodes:
		return 1
	case d.apparent:
		if st.Mode.IsRegular() || st.Mode.IsSymlink() {
			return uint64(max(st.Size, 0))
		}
		return 0
	}
	return uint64(max(st.Blocks, 0)) * 512
}

func (d *duser) stamp(st *abi.Stat) int64 {
	switch d.time {
	case 'a':
		return st.Atim
	case 'c':
		return st.Ctim
	}
	return st.Mtim
}

func (d *duser) tree(root string) {
	w := &d.walk
	d.levels = d.levels[:0]
	w.Start(root)
	for e := w.Next(); e != nil; e = w.Next() {
		switch e.Kind {
		case fswalk.Missing:
			if len(d.exclude) > 0 && d.excluded(e.Path()) {
				continue
			}
			d.status = d.p.Errno(e.Err, "cannot access ", cmdkit.QuoteAF(e.Path()))
			continue
		case fswalk.Unreadable:
			d.status = d.p.Errno(e.Err, "cannot read directory ", cmdkit.QuoteAF(e.Path()))
			continue
		case fswalk.Cycle:
			d.p.Warn("WARNING: Circular directory structure.")
			d.status = 1
			continue
		case fswalk.Post:
			n := len(d.levels) - 1
			l := d.levels[n]
			d.levels = d.levels[:n]
			shown := l
			if d.separate {
				shown.size -= l.below
			}
			if e.Depth <= d.depth || d.depth < 0 {
				d.print(&shown, e.Path(), true)
			}
			d.add(&l, true)
			continue
		}
		if len(d.exclude) > 0 && d.excluded(e.Path()) {
			if e.Kind == fswalk.Dir {
				w.Skip()
			}
			continue
		}
		st, err := e.Stat()
		if err != nil {
			d.status = d.p.Errno(err, "cannot access ", cmdkit.QuoteAF(e.Path()))
			continue
		}
		if !d.fresh(&st) {
			if e.Kind == fswalk.Dir {
				w.Skip()
			}
			continue
		}
		if e.Kind == fswalk.Dir && !e.Entered() {
			continue
		}
		l := duLevel{size: d.size(&st), newest: d.stamp(&st)}
		if e.Kind == fswalk.Dir {
			d.levels = append(d.levels, l)
			continue
		}
		if d.all && (d.depth < 0 || e.Depth <= d.depth) || e.Depth == 0 {
			d.print(&l, e.Path(), true)
		}
		d.add(&l, false)
	}
}

// add adds what was met to the directory that holds it, or to the total.
func (d *duser) add(l *duLevel, dir bool) {
	to := &d.total
	if n := len(d.levels); n > 0 {
		to = &d.levels[n-1]
		if dir {
			to.below += l.size
		}
	}
	to.size += l.size
	if l.newest > to.newest || to.newest == 0 {
		to.newest = l.newest
	}
}

func (d *duser) print(l *duLevel, name string, limited bool) {
	if limited && d.hasThreshold {
		if d.thresholdNegative && l.size > uint64(d.threshold) || !d.thresholdNegative && l.size < uint64(d.threshold) {
			return
		}
	}
	o := d.p.Stdout
	o.Write(d.block.Append(o.Available(), l.size, 1, cmdkit.Ceiling))
	o.WriteByte('\t')
	if d.time != 0 {
		sec, nsec := splitTime(l.newest)
		c := datetime.In(sec, d.zone)
		o.WriteString(string(datetime.AppendFormat(nil, d.timeFormat, &c, sec, nsec)))
		o.WriteByte('\t')
	}
	o.WriteString(name)
	o.WriteByte(d.eol)
}
