// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package terminal

import (
	"strconv"

	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/guests/src/cmdkit"
	"github.com/wsandbox/wsandbox/guests/src/terminfo"
	"github.com/wsandbox/wsandbox/guests/src/wsys"
)

// usage writes the message that the originals of ncurses give for wrong options.
func usage(p *cmdkit.Proc, text string) { p.Stderr.WriteString("Usage: " + p.Name + " " + text) }

// ttyOf returns a descriptor of the terminal: standard error, output or input,
// or /dev/tty, which close is to be called for.
func ttyOf(p *cmdkit.Proc) (fd wsys.FD, closer func(), ok bool) {
	for _, fd := range [...]wsys.FD{p.Stderr.FD, p.Stdout.FD, p.Stdin.FD} {
		if wsys.Isatty(fd) {
			return fd, func() {}, true
		}
	}
	fd, err := wsys.Open(wsys.AtCwd, "/dev/tty", abi.ORdwr|abi.OCloexec, 0)
	if err != nil {
		return -1, func() {}, false
	}
	return fd, func() { wsys.Close(fd) }, true
}

// windowSize returns lines and columns: of the environment, else of the terminal,
// else of its description, else the usual ones.
func windowSize(p *cmdkit.Proc, t *terminfo.Terminal) (lines, cols int) {
	var ws wsys.Winsize
	if fd, done, ok := ttyOf(p); ok {
		ws, _ = wsys.TTYGetwinsize(fd)
		done()
	}
	one := func(variable string, of uint16, capability string, usual int) int {
		if v, e := cmdkit.ParseUint(p.Getenv(variable), ""); e == cmdkit.NumOK && v > 0 && v < 1<<31 {
			return int(v)
		}
		if of > 0 {
			return int(of)
		}
		if n := t.Number(capability); n > 0 {
			return n
		}
		return usual
	}
	return one("LINES", ws.Rows, "lines", 24), one("COLUMNS", ws.Cols, "cols", 80)
}

// clearSequence returns what clears the screen, and with scrollback what is
// behind it.
func clearSequence(t *terminfo.Terminal, scrollback bool) (string, bool) {
	s, ok := t.String("clear")
	if !ok {
		return "", false
	}
	if scrollback {
		e3, _ := t.String("E3")
		s += e3
	}
	return terminfo.Plain(s), true
}

// initSequence returns what initialises the terminal, or with reset brings it
// back to a known state.
func initSequence(t *terminfo.Terminal, reset bool) string {
	out := ""
	for _, n := range [...]string{"1", "2", "3"} {
		s, ok := "", false
		if reset {
			s, ok = t.String("rs" + n)
		}
		if !ok {
			s, _ = t.String("is" + n)
		}
		out += s
	}
	margins, _ := t.String("mgc")
	return terminfo.Plain(out + margins)
}

// resetModes gives the terminal modes in which one can type.
func resetModes(t *abi.Termios) {
	for _, c := range characters {
		if t.CC[c.index] == abi.VDisable && c.sane != abi.VDisable && c.name != "min" {
			t.CC[c.index] = c.sane
		}
	}
	t.Iflag = t.Iflag&^(abi.IGNBRK|abi.PARMRK|abi.INPCK|abi.ISTRIP|abi.INLCR|abi.IGNCR|abi.IUCLC|abi.IXANY|abi.IXOFF) |
		abi.BRKINT | abi.IGNPAR | abi.ICRNL | abi.IXON | abi.IMAXBEL
	t.Oflag = t.Oflag&^(abi.OLCUC|abi.OCRNL|abi.ONOCR|abi.ONLRET|abi.OFILL|abi.OFDEL|abi.NLDLY|abi.CRDLY|abi.TABDLY|abi.BSDLY|abi.VTDLY|abi.FFDLY) |
		abi.OPOST | abi.ONLCR
	t.Cflag = t.Cflag&^(abi.CSIZE|abi.CSTOPB|abi.PARENB|abi.PARODD|abi.CLOCAL) | abi.CS8 | abi.CREAD
	t.Lflag = t.Lflag&^(abi.ECHONL|abi.NOFLSH|abi.TOSTOP|abi.ECHOPRT|abi.XCASE|abi.EXTPROC|abi.FLUSHO) |
		abi.ISIG | abi.ICANON | abi.ECHO | abi.ECHOE | abi.ECHOK | abi.ECHOCTL | abi.ECHOKE | abi.IEXTEN
}

// clearSyntax stands for the options of clear; its messages are its own.
var clearSyntax = cmdkit.Syntax{Short: "T:Vx", Usage: []string{"[-x] [-T TERM]"}, Help: "Clear the screen, and what has scrolled off it unless -x is given.\n\n  -T TERM     use this instead of $TERM\n  -V          print the version\n  -x          do not try to clear scrollback\n"}

// Clear is clear(1).
func Clear(p *cmdkit.Proc) int {
	p.Name = cmdkit.Base(p.Name)
	name, scrollback := p.Getenv("TERM"), true
	g := p.Options(&clearSyntax)
	for g.Next() {
		switch g.Opt {
		case 'T':
			name = g.Arg
		case 'V':
			p.PrintVersion()
			return 0
		case 'x':
			scrollback = false
		}
	}
	if g.Stop {
		return g.Status
	}
	if len(g.Operands) > 0 {
		return p.ExtraOperand(1, g.Operands[0])
	}
	if name == "" {
		p.Stderr.WriteString("TERM environment variable not set.\n")
		return 1
	}
	t, ok := terminfo.Lookup(name)
	if !ok {
		p.Stderr.WriteString("'" + name + "': unknown terminal type.\n")
		return 1
	}
	s, ok := clearSequence(t, scrollback)
	if !ok {
		return 1
	}
	p.Stdout.WriteString(s)
	return 0
}

var resetSyntax = cmdkit.Syntax{
	Short: "ce:Ii:k:QqrsVw",
	Usage: []string{"[OPTION]... [TERMINAL]"},
	Help: `Bring the terminal back to a state in which one can type.

  -c          bring back modes and the screen only
  -e CHAR     erase character
  -I          no initialization strings
  -i CHAR     interrupt character
  -k CHAR     kill character
  -Q          do not print control key settings
  -q          print the terminal type only, do nothing
  -r          print the terminal type to standard error
  -s          print the command that sets TERM
  -V          print the version
  -w          set the window's size only
`,
}

// Reset is reset(1) of ncurses.
func Reset(p *cmdkit.Proc) int {
	p.Name = cmdkit.Base(p.Name)
	name := p.Getenv("TERM")
	var modesOnly, sizeOnly, noInit, silent, query, report, command bool
	var set [3]int // erase, interrupt, kill; 0: as it is
	g := p.Options(&resetSyntax)
	for g.Next() {
		switch g.Opt {
		case 'c':
			modesOnly = true
		case 'w':
			sizeOnly = true
		case 'e', 'i', 'k':
			k := map[rune]int{'e': 0, 'i': 1, 'k': 2}[g.Opt]
			c := byte(0)
			switch {
			case len(g.Arg) == 2 && g.Arg == "^?":
				c = 0x7f
			case len(g.Arg) == 2 && g.Arg[0] == '^':
				c = g.Arg[1] & 0x1f
			case len(g.Arg) == 1:
				c = g.Arg[0]
			}
			set[k] = int(c)
		case 'I':
			noInit = true
		case 'Q':
			silent = true
		case 'q':
			query = true
		case 'r':
			report = true
		case 's':
			command = true
		case 'V':
			p.PrintVersion()
			return 0
		}
	}
	if g.Stop {
		return g.Status
	}
	if len(g.Operands) > 1 {
		return p.ExtraOperand(1, g.Operands[1])
	}
	if len(g.Operands) == 1 {
		name = g.Operands[0]
	}
	if name == "" {
		name = "unknown"
	}
	t, ok := terminfo.Lookup(name)
	if !ok {
		p.Stderr.WriteString(p.Name + ": unknown terminal type " + name + "\n")
		return 1
	}
	if query {
		p.Stdout.WriteString(name + "\n")
		return 0
	}
	fd, done, ok := ttyOf(p)
	if !ok {
		p.Stderr.WriteString(p.Name + ": terminal attributes: No such device or address\n")
		return 1
	}
	defer done()
	old, err := wsys.Tcgetattr(fd)
	if err != nil {
		return p.Errno(err, "terminal attributes")
	}
	now := old
	if modesOnly || !sizeOnly {
		resetModes(&now)
		for i, at := range [...]int{abi.VERASE, abi.VINTR, abi.VKILL} {
			if set[i] != 0 {
				now.CC[at] = byte(set[i])
			}
		}
	}
	if !noInit && (modesOnly || !sizeOnly) {
		p.Stderr.WriteString(initSequence(t, true) + "\r")
	}
	if now != old {
		if err := wsys.Tcsetattr(fd, abi.TCSADRAIN, &now); err != nil {
			return p.Errno(err, "terminal attributes")
		}
	}
	if sizeOnly || !modesOnly {
		if ws, err := wsys.TTYGetwinsize(fd); err == nil && (ws.Rows == 0 || ws.Cols == 0) {
			lines, cols := windowSize(p, t)
			if lines > 0 && cols > 0 && lines < 1<<16 && cols < 1<<16 {
				ws.Rows, ws.Cols = uint16(lines), uint16(cols)
				_ = wsys.TTYSetwinsize(fd, ws) // nothing depends on it
			}
		}
	}
	if report {
		p.Stderr.WriteString("Terminal type is " + name + ".\n")
	}
	if !silent && !command {
		kbs, _ := t.String("kbs")
		tell(p, "Erase", old.CC[abi.VERASE], now.CC[abi.VERASE], 0x7f, kbs)
		tell(p, "Kill", old.CC[abi.VKILL], now.CC[abi.VKILL], 'U'&31, "")
		tell(p, "Interrupt", old.CC[abi.VINTR], now.CC[abi.VINTR], 'C'&31, "")
	}
	if command {
		p.Stdout.WriteString("TERM=" + name + ";\n")
	}
	return 0
}

// tell says what a control character is, unless that goes without saying.
func tell(p *cmdkit.Proc, what string, old, now, usual byte, backspace string) {
	if old == now && now == usual {
		return
	}
	verb := " set to "
	if old == now {
		verb = " is "
	}
	key := string([]byte{now})
	switch {
	case now == 0x7f:
		key = "delete"
	case backspace == key:
		key = "backspace"
	case now < ' ':
		c := string(rune(now ^ 0x40))
		key = "control-" + c + " (^" + c + ")"
	}
	p.Stderr.WriteString(what + verb + key + ".\n")
}

const tputUsage = `[options] [command]

Options:
  -S <<       read commands from standard input
  -T TERM     use this instead of $TERM
  -V          print curses-version
  -x          do not try to clear scrollback

Commands:
  clear       clear the screen
  init        initialize the terminal
  reset       reinitialize the terminal
  capname     unlike clear/init/reset, print value for capability "capname"
`

var tputSyntax = cmdkit.Syntax{Short: "+ST:Vx", Usage: []string{"[-x] [-T TERM] [CAPNAME [PARAMETER]...]", "[-x] [-T TERM] -S"}, BadUsage: 2,
	Help: "Print what makes the terminal do things: clear, cup ROW COLUMN, bold, setaf COLOR,\nsgr0, cols, lines, colors, longname, init, reset and the others of terminfo(5).\n\n  -S          read commands from standard input\n  -T TERM     use this instead of $TERM\n  -V          print the version\n  -x          do not try to clear scrollback\n"}

// tput is a run of tput(1).
type tput struct {
	p          *cmdkit.Proc
	t          *terminfo.Terminal
	scrollback bool
}

// Tput is tput(1) of ncurses, over the built-in descriptions.
func Tput(p *cmdkit.Proc) int {
	p.Name = cmdkit.Base(p.Name)
	name, lines := p.Getenv("TERM"), false
	named := name != ""
	r := tput{p: p, scrollback: true}
	g := p.Options(&tputSyntax)
	for g.Next() {
		switch g.Opt {
		case 'S':
			lines = true
		case 'T':
			name, named = g.Arg, true
		case 'V':
			p.PrintVersion()
			return 0
		case 'x':
			r.scrollback = false
		}
	}
	if g.Stop {
		return g.Status
	}
	if len(g.Operands) == 0 && !lines {
		usage(p, tputUsage)
		return 2
	}
	if !named {
		p.Warn("No value for $TERM and no -T specified")
		return 2
	}
	var ok bool
	if r.t, ok = terminfo.Lookup(name); !ok {
		p.Warn("unknown terminal \"", name, "\"")
		return 3
	}
	if !lines {
		return r.commands(g.Operands)
	}
	status := 0
	for {
		line, ok := p.Stdin.Line('\n')
		if !ok {
			break
		}
		if st := r.commands(words(string(line))); st != 0 {
			status = 4
		}
	}
	if p.Stdin.Err != nil {
		p.Errno(p.Stdin.Err, "standard input")
		return 2
	}
	return status
}

func words(s string) []string {
	var l []string
	for s != "" {
		i := 0
		for i < len(s) && s[i] > ' ' {
			i++
		}
		if i > 0 {
			l = append(l, s[:i])
		}
		s = s[min(i+1, len(s)):]
	}
	return l
}

// commands runs capabilities one after the other, each with the parameters it
// takes.
func (r *tput) commands(args []string) int {
	status := 0
	for len(args) > 0 {
		var st int
		st, args = r.command(args[0], args[1:])
		if st > status {
			status = st
		}
		if st > 1 {
			break
		}
	}
	return status
}

// command runs one capability and returns its status and the arguments behind
// its parameters.
func (r *tput) command(name string, args []string) (int, []string) {
	w := r.p.Stdout
	switch name {
	case "clear":
		s, ok := clearSequence(r.t, r.scrollback)
		w.WriteString(s)
		if !ok {
			return 2, args
		}
		return 0, args
	case "init", "reset":
		fd, done, ok := ttyOf(r.p)
		if !ok {
			r.p.Warn("terminal attributes: No such device or address")
			return 2, args
		}
		defer done()
		if name == "reset" {
			if t, err := wsys.Tcgetattr(fd); err == nil {
				resetModes(&t)
				if err := wsys.Tcsetattr(fd, abi.TCSADRAIN, &t); err != nil {
					return r.p.Errno(err, "terminal attributes"), args
				}
			}
		}
		w.WriteString(initSequence(r.t, name == "reset"))
		return 0, args
	case "longname":
		w.WriteString(r.t.LongName)
		return 0, args
	case "lines", "cols":
		n, cols := windowSize(r.p, r.t)
		if name == "cols" {
			n = cols
		}
		w.WriteString(strconv.Itoa(n) + "\n")
		return 0, args
	}
	switch terminfo.KindOf(name) {
	case terminfo.Boolean:
		if !r.t.Bool(name) {
			return 1, args
		}
		return 0, args
	case terminfo.Number:
		w.WriteString(strconv.Itoa(r.t.Number(name)) + "\n")
		return 0, args
	case terminfo.Unknown:
		r.p.Warn("unknown terminfo capability ", "'"+name+"'")
		return 4, args
	}
	s, ok := r.t.String(name)
	n := parameters(s)
	if !ok {
		n = 9
	}
	var params []terminfo.Param
	for len(params) < n && len(args) > 0 {
		v, isNumber := cmdkit.ParseInt(args[0])
		if !ok && !isNumber {
			break
		}
		params = append(params, terminfo.Param{Text: args[0], Value: int(v)})
		args = args[1:]
	}
	if !ok {
		return 1, args
	}
	if len(params) > 0 {
		s = terminfo.Expand(s, params...)
	}
	w.WriteString(terminfo.Plain(s))
	return 0, args
}

// parameters returns how many parameters a capability uses.
func parameters(s string) int {
	n := 0
	for i := 0; i+2 < len(s); i++ {
		if s[i] == '%' && s[i+1] == 'p' && s[i+2] > '0' && s[i+2] <= '9' {
			n = max(n, int(s[i+2]-'0'))
		}
	}
	return n
}
