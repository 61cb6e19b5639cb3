// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package interp

import (
	"strings"

	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/guests/src/shell/arith"
	"github.com/wsandbox/wsandbox/guests/src/wsys"
)

func biTimes(sh *Shell, _ []string) int {
	t := wsys.ProcTimes()
	f := func(ns int64) string { return itoa(ns/60e9) + "m" + seconds(ns%60e9, 3) + "s" }
	sh.print(f(t.Utime) + " " + f(t.Stime) + "\n" + f(t.ChildUtime) + " " + f(t.ChildStime) + "\n")
	return 0
}

func biUmask(sh *Shell, args []string) int {
	f, rest, ok := sh.flags(args, "pS")
	if !ok {
		return 2
	}
	if len(rest) == 0 {
		switch {
		case f.on['S']:
			if f.on['p'] {
				sh.print("umask -S ")
			}
			sh.print(symbolicMask(uint32(sh.umask)) + "\n")
		default:
			if f.on['p'] {
				sh.print("umask ")
			}
			sh.print(octal4(uint32(sh.umask)) + "\n")
		}
		return 0
	}
	s := rest[0]
	if s != "" && isDigit(s[0]) {
		n := uint32(0)
		for i := range len(s) {
			if s[i] < '0' || s[i] > '7' || n > 0o777 {
				return sh.builtinError("umask", s+": octal number out of range")
			}
			n = n*8 + uint32(s[i]-'0')
		}
		if n > 0o777 {
			return sh.builtinError("umask", s+": octal number out of range")
		}
		sh.umask = wsys.Mode(n)
	} else {
		n, bad := parseSymbolic(s, ^uint32(sh.umask)&0o777)
		if bad != "" {
			return sh.builtinError("umask", bad)
		}
		sh.umask = wsys.Mode(^n & 0o777)
	}
	if f.on['S'] {
		sh.print(symbolicMask(uint32(sh.umask)) + "\n")
	}
	return 0
}

func octal4(n uint32) string {
	return string([]byte{'0' + byte(n>>9&7), '0' + byte(n>>6&7), '0' + byte(n>>3&7), '0' + byte(n&7)})
}

// symbolicMask shows what a mask permits.
func symbolicMask(mask uint32) string {
	var b []byte
	for i, c := range "ugo" {
		if i > 0 {
			b = append(b, ',')
		}
		b = append(b, byte(c), '=')
		bits := ^mask >> (6 - 3*i) & 7
		for k, p := range "rwx" {
			if bits>>(2-k)&1 != 0 {
				b = append(b, byte(p))
			}
		}
	}
	return string(b)
}

// parseSymbolic applies clauses such as u=rwx,g-w to permission bits.
func parseSymbolic(s string, perm uint32) (uint32, string) {
	for _, cl := range strings.Split(s, ",") {
		who := uint32(0)
		i := 0
		for ; i < len(cl); i++ {
			k := strings.IndexByte("ogu", cl[i])
			if cl[i] == 'a' {
				who = 0o777
			} else if k < 0 {
				break
			} else {
				who |= 7 << (3 * k)
			}
		}
		if who == 0 {
			who = 0o777
		}
		if i >= len(cl) || strings.IndexByte("+-=", cl[i]) < 0 {
			bad := ""
			if i < len(cl) {
				bad = cl[i : i+1]
			}
			return 0, "`" + bad + "': invalid symbolic mode operator"
		}
		for i < len(cl) && strings.IndexByte("+-=", cl[i]) >= 0 {
			op := cl[i]
			bits := uint32(0)
			for i++; i < len(cl) && strings.IndexByte("+-=", cl[i]) < 0; i++ {
				switch cl[i] {
				case 'r':
					bits |= 0o444
				case 'w':
					bits |= 0o222
				case 'x', 'X':
					bits |= 0o111
				case 's', 't':
				case 'u':
					bits |= perm >> 6 & 7 * 0o111
				case 'g':
					bits |= perm >> 3 & 7 * 0o111
				case 'o':
					bits |= perm & 7 * 0o111
				default:
					return 0, "`" + cl[i:i+1] + "': invalid symbolic mode character"
				}
			}
			switch op {
			case '+':
				perm |= bits & who
			case '-':
				perm &^= bits & who
			default:
				perm = perm&^who | bits&who
			}
		}
	}
	return perm, ""
}

type limitDef struct {
	letter byte
	text   string
	unit   string
	res    abi.Resource
	scale  uint64
	fixed  string // a limit this kernel does not have
}

var limitDefs = [...]limitDef{
	{'c', "core file size", "blocks", abi.RlimitCore, 1024, ""},
	{'d', "data seg size", "kbytes", abi.RlimitData, 1024, ""},
	{'f', "file size", "blocks", abi.RlimitFsize, 1024, ""},
	{'n', "open files", "", abi.RlimitNofile, 1, ""},
	{'p', "pipe size", "512 bytes", -1, 1, "8"},
	{'s', "stack size", "kbytes", abi.RlimitStack, 1024, ""},
	{'t', "cpu time", "seconds", abi.RlimitCPU, 1, ""},
	{'u', "max user processes", "", abi.RlimitNproc, 1, ""},
	{'v', "virtual memory", "kbytes", abi.RlimitAS, 1024, ""},
}

func biUlimit(sh *Shell, args []string) int {
	hard, soft, all := false, false, false
	which := []byte{}
	val := ""
	for i := 1; i < len(args); i++ {
		a := args[i]
		if a == "--" {
			continue
		}
		if len(a) > 1 && a[0] == '-' {
			for _, c := range []byte(a[1:]) {
				switch c {
				case 'H':
					hard = true
				case 'S':
					soft = true
				case 'a':
					all = true
				default:
					which = append(which, c)
				}
			}
			continue
		}
		val = a
	}
	get := func(d *limitDef) string {
		if d.res < 0 {
			return d.fixed
		}
		s, h, err := wsys.Getrlimit(d.res)
		if err != nil {
			return "unlimited"
		}
		if hard && !soft {
			s = h
		}
		if s == abi.RlimInfinity {
			return "unlimited"
		}
		return itoa(int64(s / d.scale))
	}
	if all {
		for i := range limitDefs {
			d := &limitDefs[i]
			u := "(" + d.unit + ", -" + string(rune(d.letter)) + ")"
			if d.unit == "" {
				u = "(-" + string(rune(d.letter)) + ")"
			}
			sh.print(d.text + strings.Repeat(" ", max(1, 40-len(d.text)-len(u))) + u + " " + get(d) + "\n")
		}
		return 0
	}
	if len(which) == 0 {
		which = []byte{'f'}
	}
	for _, c := range which {
		var d *limitDef
		for i := range limitDefs {
			if limitDefs[i].letter == c {
				d = &limitDefs[i]
			}
		}
		if d == nil {
			if strings.IndexByte("bekilmqrxPRT", c) >= 0 && val == "" {
				sh.print("unlimited\n")
				continue
			}
			return sh.usageErr("ulimit", "-"+string(rune(c))+": invalid option")
		}
		if val == "" {
			if len(which) > 1 {
				sh.print(padRight(d.text, 24))
			}
			sh.print(get(d) + "\n")
			continue
		}
		if d.res < 0 {
			return sh.builtinError("ulimit", d.text+": cannot modify limit: Invalid argument")
		}
		s, h, _ := wsys.Getrlimit(d.res)
		n := abi.RlimInfinity
		switch val {
		case "unlimited":
		case "hard":
			n = h
		case "soft":
			n = s
		default:
			x, msg := arith.Number(val)
			if !allDigits(val) || msg != "" || x < 0 {
				return sh.builtinError("ulimit", val+": invalid number")
			}
			n = uint64(x) * d.scale
		}
		if !soft && !hard {
			soft, hard = true, true
		}
		if soft {
			s = n
		}
		if hard {
			h = n
		}
		if s > h {
			s = h
			if soft && !hard {
				return sh.builtinError("ulimit", d.text+": cannot modify limit: Invalid argument")
			}
		}
		if err := wsys.Setrlimit(d.res, s, h); err != nil {
			return sh.builtinError("ulimit", d.text+": cannot modify limit: "+errText(err))
		}
	}
	return 0
}
