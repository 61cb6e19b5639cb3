// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package main

// warmed keeps the objects of warm reachable, so that they are not optimised
// away.
var warmed [][]byte

// warm allocates one object of each small size class.
func warm() {
	for _, n := range [...]int{8, 16, 24, 32, 48, 64, 80, 96, 112, 128, 256, 512, 1024, 2048} {
		warmed = append(warmed, make([]byte, n))
	}
	warmed = nil
}
