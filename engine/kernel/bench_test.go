// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package kernel_test

import (
	"testing"

	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/engine/kernel"
)

// direct is a body without the test's extra goroutine.
type direct func(p *kernel.Process) abi.WaitStatus

func (d direct) Run(p *kernel.Process) abi.WaitStatus { return d(p) }

// bench runs f as a process, with child as the program "child".
func bench(b *testing.B, f func(p *kernel.Process), child direct) {
	e := newEnv(b, kernel.Limits{})
	done := make(chan struct{})
	e.bin.images = map[string]kernel.Image{
		"main": direct(func(p *kernel.Process) abi.WaitStatus {
			defer close(done)
			f(p)
			return 0
		}),
		"child": child,
	}
	p, err := e.k.Start(spec("main"), []*kernel.OpenFile{kernel.NewNullFile(), kernel.NewNullFile(), kernel.NewNullFile()}, kernel.StartOptions{})
	if err != nil {
		b.Fatal(err)
	}
	<-done
	<-p.Done()
}

// BenchmarkSpawn spawns and reaps a process that ends at once.
func BenchmarkSpawn(b *testing.B) {
	b.ReportAllocs()
	s := spec("child")
	bench(b, func(p *kernel.Process) {
		for b.Loop() {
			pid, err := p.Spawn(s)
			if err != nil {
				b.Error(err)
				return
			}
			if _, err := p.Wait(0, pid, 0); err != nil {
				b.Error(err)
				return
			}
		}
	}, func(*kernel.Process) abi.WaitStatus { return 0 })
}

// BenchmarkPipe writes and reads a pipe without contention.
func BenchmarkPipe(b *testing.B) {
	for _, bm := range []struct {
		name string
		size int
	}{{"16", 16}, {"4KiB", 4096}, {"64KiB", 65536}} {
		b.Run(bm.name, func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(bm.size))
			bench(b, func(p *kernel.Process) {
				r, w, _ := p.Pipe(0)
				buf := make([]byte, bm.size)
				for b.Loop() {
					p.Write(w, buf, 0)
					p.Read(r, buf, 0)
				}
			}, nil)
		})
	}
}

// BenchmarkPipeThroughput moves data from one process to another.
func BenchmarkPipeThroughput(b *testing.B) {
	b.ReportAllocs()
	b.SetBytes(65536)
	bench(b, func(p *kernel.Process) {
		r, w, _ := p.Pipe(abi.OCloexec)
		s := spec("child")
		s.Actions = []abi.FDAction{{FD: 1, Src: w}}
		pid, err := p.Spawn(s)
		if err != nil {
			b.Error(err)
			return
		}
		p.Close(w)
		buf := make([]byte, 65536)
		for b.Loop() {
			for n := 0; n < len(buf); {
				m, _ := p.Read(r, buf[n:], 0)
				n += m
			}
		}
		p.Close(r)
		p.Wait(0, pid, 0)
	}, func(p *kernel.Process) abi.WaitStatus {
		buf := make([]byte, 65536)
		for {
			if _, err := p.Write(1, buf, 0); err != nil {
				return 0
			}
		}
	})
}

// BenchmarkPingPong hands a byte to another process and back.
func BenchmarkPingPong(b *testing.B) {
	b.ReportAllocs()
	bench(b, func(p *kernel.Process) {
		r1, w1, _ := p.Pipe(abi.OCloexec)
		r2, w2, _ := p.Pipe(abi.OCloexec)
		s := spec("child")
		s.Actions = []abi.FDAction{{FD: 0, Src: r1}, {FD: 1, Src: w2}}
		pid, err := p.Spawn(s)
		if err != nil {
			b.Error(err)
			return
		}
		p.Close(r1)
		p.Close(w2)
		buf := make([]byte, 1)
		for b.Loop() {
			p.Write(w1, buf, 0)
			p.Read(r2, buf, 0)
		}
		p.Close(w1)
		p.Wait(0, pid, 0)
	}, func(p *kernel.Process) abi.WaitStatus {
		buf := make([]byte, 1)
		for {
			if n, _ := p.Read(0, buf, 0); n == 0 {
				return 0
			}
			p.Write(1, buf, 0)
		}
	})
}

// BenchmarkYield yields with nothing to do.
func BenchmarkYield(b *testing.B) {
	bench(b, func(p *kernel.Process) {
		for b.Loop() {
			if p.Yield() != nil {
				return
			}
		}
	}, nil)
}

// BenchmarkShadow makes, ends and reaps a shadow process.
func BenchmarkShadow(b *testing.B) {
	b.ReportAllocs()
	bench(b, func(p *kernel.Process) {
		for b.Loop() {
			s, _ := p.Shadow(0, -1, 0)
			p.ShadowStatus(s, 0)
			p.Wait(0, s, 0)
		}
	}, nil)
}
