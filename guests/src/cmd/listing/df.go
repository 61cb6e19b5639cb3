// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package listing

import (
	"math/bits"

	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/guests/src/cmdkit"
	"github.com/wsandbox/wsandbox/guests/src/mounts"
	"github.com/wsandbox/wsandbox/guests/src/wsys"
)

var dfSyntax = cmdkit.Syntax{
	Short: "aB:hHiklmPTt:vx:",
	Long: []cmdkit.Long{{Name: "all", Val: 'a'}, {Name: "block-size", Arg: cmdkit.RequiredArg, Val: 'B'}, {Name: "human-readable", Val: 'h'},
		{Name: "si", Val: 'H'}, {Name: "inodes", Val: 'i'}, {Name: "local", Val: 'l'}, {Name: "no-sync", Val: 256},
		{Name: "output", Arg: cmdkit.OptionalArg, Val: 257}, {Name: "portability", Val: 'P'}, {Name: "print-type", Val: 'T'},
		{Name: "sync", Val: 258}, {Name: "total", Val: 259}, {Name: "type", Arg: cmdkit.RequiredArg, Val: 't'},
		{Name: "exclude-type", Arg: cmdkit.RequiredArg, Val: 'x'}},
	Usage: []string{"[OPTION]... [FILE]..."},
	Help: `Show the space of the file systems that hold the FILEs, or of all.

  -a, --all             include file systems without size
  -B, --block-size=SIZE scale sizes by SIZE
  -h, --human-readable  sizes such as 1K 234M 2G; -H, --si by powers of 1000
  -i, --inodes          show inodes instead of space
  -k, -m                same as --block-size=1K, 1M
  -l, --local           local file systems only (all are)
      --no-sync, --sync accepted; nothing is kept back
      --output[=LIST]   the columns: source, fstype, itotal, iused, iavail,
                        ipcent, size, used, avail, pcent, file, target
  -P, --portability     the format of POSIX
      --total           a grand total
  -t, --type=TYPE       only file systems of TYPE
  -T, --print-type      print the type
  -x, --exclude-type=TYPE  leave out file systems of TYPE
`,
}

const (
	dfSource = iota
	dfType
	dfITotal
	dfIUsed
	dfIAvail
	dfIPercent
	dfSize
	dfUsed
	dfAvail
	dfPercent
	dfFile
	dfTarget
)

var (
	dfNames  = [...]string{"source", "fstype", "itotal", "iused", "iavail", "ipcent", "size", "used", "avail", "pcent", "file", "target"}
	dfHeads  = [...]string{"Filesystem", "Type", "Inodes", "IUsed", "IFree", "IUse%", "1K-blocks", "Used", "Available", "Use%", "File", "Mounted on"}
	dfWidths = [...]int{14, 4, 5, 5, 5, 4, 5, 5, 5, 4, 0, 0}
)

type dfer struct {
	p              *cmdkit.Proc
	block          cmdkit.BlockSize
	columns        []int
	rows           [][]string
	types, exclude []string
	all, posix     bool
	sum            abi.Statfs
	status         int
}

// Df shows the space of file systems.
func Df(p *cmdkit.Proc) int {
	d := &dfer{p: p}
	inodes, printType, total, blockGiven, output := false, false, false, false, false
	g := p.Options(&dfSyntax)
	for g.Next() {
		switch g.Opt {
		case 'a':
			d.all = true
		case 'B':
			b, ok := p.BlockSizeArg(g.Spelling(), g.Arg)
			if !ok {
				return 1
			}
			d.block, blockGiven = b, true
		case 'h', 'H':
			d.block, blockGiven = cmdkit.BlockSize{Size: 1, Human: true, SI: g.Opt == 'H'}, true
		case 'i':
			if output {
				return p.UsageError(1, "options -i and --output are mutually exclusive")
			}
			inodes = true
		case 'k':
			d.block, blockGiven = cmdkit.BlockSize{Size: 1024}, true
		case 'm':
			d.block, blockGiven = cmdkit.BlockSize{Size: 1 << 20}, true
		case 'P':
			if output {
				return p.UsageError(1, "options -P and --output are mutually exclusive")
			}
			d.posix = true
		case 't':
			d.types = append(d.types, g.Arg)
		case 'T':
			if output {
				return p.UsageError(1, "options -T and --output are mutually exclusive")
			}
			printType = true
		case 'x':
			d.exclude = append(d.exclude, g.Arg)
		case 257:
			if inodes || d.posix || printType {
				o := "-T"
				if d.posix {
					o = "-P"
				}
				if inodes {
					o = "-i"
				}
				return p.UsageError(1, "options ", o, " and --output are mutually exclusive")
			}
			output = true
			if g.HasArg && !d.output(g.Arg) {
				return 1
			}
		case 259:
			total = true
		}
	}
	if g.Stop {
		return g.Status
	}
	for _, t := range d.types {
		for _, x := range d.exclude {
			if t == x {
				return p.Warn("file system type ", cmdkit.Quote(t), " both selected and excluded")
			}
		}
	}
	if !blockGiven {
		if d.posix {
			d.block = cmdkit.BlockSize{Size: 1024}
			if _, ok := p.LookupEnv("POSIXLY_CORRECT"); ok {
				d.block.Size = 512
			}
		} else {
			d.block, _ = p.BlockSizeEnv("DF_BLOCK_SIZE")
		}
	}
	switch {
	case output:
		if d.columns == nil {
			d.columns = []int{dfSource, dfType, dfITotal, dfIUsed, dfIAvail, dfIPercent, dfSize, dfUsed, dfAvail, dfPercent, dfFile, dfTarget}
		}
	default:
		d.columns = []int{dfSource}
		if printType {
			d.columns = append(d.columns, dfType)
		}
		if inodes {
			d.columns = append(d.columns, dfITotal, dfIUsed, dfIAvail, dfIPercent)
		} else {
			d.columns = append(d.columns, dfSize, dfUsed, dfAvail, dfPercent)
		}
		d.columns = append(d.columns, dfTarget)
	}
	d.header(output)
	list, err := mounts.List()
	if err != nil && len(g.Operands) == 0 {
		return p.Errno(err, "cannot read table of mounted file systems")
	}
	if len(g.Operands) > 0 {
		for _, f := range g.Operands {
			st, err := wsys.StatfsAt(cwd, f)
			if err != nil {
				d.status = p.FileErrno(err, f)
				continue
			}
			m := mounts.Mount{Source: "-", Target: "-", Type: "-"}
			if path, err := cmdkit.Canonical(f, cmdkit.NoneMissing); err == nil {
				if found, ok := mounts.Of(list, path); ok {
					m = found
				}
			}
			d.add(&m, f, &st)
		}
	} else {
		for i := range list {
			// A mount over another one hides it.
			hidden := false
			for k := i + 1; k < len(list); k++ {
				hidden = hidden || list[k].Target == list[i].Target
			}
			if hidden && !d.all {
				continue
			}
			st, err := wsys.StatfsAt(cwd, list[i].Target)
			if err != nil {
				if err != abi.EACCES && err != abi.ENOENT {
					d.status = p.FileErrno(err, list[i].Target)
				}
				continue
			}
			if st.Blocks == 0 && !d.all {
				continue
			}
			d.add(&list[i], "-", &st)
		}
	}
	if len(d.rows) == 1 {
		if d.status == 0 {
			d.status = p.Warn("no file systems processed")
		}
		return d.status
	}
	if total {
		d.row(&mounts.Mount{Source: "total", Target: "-", Type: "-"}, "-", &d.sum)
	}
	d.print()
	return d.status
}

// output sets the columns.
func (d *dfer) output(list string) bool {
	for {
		i := 0
		for i < len(list) && list[i] != ',' {
			i++
		}
		name := list[:i]
		found := -1
		for k, n := range dfNames {
			if n == name {
				found = k
			}
		}
		if found < 0 {
			d.p.UsageError(1, "option --output: field ", cmdkit.Quote(name), " unknown")
			return false
		}
		for _, c := range d.columns {
			if c == found {
				d.p.UsageError(1, "option --output: field ", cmdkit.Quote(name), " used more than once")
				return false
			}
		}
		d.columns = append(d.columns, found)
		if i == len(list) {
			return true
		}
		list = list[i+1:]
	}
}

func (d *dfer) header(output bool) {
	var row []string
	for _, c := range d.columns {
		h := dfHeads[c]
		switch c {
		case dfSize:
			switch {
			case d.block.Human:
				h = "Size"
			case d.posix:
				h = itoa(d.block.Size) + "-blocks"
			case d.block.Unit != "":
				h = "1" + d.block.Unit + "-blocks"
			case d.block.Size%1024 != 0 || d.block.Size%1000 == 0:
				h = string(cmdkit.AppendHuman(nil, d.block.Size, 1, true, cmdkit.Ceiling))
				h = blockLabel(h, "B") + "-blocks"
			default:
				h = blockLabel(string(cmdkit.AppendHuman(nil, d.block.Size, 1, false, cmdkit.Ceiling)), "") + "-blocks"
			}
		case dfAvail:
			if d.block.Human && !output {
				h = "Avail"
			}
		case dfPercent:
			if d.posix {
				h = "Capacity"
			}
		}
		if output && c == dfAvail {
			h = "Avail"
		}
		row = append(row, h)
	}
	d.rows = append(d.rows, row)
}

// blockLabel drops ".0" from a size and appends a unit behind a prefix.
func blockLabel(s, unit string) string {
	n := len(s)
	if n > 3 && s[n-3:n-1] == ".0" {
		s = s[:n-3] + s[n-1:]
	}
	return s + unit
}

func (d *dfer) add(m *mounts.Mount, file string, st *abi.Statfs) {
	for _, x := range d.exclude {
		if x == m.Type {
			return
		}
	}
	if len(d.types) > 0 {
		ok := false
		for _, t := range d.types {
			ok = ok || t == m.Type
		}
		if !ok {
			return
		}
	}
	d.row(m, file, st)
	s := &d.sum
	s.Bsize = 1
	s.Blocks += st.Blocks * st.Bsize
	s.Bfree += st.Bfree * st.Bsize
	s.Bavail += st.Bavail * st.Bsize
	s.Files += st.Files
	s.Ffree += st.Ffree
}

func (d *dfer) row(m *mounts.Mount, file string, st *abi.Statfs) {
	var row []string
	bs := max(st.Bsize, 1)
	size := func(n uint64) string {
		if st.Blocks == 0 && m.Source != "total" {
			return "0"
		}
		return d.block.String(n, bs, cmdkit.Ceiling)
	}
	count := func(n uint64) string {
		if d.block.Human {
			return d.block.String(n, 1, cmdkit.Ceiling)
		}
		return itoa(n)
	}
	for _, c := range d.columns {
		s := ""
		switch c {
		case dfSource:
			s = m.Source
		case dfType:
			s = m.Type
		case dfITotal:
			s = count(st.Files)
		case dfIUsed:
			s = count(st.Files - min(st.Ffree, st.Files))
		case dfIAvail:
			s = count(st.Ffree)
		case dfIPercent:
			s = percent(st.Files-min(st.Ffree, st.Files), st.Ffree)
		case dfSize:
			s = size(st.Blocks)
		case dfUsed:
			s = size(st.Blocks - min(st.Bfree, st.Blocks))
		case dfAvail:
			s = size(st.Bavail)
		case dfPercent:
			s = percent(st.Blocks-min(st.Bfree, st.Blocks), st.Bavail)
		case dfFile:
			s = file
		case dfTarget:
			s = m.Target
		}
		row = append(row, s)
	}
	d.rows = append(d.rows, row)
}

// percent returns used of used and available, rounded up.
func percent(used, avail uint64) string {
	sum, carry := bits.Add64(used, avail, 0)
	if sum == 0 || carry != 0 {
		return "-"
	}
	hi, lo := bits.Mul64(used, 100)
	q, r := bits.Div64(hi, lo, sum)
	if r > 0 {
		q++
	}
	return itoa(q) + "%"
}

func (d *dfer) print() {
	widths := make([]int, len(d.columns))
	for i, c := range d.columns {
		widths[i] = dfWidths[c]
		for _, r := range d.rows {
			widths[i] = max(widths[i], cmdkit.Width(r[i]))
		}
	}
	o := d.p.Stdout
	for _, r := range d.rows {
		for i, s := range r {
			if i > 0 {
				o.WriteByte(' ')
			}
			pad := widths[i] - cmdkit.Width(s)
			left := d.columns[i] == dfSource || d.columns[i] == dfType || d.columns[i] >= dfFile
			if !left {
				o.Pad(pad)
			}
			o.WriteString(s)
			if left && i+1 < len(r) {
				o.Pad(pad)
			}
		}
		o.WriteByte('\n')
	}
}
