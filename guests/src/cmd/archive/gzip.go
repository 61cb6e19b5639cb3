// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package archive

import (
	"strconv"

	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/guests/src/cmdkit"
	"github.com/wsandbox/wsandbox/guests/src/flate"
	"github.com/wsandbox/wsandbox/guests/src/fswalk"
	"github.com/wsandbox/wsandbox/guests/src/wsys"
)

const optIgnored = 256

var gzipSyntax = cmdkit.Syntax{
	Short: "123456789acdfhklLnNqrS:tvV",
	Long: []cmdkit.Long{
		{Name: "stdout", Val: 'c'}, {Name: "to-stdout", Val: 'c'}, {Name: "decompress", Val: 'd'}, {Name: "uncompress", Val: 'd'}, {Name: "force", Val: 'f'},
		{Name: "keep", Val: 'k'}, {Name: "list", Val: 'l'}, {Name: "no-name", Val: 'n'}, {Name: "name", Val: 'N'}, {Name: "quiet", Val: 'q'}, {Name: "silent", Val: 'q'},
		{Name: "recursive", Val: 'r'}, {Name: "suffix", Arg: cmdkit.RequiredArg, Val: 'S'}, {Name: "test", Val: 't'}, {Name: "verbose", Val: 'v'},
		{Name: "fast", Val: '1'}, {Name: "best", Val: '9'}, {Name: "rsyncable", Val: optIgnored}, {Name: "synchronous", Val: optIgnored},
	},
	Usage: []string{"[OPTION]... [FILE]..."},
	Help: `Compress or uncompress FILEs (by default, compress FILES in-place).

  -c, --stdout      write on standard output, keep original files unchanged
  -d, --decompress  decompress
  -f, --force       force overwrite of output file and compress links
  -k, --keep        keep (don't delete) input files
  -l, --list        list compressed file contents
  -n, --no-name     do not save or restore the original name and timestamp
  -N, --name        save or restore the original name and timestamp
  -q, --quiet       suppress all warnings
  -r, --recursive   operate recursively on directories
  -S, --suffix=SUF  use suffix SUF on compressed files
  -t, --test        test compressed file integrity
  -v, --verbose     verbose mode
  -1, --fast        compress faster
  -9, --best        compress better

With no FILE, or when FILE is -, read standard input.
`,
}

// zipper is a run of gzip(1).
type zipper struct {
	p                                               *cmdkit.Proc
	level                                           int
	stdout, decompress, force, keep, list, test     bool
	noName, name, nameSet, quiet, recurse, verbosed bool
	suffix                                          string
	status                                          int
	listed                                          int
	sumIn, sumOut                                   int64
}

// Gzip is gzip(1).
func Gzip(p *cmdkit.Proc) int { return (&zipper{p: p}).run() }

// Gunzip is gunzip(1).
func Gunzip(p *cmdkit.Proc) int { return (&zipper{p: p, decompress: true}).run() }

// Zcat is zcat(1).
func Zcat(p *cmdkit.Proc) int { return (&zipper{p: p, decompress: true, stdout: true}).run() }

func (z *zipper) run() int {
	p := z.p
	p.Name = "gzip" // as the originals, which are scripts, have it
	z.level, z.suffix = 6, ".gz"
	g := p.Options(&gzipSyntax)
	for g.Next() {
		switch g.Opt {
		case '1', '2', '3', '4', '5', '6', '7', '8', '9':
			z.level = int(g.Opt - '0')
		case 'c':
			z.stdout = true
		case 'd':
			z.decompress = true
		case 'f':
			z.force = true
		case 'h':
			p.PrintHelp(&gzipSyntax)
			return 0
		case 'k':
			z.keep = true
		case 'l':
			z.list, z.decompress = true, true
		case 'n':
			z.noName, z.name = true, false
		case 'N':
			z.noName, z.name = false, true
		case 'q':
			z.quiet, z.verbosed = true, false
		case 'r':
			z.recurse = true
		case 'S':
			if g.Arg == "" || len(g.Arg) > 30 {
				return p.Warn("invalid suffix '", g.Arg, "'")
			}
			z.suffix = g.Arg
		case 't':
			z.test, z.decompress = true, true
		case 'v':
			z.verbosed, z.quiet = true, false
		case 'V', 'L':
			p.PrintVersion()
			return 0
		}
	}
	if g.Stop {
		return g.Status
	}
	if len(g.Operands) == 0 {
		z.stream()
	}
	for _, name := range g.Operands {
		if name == "-" {
			z.stream()
			continue
		}
		z.path(name)
		if p.WriteFailed() {
			break
		}
	}
	if z.list && z.listed > 1 {
		z.row(z.sumIn, z.sumOut, "(totals)", "")
	}
	return z.status
}

// fail reports an error.
func (z *zipper) fail(parts ...string) {
	z.p.Warn(parts...)
	z.status = 1
}

// warn reports what is no error.
func (z *zipper) warn(parts ...string) {
	if !z.quiet {
		z.p.Warn(parts...)
	}
	if z.status == 0 {
		z.status = 2
	}
}

// stream works from standard input to standard output.
func (z *zipper) stream() {
	r := z.p.Stdin
	if !z.force && !z.list {
		fd, verb := z.p.Stdout.FD, "written to"
		if z.decompress {
			fd, verb = r.FD, "read from"
		}
		if wsys.Isatty(fd) && !z.test {
			z.fail("compressed data not ", verb, " a terminal. Use -f to force ", map[bool]string{true: "de", false: ""}[z.decompress], "compression.\nFor help, type: gzip -h")
			return
		}
	}
	z.convert(r, z.p.Stdout, "stdin", flate.Header{})
}

// path works on a file, or with -r on those below a directory.
func (z *zipper) path(name string) {
	st, err := wsys.StatAt(wsys.AtCwd, name, z.stdout || z.force || z.decompress)
	if err == abi.ENOENT && z.decompress && !z.hasSuffix(name) {
		if s, e := wsys.StatAt(wsys.AtCwd, name+z.suffix, true); e == nil {
			name, st, err = name+z.suffix, s, nil
		} else {
			name += z.suffix
		}
	}
	if err != nil {
		z.fail(name, ": ", cmdkit.Strerror(err))
		return
	}
	if st.Mode.IsDir() {
		if !z.recurse {
			z.warn(name, " is a directory -- ignored")
			return
		}
		var files []string
		w := fswalk.Walker{}
		w.Start(name)
		for e := w.Next(); e != nil; e = w.Next() {
			switch e.Kind {
			case fswalk.File:
				if e.Mode.IsRegular() {
					files = append(files, string(e.AppendPath(nil)))
				}
			case fswalk.Unreadable, fswalk.Missing:
				z.fail(string(e.AppendPath(nil)), ": ", cmdkit.Strerror(e.Err))
			}
		}
		w.Close()
		for _, f := range files {
			if z.decompress != z.hasSuffix(f) {
				continue
			}
			z.path(f)
		}
		return
	}
	if !st.Mode.IsRegular() && !z.stdout && !z.list && !z.test {
		z.warn(name, " is not a directory or a regular file - ignored")
		return
	}
	z.file(name, &st)
}

func (z *zipper) hasSuffix(name string) bool {
	for _, s := range [...]string{z.suffix, ".gz", ".tgz", ".taz", "-gz", ".z", "-z", "_z"} {
		if len(name) > len(s) && name[len(name)-len(s):] == s && name[len(name)-len(s)-1] != '/' {
			return true
		}
	}
	return false
}

// output returns the name of the other file.
func (z *zipper) output(name string) (string, bool) {
	if !z.decompress {
		if z.hasSuffix(name) && !z.force {
			if !z.quiet {
				z.p.Warn(name, " already has ", z.suffix, " suffix -- unchanged")
			}
			return "", false
		}
		return name + z.suffix, true
	}
	for _, s := range [...]string{".tgz", ".taz"} {
		if n := len(name) - len(s); n > 0 && name[n:] == s {
			return name[:n] + ".tar", true
		}
	}
	if !z.hasSuffix(name) {
		if !z.quiet {
			z.warn(name, ": unknown suffix -- ignored")
		}
		return "", false
	}
	for _, s := range [...]string{z.suffix, ".gz", "-gz", ".z", "-z", "_z"} {
		if n := len(name) - len(s); n > 0 && name[n:] == s {
			return name[:n], true
		}
	}
	return "", false
}

func (z *zipper) file(name string, st *wsys.Stat) {
	fd, err := wsys.Open(wsys.AtCwd, name, abi.ORdonly|abi.OCloexec, 0)
	if err != nil {
		z.fail(name, ": ", cmdkit.Strerror(err))
		return
	}
	defer wsys.Close(fd)
	r := z.p.InputReader(fd)
	h := flate.Header{}
	if !z.noName {
		h = flate.Header{Name: cmdkit.Base(name), Mtime: uint32(st.Mtim / 1e9)}
	}
	if z.stdout || z.list || z.test {
		z.convert(r, z.p.Stdout, name, h)
		return
	}
	to, ok := z.output(name)
	if !ok {
		return
	}
	flags := abi.OWronly | abi.OCreat | abi.OExcl | abi.OCloexec
	if z.force {
		if err := wsys.Unlink(wsys.AtCwd, to); err != nil && err != abi.ENOENT {
			z.fail(to, ": ", cmdkit.Strerror(err))
			return
		}
	}
	out, err := wsys.Open(wsys.AtCwd, to, flags, 0o600)
	if err == abi.EEXIST {
		z.warn(to, " already exists;\tnot overwritten")
		return
	}
	if err != nil {
		z.fail(to, ": ", cmdkit.Strerror(err))
		return
	}
	w := cmdkit.NewWriter(out)
	head, ok := z.convert(r, w, name, h)
	w.Flush()
	if w.Err != nil {
		z.fail(to, ": ", cmdkit.Strerror(w.Err))
		ok = false
	}
	if ok {
		mtime := st.Mtim
		if z.decompress && z.name && head.Mtime != 0 {
			mtime = int64(head.Mtime) * 1e9
		}
		// The new file is what counts; what it cannot take over is left out.
		_ = wsys.Fchmod(out, st.Mode&0o7777)
		_ = wsys.Futimes(out, st.Atim, mtime)
	}
	wsys.Close(out)
	if !ok {
		_ = wsys.Unlink(wsys.AtCwd, to)
		return
	}
	if !z.keep {
		if err := wsys.Unlink(wsys.AtCwd, name); err != nil {
			z.fail(name, ": ", cmdkit.Strerror(err))
		}
	}
	if z.verbosed {
		verb := " -- replaced with "
		if z.keep {
			verb = " -- created "
		}
		z.p.Stderr.WriteString(verb + to + "\n")
	}
}

// ratio returns how much smaller the packed form is, as a percentage with one
// digit.
func ratio(plain, packed int64) string {
	if plain <= 0 {
		return "  0.0%"
	}
	v := (plain - packed) * 1000 / plain
	sign := ""
	if v < 0 {
		sign, v = "-", -v
	}
	s := sign + strconv.FormatInt(v/10, 10) + "." + strconv.FormatInt(v%10, 10) + "%"
	for len(s) < 6 {
		s = " " + s
	}
	return s
}

// overhead is what gzip takes out of the packed size for the ratio: head and
// tail of a member.
const overhead = 18

// convert packs or unpacks from r to w.
func (z *zipper) convert(r *cmdkit.Reader, w *cmdkit.Writer, name string, h flate.Header) (flate.Header, bool) {
	tell := func(plain, packed int64) {
		if !z.verbosed || z.list {
			return
		}
		z.p.Stdout.Flush()
		if name == "stdin" && !z.test {
			z.p.Stderr.WriteString(ratio(plain, packed) + "\n")
			return
		}
		s := name + ":\t"
		if z.test {
			s += " OK\n"
		} else {
			s += ratio(plain, packed)
			if z.stdout {
				s += "\n"
			}
		}
		z.p.Stderr.WriteString(s)
	}
	if !z.decompress {
		c := flate.NewWriter(z.level, h, func(b []byte) { w.Write(b) })
		for b := r.Chunk(); len(b) > 0 && w.Err == nil; b = r.Chunk() {
			c.Write(b)
		}
		if r.Err != nil {
			z.fail(name, ": ", cmdkit.Strerror(r.Err))
			return h, false
		}
		c.Close()
		tell(c.Size(), c.CompressedSize()-overhead-int64(len(h.Name)))
		return h, w.Err == nil
	}
	c := flate.NewReader(r.Chunk)
	var err error
	for {
		var b []byte
		if b, err = c.Read(); err != nil || len(b) == 0 {
			break
		}
		if !z.test && !z.list {
			if w.Write(b); w.Err != nil {
				return c.Header, false
			}
		}
	}
	switch {
	case r.Err != nil:
		z.fail(name, ": ", cmdkit.Strerror(r.Err))
		return c.Header, false
	case err == flate.ErrTrailing:
		if !z.quiet {
			z.p.Stdout.Flush()
			z.p.Stderr.WriteString("\n")
		}
		z.warn(name, ": ", err.Error())
	case err == flate.ErrMagic && z.force && z.stdout && c.Size() == 0:
		z.raw(r, w)
		return c.Header, true
	case err != nil:
		w.Flush()
		if err == flate.ErrMagic || err == flate.ErrTruncated || err == flate.ErrCRC || err == flate.ErrCorrupt || err == flate.ErrLength {
			z.p.Stdout.Flush()
			z.p.Stderr.WriteString("\n")
		}
		z.fail(name, ": ", err.Error())
		return c.Header, false
	}
	if z.list {
		z.row(c.CompressedSize(), c.Size(), name, c.Name)
		return c.Header, true
	}
	tell(c.Size(), c.CompressedSize()-overhead-int64(len(c.Name)))
	return c.Header, true
}

// raw copies what is not packed, as zcat -f does. The input must be a file, to
// begin again.
func (z *zipper) raw(r *cmdkit.Reader, w *cmdkit.Writer) {
	if _, err := wsys.Seek(r.FD, 0, abi.SeekSet); err != nil {
		z.fail("stdin: ", flate.ErrMagic.Error())
		return
	}
	r.Reset(r.FD)
	for b := r.Chunk(); len(b) > 0 && w.Err == nil; b = r.Chunk() {
		w.Write(b)
	}
}

// row writes a line of -l.
func (z *zipper) row(packed, plain int64, name, inside string) {
	w := z.p.Stdout
	if z.listed == 0 && !z.quiet {
		w.WriteString("         compressed        uncompressed  ratio uncompressed_name\n")
	}
	if name != "(totals)" {
		z.listed++
		z.sumIn += packed
		z.sumOut += plain
		if n, ok := (&zipper{p: z.p, decompress: true, suffix: z.suffix, quiet: true}).output(name); ok {
			name = n
		} else if name == "stdin" {
			name = "stdout"
		}
		if z.name && inside != "" {
			name = inside
		}
	}
	column := func(n int64) string {
		s := strconv.FormatInt(n, 10)
		for len(s) < 19 {
			s = " " + s
		}
		return s
	}
	w.WriteString(column(packed) + " " + column(plain) + " " + ratio(plain, packed-overhead-int64(len(inside))) + " " + name + "\n")
}
