// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package interp

import (
	"strings"

	"github.com/wsandbox/wsandbox/guests/src/wsys"
)

// version is the release of bash whose language this is.
const (
	version     = "5.2.15(1)-release"
	versionText = "wsandbox shell, compatible with GNU bash, version " + version
	ostype      = "linux-gnu"
	machtype    = "x86_64-pc-linux-gnu"
	hosttype    = "x86_64"
)

// initVars sets up the variables of a new shell from the environment.
func (sh *Shell) initVars(env []string) {
	sh.seedVars()
	for _, kv := range env {
		i := strings.IndexByte(kv, '=')
		if i <= 0 {
			continue
		}
		name, val := kv[:i], kv[i+1:]
		if strings.HasPrefix(name, "BASH_FUNC_") && strings.HasSuffix(name, "%%") && strings.HasPrefix(val, "() ") {
			sh.importFunc(strings.TrimSuffix(strings.TrimPrefix(name, "BASH_FUNC_"), "%%"), val)
			continue
		}
		if !validName(name) || name == "SHELLOPTS" || name == "BASHOPTS" || name == "_" {
			continue
		}
		p := sh.slot(sh.rt.intern(name))
		if *p != nil && (*p).flags&vDyn != 0 {
			continue
		}
		*p = &Var{gen: sh.gen, flags: vSet | vStr | vExport, s: val}
	}
	id := &sh.rt.id
	for _, h := range [...]sym{id.ifs, id.path, id.lcAll, id.lcCtype, id.lang, id.optind, id.posix} {
		p := sh.slot(h)
		if *p == nil {
			*p = &Var{gen: sh.gen}
		}
		(*p).flags |= vHook
	}
	// IFS is never imported.
	v := *sh.slot(id.ifs)
	v.flags, v.s = vSet|vStr|vHook, " \t\n"
	sh.ifs.init(v.s, true)
	sh.setDefault("PATH", defaultPath)
	sh.setDefault("PS4", "+ ")
	sh.setDefault("OPTIND", "1")
	sh.optPos = 0
	lvl, _ := sh.get(id.shlvl)
	n, _ := canonicalInt(lvl)
	if n < 0 || n > 999 {
		n = 0
	}
	sh.set(id.shlvl, itoa(n+1))
	sh.own(id.shlvl).flags |= vExport
	sh.initDir()
	sh.initLocale()
	sh.readonlyVar("PPID", itoa(int64(sh.rt.ppid)), vInteger)
	info := &sh.rt.info
	sh.readonlyVar("UID", itoa(int64(info.UID)), vInteger)
	sh.readonlyVar("EUID", itoa(int64(info.EUID)), vInteger)
	if !sh.shArgv {
		sh.bashVars()
	}
	sh.envOK = false
}

func (sh *Shell) bashVars() {
	sh.setDefault("BASH", "/bin/bash")
	sh.setName("BASH_VERSION", version)
	sh.setDefault("HOSTTYPE", hosttype)
	sh.setDefault("OSTYPE", ostype)
	sh.setDefault("MACHTYPE", machtype)
	sh.setDefault("SHELL", "/bin/sh")
	v := sh.own(sh.rt.intern("BASH_VERSINFO"))
	v.arr = &array{vals: []string{"5", "2", "15", "1", "release", machtype}}
	v.flags = vArray | vReadonly | vFilled
	if _, ok := sh.getName("HOSTNAME"); !ok {
		sh.setName("HOSTNAME", wsys.Hostname())
	}
	v = sh.own(sh.rt.intern("GROUPS"))
	v.arr = &array{vals: []string{itoa(int64(sh.rt.info.GID))}}
	v.flags = vArray | vFilled
}

func (sh *Shell) setDefault(name, s string) {
	if _, ok := sh.getName(name); !ok {
		sh.setName(name, s)
	}
}

func (sh *Shell) readonlyVar(name, s string, f vflag) {
	*sh.slot(sh.rt.intern(name)) = &Var{gen: sh.gen, flags: vSet | vStr | vReadonly | f, s: s}
}

// initDir sets PWD.
func (sh *Shell) initDir() {
	real, err := wsys.Getcwd()
	if err != nil {
		real = "/"
	}
	sh.rt.kcwd = real
	pwd, ok := sh.getName("PWD")
	if !ok || pwd == "" || pwd[0] != '/' || !sh.sameDir(pwd, real) || cleanPath(pwd) != pwd {
		pwd = real
	}
	sh.rt.kcwd = pwd
	sh.cwd = pwd
	sh.setName("PWD", pwd)
	sh.own(sh.rt.id.pwd).flags |= vExport
	// OLDPWD is exported without a value until cd sets it.
	if v := sh.v(sh.rt.id.oldpwd); v == nil {
		*sh.slot(sh.rt.id.oldpwd) = &Var{gen: sh.gen, flags: vExport}
	}
}

func (sh *Shell) sameDir(a, b string) bool {
	if a == b {
		return true
	}
	x, err := wsys.StatAt(wsys.AtCwd, a, true)
	if err != nil {
		return false
	}
	y, err := wsys.StatAt(wsys.AtCwd, b, true)
	return err == nil && x.Dev == y.Dev && x.Ino == y.Ino
}

// initLocale finds out whether characters are UTF-8, which they are unless the
// C locale is asked for.
func (sh *Shell) initLocale() {
	for _, id := range [...]sym{sh.rt.id.lcAll, sh.rt.id.lcCtype, sh.rt.id.lang} {
		if s, ok := sh.get(id); ok && s != "" {
			sh.utf8 = s != "C" && s != "POSIX"
			return
		}
	}
	sh.utf8 = true
}

// assigned is called behind the assignment of a variable with vHook.
func (sh *Shell) assigned(id sym) {
	switch id {
	case sh.rt.id.ifs:
		v := sh.v(id)
		sh.ifs.init(v.text(sh), v.flags&vSet != 0)
	case sh.rt.id.path:
		sh.hashed = nil
	case sh.rt.id.optind:
		sh.optPos = 0
	case sh.rt.id.posix:
		if v := sh.v(id); v.flags&vSet != 0 {
			sh.opts.posix = true
		}
	default:
		sh.initLocale()
	}
}

func (sh *Shell) rand() uint32 {
	// The generator of minimal standard, as bash has it.
	if sh.randSeed == 0 {
		sh.randSeed = 123459876
	}
	h := int64(sh.randSeed)
	l := h % 127773
	h = 16807*l - 2836*(h/127773)
	if h < 0 {
		h += 0x7fffffff
	}
	sh.randSeed = uint32(h)
	return sh.randSeed>>16 ^ sh.randSeed&0xffff
}

// dynVars makes the computed variables. bash marks those that sh does not have.
func (sh *Shell) dynVars() {
	for _, d := range [...]struct {
		name string
		get  func(*Shell) string
		set  func(*Shell, string)
		bash bool
	}{
		{"RANDOM", func(s *Shell) string { return itoa(int64(s.rand() & 32767)) }, func(s *Shell, v string) {
			n, _ := canonicalInt(v)
			s.randSeed = uint32(n)
		}, true},
		{"SRANDOM", func(*Shell) string {
			var b [4]byte
			wsys.Random(b[:])
			return itoa(int64(uint32(b[0]) | uint32(b[1])<<8 | uint32(b[2])<<16 | uint32(b[3])<<24))
		}, nil, true},
		{"SECONDS", func(s *Shell) string { return itoa((wsys.Monotonic() - s.secBase) / 1e9) }, func(s *Shell, v string) {
			n, _ := canonicalInt(v)
			s.secBase = wsys.Monotonic() - n*1e9
		}, true},
		{"EPOCHSECONDS", func(*Shell) string { return itoa(wsys.Now() / 1e9) }, nil, true},
		{"EPOCHREALTIME", func(*Shell) string {
			us := wsys.Now() / 1e3
			f := itoa(us % 1e6)
			return itoa(us/1e6) + "." + "000000"[len(f):] + f
		}, nil, true},
		{"LINENO", func(s *Shell) string { return itoa(int64(s.line)) }, func(s *Shell, v string) {
			n, _ := canonicalInt(v)
			s.line = int32(n)
		}, false},
		{"BASHPID", func(s *Shell) string { return itoa(int64(s.bashPID())) }, nil, true},
		{"BASH_SUBSHELL", func(s *Shell) string { return itoa(int64(s.level)) }, nil, true},
		{"BASH_COMMAND", func(s *Shell) string { return s.cmdStr }, nil, true},
		{"BASH_ARGV0", func(s *Shell) string { return s.name0 }, func(s *Shell, v string) { s.name0 = v }, true},
		{"HISTCMD", func(s *Shell) string { return itoa(int64(s.rt.hist.number())) }, nil, true},
		{"SHELLOPTS", func(s *Shell) string { return s.optionNames() }, nil, false},
		{"BASHOPTS", func(s *Shell) string { return s.shoptNames() }, nil, true},
		{"_", func(s *Shell) string { return s.lastArg }, func(s *Shell, v string) { s.lastArg = v }, false},
		{"FUNCNAME", dynFirst("FUNCNAME"), nil, true},
		{"BASH_SOURCE", dynFirst("BASH_SOURCE"), nil, true},
		{"BASH_LINENO", dynFirst("BASH_LINENO"), nil, true},
		{"DIRSTACK", dynFirst("DIRSTACK"), nil, true},
		{"PIPESTATUS", dynFirst("PIPESTATUS"), nil, true},
	} {
		f := vDyn
		switch d.name {
		case "SHELLOPTS", "BASHOPTS":
			f |= vReadonly
		}
		id := sh.rt.intern(d.name)
		*sh.slot(id) = &Var{gen: sh.gen, flags: f, dyn: &dynVar{d.get, d.set}}
		if d.bash {
			sh.rt.bashOnly = append(sh.rt.bashOnly, id)
		}
	}
}

// seedVars sets what the computed variables start from in this process.
func (sh *Shell) seedVars() {
	var b [4]byte
	wsys.Random(b[:])
	sh.randSeed = uint32(b[0]) | uint32(b[1])<<8 | uint32(b[2])<<16 | uint32(b[3])<<24
	sh.secBase = wsys.Monotonic()
	if sh.shArgv {
		for _, id := range sh.rt.bashOnly {
			*sh.slot(id) = nil
		}
	}
}

func dynFirst(name string) func(*Shell) string {
	return func(sh *Shell) string {
		l, _ := sh.dynElements(sh.rt.syms[name])
		if len(l) == 0 {
			return ""
		}
		return l[0]
	}
}

// dynElements returns the elements of a computed array.
func (sh *Shell) dynElements(id sym) ([]string, bool) {
	var l []string
	switch sh.rt.names[id] {
	case "FUNCNAME":
		in := false
		for f := sh.frame; f != nil; f = f.prev {
			if f.isSource {
				l = append(l, "source")
			} else {
				l = append(l, f.name)
				in = true
			}
		}
		if !in {
			return nil, true
		}
		if !sh.opts.cmdstring {
			l = append(l, "main")
		}
	case "BASH_SOURCE":
		for f := sh.frame; f != nil; f = f.prev {
			l = append(l, f.source)
		}
		if sh.rt.main.source != "" {
			l = append(l, sh.rt.main.scriptSource())
		}
	case "BASH_LINENO":
		for f := sh.frame; f != nil; f = f.prev {
			l = append(l, itoa(int64(f.callLine)))
		}
		if len(l) > 0 || sh.rt.main.source != "" {
			l = append(l, "0")
		}
	case "DIRSTACK":
		l = append(l, sh.cwd)
		l = append(l, sh.dirs...)
	case "PIPESTATUS":
		if sh.pipestatus == nil {
			return []string{itoa(int64(sh.status))}, true
		}
		for _, n := range sh.pipestatus {
			l = append(l, itoa(int64(n)))
		}
	default:
		return nil, false
	}
	return l, true
}

func (sh *Shell) scriptSource() string {
	if sh.source == "environment" {
		return ""
	}
	return sh.script0
}

func (sh *Shell) importFunc(name, val string) {
	u := sh.parse(name+" "+val, 0)
	if u.after != nil || len(u.list) != 1 {
		return
	}
	if f, ok := u.list[0].n.(*funcNode); ok && f.bad == "" {
		f.exec(sh)
		if fn := sh.function(f.fn.id); fn != nil {
			fn.export = true
		}
	}
}
