// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

// Package launch has the command that builds command lines for others: xargs.
package launch

import (
	"strconv"

	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/guests/src/cmdkit"
	"github.com/wsandbox/wsandbox/guests/src/wsys"
)

const (
	optShowLimits = 256 + iota
	optSlotVar
)

var xargsSyntax = cmdkit.Syntax{
	Short: "+0a:d:E:e::I:i::L:l::n:oP:prs:tx",
	Long: []cmdkit.Long{
		{Name: "null", Val: '0'}, {Name: "arg-file", Arg: cmdkit.RequiredArg, Val: 'a'}, {Name: "delimiter", Arg: cmdkit.RequiredArg, Val: 'd'},
		{Name: "eof", Arg: cmdkit.OptionalArg, Val: 'e'}, {Name: "replace", Arg: cmdkit.OptionalArg, Val: 'i'}, {Name: "max-lines", Arg: cmdkit.OptionalArg, Val: 'l'},
		{Name: "max-args", Arg: cmdkit.RequiredArg, Val: 'n'}, {Name: "max-procs", Arg: cmdkit.RequiredArg, Val: 'P'}, {Name: "interactive", Val: 'p'},
		{Name: "no-run-if-empty", Val: 'r'}, {Name: "max-chars", Arg: cmdkit.RequiredArg, Val: 's'}, {Name: "verbose", Val: 't'}, {Name: "exit", Val: 'x'},
		{Name: "show-limits", Val: optShowLimits}, {Name: "process-slot-var", Arg: cmdkit.RequiredArg, Val: optSlotVar}, {Name: "open-tty", Val: 'o'},
	},
	Usage: []string{"[OPTION]... COMMAND [INITIAL-ARGS]..."},
	Help: "Run COMMAND with arguments INITIAL-ARGS and more arguments read from input.\n\n" +
		"  -0, --null                items are separated by a null, not whitespace\n  -a, --arg-file=FILE       read arguments from FILE, not standard input\n  -d, --delimiter=CHARACTER items in input stream are separated by CHARACTER\n" +
		"  -E END                    set logical EOF string\n  -I R                      replace R in INITIAL-ARGS with names read from input\n  -L, -l, --max-lines=N     use at most N nonblank input lines per command line\n" +
		"  -n, --max-args=N          use at most N arguments per command line\n  -P, --max-procs=N         run at most N processes at a time\n      --process-slot-var=VAR set environment variable VAR in child processes\n" +
		"  -r, --no-run-if-empty     do not run the command for an empty input\n  -s, --max-chars=N         limit length of command line\n  -t, --verbose             print commands before executing them\n  -x, --exit                exit if the size (see -s) is exceeded\n",
}

// defaultChars is GNU's default size of a command line in bytes.
const defaultChars = 128 << 10

// xargs is a run of xargs(1).
type xargs struct {
	p         *cmdkit.Proc
	in        *cmdkit.Reader
	delim     int // -1: blanks, quotes and backslashes
	eof       string
	hasEOF    bool
	replace   string // of -I
	lines     uint64 // of -L, 0: none
	args      uint64 // of -n, 0: none
	procs     uint64 // of -P, 0: as many as possible
	chars     uint64
	noEmpty   bool
	verbose   bool
	ask       bool
	slotVar   string
	command   []string
	path      string
	pathErr   error
	running   []wsys.PID // by slot, 0: free
	live      int
	status    int
	fatal     bool // start no more
	batch     []string
	size      uint64 // of the batch and the initial arguments
	initial   uint64
	stdin     wsys.FD // what children read
	started   bool
	lineCount uint64 // lines in the batch
}

// Xargs is xargs(1).
func Xargs(p *cmdkit.Proc) int {
	x := xargs{p: p, delim: -1, procs: 1, chars: defaultChars, stdin: -1}
	file := ""
	number := func(opt string, arg string, least uint64, to *uint64) bool {
		v, e := cmdkit.ParseUint(arg, "")
		if e != cmdkit.NumOK {
			p.Warn("invalid number \"", arg, "\" for -", opt, " option")
			p.TryHelp(1)
			return false
		}
		if v < least {
			p.Warn("value ", arg, " for -", opt, " option should be >= ", strconv.FormatUint(least, 10))
			p.TryHelp(1)
			return false
		}
		*to = v
		return true
	}
	g := p.Options(&xargsSyntax)
	for g.Next() {
		ok := true
		switch g.Opt {
		case '0':
			x.delim = 0
		case 'a':
			file = g.Arg
		case 'd':
			c, valid := delimiter(g.Arg)
			if !valid {
				p.Warn("Invalid input delimiter specification ", g.Arg, ": the delimiter must be either a single character or an escape sequence starting with \\.")
				return 1
			}
			x.delim = int(c)
		case 'E', 'e':
			x.eof, x.hasEOF = g.Arg, g.Arg != ""
		case 'I', 'i':
			x.replace = "{}"
			if g.HasArg {
				x.replace = g.Arg
			}
			x.lines, x.args = 0, 0
		case 'L', 'l':
			n := "1"
			if g.HasArg {
				n = g.Arg
			}
			ok = number(string(g.Opt), n, 1, &x.lines)
			x.args, x.replace = 0, ""
		case 'n':
			ok = number("n", g.Arg, 1, &x.args)
			x.lines = 0
			if x.replace != "" {
				if x.args == 1 {
					x.args = 0 // -I implies it
				} else {
					x.replace = ""
				}
			}
		case 'o':
		case 'P':
			ok = number("P", g.Arg, 0, &x.procs)
		case 'p':
			x.ask, x.verbose = true, true
		case 'r':
			x.noEmpty = true
		case 's':
			ok = number("s", g.Arg, 1, &x.chars)
			x.chars = min(x.chars, 1<<20)
		case 't':
			x.verbose = true
		case 'x': // the default of -I and -L, and nothing else needs it
		case optShowLimits:
			p.Stderr.WriteString("Maximum length of command we could actually use: " + strconv.Itoa(1<<20) + "\nSize of command buffer we are actually using: " + strconv.FormatUint(x.chars, 10) + "\n")
		case optSlotVar:
			x.slotVar = g.Arg
		}
		if !ok {
			return 1
		}
	}
	if g.Stop {
		return g.Status
	}
	if x.ask {
		p.Warn("option -p is not supported: there is no terminal to ask on")
		return 1
	}
	x.command = g.Operands
	if len(x.command) == 0 {
		x.command = []string{"echo"}
	}
	x.in = p.Stdin
	if file != "" {
		fd, err := p.Open(file)
		if err != nil {
			p.Errno(err, "Cannot open input file ", cmdkit.Quote(file))
			return 1
		}
		x.in = p.InputReader(fd)
		x.stdin = p.Stdin.FD
	} else if fd, err := wsys.Open(wsys.AtCwd, "/dev/null", abi.ORdonly|abi.OCloexec, 0); err == nil {
		x.stdin = fd
	}
	if x.procs == 0 || x.procs > 1024 {
		x.procs = 1024
	}
	x.running = make([]wsys.PID, x.procs)
	x.path, x.pathErr = p.LookPath(x.command[0])
	for _, a := range x.command {
		x.initial += uint64(len(a)) + 1
	}
	if x.initial > x.chars {
		p.Warn("argument line too long")
		return 1
	}
	x.size = x.initial
	x.read()
	for x.live > 0 {
		x.reap()
	}
	return x.status
}

// delimiter parses the argument of -d.
func delimiter(s string) (byte, bool) {
	if len(s) == 1 {
		return s[0], true
	}
	if len(s) < 2 || s[0] != '\\' {
		return 0, false
	}
	if len(s) == 2 {
		switch s[1] {
		case 'a':
			return 7, true
		case 'b':
			return 8, true
		case 'f':
			return 12, true
		case 'n':
			return 10, true
		case 'r':
			return 13, true
		case 't':
			return 9, true
		case 'v':
			return 11, true
		case '\\':
			return '\\', true
		}
	}
	digits, base := s[1:], 8
	if s[1] == 'x' {
		digits, base = s[2:], 16
	}
	v, err := strconv.ParseUint(digits, base, 8)
	return byte(v), err == nil
}

// read turns the input into command lines.
func (x *xargs) read() {
	total := 0
	ok := true
	switch {
	case x.delim >= 0:
		for ok && !x.fatal {
			item, more := x.in.Line(byte(x.delim))
			if !more {
				break
			}
			if item[len(item)-1] == byte(x.delim) {
				item = item[:len(item)-1]
			}
			total++
			ok = x.item(string(item), true)
		}
	default:
		total, ok = x.words()
	}
	if x.in.Err != nil {
		x.p.Errno(x.in.Err, "read error")
		x.status = 1
	}
	if !ok || x.fatal {
		return
	}
	if len(x.batch) > 0 || total == 0 && !x.noEmpty && x.replace == "" && !x.started {
		x.run(x.batch)
	}
}

// words reads items as the shell would split them: blanks separate, quotes and
// backslashes protect. With -L and -I the ends of lines count.
func (x *xargs) words() (total int, ok bool) {
	var item []byte
	has, escaped, lineHas := false, false, false
	quote := byte(0)
	lineEndBlank := false
	flush := func() bool { // the item is complete
		if !has {
			return true
		}
		s := string(item)
		item, has = item[:0], false
		if x.hasEOF && s == x.eof {
			return false
		}
		total++
		lineHas = true
		ok = x.item(s, false)
		return ok && !x.fatal
	}
	ok = true
	for {
		c, more := x.in.Byte()
		if !more {
			if quote != 0 {
				kind := "single"
				if quote == '"' {
					kind = "double"
				}
				x.p.Warn("unmatched ", kind, " quote; by default quotes are special to xargs unless you use the -0 option")
				x.status, x.fatal = 1, true
				return total, false
			}
			if flush() && lineHas && x.lines > 0 {
				x.endLine()
			}
			return total, ok
		}
		switch {
		case escaped:
			item, has, escaped = append(item, c), true, false
			lineEndBlank = false
		case quote != 0:
			if c == quote {
				quote = 0
				break
			}
			if c == '\n' {
				kind := "single"
				if quote == '"' {
					kind = "double"
				}
				x.p.Warn("unmatched ", kind, " quote; by default quotes are special to xargs unless you use the -0 option")
				x.status, x.fatal = 1, true
				return total, false
			}
			item = append(item, c)
		case c == '\n':
			// A trailing blank continues the line for -L.
			cont := lineEndBlank && x.lines > 0
			if !flush() {
				return total, ok
			}
			if lineHas && x.lines > 0 && !cont {
				lineHas = false
				if !x.endLine() {
					return total, ok
				}
			}
			lineHas = lineHas && cont
		case (c == ' ' || c == '\t') && x.replace == "":
			lineEndBlank = true
			if !flush() {
				return total, ok
			}
			continue
		case (c == ' ' || c == '\t') && !has: // leading blanks of a line for -I
			continue
		case c == '\\':
			escaped = true
		case c == '\'' || c == '"':
			quote, has = c, true
		default:
			item, has = append(item, c), true
		}
		lineEndBlank = false
	}
}

// item adds an argument. record says that it is also a line.
func (x *xargs) item(s string, record bool) bool {
	if x.replace != "" {
		args := make([]string, len(x.command))
		size := uint64(0)
		for i, a := range x.command {
			if i > 0 {
				a = replaceAll(a, x.replace, s)
			}
			args[i] = a
			size += uint64(len(a)) + 1
		}
		if size > x.chars {
			x.p.Warn("argument list too long")
			x.status, x.fatal = 1, true
			return false
		}
		x.start(args)
		return true
	}
	n := uint64(len(s)) + 1
	if x.initial+n > x.chars {
		x.p.Warn("argument line too long")
		x.status, x.fatal = 1, true
		return false
	}
	if x.size+n > x.chars {
		if x.lines > 0 {
			x.p.Warn("argument list too long")
			x.status, x.fatal = 1, true
			return false
		}
		x.run(x.batch)
	}
	x.batch = append(x.batch, s)
	x.size += n
	if x.args > 0 && uint64(len(x.batch)) >= x.args {
		x.run(x.batch)
	}
	if record && x.lines > 0 {
		return x.endLine()
	}
	return true
}

func (x *xargs) endLine() bool {
	if x.lineCount++; x.lineCount >= x.lines {
		x.lineCount = 0
		if len(x.batch) > 0 {
			x.run(x.batch)
		}
	}
	return !x.fatal
}

func replaceAll(s, old, by string) string {
	var b []byte
	for i := 0; i < len(s); {
		if len(s)-i >= len(old) && s[i:i+len(old)] == old {
			b = append(b, by...)
			i += len(old)
			continue
		}
		b = append(b, s[i])
		i++
	}
	return string(b)
}

// run starts the command with the batch as further arguments.
func (x *xargs) run(batch []string) {
	args := append(append(make([]string, 0, len(x.command)+len(batch)), x.command...), batch...)
	x.batch, x.size = x.batch[:0], x.initial
	x.start(args)
}

func (x *xargs) start(args []string) {
	if x.fatal {
		return
	}
	x.started = true
	if x.verbose {
		line := ""
		for i, a := range args {
			if i > 0 {
				line += " "
			}
			line += string(cmdkit.AppendShellQuoted(nil, a, false, false))
		}
		x.p.Stderr.WriteString(line + "\n")
	}
	for x.live >= len(x.running) {
		x.reap()
		if x.fatal {
			return
		}
	}
	slot := 0
	for x.running[slot] != 0 {
		slot++
	}
	err := x.pathErr
	var pid wsys.PID
	if err == nil {
		env := x.p.Environ()
		if x.slotVar != "" {
			env = append(append(make([]string, 0, len(env)+1), env...), x.slotVar+"="+strconv.Itoa(slot))
		}
		spec := &wsys.SpawnSpec{Path: x.path, Args: args, Env: env, Umask: -1}
		if x.stdin >= 0 {
			spec.Actions = []wsys.FDAction{{FD: 0, Src: x.stdin}}
		}
		for {
			pid, err = cmdkit.Spawn(spec)
			if err != abi.EAGAIN || x.live == 0 {
				break
			}
			x.reap() // too many processes: wait for one of ours
		}
	}
	if err != nil {
		x.p.Errno(err, x.command[0])
		x.status, x.fatal = 126, true
		if err == abi.ENOENT {
			x.status = 127
		}
		return
	}
	x.running[slot] = pid
	x.live++
	if len(x.running) == 1 {
		x.reap()
	}
}

// reap waits for one command and takes over its status.
func (x *xargs) reap() {
	r, err := wsys.Wait(0, -1, 0)
	if err == abi.EINTR {
		return
	}
	if err != nil {
		x.live = 0
		return
	}
	for i, pid := range x.running {
		if pid == r.PID {
			x.running[i] = 0
			x.live--
		}
	}
	switch {
	case r.Status.Signaled():
		x.p.Warn(x.command[0], ": terminated by signal ", strconv.Itoa(int(r.Status.Signal())))
		x.status, x.fatal = 125, true
	case r.Status.ExitStatus() == 255:
		x.p.Warn(x.command[0], ": exited with status 255; aborting")
		x.status, x.fatal = 124, true
	case r.Status.ExitStatus() != 0 && x.status == 0:
		x.status = 123
	}
}
