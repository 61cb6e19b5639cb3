// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package interp

import (
	"math"
	"runtime"

	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/guests/src/awk/syntax"
	"github.com/wsandbox/wsandbox/guests/src/cmdkit"
	"github.com/wsandbox/wsandbox/guests/src/posixre"
	"github.com/wsandbox/wsandbox/guests/src/wsys"
)

// Config says what to run.
type Config struct {
	Proc    *cmdkit.Proc
	Program *syntax.Program
	Args    []string    // the operands
	Assigns [][2]string // of -v: name and value with its escape sequences
	// Sandbox forbids commands and redirections.
	Sandbox bool
	// Inplace replaces the operands that are files by what the program prints
	// while it reads them.
	Inplace bool
	// Bytes takes every byte as a character.
	Bytes bool
	// Steps ends the program after so many turns of loops, calls and records;
	// 0 is no limit.
	Steps int64
	// Longest is the length of the longest string; 0 is 1 GiB.
	Longest int
}

// interp is a running program.
type interp struct {
	p    *cmdkit.Proc
	prog *syntax.Program
	pos  syntax.Pos

	rec     record
	globals []value
	arrays  []*array
	special [syntax.NumSpecials]value
	stack   []value // local scalars
	astack  []*array
	fp, afp int
	depth   int
	ret     value
	buf     []byte // strings being put together
	keyRoom [24]byte
	numRoom [64]byte
	texts   []byte // see newText
	single  formatter
	place   constField
	small   [256]string // small integers

	nr, fnr     float64
	ofs, ors    string
	subsep      string
	convFmt     numFormat
	outFmt      numFormat
	split       splitMode
	splitByte   byte
	fsRegex     regex
	fpat        regex
	widths      []fieldWidth
	rsMode      rsMode
	rsByte      byte
	rsRegex     regex
	ignoreCase  bool
	utf8        bool
	usesRT      bool
	sandbox     bool
	regexes     [2]map[string]*posixre.Regexp
	procinfo    *array
	environ     *array
	funcs       []*function
	argv        *array
	seed        float64
	random      *random
	made        int // bytes of strings since the memory was looked at
	steps       int64
	longest     int
	loc         []int
	pieceRoom   []uint32
	begin, end  body
	beginFile   body
	endFile     body
	rules       []rule
	onlyRegex   *posixre.Regexp // of the only rule: lines without a match can be skipped
	matched     bool            // the record is known to match it
	usesFields  bool            // somewhere in the program
	copied      []int           // fields that are all that is printed
	fieldsAhead bool            // separators are looked for together with records
	exitStatus  int
	lost        error // what writing standard output failed with

	edits       bool     // Config.Inplace
	inplace     *inplace // the file that is being replaced
	main        *reader
	mainOwned   bool
	mainEnds    [endsAhead]uint32
	argi        int
	sawFile     bool
	noInput     bool
	stdinReader *reader
	stdout      writer
	ttyKnown    bool
	streams     map[string]*stream
	others      map[*stream]*stream // the next stream of the same name
	order       []*stream
}

// failure ends the program with a message.
type failure struct{ msg string }

// fatal ends the program with a message that names the place.
func (in *interp) fatal(msg string) {
	where := in.prog.Where(in.pos) + ": "
	if in.pos == 0 {
		where = ""
	}
	if in.nr > 0 {
		name := in.special[syntax.FILENAME]
		file := in.text(&name)
		if file == "" {
			file = "-"
		}
		where += "(FILENAME=" + file + " FNR=" + in.numText(in.fnr) + ") "
	}
	panic(&failure{where + "fatal: " + msg})
}

func (in *interp) fatalPlain(msg string) { panic(&failure{"fatal: " + msg}) }

func (in *interp) warn(msg string) {
	in.stdout.flush()
	in.p.Warn("warning: ", msg)
}

// warnAt is warn with the place.
func (in *interp) warnAt(msg string) {
	in.stdout.flush()
	in.p.Warn(in.prog.Where(in.pos), ": warning: ", msg)
}

// maxText is the length of the longest string.
const maxText = 1 << 30

// roomFor checks that a string of n bytes may be made, and now and then how much
// memory there is left.
func (in *interp) roomFor(n int) {
	if in.made += n; in.made > 16<<20 {
		in.made = 0
		in.room(n)
	}
	if n > min(1<<18, in.longest) {
		in.room(n)
	}
}

// room checks that there is memory for n more bytes, so that the program ends
// with a message where there is not.
func (in *interp) room(n int) {
	if n > in.longest {
		in.fatal("memory exhausted: a string or array is too long")
	}
	soft, _, err := wsys.Getrlimit(abi.RlimitAS)
	if err != nil || soft == 0 || soft > 1<<40 {
		return
	}
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	if m.HeapAlloc+uint64(n)+uint64(n)/8 < soft-soft/4-min(soft/4, 32<<20) {
		return
	}
	runtime.GC()
	runtime.ReadMemStats(&m)
	if m.HeapAlloc+uint64(n)+uint64(n)/8 >= soft-soft/8-min(soft/8, 16<<20) {
		in.fatal("memory exhausted")
	}
	// What is free need not be in one piece, and the memory itself only grows.
	if m.HeapIdle < uint64(n) && m.Sys+uint64(n) >= soft {
		in.fatal("memory exhausted")
	}
}

// Run runs a program and returns its exit status: 2 after an error, whose
// message it has written.
func Run(c *Config) (status int) {
	in := &interp{
		p: c.Proc, prog: c.Program, sandbox: c.Sandbox, steps: c.Steps,
		utf8: !c.Bytes && c.Proc.UTF8(), edits: c.Inplace, usesRT: c.Program.Uses[syntax.RT], seed: 1,
	}
	if in.longest = c.Longest; in.longest == 0 {
		in.longest = maxText
	}
	if in.steps == 0 {
		in.steps = math.MaxInt64
	}
	in.stdout = writer{fd: c.Proc.Stdout.FD, buf: c.Proc.Stdout.Available()}
	if in.guard(func() { in.prepare(c) }) {
		in.execute()
	}
	in.guard(in.closeAll)
	if err := in.stdout.err; err != nil {
		if in.p.Errno(err, "fatal: write error: standard output"); in.exitStatus == 0 {
			in.exitStatus = 2
		}
	}
	return in.exitStatus & 0xff
}

// guard runs f and reports whether it came to its end, without an error or exit.
func (in *interp) guard(f func()) (ok bool) {
	defer func() {
		switch e := recover().(type) {
		case nil:
			return
		case unwind:
		case *failure:
			in.exitStatus = 2
			in.abandonInplace()
			in.stdout.flush()
			in.p.Warn(e.msg)
			in.main = nil
			in.noInput = true
			in.end = body{}
		default:
			panic(e)
		}
		ok = false
		in.reset()
	}()
	f()
	return true
}

// reset drops what was under way.
func (in *interp) reset() {
	in.stack, in.astack, in.buf = in.stack[:0], in.astack[:0], in.buf[:0]
	in.fp, in.afp, in.depth = 0, 0, 0
}

// prepare compiles the program and sets the variables.
func (in *interp) prepare(c *Config) {
	in.environ, in.argv, in.procinfo = new(array), new(array), new(array)
	in.globals = make([]value, len(in.prog.Scalars))
	for _, s := range in.prog.Arrays {
		switch s.Name {
		case "ENVIRON":
			in.arrays = append(in.arrays, in.environ)
			for _, kv := range c.Proc.Environ() {
				for i := 0; i < len(kv); i++ {
					if kv[i] == '=' {
						*in.environ.cell(in, kv[:i], true) = inputValue(kv[i+1:])
						break
					}
				}
			}
		case "ARGV":
			in.arrays = append(in.arrays, in.argv)
		case "PROCINFO":
			in.arrays = append(in.arrays, in.procinfo)
			in.fillProcinfo()
		default:
			in.arrays = append(in.arrays, new(array))
		}
	}
	in.argv.put(in, 0, strValue(cmdkit.Base(c.Proc.Name)))
	for i, a := range c.Args {
		in.argv.put(in, i+1, inputValue(a))
	}
	in.argi = 1
	in.special[syntax.ARGC] = numValue(float64(len(c.Args) + 1))
	for _, d := range [...]struct {
		id  syntax.Special
		val string
	}{{syntax.CONVFMT, "%.6g"}, {syntax.OFMT, "%.6g"}, {syntax.FS, " "}, {syntax.OFS, " "}, {syntax.ORS, "\n"}, {syntax.RS, "\n"}, {syntax.SUBSEP, "\x1c"}} {
		in.setSpecial(d.id, strValue(d.val))
	}
	in.special[syntax.FPAT] = strValue("[^[:space:]]+")
	in.special[syntax.RLENGTH] = numValue(-1)
	in.special[syntax.RSTART] = numValue(0)
	in.special[syntax.IGNORECASE] = numValue(0)
	in.setRecord("")
	in.compile()
	in.lookAhead()
	for _, a := range c.Assigns {
		in.assign(a[0], a[1])
	}
}

// execute runs BEGIN, the rules for every record, and END.
func (in *interp) execute() {
	exited := !in.guard(func() {
		if c := in.begin.exec(in); c == cExit {
			panic(unwind(c))
		}
	})
	if !exited && (len(in.rules) > 0 || len(in.end.stmts) > 0 || len(in.beginFile.stmts) > 0 || len(in.endFile.stmts) > 0) {
		for !exited && in.records(&exited) {
		}
	}
	if in.lost != nil {
		in.abandonInplace()
	}
	in.guard(in.endInplace)
	if in.lost == nil && len(in.end.stmts) > 0 {
		in.guard(func() { in.end.exec(in) })
	}
}

// records runs the rules until the input ends, which it reports by false. It
// returns true after next in a function.
func (in *interp) records(exited *bool) (again bool) {
	defer func() {
		switch e := recover().(type) {
		case nil:
		case unwind:
			in.reset()
			switch ctl(e) {
			case cNext:
				again = true
			case cNextFile:
				again = in.guard(in.skipFile)
				*exited = !again
			default:
				*exited = true
			}
		default:
			panic(e)
		}
	}()
	ok := in.guardFailure(func() {
		for {
			if in.onlyRegex != nil {
				in.matched = in.skipLines()
			} else if in.fieldsAhead && in.batch() {
				*exited = true
				return
			}
			if m := in.main; m == nil || m.used == len(m.ends) || !in.quickRecord(m) {
				rec, ok := in.mainRecord()
				if !ok {
					return
				}
				in.setMainRecord(rec)
			}
			if in.steps--; in.steps == 0 {
				in.steps++
				in.tick()
			}
			if in.applyRules() {
				*exited = true
				return
			}
		}
	})
	if !ok {
		*exited = true
	}
	return false
}

// quickRecord makes the next record the current one where it and its separators
// are among those found ahead, which is most often.
func (in *interp) quickRecord(m *reader) bool {
	if in.usesRT || in.rsMode != rsChar || in.rsByte != m.delim || m.separated != in.fieldsAhead && !m.plain {
		return false
	}
	start := m.used
	ends := m.ends
	buf := m.buf
	for k := start; k < len(ends); k++ {
		p := m.base + int(ends[k])
		if p < m.r {
			return false
		}
		if buf[p] != m.delim {
			continue
		}
		m.used = k + 1
		m.sepFrom, m.sepTo = start, k+1
		r := &in.rec
		r.text, r.stale = textOf(buf[m.r:p]), false
		r.n, r.done, r.next, r.owned, r.zero = 0, false, 0, false, kInput
		r.nl = false
		if m.separated {
			r.seps, r.sep = ends[start:k+1], 0
			r.off = m.r - m.base
		} else if r.seps != nil {
			r.seps = nil
		}
		m.r = p + 1
		in.nr++
		in.fnr++
		return true
	}
	return false
}

// guardFailure is guard that lets next and exit pass.
func (in *interp) guardFailure(f func()) (ok bool) {
	defer func() {
		switch e := recover().(type) {
		case nil:
		case *failure:
			ok = false
			in.guard(func() { panic(e) })
		default:
			panic(e)
		}
	}()
	f()
	return true
}
