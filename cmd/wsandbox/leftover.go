// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"io"
	"os"
	"sync"
	"time"

	"github.com/wsandbox/wsandbox/tools/screen"
)

// terminalOutput is the host's terminal that programs inside write to. It notes
// which of its modes they leave switched on.
type terminalOutput struct {
	io.Writer
	alternate func(on bool) // is told of the alternate screen; nil is nobody

	mu       sync.Mutex
	leftover screen.Leftover
	within   bool // a line
	reported bool // what alternate was told last
}

func (w *terminalOutput) Write(p []byte) (int, error) {
	w.ahead(p)
	n, err := w.Writer.Write(p)
	if n <= 0 || n > len(p) {
		return n, err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	_, _ = w.leftover.Write(p[:n]) // never fails
	w.within = p[n-1] != '\n'
	if on := w.leftover.Alternate(); on != w.reported && w.alternate != nil {
		w.reported = on
		w.alternate(on)
	}
	return n, err
}

// ahead tells of an alternate screen that p switches on, before that is seen: the
// process may be killed right behind it.
func (w *terminalOutput) ahead(p []byte) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.alternate == nil || w.reported {
		return
	}
	next := w.leftover
	_, _ = next.Write(p) // never fails
	if next.Alternate() {
		w.reported = true
		w.alternate(true)
	}
}

// SetWriteDeadline hands a deadline on: it ends a call of Write.
func (w *terminalOutput) SetWriteDeadline(t time.Time) error {
	if d, ok := w.Writer.(interface{ SetWriteDeadline(time.Time) error }); ok {
		return d.SetWriteDeadline(t)
	}
	return os.ErrNoDeadline
}

// reset puts back what the programs left switched on. It is called when they have
// ended.
func (w *terminalOutput) reset() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if b := w.leftover.Reset(nil); len(b) > 0 {
		w.within = true // or it is not known
		_, _ = w.Writer.Write(b)
	}
}

// endLine has what is written next begin a line.
func (w *terminalOutput) endLine() {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.within {
		_, _ = io.WriteString(w.Writer, "\n")
		w.within = false
	}
}
