// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package interp

import (
	"slices"
	"strings"
)

func (sh *Shell) enabled(name string) *builtin {
	b := builtins[name]
	if b == nil || sh.disabled[name] {
		return nil
	}
	return b
}

func (sh *Shell) functionNamed(name string) *function {
	if id, ok := sh.rt.syms[name]; ok {
		return sh.function(id)
	}
	return nil
}

func biBuiltin(sh *Shell, args []string) int {
	args = args[1:]
	if len(args) > 0 && args[0] == "--" {
		args = args[1:]
	}
	if len(args) == 0 {
		return 0
	}
	b := sh.enabled(args[0])
	if b == nil {
		return sh.builtinError("builtin", args[0]+": not a shell builtin")
	}
	return b.run(sh, args)
}

// biCommand runs a command that is no function, or describes it.
func biCommand(sh *Shell, args []string) int {
	f, rest, ok := sh.flags(args, "pvV")
	if !ok {
		return 2
	}
	if len(rest) == 0 {
		return 0
	}
	if f.on['v'] || f.on['V'] {
		st := 0
		for _, n := range rest {
			if !sh.describe(n, f.on['V'], f.on['p']) {
				if f.on['V'] {
					sh.errorf("command: " + n + ": not found")
				}
				st = 1
				if !f.on['V'] {
					continue
				}
			}
		}
		return st
	}
	if b := sh.enabled(rest[0]); b != nil {
		st := b.run(sh, rest)
		// command takes away what is special about special builtins.
		sh.usageError = false
		return st
	}
	if f.on['p'] {
		if strings.IndexByte(rest[0], '/') < 0 {
			p, err := sh.searchPath(rest[0], defaultPath)
			if err != nil {
				return sh.startFailed(rest, p, err)
			}
			pr, err := sh.spawn(p, rest, place{foreground: true})
			if err != nil {
				return sh.startFailed(rest, p, err)
			}
			return sh.foreground(pr, rest)
		}
	}
	return sh.external(rest, nil, false)
}

// describe prints what a name is, as command -v and -V do.
func (sh *Shell) describe(n string, long, dflt bool) bool {
	if v, ok := sh.aliases[n]; ok && sh.expandsAliases() {
		if long {
			sh.print(n + " is aliased to `" + v + "'\n")
		} else {
			sh.print("alias " + n + "=" + inSingle(v) + "\n")
		}
		return true
	}
	if isKeyword(n) {
		if long {
			n += " is a shell keyword"
		}
		sh.print(n + "\n")
		return true
	}
	b := sh.enabled(n)
	if b != nil && b.special && sh.opts.posix {
		if long {
			n += " is a special shell builtin"
		}
		sh.print(n + "\n")
		return true
	}
	if f := sh.functionNamed(n); f != nil {
		if long {
			sh.print(n + " is a function\n" + f.text())
		} else {
			sh.print(n + "\n")
		}
		return true
	}
	if b != nil {
		if long {
			n += " is a shell builtin"
		}
		sh.print(n + "\n")
		return true
	}
	if strings.IndexByte(n, '/') >= 0 {
		if sh.executable(n) != nil {
			return false
		}
		if long {
			sh.print(n + " is " + n + "\n")
		} else {
			sh.print(n + "\n")
		}
		return true
	}
	path, ok := sh.get(sh.rt.id.path)
	if !ok || dflt {
		path = defaultPath
	}
	p, err := sh.searchPath(n, path)
	if err != nil {
		return false
	}
	if long {
		if h, ok := sh.hashed[n]; ok && h.path == p {
			sh.print(n + " is hashed (" + p + ")\n")
			return true
		}
		sh.print(n + " is " + p + "\n")
	} else {
		sh.print(p + "\n")
	}
	return true
}

func biType(sh *Shell, args []string) int {
	f, rest, ok := sh.flags(args, "afptP")
	if !ok {
		return 2
	}
	st := 0
	for _, n := range rest {
		if !sh.typeOf(n, &f) {
			if !f.on['t'] && !f.on['p'] && !f.on['P'] {
				sh.errorf("type: " + n + ": not found")
			}
			st = 1
		}
	}
	return st
}

func (sh *Shell) typeOf(n string, f *flagSet) bool {
	found := false
	all := f.on['a']
	say := func(kind, long string) bool {
		found = true
		switch {
		case f.on['p'] || f.on['P']:
			return !all
		case f.on['t']:
			sh.print(kind + "\n")
		default:
			sh.print(long + "\n")
		}
		return !all
	}
	if !f.on['P'] {
		if v, ok := sh.aliases[n]; ok && sh.expandsAliases() && say("alias", n+" is aliased to `"+v+"'") {
			return true
		}
		if isKeyword(n) && say("keyword", n+" is a shell keyword") {
			return true
		}
		if fn := sh.functionNamed(n); fn != nil && !f.on['f'] && say("function", n+" is a function\n"+strings.TrimSuffix(fn.text(), "\n")) {
			return true
		}
		if b := sh.enabled(n); b != nil {
			kind := " is a shell builtin"
			if b.special && sh.opts.posix {
				kind = " is a special shell builtin"
			}
			if say("builtin", n+kind) {
				return true
			}
		}
	}
	files := sh.filesNamed(n)
	if h, ok := sh.hashed[n]; ok && !all && !f.on['t'] && len(files) > 0 {
		if f.on['p'] || f.on['P'] {
			sh.print(h.path + "\n")
		} else {
			sh.print(n + " is hashed (" + h.path + ")\n")
		}
		return true
	}
	for _, p := range files {
		found = true
		switch {
		case f.on['t']:
			sh.print("file\n")
		case f.on['p'] || f.on['P']:
			sh.print(p + "\n")
		default:
			sh.print(n + " is " + p + "\n")
		}
		if !all {
			break
		}
	}
	return found
}

// filesNamed returns the programs of a name in PATH, in order.
func (sh *Shell) filesNamed(n string) []string {
	if strings.IndexByte(n, '/') >= 0 {
		if sh.executable(n) == nil {
			return []string{n}
		}
		return nil
	}
	path, ok := sh.get(sh.rt.id.path)
	if !ok {
		path = defaultPath
	}
	var l []string
	for _, d := range strings.Split(path, ":") {
		if p, err := sh.searchPath(n, d); err == nil {
			l = append(l, p)
		}
	}
	return l
}

func biHash(sh *Shell, args []string) int {
	f, rest, ok := sh.flags(args, "lrdtp:")
	if !ok {
		return 2
	}
	if f.on['r'] {
		sh.hashed = nil
	}
	if len(rest) == 0 {
		if f.on['r'] {
			return 0
		}
		names := make([]string, 0, len(sh.hashed))
		for n := range sh.hashed {
			names = append(names, n)
		}
		slices.Sort(names)
		if len(names) == 0 {
			if !sh.opts.posix {
				sh.print("hash: hash table empty\n")
			}
			return 0
		}
		if !f.on['l'] {
			sh.print("hits\tcommand\n")
		}
		for _, n := range names {
			h := sh.hashed[n]
			if f.on['l'] {
				sh.print("builtin hash -p " + h.path + " " + n + "\n")
			} else {
				c := itoa(int64(h.hits))
				sh.print(strings.Repeat(" ", max(0, 4-len(c))) + c + "\t" + h.path + "\n")
			}
		}
		return 0
	}
	st := 0
	for _, n := range rest {
		h, known := sh.hashed[n]
		switch {
		case f.on['d']:
			if !known {
				sh.errorf("hash: " + n + ": not found")
				st = 1
				continue
			}
			delete(sh.hashed, n)
		case f.on['t']:
			if !known {
				sh.errorf("hash: " + n + ": not found")
				st = 1
				continue
			}
			if len(rest) > 1 {
				sh.print(n + "\t")
			}
			sh.print(h.path + "\n")
		default:
			if strings.IndexByte(n, '/') >= 0 {
				continue
			}
			p := f.arg['p']
			if p == "" {
				if sh.enabled(n) != nil || sh.functionNamed(n) != nil {
					continue
				}
				path, _ := sh.get(sh.rt.id.path)
				var err error
				if p, err = sh.searchPath(n, path); err != nil {
					sh.errorf("hash: " + n + ": not found")
					st = 1
					continue
				}
			}
			if sh.hashed == nil {
				sh.hashed = map[string]hashEntry{}
			}
			sh.hashed[n] = hashEntry{p, 0}
		}
	}
	return st
}

func biAlias(sh *Shell, args []string) int {
	rest := args[1:]
	for len(rest) > 0 && (rest[0] == "-p" || rest[0] == "--") {
		rest = rest[1:]
	}
	show := func(n string) {
		if !sh.shArgv {
			sh.print("alias ")
		}
		sh.print(n + "=" + inSingle(sh.aliases[n]) + "\n")
	}
	if len(rest) == 0 {
		names := make([]string, 0, len(sh.aliases))
		for n := range sh.aliases {
			names = append(names, n)
		}
		slices.Sort(names)
		for _, n := range names {
			show(n)
		}
		return 0
	}
	st := 0
	for _, a := range rest {
		i := strings.IndexByte(a, '=')
		if i <= 0 {
			if _, ok := sh.aliases[a]; !ok {
				sh.errorf("alias: " + a + ": not found")
				st = 1
				continue
			}
			show(a)
			continue
		}
		if strings.ContainsAny(a[:i], "$`'\"\\ \t\n/|&;()<>") {
			sh.errorf("alias: `" + a[:i] + "': invalid alias name")
			st = 1
			continue
		}
		if sh.aliases == nil {
			sh.aliases = map[string]string{}
		}
		sh.aliases[a[:i]] = a[i+1:]
		sh.aliasGen++
	}
	return st
}

func biUnalias(sh *Shell, args []string) int {
	f, rest, ok := sh.flags(args, "a")
	if !ok {
		return 2
	}
	sh.aliasGen++
	if f.on['a'] {
		sh.aliases = nil
		return 0
	}
	if len(rest) == 0 {
		return sh.usageErr("unalias", "usage: unalias [-a] name [name ...]")
	}
	st := 0
	for _, n := range rest {
		if _, ok := sh.aliases[n]; !ok {
			sh.errorf("unalias: " + n + ": not found")
			st = 1
			continue
		}
		delete(sh.aliases, n)
	}
	return st
}

func biEnable(sh *Shell, args []string) int {
	f, rest, ok := sh.flags(args, "adnpsf:")
	if !ok {
		return 2
	}
	if f.on['f'] || f.on['d'] {
		return sh.builtinError("enable", "dynamic loading not available")
	}
	if len(rest) == 0 {
		names := make([]string, 0, len(builtinList))
		for i := range builtinList {
			b := &builtinList[i]
			off := sh.disabled[b.name]
			if f.on['s'] && !b.special || !f.on['a'] && off != f.on['n'] {
				continue
			}
			if off {
				names = append(names, "enable -n "+b.name)
			} else {
				names = append(names, "enable "+b.name)
			}
		}
		slices.SortFunc(names, func(a, b string) int {
			return strings.Compare(strings.TrimPrefix(strings.TrimPrefix(a, "enable "), "-n "), strings.TrimPrefix(strings.TrimPrefix(b, "enable "), "-n "))
		})
		for _, n := range names {
			sh.print(n + "\n")
		}
		return 0
	}
	st := 0
	for _, n := range rest {
		if builtins[n] == nil {
			sh.errorf("enable: " + n + ": not a shell builtin")
			st = 1
			continue
		}
		m := cloneMap(sh.disabled)
		if f.on['n'] {
			m[n] = true
		} else {
			delete(m, n)
		}
		if len(m) == 0 {
			m = nil
		}
		sh.disabled = m
	}
	return st
}

// isKeyword reports whether s is a reserved word.
func isKeyword(s string) bool {
	switch s {
	case "!", "[[", "]]", "case", "coproc", "do", "done", "elif", "else", "esac", "fi", "for", "function",
		"if", "in", "select", "then", "time", "until", "while", "{", "}":
		return true
	}
	return false
}
