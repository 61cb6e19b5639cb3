// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package hostexec

import (
	"errors"
	"io"
	"os"
	"sync"
	"sync/atomic"
	"time"
)

// pumpSize is how much is read at once.
const pumpSize = 32 << 10

var pumpBuffers = sync.Pool{New: func() any { return new([pumpSize]byte) }}

// pump moves one output of a command to its Writer.
type pump struct {
	from  *os.File
	to    io.Writer
	since atomic.Int64 // when the read under way began, 0 outside of one
	gone  atomic.Bool
	over  atomic.Bool
	err   error // of the Writer; valid once over
}

func (p *pump) run() {
	defer p.over.Store(true)
	defer p.from.Close()
	buf := pumpBuffers.Get().(*[pumpSize]byte)
	defer pumpBuffers.Put(buf)
	for {
		p.since.Store(monotonic())
		n, err := p.from.Read(buf[:])
		p.since.Store(0)
		if n > 0 {
			w, werr := p.to.Write(buf[:n])
			if werr == nil && w < n {
				werr = io.ErrShortWrite
			}
			if werr != nil {
				p.err = werr
				return
			}
		}
		if err != nil {
			if err != io.EOF && !endOfTerminal(err) && !p.gone.Load() && !errors.Is(err, os.ErrClosed) {
				p.err = err
			}
			return
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
