// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package engine

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/engine/internal/image"
	"github.com/wsandbox/wsandbox/engine/vfs"
)

// fileOf is a file with the given content.
type fileOf struct {
	vfs.RegularFile
	b []byte
}

func (f fileOf) Stat() (abi.Stat, error) {
	return abi.Stat{Mode: abi.ModeRegular | 0o755, Size: int64(len(f.b))}, nil
}

func (f fileOf) ReadAt(b []byte, at int64) (int, error) {
	if at >= int64(len(f.b)) {
		return 0, nil
	}
	return copy(b, f.b[at:]), nil
}

// TestPendingModules: what is read ahead is bounded, and counted until it is
// taken.
func TestPendingModules(t *testing.T) {
	e := &Engine{cfg: Config{Limits: Limits{}.withDefaults()}}
	big := append([]byte(magic), make([]byte, 60<<20)...)
	var all []*module
	for range 8 {
		i, err := e.LoadModule(fileOf{b: big}, "big")
		require.NoError(t, err)
		m := i.(*module)
		require.Equal(t, image.Digest(big), m.digest)
		require.EqualValues(t, len(big), m.size)
		all = append(all, m)
		require.LessOrEqual(t, e.pending.Load(), int64(maxPending))
	}
	require.NotNil(t, all[0].held)
	require.Nil(t, all[7].held, "beyond the bound")
	for _, m := range all {
		b := m.held.take()
		require.Equal(t, m.held != nil, len(b) == len(big))
		require.Nil(t, m.held.take())
	}
	require.Zero(t, e.pending.Load())

	for _, c := range []struct {
		name string
		b    []byte
		want error
	}{
		{"empty", nil, abi.ENOEXEC},
		{"short", []byte("\x00asm"), abi.ENOEXEC},
		{"other", []byte("\x00asm\x02\x00\x00\x00"), abi.ENOEXEC},
		{"too large", make([]byte, 64<<20+1), abi.ENOMEM},
	} {
		_, err := e.LoadModule(fileOf{b: c.b}, "f")
		require.Equal(t, c.want, err, c.name)
		_, _, err = digestModule(fileOf{b: c.b}, 64<<20)
		if c.want == abi.ENOEXEC {
			require.Equal(t, c.want, err, c.name)
		}
		require.Zero(t, e.pending.Load(), c.name)
	}
}
