// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package interp

import (
	"slices"
	"strings"

	"github.com/wsandbox/wsandbox/engine/abi"
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
	switch {
	case f.prev != nil:
		name = f.prev.name
	case sh.opts.cmdstring:
		return 1 // the commands of -c are no function
	}
	sh.print(itoa(int64(f.callLine)) + " " + name + " " + src + "\n")
	return 0
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
	f, _, ok := sh.flags(args, "f")
	switch {
	case !ok:
		return 2
	case !f.on['f'] && (sh.opts.login || sh.rt.info.Sid == sh.rt.pid):
		// Nobody could continue the leader of a session.
		return sh.builtinError("suspend", "cannot suspend a login shell")
	}
	rt := sh.rt
	if rt.oldPgrp != 0 {
		rt.setpgrp(rt.oldPgrp)
	}
	wsys.Kill(0, abi.SIGSTOP)
	if rt.tty >= 0 && sh.opts.interactive {
		rt.setpgrp(rt.pgrp)
	}
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
