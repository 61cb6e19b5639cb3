// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package sysinfo

import (
	"strconv"

	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/guests/src/cmdkit"
	"github.com/wsandbox/wsandbox/guests/src/wsys"
)

// What uname says about the sandbox. Programs ask it for the kind of system they
// are on: it behaves like Linux, and the release, that of /proc/version, says
// whose kernel it is.
const (
	sysname = "Linux"
	release = "6.1.0-wsandbox"
	version = "#1 SMP"
	machine = "wasm32"
)

var unameSyntax = cmdkit.Syntax{
	Short: "asnrvmpio",
	Long: []cmdkit.Long{
		{Name: "all", Val: 'a'}, {Name: "kernel-name", Val: 's'}, {Name: "sysname", Val: 's'},
		{Name: "nodename", Val: 'n'}, {Name: "kernel-release", Val: 'r'}, {Name: "release", Val: 'r'},
		{Name: "kernel-version", Val: 'v'}, {Name: "machine", Val: 'm'}, {Name: "processor", Val: 'p'},
		{Name: "hardware-platform", Val: 'i'}, {Name: "operating-system", Val: 'o'},
	},
	Usage: []string{"[OPTION]..."},
	Help: `Print information about the system. Without OPTION, the same as -s.

  -a, --all                all of it, in the order below, without what is unknown
  -s, --kernel-name        the kernel's name
  -n, --nodename           the host name
  -r, --kernel-release     the kernel's release
  -v, --kernel-version     the kernel's version
  -m, --machine            the machine's name
  -p, --processor          the processor type (unknown)
  -i, --hardware-platform  the hardware platform (unknown)
  -o, --operating-system   the operating system
`,
}

// Uname prints the system's names.
func Uname(p *cmdkit.Proc) int {
	g := p.Options(&unameSyntax)
	want, all := "", false
	for g.Next() {
		if g.Opt == 'a' {
			all = true
		} else {
			want += string(g.Opt)
		}
	}
	if g.Stop {
		return g.Status
	}
	if len(g.Operands) > 0 {
		return p.ExtraOperand(1, g.Operands[0])
	}
	if all {
		want += "snrvmo"
	} else if want == "" {
		want = "s"
	}
	sep := ""
	for _, c := range "snrvmpio" {
		if !has(want, byte(c)) {
			continue
		}
		p.Stdout.WriteString(sep)
		sep = " "
		switch c {
		case 's':
			p.Stdout.WriteString(sysname)
		case 'n':
			p.Stdout.WriteString(wsys.Hostname())
		case 'r':
			p.Stdout.WriteString(release)
		case 'v':
			p.Stdout.WriteString(version)
		case 'm':
			p.Stdout.WriteString(machine)
		case 'o':
			p.Stdout.WriteString("GNU/Linux")
		default:
			p.Stdout.WriteString("unknown")
		}
	}
	p.Stdout.WriteByte('\n')
	return 0
}

func has(s string, c byte) bool {
	for i := 0; i < len(s); i++ {
		if s[i] == c {
			return true
		}
	}
	return false
}

var archSyntax = cmdkit.Syntax{Usage: []string{"[OPTION]..."}, Help: "Print the machine's architecture.\n\n"}

// Arch prints the machine's name.
func Arch(p *cmdkit.Proc) int {
	if st, done := plain(p, &archSyntax); done {
		return st
	}
	p.Stdout.WriteString(machine + "\n")
	return 0
}

// plain parses the arguments of a command that has neither options nor operands.
func plain(p *cmdkit.Proc, s *cmdkit.Syntax) (status int, done bool) {
	g := p.Options(s)
	for g.Next() {
	}
	if g.Stop {
		return g.Status, true
	}
	if len(g.Operands) > 0 {
		return p.ExtraOperand(s.BadUsage|1, g.Operands[0]), true
	}
	return 0, false
}

var hostnameSyntax = cmdkit.Syntax{
	Short: "sfdiI",
	Long: []cmdkit.Long{{Name: "short", Val: 's'}, {Name: "fqdn", Val: 'f'}, {Name: "long", Val: 'f'},
		{Name: "domain", Val: 'd'}, {Name: "ip-address", Val: 'i'}, {Name: "all-ip-addresses", Val: 'I'}},
	Usage: []string{"[OPTION]..."},
	Help: `Print the sandbox's host name. It cannot be set from inside.

  -s, --short             up to the first dot
  -f, --fqdn, --long      the whole name
  -d, --domain            what follows the first dot
  -i, --ip-address        refused: there is no network
  -I, --all-ip-addresses  likewise
`,
}

// Hostname prints the host name.
func Hostname(p *cmdkit.Proc) int {
	g := p.Options(&hostnameSyntax)
	mode := rune('f')
	for g.Next() {
		mode = g.Opt
	}
	if g.Stop {
		return g.Status
	}
	if len(g.Operands) > 0 {
		p.Errno(abi.EPERM, "cannot set name to ", cmdkit.Quote(g.Operands[0]))
		return 1
	}
	name := wsys.Hostname()
	dot := len(name)
	for i := 0; i < len(name); i++ {
		if name[i] == '.' {
			dot = i
			break
		}
	}
	switch mode {
	case 's':
		name = name[:dot]
	case 'd':
		if dot == len(name) {
			name = ""
		} else {
			name = name[dot+1:]
		}
	case 'i', 'I':
		return p.Warn("the sandbox has no network addresses")
	}
	p.Stdout.WriteString(name)
	p.Stdout.WriteByte('\n')
	return 0
}

var nprocSyntax = cmdkit.Syntax{
	Long:  []cmdkit.Long{{Name: "all", Val: 256}, {Name: "ignore", Arg: cmdkit.RequiredArg, Val: 257}},
	Usage: []string{"[OPTION]..."},
	Help: `Print the number of processors a process can use: one, as programs in the
sandbox have one thread. OMP_NUM_THREADS and OMP_THREAD_LIMIT are respected.

      --all      the number of processors installed
      --ignore=N leave out N processors, where there are more
`,
}

// Nproc prints the number of processors.
func Nproc(p *cmdkit.Proc) int {
	g := p.Options(&nprocSyntax)
	n, ignore, all := uint64(1), uint64(0), false
	for g.Next() {
		switch g.Opt {
		case 256:
			all = true
		case 257:
			v, ok := p.Count("invalid number", g.Arg, "")
			if !ok {
				return 1
			}
			ignore = v
		}
	}
	if g.Stop {
		return g.Status
	}
	if len(g.Operands) > 0 {
		return p.ExtraOperand(1, g.Operands[0])
	}
	if !all {
		if v, e := cmdkit.ParseUint(p.Getenv("OMP_NUM_THREADS"), ""); e == cmdkit.NumOK && v > 0 {
			n = v
		}
		if v, e := cmdkit.ParseUint(p.Getenv("OMP_THREAD_LIMIT"), ""); e == cmdkit.NumOK && v > 0 && v < n {
			n = v
		}
	}
	if ignore < n {
		n -= ignore
	} else {
		n = 1
	}
	p.Stdout.WriteString(strconv.FormatUint(n, 10))
	p.Stdout.WriteByte('\n')
	return 0
}

var syncSyntax = cmdkit.Syntax{
	Short: "df",
	Long:  []cmdkit.Long{{Name: "data", Val: 'd'}, {Name: "file-system", Val: 'f'}},
	Usage: []string{"[OPTION] [FILE]..."},
	Help: `Flush the given files. Without FILE there is nothing to do: the sandbox keeps
no written data back.

  -d, --data         only the data
  -f, --file-system  the file systems that hold the files
`,
}

// Sync flushes files.
func Sync(p *cmdkit.Proc) int {
	g := p.Options(&syncSyntax)
	for g.Next() {
	}
	if g.Stop {
		return g.Status
	}
	st := 0
	for _, f := range g.Operands {
		fd, err := wsys.Open(wsys.AtCwd, f, abi.ORdonly|abi.ONonblock|abi.OCloexec, 0)
		if err != nil {
			fd, err = wsys.Open(wsys.AtCwd, f, abi.OWronly|abi.ONonblock|abi.OCloexec, 0)
		}
		if err != nil {
			st = p.Errno(err, "error opening ", cmdkit.QuoteAF(f))
			continue
		}
		if err := wsys.Fsync(fd); err != nil {
			st = p.Errno(err, "error syncing ", cmdkit.QuoteAF(f))
		}
		wsys.Close(fd)
	}
	return st
}

var trueSyntax = cmdkit.Syntax{Usage: []string{"[ignored command line arguments]"}, Help: "Exit with a status code that says success.\n\n"}

// True does nothing, successfully.
func True(p *cmdkit.Proc) int {
	p.HelpOnly(&trueSyntax)
	return 0
}

var falseSyntax = cmdkit.Syntax{Usage: []string{"[ignored command line arguments]"}, Help: "Exit with a status code that says failure.\n\n"}

// False does nothing, unsuccessfully.
func False(p *cmdkit.Proc) int {
	p.HelpOnly(&falseSyntax)
	return 1
}

var ttySyntax = cmdkit.Syntax{
	Short: "s", BadUsage: 2, LostOutput: 3,
	Long:  []cmdkit.Long{{Name: "silent", Val: 's'}, {Name: "quiet", Val: 's'}},
	Usage: []string{"[OPTION]..."},
	Help: `Print the name of the terminal connected to standard input.

  -s, --silent, --quiet  print nothing, only return a status
`,
}

// TTY prints the name of the terminal on standard input.
func TTY(p *cmdkit.Proc) int {
	g := p.Options(&ttySyntax)
	silent := false
	for g.Next() {
		silent = true
	}
	if g.Stop {
		return g.Status
	}
	if len(g.Operands) > 0 {
		return p.ExtraOperand(2, g.Operands[0])
	}
	tty := wsys.Isatty(p.Stdin.FD)
	if !silent {
		if tty {
			name, err := wsys.Readlink(wsys.AtCwd, "/proc/self/fd/"+strconv.Itoa(int(p.Stdin.FD)))
			if err != nil {
				name = "/dev/tty"
			}
			p.Stdout.WriteString(name + "\n")
		} else {
			p.Stdout.WriteString("not a tty\n")
		}
	}
	if tty {
		return 0
	}
	return 1
}
