// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package wasmbin

// Weights of instructions, in units of the countdown. Most count 1.
const (
	weightCall = 8
	weightGrow = 256
	weightBulk = 16

	// leafWeight is the weight from which a function that makes no calls is
	// charged for at its entry; that of lighter ones is within weightCall.
	leafWeight = 256
	// A turn of a loop, or a call of a function, runs part of its code. With
	// jump tables it costs the weight divided by the number of blocks, since a
	// compiler that turns jumps into a loop around a table runs about one block
	// in each turn. No more than fullWeight is charged, except that it is never
	// less than the leastPart-th of the whole: what runs between two yields
	// stays bounded by the budget, whatever the code.
	fullWeight = 4096
	leastPart  = 64
)

// share returns the part of a weight that is charged, given the number of
// targets of the jump tables in the code.
func share(weight, targets uint64) uint64 {
	return max(min(weight/(targets+1), fullWeight), weight/leastPart)
}

// cost returns what to charge for a weight.
func cost(weight uint64) int64 {
	return int64(min(max(weight, 1), MaxCost))
}
