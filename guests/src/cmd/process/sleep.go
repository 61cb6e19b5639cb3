// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package process

import (
	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/guests/src/cmdkit"
	"github.com/wsandbox/wsandbox/guests/src/wsys"
)

var sleepSyntax = cmdkit.Syntax{
	Usage: []string{"NUMBER[SUFFIX]...", "OPTION"},
	Help: `Pause for NUMBER seconds, or minutes, hours, days with SUFFIX m, h, d. NUMBER
may be a decimal fraction; several are added up.

`,
}

// Sleep waits.
func Sleep(p *cmdkit.Proc) int {
	g := p.Options(&sleepSyntax)
	for g.Next() {
	}
	if g.Stop {
		return g.Status
	}
	if len(g.Operands) == 0 {
		return p.MissingOperand(1)
	}
	total, bad := int64(0), false
	for _, a := range g.Operands {
		ns, ok := cmdkit.ParseSeconds(a)
		if !ok {
			p.Warn("invalid time interval ", cmdkit.Quote(a))
			bad = true
			continue
		}
		if total += ns; total < 0 || total > 1<<62 {
			total = 1 << 62
		}
	}
	if bad {
		return p.TryHelp(1)
	}
	pause(total)
	return 0
}

// pause waits for ns nanoseconds.
func pause(ns int64) {
	end := wsys.Monotonic() + ns
	for left := ns; left > 0; left = end - wsys.Monotonic() {
		// One wait is kept below a year.
		if _, err := wsys.Poll(nil, min(left, 1<<55)); err != nil && err != abi.EINTR {
			return
		}
	}
}
