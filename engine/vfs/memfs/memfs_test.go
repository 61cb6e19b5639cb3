// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package memfs_test

import (
	"testing"

	"github.com/wsandbox/wsandbox/engine/vfs"
	"github.com/wsandbox/wsandbox/engine/vfs/memfs"
	"github.com/wsandbox/wsandbox/engine/vfs/vfstest"
)

func TestConformance(t *testing.T) {
	vfstest.Run(t, vfstest.Options{}, func(*testing.T) vfs.FS { return memfs.New(memfs.Options{}) })
}
