// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package kernel

// linkKind says which list a link of a process belongs to.
type linkKind uint8

const (
	linkChild  linkKind = iota // of its parent
	linkGroup                  // of its process group
	linkJob                    // of its job
	linkShadow                 // of its owner
	linkKinds
)

type procLink struct{ next, prev *Process }

// procList is a list of processes, oldest first. It is guarded by Kernel.mu.
type procList struct {
	head, tail *Process
	n          int
}

func (l *procList) push(p *Process, k linkKind) {
	p.links[k] = procLink{prev: l.tail}
	if l.tail != nil {
		l.tail.links[k].next = p
	} else {
		l.head = p
	}
	l.tail = p
	l.n++
}

func (l *procList) remove(p *Process, k linkKind) {
	n := p.links[k]
	if n.prev != nil {
		n.prev.links[k].next = n.next
	} else {
		l.head = n.next
	}
	if n.next != nil {
		n.next.links[k].prev = n.prev
	} else {
		l.tail = n.prev
	}
	p.links[k] = procLink{}
	l.n--
}
