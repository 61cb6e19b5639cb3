// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

// Package pipe is the byte queue behind pipes and FIFOs, and the wait queues
// that pipes and other streams of the kernel wake their sleepers with.
//
// A [Pipe] takes its buffer from a [Pool] while it holds data, so an empty pipe
// costs nothing but itself.
//
// Every mutex of this package is a leaf: nothing is called with it held but
// wake functions, which take no lock.
package pipe
