// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package image

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

// privateTemp returns a name for a cache directory that does not exist yet.
func privateTemp(t testing.TB) string { return filepath.Join(t.TempDir(), "cache") }

func testCache(t testing.TB, dir string) *Cache {
	t.Helper()
	c, err := OpenCache(dir, 0)
	require.NoError(t, err)
	return c
}

var _ = os.Remove
