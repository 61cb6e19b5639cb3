// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package hostfs

import (
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wsandbox/wsandbox/engine/vfs"
	"github.com/wsandbox/wsandbox/engine/vfs/vfstest"
)

func openTest(t testing.TB, dir string, opt Options) *FS {
	t.Helper()
	fs, err := Open(dir, opt)
	require.NoError(t, err)
	t.Cleanup(func() { fs.Close() })
	return fs
}

func conformance(opt Options) func(t *testing.T) {
	return func(t *testing.T) {
		o := vfstest.Options{
			NoMkfifo:  runtime.GOOS != "linux",
			FoldsCase: runtime.GOOS != "linux",
			UTF8Names: runtime.GOOS != "linux",
			NoPerm:    runtime.GOOS == "windows",
			// Not in Wine 8.
			NoSymlink:  onWine,
			LateUnlink: onWine,
			KeepsCase:  onWine,
		}
		vfstest.Run(t, o, func(t *testing.T) vfs.FS { return openTest(t, t.TempDir(), opt) })
	}
}

func TestConformance(t *testing.T) { conformance(Options{})(t) }

// TestConformanceWalk checks the component walk that stands in where openat2 is
// missing.
func TestConformanceWalk(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("the only walk here")
	}
	conformance(Options{noOpenat2: true})(t)
}

func TestReadOnly(t *testing.T) {
	dir := t.TempDir()
	require.NoError(t, os.WriteFile(filepath.Join(dir, "f"), []byte("data"), 0o644))
	require.NoError(t, os.Mkdir(filepath.Join(dir, "d"), 0o755))
	require.NoError(t, os.WriteFile(filepath.Join(dir, "d/g"), nil, 0o644))
	vfstest.CheckReadOnly(t, openTest(t, dir, Options{ReadOnly: true}))
}
