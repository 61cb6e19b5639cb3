// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package wasihost

import "runtime"

// schedYield lets other goroutines run.
//
// WASI: sched_yield.
func schedYield(*Context, memory, []uint64) error {
	runtime.Gosched()
	return nil
}
