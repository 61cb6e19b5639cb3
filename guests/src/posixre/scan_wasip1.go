// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package posixre

import (
	"bytes"

	"github.com/wsandbox/wsandbox/guests/src/wsys"
)

// scanWorth is how many bytes a search for a literal must skip on average to be
// faster than the automaton.
const scanWorth = 192

// near is how far a search goes before it is worth a call of the host.
const near = 128

func index(b, s []byte) int {
	if len(b) <= near || len(s) == 0 {
		return bytes.Index(b, s)
	}
	return wsys.Index(b, s)
}

func indexByte(b []byte, c byte) int {
	if len(b) <= 2*near {
		return bytes.IndexByte(b, c)
	}
	if k := bytes.IndexByte(b[:2*near], c); k >= 0 {
		return k
	}
	if k := wsys.IndexByte(b[2*near:], c); k >= 0 {
		return k + 2*near
	}
	return -1
}

func lastIndexByte(b []byte, c byte) int { return bytes.LastIndexByte(b, c) }
