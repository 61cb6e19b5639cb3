// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package grep

import (
	"bytes"

	"github.com/wsandbox/wsandbox/guests/src/wsys"
)

// near is how far a search goes before it is worth a call of the host.
const near = 256

func indexByte(b []byte, c byte) int {
	if len(b) <= near {
		return bytes.IndexByte(b, c)
	}
	if k := bytes.IndexByte(b[:near], c); k >= 0 {
		return k
	}
	if k := wsys.IndexByte(b[near:], c); k >= 0 {
		return k + near
	}
	return -1
}

func lastIndexByte(b []byte, c byte) int { return bytes.LastIndexByte(b, c) }

func countByte(b []byte, c byte) int {
	if len(b) > near {
		return wsys.CountByte(b, c)
	}
	n := 0
	for _, x := range b {
		if x == c {
			n++
		}
	}
	return n
}
