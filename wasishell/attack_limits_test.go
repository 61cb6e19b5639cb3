// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package wasishell_test

import (
	"os"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/wasishell"
)

// A bomb is a script that wants more than it may have.
type bomb struct {
	name   string
	script string
	limits wasishell.Limits
	out    string    // at the end of both outputs
	says   string    // somewhere in both outputs
	code   int       // -1: any
	limit  abi.Limit // that the command reports
}

const (
	mb = 1 << 20
	// tight is enough for a shell and some commands.
	tight = 48 * mb
)

var bombs = []bomb{
	// Output, words, numbers, patterns.
	{name: "G2 yes", script: `yes`, limits: wasishell.Limits{Output: mb}, code: 128 + 25, limit: abi.LimitOutput},
	{name: "G2 output of a descendant", script: `(yes | cat) & wait`, limits: wasishell.Limits{Output: mb}, code: 128 + 25, limit: abi.LimitOutput},
	{name: "G2 error output", script: `yes >&2`, limits: wasishell.Limits{Output: mb}, code: 128 + 25, limit: abi.LimitOutput},
	{name: "G2 zeros", script: `cat /dev/zero`, limits: wasishell.Limits{Output: mb}, code: 128 + 25, limit: abi.LimitOutput},
	{name: "G2 huge width", script: `printf %1000000000d 1; printf '%*d' 2147483647 1; printf -v x %.2000000000f 1; printf '%s' "${#x}"`, out: "0", says: "too large", code: 0},
	{name: "G2 doubling", script: `x=x; while :; do x=$x$x; done`, limits: wasishell.Limits{Memory: tight}, code: -1},
	{name: "G2 doubling by +=", script: `x=x; while :; do x+=$x; done`, limits: wasishell.Limits{Memory: tight}, code: -1},
	{name: "G2 array", script: `a=(1 2 3 4); while :; do a+=("${a[@]}"); done`, limits: wasishell.Limits{Memory: tight}, code: -1, limit: abi.LimitMemory},
	{name: "G2 associative array", script: `declare -A a; while :; do a[$((i++))]=xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx$i; done`, limits: wasishell.Limits{Memory: 16 * mb}, code: -1, limit: abi.LimitMemory},
	{name: "G2 sparse array", script: `a[9223372036854775807]=x; a[-1]=y; b=("${a[@]}"); unset 'a[0]'; echo ${#a[@]} ${#b[@]}`, out: "1 1\n", code: 0},
	{name: "G2 braces", script: `echo {1..100000000}; echo not`, says: "too many", code: 1},
	{name: "G2 product of braces", script: `echo {a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}{a,b}; echo not`, says: "too many", code: 1},
	{name: "G2 range of letters and steps", script: `echo {1..9223372036854775807..9223372036854775806}; echo {-9223372036854775808..-9223372036854775806} | wc -w`, out: "1 9223372036854775807\n3\n", code: 0},
	{name: "G2 nested braces", script: `eval "echo $(printf '{%.0s' {1..1000})a,b$(printf '}%.0s' {1..1000})" | wc -c`, out: "4000\n", code: 0},
	{name: "G2 glob", script: `mkdir -p d/{1..10}; set -- */*/../*/../*/../*; echo $#`, out: "10000\n", code: 0},
	{name: "G2 star pattern", script: `x=$(printf 'a%.0s' {1..3000}); case $x in *a*a*a*a*a*a*a*a*a*a*a*a*b) ;; *) echo no;; esac`, out: "no\n", code: 0},
	{name: "G2 extended pattern", script: `shopt -s extglob; x=$(printf 'a%.0s' {1..300}); case $x in +(+(+(a)|b)|*(*(a|aa)))c) ;; *) echo no;; esac; echo ${x//+(a|aa)c/} | wc -c`, out: "no\n301\n", code: 0},
	{name: "G2 regular expression", script: `x=$(printf 'a%.0s' {1..3000}); [[ $x =~ ^((a*)*(a|aa)*)*b$ ]]; echo $?; [[ $x =~ (x{1,1000}){1,1000} ]]; echo $?; echo $x | grep -cE '(a|aa)*(a*)*b'; echo $x | sed -E 's/(a*)*b/x/' | wc -c`, out: "1\n2\n0\n3001\n", code: 0},
	{name: "G2 back-references", script: `echo $(printf 'a%.0s' {1..40}) | timeout 5 grep -cE '(a*)*(a*)*(a*)*\1\2\3b'`, out: "0\n", code: -1},
	{name: "G2 arithmetic", script: `echo $((2**1000000000)) $((1<<1000000000)) $((-9223372036854775808/-1)) $((-9223372036854775808%-1)) $((16#ffffffffffffffffffffff))`, out: "0 1 -9223372036854775808 0 -1\n", code: 0},
	{name: "G2 wide lines", script: `head -c 4000000 /dev/zero | sed s/x/y/ | wc -c; head -c 4000000 /dev/zero | cut -c 1-3 | wc -c; head -c 4000000 /dev/zero | grep -c x`, out: "4000000\n4\n0\n", code: 1},
	{name: "G2 records without end", script: `awk 'BEGIN { while ((getline l < "/dev/zero") > 0); }'; echo $?; awk 1 /dev/zero; echo $?`, limits: wasishell.Limits{Memory: 512 * mb}, out: "2\n", says: "memory exhausted\n2\nawk: ", code: 0},
	{name: "G2 lines without end", script: `sort /dev/zero; tac /dev/zero; tail -c 1000000000 /dev/zero; tail -n 1 /dev/zero; sed p /dev/zero; fold /dev/zero | head -c 10 | wc -c; echo ${PIPESTATUS[2]}`, limits: wasishell.Limits{Memory: tight, Output: 200 * mb}, out: "10\n0\n", code: 0},

	// Recursion.
	{name: "G3 function", script: `f() { f; }; f; echo not`, says: "maximum function nesting level exceeded", code: 1},
	{name: "G3 function in a subshell", script: `f() { (f); }; f; echo after`, says: "nesting level exceeded", out: "after\n", code: 0},
	{name: "G3 substitution", script: `f() { x=$(f); }; f; echo after`, says: "nesting level exceeded", out: "after\n", code: 0},
	{name: "G3 pipeline", script: `f() { f | cat; }; f; echo after`, limits: wasishell.Limits{Processes: 80}, out: "after\n", code: -1},
	{name: "G3 eval", script: `e='eval "$e"'; eval "$e"; echo after`, says: "nesting level exceeded", out: "after\n", code: 0},
	{name: "G3 source", script: `echo '. ./s' > s; . ./s; echo after`, says: "nesting level exceeded", out: "after\n", code: 0},
	{name: "G3 trap", script: `trap 'false' ERR; set -E; f() { false; f; }; f`, says: "nesting level exceeded", code: 1},
	{name: "G3 variables in arithmetic", script: `x=y; y=x; echo $((x)); echo not`, says: "expression recursion level exceeded", code: 1},
	{name: "G3 subscripts", script: `a='a[a]'; echo $((a[a]))`, says: "recursion", code: 1},
	{name: "G3 nested parentheses", script: `eval "$(printf '(%.0s' {1..3000})echo$(printf ')%.0s' {1..3000})"; echo after`, out: "after\n", code: 0},
	{name: "G3 nested substitutions", script: `eval "$(printf 'echo $(%.0s' {1..3000})echo$(printf ')%.0s' {1..3000})"; echo after`, out: "after\n", code: 0},
	{name: "G3 nested braces", script: `eval "$(printf '{ %.0s' {1..3000}):;$(printf ' };%.0s' {1..3000})"; echo after`, out: "after\n", code: 0},
	{name: "G3 nested ifs", script: `eval "$(printf 'if :; then %.0s' {1..3000}):; $(printf 'fi;%.0s' {1..3000})"; echo after`, out: "after\n", code: 0},
	{name: "G3 nested arithmetic", script: `eval "echo \$(($(printf '(%.0s' {1..3000})1$(printf ')%.0s' {1..3000})))"; echo after`, out: "after\n", code: 0},
	{name: "G3 nested parameters", script: `eval "echo $(printf '${x:-%.0s' {1..2000})a$(printf '}%.0s' {1..2000})"; echo after`, out: "a\nafter\n", code: 0},
	{name: "G3 too deeply nested parameters", script: `bash -c 'eval "echo $(printf "\${x:-%.0s" {1..20000})a$(printf "}%.0s" {1..20000})"'; echo after`, out: "after\n", code: 0},
	{name: "G3 nested tests", script: `eval "[[ $(printf '( %.0s' {1..3000}) a $(printf ') %.0s' {1..3000}) ]]"; echo after; [ $(printf '! %.0s' {1..1000}) a ]; echo after`, out: "after\n", code: 0},
	{name: "G3 nested groups of a regular expression", script: `r=$(printf '(%.0s' {1..5000})a$(printf ')%.0s' {1..5000}); echo a | grep -E "$r" | head -c 10; echo a | sed -E "s/$r/b/" 2>&1 | head -c 10; [[ a =~ $r ]]; echo after`, out: "after\n", code: 0},
	{name: "G3 module", script: `./recurse.wasm; echo $?`, says: "stack overflow", out: "139\n", code: 0},
	{name: "G3 script that runs itself", script: `printf '#!/bin/sh\n"$0"\n' > r; chmod +x r; ./r; echo after`, limits: wasishell.Limits{Processes: 40}, says: "fork: Resource temporarily unavailable", out: "after\n", code: 0},
	{name: "G3 interpreters", script: `printf '#!%s/i\n' "$PWD" > i; chmod +x i; ./i; echo $?`, says: "Too many levels of symbolic links", out: "126\n", code: 0},

	// Processes. Most of these die of themselves, as no process can be made.
	{name: "G4 fork bomb", script: `:(){ :|:& };:`, says: "fork: Resource temporarily unavailable", limits: wasishell.Limits{Processes: 20}, code: -1},
	{name: "G4 fork bomb, default limit", script: `:(){ :|:& };: ; sleep 100`, says: "fork: Resource temporarily unavailable", code: 137, limit: abi.LimitProcesses},
	{name: "G4 bomb in a pipeline", script: `f(){ f|f& };f; wait`, says: "fork: Resource temporarily unavailable", limits: wasishell.Limits{Processes: 64}, code: -1},
	{name: "G4 bomb of lists", script: `f(){ f & f & wait; }; f`, says: "fork: Resource temporarily unavailable", limits: wasishell.Limits{Processes: 64}, code: -1},
	{name: "G4 bomb of substitutions", script: `f(){ x=$(f & f &) & f <(f) & }; f; wait`, says: "fork: Resource temporarily unavailable", limits: wasishell.Limits{Processes: 64}, code: -1},
	{name: "G4 bomb of programs", script: `printf '#!/bin/sh\n"$0" & "$0" &\nwait\n' > b; chmod +x b; ./b`, says: "fork: Resource temporarily unavailable", limits: wasishell.Limits{Processes: 64}, code: -1},
	{name: "G4 bomb in sessions of their own", script: `printf '#!/bin/bash\nset -m\ntrap "" HUP TERM INT\n"$0" & "$0" & disown -a\nsleep 1\n' > b; chmod +x b; ./b`, says: "fork: Resource temporarily unavailable", limits: wasishell.Limits{Processes: 64}, code: -1},
	{name: "G4 background jobs", script: `while :; do sleep 1000 & done`, says: "fork: Resource temporarily unavailable", limits: wasishell.Limits{Processes: 100}, code: 254, limit: abi.LimitProcesses},
	{name: "G4 background lists", script: `while :; do { sleep 1000; :; } & done`, says: "fork: Resource temporarily unavailable", limits: wasishell.Limits{Processes: 100}, code: 254, limit: abi.LimitProcesses},
	{name: "G4 ended jobs do not count", script: `for i in {1..300}; do : & true & done; wait; echo done`, limits: wasishell.Limits{Processes: 40}, out: "done\n", code: 0},
	{name: "G4 ulimit -u", script: `ulimit -u 10; for i in {1..20}; do sleep 1000 & done; echo not`, says: "fork: Resource temporarily unavailable", code: 254, limit: abi.LimitProcesses},
	{name: "G4 xargs waits", script: `seq 200 | xargs -P 100 -n 1 echo | wc -l`, limits: wasishell.Limits{Processes: 30}, code: -1},

	// Descriptors.
	{name: "G5 descriptors", script: `while exec {x}< /dev/null; do :; done; echo after`, limits: wasishell.Limits{Files: 64}, says: "Too many open files", out: "after\n", code: 0},
	{name: "G5 pipes", script: `f() { : | f; }; f; echo after`, limits: wasishell.Limits{Files: 64}, says: "Too many open files", out: "after\n", code: -1},
	{name: "G5 process substitutions", script: `set --; for i in {1..200}; do set -- "$@" "<(:)"; done; eval cat "$@"; echo after`, limits: wasishell.Limits{Files: 64}, out: "after\n", code: -1},
	{name: "G5 descriptions of all", script: `for i in {1..20}; do (for k in {1..30}; do exec {x}< /dev/null || exit; done; sleep 1000) & done; wait -n; exec {y}< /dev/null; echo after`, limits: wasishell.Limits{OpenFiles: 200}, says: "Too many open files in system", code: -1},
	{name: "G5 ulimit -n", script: `ulimit -n 10; exec 3< /dev/null 4< /dev/null 5< /dev/null 6< /dev/null; : | : | :; true; echo after`, says: "Too many open files", out: "after\n", code: -1},

	// Disk.
	{name: "G6 full", script: `cat /dev/zero > /tmp/f; echo $?; wc -c < /tmp/f | grep -c '^[89]......$'; echo more > /tmp/g; cat /tmp/g; rm /tmp/f; echo again > /tmp/g && cat /tmp/g`, limits: wasishell.Limits{Disk: 8 * mb}, says: "No space left on device", out: "again\n", code: 0},
	{name: "G6 as little as said", script: `head -c 20000 /dev/zero > /tmp/f; wc -c < /tmp/f | grep -cx '[89]...'; rm /tmp/f; echo fits > ~/g && cat ~/g`, limits: wasishell.Limits{Disk: 10 << 10}, says: "No space left on device", out: "1\nfits\n", code: 0},
	{name: "G6 size of a file", script: `head -c 2000000 /dev/zero > f; echo $?; stat -c %s f; truncate -s 1T /tmp/g; echo $?; { truncate -s 2M f; dd if=/dev/zero of=f bs=1 seek=1T count=1; } 2> /dev/null; stat -c %s f`, limits: wasishell.Limits{FileSize: mb}, says: "File size limit exceeded", out: "153\n1048576\n", code: -1},
	{name: "G6 sparse", script: `truncate -s 7G /tmp/s && dd if=/dev/zero of=/tmp/s bs=1 seek=8000000000 count=1 conv=notrunc 2> /dev/null && stat -c %s /tmp/s; head -c 8000000000 /dev/zero | head -c 1 | wc -c`, out: "8000000001\n1\n", code: 0},
	{name: "G6 number of files", script: `cd /tmp; while : > f$((i++)); do :; done; ls | wc -l | grep -c '...'; mkdir d; rm f1 && : > g && rm -f f* && echo again`, limits: wasishell.Limits{Inodes: 500}, says: "No space left on device", out: "again\n", code: 0},
	{name: "G6 depth", script: `cd /tmp; i=0; p=$(printf 'dddddddd/%.0s' {1..50}); while mkdir -p $p && cd $p; do i=$((i+50)); done; [ $i -gt 400 ] && cd /tmp && rm -r dddddddd && ls`, says: "File name too long", code: 0},
	{name: "G6 ulimit -f", script: `ulimit -f 1; head -c 100000 /dev/zero > q; echo $?; stat -c %s q`, out: "153\n1024\n", code: 0},
	{name: "G6 here-document and string", script: `x=$(printf 'x%.0s' {1..1000}); for i in {1..12}; do x=$x$x; done; cat <<< $x | wc -c; wc -c << E` + "\n$x\nE", out: "4096001\n", code: 0},

	// Memory.
	{name: "G7 module", script: `./grow.wasm; echo $?`, limits: wasishell.Limits{Memory: tight}, out: "132\n", code: 0},
	{name: "G7 shell", script: `x=$(cat /dev/zero | tr '\0' a)`, limits: wasishell.Limits{Memory: tight}, code: -1},
	{name: "G7 all together", script: `for i in 1 2 3 4 5 6 7 8; do ./grow.wasm & done; wait; echo after`, limits: wasishell.Limits{Memory: 100 * mb, TotalMemory: 150 * mb}, out: "after\n", code: 0},
	{name: "G7 ulimit -v", script: `(ulimit -v 20000; sh -c 'x=x; while :; do x=$x$x; done'); echo after`, out: "after\n", code: 0},
	{name: "G7 list of files", script: `find / -name x -o -print | sort | uniq -c | sort -rn | wc -l | grep -c .`, limits: wasishell.Limits{Memory: tight}, out: "1\n", code: 0},

	// Arguments.
	{name: "G8 arguments", script: `x=$(printf 'a%.0s' {1..100000}); /bin/echo $x$x$x$x$x$x$x$x$x$x$x$x$x$x$x$x$x$x$x$x$x$x; echo $?; a=({1..200000}); /bin/true "${a[@]}"; echo $?; export X=$x$x$x$x$x$x$x$x$x$x$x$x$x$x$x$x$x$x$x$x$x$x; /bin/true; echo $?`, says: "Argument list too long", out: "126\n", code: 0},
	{name: "G8 many variables", script: `for i in {1..20000}; do export v$i=xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx; done; /bin/true; echo $?`, says: "Argument list too long", out: "126\n", code: 0},
	{name: "G8 xargs splits", script: `seq 200000 | xargs echo | wc -w; seq 200000 | xargs -n 300000 true 2>&1 | head -c 100 | wc -l; find / / / / -maxdepth 1 -print0 | xargs -0 ls -d > /dev/null && echo after`, out: "after\n", code: 0},

	// Processor time.
	{name: "G1 processor time", script: `while :; do :; done`, limits: wasishell.Limits{CPU: 300 * time.Millisecond}, code: -1, limit: abi.LimitCPU},
	{name: "G1 processor time of a module", script: `./spin.wasm; echo $?`, limits: wasishell.Limits{CPU: 300 * time.Millisecond}, out: "152\n", code: 0},
	{name: "G1 deaf to the limit", script: `trap '' XCPU; while :; do :; done`, limits: wasishell.Limits{CPU: 200 * time.Millisecond}, code: 137, limit: abi.LimitCPU},
	{name: "G1 sleep is free", script: `sleep 0.5; echo after`, limits: wasishell.Limits{CPU: 400 * time.Millisecond}, out: "after\n", code: 0},
}

// TestAttackBombs is G of the list: what wants too much is stopped by its limit
// with a clear reason, and the next command in the same sandbox works.
func TestAttackBombs(t *testing.T) {
	before := runtime.NumGoroutine()
	var stats runtime.MemStats
	for _, b := range bombs {
		t.Run(b.name, func(t *testing.T) {
			g := newTarget(t, func(c *wasishell.Config) { c.Limits = b.limits })
			hostileModules(g)
			o := g.sh(b.script)
			text := o.out
			if len(text) > 3000 {
				text = text[:1000] + "\n[…]\n" + text[len(text)-2000:]
			}
			if b.code >= 0 {
				require.Equal(t, b.code, o.code, "status, with limit %v:\n%s", o.res.Limit, text)
			}
			// Background parts may have their say behind the script's last line.
			require.Contains(t, o.out, b.out, "status %d, limit %v:\n%s", o.code, o.res.Limit, text)
			require.Contains(t, text, b.says)
			require.NotContains(t, text, "not\n")
			require.NotContains(t, text, "goroutine ", "a stack trace")
			if b.limit != abi.LimitNone {
				require.Equal(t, b.limit, o.res.Limit)
			}
			if b.limits.Memory == 0 || b.limits.Memory >= tight {
				g.serves()
			}
			require.Equal(t, "/proc/1\n", g.left())
		})
	}
	waitFor(t, "goroutines to end", func() bool { return runtime.NumGoroutine() <= before })
	runtime.GC()
	runtime.ReadMemStats(&stats)
	require.Less(t, stats.HeapInuse, uint64(500*mb), "heap of the host")
}

// TestReached: limits that ended a part of a command, or refused it something, are
// reported where the command itself went on as well.
func TestReached(t *testing.T) {
	for _, c := range []struct {
		name, script string
		limits       wasishell.Limits
		code         int
		limit        abi.Limit
		reached      []abi.Limit
	}{
		{"none", `echo x | cat`, wasishell.Limits{}, 0, abi.LimitNone, nil},
		{"memory of a stage", `./grow.wasm | cat`, wasishell.Limits{Memory: tight}, 0, abi.LimitNone, []abi.Limit{abi.LimitMemory}},
		{"memory of the last stage", `echo | ./grow.wasm`, wasishell.Limits{Memory: tight}, 132, abi.LimitNone, []abi.Limit{abi.LimitMemory}},
		{"memory of the command", `exec ./grow.wasm`, wasishell.Limits{Memory: tight}, 132, abi.LimitMemory, []abi.Limit{abi.LimitMemory}},
		{"processor time of a stage", `./spin.wasm | cat`, wasishell.Limits{CPU: 100 * time.Millisecond}, 0, abi.LimitNone, []abi.Limit{abi.LimitCPU}},
		{"descriptors", `while exec {x}< /dev/null; do :; done; exit 0`, wasishell.Limits{Files: 64}, 0, abi.LimitNone, []abi.Limit{abi.LimitFiles}},
		{"size of a file of a stage", `head -c 20000 /dev/zero > f | cat`, wasishell.Limits{FileSize: 10000}, 0, abi.LimitNone, []abi.Limit{abi.LimitFileSize}},
		{"output", `yes`, wasishell.Limits{Output: mb}, 128 + 25, abi.LimitOutput, []abi.Limit{abi.LimitOutput}},
		{"two", `./spin.wasm; ./grow.wasm; exit 0`, wasishell.Limits{CPU: 500 * time.Millisecond, Memory: tight}, 0, abi.LimitNone, []abi.Limit{abi.LimitMemory, abi.LimitCPU}},
	} {
		t.Run(c.name, func(t *testing.T) {
			g := newTarget(t, func(cfg *wasishell.Config) { cfg.Limits = c.limits })
			hostileModules(g)
			o := g.sh(c.script)
			require.Equal(t, c.reached, o.res.Reached, "status %d:\n%.2000s", o.code, o.out)
			require.Equal(t, c.limit, o.res.Limit)
			require.Equal(t, c.code, o.code)
			if c.code == 0 && c.limit == abi.LimitNone {
				require.NoError(t, o.err)
			}
		})
	}
}

// TestAttackNeighbours: while one sandbox goes wild, another one works.
func TestAttackNeighbours(t *testing.T) {
	g := newTarget(t)
	for _, script := range []string{`:(){ :|:& };:`, `while :; do true & done`, `x=x; while :; do x=$x$x; done`, `./spin.wasm & ./fill.wasm & wait`, `yes > /tmp/f`} {
		wild := newTarget(t, func(c *wasishell.Config) {
			c.Limits = wasishell.Limits{Memory: 200 * mb, Processes: 50, Disk: 100 * mb}
		})
		hostileModules(wild)
		cmd := wild.sb.Shell(script)
		cmd.Timeout = 300 * time.Millisecond
		s, err := cmd.Start(t.Context())
		require.NoError(t, err)
		for range 5 {
			g.serves()
		}
		_ = s.Wait()
		require.NoError(t, wild.sb.Close())
	}
}

// TestAttackManyEntries is G6: a directory with a great many entries is read
// whole, in bounded memory, from the host's files and from memory.
func TestAttackManyEntries(t *testing.T) {
	n := 20000
	if testing.Short() || raceDetector {
		n = 3000
	}
	g := newTarget(t)
	require.NoError(t, os.Mkdir(g.host("ws/many"), 0o755))
	for i := range n {
		f, err := os.Create(g.host("ws/many/" + strings.Repeat("n", i%100) + "-" + itoa(i)))
		require.NoError(t, err)
		require.NoError(t, f.Close())
	}
	o := g.sh(`mkdir /tmp/many; cd many; set -- *; echo $#; for f; do : > /tmp/many/$f; done
		for d in /workspace/many /tmp/many; do cd $d; ls | wc -l; find . -type f | wc -l; ls -f | sort -u | wc -l; cd ..; rm -r many && ls | grep -c many; done`)
	k, k2 := itoa(n), itoa(n+2)
	require.Equal(t, k+"\n"+strings.Repeat(k+"\n"+k+"\n"+k2+"\n0\n", 2), o.out)
}

func itoa(n int) string {
	var b []byte
	for ; n > 0 || b == nil; n /= 10 {
		b = append([]byte{byte('0' + n%10)}, b...)
	}
	return string(b)
}
