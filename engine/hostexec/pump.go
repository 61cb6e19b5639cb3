// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package hostexec

import (
	"bytes"
	"errors"
	"io"
	"os"
	"sync"
	"sync/atomic"
	"time"
)

// pumpSize is how much is read at once.
const pumpSize = 32 << 10

// aheadChunks bounds what is read ahead of a terminal's Writer, in reads of
// usually 4 KiB. A terminal has to be read at once: when its session leader
// exits, Linux throws away what is still on the way to the reader, up to 8 KiB,
// and macOS gives the reader a second.
const aheadChunks = 256

var pumpBuffers = sync.Pool{New: func() any { return new([pumpSize]byte) }}

// pump moves one output of a command to its Writer.
type pump struct {
	from  *os.File
	to    io.Writer
	ahead bool         // read before the Writer has taken what was read
	since atomic.Int64 // when the read under way began, 0 outside of one
	gone  atomic.Bool
	over  atomic.Bool
	err   error // of the Writer; valid once over
}

func (p *pump) run() {
	defer p.over.Store(true)
	defer p.from.Close()
	if p.ahead {
		p.err = p.readAhead()
		return
	}
	p.err = p.read(func(b []byte) error { return p.write(b) })
}

// readAhead reads independently of the Writer, as far as the queue goes.
func (p *pump) readAhead() error {
	queue := make(chan []byte, aheadChunks)
	written := make(chan error, 1)
	go func() {
		var failed error
		for b := range queue {
			if failed != nil {
				continue
			}
			if failed = p.write(b); failed != nil {
				_ = p.from.Close() // ends the reading
			}
		}
		written <- failed
	}()
	err := p.read(func(b []byte) error {
		queue <- bytes.Clone(b)
		return nil
	})
	close(queue)
	if failed := <-written; failed != nil {
		return failed
	}
	return err
}

func (p *pump) write(b []byte) error {
	n, err := p.to.Write(b)
	if err == nil && n < len(b) {
		err = io.ErrShortWrite
	}
	return err
}

// read hands over what it reads until the end, which is no error, or until take
// fails.
func (p *pump) read(take func([]byte) error) error {
	buf := pumpBuffers.Get().(*[pumpSize]byte)
	defer pumpBuffers.Put(buf)
	for {
		p.since.Store(monotonic())
		n, err := p.from.Read(buf[:])
		p.since.Store(0)
		if n > 0 {
			if err := take(buf[:n]); err != nil {
				return err
			}
		}
		if err != nil {
			if err == io.EOF || endOfTerminal(err) || p.gone.Load() || errors.Is(err, os.ErrClosed) {
				return nil
			}
			return err
		}
	}
}

// idle returns how long the read under way has been waiting, 0 outside of one.
func (p *pump) idle() time.Duration {
	since := p.since.Load()
	if since == 0 {
		return 0
	}
	return max(time.Duration(monotonic()-since), 1)
}

// abandon makes the read under way fail. Where files cannot do that it returns
// false, and the pump stays until the other side closes.
func (p *pump) abandon() bool {
	p.gone.Store(true)
	return p.from.SetReadDeadline(time.Unix(1, 0)) == nil
}

var epoch = time.Now()

// monotonic returns nanoseconds of a clock that never goes back, at least 1.
func monotonic() int64 { return int64(time.Since(epoch)) + 1 }
