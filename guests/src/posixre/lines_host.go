// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

//go:build wasip1 || linux

package posixre

import (
	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/guests/src/wsys"
)

// hostRun is what is kept between runs by the host.
type hostRun struct {
	lines *dfa // as test, without searches for candidates
	run   wsys.DFA
	again int // where the last attempt began that needed a new transition
}

func hostWorth(n int) bool { return n > wsys.Worth }

// hostLines is FindLines where the host reads the text. It runs the automaton
// as far as that is known; new transitions are computed here.
func (re *Regexp) hostLines(b []byte, pos int, out []uint32) (n, next int, err error) {
	eol := byte(re.eol)
	if re.exact || re.foldedExact {
		needle, mode := re.prefix, abi.FindLines
		if !re.exact {
			needle, mode = re.folded, mode|abi.AccelFold
		}
		n = wsys.Find(b[pos:], needle, mode, eol, out)
		for i := range out[:n] {
			out[i] += uint32(pos)
		}
		if n+2 > len(out) {
			return n, min(int(out[n-1])+1, len(b)), nil
		}
		return n, len(b), nil
	}
	re.enter(0)
	if re.host.lines == nil {
		if err := re.need(&re.host.lines, false, true, false); err != nil {
			return 0, pos, err
		}
		re.host.lines.scan = false
	}
	d, abc := re.host.lines, re.abc
	start := d.start(re.edge)
	run := &re.host.run
	*run = wsys.DFA{
		Classes: &abc.byteClass, Low: abc.low, Class: abc.class, Multi: abc.multi, Columns: abc.columns,
		Text: b, Needle: re.must, Mode: abi.DFALines, EOL: eol, Pos: pos,
	}
	if re.folded != nil {
		run.Needle, run.Mode = re.folded, abi.DFALines|abi.AccelFold
	}
	for {
		resets := d.resets
		run.Trans, run.Wide, run.Flags, run.Start, run.Out = d.trans, d.cols, d.flags, start, out[n:]
		reason := run.Run()
		n += run.N
		at := run.Pos
		switch reason {
		case abi.DFAFull:
			return n, at, nil
		case abi.DFADone:
			return n, len(b), nil
		case abi.DFAEnd:
			if run.State == 0 || len(b) == 0 || b[len(b)-1] == eol {
				return n, len(b), nil
			}
			if t := d.next(run.State, re.end); t < 0 && d.row(-t).matched {
				s, e := re.lineOf(b, len(b))
				if len(out)-n < 2 {
					return n, s, nil
				}
				out[n], out[n+1] = uint32(s), uint32(e)
				n += 2
			}
			return n, len(b), nil
		}
		// The symbol at this position is new to the state.
		col, size := abc.next(b, at)
		t := d.next(run.State, col)
		switch {
		case t < 0 && d.row(-t).matched:
			s, e := re.lineOf(b, at)
			if len(out)-n < 2 {
				return n, s, nil
			}
			out[n], out[n+1] = uint32(s), uint32(e)
			n += 2
			run.State, run.Pos = 0, min(e+1, len(b))
		case t == -deadState:
			return n, len(b), nil
		default:
			run.State, run.Pos = max(t, -t), at+size
			if b[at] == eol && len(run.Needle) > 0 {
				run.State = 0
			}
		}
		if d.resets != resets {
			start = d.start(re.edge)
		}
	}
}

// hostMatches is FindAll where the host reads the text.
func (re *Regexp) hostMatches(b []byte, pos int, once bool, out []uint32) (n, next int, err error) {
	if re.exact {
		mode := abi.FindAll
		if once {
			mode = abi.FindOnce
		}
		n = wsys.Find(b[pos:], re.prefix, mode, byte(re.eol), out[:len(out)/2])
		for i := n - 1; i >= 0; i-- {
			at := out[i] + uint32(pos)
			out[2*i], out[2*i+1] = at, at+uint32(len(re.prefix))
		}
		n *= 2
		if n+2 <= len(out) {
			return n, len(b), nil
		}
		next = int(out[n-1])
		if once {
			_, next = re.lineOf(b, next)
			next = min(next+1, len(b))
		}
		return n, next, nil
	}
	re.enter(0)
	if err := re.need(&re.fixed, false, false, false); err != nil {
		return 0, pos, err
	}
	d, abc := re.fixed, re.abc
	run := &re.host.run
	*run = wsys.DFA{
		Classes: &abc.byteClass, Low: abc.low, Class: abc.class, Multi: abc.multi, Columns: abc.columns,
		Text: b, Mode: abi.DFAMatches, EOL: byte(re.eol), Pos: pos,
	}
	if once {
		run.Mode = abi.DFAMatchesOnce
	}
	for {
		resets := d.resets
		run.Start, run.Inner = d.start(re.edge), d.start(0)
		if d.resets != resets {
			continue // the first one may be gone
		}
		run.Trans, run.Wide, run.Flags, run.Out = d.trans, d.cols, d.flags, out[n:]
		reason := run.Run()
		n += run.N
		switch {
		case reason == abi.DFAFull, reason == abi.DFAEnd && run.Pos == len(b) && run.State == 0:
			return n, run.Pos, nil
		case reason == abi.DFAUnknown:
			col, _ := abc.next(b, run.Pos)
			d.next(run.State, col)
			run.Pos = run.Last
			if d.resets != resets && run.Last == re.host.again {
				break // too many states for one attempt
			}
			re.host.again = run.Last
			continue
		case reason == abi.DFAEnd:
			run.Pos = run.Last
		}
		// This match, if it is one, is found in another way.
		if len(out)-n < 2 {
			return n, run.Pos, nil
		}
		k, next, err := re.findAll(b, run.Pos, once, out[n:n+2])
		n += k
		if err != nil || next == len(b) {
			return n, next, err
		}
		run.Pos = next
	}
}
