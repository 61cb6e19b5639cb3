// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package wsys

import "strconv"

// worth is set by the linker, for tests that run programs with the accelerators
// for everything ("0") or for nothing ("1000000000000").
var worth string

// Worth is how many bytes there must be to look at before it is worth calling
// the host for it.
var Worth = func() int {
	if n, err := strconv.Atoi(worth); err == nil {
		return n
	}
	return 192
}()
