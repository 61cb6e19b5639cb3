// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package hostexec

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestEnviron(t *testing.T) {
	base := []string{
		"PATH=/bin", "HOME=/home/u", "LANG=C", "LC_ALL=C", "LC_TIME=x", "SECRET=s", "EMPTY=", "EQ=a=b",
		"LD_PRELOAD=/evil.so", "LD_LIBRARY_PATH=/evil", "DYLD_INSERT_LIBRARIES=e", "BASH_ENV=e", "ENV=e", "PROMPT_COMMAND=e",
		"NODE_OPTIONS=--require e", "PYTHONPATH=e", "PYTHONSTARTUP=e", "GIT_DIR=e", "GIT_SSH_COMMAND=e", "BASH_FUNC_x%%=() { e; }",
		"no value", "=C:=C:\\x", "NUL=a\x00b", "Path=other",
	}
	for _, tt := range []struct {
		name       string
		allow, set []string
		fold       bool
		want       []string
	}{
		{"an empty list passes nothing", nil, nil, false, []string{}},
		{"names", []string{"PATH", "HOME", "ABSENT"}, nil, false, []string{"HOME=/home/u", "PATH=/bin"}},
		{"no part of a name", []string{"PAT", "OME"}, nil, false, []string{}},
		{"a pattern", []string{"LC_*"}, nil, false, []string{"LC_ALL=C", "LC_TIME=x"}},
		{"values", []string{"EMPTY", "EQ"}, nil, false, []string{"EMPTY=", "EQ=a=b"}},
		{"everything but what steers", []string{"*"}, nil, false, []string{
			"EMPTY=", "EQ=a=b", "HOME=/home/u", "LANG=C", "LC_ALL=C", "LC_TIME=x", "PATH=/bin", "Path=other", "SECRET=s"}},
		{"a pattern does not name what steers", []string{"LD_*", "GIT_*", "PYTHON*", "EN*", "DYLD_*", "BASH_*", "NODE_*", "PROMPT_*"}, nil, false, []string{}},
		{"named in full", []string{"GIT_DIR", "LD_LIBRARY_PATH", "ENV"}, nil, false, []string{"ENV=e", "GIT_DIR=e", "LD_LIBRARY_PATH=/evil"}},
		{"set adds and replaces", []string{"PATH", "HOME"}, []string{"HOME=/w", "TERM=dumb", "GIT_PAGER=cat"}, false, []string{"GIT_PAGER=cat", "HOME=/w", "PATH=/bin", "TERM=dumb"}},
		{"the last one wins", nil, []string{"A=1", "A=2"}, false, []string{"A=2"}},
		{"case counts", []string{"path"}, nil, false, []string{}},
		{"case does not count", []string{"pAtH"}, []string{"home=x"}, true, []string{"home=x", "Path=other"}},
		{"what steers in any case", []string{"L*"}, []string{}, true, []string{"LANG=C", "LC_ALL=C", "LC_TIME=x"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			got, err := environ(base, tt.allow, tt.set, tt.fold)
			require.NoError(t, err)
			require.Equal(t, tt.want, got)
		})
	}
	for _, tt := range []struct{ allow, set []string }{
		{allow: []string{""}}, {allow: []string{"A=B"}}, {allow: []string{"A\x00"}}, {allow: []string{"*A"}}, {allow: []string{"A*B*"}}, {allow: []string{"**"}}, {allow: []string{"A B"}},
		{set: []string{"A"}}, {set: []string{"=x"}}, {set: []string{"A\x00=x"}}, {set: []string{"A=\x00"}}, {set: []string{"A\n=x"}}, {set: []string{""}},
		{set: []string{"A=" + strings.Repeat("x", maxVariable)}},
	} {
		_, err := environ(base, tt.allow, tt.set, false)
		require.ErrorIs(t, err, ErrInvalid, "%q %q", tt.allow, tt.set)
	}
}

func FuzzEnviron(f *testing.F) {
	f.Add("PATH=/bin\nLD_PRELOAD=x\n=C:=x", "PATH\nLD_*", "A=1", true)
	f.Add("GIT_DIR=x", "*", "B=", false)
	f.Add("a=1\nA=2", "a*\nGIT_DIR", "LD_PRELOAD=z", true)
	f.Fuzz(func(t *testing.T, base, allow, set string, fold bool) {
		rules := strings.Split(allow, "\n")
		got, err := environ(strings.Split(base, "\n"), rules, strings.Split(set, "\n"), fold)
		if err != nil {
			return
		}
		c := Cmd{Env: got}
		seen := map[string]bool{}
		for _, e := range c.Env {
			name, value, ok := strings.Cut(e, "=")
			if !ok || checkVariable(name, value) != nil {
				t.Fatalf("malformed %q", e)
			}
			key := foldName(name, fold)
			if seen[key] {
				t.Fatalf("%q twice", name)
			}
			seen[key] = true
			if slices.Contains(strings.Split(set, "\n"), e) {
				continue
			}
			named := slices.ContainsFunc(rules, func(r string) bool { return foldName(r, fold) == key })
			if Steers(name) && !named {
				t.Fatalf("%q passed without being named", name)
			}
			if !named && !slices.ContainsFunc(rules, func(r string) bool { return matchName(foldName(r, fold), key) }) {
				t.Fatalf("%q passed without a rule", name)
			}
		}
	})
}

func TestIsBatch(t *testing.T) {
	for file, want := range map[string]bool{
		`C:\x\a.bat`: true, `C:\x\a.CMD`: true, `C:\x\a.bat.`: true, `C:\x\a.cmd . .`: true, `C:\x\a.bat `: true, `C:/x/a.Bat`: true,
		`C:\x\a.bat::$DATA`: true, `C:\x\a.exe`: false, `C:\x.bat\a.exe`: false, `C:\x\bat`: false, `C:\x\a.bat.exe`: false, `C:\x\a`: false,
	} {
		require.Equal(t, want, isBatch(file), file)
	}
}
