// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

// Command guest is a reactor for the tests of this package: each run does what
// the host function test.command says.
package main

import (
	"os"
	"runtime"
	"strconv"
	"sync"
	"time"
)

//go:wasmimport test command
func command() int32

// What is asked for, also used by the tests.
const (
	cmdCount    = iota // of the runs that this memory has seen
	cmdGarbage         // allocate and collect
	cmdThreads         // goroutines, channels, locks
	cmdTimers          // sleep
	cmdPanic           // exit status 2
	cmdExit            // exit status 3
	cmdGrow            // ask for 64 MiB
	cmdLoop            // for ever
	cmdRecurse         // for ever
	cmdNil             // nil dereference
	cmdTime            // whether the clock is past 2001
	cmdAllocate        // for ever
	cmdWarm            // whether wsandbox_warm ran
)

var (
	runs  int
	warm  bool
	words = map[string]int{}
	keep  [][]byte
)

//go:wasmexport wsandbox_warm
func wsandboxWarm() {
	warm = true
	b := make([]byte, 1<<20)
	b[0] = 1
	runtime.GC()
	runs = 100
}

//go:wasmexport wsandbox_main
func wsandboxMain() int32 {
	runs++
	words[strconv.Itoa(runs)] = runs
	switch command() {
	case cmdCount:
		return int32(runs + len(words))
	case cmdGarbage:
		sum := 0
		for i := range 3000 {
			b := make([]byte, 1024)
			b[0] = byte(i)
			keep = append(keep, b)
			if len(keep) > 200 {
				sum += len(keep)
				keep = nil
			}
		}
		runtime.GC()
		return int32(sum % 251)
	case cmdThreads:
		var wg sync.WaitGroup
		var mu sync.Mutex
		c := make(chan int)
		total := 0
		for i := range 20 {
			wg.Go(func() { c <- i })
			wg.Go(func() {
				v := <-c
				mu.Lock()
				total += v
				mu.Unlock()
			})
		}
		wg.Wait()
		go func() { select {} }() // left behind
		return int32(total)
	case cmdTimers:
		begin := time.Now()
		t := time.AfterFunc(time.Hour, func() { panic("early") })
		time.Sleep(2 * time.Millisecond)
		if !t.Stop() || time.Since(begin) < 2*time.Millisecond {
			return 1
		}
		time.AfterFunc(time.Millisecond, func() { os.Exit(9) }) // left behind
		return 0
	case cmdPanic:
		panic("on purpose")
	case cmdExit:
		os.Exit(3)
	case cmdGrow:
		b := make([]byte, 64<<20)
		for i := 0; i < len(b); i += 4096 {
			b[i] = 1
		}
		return 7
	case cmdLoop:
		for i := 0; ; i++ {
			runs += i
		}
	case cmdRecurse:
		return recurse(1)
	case cmdNil:
		var p *int
		return int32(*p)
	case cmdTime:
		if time.Now().Year() >= 2001 {
			return 1
		}
	case cmdAllocate:
		for {
			b := make([]byte, 1<<20)
			b[1] = 1
			keep = append(keep, b)
		}
	case cmdWarm:
		if warm {
			return 1
		}
	}
	return 0
}

func recurse(n int32) int32 {
	if n == 0 {
		return 0
	}
	return recurse(n+1) + n
}

func main() {}
