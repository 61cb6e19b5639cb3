// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package pipe

import "github.com/wsandbox/wsandbox/engine/abi"

// Open opens an end for the access mode in flag, which counts from now on. It
// returns ENXIO for a write end with ONonblock while there is no reader. met is
// nil where the open is complete; else the opener waits with EnlistOpen until
// met reports true, or closes the end. Reading with ONonblock and opening for
// both never waits.
//
// POSIX: open(), O_NONBLOCK.
func (p *Pipe) Open(flag abi.OpenFlag) (end End, met func() bool, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	defer func() {
		if err == nil {
			p.opens.Wake(abi.PollIn, 0)
		}
	}()
	switch flag & abi.OAccmode {
	case abi.ORdonly:
		p.readers++
		p.rgen++
		if p.writers == 0 && flag&abi.ONonblock == 0 {
			met = p.later(&p.wgen)
		}
		return &Reader{p: p}, met, nil
	case abi.OWronly:
		if p.readers == 0 && flag&abi.ONonblock != 0 {
			return nil, nil, abi.ENXIO
		}
		p.writers++
		p.wgen++
		if p.readers == 0 {
			met = p.later(&p.rgen)
		}
		return &Writer{p: p}, met, nil
	}
	p.readers++
	p.writers++
	p.rgen++
	p.wgen++
	return &Both{p: p}, nil, nil
}

// later returns a function that reports whether the counter has moved since. A
// peer that has come and gone again counts.
//
// Preconditions: mu is held.
func (p *Pipe) later(counter *uint64) func() bool {
	seen := *counter
	return func() bool {
		p.mu.Lock()
		defer p.mu.Unlock()
		return *counter != seen
	}
}

// EnlistOpen puts e among those that are woken when an end is opened.
func (p *Pipe) EnlistOpen(e *Entry) { p.add(&p.opens, e) }

// DelistOpen takes e out again.
func (p *Pipe) DelistOpen(e *Entry) { p.del(&p.opens, e) }
