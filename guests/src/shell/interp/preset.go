// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package interp

import (
	"strings"

	"github.com/wsandbox/wsandbox/guests/src/wsys"
)

// preset is a shell that Warm made for an expected environment. A process whose
// environment is like it, with other values or further variables behind,
// takes it and has little left to set up.
type preset struct {
	sh   *Shell
	env  []string
	vars []*Var // those of env, in its order
	// Those that every process has values of its own for; nil where the shell
	// has none.
	pwd, ppid, uid, euid, groups, hostname *Var
}

// usualEnv is the environment that a sandbox's commands have unless told
// otherwise.
var usualEnv = []string{
	"PATH=/usr/local/bin:/usr/bin:/bin", "HOME=/home/user", "USER=user", "LOGNAME=user",
	"SHELL=/bin/bash", "TERM=dumb", "LANG=C.UTF-8", "PWD=/workspace",
}

// newPreset makes the preset of bash or of sh.
func newPreset(posix bool) *preset {
	sh := newShell()
	sh.shArgv = posix
	sh.initVars(usualEnv)
	p := &preset{sh: sh, env: usualEnv}
	own := func(name string) *Var {
		id, ok := sh.rt.syms[name]
		if !ok {
			return nil
		}
		return sh.v(id)
	}
	for _, kv := range usualEnv {
		name, s, _ := strings.Cut(kv, "=")
		v := own(name)
		v.s = s // PWD was not there
		p.vars = append(p.vars, v)
	}
	p.pwd, p.ppid, p.uid, p.euid = own("PWD"), own("PPID"), own("UID"), own("EUID")
	p.groups, p.hostname = own("GROUPS"), own("HOSTNAME")
	return p
}

// fits reports whether the preset can take an environment.
func (p *preset) fits(env []string) bool {
	if len(env) < len(p.env) {
		return false
	}
	for i, kv := range p.env {
		if env[i] == kv {
			continue
		}
		n := strings.IndexByte(kv, '=') + 1
		if len(env[i]) < n || env[i][:n] != kv[:n] {
			return false
		}
	}
	for _, kv := range env[len(p.env):] {
		n := strings.IndexByte(kv, '=')
		if n <= 0 || !validName(kv[:n]) {
			return false
		}
		if id, ok := p.sh.rt.syms[kv[:n]]; ok && p.sh.v(id) != nil {
			return false // more than a variable
		}
	}
	// The further variables must differ from each other.
	rest := env[len(p.env):]
	for i, kv := range rest {
		n := strings.IndexByte(kv, '=') + 1
		for _, o := range rest[:i] {
			if len(o) >= n && o[:n] == kv[:n] {
				return false
			}
		}
	}
	return true
}

// take sets up the variables of the shell from an environment that fits, as
// initVars would.
func (p *preset) take(env []string) {
	sh := p.sh
	sh.seedVars()
	for i, kv := range p.env {
		if env[i] != kv {
			p.vars[i].s = env[i][strings.IndexByte(kv, '=')+1:]
		}
	}
	for _, kv := range env[len(p.env):] {
		n := strings.IndexByte(kv, '=')
		*sh.slot(sh.rt.intern(kv[:n])) = &Var{gen: sh.gen, flags: vSet | vStr | vExport, s: kv[n+1:]}
	}
	if real, err := wsys.Getcwd(); err == nil && real == p.pwd.s {
		sh.rt.kcwd, sh.cwd = real, real
	} else {
		sh.initDir()
	}
	sh.initLocale()
	info := &sh.rt.info
	p.ppid.s = itoa(int64(info.PPID))
	p.uid.s, p.euid.s = itoa(int64(info.UID)), itoa(int64(info.EUID))
	if p.groups != nil {
		p.groups.arr.vals[0] = itoa(int64(info.GID))
	}
	if p.hostname != nil {
		p.hostname.s = wsys.Hostname()
	}
	sh.envOK = false
}
