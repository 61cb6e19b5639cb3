// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package interp

import (
	"slices"
	"strings"

	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/guests/src/shell/arith"
	"github.com/wsandbox/wsandbox/guests/src/wsys"
)

func biLet(sh *Shell, args []string) int {
	rest := args[1:]
	if len(rest) > 0 && rest[0] == "--" {
		rest = rest[1:]
	}
	if len(rest) == 0 {
		return sh.builtinError("let", "expression expected")
	}
	n := int64(0)
	for _, a := range rest {
		sh.arithPrefix = "let: "
		var ok bool
		n, ok = sh.evalText(a)
		sh.arithPrefix = ""
		if !ok {
			return 1
		}
	}
	if n == 0 {
		return 1
	}
	return 0
}

func biCaller(sh *Shell, args []string) int {
	n := int64(0)
	if len(args) > 1 {
		var ok bool
		if n, ok = canonicalInt(args[1]); !ok {
			sh.errorf("caller: " + args[1] + ": invalid number")
			return 2
		}
	}
	f := sh.frame
	if f == nil {
		return 1
	}
	for i := int64(0); i < n && f != nil; i++ {
		f = f.prev
	}
	if f == nil || n < 0 {
		return 1
	}
	src := f.caller
	if src == "" || src == "environment" {
		src = "NULL"
	}
	if len(args) == 1 {
		sh.print(itoa(int64(f.callLine)) + " " + src + "\n")
		return 0
	}
	name := "main"
	if f.prev != nil {
		name = f.prev.name
	}
	sh.print(itoa(int64(f.callLine)) + " " + name + " " + src + "\n")
	return 0
}

func biHistory(sh *Shell, args []string) int {
	if len(args) > 1 && args[1] == "-c" || len(args) == 1 {
		return 0
	}
	return sh.builtinError("history", "no command history in this shell")
}

func biFc(sh *Shell, args []string) int {
	return sh.builtinError("fc", "no command history in this shell")
}

func biLogout(sh *Shell, args []string) int {
	if !sh.opts.login {
		return sh.builtinError("logout", "not login shell: use `exit'")
	}
	return biExit(sh, args)
}

func biSuspend(sh *Shell, args []string) int {
	if !sh.opts.monitor {
		return sh.builtinError("suspend", "cannot suspend: no job control")
	}
	wsys.Kill(0, abi.SIGSTOP)
	return 0
}

func biHelp(sh *Shell, args []string) int {
	f, rest, ok := sh.flags(args, "dms")
	if !ok {
		return 2
	}
	if len(rest) == 0 {
		sh.print(versionText + "\nThese shell commands are defined internally. Type `help name' for the usage of `name'.\n\n")
		for i := range builtinList {
			sh.print(" " + builtinList[i].usage + "\n")
		}
		return 0
	}
	st := 0
	for _, n := range rest {
		found := false
		for i := range builtinList {
			b := &builtinList[i]
			if b.name == n || sh.rt.pattern(n, 0).Match(b.name) {
				found = true
				if f.on['d'] {
					sh.print(b.name + " - " + b.usage + "\n")
				} else {
					sh.print(b.name + ": " + b.usage + "\n")
				}
			}
		}
		if !found && isKeyword(n) {
			found = true
			sh.print(n + ": a reserved word of the shell's grammar\n")
		}
		if !found {
			sh.errorf("help: no help topics match `" + n + "'.  Try `help help' or `man -k " + n + "' or `info " + n + "'.")
			st = 1
		}
	}
	return st
}

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

func biCompgen(sh *Shell, args []string) int {
	f, rest, ok := sh.flags(args, "abcdefgjksuvo:A:G:W:F:C:X:P:S:")
	if !ok {
		return 2
	}
	if f.on['F'] || f.on['C'] || f.on['X'] {
		return sh.builtinError("compgen", "programmable completion needs an interactive shell")
	}
	word := ""
	if len(rest) > 0 {
		word = rest[0]
	}
	var l []string
	action := f.arg['A']
	want := func(c byte, name string) bool { return f.on[c] || action == name }
	if w, ok := f.arg['W']; ok {
		l = append(l, sh.splitRead([]byte(w), nil, -1)...)
	}
	if want('a', "alias") {
		for n := range sh.aliases {
			l = append(l, n)
		}
	}
	if want('b', "builtin") || want('c', "command") {
		for i := range builtinList {
			l = append(l, builtinList[i].name)
		}
	}
	if want('k', "keyword") || want('c', "command") {
		for _, k := range strings.Fields("! [[ ]] case coproc do done elif else esac fi for function if in select then time until while { }") {
			l = append(l, k)
		}
	}
	if action == "function" || want('c', "command") {
		l = append(l, sh.funcNames()...)
	}
	if want('v', "variable") || want('e', "export") {
		for _, n := range sh.namesWith("") {
			if v := sh.v(sh.rt.syms[n]); want('v', "variable") || v.flags&vExport != 0 {
				l = append(l, n)
			}
		}
	}
	if action == "setopt" {
		for i := range optionDefs {
			l = append(l, optionDefs[i].name)
		}
	}
	if action == "shopt" {
		for i := range shoptDefs {
			l = append(l, shoptDefs[i].name)
		}
	}
	if want('f', "file") || want('d', "directory") {
		for _, n := range sh.glob(nil, escapePattern(word)+"*", "") {
			if n == "" {
				continue
			}
			if want('f', "file") {
				l = append(l, n)
			} else if st, err := sh.stat(n, true); err == nil && st.Mode.IsDir() {
				l = append(l, n)
			}
		}
	}
	if want('c', "command") {
		path, _ := sh.get(sh.rt.id.path)
		for _, d := range strings.Split(path, ":") {
			for _, p := range sh.glob(nil, escapePattern(d)+"/"+escapePattern(word)+"*", "") {
				if p != "" && sh.executable(p) == nil {
					l = append(l, baseName(p))
				}
			}
		}
	}
	if g, ok := f.arg['G']; ok {
		l = append(l, sh.glob(nil, g, "")...)
	}
	st := 1
	if action != "" || f.on['a'] || f.on['b'] || f.on['c'] || f.on['k'] || f.on['v'] || f.on['e'] {
		slices.Sort(l)
		l = slices.Compact(l)
	}
	for _, n := range l {
		if n != "" && strings.HasPrefix(n, word) {
			sh.print(f.arg['P'] + n + f.arg['S'] + "\n")
			st = 0
		}
	}
	return st
}
