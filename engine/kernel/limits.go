// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package kernel

import (
	"sync/atomic"
	"time"

	"github.com/wsandbox/wsandbox/engine/abi"
)

// Limits bounds what a sandbox uses. A zero field means the default named
// beside it, a negative one no limit. The defaults stop runaways, not long
// honest work: nothing counts commands or loop turns.
type Limits struct {
	// Memory is the linear memory of one process in bytes: 1 GiB.
	// Growing further fails inside the guest; a process that ends badly
	// afterwards reports abi.LimitMemory.
	Memory int64
	// TotalMemory is the linear memory of all processes in bytes: 4 GiB.
	TotalMemory int64
	// CPU is the processor time of one process: 1 h. SIGXCPU, and SIGKILL
	// a second of processor time later.
	CPU time.Duration
	// Processes is the number of processes at once, zombies and shadow
	// processes included: 512. EAGAIN; a job of which that many processes
	// were refused, without there having been room for half of the limit
	// meanwhile, is ended by SIGKILL.
	Processes int
	// Files is the number of descriptors of one process: 1024. EMFILE.
	Files int
	// OpenFiles is the number of open file descriptions of the sandbox:
	// 16384. ENFILE.
	OpenFiles int
	// Output is the number of bytes that the processes of one Start may
	// write to host-side files: 4 GiB. The whole job is ended by SIGXFSZ.
	Output int64
	// FileSize is the size of one file in bytes: 8 GiB. SIGXFSZ and EFBIG.
	FileSize int64
	// ArgBytes is the size of arguments and environment, each string
	// counted with a terminating NUL and a pointer: 2 MiB. E2BIG.
	ArgBytes int
	// PathBytes is the length of a path: 4096. ENAMETOOLONG.
	PathBytes int
	// PipeBytes is the memory of all pipe buffers in bytes: 64 MiB. Past
	// it pipes get by with one page each.
	PipeBytes int64
}

func (l Limits) withDefaults() Limits {
	l.Memory = limitOr(l.Memory, 1<<30)
	l.TotalMemory = limitOr(l.TotalMemory, 4<<30)
	l.CPU = limitOr(l.CPU, time.Hour)
	l.Processes = limitOr(l.Processes, 512)
	l.Files = limitOr(l.Files, 1024)
	l.OpenFiles = limitOr(l.OpenFiles, 16384)
	l.Output = limitOr(l.Output, 4<<30)
	l.FileSize = limitOr(l.FileSize, 8<<30)
	l.ArgBytes = limitOr(l.ArgBytes, 2<<20)
	l.PathBytes = limitOr(l.PathBytes, 4096)
	l.PipeBytes = limitOr(l.PipeBytes, 64<<20)
	// A descriptor is an int32 and a table an array, so even "no limit" is
	// one.
	l.Files = min(l.Files, 1<<20)
	return l
}

// LimitSet is a set of limits that were reached.
type LimitSet uint32

// Has reports whether l is in the set.
func (s LimitSet) Has(l abi.Limit) bool { return s>>l&1 != 0 }

// Limits returns the members in numeric order.
func (s LimitSet) Limits() []abi.Limit {
	var out []abi.Limit
	for l := abi.LimitNone + 1; l < 32; l++ {
		if s.Has(l) {
			out = append(out, l)
		}
	}
	return out
}

type limitSet struct{ v atomic.Uint32 }

func (s *limitSet) add(l abi.Limit) { s.v.Or(1 << l) }
func (s *limitSet) load() LimitSet  { return LimitSet(s.v.Load()) }

func limitOr[T ~int | ~int64](v, def T) T {
	switch {
	case v == 0:
		return def
	case v < 0:
		// Half of the largest value, so that sums stay in range.
		top := T(1)
		for top<<1 > 0 {
			top <<= 1
		}
		return top
	}
	return v
}
