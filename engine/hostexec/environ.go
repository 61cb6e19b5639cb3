// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package hostexec

import (
	"path"
	"runtime"
	"slices"
	"strings"
)

// maxVariable bounds one environment variable in bytes (MAX_ARG_STRLEN).
const maxVariable = 128 << 10

// steering lists environment variables that make common programs load or run
// other code than the command names. A pattern never lets them pass.
var steering = []string{
	"LD_*", "DYLD_*", "GLIBC_TUNABLES", "GCONV_PATH", "LOCPATH", "NLSPATH",
	"BASH_ENV", "ENV", "PROMPT_COMMAND", "PS4", "IFS", "CDPATH", "SHELLOPTS", "BASHOPTS", "BASH_FUNC_*", "ZDOTDIR",
	"NODE_OPTIONS", "NODE_PATH", "PYTHON*", "PERL5OPT", "PERL5LIB", "PERL5DB", "PERLLIB",
	"RUBYOPT", "RUBYLIB", "JAVA_TOOL_OPTIONS", "JDK_JAVA_OPTIONS", "_JAVA_OPTIONS", "CLASSPATH",
	"GIT_*", "SSH_ASKPASS", "LESSOPEN", "LESSCLOSE", "RUSTC_WRAPPER", "MAKEFLAGS", "TAR_OPTIONS",
}

// Steers tells whether the environment variable makes common programs load or
// run other code than the command names: LD_PRELOAD, BASH_ENV, GIT_* and such.
func Steers(name string) bool {
	name = strings.ToUpper(name)
	return slices.ContainsFunc(steering, func(p string) bool { return matchName(p, name) })
}

// Environ builds a closed environment: of the variables in base, those that
// allow names, then those of set, which replace them. The result is sorted by
// name and is never nil.
//
// An entry of allow is a name, or a name ending in "*" for all that begin with
// what is before it. Variables for which Steers holds pass only when named in
// full, and come from set as they are. An empty allow passes nothing. Entries of
// base that are no NAME=value are left out, as are those with a NUL byte; in
// allow and set they are an error that wraps ErrInvalid. Names are compared
// without case on Windows.
func Environ(base, allow, set []string) ([]string, error) {
	return environ(base, allow, set, runtime.GOOS == "windows")
}

func environ(base, allow, set []string, fold bool) ([]string, error) {
	rules := make([]string, len(allow))
	for i, a := range allow {
		name := strings.TrimSuffix(a, "*")
		if a != "*" {
			if err := checkVariable(name, ""); err != nil {
				return nil, err
			}
		}
		if strings.Contains(name, "*") {
			return nil, invalid("environment rule %q: * only at the end", a)
		}
		rules[i] = foldName(a, fold)
	}
	vars := map[string]string{}
	for _, e := range base {
		name, value, ok := strings.Cut(e, "=")
		if !ok || checkVariable(name, value) != nil {
			continue
		}
		key := foldName(name, fold)
		if slices.ContainsFunc(rules, func(r string) bool {
			return r == key || !Steers(name) && matchName(r, key)
		}) {
			vars[key] = e
		}
	}
	for _, e := range set {
		name, value, ok := strings.Cut(e, "=")
		if !ok {
			return nil, invalid("environment entry %q has no value", e)
		}
		if err := checkVariable(name, value); err != nil {
			return nil, err
		}
		vars[foldName(name, fold)] = e
	}
	out := make([]string, 0, len(vars))
	for _, e := range vars {
		out = append(out, e)
	}
	slices.SortFunc(out, func(a, b string) int {
		an, _, _ := strings.Cut(a, "=")
		bn, _, _ := strings.Cut(b, "=")
		return strings.Compare(foldName(an, fold), foldName(bn, fold))
	})
	return out, nil
}

func foldName(name string, fold bool) string {
	if fold {
		return strings.ToUpper(name)
	}
	return name
}

// matchName matches a name or a name with "*" at its end.
func matchName(pattern, name string) bool {
	if prefix, ok := strings.CutSuffix(pattern, "*"); ok {
		return strings.HasPrefix(name, prefix)
	}
	return pattern == name
}

func checkVariable(name, value string) error {
	if name == "" {
		return invalid("environment variable without a name")
	}
	if i := strings.IndexFunc(name, func(r rune) bool { return r <= ' ' || r == '=' || r == 0x7f }); i >= 0 {
		return invalid("environment variable name %q", name)
	}
	if strings.IndexByte(value, 0) >= 0 {
		return invalid("environment variable %s has a NUL byte", name)
	}
	if len(name)+len(value) > maxVariable {
		return invalid("environment variable %s is longer than %d bytes", name[:min(len(name), 64)], maxVariable)
	}
	return nil
}

// isBatch tells whether Windows would run the file through cmd.exe. Trailing
// dots and blanks do not count in a file's name there, and neither does what a
// stream name adds.
func isBatch(file string) bool {
	file = strings.ReplaceAll(file, `\`, "/")
	base := path.Base(file)
	if i := strings.IndexByte(base, ':'); i >= 0 {
		base = base[:i]
	}
	switch strings.ToLower(path.Ext(strings.TrimRight(base, ". "))) {
	case ".bat", ".cmd":
		return true
	}
	return false
}
