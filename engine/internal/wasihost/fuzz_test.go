// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package wasihost

import (
	"encoding/binary"
	"testing"
	"time"

	"github.com/wsandbox/wsandbox/engine/abi"
)

// FuzzHostCalls makes host calls with arbitrary arguments and memory: none may
// panic, hang or take much memory.
func FuzzHostCalls(f *testing.F) {
	var names []string
	params := map[string]string{}
	for _, l := range []struct {
		prefix string
		funcs  []hostFunc
	}{{"wasi.", preview1()}, {"ext.", extension()}} {
		for _, h := range l.funcs {
			names = append(names, l.prefix+h.name)
			params[l.prefix+h.name] = h.signature()
		}
	}
	// A program is some memory and a list of calls: a function, which of its
	// arguments to bring near to what makes sense, and up to nine arguments
	// of eight bytes each.
	const callSize = 2 + 9*8
	seed := func(mem []byte, calls ...[]uint64) {
		var b []byte
		for _, c := range calls {
			rec := make([]byte, callSize)
			rec[0] = byte(c[0])
			for i, v := range c[1:] {
				binary.LittleEndian.PutUint64(rec[2+8*i:], v)
			}
			b = append(b, rec...)
		}
		f.Add(mem, b)
	}
	for i := range names {
		near := make([]byte, callSize)
		near[0], near[1] = byte(i), 0xff
		for k := range near[2:] {
			near[2+k] = byte(k/8 + 3)
		}
		f.Add([]byte("file\x00\x00\x00\x00"), near)
		seed([]byte("file\x00\x00\x00\x00"), []uint64{uint64(i)}, []uint64{uint64(i), 3, 0, 4, 8, 16, 24, 32, 40, 48},
			[]uint64{uint64(i), 4, ^uint64(0), ^uint64(0), ^uint64(0), ^uint64(0), ^uint64(0), ^uint64(0), ^uint64(0), ^uint64(0)},
			[]uint64{uint64(i), 0x1fff0, 0x1fff0, 0x1fff0, 0x1fff0, 0x1fff0, 0x1fff0, 0x1fff0, 0x1fff0, 0x1fff0})
	}
	shared := newTestGuest(f).world
	f.Fuzz(func(t *testing.T, mem, calls []byte) {
		g := newTestGuestIn(t, shared)
		g.put(0, mem[:min(len(mem), memSize)])
		g.put32(memSize-16, 1, 2, 3, 4)
		g.open("dir/file", abi.ORdwr)
		g.pipe()
		for range 8 {
			if len(calls) < callSize {
				break
			}
			name := names[int(calls[0])%len(names)]
			args := make([]uint64, len(params[name]))
			for i := range args {
				v := binary.LittleEndian.Uint64(calls[2+8*i:])
				if calls[1]>>(i%8)&1 != 0 {
					switch params[name][i] {
					case 'p':
						v %= memSize
					case 'i':
						v %= 9 // descriptors, flags and short lengths
					case 'I':
						v %= 1 << 20
					}
				}
				args[i] = v
			}
			calls = calls[callSize:]
			if !finishes(g, name, args) {
				return
			}
		}
	})
}

// finishes makes a call and reports whether the process goes on. A call may
// wait for good, as poll does without a timeout; then the process is killed,
// which must end it.
func finishes(g *guest, name string, args []uint64) bool {
	c := g.begin(name, args...)
	select {
	case e := <-c:
		return e != errLeft
	case <-g.t.Context().Done():
		return false
	case <-afterShort():
	}
	if err := g.p.Signal(abi.SIGKILL); err != nil {
		g.t.Fatalf("kill: %v", err)
	}
	if g.result(c) == errLeft {
		return false
	}
	// It was only slow, and came back before the kill.
	if e := g.result(g.begin("wasi.sched_yield")); e != errLeft {
		g.t.Fatalf("a call after %s%v and SIGKILL goes on: %s", name, args, e.Name())
	}
	return false
}

// afterShort ends the patience with a call that waits.
func afterShort() <-chan time.Time { return time.After(50 * time.Millisecond) }
