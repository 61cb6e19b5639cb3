// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package interp_test

import (
	"bufio"
	"math/rand/v2"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wsandbox/wsandbox/guests/src/awk/interp"
	"github.com/wsandbox/wsandbox/guests/src/awk/syntax"
	"github.com/wsandbox/wsandbox/guests/src/cmdkit"
	"github.com/wsandbox/wsandbox/guests/src/cmdkit/cmdtest"
	"github.com/wsandbox/wsandbox/guests/src/wsys"
)

// command returns awk with a program and limits.
func command(t testing.TB, c interp.Config, program string) cmdkit.Func {
	t.Helper()
	prog, err := syntax.Parse([]syntax.Source{{Text: program}})
	require.NoError(t, err, program)
	return func(p *cmdkit.Proc) int {
		c.Proc, c.Program, c.Args = p, prog, p.Args
		return interp.Run(&c)
	}
}

func run(t testing.TB, program, stdin string, args ...string) cmdtest.Result {
	t.Helper()
	return cmdtest.Run(t, command(t, interp.Config{}, program), stdin, "awk", args)
}

// The values are those of GNU awk 5.2, original awk and mawk, which agree,
// unless a name says otherwise.
var values = []struct{ program, stdin, want string }{
	{`BEGIN { print 1e6, 1e16, 0.1, 1/3, 1e-5, -0, 2^31, 1e5 * 1e5 }`, "", "1000000 10000000000000000 0.1 0.333333 1e-05 0 2147483648 10000000000\n"},
	{`BEGIN { x["a"]; for (k in x) print k; print length(x), ("b" in x), length(x) }`, "", "a\n1 0 1\n"},
	{`{ print ($1 < $2), ($1 < $2 ""), ($3 == 0), ($9 == 0), ($9 == "") }`, "10 9 0x0\n", "0 1 0 0 1\n"},
	{`{ $3 = "x"; print; print NF; $1 = ""; print; NF = 2; print }`, "a b\n", "a b x\n3\n b x\n b\n"},
	{`BEGIN { i = 5; a[i++] = i; for (k in a) print k, a[k] }`, "", "5 5\n"},
	{`{ $(i++) += 1; print i, $0 }`, "1 2\n", "1 2\n"},
	{`BEGIN { s = "aaa"; n = gsub(/a/, "&&", s); print n, s; gsub(/$/, "!", s); print s; gsub(/^/, "^", s); print s }`, "", "3 aaaaaa\naaaaaa!\n^aaaaaa!\n"},
	{`BEGIN { s = "a b"; gsub(/ */, "-", s); print s; t = "hello"; gsub(/l*/, "x", t); print t }`, "", "-a-b-\nxhxexox\n"},
	{`BEGIN { while (("echo 1; echo 2" | getline x) > 0) s += x; print s }`, "", "3\n"},
	{`function f(n) { return n < 2 ? n : f(n-1) + f(n-2) } BEGIN { print f(15) }`, "", "610\n"},
	{`function f(a, k) { a[k] = k; if (k > 0) f(a, k - 1) } BEGIN { f(z, 3); print length(z), z[2] }`, "", "4 2\n"},
	{`BEGIN { x = "a"; for (i = 0; i < 3; i++) { y = x; x = x "b"; z = z y "," } print x, y, z }`, "", "abbb abb a,ab,abb,\n"},
	{`BEGIN { s = s "a"; t = s; s = s "b"; t = t "c"; s = s "d"; print s, t }`, "", "abd ac\n"},
	{`function g(p) { p = p "z"; return p } BEGIN { a = g("x"); b = g(a); c = g(a); print a, b, c }`, "", "xz xzz xzz\n"},
	{`BEGIN { printf "%5.1f|%-6d|%06.2f|%+.2e|%x|%c%c\n", 3.14159, 42, 3.14159, 31415.9, 255, 65, "hello" }`, "", "  3.1|42    |003.14|+3.14e+04|ff|Ah\n"},
	{`BEGIN { printf "%s %d %i %o %u %X %g %G %%\n", "s", -3.9, 7.9, 8, 9, 171, 1e10, 1e-10 }`, "", "s -3 7 10 9 AB 1e+10 1E-10 %\n"},
	{`BEGIN { CONVFMT = "%d"; a[12.7] = 1; for (k in a) print k; OFMT = "%.1f"; print 2.25, 2.25 "" }`, "", "12\n2.2 2\n"},
	{`BEGIN { CONVFMT = "%s"; OFMT = "%5s"; x = 0.1; print x "", x; CONVFMT = "%.2fs"; print x "" }`, "", "0.1 0.1\n0.10s\n"},
	{`{ n = split($0, a); print n, a[1], a[n]; if (NR == 2) delete a[1]; if (NR == 4) a["x"]; }`, "a b\nc d\ne f\ng h\ni j\nk l m\nn\n", "2 a b\n2 c d\n2 e f\n2 g h\n2 i j\n3 k m\n1 n n\n"},
	{`BEGIN { printf "%s %s|", sprintf("%s-%s", 1, 2), sprintf("%s-%s", 3, sprintf("%d", 4)); f = "%*.*f|%c\n"; printf f, 7, 2, 3.14159, "xyz" }`, "", "1-2 3-4|   3.14|x\n"},
	{`BEGIN { FS = "," } { print NF, $2; FS = ";" }`, "a,b\nc;d,e\n", "2 b\n2 d,e\n"},
	{`BEGIN { RS = "" } { n = split($0, a, "\n"); print NR, NF, n, $NF }`, "\n\na b\nc\n\n\nd\n", "1 3 2 c\n2 1 1 d\n"},
	{`BEGIN { RS = "ab+" } { printf "[%s]", $0 } END { print NR }`, "1abb2ab3", "[1][2][3]3\n"},
	{`END { print $0, NF, NR }`, "a b\nc d e\n", "c d e 3 2\n"},
	{`NR == 1 { next } { print } NR == 2 { exit } END { print "e" }`, "1\n2\n3\n", "2\ne\n"},
	{`/a/, /b/ { print NR ":" $0 }`, "x\na\ny\nb\nz\na b\nw\n", "2:a\n3:y\n4:b\n6:a b\n"},
	{`{ getline x; print x, NR; getline; print $0, NR }`, "1\n2\n3\n", "2 2\n3 3\n"},
	{`BEGIN { print length("x" 1 2), 1 2 + 3, "a" > "/dev/stdout" }`, "", "3 15 a\n"},
	{`BEGIN { print substr("hello", 2), substr("hello", 2, 2), index("hello", "lo"), toupper("aé"), match("foo", /o+/), RSTART, RLENGTH }`, "", "ello el 4 Aé 2 2 2\n"},
	{`BEGIN { $0 = "3 4"; print $1 * $2, NF; $5 = 1; print; print $4 == "" }`, "", "12 2\n3 4   1\n1\n"},
	{`BEGIN { a = "10"; b = 9; print (a < b), (a + 0 < b), (a < b "") }`, "", "1 0 1\n"},
	{`{ a[$1] = $2 } END { delete a["x"]; for (k in a) n++; print n, ("x" in a) }`, "x 1\ny 2\nz 3\n", "2 0\n"},
	{`BEGIN { for (i = 0; i < 1000; i++) a[i] = i; for (i = 0; i < 990; i++) delete a[i]; for (i = 2000; i < 2010; i++) a[i]; for (k in a) s = s " " k; print length(a) s }`, "",
		"20 990 991 992 993 994 995 996 997 998 999 2000 2001 2002 2003 2004 2005 2006 2007 2008 2009\n"},
	{`BEGIN { exit 1 } END { print "end" }`, "", "end\n"},
	{`{ sum += $1 } END { printf "%.2f %d\n", sum / NR, NR }`, "1.5\n2.5\n+1\n-1\n1e1\n.5\n", "2.42 6\n"},
	{`BEGIN { x = "A"; y = x++; print x, y, -"3x", !x, !"", 1 - 1 " " 2 }`, "", "1 0 -3 0 1 0 2\n"},
	{`BEGIN { print "a" "b" == "ab", 2 < 10, "2" < "10", 1 in z, (1, 2) in z }`, "", "1 1 0 0 0\n"},
	{`{ print; if ($0 == "q") nextfile; print "-" } END { print NR }`, "a\nq\nb\n", "a\n-\nq\n2\n"},
	{`BEGIN { print "b\na" | "sort"; close("sort"); print system("exit 7") }`, "", "a\nb\n7\n"},
	{`BEGIN { print toupper(sprintf("%c", 97)) sprintf("%s%%", 5) }`, "", "A5%\n"},
}

func TestValues(t *testing.T) {
	for _, c := range values {
		r := run(t, c.program, c.stdin)
		require.Equal(t, c.want, r.Stdout, "%s: %s", c.program, r.Stderr)
		require.Empty(t, r.Stderr, c.program)
	}
}

func TestFatal(t *testing.T) {
	for _, c := range []struct {
		program, stdin, msg string
	}{
		{"{ x = 1\n  print 1 / (x - $1) }", "0\n1\n", "awk: cmd. line:2: (FILENAME=- FNR=2) fatal: division by zero attempted\n"},
		{`BEGIN { print $(-1) }`, "", "awk: cmd. line:1: fatal: attempt to access field -1\n"},
		{`BEGIN { $(2^40) = 1 }`, "", "awk: cmd. line:1: fatal: too many fields\n"},
		{`BEGIN { NF = 1e9 }`, "", "awk: cmd. line:1: fatal: too many fields\n"},
		{`BEGIN { NF = -1 }`, "", "awk: cmd. line:1: fatal: NF set to negative value\n"},
		{`BEGIN { x = "("; print "a" ~ x }`, "", "awk: cmd. line:1: fatal: invalid regexp: Unmatched ( or \\(: /(/\n"},
		{`function f() { f() } BEGIN { f() }`, "", "awk: cmd. line:1: fatal: function `f': calls nested too deeply (10000)\n"},
		{`BEGIN { printf "%*d", 2^30, 1 }`, "", "awk: cmd. line:1: fatal: printf: width or precision too large\n"},
		{`BEGIN { a[1] = 1; a[1][2] = 3 }`, "", "awk: cmd. line:1: fatal: attempt to use a scalar value as array\n"},
		{`BEGIN { a[1][2] = 3; print a[1] }`, "", "awk: cmd. line:1: fatal: attempt to use an array in a scalar context\n"},
		{`BEGIN { print > "" }`, "", "awk: cmd. line:1: fatal: expression for `>' redirection has null string value\n"},
		{`BEGIN { PROCINFO["sorted_in"] = "none"; a[1]; for (k in a); }`, "", "awk: cmd. line:1: fatal: sort comparison function `none' is not defined\n"},
		{`BEGIN { x = and(-1, 1) }`, "", "awk: cmd. line:1: fatal: and: argument 1 negative value -1 is not allowed\n"},
	} {
		r := run(t, c.program, c.stdin)
		require.Equal(t, c.msg, r.Stderr, c.program)
		require.Equal(t, 2, r.Status, c.program)
	}
}

// TestLimits holds programs to their limits: each ends with a message.
func TestLimits(t *testing.T) {
	for _, c := range []struct {
		program, msg string
		config       interp.Config
	}{
		{`BEGIN { x = "ab"; while (1) x = x x }`, "memory exhausted", interp.Config{Longest: 1 << 20}},
		{`BEGIN { x = "ab"; while (1) x = x "abc" x }`, "memory exhausted", interp.Config{Longest: 1 << 20}},
		{`BEGIN { x = "ab"; while (1) gsub(/b/, "bbbbbbbb", x) }`, "memory exhausted", interp.Config{Longest: 1 << 20}},
		{`BEGIN { x = "ab"; while (1) x = gensub(/b/, "bbbbbbbb", "g", x) }`, "memory exhausted", interp.Config{Longest: 1 << 20}},
		{`BEGIN { x = "%1000000d"; while (1) x = sprintf(x x x x x, 1, 2, 3, 4, 5) "%1000000d" }`, "memory exhausted", interp.Config{Longest: 1 << 20}},
		{`BEGIN { x = "ab"; while (1) { $0 = x; $2 = $1 $1; x = $0 x } }`, "memory exhausted", interp.Config{Longest: 1 << 20}},
		{`BEGIN { while (1); }`, "too many steps", interp.Config{Steps: 1000}},
		{`function f(n) { return n ? f(n - 1) + f(n - 1) : 0 } BEGIN { f(60) }`, "too many steps", interp.Config{Steps: 1000}},
		{`BEGIN { system("true") }`, "'system' function not allowed in sandbox mode", interp.Config{Sandbox: true}},
		{`BEGIN { "true" | getline }`, "redirection not allowed in sandbox mode", interp.Config{Sandbox: true}},
		{`BEGIN { print > "x" }`, "redirection not allowed in sandbox mode", interp.Config{Sandbox: true}},
		{`BEGIN { getline < "x" }`, "redirection not allowed in sandbox mode", interp.Config{Sandbox: true}},
	} {
		r := cmdtest.Run(t, command(t, c.config, c.program), "", "awk", nil)
		require.Contains(t, r.Stderr, c.msg, c.program)
		require.Equal(t, 2, r.Status, c.program)
	}
}

// TestManyFiles writes to more files than there may be descriptors.
func TestManyFiles(t *testing.T) {
	t.Chdir(t.TempDir())
	r := run(t, `BEGIN { for (k = 0; k < 2; k++) for (i = 0; i < 1500; i++) print k > "f" i }`, "")
	require.Equal(t, cmdtest.Result{}, r)
	for _, i := range []int{0, 700, 1499} {
		b, err := os.ReadFile("f" + strconv.Itoa(i))
		require.NoError(t, err)
		require.Equal(t, "0\n1\n", string(b))
	}
}

// TestBlocks reads records of all lengths around the sizes of blocks.
func TestBlocks(t *testing.T) {
	var in, want strings.Builder
	for i, n := range []int{0, 1, 8100, 8191, 8192, 8193, 40000, 65535, 65536, 65537, 200000, 3} {
		line := strings.Repeat("x", n/2) + " " + strings.Repeat("y", n-n/2)
		in.WriteString(line + "\n")
		want.WriteString(strconv.Itoa(i+1) + " " + strconv.Itoa(n+1) + " " + strconv.Itoa(n/2) + "\n")
	}
	for _, rs := range []string{`"\n"`, `"\n+"`, `"(\n)"`} {
		r := run(t, `BEGIN { RS = `+rs+` } { i = index($0, " "); print NR, length($0), i - 1 }`, in.String())
		require.Equal(t, want.String(), r.Stdout, rs)
	}
	// Everything that is kept stays as it was.
	r := run(t, `{ a[NR] = $2; b[NR] = $0; v = v substr($0, 1, 1) } END { for (i = 1; i <= NR; i++) n += length(a[i]) + length(b[i]); print n, length(v) }`, strings.Repeat("key value here\n", 20000))
	require.Equal(t, "380000 20000\n", r.Stdout)
}

func FuzzRun(f *testing.F) {
	for _, c := range values {
		f.Add(c.program, c.stdin)
	}
	f.Add(`BEGIN { FPAT = "[^,]*"; RS = ";" } { IGNORECASE = NR; NF += 1; $(NF) = $1; n = split($0, a, /x*/, s); asort(a); print gensub(/(.)(.)/, "\\2\\1", "g"), n }`, "a,b;c,,d;")
	f.Add(`BEGIN { FIELDWIDTHS = "2 1:3 *"; CONVFMT = "%c" } { a[$1 / 3][$2]++; switch ($3) { case /a/: delete a; default: print strftime("%c", $1, 1), mktime($0) } }`, "12 345 67\n")
	f.Fuzz(func(t *testing.T, program, stdin string) {
		prog, err := syntax.Parse([]syntax.Source{{Text: program}})
		if err != nil {
			return
		}
		cmdtest.Run(t, func(p *cmdkit.Proc) int {
			return interp.Run(&interp.Config{Proc: p, Program: prog, Sandbox: true, Steps: 500, Longest: 1 << 16})
		}, stdin, "awk", nil)
	})
}

func benchmark(b *testing.B, program, line string) {
	in := strings.Repeat(line, 1<<20/len(line))
	b.SetBytes(int64(len(in)))
	b.ReportAllocs()
	f := command(b, interp.Config{}, program)
	for b.Loop() {
		if r := cmdtest.Run(b, f, in, "awk", nil); r.Status != 0 {
			b.Fatal(r.Stderr)
		}
	}
}

func BenchmarkSum(b *testing.B) { benchmark(b, `{ s += $3 } END { print s }`, "alpha 12 345.5 beta\n") }
func BenchmarkFields(b *testing.B) {
	benchmark(b, `BEGIN { FS = "," } { print $2 }`, "alpha,12,345.5,beta\n")
}
func BenchmarkWords(b *testing.B) {
	benchmark(b, `{ for (i = 1; i <= NF; i++) c[$i]++ }`, "the quick brown fox jumps over the lazy dog\n")
}
func BenchmarkMatch(b *testing.B) {
	benchmark(b, `/err/ { n++ }`, "the quick brown fox jumps over the lazy dog\n")
}
func BenchmarkGsub(b *testing.B) {
	benchmark(b, `{ gsub(/fox/, "cat"); print }`, "the quick brown fox jumps over the lazy dog\n")
}

// TestHostSearch runs programs over random text with the host's searches for
// everything, for what is worth it, and for nothing: the output must be the
// same.
func TestHostSearch(t *testing.T) {
	defer func(n int) { wsys.Worth = n }(wsys.Worth)
	rng := rand.New(rand.NewPCG(11, 12))
	for size := range 4 {
		var b strings.Builder
		for range []int{3, 200, 5000, 60000}[size] {
			switch rng.IntN(9) {
			case 0:
				b.WriteByte('\n')
			case 1:
				b.WriteString("  ")
			case 2:
				b.WriteByte(" :,;\t"[rng.IntN(3+size%3)])
			default:
				b.WriteString([]string{"fox", "ant", "12", "-3.5", "the", "é", "x", strings.Repeat("long", 9)}[rng.IntN(8)])
				b.WriteByte(" :"[rng.IntN(9)/8])
			}
		}
		if size%2 == 1 {
			b.WriteString("\n")
		}
		if size == 3 {
			b.WriteString(strings.Repeat("word ", 30000) + "\nend of it\n")
		}
		for _, program := range []string{
			`{ s += $3; t = t $1; u = u $NF } END { print s, NR, NF, $0; print length(t), length(u) }`,
			`BEGIN { FS = ":" } { print $2, NF; n += NF } END { print n }`,
			`{ for (i = 1; i <= NF; i++) c[$i]++ } END { for (k in c) print k, c[k] }`,
			`{ print $1 }`, `{ print $NF, $2 } END { print NF, $1 }`, `BEGIN { FS = ":"; OFS = "<>"; ORS = "\r\n" } { print $2, $0, $9, $1 } END { print NR }`, `{ print $3 > "/dev/stdout" }`,
			`/fox/ { n++; print NR, $2 } END { print n, NR }`,
			`/fox.*ant$/`, `/^$/ { n++ } END { print n }`, `/fox/ { getline; print NR, $1; getline x; print x, NR, $2 }`,
			`{ getline x; print $1, x, NF; $2 = "q"; print }`,
			`{ print $1; if (NR % 5 == 0) FS = FS == ":" ? " " : ":"; if (NR == 40) RS = ";" } END { print NR }`,
			`/fox/ { if (++n > 3) { print $2; nextfile } print FNR }`,
			`/fox/ { if (++n == 2) IGNORECASE = 1; if (n == 5) IGNORECASE = 0; if (n == 9) RS = "n"; print NR ":" $0 }`,
			`function f() { next } /ant/ { if (n++ % 3) f(); print NR } END { print n }`,
			`BEGIN { while ((getline l) > 0) n += length(l); print n, NR }`,
		} {
			var want cmdtest.Result
			for i, worth := range []int{1 << 40, 0, 192} {
				wsys.Worth = worth
				r := run(t, program, b.String())
				if i == 0 {
					want = r
					require.Empty(t, r.Stderr, program)
				} else if r != want {
					t.Fatalf("%s: size %d, worth %d: %.200q, not %.200q", program, size, worth, r.Stdout+r.Stderr, want.Stdout)
				}
			}
		}
	}
}

// TestLineAtOnce feeds a program through a pipe: it must act on each line
// before the next is written.
func TestLineAtOnce(t *testing.T) {
	inR, inW, err := os.Pipe()
	require.NoError(t, err)
	outR, outW, err := os.Pipe()
	require.NoError(t, err)
	done := make(chan int)
	p := cmdkit.New("awk", nil, cmdtest.Env, wsys.FD(inR.Fd()), wsys.FD(outW.Fd()), 2)
	go func() {
		done <- p.Run(command(t, interp.Config{}, `/e/ { print NR ": " $1; fflush() } $1 == "q" { exit 3 }`))
	}()
	out := bufio.NewReader(outR)
	for i, line := range []string{"one x", "three", "e"} {
		_, err := inW.WriteString(line + "\n")
		require.NoError(t, err)
		got, err := out.ReadString('\n')
		require.NoError(t, err)
		require.Equal(t, strconv.Itoa(i+1)+": "+strings.Fields(line)[0]+"\n", got)
	}
	_, err = inW.WriteString("q\n")
	require.NoError(t, err)
	require.Equal(t, 3, <-done)
	for _, f := range []*os.File{inR, inW, outR, outW} {
		require.NoError(t, f.Close())
	}
}
