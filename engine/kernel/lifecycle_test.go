// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package kernel_test

import (
	"math/rand/v2"
	"runtime"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/engine/kernel"
)

func TestNewChecksItsConfig(t *testing.T) {
	_, err := kernel.New(kernel.Config{})
	require.ErrorContains(t, err, "Runner")
	_, err = kernel.New(kernel.Config{Runner: &bin{}})
	require.ErrorContains(t, err, "Namespace")
}

func TestClose(t *testing.T) {
	goroutines(t, func() {
		e := newEnvOpen(t, kernel.Limits{})
		var jobs []*kernel.Job
		e.bin.set("child", spin)
		for _, f := range []body{spin, blocks, func(p *kernel.Process) abi.WaitStatus {
			p.Kill(p.PID(), abi.SIGSTOP)
			return spin(p)
		}, func(p *kernel.Process) abi.WaitStatus {
			p.Spawn(spec("child"))
			p.Shadow(0, 0, 0)
			p.Wait(0, -1, 0)
			return 0
		}} {
			jobs = append(jobs, e.start(f, kernel.StartOptions{}).Job())
		}
		var wg sync.WaitGroup
		for range 4 {
			wg.Go(func() { require.NoError(t, e.k.Close()) })
		}
		wg.Wait()
		for _, j := range jobs {
			<-j.Done()
		}
		require.NoError(t, e.k.Close())
		_, err := e.k.Start(spec("child"), nil, kernel.StartOptions{})
		require.ErrorIs(t, err, kernel.ErrClosed)
		require.Equal(t, []kernel.PID{1}, e.k.PIDs())
		require.Zero(t, e.k.OpenFiles())
	})
}

func TestThousandKernelsLeaveNothing(t *testing.T) {
	var before, after runtime.MemStats
	one := func() {
		e := newEnvOpen(t, kernel.Limits{})
		e.bin.set("child", exits(0))
		e.ok(func(p *kernel.Process) {
			_, err := p.Spawn(spec("child"))
			require.NoError(t, err)
			_, _, err = p.Pipe(0)
			require.NoError(t, err)
			_, err = p.Wait(0, -1, 0)
			require.NoError(t, err)
		})
		require.NoError(t, e.k.Close())
	}
	goroutines(t, func() {
		for range 50 {
			one()
		}
		runtime.GC()
		runtime.ReadMemStats(&before)
		for range 1000 {
			one()
		}
	})
	runtime.GC()
	runtime.ReadMemStats(&after)
	require.Less(t, int64(after.HeapAlloc)-int64(before.HeapAlloc), int64(2<<20), "heap grew")
}

// TestHammerSpawnKillWait lets trees of processes spawn, signal and reap each
// other at random while signals come from outside.
func TestHammerSpawnKillWait(t *testing.T) {
	goroutines(t, func() {
		e := newEnvOpen(t, kernel.Limits{Processes: 60})
		var node body
		var spawned atomic.Int64
		node = func(p *kernel.Process) abi.WaitStatus {
			p.SigAction(abi.SIGUSR1, abi.SigHandle)
			r := rand.New(rand.NewPCG(uint64(p.PID()), 1))
			for range 60 {
				if p.Yield() != nil {
					return 0
				}
				pid := kernel.PID(r.IntN(200) + 2)
				switch r.IntN(11) {
				case 0, 1:
					s := spec("node")
					s.Flags = abi.SpawnFlag(r.IntN(4))
					if _, err := p.Spawn(s); err == nil {
						spawned.Add(1)
					}
				case 2:
					p.Wait(0, -1, abi.WNOHANG|abi.WUNTRACED|abi.WCONTINUED)
				case 3:
					p.Kill(pid, abi.SIGCONT)
				case 4:
					p.Kill(pid, abi.SIGSTOP)
					p.Kill(pid, abi.SIGCONT)
				case 5:
					p.Kill(-pid, abi.SIGUSR1)
				case 6:
					if r.IntN(4) == 0 {
						p.Kill(pid, abi.SIGTERM)
					}
				case 7:
					p.Setpgid(0, 0)
				case 8:
					if sh, err := p.Shadow(0, -1, 0); err == nil {
						p.ShadowStatus(sh, abi.ExitedWith(0))
					}
				case 9:
					p.Poll([]kernel.PollEntry{{FD: abi.PollChild}}, 1e5)
					p.SigPending(0)
				case 10:
					p.Info(pid)
				}
			}
			for {
				if _, err := p.Wait(0, -1, 0); err == abi.ECHILD || err == kernel.ErrExiting {
					return 0
				} else if err == abi.EINTR {
					p.SigPending(0)
				}
			}
		}
		e.bin.set("node", node)
		for range 8 {
			p, err := e.k.Start(spec("node"), nil, kernel.StartOptions{KillOrphans: true})
			if err != nil {
				require.Equal(t, abi.EAGAIN, err)
				continue
			}
			// A stop without a continue must not hold it up for ever.
			for ended := false; !ended; {
				e.k.Kill(-1, abi.SIGCONT)
				select {
				case <-p.Job().Done():
					ended = true
				default:
					runtime.Gosched()
				}
			}
		}
		require.Equal(t, []kernel.PID{1}, e.k.PIDs())
		require.Positive(t, spawned.Load())
		require.NoError(t, e.k.Close())
	})
}

// TestHammerPipes closes and duplicates pipe ends while the other side uses
// them: no byte is lost and every process comes to its end.
func TestHammerPipes(t *testing.T) {
	goroutines(t, func() {
		e := newEnvOpen(t, kernel.Limits{})
		for round := range 60 {
			const writers = 3
			e.ok(func(p *kernel.Process) {
				require.NoError(t, p.SigAction(abi.SIGPIPE, abi.SigIgnore))
				r, w, err := p.Pipe(0)
				require.NoError(t, err)
				e.bin.set("w", func(c *kernel.Process) abi.WaitStatus {
					rnd := rand.New(rand.NewPCG(uint64(c.PID()), uint64(round)))
					for range 40 {
						d, err := c.Dup(1, 5, 0)
						if err != nil {
							return abi.ExitedWith(1)
						}
						_, err = c.Write(d, make([]byte, rnd.IntN(9000)+1), 0)
						c.Close(d)
						if err == abi.EPIPE {
							return abi.ExitedWith(3)
						}
						if err != nil {
							return abi.ExitedWith(2)
						}
					}
					return 0
				})
				s := spec("w")
				s.Flags, s.Actions = abi.SpawnNoInherit, []abi.FDAction{{FD: 1, Src: w}}
				for range writers {
					_, err := p.Spawn(s)
					require.NoError(t, err)
				}
				require.NoError(t, p.Close(w))
				buf := make([]byte, 10000)
				limit := round * 5000
				for n := 0; n < limit || round%2 == 0; {
					m, err := p.Read(r, buf, 0)
					require.NoError(t, err)
					if m == 0 {
						break
					}
					n += m
				}
				require.NoError(t, p.Close(r))
				for range writers {
					res, err := p.Wait(0, -1, 0)
					require.NoError(t, err)
					require.Contains(t, []int{0, 3}, res.Status.ExitStatus())
					if round%2 == 0 {
						require.Equal(t, abi.ExitedWith(0), res.Status)
					}
				}
			})
		}
		require.Zero(t, e.k.OpenFiles())
		require.Zero(t, e.k.PipeBytes())
		require.NoError(t, e.k.Close())
	})
}

// TestHammerClose closes kernels in the middle of everything.
func TestHammerClose(t *testing.T) {
	goroutines(t, func() {
		for range 100 {
			e := newEnvOpen(t, kernel.Limits{Processes: 40})
			started := make(chan struct{}, 1)
			e.bin.set("child", func(p *kernel.Process) abi.WaitStatus {
				select {
				case started <- struct{}{}:
				default:
				}
				for p.Yield() == nil {
					r, w, err := p.Pipe(0)
					if err != nil {
						continue
					}
					p.Spawn(spec("child"))
					p.Write(w, []byte("x"), 0)
					p.Read(r, make([]byte, 1), 0)
					p.Wait(0, -1, abi.WNOHANG)
					p.Close(r)
					p.Close(w)
				}
				return 0
			})
			_, err := e.k.Start(spec("child"), nil, kernel.StartOptions{})
			require.NoError(t, err)
			<-started
			require.NoError(t, e.k.Close())
			require.Equal(t, []kernel.PID{1}, e.k.PIDs())
			require.Zero(t, e.k.OpenFiles())
		}
	})
}

// TestHammerProc reads /proc while processes come and go.
func TestHammerProc(t *testing.T) {
	e := newEnv(t, kernel.Limits{})
	e.bin.set("busy", func(p *kernel.Process) abi.WaitStatus {
		for range 20 {
			r, w, _ := p.Pipe(0)
			p.Chdir("/dev")
			p.Close(r)
			p.Close(w)
			p.Chdir("/")
		}
		return 0
	})
	var wg sync.WaitGroup
	for range 4 {
		p := e.start(func(p *kernel.Process) abi.WaitStatus {
			for range 60 {
				p.Spawn(spec("busy"))
				p.Wait(0, -1, abi.WNOHANG)
				for pid := range kernel.PID(30) {
					dir, err := p.Open(abi.AtCwd, "/proc/self/fd", abi.ODirectory, 0)
					if err != nil {
						continue
					}
					p.ReadDir(dir, nil, 0, 100, true)
					p.Close(dir)
					for _, f := range []string{"status", "stat", "cwd", "fd/0", "cmdline", "environ"} {
						name := "/proc/" + strconv.Itoa(int(pid)) + "/" + f
						if fd, err := p.Open(abi.AtCwd, name, 0, 0); err == nil {
							p.Read(fd, make([]byte, 100), 0)
							p.Close(fd)
						}
						p.Readlink(abi.AtCwd, name)
					}
				}
			}
			return 0
		}, kernel.StartOptions{KillOrphans: true}, kernel.NewNullFile())
		wg.Go(func() { <-p.Job().Done() })
	}
	wg.Wait()
	require.Zero(t, e.k.OpenFiles())
}
