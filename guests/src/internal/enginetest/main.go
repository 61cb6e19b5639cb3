// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

// Command enginetest is a guest for the tests of package engine: it does what
// its first argument names.
package main

import (
	"strconv"
	"sync"
	"time"

	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/guests/src/wsys"
)

var (
	warmed bool
	runs   int
	keep   [][]byte
)

//go:wasmexport wsandbox_warm
func warm() {
	warmed = true
	keep = append(keep, make([]byte, 256<<10))
	keep = nil
}

func print(fd wsys.FD, s string) {
	if _, err := wsys.Write(fd, []byte(s)); err != nil {
		wsys.Exit(99)
	}
}

//go:wasmexport wsandbox_main
func run() int32 {
	runs++
	if runs != 1 || !warmed {
		return 98
	}
	args := wsys.Args()
	if len(args) < 2 {
		return 97
	}
	switch args[1] {
	case "true":
		return 0
	case "echo":
		for _, a := range args[2:] {
			print(1, a+"\n")
		}
		return 0
	case "env":
		for _, a := range wsys.Environ() {
			print(1, a+"\n")
		}
		d, err := wsys.Getcwd()
		if err != nil {
			return 1
		}
		print(1, d+"\n")
	case "cat":
		b := make([]byte, 32<<10)
		for {
			n, err := wsys.Read(0, b)
			if err != nil {
				return 1
			}
			if n == 0 {
				return 0
			}
			print(1, string(b[:n]))
		}
	case "exit":
		n, err := strconv.Atoi(args[2])
		if err != nil {
			return 1
		}
		wsys.Exit(n)
	case "panic":
		panic("on purpose")
	case "loop":
		print(1, "looping\n")
		for i := 0; ; i++ {
			runs += i
		}
	case "recurse":
		return recurse(1)
	case "allocate":
		for {
			keep = append(keep, make([]byte, 1<<20))
			keep[len(keep)-1][5] = 1
		}
	case "goroutines":
		var wg sync.WaitGroup
		var mu sync.Mutex
		sum := 0
		for i := range 50 {
			wg.Go(func() {
				time.Sleep(time.Millisecond)
				mu.Lock()
				defer mu.Unlock()
				sum += i
			})
		}
		wg.Wait()
		print(1, strconv.Itoa(sum)+"\n")
	case "time":
		print(1, strconv.FormatInt(time.Now().UnixNano()/1e9-wsys.Now()/1e9, 10)+"\n")
	case "spawn": // count path args...: one after the other
		n, err := strconv.Atoi(args[2])
		if err != nil {
			return 1
		}
		for range n {
			pid, err := wsys.Spawn(&abi.SpawnSpec{Path: args[3], Args: args[3:], Umask: -1})
			if err != nil {
				return 1
			}
			r, err := wsys.Wait(0, pid, 0)
			if err != nil || r.Status != 0 {
				return 2
			}
		}
	case "pipe": // path args...: its output is copied to ours
		r, w, err := wsys.Pipe(abi.OCloexec)
		if err != nil {
			return 1
		}
		pid, err := wsys.Spawn(&abi.SpawnSpec{Path: args[2], Args: args[2:], Umask: -1, Actions: []abi.FDAction{{FD: 1, Src: w}}})
		if err != nil {
			return 2
		}
		if wsys.Close(w) != nil {
			return 3
		}
		b := make([]byte, 4096)
		for {
			n, err := wsys.Read(r, b)
			if err != nil {
				return 4
			}
			if n == 0 {
				break
			}
			print(1, string(b[:n]))
		}
		if st, err := wsys.Wait(0, pid, 0); err != nil || st.Status != 0 {
			return 5
		}
	case "open": // path
		if _, err := wsys.Open(abi.AtCwd, args[2], abi.ORdonly, 0); err != nil {
			return 1
		}
	case "exec": // path args...
		if wsys.Exec(&abi.SpawnSpec{Path: args[2], Args: args[2:], Umask: -1}) != nil {
			return 1
		}
	default:
		return 96
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
