// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package fileops

import (
	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/guests/src/cmdkit"
	"github.com/wsandbox/wsandbox/guests/src/wsys"
)

var mktempSyntax = cmdkit.Syntax{
	Short: "dp:qtuV",
	Long: []cmdkit.Long{{Name: "directory", Val: 'd'}, {Name: "quiet", Val: 'q'}, {Name: "dry-run", Val: 'u'},
		{Name: "suffix", Arg: cmdkit.RequiredArg, Val: 256}, {Name: "tmpdir", Arg: cmdkit.OptionalArg, Val: 'p'}},
	Usage: []string{"[OPTION]... [TEMPLATE]"},
	Help: `Create a temporary file or directory, safely, and print its name. TEMPLATE must
have at least three X at the end of its last element; without it,
tmp.XXXXXXXXXX below TMPDIR or /tmp is used.

  -d, --directory     create a directory
  -u, --dry-run       only print a name (unsafe)
  -q, --quiet         no messages about failure
      --suffix=SUFF   append SUFF to TEMPLATE
  -p DIR, --tmpdir[=DIR]  TEMPLATE is relative to DIR, else TMPDIR, else /tmp
  -t                  TEMPLATE is one element below TMPDIR, else -p, else /tmp
`,
}

// Mktemp makes a temporary file or directory.
func Mktemp(p *cmdkit.Proc) int {
	g := p.Options(&mktempSyntax)
	dir, quiet, legacy, dry, useDir := false, false, false, false, false
	tmpdir, suffix, hasSuffix := "", "", false
	for g.Next() {
		switch g.Opt {
		case 'd':
			dir = true
		case 'p':
			useDir = true
			tmpdir = g.Arg
		case 'q':
			quiet = true
		case 't':
			legacy, useDir = true, true
		case 'u':
			dry = true
		case 256:
			suffix, hasSuffix = g.Arg, true
		}
	}
	if g.Stop {
		return g.Status
	}
	if len(g.Operands) > 1 {
		return p.UsageError(1, "too many templates")
	}
	template := "tmp.XXXXXXXXXX"
	if len(g.Operands) == 1 {
		template = g.Operands[0]
	} else {
		useDir = true
	}
	end := len(template)
	if hasSuffix {
		if end == 0 || template[end-1] != 'X' {
			return p.Warn("with --suffix, template ", cmdkit.Quote(template), " must end in X")
		}
	} else {
		for end > 0 && template[end-1] != 'X' {
			end--
		}
		suffix = template[end:]
	}
	for i := 0; i < len(suffix); i++ {
		if suffix[i] == '/' {
			return p.Warn("invalid suffix ", cmdkit.Quote(suffix), ", contains directory separator")
		}
	}
	start := end
	for start > 0 && template[start-1] == 'X' {
		start--
	}
	if end-start < 3 {
		return p.Warn("too few X's in template ", cmdkit.Quote(template))
	}
	prefix := template[:start]
	if useDir {
		env, set := p.LookupEnv("TMPDIR")
		set = set && env != ""
		base := "/tmp"
		switch {
		case legacy && set, tmpdir == "" && set:
			base = env
		case tmpdir != "":
			base = tmpdir
		}
		if legacy {
			for i := 0; i < len(template); i++ {
				if template[i] == '/' {
					return p.Warn("invalid template, ", cmdkit.Quote(template), ", contains directory separator")
				}
			}
		} else if template[0] == '/' {
			return p.Warn("invalid template, ", cmdkit.Quote(template), "; with --tmpdir, it may not be absolute")
		}
		prefix = join(base, prefix)
	}
	const letters = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"
	random := make([]byte, end-start)
	for try := 0; ; try++ {
		wsys.Random(random)
		for i := range random {
			for random[i] >= 248 { // the largest multiple of 62: no letter is more likely
				wsys.Random(random[i : i+1])
			}
			random[i] = letters[random[i]%62]
		}
		name := prefix + string(random) + suffix
		var err error
		switch {
		case dry:
			if _, err = wsys.StatAt(cwd, name, false); err == nil {
				err = abi.EEXIST
			} else if err == abi.ENOENT {
				err = nil
			}
		case dir:
			err = wsys.Mkdir(cwd, name, 0o700)
		default:
			var fd wsys.FD
			if fd, err = wsys.Open(cwd, name, abi.ORdwr|abi.OCreat|abi.OExcl|abi.OCloexec, 0o600); err == nil {
				wsys.Close(fd)
			}
		}
		if err == abi.EEXIST && try < 1000 {
			continue
		}
		if err != nil {
			if !quiet {
				kind := "file"
				if dir {
					kind = "directory"
				}
				p.Errno(err, "failed to create ", kind, " via template ", cmdkit.Quote(prefix+template[start:end]+suffix))
			}
			return 1
		}
		p.Stdout.WriteString(name + "\n")
		if p.Stdout.Flush() != nil && !dry {
			// Nobody will know the name.
			if dir {
				wsys.Rmdir(cwd, name)
			} else {
				wsys.Unlink(cwd, name)
			}
		}
		return 0
	}
}
