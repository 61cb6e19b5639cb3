// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package kernel

import (
	"io"

	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/engine/kernel/internal/hostio"
	"github.com/wsandbox/wsandbox/engine/vfs"
)

// NewReaderFile makes a file that processes read r through. r is read by one
// goroutine at a time and only when a process asks for data, so that what no
// process reads stays in r. An error of r other than io.EOF reads as EIO.
//
// A call of r.Read that blocks does not hang a process: waiting for it is
// interruptible as for a pipe. It does not hang [Kernel.Close] either, but its
// goroutine stays until the call returns; what it then brings is dropped. Where
// r has a method SetReadDeadline, as files and connections have, closing the
// file during a call calls it with a time in the past, which ends the call. A
// *bytes.Reader, *bytes.Buffer or *strings.Reader is read without a goroutine.
func NewReaderFile(r io.Reader) *OpenFile {
	return NewFile(hostio.NewReader(r), "host:[input]", abi.ORdonly)
}

// Settle waits until what processes wrote to a host-side file without waiting
// (O_NONBLOCK) has arrived, or done is closed: EAGAIN then, EPIPE where the host
// takes no more. Other files settle at once.
func (f *OpenFile) Settle(done <-chan struct{}) error {
	if f.host == nil {
		return nil
	}
	woken := make(chan struct{}, 1)
	if p, ok := f.file.(vfs.Poller); ok {
		cancel := p.Subscribe(abi.PollOut, func() {
			select {
			case woken <- struct{}{}:
			default:
			}
		})
		defer cancel()
	}
	for {
		err := f.host.Settled()
		if err != abi.EAGAIN {
			return err
		}
		select {
		case <-woken:
		case <-done:
			return abi.EAGAIN
		}
	}
}

// NewWriterFile makes a file that processes write w through, in the order of
// their writes. A write waits until w has taken it, so that outputs keep their
// order across files and nothing is left over when a process has ended. Its
// bytes count against [Limits].Output. An error of w reads as EPIPE, with
// SIGPIPE, from then on.
//
// A call of w.Write that blocks hangs neither a process that is to end nor
// [Kernel.Close]; its goroutine stays until the call returns. Where w has a
// method SetWriteDeadline, closing the file during a call calls it with a time
// in the past.
func NewWriterFile(w io.Writer) *OpenFile {
	return NewFile(hostio.NewWriter(w), "host:[output]", abi.OWronly)
}
