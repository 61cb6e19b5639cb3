// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package patch

import (
	"strconv"

	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/guests/src/cmdkit"
	"github.com/wsandbox/wsandbox/guests/src/wsys"
)

const (
	optDryRun = 256 + iota
	optNoMismatch
	optMismatch
	optAccepted
)

var syntax = cmdkit.Syntax{
	Short: "bB:cd:D:eEfF:g:i:lnNo:p:r:RstTuvV:Y:z:Z",
	Long: []cmdkit.Long{
		{Name: "strip", Arg: cmdkit.RequiredArg, Val: 'p'}, {Name: "fuzz", Arg: cmdkit.RequiredArg, Val: 'F'}, {Name: "ignore-whitespace", Val: 'l'},
		{Name: "unified", Val: 'u'}, {Name: "context", Val: 'c'}, {Name: "ed", Val: 'e'}, {Name: "normal", Val: 'n'}, {Name: "forward", Val: 'N'}, {Name: "reverse", Val: 'R'},
		{Name: "input", Arg: cmdkit.RequiredArg, Val: 'i'}, {Name: "output", Arg: cmdkit.RequiredArg, Val: 'o'}, {Name: "reject-file", Arg: cmdkit.RequiredArg, Val: 'r'},
		{Name: "remove-empty-files", Val: 'E'}, {Name: "backup", Val: 'b'}, {Name: "backup-if-mismatch", Val: optMismatch}, {Name: "no-backup-if-mismatch", Val: optNoMismatch},
		{Name: "suffix", Arg: cmdkit.RequiredArg, Val: 'z'}, {Name: "batch", Val: 't'}, {Name: "force", Val: 'f'}, {Name: "quiet", Val: 's'}, {Name: "silent", Val: 's'},
		{Name: "verbose", Val: optAccepted}, {Name: "dry-run", Val: optDryRun}, {Name: "posix", Val: optNoMismatch}, {Name: "directory", Arg: cmdkit.RequiredArg, Val: 'd'},
		{Name: "binary", Val: optAccepted},
	},
	Usage: []string{"[OPTION]... [ORIGFILE [PATCHFILE]]"},
	Help: `Apply the unified diff PATCHFILE, or standard input, to files.

  -p NUM  --strip=NUM        strip NUM leading components from file names
  -F LINES  --fuzz LINES     set the fuzz factor to LINES for inexact matching
  -l  --ignore-whitespace    ignore white space changes between patch and input
  -N  --forward              ignore patches that appear reversed or already applied
  -R  --reverse              assume patches were created with old and new files swapped
  -i PATCHFILE               read patch from PATCHFILE instead of stdin
  -o FILE  --output=FILE     output patched files to FILE; - is standard output
  -r FILE  --reject-file=FILE  output rejects to FILE; - drops them
  -E  --remove-empty-files   remove output files that are empty after patching
  -b  --backup               back up the original contents of each file
  --no-backup-if-mismatch    do not back up where the patch does not match exactly
  -z SUFFIX  --suffix=SUFFIX append SUFFIX to backup file names
  -t  --batch                ask no questions; skip bad patches; assume reversed
  -f  --force                like -t, but ignore bad patches, and assume unreversed
  -s  --quiet  --silent      work silently unless an error occurs
  --dry-run                  do not change any files; print what would happen
  -d DIR  --directory=DIR    change the working directory to DIR first
`,
	BadUsage: 2,
}

// patcher is a run of patch(1).
type patcher struct {
	p                             *cmdkit.Proc
	strip                         int // -1: all but the last element
	fuzz                          int
	spaces, forward, reverse      bool
	output, reject                string
	removeEmpty, backup, mismatch bool
	suffix                        string
	batch, force, quiet, dry      bool

	file   string // of the command line
	status int
	saved  map[string]bool // files that have a backup
	wrote  bool            // -o
}

// Patch is patch(1).
func Patch(p *cmdkit.Proc) int {
	c := &patcher{p: p, strip: -1, fuzz: 2, mismatch: true, suffix: ".orig", saved: map[string]bool{}}
	input, dir := "-", ""
	g := p.Options(&syntax)
	for g.Next() {
		number := func(what string, to *int) bool {
			v, e := cmdkit.ParseUint(g.Arg, "")
			if e != cmdkit.NumOK || v > 1<<30 {
				p.Warn("**** ", what, " ", g.Arg, " is not a number")
				return false
			}
			*to = int(v)
			return true
		}
		ok := true
		switch g.Opt {
		case 'p':
			ok = number("strip count", &c.strip)
		case 'F':
			ok = number("fuzz factor", &c.fuzz)
		case 'l':
			c.spaces = true
		case 'N':
			c.forward = true
		case 'R':
			c.reverse = true
		case 'i':
			input = g.Arg
		case 'o':
			c.output = g.Arg
		case 'r':
			c.reject = g.Arg
		case 'E':
			c.removeEmpty = true
		case 'b':
			c.backup = true
		case 'z':
			c.suffix = g.Arg
		case 't':
			c.batch = true
		case 'f':
			c.force = true
		case 's':
			c.quiet = true
		case 'd':
			dir = g.Arg
		case 'v':
			p.PrintVersion()
			return 0
		case optDryRun:
			c.dry = true
		case optNoMismatch:
			c.mismatch = false
		case optMismatch:
			c.mismatch = true
		case 'u', optAccepted:
		default: // other kinds of diffs, version control, #ifdef
			p.Warn("**** option -", string(g.Opt), " is not supported")
			return 2
		}
		if !ok {
			return 2
		}
	}
	if g.Stop {
		return g.Status
	}
	switch len(g.Operands) {
	case 0:
	case 1:
		c.file = g.Operands[0]
	case 2:
		c.file, input = g.Operands[0], g.Operands[1]
	default:
		return p.UsageError(2, g.Operands[2], ": extra operand")
	}
	if dir != "" {
		if err := wsys.Chdir(dir); err != nil {
			return c.fatal("Can't change to directory ", dir, " : ", cmdkit.Strerror(err))
		}
	}
	var text []byte
	var err error
	if input == "-" {
		text, err = wsys.ReadAll(p.Stdin.FD)
	} else {
		text, err = wsys.ReadFile(input)
	}
	if err != nil {
		return c.fatal("Can't open patch file ", input, " : ", cmdkit.Strerror(err))
	}
	ps := newParser(text)
	found := false
	for {
		d := ps.next()
		if d == nil {
			break
		}
		found = true
		if !c.one(d) {
			return 2
		}
		if p.WriteFailed() {
			break
		}
	}
	switch {
	case ps.err != "":
		return c.fatal(ps.err)
	case !found && len(text) > 0:
		return c.fatal("Only garbage was found in the patch input.")
	}
	return c.status
}

func (c *patcher) fatal(parts ...string) int {
	c.p.Warn(append([]string{"**** "}, parts...)...)
	return 2
}

// say writes to standard output, or where that is the file's to standard error.
func (c *patcher) say(parts ...string) {
	w := c.p.Stdout
	if c.output == "-" {
		w = c.p.Stderr
	}
	for _, s := range parts {
		w.WriteString(s)
	}
}

// stripped returns a name without its leading elements, "" for one that is not
// to be used: absolute, or with "..".
func (c *patcher) stripped(name string) string {
	if name == "" || name == "/dev/null" {
		return ""
	}
	n := c.strip
	if n < 0 {
		name = cmdkit.Base(name)
	}
	for ; n > 0; n-- {
		i := 0
		for i < len(name) && name[i] != '/' {
			i++
		}
		if i == len(name) {
			return ""
		}
		for i < len(name) && name[i] == '/' {
			i++
		}
		name = name[i:]
	}
	if name == "" || name[0] == '/' {
		return ""
	}
	for i := 0; i+1 < len(name); i++ {
		if name[i] == '.' && name[i+1] == '.' && (i == 0 || name[i-1] == '/') && (i+2 == len(name) || name[i+2] == '/') {
			return ""
		}
	}
	return name
}

func exists(name string) bool {
	_, err := wsys.StatAt(wsys.AtCwd, name, true)
	return name != "" && err == nil
}

func elements(name string) int {
	n := 0
	for i := range len(name) {
		if name[i] != '/' && (i == 0 || name[i-1] == '/') {
			n++
		}
	}
	return n
}

// choose picks the file: of those that exist the one with the fewest elements,
// the shortest last one, the shortest; for a new file the one that is named.
func (c *patcher) choose(d *diff) string {
	if c.file != "" {
		return c.file
	}
	oldName, newName := d.oldName, d.newName
	if oldName == "" && newName == "" && d.index == "" {
		oldName, newName = d.gitOld, d.gitNew
	}
	best := ""
	better := func(a, b string) bool {
		if x, y := elements(a), elements(b); x != y {
			return x < y
		}
		if x, y := len(cmdkit.Base(a)), len(cmdkit.Base(b)); x != y {
			return x < y
		}
		return len(a) < len(b)
	}
	names := [...]string{c.stripped(oldName), c.stripped(newName), c.stripped(d.index)}
	for _, n := range names {
		if exists(n) && (best == "" || better(n, best)) {
			best = n
		}
	}
	creates := d.created || len(d.hunks) == 1 && d.hunks[0].creates()
	if c.reverse {
		creates = d.deleted || len(d.hunks) == 1 && d.hunks[0].newStart == 0 && len(d.hunks[0].new) == 0
	}
	if best == "" && creates {
		for _, n := range names {
			if n != "" && (best == "" || better(n, best)) {
				best = n
			}
		}
	}
	return best
}

// ask prints a question and returns the answer of the terminal, "" without one.
func (c *patcher) ask(question string) string {
	c.say(question)
	c.p.Stdout.Flush()
	fd, err := wsys.Open(wsys.AtCwd, "/dev/tty", abi.ORdonly|abi.OCloexec, 0)
	if err != nil {
		c.say("\n")
		return ""
	}
	defer wsys.Close(fd)
	l, ok := cmdkit.NewReader(fd).Line('\n')
	if !ok {
		c.say("\n")
		return ""
	}
	if n := len(l); l[n-1] == '\n' {
		l = l[:n-1]
	}
	return string(l)
}

func plural(n int, word string) string {
	if n == 1 {
		return strconv.Itoa(n) + " " + word
	}
	return strconv.Itoa(n) + " " + word + "s"
}

// outOf returns "2 out of 3 hunks".
func outOf(n, all int) string { return strconv.Itoa(n) + " out of " + plural(all, "hunk") }

// one applies what a patch says of one file. It reports false where the command
// is to end.
func (c *patcher) one(d *diff) bool {
	if c.reverse {
		for i := range d.hunks {
			d.hunks[i] = d.hunks[i].reversed()
		}
		d.oldName, d.newName, d.oldStamp, d.newStamp = d.newName, d.oldName, d.newStamp, d.oldStamp
		d.gitOld, d.gitNew = d.gitNew, d.gitOld
		d.created, d.deleted = d.deleted, d.created
	}
	name := c.choose(d)
	for name == "" {
		c.say("can't find file to patch at input line ", strconv.Itoa(d.line), "\n")
		if c.strip < 0 {
			c.say("Perhaps you should have used the -p or --strip option?\n")
		} else {
			c.say("Perhaps you used the wrong -p or --strip option?\n")
		}
		if len(d.head) > 0 {
			c.say("The text leading up to this was:\n--------------------------\n")
			for _, l := range d.head {
				c.say("|", string(l), "\n")
			}
			c.say("--------------------------\n")
		}
		skip := c.force || c.batch
		if skip {
			c.say("No file to patch.  Skipping patch.\n")
		} else if name = c.ask("File to patch: "); !exists(name) {
			if name != "" {
				c.say(name, ": No such file or directory\n")
			}
			name = ""
			if answer := c.ask("Skip this patch? [y] "); answer == "" || answer[0] != 'n' {
				c.say("Skipping patch.\n")
				skip = true
			}
		}
		if skip && name == "" {
			c.say(outOf(len(d.hunks), len(d.hunks)), " ignored\n")
			c.status = 1
			return true
		}
	}
	var st wsys.Stat
	var data []byte
	st, err := wsys.StatAt(wsys.AtCwd, name, false)
	there := err == nil
	switch {
	case there && !st.Mode.IsRegular():
		c.say("File ", name, " is not a regular file -- refusing to patch\n")
		c.say(outOf(len(d.hunks), len(d.hunks)), " ignored")
		c.status = 1
		if c.dry || c.reject == "-" {
			c.say("\n")
			return true
		}
		all := make([]int, len(d.hunks))
		for i := range all {
			all[i] = i
		}
		return c.rejects(d, all, name)
	case there:
		if data, err = wsys.ReadFile(name); err != nil {
			c.fatal("Can't open file ", name, " : ", cmdkit.Strerror(err))
			return false
		}
	}
	verb := "patching"
	if c.dry {
		verb = "checking"
	}
	to := name
	if d.rename && c.file == "" && c.output == "" {
		// These names have no leading a/ or b/.
		whole := *c
		whole.strip = max(0, c.strip-1)
		if n := whole.stripped(d.gitNew); n != "" {
			to = n
		}
	}
	switch {
	case c.quiet:
	case c.output != "":
		c.say(verb, " file ", c.output, " (read from ", name, ")\n")
	case to != name:
		c.say(verb, " file ", to, " (renamed from ", name, ")\n")
	default:
		c.say(verb, " file ", name, "\n")
	}
	t := &target{lines: split(data), spaces: c.spaces}
	failed, exact := c.apply(d, t, name, there)
	result := t.result()
	if len(failed) > 0 {
		c.status = 1
	}
	if c.dry {
		return true
	}
	if len(failed) < len(d.hunks) || len(d.hunks) == 0 {
		if !c.write(d, name, to, data, result, &st, there, exact && len(failed) == 0) {
			return false
		}
	} else if c.mismatch && there && !d.skipped && c.output == "" {
		c.save(name, data, &st)
	}
	if len(failed) > 0 && c.reject != "-" {
		return c.rejects(d, failed, to)
	}
	return true
}

// apply applies the hunks and returns those that failed; exact is false where
// one was not where it was expected.
func (c *patcher) apply(d *diff, t *target, name string, there bool) (failed []int, exact bool) {
	exact = true
	skip := false
	what := "FAILED"
	for i := range d.hunks {
		h := &d.hunks[i]
		n := strconv.Itoa(i + 1)
		if skip {
			failed = append(failed, i)
			continue
		}
		most := min(c.fuzz, max(h.prefix, h.suffix))
		at, fuzz := 0, 0
		for ; fuzz <= most; fuzz++ {
			if at = t.locate(h, fuzz); at > 0 {
				break
			}
			if i == 0 && !c.force && there {
				r := h.reversed()
				if (&target{lines: t.lines, spaces: t.spaces}).locate(&r, fuzz) > 0 && (len(r.old) > 0 || len(t.lines) == 0) {
					switch c.isReversed() {
					case 'R': // the other way round from now on
						for k := range d.hunks {
							d.hunks[k] = d.hunks[k].reversed()
						}
						again, e := c.apply(d, t, name, false)
						return again, e
					case 's':
						skip = true
					}
					break
				}
			}
		}
		if skip {
			what, d.skipped = "ignored", true
			failed = append(failed, i)
			continue
		}
		if at == 0 {
			failed = append(failed, i)
			where := h.oldStart + t.offset
			c.say("Hunk #", n, " FAILED at ", strconv.Itoa(where), ".\n")
			continue
		}
		expected := h.oldStart
		if len(h.old) == 0 {
			expected++
		}
		t.apply(h, at, fuzz)
		if at != expected || fuzz > 0 {
			exact = false
			if !c.quiet {
				c.say("Hunk #", n, " succeeded at ", strconv.Itoa(len(t.out)-len(h.new)+1+max(0, fuzz+h.suffix-max(h.prefix, h.suffix))))
				if fuzz > 0 {
					c.say(" with fuzz ", strconv.Itoa(fuzz))
				}
				if at != expected {
					c.say(" (offset ", plural(at-expected, "line"), ")")
				}
				c.say(".\n")
			}
		}
	}
	if len(failed) > 0 {
		c.say(outOf(len(failed), len(d.hunks)), " ", what)
		if c.dry || c.reject == "-" {
			c.say("\n")
		}
	}
	return failed, exact
}

// isReversed asks what to do with a patch that seems to have been applied: 'R'
// undo it, 'a' try it anyway, 's' skip it.
func (c *patcher) isReversed() byte {
	const seems = "Reversed (or previously applied) patch detected!  "
	if c.reverse {
		return c.answer("Unreversed patch detected!  ", "Ignore -R? [n] ", "Ignoring -R.\n")
	}
	return c.answer(seems, "Assume -R? [n] ", "Assuming -R.\n")
}

func (c *patcher) answer(seems, question, assume string) byte {
	switch {
	case c.forward:
		c.say(seems, "Skipping patch.\n")
		return 's'
	case c.batch:
		c.say(seems, assume)
		return 'R'
	}
	c.say(seems)
	if s := c.ask(question); s != "" && s[0] == 'y' {
		return 'R'
	}
	if s := c.ask("Apply anyway? [n] "); s != "" && s[0] == 'y' {
		return 'a'
	}
	c.say("Skipping patch.\n")
	return 's'
}

// save makes a backup, once for a file.
func (c *patcher) save(name string, data []byte, st *wsys.Stat) bool {
	if c.saved[name] {
		return true
	}
	c.saved[name] = true
	return c.put(name+c.suffix, data, st.Mode&0o7777)
}

// put writes a file, with the directories it needs.
func (c *patcher) put(name string, data []byte, mode abi.Mode) bool {
	if mode == 0 {
		mode = 0o666
	}
	// The file is written anew: what other names it has keeps its contents.
	tmp := name + ".patch-new"
	open := func() (wsys.FD, error) {
		_ = wsys.Unlink(wsys.AtCwd, tmp) // of a run that was killed
		return wsys.Open(wsys.AtCwd, tmp, abi.OWronly|abi.OCreat|abi.OExcl|abi.OCloexec, mode)
	}
	fd, err := open()
	if err == abi.ENOENT {
		for i := 1; i < len(name); i++ {
			if name[i] == '/' {
				_ = wsys.Mkdir(wsys.AtCwd, name[:i], 0o777) // opening says so
			}
		}
		fd, err = open()
	}
	if err == nil {
		if mode != 0o666 {
			_ = wsys.Fchmod(fd, mode) // the contents are what counts
		}
		err = wsys.WriteAll(fd, data)
		wsys.Close(fd)
		if err == nil {
			err = wsys.Rename(wsys.AtCwd, tmp, wsys.AtCwd, name)
		}
		if err != nil {
			_ = wsys.Unlink(wsys.AtCwd, tmp)
		}
	}
	if err != nil {
		c.fatal("Can't create file ", name, " : ", cmdkit.Strerror(err))
		return false
	}
	return true
}

// write puts the result in place.
func (c *patcher) write(d *diff, name, to string, data, result []byte, st *wsys.Stat, there, exact bool) bool {
	if c.output == "-" {
		c.p.Stdout.Write(result)
		return true
	}
	if c.output != "" {
		fd, flags := wsys.FD(0), abi.OWronly|abi.OCreat|abi.OTrunc|abi.OCloexec
		if c.wrote {
			flags = abi.OWronly | abi.OAppend | abi.OCloexec
		}
		fd, err := wsys.Open(wsys.AtCwd, c.output, flags, 0o666)
		if err == nil {
			err = wsys.WriteAll(fd, result)
			wsys.Close(fd)
		}
		if err != nil {
			c.fatal("Can't create file ", c.output, " : ", cmdkit.Strerror(err))
			return false
		}
		c.wrote = true
		return true
	}
	if there && (c.backup || c.mismatch && !exact) && !c.save(name, data, st) {
		return false
	}
	gone := len(result) == 0 && (d.deleted || d.newName == "/dev/null" || c.removeEmpty || epoch(d.newStamp))
	if gone {
		if err := wsys.Unlink(wsys.AtCwd, name); err != nil && there {
			c.fatal("Can't remove file ", name, " : ", cmdkit.Strerror(err))
			return false
		}
		for i := len(name) - 1; i > 0; i-- { // directories that are empty now
			if name[i] == '/' && wsys.Rmdir(wsys.AtCwd, name[:i]) != nil {
				break
			}
		}
		return true
	}
	mode := abi.Mode(0)
	if there {
		mode = st.Mode & 0o7777
	}
	if d.mode != 0 {
		mode = abi.Mode(d.mode) & 0o777
	}
	if !c.put(to, result, mode) {
		return false
	}
	if to != name {
		if err := wsys.Unlink(wsys.AtCwd, name); err != nil {
			c.fatal("Can't remove file ", name, " : ", cmdkit.Strerror(err))
			return false
		}
	}
	return true
}

// epoch reports whether a time is the start of 1970, which stands for a file
// that is not there.
func epoch(stamp string) bool {
	return len(stamp) > 11 && (stamp[1:11] == "1970-01-01" && len(stamp) > 20 && stamp[12:20] == "00:00:00" || stamp[1:11] == "1969-12-31")
}

// rejects writes the hunks that failed to a file.
func (c *patcher) rejects(d *diff, failed []int, name string) bool {
	if c.output != "" && c.output != "-" {
		name = c.output
	}
	file := name + ".rej"
	if c.reject != "" {
		file = c.reject
	}
	c.say(" -- saving rejects to file ", file, "\n")
	oldName, newName := d.oldName, d.newName
	if oldName == "" {
		oldName = name
	}
	if newName == "" {
		newName = name
	}
	b := append([]byte("--- "+oldName+d.oldStamp), '\n')
	b = append(append(b, "+++ "+newName+d.newStamp...), '\n')
	span := func(start, n int) string {
		if n == 1 {
			return strconv.Itoa(start)
		}
		return strconv.Itoa(start) + "," + strconv.Itoa(n)
	}
	for _, i := range failed {
		h := &d.hunks[i]
		b = append(b, "@@ -"+span(h.oldStart, len(h.old))+" +"+span(h.newStart, len(h.new))+" @@\n"...)
		for _, l := range h.body {
			b = append(append(b, l...), '\n')
		}
	}
	return c.put(file, b, 0)
}
