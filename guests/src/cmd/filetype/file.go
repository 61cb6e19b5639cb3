// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package filetype

import (
	"strconv"

	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/guests/src/cmdkit"
	"github.com/wsandbox/wsandbox/guests/src/wsys"
)

const (
	optMimeType = 256 + iota
	optMimeEncoding
)

var syntax = cmdkit.Syntax{
	Short: "bihLNrksF:f:vE0",
	Long: []cmdkit.Long{
		{Name: "brief", Val: 'b'}, {Name: "mime", Val: 'i'}, {Name: "mime-type", Val: optMimeType}, {Name: "mime-encoding", Val: optMimeEncoding},
		{Name: "no-dereference", Val: 'h'}, {Name: "dereference", Val: 'L'}, {Name: "no-pad", Val: 'N'}, {Name: "raw", Val: 'r'}, {Name: "keep-going", Val: 'k'},
		{Name: "special-files", Val: 's'}, {Name: "separator", Arg: cmdkit.RequiredArg, Val: 'F'}, {Name: "files-from", Arg: cmdkit.RequiredArg, Val: 'f'}, {Name: "print0", Val: '0'},
	},
	Usage: []string{"[OPTION]... FILE..."},
	Help: `Tell what is in files.

  -b, --brief            do not prepend filenames to output lines
  -E                     a file that cannot be looked at is an error
  -f, --files-from FILE  read the filenames to be examined from FILE
  -F, --separator STRING use string as separator instead of ':'
  -h, --no-dereference   don't follow symlinks (default)
  -i, --mime             output MIME type strings
      --mime-type        output the MIME type
      --mime-encoding    output the MIME encoding
  -L, --dereference      follow symlinks
  -N, --no-pad           do not pad output
  -0, --print0           terminate filenames with ASCII NUL
  -s                     look at special files too
  -k, -r                 accepted

`,
}

// file is a run of file(1).
type file struct {
	p                     *cmdkit.Proc
	brief, follow, noPad  bool
	special, strict, zero bool
	mime, charset         bool
	sep                   string
	status                int
}

// File is file(1).
func File(p *cmdkit.Proc) int {
	f := &file{p: p, sep: ":"}
	var names []string
	g := p.Options(&syntax)
	for g.Next() {
		switch g.Opt {
		case 'b':
			f.brief = true
		case 'i':
			f.mime, f.charset = true, true
		case optMimeType:
			f.mime = true
		case optMimeEncoding:
			f.charset = true
		case 'h':
			f.follow = false
		case 'L':
			f.follow = true
		case 'N':
			f.noPad = true
		case 's':
			f.special = true
		case 'E':
			f.strict = true
		case 'F':
			f.sep = g.Arg
		case '0':
			f.zero = true
		case 'f':
			b, err := wsys.ReadFile(g.Arg)
			if err != nil {
				return p.Warn("Cannot open `", g.Arg, "' (", cmdkit.Strerror(err), ")")
			}
			for len(b) > 0 {
				i := 0
				for i < len(b) && b[i] != '\n' {
					i++
				}
				if i > 0 {
					names = append(names, string(b[:i]))
				}
				b = b[min(i+1, len(b)):]
			}
		case 'v':
			p.PrintVersion()
			return 0
		}
	}
	if g.Stop {
		return g.Status
	}
	names = append(names, g.Operands...)
	if len(names) == 0 {
		p.Stderr.WriteString("Usage: file [-bhiLNs0] [--mime-type] [--mime-encoding] [-F separator] [-f namefile] file ...\n")
		return 1
	}
	width := 0
	for _, n := range names {
		width = max(width, cmdkit.Width(shown(n)))
	}
	for _, n := range names {
		k := f.look(n)
		if !f.brief {
			p.Stdout.WriteString(shown(n))
			if f.zero {
				p.Stdout.WriteByte(0)
			}
			p.Stdout.WriteString(f.sep)
			p.Stdout.WriteByte(' ')
			if !f.noPad {
				p.Stdout.Pad(width - cmdkit.Width(shown(n)))
			}
		}
		p.Stdout.WriteString(f.say(&k) + "\n")
	}
	return f.status
}

func shown(name string) string {
	if name == "-" {
		return "/dev/stdin"
	}
	return name
}

func (f *file) say(k *kind) string {
	switch {
	case k.mime == "" || !f.mime && !f.charset:
		return k.text
	case !f.charset:
		return k.mime
	case !f.mime:
		return k.charset
	}
	return k.mime + "; charset=" + k.charset
}

// sample is how much of a file is looked at.
const sample = 1 << 20

// look tells what is in a file.
func (f *file) look(name string) kind {
	cannot := func(err error) kind {
		if f.strict {
			f.status = 1
			return kind{text: "ERROR: cannot stat `" + name + "' (" + cmdkit.Strerror(err) + ")"}
		}
		return kind{text: "cannot open `" + name + "' (" + cmdkit.Strerror(err) + ")"}
	}
	var st wsys.Stat
	var err error
	if name == "-" {
		st, err = wsys.Fstat(f.p.Stdin.FD)
	} else {
		st, err = wsys.StatAt(wsys.AtCwd, name, f.follow)
	}
	if err != nil {
		return cannot(err)
	}
	device := func(text, mime string) kind {
		n := strconv.FormatUint(st.Rdev>>8&0xfff, 10) + "/" + strconv.FormatUint(st.Rdev&0xff|st.Rdev>>12&0xfff00, 10)
		return kind{text + " (" + n + ")", mime, "binary"}
	}
	switch st.Mode & abi.ModeFmt {
	case abi.ModeDir:
		text := "directory"
		if st.Mode&0o1000 != 0 {
			text = "sticky, directory"
		}
		return kind{text, "inode/directory", "binary"}
	case abi.ModeSymlink:
		to, err := wsys.Readlink(wsys.AtCwd, name)
		if err != nil {
			return cannot(err)
		}
		if _, err := wsys.StatAt(wsys.AtCwd, name, true); err != nil {
			return kind{"broken symbolic link to " + to, "inode/symlink", "binary"}
		}
		return kind{"symbolic link to " + to, "inode/symlink", "binary"}
	case abi.ModeFIFO:
		if name != "-" && !f.special {
			return kind{"fifo (named pipe)", "inode/fifo", "binary"}
		}
	case abi.ModeSocket:
		return kind{"socket", "inode/socket", "binary"}
	case abi.ModeChar:
		if name != "-" && !f.special {
			return device("character special", "inode/chardevice")
		}
	case abi.ModeBlock:
		if !f.special {
			return device("block special", "inode/blockdevice")
		}
	}
	fd, err := f.p.Open(name)
	if err != nil {
		if err == abi.EACCES {
			return kind{"regular file, no read permission", "inode/regular", "binary"}
		}
		return cannot(err)
	}
	defer f.p.CloseInput(fd)
	b := make([]byte, 0, 64<<10)
	for len(b) < sample {
		if len(b) == cap(b) {
			b = append(make([]byte, 0, min(2*cap(b), sample)), b...)
		}
		n, err := wsys.Read(fd, b[len(b):cap(b)])
		b = b[:len(b)+n]
		if err == abi.EINTR {
			continue
		}
		if err != nil {
			return cannot(err)
		}
		if n == 0 {
			break
		}
	}
	k := tell(b, len(b) < sample)
	if k.mime == "application/gzip" && st.Mode.IsRegular() && st.Size > 18 {
		var t [4]byte
		if _, err := wsys.Seek(fd, -4, abi.SeekEnd); err == nil {
			if n, err := wsys.Read(fd, t[:]); n == 4 && err == nil {
				v := uint32(t[0]) | uint32(t[1])<<8 | uint32(t[2])<<16 | uint32(t[3])<<24
				k.text += ", original size modulo 2^32 " + strconv.FormatUint(uint64(v), 10)
			}
		}
	}
	return k
}

// tell tells what b is the beginning of, or with whole all of.
func tell(b []byte, whole bool) kind {
	if len(b) == 0 {
		return kind{"empty", "inode/x-empty", "binary"}
	}
	if k, ok := magic(b); ok {
		return k
	}
	if k, ok := text(b, whole); ok {
		return k
	}
	return kind{"data", "application/octet-stream", "binary"}
}
