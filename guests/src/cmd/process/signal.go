// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package process

import (
	"strconv"

	"github.com/wsandbox/wsandbox/engine/abi"
)

func itoa(v int) string { return strconv.Itoa(v) }

// parseSignal reads a signal: a number, or a name in any case with or without
// SIG. A number above 128 may be a wait status. 0 and EXIT are 0.
func parseSignal(s string) (abi.Signal, bool) {
	if s == "" {
		return 0, false
	}
	if s[0] >= '0' && s[0] <= '9' {
		v, err := strconv.Atoi(s)
		if err != nil {
			return 0, false
		}
		if v > 128 {
			v &= 0x7f
		}
		return abi.Signal(v), v < abi.NSIG
	}
	b := []byte(s)
	for i, c := range b {
		if c >= 'a' && c <= 'z' {
			b[i] = c &^ 0x20
		}
	}
	s = string(b)
	if s == "EXIT" || s == "SIGEXIT" {
		return 0, true
	}
	return abi.SignalByName(s)
}
