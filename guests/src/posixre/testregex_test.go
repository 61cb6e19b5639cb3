// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package posixre

import (
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"testing"
	"unicode/utf8"
)

// TestTestregex runs the cases of the AT&T test suite that Go distributes. Only
// the overall match is compared: that edition states the submatches of another
// rule.
func TestTestregex(t *testing.T) {
	dir := filepath.Join(runtime.GOROOT(), "src", "regexp", "testdata")
	files, _ := filepath.Glob(filepath.Join(dir, "*.dat"))
	if len(files) == 0 {
		t.Skip("no test data in GOROOT")
	}
	// The suite reports bad intervals as BADBR also where GNU says "too big".
	codes := map[string][]Error{
		"BADBR": {ErrInterval, ErrTooBig}, "BADPAT": {ErrBadPattern, ErrOperand},
		"BADRPT": {ErrOperand}, "EBRACE": {ErrBrace}, "EBRACK": {ErrBracket}, "ECOLLATE": {ErrCollate},
		"ECTYPE": {ErrClass}, "EESCAPE": {ErrEscape}, "EPAREN": {ErrParen, ErrRightParen},
		"ERANGE": {ErrRange}, "ESUBREG": {ErrBackref},
	}
	n := 0
	for _, file := range files {
		b, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		last := ""
		for no, line := range strings.Split(string(b), "\n") {
			f := strings.FieldsFunc(line, func(r rune) bool { return r == '\t' })
			if len(f) < 4 || line[0] == '#' || strings.HasPrefix(f[0], "NOTE") {
				continue
			}
			spec, pat, text, want := f[0], f[1], f[2], f[3]
			if pat == "SAME" {
				pat = last
			}
			last = pat
			if strings.ContainsAny(spec, "{}?&|:;$SKLA") && !strings.HasPrefix(spec, ":") {
				if strings.ContainsAny(spec, "$") {
					q := func(s string) string {
						u, err := strconv.Unquote(`"` + strings.ReplaceAll(s, `"`, `\"`) + `"`)
						if err != nil {
							return s
						}
						return u
					}
					pat, text = q(pat), q(text)
				} else {
					continue
				}
			}
			if i := strings.LastIndex(spec, ":"); i >= 0 {
				spec = spec[i+1:]
			}
			if text == "NULL" {
				text = ""
			}
			if pat == "NULL" {
				pat = ""
			}
			for _, kind := range spec {
				valid := utf8.ValidString(text)
				var flags Flags
				switch kind {
				case 'E':
					flags = Extended | ParenLiteral
				case 'B':
				case 'L':
					flags = Fixed
				default:
					continue
				}
				if strings.Contains(spec, "i") {
					flags |= ICase
				}
				if !valid {
					flags |= Bytes
				}
				var ef ExecFlags
				if strings.Contains(spec, "n") {
					flags |= Newline
				}
				n++
				name := filepath.Base(file) + ":" + strconv.Itoa(no+1) + " " + line
				re, err := Compile(pat, flags)
				if err != nil {
					ok := false
					for _, e := range codes[want] {
						ok = ok || e == err
					}
					if !ok {
						t.Errorf("%s: %v", name, err)
					}
					continue
				}
				loc := make([]int, 2*re.NumSubexp()+2)
				ok, err := re.Find([]byte(text), 0, ef, loc)
				if err != nil {
					t.Errorf("%s: %v", name, err)
				}
				got := "NOMATCH"
				if ok {
					got = "(" + strconv.Itoa(loc[0]) + "," + strconv.Itoa(loc[1]) + ")"
				}
				first := want
				if i := strings.IndexByte(want, ')'); i >= 0 {
					first = want[:i+1]
				}
				if got != first {
					t.Errorf("%s: got %s", name, got)
				}
			}
		}
	}
	t.Logf("%d cases", n)
}
