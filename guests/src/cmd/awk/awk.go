// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package awk

import (
	"github.com/wsandbox/wsandbox/guests/src/awk/interp"
	"github.com/wsandbox/wsandbox/guests/src/awk/syntax"
	"github.com/wsandbox/wsandbox/guests/src/cmdkit"
	"github.com/wsandbox/wsandbox/guests/src/wsys"
)

var awkSyntax = cmdkit.Syntax{
	Short: "+F:f:v:e:E:i:SbOrs",
	Long: []cmdkit.Long{
		{Name: "field-separator", Arg: cmdkit.RequiredArg, Val: 'F'},
		{Name: "file", Arg: cmdkit.RequiredArg, Val: 'f'},
		{Name: "assign", Arg: cmdkit.RequiredArg, Val: 'v'},
		{Name: "source", Arg: cmdkit.RequiredArg, Val: 'e'},
		{Name: "exec", Arg: cmdkit.RequiredArg, Val: 'E'},
		{Name: "include", Arg: cmdkit.RequiredArg, Val: 'i'},
		{Name: "characters-as-bytes", Arg: cmdkit.NoArg, Val: 'b'},
		{Name: "optimize", Arg: cmdkit.NoArg, Val: 'O'},
		{Name: "no-optimize", Arg: cmdkit.NoArg, Val: 's'},
		{Name: "sandbox", Arg: cmdkit.NoArg, Val: 'S'},
		{Name: "re-interval", Arg: cmdkit.NoArg, Val: 'r'},
	},
	Usage: []string{"[OPTION]... 'PROGRAM' [FILE | NAME=VALUE]...", "[OPTION]... -f PROGRAM-FILE... [FILE | NAME=VALUE]..."},
	Help: "Scan files for patterns and process their records and fields.\n\n" +
		"  -F, --field-separator=FS  set the variable FS\n" +
		"  -v, --assign=NAME=VALUE   set a variable before the program begins\n" +
		"  -f, --file=FILE           read the program from FILE, may be repeated\n" +
		"  -e, --source=TEXT         take TEXT as part of the program\n" +
		"  -E, --exec=FILE           as -f, and the end of the options\n" +
		"  -i, --include=FILE        as -f; \"inplace\" replaces the input files by the output\n" +
		"  -b, --characters-as-bytes take every byte as a character\n" +
		"  -S, --sandbox             no commands, no redirections\n",
}

// Awk is the command awk.
func Awk(p *cmdkit.Proc) int {
	c := interp.Config{Proc: p}
	var sources []syntax.Source
	included := 0 // of sources
	g := p.Options(&awkSyntax)
	for g.Next() {
		switch g.Opt {
		case 'F':
			fs := g.Arg
			c.Assigns = append(c.Assigns, [2]string{"FS", fs})
		case 'v':
			name, val, ok := cut(g.Arg)
			if !ok && name != "" {
				p.Warn("fatal: `", name, "' is not a legal variable name")
				return 2
			}
			if !ok {
				p.Warn("fatal: `", g.Arg, "' argument to `-v' not in `var=value' form")
				return 2
			}
			c.Assigns = append(c.Assigns, [2]string{name, val})
		case 'f', 'E', 'i':
			if g.Opt == 'i' {
				if g.Arg == "inplace" {
					c.Inplace = true
					continue
				}
				included++
			}
			text, err := read(p, g.Arg)
			if err != nil {
				p.Errno(err, "fatal: cannot open source file `", g.Arg, "' for reading")
				return 2
			}
			name := g.Arg
			if name == "-" {
				name = "/dev/stdin"
			}
			sources = append(sources, syntax.Source{Name: name, Text: text})
			if g.Opt == 'E' {
				g.Operands = append(g.Operands, g.Rest()...)
				c.Args = g.Operands
				return run(p, &c, sources)
			}
		case 'e':
			sources = append(sources, syntax.Source{Text: g.Arg})
		case 'S':
			c.Sandbox = true
		case 'b':
			c.Bytes = true
		}
	}
	if g.Stop {
		return g.Status
	}
	c.Args = g.Operands
	if len(sources) == included {
		if len(c.Args) == 0 {
			p.Stderr.WriteString("Usage: " + p.Name + " " + awkSyntax.Usage[0] + "\n")
			return p.TryHelp(1)
		}
		sources = append(sources, syntax.Source{Text: c.Args[0]})
		c.Args = c.Args[1:]
	}
	return run(p, &c, sources)
}

func run(p *cmdkit.Proc, c *interp.Config, sources []syntax.Source) int {
	prog, err := syntax.Parse(sources)
	if err != nil {
		if e, ok := err.(*syntax.Error); ok {
			p.Stdout.Flush()
			p.Stderr.WriteString(e.Text(p.Name+": ") + "\n")
			if e.Meant {
				return 2
			}
		} else {
			p.Warn(err.Error())
		}
		return 1
	}
	for _, w := range prog.Warnings {
		p.Warn(w)
	}
	c.Program = prog
	return interp.Run(c)
}

// cut splits NAME=value. Where NAME is no name, ok is false; where there is no
// "=", it is empty as well.
func cut(s string) (name, val string, ok bool) {
	ok = true
	for i := 0; i < len(s); i++ {
		c := s[i]
		switch {
		case c == '=':
			return s[:i], s[i+1:], ok && i > 0
		case c|0x20 >= 'a' && c|0x20 <= 'z' || c == '_' || i > 0 && c >= '0' && c <= '9':
		default:
			ok = false
		}
	}
	return "", "", false
}

// read returns the text of a program file; "-" is standard input.
func read(p *cmdkit.Proc, name string) (string, error) {
	fd := p.Stdin.FD
	if name != "-" && name != "/dev/stdin" {
		b, err := wsys.ReadFile(name)
		return string(b), err
	}
	b, err := wsys.ReadAll(fd)
	return string(b), err
}
