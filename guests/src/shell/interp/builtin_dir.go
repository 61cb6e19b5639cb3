// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package interp

import (
	"strconv"
	"strings"

	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/guests/src/wsys"
)

// cleanPath removes ., .. and double slashes from an absolute path by its text.
func cleanPath(p string) string {
	var parts []string
	for _, s := range strings.Split(p, "/") {
		switch s {
		case "", ".":
		case "..":
			if len(parts) > 0 {
				parts = parts[:len(parts)-1]
			}
		default:
			parts = append(parts, s)
		}
	}
	return "/" + strings.Join(parts, "/")
}

// chdir changes the directory of this shell. dir is absolute.
func (sh *Shell) chdir(dir string) error {
	if sh == sh.rt.main {
		// The process moves too; other shells go on by absolute names.
		if err := wsys.Chdir(dir); err != nil {
			return err
		}
		sh.rt.kcwd = dir
	} else {
		st, err := wsys.StatAt(wsys.AtCwd, dir, true)
		if err != nil {
			return err
		}
		if !st.Mode.IsDir() {
			return abi.ENOTDIR
		}
		if err := wsys.Access(wsys.AtCwd, dir, abi.AccessExec); err != nil {
			return err
		}
	}
	sh.cwd = dir
	return nil
}

// cd changes to dir, which may be relative, and sets PWD and OLDPWD.
//
// POSIX: cd.
func (sh *Shell) cd(dir string, physical bool) error {
	to := dir
	if to == "" || to[0] != '/' {
		to = strings.TrimRight(sh.cwd, "/") + "/" + dir
	}
	var err error
	if physical {
		if to, err = wsys.Realpath(wsys.AtCwd, to); err != nil {
			return err
		}
		err = sh.chdir(to)
	} else {
		// Each directory before a .. must exist.
		for i := 0; ; {
			k := strings.Index(to[i:], "/..")
			if k < 0 {
				break
			}
			i += k
			if end := i + 3; end == len(to) || to[end] == '/' {
				if i > 0 {
					if _, err := wsys.StatAt(wsys.AtCwd, cleanPath(to[:i]), true); err != nil {
						return err
					}
				}
			}
			i += 3
		}
		clean := cleanPath(to)
		if err = sh.chdir(clean); err == abi.ENAMETOOLONG && dir != "" {
			err = sh.chdir(to)
		}
	}
	if err != nil {
		return err
	}
	old, _ := sh.get(sh.rt.id.pwd)
	sh.set(sh.rt.id.oldpwd, old)
	sh.set(sh.rt.id.pwd, sh.cwd)
	return nil
}

func biCd(sh *Shell, args []string) int {
	_, rest, ok := sh.flags(args, "LPe@")
	if !ok {
		return 2
	}
	if len(rest) > 1 {
		return sh.builtinError("cd", "too many arguments")
	}
	physical := sh.opts.physical
	for _, a := range args[1:] {
		if len(a) > 1 && a[0] == '-' {
			for _, c := range a[1:] {
				if c == 'L' || c == 'P' {
					physical = c == 'P'
				}
			}
		} else {
			break
		}
	}
	dir, show := "", false
	switch {
	case len(rest) == 0:
		if dir, ok = sh.get(sh.rt.id.home); !ok {
			return sh.builtinError("cd", "HOME not set")
		}
	case rest[0] == "-":
		if dir, ok = sh.get(sh.rt.id.oldpwd); !ok {
			return sh.builtinError("cd", "OLDPWD not set")
		}
		show = true
	default:
		dir = rest[0]
	}
	if dir == "" {
		return 0
	}
	first := dir
	if i := strings.IndexByte(first, '/'); i >= 0 {
		first = first[:i]
	}
	if path, ok := sh.get(sh.rt.id.cdpath); ok && dir[0] != '/' && first != "." && first != ".." {
		for _, p := range strings.Split(path, ":") {
			cand := dir
			if p != "" {
				cand = strings.TrimRight(p, "/") + "/" + dir
			}
			if st, err := sh.stat(cand, true); err == nil && st.Mode.IsDir() {
				if sh.cd(cand, physical) == nil {
					if p != "" || show {
						sh.print(sh.cwd + "\n")
					}
					return 0
				}
			}
		}
	}
	err := sh.cd(dir, physical)
	if err != nil && sh.shopt.cdableVars {
		if v, ok := sh.getName(dir); ok && validName(dir) {
			if e := sh.cd(v, physical); e == nil {
				sh.print(sh.cwd + "\n")
				return 0
			}
		}
	}
	if err != nil {
		return sh.builtinError("cd", dir+": "+errText(err))
	}
	if show {
		sh.print(sh.cwd + "\n")
	}
	return 0
}

func biPwd(sh *Shell, args []string) int {
	physical := sh.opts.physical
	for _, a := range args[1:] {
		if len(a) < 2 || a[0] != '-' || a == "--" {
			break
		}
		for _, c := range a[1:] {
			switch c {
			case 'P':
				physical = true
			case 'L':
				physical = false
			default:
				return sh.usageErr("pwd", "-"+string(c)+": invalid option")
			}
		}
	}
	d := sh.cwd
	if physical {
		p, err := wsys.Realpath(wsys.AtCwd, sh.cwd)
		if err != nil {
			return sh.builtinError("pwd", "error retrieving current directory: "+errText(err))
		}
		d = p
	}
	sh.print(d + "\n")
	return 0
}

// dirAt returns entry n of the directory stack.
func (sh *Shell) dirAt(n int) (string, bool) {
	if n == 0 {
		return sh.cwd, true
	}
	if n < 0 || n > len(sh.dirs) {
		return "", false
	}
	return sh.dirs[n-1], true
}

// stackIndex reads +N or -N.
func (sh *Shell) stackIndex(s string) (int, bool) {
	if len(s) < 2 || s[0] != '+' && s[0] != '-' {
		return 0, false
	}
	n, err := strconv.Atoi(s[1:])
	if err != nil || n < 0 {
		return 0, false
	}
	if s[0] == '-' {
		n = len(sh.dirs) - n
	}
	return n, true
}

func (sh *Shell) homely(d string) string {
	if h, ok := sh.get(sh.rt.id.home); ok && h != "" && h != "/" && (d == h || strings.HasPrefix(d, h+"/")) {
		return "~" + d[len(h):]
	}
	return d
}

func (sh *Shell) printDirs() {
	sh.print(sh.homely(sh.cwd))
	for _, d := range sh.dirs {
		sh.print(" " + sh.homely(d))
	}
	sh.print("\n")
}

func biDirs(sh *Shell, args []string) int {
	long, lines, numbers, clear := false, false, false, false
	index := ""
	for _, a := range args[1:] {
		if _, ok := sh.stackIndex(a); ok {
			index = a
			continue
		}
		if len(a) < 2 || a[0] != '-' {
			return sh.usageErr("dirs", a+": invalid argument")
		}
		for _, c := range a[1:] {
			switch c {
			case 'l':
				long = true
			case 'p':
				lines = true
			case 'v':
				lines, numbers = true, true
			case 'c':
				clear = true
			default:
				return sh.usageErr("dirs", "-"+string(c)+": invalid option")
			}
		}
	}
	if clear {
		sh.dirs = nil
		return 0
	}
	show := func(d string) string {
		if long {
			return d
		}
		return sh.homely(d)
	}
	if index != "" {
		n, _ := sh.stackIndex(index)
		d, ok := sh.dirAt(n)
		if !ok {
			return sh.builtinError("dirs", index+": directory stack index out of range")
		}
		sh.print(show(d) + "\n")
		return 0
	}
	for i := 0; i <= len(sh.dirs); i++ {
		d, _ := sh.dirAt(i)
		switch {
		case numbers:
			n := itoa(int64(i))
			sh.print(strings.Repeat(" ", max(0, 2-len(n))) + n + "  ")
		case !lines && i > 0:
			sh.print(" ")
		}
		sh.print(show(d))
		if lines {
			sh.print("\n")
		}
	}
	if !lines {
		sh.print("\n")
	}
	return 0
}

func biPushd(sh *Shell, args []string) int {
	rest := args[1:]
	stay := false
	for len(rest) > 0 && (rest[0] == "-n" || rest[0] == "--") {
		stay = stay || rest[0] == "-n"
		rest = rest[1:]
	}
	if len(rest) > 1 {
		return sh.builtinError("pushd", "too many arguments")
	}
	old := sh.cwd
	if len(rest) == 0 {
		if len(sh.dirs) == 0 {
			return sh.builtinError("pushd", "no other directory")
		}
		if err := sh.cd(sh.dirs[0], false); err != nil {
			return sh.builtinError("pushd", sh.dirs[0]+": "+errText(err))
		}
		sh.dirs[0] = old
		sh.printDirs()
		return 0
	}
	if n, ok := sh.stackIndex(rest[0]); ok {
		if n < 0 || n > len(sh.dirs) {
			return sh.builtinError("pushd", rest[0]+": directory stack index out of range")
		}
		all := append([]string{sh.cwd}, sh.dirs...)
		all = append(all[n:len(all):len(all)], all[:n]...)
		if !stay {
			if err := sh.cd(all[0], false); err != nil {
				return sh.builtinError("pushd", all[0]+": "+errText(err))
			}
		}
		sh.dirs = all[1:]
		sh.printDirs()
		return 0
	}
	if len(rest[0]) > 1 && rest[0][0] == '-' {
		return sh.usageErr("pushd", rest[0]+": invalid number")
	}
	if stay {
		sh.dirs = append([]string{rest[0]}, sh.dirs...)
		sh.printDirs()
		return 0
	}
	dir := rest[0]
	if dir == "-" {
		dir, _ = sh.get(sh.rt.id.oldpwd)
	}
	if err := sh.cd(dir, false); err != nil {
		return sh.builtinError("pushd", rest[0]+": "+errText(err))
	}
	sh.dirs = append([]string{old}, sh.dirs...)
	sh.printDirs()
	return 0
}

func biPopd(sh *Shell, args []string) int {
	rest := args[1:]
	stay := false
	for len(rest) > 0 && (rest[0] == "-n" || rest[0] == "--") {
		stay = stay || rest[0] == "-n"
		rest = rest[1:]
	}
	if len(rest) > 0 && len(rest[0]) > 1 && rest[0][0] == '-' && !allDigits(rest[0][1:]) {
		return sh.usageErr("popd", rest[0]+": invalid number")
	}
	if len(sh.dirs) == 0 {
		return sh.builtinError("popd", "directory stack empty")
	}
	n := 0
	if len(rest) > 0 {
		var ok bool
		if n, ok = sh.stackIndex(rest[0]); !ok {
			return sh.usageErr("popd", rest[0]+": invalid argument")
		}
		if n < 0 || n > len(sh.dirs) {
			return sh.builtinError("popd", rest[0]+": directory stack index out of range")
		}
	}
	if n == 0 && !stay {
		if err := sh.cd(sh.dirs[0], false); err != nil {
			return sh.builtinError("popd", sh.dirs[0]+": "+errText(err))
		}
		sh.dirs = append([]string(nil), sh.dirs[1:]...)
	} else {
		n = max(n, 1)
		sh.dirs = append(sh.dirs[:n-1:n-1], sh.dirs[n:]...)
	}
	sh.printDirs()
	return 0
}
