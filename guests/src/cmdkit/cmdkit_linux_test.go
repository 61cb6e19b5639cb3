// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package cmdkit_test

import (
	"fmt"
	"os/exec"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wsandbox/wsandbox/guests/src/cmdkit"
	"github.com/wsandbox/wsandbox/guests/src/cmdkit/cmdtest"
)

var probe = cmdkit.Syntax{
	Short: "ab:c::0",
	Long: []cmdkit.Long{{Name: "all", Val: 'a'}, {Name: "alter", Val: 'a'}, {Name: "be", Arg: cmdkit.RequiredArg, Val: 'b'},
		{Name: "color", Arg: cmdkit.OptionalArg, Val: 'c'}, {Name: "column", Val: 300}, {Name: "hide", Val: 301}},
	Usage:    []string{"[OPTION]... [FILE]...", "-b"},
	Help:     "Help text.\n",
	BadUsage: 2,
}

func show(s *cmdkit.Syntax) cmdkit.Func {
	return func(p *cmdkit.Proc) int {
		g := p.Options(s)
		for g.Next() {
			fmt.Fprintf(p.Stdout, "<%d %q %v>", g.Opt, g.Arg, g.HasArg)
		}
		if g.Stop {
			return g.Status
		}
		fmt.Fprintf(p.Stdout, "%q", g.Operands)
		return 0
	}
}

func TestOptions(t *testing.T) {
	plus := probe
	plus.Short = "+" + probe.Short
	const try = "Try 'x --help' for more information.\n"
	for _, c := range []struct {
		name   string
		syntax *cmdkit.Syntax
		args   []string
		env    string
		out    string
		err    string
		status int
	}{
		{"none", &probe, nil, "A=", `[]`, "", 0},
		{"permuted", &probe, []string{"f", "-a", "g", "-b", "v", "-"}, "A=", `<97 "" false><98 "v" true>["f" "g" "-"]`, "", 0},
		{"bundle", &probe, []string{"-aa0bval", "-c", "-cval"}, "A=", `<97 "" false><97 "" false><48 "" false><98 "val" true><99 "" false><99 "val" true>[]`, "", 0},
		{"end", &probe, []string{"-a", "--", "-a", "--all"}, "A=", `<97 "" false>["-a" "--all"]`, "", 0},
		{"posix", &probe, []string{"-a", "f", "-a"}, "POSIXLY_CORRECT=", `<97 "" false>["f" "-a"]`, "", 0},
		{"plus", &plus, []string{"-a", "f", "-a"}, "A=", `<97 "" false>["f" "-a"]`, "", 0},
		{"long", &probe, []string{"--all", "--be=x=y", "--be", "z", "--color", "--color=w", "--be="}, "A=", `<97 "" false><98 "x=y" true><98 "z" true><99 "" false><99 "w" true><98 "" true>[]`, "", 0},
		{"prefix of one value", &probe, []string{"--al"}, "A=", `<97 "" false>[]`, "", 0},
		{"exact beats prefix", &probe, []string{"--be", "--all"}, "A=", `<98 "--all" true>[]`, "", 0},
		{"ambiguous", &probe, []string{"--col"}, "A=", "", "x: option '--col' is ambiguous; possibilities: '--color' '--column'\n" + try, 2},
		{"ambiguous with value", &probe, []string{"--h=1"}, "A=", "", "x: option '--h=1' is ambiguous; possibilities: '--hide' '--help'\n" + try, 2},
		{"unknown long", &probe, []string{"--nope=1"}, "A=", "", "x: unrecognized option '--nope=1'\n" + try, 2},
		{"unknown short", &probe, []string{"-aZ"}, "A=", `<97 "" false>`, "x: invalid option -- 'Z'\n" + try, 2},
		{"colon", &probe, []string{"-:"}, "A=", "", "x: invalid option -- ':'\n" + try, 2},
		{"plus is no option", &plus, []string{"-+"}, "A=", "", "x: invalid option -- '+'\n" + try, 2},
		{"high byte", &probe, []string{"-\xff"}, "A=", "", "x: invalid option -- '\xff'\n" + try, 2},
		{"needs argument", &probe, []string{"-ab"}, "A=", `<97 "" false>`, "x: option requires an argument -- 'b'\n" + try, 2},
		{"long needs argument", &probe, []string{"--be"}, "A=", "", "x: option '--be' requires an argument\n" + try, 2},
		{"needless argument", &probe, []string{"--all=1"}, "A=", "", "x: option '--all' doesn't allow an argument\n" + try, 2},
		{"version", &probe, []string{"--vers"}, "A=", "x (wsandbox) " + cmdkit.Version + "\n", "", 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			r := cmdtest.Run(t, show(c.syntax), "", "x", c.args, c.env)
			require.Equal(t, cmdtest.Result{Stdout: c.out, Stderr: c.err, Status: c.status}, r)
		})
	}
	r := cmdtest.Run(t, show(&probe), "", "x", []string{"--help"})
	require.Equal(t, 0, r.Status)
	require.True(t, strings.HasPrefix(r.Stdout, "Usage: x [OPTION]... [FILE]...\n  or:  x -b\nHelp text.\n"), r.Stdout)
	require.Contains(t, r.Stdout, "wsandbox")
}

func FuzzOptions(f *testing.F) {
	f.Add("-a\x00--be\x00x\x00--\x00y")
	f.Add("--color=\x00-\x00-cb")
	f.Add("-:\x00--=\x00---")
	f.Fuzz(func(t *testing.T, line string) {
		args := strings.Split(line, "\x00")
		if len(args) > 20 {
			return
		}
		n := 0
		p := cmdkit.New("x", args, nil, -1, -1, -1)
		g := p.Options(&probe)
		for g.Next() {
			n++
		}
		if !g.Stop && n+len(g.Operands) > len(line)+1 {
			t.Fatalf("%q: %d options, operands %q", args, n, g.Operands)
		}
	})
}

// The expected values are those of GNU coreutils 9.1 (ls --quoting-style and
// stat's messages) in the C locale.
func TestQuote(t *testing.T) {
	for _, c := range []struct{ in, af, f, q string }{
		{"a", "'a'", "a", "'a'"},
		{"", "''", "''", "''"},
		{"a b", "'a b'", "'a b'", "'a b'"},
		{"it's", `"it's"`, `"it's"`, `'it\'s'`},
		{"it's $x", `'it'\''s $x'`, `'it'\''s $x'`, `'it\'s $x'`},
		{"a:b", "'a:b'", "'a:b'", "'a:b'"},
		{"a\nb", `'a'$'\n''b'`, `'a'$'\n''b'`, `'a\nb'`},
		{"\n", `''$'\n'`, `''$'\n'`, `'\n'`},
		{"a\n'", `'a'$'\n'\'''`, `'a'$'\n'\'''`, `'a\n\''`},
		{"\x01\xff", `''$'\001\377'`, `''$'\001\377'`, `'\001\377'`},
		{`a\b`, `'a\b'`, `'a\b'`, `'a\\b'`},
		{`a"b`, `'a"b'`, `'a"b'`, `'a"b'`},
		{"~a", "'~a'", "'~a'", "'~a'"},
		{"a~", "'a~'", "a~", "'a~'"},
		{"{", "'{'", "'{'", "'{'"},
		{"{}", "'{}'", "{}", "'{}'"},
		{"a=b", "'a=b'", "'a=b'", "'a=b'"},
	} {
		require.Equal(t, c.af, cmdkit.QuoteAF(c.in), "QuoteAF(%q)", c.in)
		require.Equal(t, c.f, cmdkit.QuoteF(c.in), "QuoteF(%q)", c.in)
		require.Equal(t, c.q, cmdkit.Quote(c.in), "Quote(%q)", c.in)
		if !cmdtest.GNU(t, "stat") || c.in == "" {
			continue
		}
		r, _ := cmdtest.Native(t, "", "stat", []string{c.in})
		require.Equal(t, "stat: cannot statx "+c.af+": No such file or directory\n", r.Stderr)
		r, _ = cmdtest.Native(t, "", "cat", []string{"./x" + c.in})
		require.Equal(t, "cat: "+cmdkit.QuoteF("./x"+c.in)+": No such file or directory\n", r.Stderr)
		r, _ = cmdtest.Native(t, "", "whoami", []string{"x" + c.in})
		require.Equal(t, "whoami: extra operand "+cmdkit.Quote("x"+c.in)+"\n", strings.SplitAfter(r.Stderr, "\n")[0])
	}
}

func FuzzQuote(f *testing.F) {
	for _, s := range []string{"a", "it's", "a\n'b", "\xff\x00'", "{", "#~", `\'`} {
		f.Add(s)
	}
	sh, err := exec.LookPath("bash")
	if err != nil {
		f.Skip("no bash to read the quotes back")
	}
	f.Fuzz(func(t *testing.T, s string) {
		if strings.ContainsRune(s, 0) || len(s) > 1000 {
			return
		}
		out, err := exec.Command(sh, "-c", "printf %s "+cmdkit.QuoteAF(s)+"; printf '|%s' "+cmdkit.QuoteF(s)).Output()
		require.NoError(t, err)
		require.Equal(t, s+"|"+s, string(out))
	})
}

func TestParseUint(t *testing.T) {
	const all = "bcwBkKmMGTPEZY0"
	for _, c := range []struct {
		in  string
		v   uint64
		err cmdkit.NumError
	}{
		{"0", 0, cmdkit.NumOK},
		{" +12", 12, cmdkit.NumOK},
		{"1k", 1024, cmdkit.NumOK},
		{"1kB", 1000, cmdkit.NumOK},
		{"2MiB", 2 << 20, cmdkit.NumOK},
		{"3b", 1536, cmdkit.NumOK},
		{"3w", 6, cmdkit.NumOK},
		{"3c", 3, cmdkit.NumOK},
		{"K", 1024, cmdkit.NumOK},
		{"18446744073709551615", 1<<64 - 1, cmdkit.NumOK},
		{"18446744073709551616", 1<<64 - 1, cmdkit.NumOverflow},
		{"16E", 1<<64 - 1, cmdkit.NumOverflow},
		{"1Y", 1<<64 - 1, cmdkit.NumOverflow},
		{"-1", 0, cmdkit.NumInvalid},
		{"", 0, cmdkit.NumInvalid},
		{"x", 0, cmdkit.NumInvalid},
		{"1x", 1, cmdkit.NumSuffix},
		{"1kx", 1, cmdkit.NumSuffix},
		{"1KiBx", 1, cmdkit.NumSuffix},
	} {
		v, e := cmdkit.ParseUint(c.in, all)
		require.Equal(t, c.v, v, c.in)
		require.Equal(t, c.err, e, c.in)
	}
	_, e := cmdkit.ParseUint("1k", "")
	require.Equal(t, cmdkit.NumSuffix, e)
}

func TestParseSeconds(t *testing.T) {
	for _, c := range []struct {
		in string
		ns int64
		ok bool
	}{
		{"1", 1e9, true}, {"0.5", 5e8, true}, {".25s", 25e7, true}, {"1.5m", 90e9, true}, {"1h", 3600e9, true},
		{"0.0000000001", 1, true}, {"1e3", 1000e9, true}, {"1.5e1m", 900e9, true}, {"25e-2", 25e7, true}, {"1e", 0, false}, {"e1", 0, false}, {"1e9999", 0, false}, {"2d", 2 * 86400e9, true}, {"", 0, false}, {".", 0, false},
		{"-1", 0, false}, {"1x", 0, false}, {"inf", 1 << 62, true}, {"99999999999999999999", 1 << 62 / 1000000000 * 1000000000, true},
	} {
		ns, ok := cmdkit.ParseSeconds(c.in)
		require.Equal(t, c.ok, ok, c.in)
		if ok {
			require.Equal(t, c.ns, ns, c.in)
		}
	}
}

// The expected values are those of GNU numfmt --to=iec and --to=si.
func TestHuman(t *testing.T) {
	for _, c := range []struct {
		n       uint64
		iec, si string
		nearest string
	}{
		{0, "0", "0", "0"}, {1, "1", "1", "1"}, {999, "999", "999", "999"}, {1000, "1000", "1.0k", "1000"},
		{1023, "1023", "1.1k", "1023"}, {1024, "1.0K", "1.1k", "1.0K"}, {1025, "1.1K", "1.1k", "1.0K"},
		{1536, "1.5K", "1.6k", "1.5K"}, {10137, "9.9K", "11k", "9.9K"}, {10138, "10K", "11k", "9.9K"},
		{10240, "10K", "11k", "10K"}, {10241, "11K", "11k", "10K"}, {1047552, "1023K", "1.1M", "1023K"},
		{1047553, "1.0M", "1.1M", "1023K"}, {1048576, "1.0M", "1.1M", "1.0M"}, {1<<64 - 1, "16E", "19E", "16E"},
		{999999, "977K", "1.0M", "977K"}, {123456789, "118M", "124M", "118M"},
	} {
		require.Equal(t, c.iec, string(cmdkit.AppendHuman(nil, c.n, 1, false, cmdkit.Ceiling)), c.n)
		require.Equal(t, c.si, string(cmdkit.AppendHuman(nil, c.n, 1, true, cmdkit.Ceiling)), c.n)
		require.Equal(t, c.nearest, string(cmdkit.AppendHuman(nil, c.n, 1, false, cmdkit.Nearest)), c.n)
		if cmdtest.GNU(t, "numfmt") && c.n < 1<<63 {
			r, _ := cmdtest.Native(t, "", "numfmt", []string{"--to=iec", "--round=up", fmt.Sprint(c.n)})
			require.Equal(t, c.iec+"\n", r.Stdout)
		}
	}
	require.Equal(t, "1.0Z", string(cmdkit.AppendHuman(nil, 1<<60, 1024, false, cmdkit.Ceiling)))
}

func TestBlockSize(t *testing.T) {
	for _, c := range []struct{ arg, want string }{
		{"1K", "3"}, {"K", "3K"}, {"KiB", "3K"}, {"kB", "3kB"}, {"1kB", "3"}, {"512", "5"}, {"human-readable", "2.5K"},
		{"h", "2.5K"}, {"si", "2.5k"}, {"M", "1M"},
	} {
		b, e := cmdkit.ParseBlockSize(c.arg)
		require.Equal(t, cmdkit.NumOK, e, c.arg)
		require.Equal(t, c.want, b.String(5, 500, cmdkit.Ceiling), c.arg)
	}
	for _, arg := range []string{"0", "", "x", "1X", "-1"} {
		_, e := cmdkit.ParseBlockSize(arg)
		require.NotEqual(t, cmdkit.NumOK, e, arg)
	}
}

func TestWidth(t *testing.T) {
	for _, c := range []struct {
		s string
		w int
	}{{"abc", 3}, {"", 0}, {"é", 1}, {"e\u0301", 1}, {"日本", 4}, {"😀", 2}, {"\x01a", 1}, {"\xffa", 1}} {
		require.Equal(t, c.w, cmdkit.Width(c.s), "%q", c.s)
	}
}

func TestReaderLine(t *testing.T) {
	long := strings.Repeat("x", 200000)
	cmdtest.Run(t, func(p *cmdkit.Proc) int {
		var got []string
		for {
			l, ok := p.Stdin.Line('\n')
			if !ok {
				break
			}
			got = append(got, string(l))
		}
		require.NoError(t, p.Stdin.Err)
		require.Equal(t, []string{"a\n", "\n", long + "\n", "end"}, got)
		return 0
	}, "a\n\n"+long+"\nend", "x", nil)
}

func TestWriteError(t *testing.T) {
	p := cmdkit.New("x", nil, nil, -1, -1, -1)
	require.Equal(t, 1, p.Run(func(p *cmdkit.Proc) int { p.Stdout.WriteString("lost"); return 0 }))
	p = cmdkit.New("x", nil, nil, -1, -1, -1)
	require.Equal(t, 0, p.Run(func(p *cmdkit.Proc) int { return 0 }))
	p = cmdkit.New("x", nil, nil, -1, -1, -1)
	require.Equal(t, 3, p.Run(func(p *cmdkit.Proc) int { p.Stdout.WriteString("lost"); return 3 }))
}
