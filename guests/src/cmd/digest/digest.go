// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

// Package digest has the commands that print and check digests: md5sum, sha1sum,
// sha256sum, sha512sum, cksum and sum. All hashing but that of the last two runs
// in the host.
package digest

import (
	"strconv"

	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/guests/src/cmdkit"
	"github.com/wsandbox/wsandbox/guests/src/wsys"
)

// algorithm is one of the commands.
type algorithm struct {
	name string
	kind uint32
	size int // bytes of a digest
}

// MD5 is md5sum(1).
func MD5(p *cmdkit.Proc) int { return run(p, &algorithm{"MD5", abi.HashMD5, 16}) }

// SHA1 is sha1sum(1).
func SHA1(p *cmdkit.Proc) int { return run(p, &algorithm{"SHA1", abi.HashSHA1, 20}) }

// SHA256 is sha256sum(1).
func SHA256(p *cmdkit.Proc) int { return run(p, &algorithm{"SHA256", abi.HashSHA256, 32}) }

// SHA512 is sha512sum(1).
func SHA512(p *cmdkit.Proc) int { return run(p, &algorithm{"SHA512", abi.HashSHA512, 64}) }

const (
	optTag = 256 + iota
	optIgnoreMissing
	optQuiet
	optStatus
	optStrict
)

var syntax = cmdkit.Syntax{
	Short: "bctwz",
	Long: []cmdkit.Long{
		{Name: "binary", Val: 'b'}, {Name: "check", Val: 'c'}, {Name: "tag", Val: optTag}, {Name: "text", Val: 't'}, {Name: "zero", Val: 'z'},
		{Name: "ignore-missing", Val: optIgnoreMissing}, {Name: "quiet", Val: optQuiet}, {Name: "status", Val: optStatus}, {Name: "strict", Val: optStrict}, {Name: "warn", Val: 'w'},
	},
	Usage: []string{"[OPTION]... [FILE]..."},
	Help: "Print or check checksums. With no FILE, or when FILE is -, read standard input.\n\n" +
		"  -b, --binary          read in binary mode\n  -c, --check           read checksums from the FILEs and check them\n      --tag             create a BSD-style checksum\n  -t, --text            read in text mode (default)\n" +
		"  -z, --zero            end each output line with NUL, and disable file name escaping\n\nWhen verifying:\n      --ignore-missing  don't fail or report status for missing files\n      --quiet           don't print OK for each verified file\n" +
		"      --status          don't output anything, status code shows success\n      --strict          exit non-zero for improperly formatted lines\n  -w, --warn            warn about improperly formatted lines\n",
}

type options struct {
	check, tag, binary, zero                    bool
	ignoreMissing, quiet, status, strict, warns bool
}

// set takes an option that all commands of the family have.
func (o *options) set(opt rune) {
	switch opt {
	case 'c':
		o.check = true
	case 'w':
		o.warns, o.quiet, o.status = true, false, false
	case 'z':
		o.zero = true
	case optTag:
		o.tag = true
	case optIgnoreMissing:
		o.ignoreMissing = true
	case optQuiet:
		o.quiet, o.status, o.warns = true, false, false
	case optStatus:
		o.status, o.quiet, o.warns = true, false, false
	case optStrict:
		o.strict = true
	}
}

func run(p *cmdkit.Proc, a *algorithm) int {
	var o options
	text := false
	g := p.Options(&syntax)
	for g.Next() {
		switch g.Opt {
		case 'b':
			o.binary, text = true, false
		case 't':
			o.binary, text = false, true
		default:
			o.set(g.Opt)
		}
	}
	if g.Stop {
		return g.Status
	}
	return o.run(p, a, g.Operands, text)
}

// run prints or checks the digests of files. text says that -t was given.
func (o *options) run(p *cmdkit.Proc, a *algorithm, files []string, text bool) int {
	switch {
	case o.tag && text:
		return p.UsageError(1, "--tag does not support --text mode")
	case o.tag && o.check:
		return p.UsageError(1, "the --tag option is meaningless when verifying checksums")
	case o.zero && o.check:
		return p.UsageError(1, "the --zero option is not supported when verifying checksums")
	case !o.check && o.ignoreMissing:
		return p.UsageError(1, "the --ignore-missing option is meaningful only when verifying checksums")
	case !o.check && o.quiet:
		return p.UsageError(1, "the --quiet option is meaningful only when verifying checksums")
	case !o.check && o.status:
		return p.UsageError(1, "the --status option is meaningful only when verifying checksums")
	case !o.check && o.strict:
		return p.UsageError(1, "the --strict option is meaningful only when verifying checksums")
	case !o.check && o.warns:
		return p.UsageError(1, "the --warn option is meaningful only when verifying checksums")
	}
	if len(files) == 0 {
		files = []string{"-"}
	}
	status := 0
	for _, name := range files {
		if o.check {
			if !checkFile(p, a, o, name) {
				status = 1
			}
			continue
		}
		sum, err := hashFile(p, a, name)
		if err != nil {
			status = p.Errno(err, cmdkit.QuoteF(name))
			continue
		}
		printSum(p, a, o, name, sum)
	}
	return status
}

var buf [64 << 10]byte

// hashFile returns the digest of a file in hex.
func hashFile(p *cmdkit.Proc, a *algorithm, name string) (string, error) {
	fd, err := p.Open(name)
	if err != nil {
		return "", err
	}
	defer p.CloseInput(fd)
	var state [abi.HashStateSize]byte
	for {
		n, err := wsys.Read(fd, buf[:])
		if err == abi.EINTR {
			continue
		}
		if err != nil {
			return "", err
		}
		if n == 0 {
			break
		}
		wsys.Hash(a.kind, &state, buf[:n], false)
	}
	wsys.Hash(a.kind, &state, nil, true)
	const digits = "0123456789abcdef"
	hex := make([]byte, 0, 2*a.size)
	for _, c := range state[:a.size] {
		hex = append(hex, digits[c>>4], digits[c&15])
	}
	return string(hex), nil
}

// escape replaces what would break a line, and reports whether it did.
func escape(name string) (string, bool) {
	var b []byte
	for i := range len(name) {
		r := ""
		switch name[i] {
		case '\n':
			r = "\\n"
		case '\r':
			r = "\\r"
		case '\\':
			r = `\\`
		default:
			if b != nil {
				b = append(b, name[i])
			}
			continue
		}
		if b == nil {
			b = append(make([]byte, 0, len(name)+8), name[:i]...)
		}
		b = append(b, r...)
	}
	if b == nil {
		return name, false
	}
	return string(b), true
}

func unescape(s string) (string, bool) {
	b := make([]byte, 0, len(s))
	for i := 0; i < len(s); i++ {
		if s[i] != '\\' {
			b = append(b, s[i])
			continue
		}
		if i++; i == len(s) {
			return "", false
		}
		switch s[i] {
		case 'n':
			b = append(b, '\n')
		case 'r':
			b = append(b, '\r')
		case '\\':
			b = append(b, '\\')
		default:
			return "", false
		}
	}
	return string(b), true
}

func printSum(p *cmdkit.Proc, a *algorithm, o *options, name, sum string) {
	w := p.Stdout
	if !o.zero {
		escaped, did := escape(name)
		if did {
			w.WriteByte('\\')
		}
		name = escaped
	}
	if o.tag {
		w.WriteString(a.name + " (" + name + ") = " + sum)
	} else {
		w.WriteString(sum)
		if o.binary {
			w.WriteString(" *")
		} else {
			w.WriteString("  ")
		}
		w.WriteString(name)
	}
	if o.zero {
		w.WriteByte(0)
	} else {
		w.WriteByte('\n')
	}
}

// parseLine splits a line of a checksum file.
func parseLine(a *algorithm, line string) (sum, name string, ok bool) {
	escaped := false
	if line != "" && line[0] == '\\' {
		escaped, line = true, line[1:]
	}
	if n := len(a.name); len(line) > n+2 && line[:n] == a.name && (line[n:n+2] == " (" || line[n] == '(') { // BSD
		rest := line[n+1:]
		if line[n] == ' ' {
			rest = line[n+2:]
		}
		i := len(rest) - 1
		for i >= 0 && rest[i] != ')' {
			i--
		}
		if i < 0 {
			return "", "", false
		}
		name, rest = rest[:i], rest[i+1:]
		for rest != "" && (rest[0] == ' ' || rest[0] == '\t') {
			rest = rest[1:]
		}
		if rest == "" || rest[0] != '=' {
			return "", "", false
		}
		for rest = rest[1:]; rest != "" && (rest[0] == ' ' || rest[0] == '\t'); {
			rest = rest[1:]
		}
		sum = rest
	} else {
		for line != "" && (line[0] == ' ' || line[0] == '\t') {
			line = line[1:]
		}
		if len(line) < 2*a.size+2 || line[2*a.size] != ' ' {
			return "", "", false
		}
		sum, name = line[:2*a.size], line[2*a.size+1:]
		if len(name) > 1 && (name[0] == ' ' || name[0] == '*') {
			name = name[1:]
		}
	}
	if len(sum) != 2*a.size || name == "" {
		return "", "", false
	}
	low := []byte(sum)
	for i, c := range low {
		switch {
		case c >= '0' && c <= '9', c >= 'a' && c <= 'f':
		case c >= 'A' && c <= 'F':
			low[i] = c + 32
		default:
			return "", "", false
		}
	}
	if escaped {
		if name, ok = unescape(name); !ok {
			return "", "", false
		}
	}
	return string(low), name, true
}

func checkFile(p *cmdkit.Proc, a *algorithm, o *options, list string) bool {
	fd, err := p.Open(list)
	if err != nil {
		p.Errno(err, cmdkit.QuoteF(list))
		return false
	}
	defer p.CloseInput(fd)
	r := p.InputReader(fd)
	shown := list
	if list == "-" {
		shown = "standard input"
	}
	lines, malformed, proper, mismatched, unreadable, matched := 0, 0, 0, 0, 0, 0
	for {
		l, ok := r.Line('\n')
		if !ok {
			break
		}
		lines++
		if l[len(l)-1] == '\n' {
			l = l[:len(l)-1]
		}
		if len(l) > 0 && l[len(l)-1] == '\r' {
			l = l[:len(l)-1]
		}
		if len(l) == 0 || l[0] == '#' {
			continue
		}
		want, name, ok := parseLine(a, string(l))
		if !ok || name == "-" && list == "-" {
			malformed++
			if o.warns {
				p.Warn(cmdkit.QuoteF(shown), ": ", strconv.Itoa(lines), ": improperly formatted ", a.name, " checksum line")
			}
			continue
		}
		proper++
		label, did := escape(name)
		if did {
			label = "\\" + label
		}
		got, err := hashFile(p, a, name)
		switch {
		case err == abi.ENOENT && o.ignoreMissing:
		case err != nil:
			unreadable++
			p.Errno(err, cmdkit.QuoteF(name))
			if !o.status {
				p.Stdout.WriteString(label + ": FAILED open or read\n")
			}
		case got != want:
			mismatched++
			if !o.status {
				p.Stdout.WriteString(label + ": FAILED\n")
			}
		default:
			matched++
			if !o.status && !o.quiet {
				p.Stdout.WriteString(label + ": OK\n")
			}
		}
	}
	if r.Err != nil {
		p.Errno(r.Err, cmdkit.QuoteF(shown), ": read error")
		return false
	}
	p.Stdout.Flush()
	if proper == 0 {
		p.Warn(cmdkit.QuoteF(shown), ": no properly formatted checksum lines found")
		return false
	}
	count := func(n int, one, many string) {
		if n == 0 || o.status {
			return
		}
		s := "WARNING: " + strconv.Itoa(n) + " "
		if n == 1 {
			p.Warn(s, one)
		} else {
			p.Warn(s, many)
		}
	}
	count(malformed, "line is improperly formatted", "lines are improperly formatted")
	count(unreadable, "listed file could not be read", "listed files could not be read")
	count(mismatched, "computed checksum did NOT match", "computed checksums did NOT match")
	if o.ignoreMissing && matched == 0 && mismatched == 0 && unreadable == 0 {
		p.Warn(cmdkit.QuoteF(shown), ": no file was verified")
		return false
	}
	return mismatched == 0 && unreadable == 0 && (!o.strict || malformed == 0)
}
