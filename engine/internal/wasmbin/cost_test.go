// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package wasmbin

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestShare(t *testing.T) {
	tests := []struct{ weight, targets, want uint64 }{
		{0, 0, 0},
		{10, 0, 10},
		{10, 4, 2},
		{4096, 0, 4096},
		{100000, 0, 4096},
		{1000000, 0, 15625},
		{6400, 6399, 100}, // at least a 64th
	}
	for _, tt := range tests {
		require.Equal(t, tt.want, share(tt.weight, tt.targets), "%+v", tt)
	}
	require.Equal(t, int64(1), cost(0))
	require.Equal(t, int64(MaxCost), cost(1<<40))
	require.GreaterOrEqual(t, int64(MaxCost), int64(maxBody/leastPart), "a function of plain instructions")
}
