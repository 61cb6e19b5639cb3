// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package image

import (
	"errors"
	"strings"

	"github.com/wsandbox/wsandbox/engine/abi"
)

// Fault is how a program ended that did not leave by itself.
type Fault struct {
	Signal abi.Signal // what an ordinary process would die by; 0: it was never started
	Limit  abi.Limit  // that it ran into
	Reason string     // one line
	Host   bool       // an error of our own, not of the program
}

// The runtime's words for its traps.
const (
	trapPrefix   = "wasm error: "
	hostSuffix   = " (recovered by wazero)"
	stackTrap    = "stack overflow"
	unreachable  = "unreachable"
	divideByZero = "integer divide by zero"
	overflow     = "integer overflow"
	noInteger    = "invalid conversion to integer"
)

// FaultOf says what an error of [Instance.Call] or [Image.Get] means. It is not
// to be asked about a *sys.ExitError.
func FaultOf(err error) Fault {
	if errors.Is(err, ErrMemory) {
		return Fault{Signal: abi.SIGKILL, Limit: abi.LimitMemory, Reason: "out of memory"}
	}
	if errors.Is(err, errStack) {
		return Fault{Signal: abi.SIGSEGV, Limit: abi.LimitStack, Reason: stackTrap}
	}
	// Only the first line is the runtime's; what follows may quote names of
	// the module.
	first, _, _ := strings.Cut(err.Error(), "\n")
	if strings.HasSuffix(first, hostSuffix) {
		return Fault{Signal: abi.SIGSYS, Reason: strings.TrimSuffix(first, hostSuffix), Host: true}
	}
	reason, trap := "", false
	for e := err; e != nil && !trap; e = errors.Unwrap(e) {
		line, _, _ := strings.Cut(e.Error(), "\n")
		if reason, trap = strings.CutPrefix(line, trapPrefix); !trap && line == stackTrap {
			reason, trap = line, true
		}
	}
	switch {
	case !trap:
		return Fault{Reason: first}
	case reason == stackTrap:
		return Fault{Signal: abi.SIGSEGV, Limit: abi.LimitStack, Reason: reason}
	case reason == unreachable:
		return Fault{Signal: abi.SIGILL, Reason: reason}
	case reason == divideByZero || reason == overflow || reason == noInteger:
		return Fault{Signal: abi.SIGFPE, Reason: reason}
	}
	return Fault{Signal: abi.SIGSEGV, Reason: reason}
}
