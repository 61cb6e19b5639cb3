// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package interp

import (
	"strings"
)

func biGetopts(sh *Shell, args []string) int {
	rest := args[1:]
	if len(rest) > 0 && rest[0] == "--" {
		rest = rest[1:]
	}
	if len(rest) < 2 {
		sh.errorf("getopts: usage: getopts optstring name [arg ...]")
		return 2
	}
	spec, name := rest[0], rest[1]
	list := sh.params
	if len(rest) > 2 {
		list = rest[2:]
	}
	silent := strings.HasPrefix(spec, ":")
	s, _ := sh.get(sh.rt.id.optind)
	n, ok := canonicalInt(s)
	if !ok || n < 1 {
		n = 1
	}
	ind := int(n)
	setInd := func() {
		pos := sh.optPos
		sh.set(sh.rt.id.optind, itoa(int64(ind)))
		sh.optPos = pos
	}
	finish := func() int {
		sh.optPos = 0
		setInd()
		sh.unset(sh.rt.id.optarg)
		sh.setName(name, "?")
		return 1
	}
	if !validName(name) {
		return sh.builtinError("getopts", "`"+name+"': not a valid identifier")
	}
	if ind > len(list) {
		ind = len(list) + 1
		return finish()
	}
	a := list[ind-1]
	if sh.optPos == 0 {
		if len(a) < 2 || a[0] != '-' {
			return finish()
		}
		if a == "--" {
			ind++
			return finish()
		}
		sh.optPos = 1
	}
	if sh.optPos >= len(a) {
		sh.optPos = 1
		ind++
		if ind > len(list) {
			return finish()
		}
		a = list[ind-1]
	}
	c := a[sh.optPos]
	sh.optPos++
	advance := func() {
		if sh.optPos >= len(a) {
			sh.optPos = 0
			ind++
		}
	}
	complain := func(msg string) {
		e, _ := sh.get(sh.rt.id.opterr)
		if e != "0" {
			sh.write(2, []byte(sh.name0+": "+msg+" -- "+string(rune(c))+"\n"))
		}
	}
	k := strings.IndexByte(spec, c)
	if k < 0 || c == ':' {
		advance()
		setInd()
		sh.setName(name, "?")
		if silent {
			sh.set(sh.rt.id.optarg, string(rune(c)))
		} else {
			sh.unset(sh.rt.id.optarg)
			complain("illegal option")
		}
		return 0
	}
	if k+1 >= len(spec) || spec[k+1] != ':' {
		advance()
		setInd()
		sh.unset(sh.rt.id.optarg)
		return sh.setOpt(name, c)
	}
	arg := ""
	if sh.optPos < len(a) {
		arg = a[sh.optPos:]
		ind++
	} else {
		ind++
		if ind > len(list) {
			sh.optPos = 0
			setInd()
			if silent {
				sh.setName(name, ":")
				sh.set(sh.rt.id.optarg, string(rune(c)))
			} else {
				sh.setName(name, "?")
				sh.unset(sh.rt.id.optarg)
				complain("option requires an argument")
			}
			return 0
		}
		arg = list[ind-1]
		ind++
	}
	sh.optPos = 0
	setInd()
	sh.set(sh.rt.id.optarg, arg)
	return sh.setOpt(name, c)
}

func (sh *Shell) setOpt(name string, c byte) int {
	if !sh.setName(name, string(rune(c))) {
		return 1
	}
	return 0
}
