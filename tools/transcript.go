// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package tools

import (
	"sync"
)

// transcript keeps the output of a session for read_output: all of it where
// there is a log, else the head and the tail.
type transcript struct {
	mu   sync.Mutex
	kept headTail
	log  LogFile
	size int64 // of the log
	err  error // of the log, after which the rest is only in kept
	refs int   // the session and the chunks that name it
}

func (t *transcript) write(p []byte) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.kept.write(p)
	if t.log == nil || t.err != nil {
		return
	}
	n, err := t.log.Write(p)
	t.size += int64(min(max(n, 0), len(p)))
	t.err = err
}

func (t *transcript) total() int64 {
	t.mu.Lock()
	defer t.mu.Unlock()
	return t.kept.total()
}

// read returns up to n bytes from off on, and the position of the first: where
// what is at off was dropped, that of the next byte kept. No bytes are returned
// at the end.
func (t *transcript) read(off int64, n int) ([]byte, int64) {
	t.mu.Lock()
	defer t.mu.Unlock()
	total := t.kept.total()
	off = min(max(off, 0), total)
	n = int(min(int64(n), total-off))
	if off < t.size && t.log != nil {
		b := make([]byte, min(int64(n), t.size-off))
		if k, _ := t.log.ReadAt(b, off); k > 0 {
			return b[:k], off
		}
	}
	head, tail := t.kept.parts()
	if off < int64(len(head)) {
		return head[off:min(off+int64(n), int64(len(head)))], off
	}
	first := total - int64(len(tail))
	off = max(off, first)
	from := off - first
	return tail[from:min(from+int64(n), int64(len(tail)))], off
}

// hold adds a reference.
func (t *transcript) hold() {
	t.mu.Lock()
	t.refs++
	t.mu.Unlock()
}

// release takes one away, and closes the log with the last.
func (t *transcript) release() {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.refs--; t.refs == 0 && t.log != nil {
		_ = t.log.Close() // what was written is not read again
		t.log, t.size = nil, 0
	}
}
