// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package wasishell_test

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/wasishell"
)

// resources counts what a leak would add to. A count that the system does not
// tell is 0.
func resources() (goroutines, descriptors, mappings int, heap uint64) {
	if es, err := os.ReadDir("/proc/self/fd"); err == nil {
		descriptors = len(es)
	}
	if b, err := os.ReadFile("/proc/self/maps"); err == nil {
		mappings = bytes.Count(b, []byte("\n"))
	}
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return runtime.NumGoroutine(), descriptors, mappings, m.HeapAlloc
}

// TestSandboxesLeaveNothing opens and closes a thousand sandboxes.
func TestSandboxesLeaveNothing(t *testing.T) {
	n := 1000
	if testing.Short() {
		n = 50
	}
	rt := sharedRuntime(t)
	dir := t.TempDir()
	one := func(i int) {
		sb, err := wasishell.New(t.Context(), wasishell.Config{Workspace: dir, Runtime: rt})
		require.NoError(t, err)
		out, err := sb.Shell("echo $1 | cat; echo x > /tmp/f; sleep 1000 &", itoa(i)).Output(t.Context())
		require.NoError(t, err)
		require.Equal(t, itoa(i)+"\n", string(out))
		require.NoError(t, sb.Close())
	}
	for i := range 30 { // fills the pools
		one(i)
	}
	g0, d0, m0, h0 := resources()
	for i := range n {
		one(i)
	}
	waitFor(t, "goroutines to end", func() bool { return runtime.NumGoroutine() <= g0 })
	_, d1, m1, h1 := resources()
	require.LessOrEqual(t, d1, d0+20, "descriptors") // on Windows also the runtime's own
	require.LessOrEqual(t, m1, m0+50, "mappings")
	require.Less(t, int64(h1)-int64(h0), int64(8*mb), "heap")
}

// busy does a bit of everything.
const busy = `
while :; do
	echo x > f$RANDOM; cat f* | sort | uniq -c | head -n 3; (exit 3) & : $(ls | wc -l); wait
	sleep 0.001; mkdir -p d/e; mv d d2; rm -rf d2 f*; cat <<< here; read -t 0.001 x; kill -0 $$; trap : USR1; kill -USR1 $$
	grep -rn x . | sed s/x/y/ > /tmp/o; find . -name 'f*' | xargs -r cat; ./spin.wasm & kill $!; wait; timeout 0.001 yes | head -n 2
	mkfifo p; cat p & echo > p; wait; rm p; coproc cat; exec 5<&${COPROC[0]}; kill $COPROC_PID; exec 5<&-; wait
done 2>&1
`

// TestAttackKillAnywhere ends a busy command at any moment, in any way.
func TestAttackKillAnywhere(t *testing.T) {
	g := newTarget(t)
	hostileModules(g)
	before := runtime.NumGoroutine()
	rounds := 40
	if testing.Short() {
		rounds = 8
	}
	rnd := rand.New(rand.NewPCG(3, 4))
	for i := range rounds {
		delay := time.Duration(rnd.IntN(40)) * time.Millisecond
		ctx, cancel := context.WithCancel(t.Context())
		cmd := g.sb.Shell(busy)
		cmd.OpenStdin = true
		cmd.Stdout = io.Discard
		if i%4 == 0 {
			cmd.Timeout = delay + 1
		}
		s, err := cmd.Start(ctx)
		require.NoError(t, err)
		switch i % 4 {
		case 1:
			time.AfterFunc(delay, s.Kill)
		case 2:
			time.AfterFunc(delay, cancel)
		case 3:
			time.AfterFunc(delay, func() {
				_ = s.Signal(wasishell.SIGTERM)
				_ = s.CloseStdin()
				s.Kill()
			})
		}
		select {
		case <-s.Done():
		case <-time.After(attackLimit):
			t.Fatal("the command does not end")
		}
		cancel()
		require.Equal(t, "/proc/1\n", g.left())
	}
	g.serves()
	waitFor(t, "goroutines to end", func() bool { return runtime.NumGoroutine() <= before })
}

// TestAttackCloseConcurrent closes a sandbox while everything happens to it at
// once.
func TestAttackCloseConcurrent(t *testing.T) {
	rt := sharedRuntime(t)
	before := runtime.NumGoroutine()
	rounds := 12
	if testing.Short() {
		rounds = 3
	}
	dir := t.TempDir()
	for i := range rounds {
		sb, err := wasishell.New(t.Context(), wasishell.Config{Workspace: dir, Runtime: rt, Limits: wasishell.Limits{Processes: 60}})
		require.NoError(t, err)
		var wg sync.WaitGroup
		user := func(f func() error) {
			wg.Go(func() {
				for {
					err := f()
					x := (*wasishell.ExitError)(nil)
					switch {
					case errors.Is(err, wasishell.ErrClosed):
						return
					case err == nil, errors.As(err, &x), errors.Is(err, context.DeadlineExceeded), errors.Is(err, abi.EAGAIN):
					// EAGAIN: the other user's bombs hold every process there may be.
					default:
						t.Errorf("unexpected: %v", err)
						return
					}
				}
			})
		}
		user(func() error { _, err := sb.Shell("echo x | cat").Output(t.Context()); return err })
		user(func() error { return sb.Shell(`:(){ :|:& };:`).Run(t.Context()) })
		user(func() error {
			ctx, cancel := context.WithTimeout(t.Context(), time.Millisecond)
			defer cancel()
			return sb.Shell("while :; do :; done").Run(ctx)
		})
		user(func() error {
			cmd := sb.Command("cat")
			cmd.OpenStdin = true
			s, err := cmd.Start(t.Context())
			if err != nil {
				return err
			}
			go func() { _ = s.CloseStdin() }()
			_, _ = s.Write([]byte(strings.Repeat("x", 100000)))
			_ = s.Signal(wasishell.SIGINT)
			return s.Wait()
		})
		user(func() error {
			cmd := sb.Shell("sleep 1000 & yes > /dev/null & echo")
			cmd.Background = true
			cmd.WaitDelay = time.Millisecond
			return cmd.Run(t.Context())
		})
		time.AfterFunc(time.Duration(i)*7*time.Millisecond, func() {
			for range 2 {
				wg.Go(func() {
					if err := sb.Close(); err != nil {
						t.Error(err)
					}
				})
			}
		})
		wg.Wait()
		require.NoError(t, sb.Close())
	}
	waitFor(t, "goroutines to end", func() bool { return runtime.NumGoroutine() <= before })
}

// TestAttackStreams is G10 of the list, and what else a caller's own streams may
// do.
func TestAttackStreams(t *testing.T) {
	g := newTarget(t)
	t.Run("G10 slow reader", func(t *testing.T) {
		// A megabyte goes through a reader that takes 4 KB at a time, and all
		// of it arrives.
		pr, pw := io.Pipe()
		got := make(chan int)
		go func() {
			b, n := make([]byte, 4096), 0
			for {
				k, err := pr.Read(b)
				if n += k; err != nil {
					got <- n
					return
				}
				runtime.Gosched()
			}
		}()
		cmd := g.sb.Shell(`head -c 1000000 /dev/zero; echo end >&2`)
		cmd.Stdout = pw
		o := g.run(cmd)
		require.Equal(t, 0, o.code)
		require.NoError(t, pw.Close())
		require.Equal(t, 1000000, <-got)
	})
	t.Run("G10 reader that never reads", func(t *testing.T) {
		pr, pw := io.Pipe()
		defer pr.Close()
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		cmd := g.sb.Shell(`yes`)
		cmd.Stdout = pw
		cmd.Timeout = 200 * time.Millisecond
		s, err := cmd.Start(t.Context())
		require.NoError(t, err)
		require.Error(t, s.Wait())
		runtime.ReadMemStats(&after)
		require.Less(t, int64(after.HeapAlloc)-int64(before.HeapAlloc), int64(16*mb))
	})
	t.Run("closed output", func(t *testing.T) {
		cmd := g.sb.Shell(`yes; echo "$?" >&2; trap '' PIPE; echo x; echo "$?" >&2`)
		cmd.Stdout = writerFunc(func([]byte) (int, error) { return 0, io.ErrClosedPipe })
		o := g.run(cmd)
		require.Equal(t, "141\nbash: line 1: echo: write error: Broken pipe\n1\n", o.out)
	})
	t.Run("writer that lies", func(t *testing.T) {
		for _, n := range []int{-1, 0, 1 << 40} {
			cmd := g.sb.Shell(`echo hello`)
			cmd.Stdout = writerFunc(func([]byte) (int, error) { return n, nil })
			g.run(cmd)
		}
	})
	t.Run("reader that lies", func(t *testing.T) {
		for _, n := range []int{-1, 1 << 40} {
			cmd := g.sb.Command("cat")
			cmd.Stdin = readerFunc(func([]byte) (int, error) { return n, nil })
			cmd.Timeout = 300 * time.Millisecond
			g.run(cmd)
		}
	})
	t.Run("reader without data", func(t *testing.T) {
		cmd := g.sb.Command("cat")
		cmd.Stdin = readerFunc(func([]byte) (int, error) { return 0, nil })
		cmd.Timeout = 100 * time.Millisecond
		o := g.run(cmd)
		require.NotZero(t, o.code)
	})
	t.Run("hostile input", func(t *testing.T) {
		rnd := rand.New(rand.NewPCG(5, 6))
		for range 20 {
			b := make([]byte, 2000)
			for i := range b {
				b[i] = byte(rnd.Uint32())
				if rnd.IntN(2) == 0 {
					const syntax = "(){}[]<>|&;$`'\"\\\n\n #*?~=!-+x0"
					b[i] = syntax[rnd.IntN(len(syntax))]
				}
			}
			for _, shell := range []string{"sh", "bash"} {
				cmd := g.sb.Command(shell)
				cmd.Stdin = bytes.NewReader(b)
				cmd.Timeout = 5 * time.Second
				o := g.run(cmd)
				require.Less(t, o.code, 128, "%q\n%.1000s", b, o.out)
			}
		}
	})
	t.Run("hostile names", func(t *testing.T) {
		name := strings.Repeat("\n\x1b[2J\xff", 51)
		o := g.run(g.sb.Command("sh", "-c", `> "$1" && [ -f "$1" ] && mkdir "$1.d" && mv "$1" "$1.d/" && rm -r "$1.d" && echo done`, "sh", name[:250]))
		if runtime.GOOS != "windows" { // where no file has such a name
			require.Equal(t, "done\n", o.out)
		}
		require.Error(t, g.run(g.sb.Command(strings.Repeat("x", 5000))).err)
		require.Error(t, g.run(g.sb.Command("echo", strings.Repeat("x", 3<<20))).err)
	})
	g.serves()
}

type readerFunc func([]byte) (int, error)

func (f readerFunc) Read(p []byte) (int, error) { return f(p) }
