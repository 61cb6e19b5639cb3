// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package pipe

// Waker is what one sleeper waits on: a channel that holds one token.
type Waker struct{ c chan struct{} }

// NewWaker returns a waker without a token.
func NewWaker() Waker { return Waker{c: make(chan struct{}, 1)} }

// Wake ends the current or the next sleep. It never blocks.
func (w Waker) Wake() {
	select {
	case w.c <- struct{}{}:
	default:
	}
}

// C returns the channel that a sleeper receives from.
func (w Waker) C() <-chan struct{} { return w.c }
