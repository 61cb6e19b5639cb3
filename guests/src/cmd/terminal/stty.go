// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package terminal

import (
	"strconv"

	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/guests/src/cmdkit"
	"github.com/wsandbox/wsandbox/guests/src/wsys"
)

var sttySyntax = cmdkit.Syntax{
	Short: "agF:",
	Long:  []cmdkit.Long{{Name: "all", Val: 'a'}, {Name: "save", Val: 'g'}, {Name: "file", Arg: cmdkit.RequiredArg, Val: 'F'}},
	Usage: []string{"[-F DEVICE | --file=DEVICE] [SETTING]...", "[-F DEVICE | --file=DEVICE] [-a|--all]", "[-F DEVICE | --file=DEVICE] [-g|--save]"},
	Help: `Print or change terminal characteristics.

  -a, --all          print all current settings in human-readable form
  -g, --save         print all current settings in a stty-readable form
  -F, --file=DEVICE  open and use the specified DEVICE instead of stdin

Before a SETTING, - means not. A control character CHAR is taken literally, or is
^c, 0x37, 0177 or 127; ^- and undef turn it off.

Characters:  discard eof eol eol2 erase intr kill lnext quit rprnt start stop susp
             swtch werase CHAR
Special:     N ispeed N ospeed N speed line N min N time N rows N cols N columns N
             size [-]drain
Control:     [-]clocal [-]cread [-]crtscts cs5 cs6 cs7 cs8 [-]cstopb [-]hup
             [-]hupcl [-]parenb [-]parodd [-]cmspar
Input:       [-]brkint [-]icrnl [-]ignbrk [-]igncr [-]ignpar [-]imaxbel [-]inlcr
             [-]inpck [-]istrip [-]iutf8 [-]iuclc [-]ixany [-]ixoff [-]ixon
             [-]parmrk [-]tandem
Output:      bsN crN ffN nlN tabN vtN [-]ocrnl [-]ofdel [-]ofill [-]olcuc [-]onlcr
             [-]onlret [-]onocr [-]opost [-]tabs
Local:       [-]crterase [-]crtkill [-]ctlecho [-]echo [-]echoctl [-]echoe [-]echok
             [-]echoke [-]echonl [-]echoprt [-]extproc [-]flusho [-]icanon [-]iexten
             [-]isig [-]noflsh [-]prterase [-]tostop [-]xcase
Combined:    [-]LCASE [-]cbreak [-]cooked crt dec [-]decctlq ek [-]evenp [-]lcase
             [-]litout [-]nl [-]oddp [-]parity [-]pass8 [-]raw sane

`,
}

func itoa(n uint32) string { return strconv.FormatUint(uint64(n), 10) }

// stty is a run of stty(1).
type stty struct {
	p        *cmdkit.Proc
	fd       wsys.FD
	device   string // as messages name it
	t        abi.Termios
	when     int
	changed  bool // the attributes are to be set
	column   int
	width    int
	status   int
	checking bool // settings are parsed, not applied
}

// Stty is stty(1).
func Stty(p *cmdkit.Proc) int {
	s := stty{p: p, fd: p.Stdin.FD, device: "'standard input'", when: abi.TCSADRAIN}
	all, save := false, false
	file := ""
	var settings []string
	for args := p.Args; len(args) > 0; {
		a := args[0]
		if a == "--" {
			settings = append(settings, args[1:]...)
			break
		}
		if !option(a) {
			settings = append(settings, a)
			args = args[1:]
			continue
		}
		n := 1
		if a[len(a)-1] == 'F' && a[1] != '-' || a == "--file" {
			if len(args) == 1 {
				settings = append(settings, a)
				break
			}
			n = 2
		}
		g := p.OptionsOf(&sttySyntax, args[:n])
		for g.Next() {
			switch g.Opt {
			case 'a':
				all = true
			case 'g':
				save = true
			case 'F':
				if file != "" {
					p.Warn("only one device may be specified")
					return 1
				}
				file = g.Arg
			}
		}
		if g.Stop {
			return g.Status
		}
		args = args[n:]
	}
	switch {
	case all && save:
		p.Warn("the options for verbose and stty-readable output styles are\nmutually exclusive")
		return 1
	case len(settings) > 0 && (all || save):
		p.Warn("when specifying an output style, modes may not be set")
		return 1
	}
	s.checking = true
	if !s.apply(settings) {
		return s.status
	}
	s.checking = false
	if file != "" {
		fd, err := wsys.Open(wsys.AtCwd, file, abi.ORdonly|abi.ONonblock|abi.OCloexec, 0)
		if err != nil {
			return p.FileErrno(err, file)
		}
		defer wsys.Close(fd)
		s.fd, s.device = fd, cmdkit.QuoteF(file)
	}
	t, err := wsys.Tcgetattr(s.fd)
	if err != nil {
		return p.Errno(err, s.device)
	}
	s.t = t
	if all || save || len(settings) == 0 {
		s.columns()
		switch {
		case all:
			s.all()
		case save:
			s.save()
		default:
			s.differences()
		}
		return 0
	}
	if !s.apply(settings) {
		return s.status
	}
	if !s.changed {
		return 0
	}
	if err := wsys.Tcsetattr(s.fd, s.when, &s.t); err != nil {
		return p.Errno(err, s.device)
	}
	if now, err := wsys.Tcgetattr(s.fd); err != nil {
		return p.Errno(err, s.device)
	} else if now.Iflag != s.t.Iflag || now.Oflag != s.t.Oflag || now.Cflag != s.t.Cflag || now.Lflag != s.t.Lflag || now.CC != s.t.CC {
		return p.Warn(s.device, ": unable to perform all requested operations")
	}
	return 0
}

// option reports whether an argument is an option, not a setting: -echo is none.
func option(a string) bool {
	if len(a) < 2 || a[0] != '-' {
		return false
	}
	if a[1] == '-' {
		for i := 2; i < len(a); i++ {
			if a[i] == '=' {
				a = a[:i]
			}
		}
		for _, name := range [...]string{"--all", "--save", "--file", "--help", "--version"} {
			if len(a) > 2 && len(a) <= len(name) && name[:len(a)] == a {
				return true
			}
		}
		return false
	}
	for i := 1; i < len(a); i++ {
		switch a[i] {
		case 'a', 'g':
		case 'F':
			return true
		default:
			return false
		}
	}
	return true
}

// columns finds out how wide the output may be.
func (s *stty) columns() {
	s.width = 80
	if ws, err := wsys.TTYGetwinsize(s.p.Stdout.FD); err == nil && ws.Cols > 0 {
		s.width = int(ws.Cols)
	} else if n, e := cmdkit.ParseUint(s.p.Getenv("COLUMNS"), ""); e == cmdkit.NumOK && n > 0 && n < 1<<31 {
		s.width = int(n)
	}
}

// word writes a word of the listing, on a new line where it does not fit.
func (s *stty) word(w string) {
	if s.column > 0 {
		if s.width-s.column < len(w)+1 {
			s.newline()
		} else {
			s.p.Stdout.WriteByte(' ')
			s.column++
		}
	}
	s.p.Stdout.WriteString(w)
	s.column += len(w)
}

func (s *stty) newline() {
	s.p.Stdout.WriteByte('\n')
	s.column = 0
}

// visible returns a control character as the listing shows it.
func visible(c byte) string {
	if c == abi.VDisable {
		return "<undef>"
	}
	out := ""
	if c >= 0x80 {
		out, c = "M-", c-0x80
	}
	switch {
	case c == 0x7f:
		return out + "^?"
	case c < ' ':
		return out + "^" + string(rune(c+64))
	}
	return out + string(rune(c))
}

func (s *stty) speed() {
	t := &s.t
	if t.Ispeed == 0 || t.Ispeed == t.Ospeed {
		s.word("speed " + itoa(t.Ospeed) + " baud;")
	} else {
		s.word("ispeed " + itoa(t.Ispeed) + " baud; ospeed " + itoa(t.Ospeed) + " baud;")
	}
}

func (s *stty) minTime() {
	s.word("min = " + itoa(uint32(s.t.CC[abi.VMIN])) + "; time = " + itoa(uint32(s.t.CC[abi.VTIME])) + ";")
}

// all prints everything.
func (s *stty) all() {
	s.speed()
	if ws, err := wsys.TTYGetwinsize(s.fd); err == nil {
		s.word("rows " + itoa(uint32(ws.Rows)) + "; columns " + itoa(uint32(ws.Cols)) + ";")
	}
	s.word("line = " + itoa(uint32(s.t.Line)) + ";")
	s.newline()
	for _, c := range characters {
		if c.name == "min" {
			break
		}
		s.word(c.name + " = " + visible(s.t.CC[c.index]) + ";")
	}
	s.minTime()
	s.newline()
	group := control
	for i := range modes {
		m := &modes[i]
		if m.flags&omit != 0 {
			continue
		}
		if m.group != group {
			s.newline()
			group = m.group
		}
		if m.on(&s.t) {
			s.word(m.name)
		} else if m.flags&rev != 0 {
			s.word("-" + m.name)
		}
	}
	s.newline()
}

// differences prints what differs from "sane".
func (s *stty) differences() {
	s.speed()
	s.word("line = " + itoa(uint32(s.t.Line)) + ";")
	s.newline()
	end := func() {
		if s.column > 0 {
			s.newline()
		}
	}
	for _, c := range characters {
		if c.name == "min" {
			break
		}
		if s.t.CC[c.index] != c.sane {
			s.word(c.name + " = " + visible(s.t.CC[c.index]) + ";")
		}
	}
	if s.t.Lflag&abi.ICANON == 0 {
		s.minTime()
	}
	end()
	group := control
	for i := range modes {
		m := &modes[i]
		if m.group != group {
			end()
			group = m.group
		}
		if m.flags&omit != 0 {
			continue
		}
		on := m.on(&s.t)
		if on && m.flags&saneUnset != 0 {
			s.word(m.name)
		} else if !on && m.flags&(saneSet|rev) == saneSet|rev {
			s.word("-" + m.name)
		}
	}
	end()
}

// nccs is how many control characters the saved form has.
const nccs = 32

// save prints all in a form that is a setting.
func (s *stty) save() {
	w := s.p.Stdout
	for i, v := range [...]uint32{s.t.Iflag, s.t.Oflag, s.t.Cflag, s.t.Lflag} {
		if i > 0 {
			w.WriteByte(':')
		}
		w.WriteString(strconv.FormatUint(uint64(v), 16))
	}
	for i := range nccs {
		c := byte(0)
		if i < len(s.t.CC) {
			c = s.t.CC[i]
		}
		w.WriteString(":" + strconv.FormatUint(uint64(c), 16))
	}
	w.WriteByte('\n')
}

// restore parses what save printed.
func restore(t *abi.Termios, arg string) bool {
	r := *t
	for i := range 4 + nccs {
		k := 0
		for k < len(arg) && arg[k] != ':' {
			k++
		}
		bits := 32
		if i >= 4 {
			bits = 8
		}
		v, err := strconv.ParseUint(arg[:k], 16, bits)
		if err != nil || arg[0] == '+' || (k == len(arg)) != (i == 4+nccs-1) {
			return false
		}
		if k < len(arg) {
			k++
		}
		arg = arg[k:]
		switch {
		case i < 4:
			*[...]*uint32{&r.Iflag, &r.Oflag, &r.Cflag, &r.Lflag}[i] = uint32(v)
		case i-4 < len(r.CC):
			r.CC[i-4] = byte(v)
		}
	}
	*t = r
	return true
}

func (s *stty) usage(parts ...string) bool {
	s.status = s.p.UsageError(1, parts...)
	return false
}

// number parses a number in the notation of C.
func (s *stty) number(arg string, max uint64) (uint64, bool) {
	v, err := strconv.ParseUint(arg, 0, 64)
	if arg != "" && (arg[0] == '+' || arg[0] == ' ') {
		v, err = strconv.ParseUint(arg[1:], 0, 64)
	}
	bad := len(arg) > 1 && (arg[1] == 'b' || arg[1] == 'B' || arg[1] == 'o' || arg[1] == 'O')
	for i := range len(arg) {
		bad = bad || arg[i] == '_'
	}
	switch {
	case bad || err != nil && v == 0:
		s.p.Warn("invalid integer argument: ", cmdkit.Quote(arg))
	case err != nil || v > max && max > 255:
		s.p.Warn("invalid integer argument: ", cmdkit.Quote(arg), ": Value too large for defined data type")
	case v > max:
		s.p.Warn("invalid integer argument: ", cmdkit.Quote(arg), ": Numerical result out of range")
	default:
		return v, true
	}
	s.status = 1
	return 0, false
}

// char parses a control character.
func (s *stty) char(arg string) (byte, bool) {
	switch {
	case arg == "":
		return 0, true
	case len(arg) == 1:
		return arg[0], true
	case arg == "^-" || arg == "undef":
		return abi.VDisable, true
	case arg == "^?":
		return 0x7f, true
	case arg[0] == '^':
		return arg[1] &^ 0o140, true
	}
	v, ok := s.number(arg, 255)
	return byte(v), ok
}

// apply goes through the settings and reports whether all are right.
func (s *stty) apply(args []string) bool {
	for len(args) > 0 {
		a := args[0]
		args = args[1:]
		n, ok := s.setting(a, args)
		if !ok {
			return false
		}
		args = args[n:]
	}
	return true
}

// setting applies one setting and returns how many of the following arguments
// belong to it.
func (s *stty) setting(a string, args []string) (used int, ok bool) {
	name, on := a, true
	if a != "" && a[0] == '-' {
		name, on = a[1:], false
	}
	if name == "drain" {
		s.when = abi.TCSADRAIN
		if !on {
			s.when = abi.TCSANOW
		}
		return 0, true
	}
	for i := range modes {
		if m := &modes[i]; m.name == name {
			if !on && m.flags&rev == 0 {
				return 0, s.usage("invalid argument ", cmdkit.Quote(a))
			}
			m.set(&s.t, on)
			s.changed = true
			return 0, true
		}
	}
	for i := range combinations {
		if c := &combinations[i]; c.name == name {
			if !on && !c.reversible {
				return 0, s.usage("invalid argument ", cmdkit.Quote(a))
			}
			c.apply(&s.t, on)
			s.changed = true
			return 0, true
		}
	}
	if !on {
		return 0, s.usage("invalid argument ", cmdkit.Quote(a))
	}
	missing := func() (int, bool) { return 0, s.usage("missing argument to ", cmdkit.Quote(a)) }
	for _, c := range characters {
		if c.name != name {
			continue
		}
		if len(args) == 0 {
			return missing()
		}
		var v byte
		if name == "min" || name == "time" {
			n, ok := s.number(args[0], 255)
			if !ok {
				return 0, false
			}
			v = byte(n)
		} else if v, ok = s.char(args[0]); !ok {
			return 0, false
		}
		s.t.CC[c.index] = v
		s.changed = true
		return 1, true
	}
	switch name {
	case "ispeed", "ospeed":
		if len(args) == 0 {
			return missing()
		}
		i := parseSpeed(args[0])
		if i < 0 {
			return 0, s.usage("invalid argument ", cmdkit.Quote(args[0]))
		}
		setSpeed(&s.t, i, name == "ispeed", name == "ospeed")
		s.changed = true
		return 1, true
	case "rows", "cols", "columns", "line":
		if len(args) == 0 {
			return missing()
		}
		max := uint64(1<<31 - 1)
		if name == "line" {
			max = 255
		}
		v, ok := s.number(args[0], max)
		if !ok {
			return 0, false
		}
		if name == "line" {
			s.t.Line = byte(v)
			s.changed = true
			return 1, true
		}
		return 1, s.checking || s.resize(name == "rows", uint16(v))
	case "size":
		if s.checking {
			return 0, true
		}
		ws, err := wsys.TTYGetwinsize(s.fd)
		if err != nil {
			s.status = s.p.Errno(err, s.device)
			return 0, false
		}
		s.p.Stdout.WriteString(itoa(uint32(ws.Rows)) + " " + itoa(uint32(ws.Cols)) + "\n")
		return 0, true
	case "speed":
		if !s.checking {
			s.p.Stdout.WriteString(itoa(s.t.Ospeed) + "\n")
		}
		return 0, true
	}
	if i := parseSpeed(name); i >= 0 {
		setSpeed(&s.t, i, true, true)
		s.changed = true
		return 0, true
	}
	if restore(&s.t, name) {
		s.changed = true
		return 0, true
	}
	return 0, s.usage("invalid argument ", cmdkit.Quote(a))
}

// resize sets one side of the window.
func (s *stty) resize(rows bool, v uint16) bool {
	ws, err := wsys.TTYGetwinsize(s.fd)
	if err == nil {
		if rows {
			ws.Rows = v
		} else {
			ws.Cols = v
		}
		err = wsys.TTYSetwinsize(s.fd, ws)
	}
	if err != nil {
		s.status = s.p.Errno(err, s.device)
		return false
	}
	return true
}
