// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package testexpr

import (
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wsandbox/wsandbox/engine/abi"
)

// The expected results are those of GNU test 9.1.
func TestEval(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	require.NoError(t, os.WriteFile("f", []byte("x"), 0o644))
	require.NoError(t, os.WriteFile("empty", nil, 0o600))
	require.NoError(t, os.Mkdir("d", 0o755))
	require.NoError(t, os.Symlink("f", "l"))
	require.NoError(t, os.Symlink("nowhere", "dangling"))
	require.NoError(t, os.Link("f", "hard"))
	for _, c := range []struct {
		args string // split at "|"
		want bool
		err  string
	}{
		{"", false, ""},
		{"x", true, ""},
		{"!", true, ""},
		{"-f", true, ""},
		{"-n|", false, ""},
		{"-z|", true, ""},
		{"!|x", false, ""},
		{"!|", true, ""},
		{"-f|f", true, ""},
		{"-d|d", true, ""},
		{"-d|f", false, ""},
		{"-e|nope", false, ""},
		{"-s|f", true, ""},
		{"-s|empty", false, ""},
		{"-L|l", true, ""},
		{"-h|dangling", true, ""},
		{"-e|dangling", false, ""},
		{"-f|l", true, ""},
		{"f|-ef|hard", true, ""},
		{"f|-ef|empty", false, ""},
		{"f|-nt|nope", true, ""},
		{"nope|-ot|f", true, ""},
		{"nope|-nt|f", false, ""},
		{"a|=|a", true, ""},
		{"a|==|a", true, ""},
		{"a|!=|a", false, ""},
		{"1|-eq|01", true, ""},
		{"-1|-lt|1", true, ""},
		{" 5 |-ge|5", true, ""},
		{"99999999999999999999|-gt|99999999999999999998", true, ""},
		{"-99999999999999999999|-gt|-99999999999999999998", false, ""},
		{"1|-eq|x", false, "invalid integer 'x'"},
		{"|-eq|1", false, "invalid integer ''"},
		{"a|b", false, "missing argument after 'b'"},
		{"-q|b", false, "'-q': unary operator expected"},
		{"a|b|c", false, "'b': binary operator expected"},
		{"a|-a|b", true, ""},
		{"a|-a|", false, ""},
		{"|-o|b", true, ""},
		{"!|a|=|b", true, ""},
		{"(|a|)", true, ""},
		{"(||)", false, ""},
		{"(|-n|a|)", true, ""},
		{"(|a|=|a|)", true, ""},
		{"(|a|=|b|)|-o|x", true, ""},
		{"a|=|a|-a|b|=|b", true, ""},
		{"a|=|a|-a|b|=|c|-o|x|=|x", true, ""},
		{"!|a|=|a|-o|x|=|x", true, ""},
		{"-f|f|-a|-d|d", true, ""},
		{"a|=|a|b", false, "extra argument 'b'"},
		{"a|=|a|b|c", false, "extra argument 'b'"},
		{"(|a|=|a|b|c", false, "')' expected, found 'b'"},
		{"-l|abc|-eq|3", true, ""},
		{"(|=|(", true, ""},
		{"!|=|!", true, ""},
		{"-t|x", false, "invalid integer 'x'"},
		{"-a|=|-a", true, ""},
	} {
		var args []string
		if c.args != "" {
			args = strings.Split(c.args, "|")
		}
		got, err := Eval(args, nil)
		msg := ""
		if err != nil {
			msg = err.Error()
		}
		require.Equal(t, c.err, msg, "%q", args)
		require.Equal(t, c.want, got, "%q", args)
		if path, err := exec.LookPath("/usr/bin/test"); err == nil {
			cmd := exec.Command(path, args...)
			cmd.Env = []string{"LC_ALL=C"}
			var errs strings.Builder
			cmd.Stderr = &errs
			err := cmd.Run()
			native := strings.TrimSuffix(errs.String(), "\n")
			if c.err != "" {
				require.Equal(t, "/usr/bin/test: "+c.err, native, "%q", args)
			}
			require.Equal(t, err == nil, c.want, "native %q", args)
		}
	}
}

func TestEvalHost(t *testing.T) {
	h := &Host{
		Stat: func(path string, follow bool) (abi.Stat, error) {
			if path != "a" {
				return abi.Stat{}, abi.ENOENT
			}
			return abi.Stat{Mode: abi.ModeDir | 0o1755, UID: 7}, nil
		},
		Access: func(path string, mode uint32) error { return abi.EACCES },
		Isatty: func(fd int32) bool { return fd == 2 },
		IDs:    func() (uint32, uint32) { return 7, 8 },
		Var:    func(name string) bool { return name == "set" },
		Option: func(name string) bool { return name == "errexit" },
	}
	for _, c := range []struct {
		args string
		want bool
	}{{"-d a", true}, {"-k a", true}, {"-O a", true}, {"-G a", false}, {"-r a", false}, {"-t 2", true}, {"-t 1", false}, {"-v set", true}, {"-v x", false}, {"-o errexit", true}, {"-a a", true}} {
		got, err := Eval(strings.Fields(c.args), h)
		require.NoError(t, err, c.args)
		require.Equal(t, c.want, got, c.args)
	}
	_, err := Eval([]string{"-v", "set"}, nil)
	require.Equal(t, &Error{UnaryExpected, "-v"}, err)
}

func FuzzEval(f *testing.F) {
	f.Add("(|a|=|b|)|-o|!|-n|x")
	f.Add("-l|x|-eq|1|-a|(|!|)")
	f.Add("(|(|(|-t|0")
	f.Fuzz(func(t *testing.T, s string) {
		h := &Host{Stat: func(string, bool) (abi.Stat, error) { return abi.Stat{}, nil }, Isatty: func(int32) bool { return true }}
		Eval(strings.Split(s, "|"), h)
	})
}
