// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package interp

import (
	"slices"
	"strings"
)

// shopts are the switches of shopt that have an effect here.
type shopts struct {
	cdableVars, checkwinsize, dotglob, execfail, expandAliases, extdebug, extglob, extquote, failglob,
	globstar, globskipdots, inheritErrexit, lastpipe, localvarInherit, localvarUnset, nocaseglob,
	nocasematch, nullglob, patsubReplacement, promptvars, shiftVerbose, sourcepath, xpgEcho, loginShell,
	assocExpandOnce, autocd, cdspell, cmdhist, histappend, histverify, hostcomplete, huponexit,
	interactiveComments, checkhash, checkjobs, dirspell, forceFignore, globasciiranges, gnuErrfmt, lithist,
	progcomp, restrictedShell, noExpand, complete_fullquote, direxpand, histreedit, noEmpty, progcompAlias, varredirClose, mailwarn bool
}

type shoptDef struct {
	name string
	at   func(*shopts) *bool
}

var shoptDefs = [...]shoptDef{
	{"assoc_expand_once", func(s *shopts) *bool { return &s.assocExpandOnce }},
	{"autocd", func(s *shopts) *bool { return &s.autocd }},
	{"cdable_vars", func(s *shopts) *bool { return &s.cdableVars }},
	{"cdspell", func(s *shopts) *bool { return &s.cdspell }},
	{"checkhash", func(s *shopts) *bool { return &s.checkhash }},
	{"checkjobs", func(s *shopts) *bool { return &s.checkjobs }},
	{"checkwinsize", func(s *shopts) *bool { return &s.checkwinsize }},
	{"cmdhist", func(s *shopts) *bool { return &s.cmdhist }},
	{"complete_fullquote", func(s *shopts) *bool { return &s.complete_fullquote }},
	{"direxpand", func(s *shopts) *bool { return &s.direxpand }},
	{"dirspell", func(s *shopts) *bool { return &s.dirspell }},
	{"dotglob", func(s *shopts) *bool { return &s.dotglob }},
	{"execfail", func(s *shopts) *bool { return &s.execfail }},
	{"expand_aliases", func(s *shopts) *bool { return &s.expandAliases }},
	{"extdebug", func(s *shopts) *bool { return &s.extdebug }},
	{"extglob", func(s *shopts) *bool { return &s.extglob }},
	{"extquote", func(s *shopts) *bool { return &s.extquote }},
	{"failglob", func(s *shopts) *bool { return &s.failglob }},
	{"force_fignore", func(s *shopts) *bool { return &s.forceFignore }},
	{"globasciiranges", func(s *shopts) *bool { return &s.globasciiranges }},
	{"globskipdots", func(s *shopts) *bool { return &s.globskipdots }},
	{"globstar", func(s *shopts) *bool { return &s.globstar }},
	{"gnu_errfmt", func(s *shopts) *bool { return &s.gnuErrfmt }},
	{"histappend", func(s *shopts) *bool { return &s.histappend }},
	{"histreedit", func(s *shopts) *bool { return &s.histreedit }},
	{"histverify", func(s *shopts) *bool { return &s.histverify }},
	{"hostcomplete", func(s *shopts) *bool { return &s.hostcomplete }},
	{"huponexit", func(s *shopts) *bool { return &s.huponexit }},
	{"inherit_errexit", func(s *shopts) *bool { return &s.inheritErrexit }},
	{"interactive_comments", func(s *shopts) *bool { return &s.interactiveComments }},
	{"lastpipe", func(s *shopts) *bool { return &s.lastpipe }},
	{"lithist", func(s *shopts) *bool { return &s.lithist }},
	{"localvar_inherit", func(s *shopts) *bool { return &s.localvarInherit }},
	{"localvar_unset", func(s *shopts) *bool { return &s.localvarUnset }},
	{"login_shell", func(s *shopts) *bool { return &s.loginShell }},
	{"mailwarn", func(s *shopts) *bool { return &s.mailwarn }},
	{"no_empty_cmd_completion", func(s *shopts) *bool { return &s.noEmpty }},
	{"nocaseglob", func(s *shopts) *bool { return &s.nocaseglob }},
	{"nocasematch", func(s *shopts) *bool { return &s.nocasematch }},
	{"noexpand_translation", func(s *shopts) *bool { return &s.noExpand }},
	{"nullglob", func(s *shopts) *bool { return &s.nullglob }},
	{"patsub_replacement", func(s *shopts) *bool { return &s.patsubReplacement }},
	{"progcomp", func(s *shopts) *bool { return &s.progcomp }},
	{"progcomp_alias", func(s *shopts) *bool { return &s.progcompAlias }},
	{"promptvars", func(s *shopts) *bool { return &s.promptvars }},
	{"restricted_shell", func(s *shopts) *bool { return &s.restrictedShell }},
	{"shift_verbose", func(s *shopts) *bool { return &s.shiftVerbose }},
	{"sourcepath", func(s *shopts) *bool { return &s.sourcepath }},
	{"varredir_close", func(s *shopts) *bool { return &s.varredirClose }},
	{"xpg_echo", func(s *shopts) *bool { return &s.xpgEcho }},
}

func (s *shopts) defaults() {
	s.checkwinsize, s.cmdhist, s.complete_fullquote, s.extquote, s.forceFignore, s.globasciiranges, s.globskipdots,
		s.hostcomplete, s.interactiveComments, s.patsubReplacement, s.progcomp, s.promptvars, s.sourcepath =
		true, true, true, true, true, true, true, true, true, true, true, true, true
}

func (sh *Shell) expandsAliases() bool {
	return sh.shopt.expandAliases || sh.opts.interactive || sh.opts.posix
}

// optionByName returns a switch of set -o, or nil.
func (sh *Shell) optionByName(name string) (*bool, bool) {
	for i := range optionDefs {
		if d := &optionDefs[i]; d.name == name {
			if d.at == nil {
				return &sh.shopt.interactiveComments, true
			}
			return d.at(&sh.opts), true
		}
	}
	return nil, false
}

func (sh *Shell) optionNames() string {
	var l []string
	for i := range optionDefs {
		if p, _ := sh.optionByName(optionDefs[i].name); *p {
			l = append(l, optionDefs[i].name)
		}
	}
	return strings.Join(l, ":")
}

func (sh *Shell) shoptNames() string {
	var l []string
	for i := range shoptDefs {
		if *shoptDefs[i].at(&sh.shopt) {
			l = append(l, shoptDefs[i].name)
		}
	}
	return strings.Join(l, ":")
}

// setOption switches an option by its name.
func (sh *Shell) setOption(name string, on bool) bool {
	p, ok := sh.optionByName(name)
	if !ok {
		return false
	}
	*p = on
	switch name {
	case "monitor":
		sh.monitorChanged()
	case "posix":
		sh.aliasGen++
		if on {
			sh.setDefault("POSIXLY_CORRECT", "y")
		} else {
			sh.unset(sh.rt.id.posix)
		}
	case "emacs":
		if on {
			sh.opts.vi = false
		}
	case "vi":
		if on {
			sh.opts.emacs = false
		}
	}
	return true
}

// setLetter switches an option by its letter.
func (sh *Shell) setLetter(c byte, on bool) bool {
	for i := range optionDefs {
		if d := &optionDefs[i]; d.letter == c {
			*d.at(&sh.opts) = on
			if c == 'm' {
				sh.monitorChanged()
			}
			return true
		}
	}
	return false
}

func biSet(sh *Shell, args []string) int {
	if len(args) == 1 {
		sh.listVars()
		return 0
	}
	rest := args[1:]
	for len(rest) > 0 {
		a := rest[0]
		if a == "--" {
			sh.params = append([]string(nil), rest[1:]...)
			return 0
		}
		if a == "+" {
			rest = rest[1:]
			continue
		}
		if a == "-" {
			sh.opts.xtrace, sh.opts.verbose = false, false
			if len(rest) > 1 {
				sh.params = append([]string(nil), rest[1:]...)
			}
			return 0
		}
		if len(a) < 2 || a[0] != '-' && a[0] != '+' {
			break
		}
		on := a[0] == '-'
		rest = rest[1:]
		for _, c := range []byte(a[1:]) {
			if c != 'o' {
				if !sh.setLetter(c, on) {
					sh.usageError = true
					sh.errorf("set: " + a[:1] + string(rune(c)) + ": invalid option")
					sh.write(2, []byte("set: usage: "+builtins["set"].usage+"\n"))
					return 2
				}
				continue
			}
			if len(rest) == 0 {
				sh.listOptions(on)
				continue
			}
			if !sh.setOption(rest[0], on) {
				sh.usageError = true
				sh.errorf("set: " + rest[0] + ": invalid option name")
				return 2
			}
			rest = rest[1:]
		}
	}
	if len(rest) > 0 {
		sh.params = append([]string(nil), rest...)
	}
	return 0
}

func (sh *Shell) listOptions(human bool) {
	for i := range optionDefs {
		name := optionDefs[i].name
		p, _ := sh.optionByName(name)
		switch {
		case human && *p:
			sh.print(padRight(name, 15) + "\ton\n")
		case human:
			sh.print(padRight(name, 15) + "\toff\n")
		case *p:
			sh.print("set -o " + name + "\n")
		default:
			sh.print("set +o " + name + "\n")
		}
	}
}

func padRight(s string, n int) string {
	if len(s) >= n {
		return s
	}
	return s + strings.Repeat(" ", n-len(s))
}

// listVars prints all variables, and in bash functions, as set does.
func (sh *Shell) listVars() {
	var ids []sym
	for i, v := range sh.slots {
		if v != nil && (v.isSet() || v.flags&(vArray|vAssoc) != 0) {
			ids = append(ids, sym(i))
		}
	}
	slices.SortFunc(ids, func(a, b sym) int { return strings.Compare(sh.rt.names[a], sh.rt.names[b]) })
	for _, id := range ids {
		sh.printVar(id, sh.v(id))
	}
	if !sh.opts.posix {
		sh.listFuncs(false)
	}
}

func biShopt(sh *Shell, args []string) int {
	f, rest, ok := sh.flags(args, "pqsuo")
	if !ok {
		return 2
	}
	if f.on['s'] && f.on['u'] {
		return sh.builtinError("shopt", "cannot set and unset shell options simultaneously")
	}
	get := func(name string) *bool {
		if f.on['o'] {
			p, _ := sh.optionByName(name)
			return p
		}
		for i := range shoptDefs {
			if shoptDefs[i].name == name {
				return shoptDefs[i].at(&sh.shopt)
			}
		}
		return nil
	}
	show := func(name string, on bool) {
		switch {
		case f.on['q']:
		case f.on['p'] && f.on['o']:
			sh.print("set " + map[bool]string{true: "-o ", false: "+o "}[on] + name + "\n")
		case f.on['p']:
			sh.print("shopt " + map[bool]string{true: "-s ", false: "-u "}[on] + name + "\n")
		default:
			sh.print(padRight(name, 15) + "\t" + map[bool]string{true: "on", false: "off"}[on] + "\n")
		}
	}
	if len(rest) == 0 {
		names := make([]string, 0, len(shoptDefs))
		if f.on['o'] {
			for i := range optionDefs {
				names = append(names, optionDefs[i].name)
			}
		} else {
			for i := range shoptDefs {
				names = append(names, shoptDefs[i].name)
			}
		}
		for _, n := range names {
			on := *get(n)
			if f.on['s'] && !on || f.on['u'] && on {
				continue
			}
			show(n, on)
		}
		return 0
	}
	st := 0
	for _, n := range rest {
		p := get(n)
		if p == nil {
			kind := "shell option name"
			if f.on['o'] {
				kind = "option name"
			}
			sh.errorf("shopt: " + n + ": invalid " + kind)
			st = 1
			continue
		}
		switch {
		case f.on['s'] || f.on['u']:
			if f.on['o'] {
				sh.setOption(n, f.on['s'])
			} else {
				*p = f.on['s']
				if n == "expand_aliases" {
					sh.aliasGen++
				}
			}
		default:
			if !*p {
				st = 1
			}
			show(n, *p)
		}
	}
	return st
}

func biUnset(sh *Shell, args []string) int {
	f, rest, ok := sh.flags(args, "fvn")
	if !ok {
		return 2
	}
	if f.on['f'] && f.on['v'] {
		sh.usageError = true
		return sh.builtinError("unset", "cannot simultaneously unset a function and a variable")
	}
	st := 0
	for _, name := range rest {
		if f.on['f'] {
			sh.unsetFunc(name)
			continue
		}
		if !sh.unsetName(name, f.on['v'], f.on['n']) {
			st = 1
		}
	}
	return st
}

func (sh *Shell) unsetFunc(name string) bool {
	id, ok := sh.rt.syms[name]
	if !ok || sh.function(id) == nil {
		return false
	}
	if sh.readonlyFuncs[id] {
		sh.errorf("unset: " + name + ": cannot unset: readonly function")
		return true
	}
	if sh.function(id).export {
		sh.envOK = false
	}
	sh.setFunction(id, nil)
	return true
}

func (sh *Shell) unsetName(name string, onlyVar, ref bool) bool {
	if i := strings.IndexByte(name, '['); i > 0 && strings.HasSuffix(name, "]") && validName(name[:i]) {
		return sh.unsetElement(sh.rt.intern(name[:i]), sh.rt.subscriptText(name[i+1:len(name)-1]))
	}
	if !validName(name) {
		if !onlyVar && sh.unsetFunc(name) {
			return true
		}
		if onlyVar || sh.shArgv {
			sh.usageError = true
			sh.errorf("unset: `" + name + "': not a valid identifier")
			return false
		}
		return true
	}
	id, ok := sh.rt.syms[name]
	if !ok {
		return true
	}
	if sh.v(id) == nil || sh.v(id).flags&^(vHook) == 0 {
		if !onlyVar {
			sh.unsetFunc(name)
		}
		return true
	}
	if !ref {
		t := sh.deref(id)
		if t.id < 0 {
			return false
		}
		if t.sub != nil {
			return sh.unsetElement(t.id, t.sub)
		}
		id = t.id
	}
	if !sh.unset(id) {
		sh.usageError = true
		sh.errorf("unset: " + name + ": cannot unset: readonly variable")
		return false
	}
	return true
}

// funcNames returns the names of all functions, sorted.
func (sh *Shell) funcNames() []string {
	var l []string
	for _, f := range sh.funcs {
		if f != nil {
			l = append(l, f.name)
		}
	}
	slices.Sort(l)
	return l
}

func (sh *Shell) listFuncs(names bool) {
	for _, n := range sh.funcNames() {
		f := sh.function(sh.rt.syms[n])
		if names {
			sh.print("declare -f" + map[bool]string{true: "x", false: ""}[f.export] + " " + n + "\n")
		} else {
			sh.print(f.text())
		}
	}
}

// text returns the definition of a function.
func (f *function) text() string { return f.name + " () \n" + f.src + "\n" }

func (sh *Shell) declFuncs(o *declOpts, vals []declValue) int {
	if len(vals) == 0 {
		if o.cmd == "export" || o.on&vExport != 0 {
			for _, n := range sh.funcNames() {
				if f := sh.function(sh.rt.syms[n]); f.export {
					sh.print(f.text() + "declare -fx " + n + "\n")
				}
			}
			return 0
		}
		sh.listFuncs(o.names)
		return 0
	}
	st := 0
	for _, v := range vals {
		id, ok := sh.rt.syms[v.word]
		var f *function
		if ok {
			f = sh.function(id)
		}
		if f == nil {
			if o.cmd == "export" || o.cmd == "readonly" {
				sh.errorf(o.cmd + ": " + v.word + ": not a function")
			}
			st = 1
			continue
		}
		switch {
		case o.on&(vExport|vReadonly|vTrace) != 0 || o.off&(vExport|vTrace) != 0:
			n := *f
			n.export = n.export && o.off&vExport == 0 || o.on&vExport != 0
			n.trace = n.trace && o.off&vTrace == 0 || o.on&vTrace != 0
			if o.on&vReadonly != 0 {
				m := make(map[sym]bool, len(sh.readonlyFuncs)+1)
				for k := range sh.readonlyFuncs {
					m[k] = true
				}
				m[id] = true
				sh.readonlyFuncs = m
			}
			sh.envOK = false
			sh.setFunction(id, &n)
		case o.names:
			sh.print(f.name)
			if sh.shopt.extdebug {
				sh.print(" " + itoa(int64(f.line)) + " " + f.file)
			}
			sh.print("\n")
		default:
			sh.print(f.text())
		}
	}
	return st
}
