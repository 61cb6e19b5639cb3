// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

// Command guest is a reactor whose exports exercise what Go code does in wasm.
package main

import (
	"bytes"
	"crypto/sha256"
	"sort"
	"strconv"
	"strings"
)

//go:wasmexport hash
func hash(n int32) int32 {
	buf := make([]byte, 1<<16)
	var s [32]byte
	for range n {
		s = sha256.Sum256(buf)
		copy(buf, s[:])
	}
	return int32(s[0])<<8 | int32(s[1])
}

//go:wasmexport sorted
func sorted(n int32) int32 {
	x := uint32(1)
	a := make([]string, n)
	for i := range a {
		x = x*1103515245 + 12345
		a[i] = strconv.Itoa(int(x >> 4))
	}
	sort.Strings(a)
	sum := int32(0)
	for i, s := range a {
		sum = sum*31 + int32(i)*int32(len(s)) + int32(s[0])
	}
	return sum
}

//go:wasmexport counted
func counted(n int32) int32 {
	m := map[string]int{}
	for i := range n {
		m[strconv.Itoa(int(i%5000))]++
	}
	return int32(len(m)) + int32(m["42"])
}

//go:wasmexport looped
func looped(n int32) int32 {
	s := int32(0)
	for i := range n {
		s = s*3 + i
		if s&7 == 3 {
			s++
		}
	}
	return s
}

//go:wasmexport lines
func lines(n int32) int32 {
	b := []byte(strings.Repeat("hello world foo bar\n", 1000))
	c := 0
	for range n {
		for p := b; ; {
			k := bytes.IndexByte(p, '\n')
			if k < 0 {
				break
			}
			c++
			p = p[k+1:]
		}
		c += len(strings.Fields(string(b[:2000])))
	}
	return int32(c)
}

type node struct{ l, r *node }

func grow(depth int) *node {
	if depth == 0 {
		return &node{}
	}
	return &node{grow(depth - 1), grow(depth - 1)}
}

func (n *node) count() int32 {
	if n.l == nil {
		return 1
	}
	return 1 + n.l.count() + n.r.count()
}

//go:wasmexport trees
func trees(n int32) int32 {
	c := int32(0)
	for range n {
		c += grow(12).count()
	}
	return c
}

func fibonacci(n int32) int32 {
	if n < 2 {
		return n
	}
	return fibonacci(n-1) + fibonacci(n-2)
}

//go:wasmexport fib
func fib(n int32) int32 { return fibonacci(n) }

func recovered(i int32) (r int32) {
	defer func() {
		if recover() != nil {
			r = i
		}
	}()
	var a []int32
	return a[i]
}

//go:wasmexport panics
func panics(n int32) int32 {
	s := int32(0)
	for i := range n {
		s += recovered(i)
	}
	return s
}

//go:wasmexport concurrent
func concurrent(n int32) int32 {
	in, out := make(chan int32), make(chan int32, 4)
	for range 4 {
		go func() {
			for v := range in {
				out <- v * v
			}
		}()
	}
	go func() {
		for i := range n {
			in <- i
		}
		close(in)
	}()
	s := int32(0)
	for range n {
		s += <-out
	}
	return s
}

//go:wasmexport forever
func forever(n int32) int32 {
	for n >= 0 {
		n ^= 1
	}
	return n
}

func main() {}
