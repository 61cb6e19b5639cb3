// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// applets.txt, which the build of the images reads, lists the commands of the
// tables; -update writes it.
func TestAppletsList(t *testing.T) {
	var names []string
	for _, table := range tables {
		for _, a := range table {
			require.NotContains(t, names, a.name, "listed twice")
			names = append(names, a.name)
		}
	}
	slices.Sort(names)
	want := strings.Join(names, "\n") + "\n"
	if *update {
		require.NoError(t, os.WriteFile("applets.txt", []byte(want), 0o644))
	}
	got, err := os.ReadFile("applets.txt")
	require.NoError(t, err)
	require.Equal(t, want, string(got))
}
