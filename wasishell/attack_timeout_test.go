// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package wasishell_test

import (
	"context"
	"errors"
	"os"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/wasishell"
)

// hostileModules puts modules that do not end into the workspace.
func hostileModules(g *target) {
	g.Helper()
	for name, wasm := range map[string][]byte{
		"spin.wasm": wasmSpin(), "fill.wasm": wasmFill(), "copy.wasm": wasmCopy(), "tree.wasm": wasmTree(),
		"grow.wasm": wasmGrow(), "recurse.wasm": wasmRecurse(),
	} {
		require.NoError(g, os.WriteFile(g.host("ws/"+name), wasm, 0o755))
	}
}

// endless are commands that do not end by themselves.
var endless = []struct{ name, script string }{
	{"G1 shell loop", `while :; do :; done`},
	{"G1 loops that fork", `while :; do (:); : | :; : & done`},
	{"G1 loops that spawn", `while :; do true; done`},
	{"G1 loop in a module", `./spin.wasm`},
	{"G1 tree of calls", `./tree.wasm`},
	{"G1 memory.fill", `./fill.wasm`},
	{"G1 memory.copy", `./copy.wasm`},
	{"G1 all at once", `./spin.wasm & ./tree.wasm & ./fill.wasm | ./copy.wasm; wait`},
	{"G1 deaf loop", `trap '' INT TERM HUP QUIT ALRM; while :; do :; done`},
	{"G1 a trap that goes on", `trap 'while :; do :; done' EXIT TERM; exit`},
	{"G1 stopped", `kill -STOP $$; echo no`},
	{"G1 stopped group", `sleep 100 & kill -STOP $! $$; wait`},
	{"G1 arithmetic", `for ((;;)); do ((i++, j*=3)); done`},
	{"G1 recursion in turn", `f() { g; }; g() { return; }; while f; do :; done`},
	{"G1 exec loop", `exec "$BASH" -c 'exec "$0" -c "$1" "$0" "$1"' bash 'exec bash -c "$1" bash "$1"'`},
	{"G2 glob", `mkdir -p /tmp/d/{1..40}; cd /tmp; while :; do set -- */*/../*/../*/../*/../*; done`},
	{"G2 pattern", `shopt -s extglob; x=$(printf 'a%.0s' {1..500000}); while :; do case $x in +(+(a|b)|*(a*))c) ;; esac; done`},
	{"G2 regular expression", `x=$(printf 'a%.0s' {1..100000}); while :; do [[ $x =~ (a*)*(a|b|ab)*\1c ]]; done`},
	{"G2 sort without end", `yes | sort`},
	{"G2 endless words", `read -r x < /dev/zero`},
	{"G2 endless file", `. /dev/zero`},
	{"G2 endless here", `cat < <(yes) > /dev/null`},
	{"G9 sleep", `sleep 1000000000`},
	{"G9 sleep in a pipeline", `sleep 100 | cat`},
	{"G9 silent input", `read x; cat; echo $x`},
	{"G9 silent pipe", `mkfifo /tmp/p; cat /tmp/p`},
	{"G9 pipe with no reader", `mkfifo /tmp/p; echo x > /tmp/p`},
	{"G9 full pipe", `mkfifo /tmp/p; exec 3<> /tmp/p; yes >&3`},
	{"G9 wait", `sleep 1000 & wait`},
	{"G9 tail -f", `tail -f file`},
	{"G9 select", `select x in a b; do :; done; read -t 1000 y`},
	{"G9 coproc", `coproc cat; read x <&${COPROC[0]}`},
	{"G9 process substitution", `cat <(sleep 1000)`},
	{"G9 timeout that is no use", `timeout 1000 sleep 1000; timeout -s STOP 0.1 sleep 1000; sleep 1000`},
}

// slack is how much later than its time a command may be over.
const slack = 100 * time.Millisecond

// TestAttackTimeout: whatever a command does, it is over when its time is, and
// nothing of it is left running.
func TestAttackTimeout(t *testing.T) {
	g := newTarget(t)
	hostileModules(g)
	for _, m := range []string{"spin", "tree", "fill", "copy"} { // compile them
		cmd := g.sb.Command("./" + m + ".wasm")
		cmd.Timeout = time.Second
		g.run(cmd)
	}
	for _, c := range endless {
		t.Run(c.name, func(t *testing.T) {
			const limit = 100 * time.Millisecond
			before := runtime.NumGoroutine()
			// On a loaded machine the host itself may be late: the best of some.
			var took time.Duration
			for range 8 {
				cmd := g.sb.Shell(c.script)
				cmd.Timeout = limit
				cmd.OpenStdin = true
				begin := time.Now()
				o := g.run(cmd)
				took = time.Since(begin)
				require.Equal(t, abi.LimitWall, o.res.Limit, "it ends by itself: %d, %.500s", o.code, o.out)
				require.GreaterOrEqual(t, took, limit)
				if took < limit+slack {
					break
				}
			}
			require.Less(t, took, limit+slack, "time until it is over")
			require.Equal(t, "/proc/1\n", g.left())
			waitFor(t, "goroutines to end", func() bool { return runtime.NumGoroutine() <= before })
		})
	}
	g.serves()
}

// left lists the processes of the sandbox but for that which lists.
func (g *target) left() string {
	g.Helper()
	return g.sh(`for p in /proc/[0-9]*; do case $p in /proc/$$) ;; /proc/1) echo $p ;; *) echo $p $(tr '\0' ' ' < $p/cmdline) ;; esac; done`).out
}

// waitFor waits for a condition.
func waitFor(tb testing.TB, what string, f func() bool) {
	tb.Helper()
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	tick := time.NewTicker(2 * time.Millisecond)
	defer tick.Stop()
	for !f() {
		select {
		case <-tick.C:
		case <-ctx.Done():
			buf := make([]byte, 1<<20)
			tb.Fatalf("waiting for %s\n%s", what, buf[:runtime.Stack(buf, true)])
		}
	}
}

// TestAttackCancel: the same by the context, Kill, and the sandbox's Close.
func TestAttackCancel(t *testing.T) {
	cause := errors.New("enough")
	for _, c := range endless {
		switch c.name {
		case "G1 shell loop", "G1 all at once", "G1 deaf loop", "G1 stopped", "G1 loops that spawn", "G9 sleep in a pipeline", "G9 silent input", "G9 full pipe":
		default:
			continue
		}
		t.Run(c.name, func(t *testing.T) {
			before := runtime.NumGoroutine()
			g := newTarget(t)
			hostileModules(g)
			start := func(ctx context.Context) *wasishell.Session {
				cmd := g.sb.Shell("echo started; " + c.script)
				cmd.OpenStdin = true
				up := make(chan struct{})
				cmd.Stdout = writerFunc(func(p []byte) (int, error) {
					select {
					case <-up:
					default:
						close(up)
					}
					return len(p), nil
				})
				s, err := cmd.Start(ctx)
				require.NoError(t, err)
				<-up
				return s
			}
			ctx, cancel := context.WithCancelCause(t.Context())
			s := start(ctx)
			cancel(cause)
			require.ErrorIs(t, s.Wait(), cause)

			s = start(t.Context())
			s.Kill()
			err := s.Wait()
			x := (*wasishell.ExitError)(nil)
			require.ErrorAs(t, err, &x)
			require.Equal(t, 137, x.ExitCode())

			s = start(t.Context())
			require.NoError(t, g.sb.Close())
			require.Error(t, s.Wait())
			_, err = g.sb.Shell("echo").Output(t.Context())
			require.ErrorIs(t, err, wasishell.ErrClosed)
			waitFor(t, "goroutines to end", func() bool { return runtime.NumGoroutine() <= before })
		})
	}
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }
