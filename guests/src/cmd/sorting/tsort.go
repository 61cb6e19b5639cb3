// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package sorting

import (
	"github.com/wsandbox/wsandbox/guests/src/cmdkit"
)

var tsortSyntax = cmdkit.Syntax{
	Short: "w",
	Usage: []string{"[OPTION] [FILE]"},
	Help:  "Write totally ordered list consistent with the partial ordering in FILE.\n\n",
}

// vertex is an item of tsort.
type vertex struct {
	name string
	next []int // items that come later, newest first
	in   int
	done bool
}

// Tsort is tsort(1). Items without an order come in the order of the C locale's
// names, and successors in the order that GNU's version uses.
func Tsort(p *cmdkit.Proc) int {
	g := p.Options(&tsortSyntax)
	for g.Next() {
	}
	if g.Stop {
		return g.Status
	}
	if len(g.Operands) > 1 {
		return p.ExtraOperand(1, g.Operands[1])
	}
	name := "-"
	if len(g.Operands) > 0 {
		name = g.Operands[0]
	}
	fd, err := p.Open(name)
	if err != nil {
		return p.FileErrno(err, name)
	}
	r := p.InputReader(fd)
	var items []vertex
	index := map[string]int{}
	get := func(s string) int {
		i, ok := index[s]
		if !ok {
			i = len(items)
			items = append(items, vertex{name: s})
			index[s] = i
		}
		return i
	}
	prev, have := 0, false
	word := func(w []byte) {
		i := get(string(w))
		if !have {
			prev, have = i, true
			return
		}
		have = false
		if prev != i {
			items[prev].next = append(items[prev].next, i)
			items[i].in++
		}
	}
	var w []byte
	for {
		c, ok := r.Byte()
		if ok && c != ' ' && c != '\t' && c != '\n' {
			w = append(w, c)
			continue
		}
		if len(w) > 0 {
			word(w)
			w = w[:0]
		}
		if !ok {
			break
		}
	}
	if r.Err != nil {
		return p.FileErrno(r.Err, name)
	}
	if have {
		p.Warn(name, ": input contains an odd number of tokens")
		return 1
	}
	status := 0
	left := len(items)
	order := sortedNames(items)
	var queue []int
	for {
		for _, i := range order {
			if !items[i].done && items[i].in == 0 && !contains(queue, i) {
				queue = append(queue, i)
			}
		}
		for len(queue) > 0 {
			i := queue[0]
			queue = queue[1:]
			v := &items[i]
			v.done = true
			left--
			p.Stdout.WriteString(v.name + "\n")
			for k := len(v.next) - 1; k >= 0; k-- {
				n := v.next[k]
				if items[n].in--; items[n].in == 0 {
					queue = append(queue, n)
				}
			}
		}
		if left == 0 || p.WriteFailed() {
			return status
		}
		status = 1
		p.Warn(name, ": input contains a loop:")
		breakLoop(p, items, order)
	}
}

func contains(l []int, x int) bool {
	for _, v := range l {
		if v == x {
			return true
		}
	}
	return false
}

func sortedNames(items []vertex) []int {
	order := make([]item, len(items))
	for i := range order {
		order[i] = item{pre: prefix([]byte(items[i].name)), idx: uint32(i)}
	}
	quick(order, func(a, b uint32) bool { return items[a].name < items[b].name }, 64)
	out := make([]int, len(order))
	for i := range order {
		out[i] = int(order[i].idx)
	}
	return out
}

// breakLoop reports one loop and removes one relation of it.
func breakLoop(p *cmdkit.Proc, items []vertex, order []int) {
	// Walk backwards from the first item that is left: every such item has
	// a predecessor that is left too.
	before := func(i int) int {
		for _, j := range order {
			if items[j].done {
				continue
			}
			for _, n := range items[j].next {
				if n == i {
					return j
				}
			}
		}
		return -1
	}
	at := -1
	for _, i := range order {
		if !items[i].done {
			at = i
			break
		}
	}
	seen := map[int]int{}
	var path []int
	for {
		if k, ok := seen[at]; ok {
			path = path[k:]
			break
		}
		seen[at] = len(path)
		path = append(path, at)
		at = before(at)
	}
	for _, i := range path {
		p.Warn(items[i].name)
	}
	from, to := path[0], path[len(path)-1] // path[k+1] comes before path[k]
	for k, n := range items[from].next {
		if n == to || len(path) == 1 {
			items[from].next = append(items[from].next[:k:k], items[from].next[k+1:]...)
			items[n].in--
			return
		}
	}
	// The loop closes from its first to its last item.
	for k, n := range items[to].next {
		if n == from {
			items[to].next = append(items[to].next[:k:k], items[to].next[k+1:]...)
			items[n].in--
			return
		}
	}
}
