// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package hostexec

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestCommandLine(t *testing.T) {
	for _, tt := range []struct {
		args []string
		want string
	}{
		{[]string{`C:\Program Files\a.exe`}, `"C:\Program Files\a.exe"`},
		{[]string{`a`, ``}, `"a" ""`},
		{[]string{`a`, `b c`, `d`}, `"a" "b c" d`},
		{[]string{`a`, `say "hi"`}, `"a" "say \"hi\""`},
		{[]string{`a`, `"`}, `"a" "\""`},
		{[]string{`a`, `\"`}, `"a" "\\\""`},
		{[]string{`a`, `C:\dir\`}, `"a" C:\dir\`},
		{[]string{`a`, `C:\my dir\`}, `"a" "C:\my dir\\"`},
		{[]string{`a`, `x\\" y`}, `"a" "x\\\\\" y"`},
		{[]string{`a`, "t\tu", `%PATH%`, `&calc`, `^`}, "\"a\" \"t\tu\" %PATH% &calc ^"},
	} {
		got, err := commandLine(tt.args)
		require.NoError(t, err)
		require.Equal(t, tt.want, got)
		require.Equal(t, tt.args, splitCommandLine(got))
	}
	for _, args := range [][]string{{`a"b`}, {"a", "b\x00c"}, {"a\x00"}} {
		_, err := commandLine(args)
		require.ErrorIs(t, err, ErrInvalid)
	}
}

// splitCommandLine splits by the documented rules of CommandLineToArgvW.
func splitCommandLine(line string) []string {
	var args []string
	if rest, ok := strings.CutPrefix(line, `"`); ok {
		first, rest, _ := strings.Cut(rest, `"`)
		args, line = append(args, first), rest
	}
	for {
		line = strings.TrimLeft(line, " \t")
		if line == "" {
			return args
		}
		var b strings.Builder
		quoted := false
		i := 0
		for i < len(line) && (quoted || line[i] != ' ' && line[i] != '\t') {
			slashes := 0
			for i < len(line) && line[i] == '\\' {
				slashes++
				i++
			}
			if i < len(line) && line[i] == '"' {
				b.WriteString(strings.Repeat(`\`, slashes/2))
				if slashes%2 == 1 {
					b.WriteByte('"')
				} else {
					quoted = !quoted
				}
				i++
				continue
			}
			b.WriteString(strings.Repeat(`\`, slashes))
			if slashes == 0 {
				b.WriteByte(line[i])
				i++
			}
		}
		args, line = append(args, b.String()), line[i:]
	}
}

func FuzzCommandLine(f *testing.F) {
	f.Add(`C:\a b.exe`, `x\\" y`, `C:\dir\`)
	f.Add(`a`, "", `"`)
	f.Add(`a`, "\v\n", `\\\"`)
	f.Fuzz(func(t *testing.T, a, b, c string) {
		line, err := commandLine([]string{a, b, c})
		if err != nil {
			if !strings.ContainsAny(a, "\"\x00") && !strings.ContainsAny(b+c, "\x00") {
				t.Fatal(err)
			}
			return
		}
		require.Equal(t, []string{a, b, c}, splitCommandLine(line), line)
	})
}
