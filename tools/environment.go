// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package tools

import "strings"

// pagers are set for every command: nobody turns pages.
var pagers = [...]string{"PAGER=cat", "GIT_PAGER=cat", "GH_PAGER=cat", "MANPAGER=cat", "SYSTEMD_PAGER=cat"}

// environment returns what commands get besides the sandbox's own environment.
// What the caller gives comes last and wins.
func environment(o *Options, tty bool) []string {
	env := make([]string, 0, len(pagers)+len(o.Env)+8)
	env = append(env, pagers[:]...)
	if tty {
		env = append(env, "TERM=xterm-256color")
	} else {
		env = append(env, "TERM=dumb", "NO_COLOR=1")
	}
	for _, kv := range o.HostEnv {
		name, value, ok := strings.Cut(kv, "=")
		if ok && name != "" && allowed(o.EnvAllow, name) && !strings.ContainsRune(value, 0) {
			env = append(env, kv)
		}
	}
	return append(env, o.Env...)
}

// allowed reports whether a list has a name, or its beginning before a "*".
func allowed(list []string, name string) bool {
	for _, a := range list {
		if head, ok := strings.CutSuffix(a, "*"); a == name || ok && strings.HasPrefix(name, head) {
			return true
		}
	}
	return false
}
