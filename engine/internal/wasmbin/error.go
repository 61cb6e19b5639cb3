// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package wasmbin

import "fmt"

// Reason says why a module was refused.
type Reason uint8

// Reasons.
const (
	// Malformed: the bytes are no module of the binary format.
	Malformed Reason = iota + 1
	// Unsupported: the module uses a construct that is known but not run here.
	Unsupported
	// Limit: the module asks for more than is granted to any.
	Limit
	// Reserved: the module uses a name that belongs to the rewriter.
	Reserved
)

// String returns the reason in lower case, as used in messages.
func (r Reason) String() string {
	switch r {
	case Malformed:
		return "malformed"
	case Unsupported:
		return "unsupported"
	case Limit:
		return "limit exceeded"
	case Reserved:
		return "reserved name"
	}
	return "unknown reason"
}

// Error is what [Rewrite] returns for every module it refuses.
type Error struct {
	Reason  Reason
	Section string // name of the section, "" outside of any
	Offset  int    // in the module, in bytes, of the construct in question
	Message string // names the construct
}

// Error returns one line: reason, section, offset and construct.
func (e *Error) Error() string {
	if e.Section == "" {
		return fmt.Sprintf("wasm module: %s at offset %#x: %s", e.Reason, e.Offset, e.Message)
	}
	return fmt.Sprintf("wasm module: %s in %s section at offset %#x: %s", e.Reason, e.Section, e.Offset, e.Message)
}
