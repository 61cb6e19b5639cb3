// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package mounts

import "github.com/wsandbox/wsandbox/guests/src/wsys"

// Mount is a mounted file system.
type Mount struct{ Source, Target, Type, Options string }

// List returns the mounts, in the order of mounting.
func List() ([]Mount, error) {
	b, err := wsys.ReadFile("/proc/mounts")
	if err != nil {
		return nil, err
	}
	return parse(string(b)), nil
}

func parse(s string) []Mount {
	var l []Mount
	for s != "" {
		i := 0
		for i < len(s) && s[i] != '\n' {
			i++
		}
		line := s[:i]
		if i < len(s) {
			i++
		}
		s = s[i:]
		var f [4]string
		n := 0
		for n < len(f) && line != "" {
			k := 0
			for k < len(line) && line[k] != ' ' {
				k++
			}
			f[n] = unescape(line[:k])
			n++
			if k < len(line) {
				k++
			}
			line = line[k:]
		}
		if n == len(f) {
			l = append(l, Mount{f[0], f[1], f[2], f[3]})
		}
	}
	return l
}

// unescape replaces \ooo.
func unescape(s string) string {
	var b []byte
	for i := 0; i < len(s); i++ {
		if s[i] == '\\' && i+3 < len(s) && s[i+1] >= '0' && s[i+1] <= '3' && s[i+2] >= '0' && s[i+2] <= '7' && s[i+3] >= '0' && s[i+3] <= '7' {
			if b == nil {
				b = append(make([]byte, 0, len(s)), s[:i]...)
			}
			b = append(b, (s[i+1]-'0')<<6|(s[i+2]-'0')<<3|(s[i+3]-'0'))
			i += 3
		} else if b != nil {
			b = append(b, s[i])
		}
	}
	if b == nil {
		return s
	}
	return string(b)
}

// Of returns the mount that holds the canonical path: the last one with the
// longest target above it.
func Of(l []Mount, path string) (Mount, bool) {
	best := -1
	for i := range l {
		t := l[i].Target
		if within(path, t) && (best < 0 || len(t) >= len(l[best].Target)) {
			best = i
		}
	}
	if best < 0 {
		return Mount{}, false
	}
	return l[best], true
}

func within(path, dir string) bool {
	return dir == "/" || len(path) >= len(dir) && path[:len(dir)] == dir && (len(path) == len(dir) || path[len(dir)] == '/')
}
