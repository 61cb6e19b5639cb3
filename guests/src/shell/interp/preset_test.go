// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package interp

import (
	"slices"
	"strings"
	"testing"
)

// variables lists what a shell's variables are after it has started.
func variables(sh *Shell) []string {
	var l []string
	for id, v := range sh.slots {
		if v == nil || v.flags&vDyn != 0 {
			continue
		}
		s := sh.rt.names[id] + "=" + v.text(sh) + " " + itoa(int64(v.flags))
		if v.arr != nil {
			s += " " + strings.Join(v.arr.vals, ",")
		}
		l = append(l, s)
	}
	slices.Sort(l)
	return l
}

// TestPreset compares the shells that presets make with those that are set up
// from the start.
func TestPreset(t *testing.T) {
	with := func(change ...string) []string {
		env := slices.Clone(usualEnv)
		for _, kv := range change {
			name, _, _ := strings.Cut(kv, "=")
			i := slices.IndexFunc(env, func(s string) bool { return strings.HasPrefix(s, name+"=") })
			if i < 0 {
				env = append(env, kv)
			} else {
				env[i] = kv
			}
		}
		return env
	}
	for _, c := range []struct {
		name string
		env  []string
		fits bool
	}{
		{"usual", usualEnv, true},
		{"values", with("TERM=xterm", "LANG=C", "PWD=/", "HOME=", "PATH=/bin"), true},
		{"more", with("A=1", "B=x=y", "_x="), true},
		{"none", nil, false},
		{"fewer", usualEnv[1:], false},
		{"another order", append([]string{"A=1"}, usualEnv...), false},
		{"no name", with("=x"), false},
		{"a bad name", with("a-b=x"), false},
		{"twice", append(with("A=1"), "A=2"), false},
		{"again", append(with(), "TERM=xterm"), false},
		{"level", with("SHLVL=3"), false},
		{"computed", with("RANDOM=1"), false},
		{"an effect", with("LC_ALL=C"), false},
		{"function", with("BASH_FUNC_f%%=() { :; }"), false},
	} {
		for _, posix := range []bool{false, true} {
			if posix && c.name == "computed" {
				continue // it is a variable like others there
			}
			p := newPreset(posix)
			if got := p.fits(c.env); got != c.fits {
				t.Errorf("%s: fits %v", c.name, got)
			}
			if !c.fits {
				continue
			}
			p.take(c.env)
			sh := newShell()
			sh.shArgv = posix
			sh.initVars(c.env)
			if got, want := variables(p.sh), variables(sh); !slices.Equal(got, want) {
				t.Errorf("%s: posix %v: got\n%s\nwant\n%s", c.name, posix, strings.Join(got, "\n"), strings.Join(want, "\n"))
			}
			if p.sh.cwd != sh.cwd || p.sh.rt.kcwd != sh.rt.kcwd || p.sh.utf8 != sh.utf8 {
				t.Errorf("%s: directory %q, UTF-8 %v; want %q, %v", c.name, p.sh.cwd, p.sh.utf8, sh.cwd, sh.utf8)
			}
		}
	}
}
