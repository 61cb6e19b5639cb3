// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package fileops

import (
	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/guests/src/cmdkit"
	"github.com/wsandbox/wsandbox/guests/src/wsys"
)

var truncateSyntax = cmdkit.Syntax{
	Short: "cor:s:",
	Long: []cmdkit.Long{{Name: "io-blocks", Val: 'o'}, {Name: "no-create", Val: 'c'}, {Name: "reference", Arg: cmdkit.RequiredArg, Val: 'r'},
		{Name: "size", Arg: cmdkit.RequiredArg, Val: 's'}},
	Usage: []string{"OPTION... FILE..."},
	Help: `Shrink or extend each FILE to a size. A FILE that does not exist is created.

  -c, --no-create        do not create files
  -o, --io-blocks        SIZE counts blocks of I/O instead of bytes
  -r, --reference=RFILE  base the size on RFILE
  -s, --size=SIZE        the size, or with one of these in front: '+' extend by,
                         '-' reduce by, '<' at most, '>' at least, '/' round down
                         to a multiple of, '%' round up to a multiple of
SIZE may have a unit: K, M, G, T, P, E (powers of 1024), KB, MB, … (of 1000).
`,
}

// Truncate sets the size of files.
func Truncate(p *cmdkit.Proc) int {
	g := p.Options(&truncateSyntax)
	create, blocks, ref, hasRef := true, false, "", false
	size, rel, hasSize := int64(0), byte(0), false
	for g.Next() {
		switch g.Opt {
		case 'c':
			create = false
		case 'o':
			blocks = true
		case 'r':
			ref, hasRef = g.Arg, true
		case 's':
			arg := g.Arg
			for arg != "" && (arg[0] == ' ' || arg[0] == '\t') {
				arg = arg[1:]
			}
			if arg != "" {
				switch arg[0] {
				case '<', '>', '/', '%':
					rel, arg = arg[0], arg[1:]
				}
			}
			for arg != "" && (arg[0] == ' ' || arg[0] == '\t') {
				arg = arg[1:]
			}
			neg := false
			if arg != "" && (arg[0] == '+' || arg[0] == '-') {
				if rel != 0 {
					return p.UsageError(1, "multiple relative modifiers specified")
				}
				rel, neg = '+', arg[0] == '-'
				arg = arg[1:]
			}
			v, e := cmdkit.ParseUint(arg, "EgGkKmMPtTYZ0")
			if e == cmdkit.NumOverflow || e == cmdkit.NumOK && v > 1<<63-1 {
				return p.Warn("Invalid number: ", cmdkit.Quote(g.Arg), ": Value too large for defined data type")
			}
			if e != cmdkit.NumOK || arg == "" || arg[0] == '+' || arg[0] == ' ' {
				return p.Warn("Invalid number: ", cmdkit.Quote(g.Arg))
			}
			size, hasSize = int64(v), true
			if neg {
				size = -size
			}
			if (rel == '/' || rel == '%') && size == 0 {
				return p.Warn("division by zero")
			}
		}
	}
	if g.Stop {
		return g.Status
	}
	switch {
	case !hasRef && !hasSize:
		return p.UsageError(1, "you must specify either '--size' or '--reference'")
	case hasRef && hasSize && rel == 0:
		return p.UsageError(1, "you must specify a relative '--size' with '--reference'")
	case blocks && !hasSize:
		return p.UsageError(1, "'--io-blocks' was specified but '--size' was not")
	case len(g.Operands) == 0:
		return p.UsageError(1, "missing file operand")
	}
	base := int64(-1)
	if hasRef {
		st, err := wsys.StatAt(cwd, ref, true)
		if err != nil {
			return p.Errno(err, "cannot stat ", cmdkit.QuoteAF(ref))
		}
		base = st.Size
		if !hasSize {
			size = st.Size
		}
	}
	status := 0
	for _, f := range g.Operands {
		flags := abi.OWronly | abi.ONonblock | abi.OCloexec
		if create {
			flags |= abi.OCreat
		}
		fd, err := wsys.Open(cwd, f, flags, 0o666)
		if err != nil {
			if !create && err == abi.ENOENT {
				continue
			}
			status = p.Errno(err, "cannot open ", cmdkit.QuoteAF(f), " for writing")
			continue
		}
		if !truncate(p, fd, f, size, base, rel, blocks) {
			status = 1
		}
		wsys.Close(fd)
	}
	return status
}

func truncate(p *cmdkit.Proc, fd wsys.FD, f string, size, base int64, rel byte, blocks bool) bool {
	st, err := wsys.Fstat(fd)
	if err != nil {
		p.Errno(err, "cannot fstat ", cmdkit.QuoteAF(f))
		return false
	}
	if blocks {
		bs := int64(st.Blksize)
		if bs <= 0 {
			bs = 512
		}
		if size > (1<<63-1)/bs || size < -(1<<63-1)/bs {
			p.Warn("overflow in blocks for file ", cmdkit.QuoteAF(f))
			return false
		}
		size *= bs
	}
	have := base
	if have < 0 {
		have = st.Size
	}
	n := size
	switch rel {
	case '+':
		if size > 0 && have > 1<<63-1-size {
			p.Warn("overflow extending size of file ", cmdkit.QuoteAF(f))
			return false
		}
		n = max(have+size, 0)
	case '<':
		n = min(have, size)
	case '>':
		n = max(have, size)
	case '/':
		n = have / size * size
	case '%':
		r := have % size
		n = have
		if r > 0 {
			if have > 1<<63-1-(size-r) {
				p.Warn("overflow extending size of file ", cmdkit.QuoteAF(f))
				return false
			}
			n = have + size - r
		}
	}
	if err := wsys.Ftruncate(fd, n); err != nil {
		p.Errno(err, "failed to truncate ", cmdkit.QuoteAF(f), " at ", itoa(n), " bytes")
		return false
	}
	return true
}
