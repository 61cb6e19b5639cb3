// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package filemode

import (
	"fmt"
	"os"
	"os/exec"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wsandbox/wsandbox/engine/abi"
)

// The expected modes are those of GNU chmod 9.1 with umask 022.
func TestAdjust(t *testing.T) {
	chmod, err := exec.LookPath("chmod")
	dir := t.TempDir()
	old := syscall.Umask(0o022)
	defer syscall.Umask(old)
	for _, c := range []struct {
		mode      string
		old, file abi.Mode
		dir       abi.Mode
	}{
		{"644", 0o755, 0o644, 0o644},
		{"0", 0o6755, 0, 0o6000},
		{"00755", 0o6777, 0o755, 0o755},
		{"u+s", 0o755, 0o4755, 0o4755},
		{"7777", 0, 0o7777, 0o7777},
		{"a=", 0o7777, 0, 0o6000},
		{"=", 0o777, 0, 0},
		{"+x", 0o644, 0o755, 0o755},
		{"+w", 0o444, 0o644, 0o644},
		{"-w", 0o666, 0o466, 0o466},
		{"a+w", 0o444, 0o666, 0o666},
		{"u=rwx,go=", 0o644, 0o700, 0o700},
		{"u=g", 0o640, 0o440, 0o440},
		{"o=u-w", 0o640, 0o644, 0o644},
		{"go-rwx", 0o777, 0o700, 0o700},
		{"a+X", 0o644, 0o644, 0o755},
		{"a+X", 0o744, 0o755, 0o755},
		{"ug+s", 0o755, 0o6755, 0o6755},
		{"g-s", 0o2755, 0o755, 0o755},
		{"+t", 0o755, 0o1755, 0o1755},
		{"u+x+r-w", 0o200, 0o500, 0o500},
		{"=755", 0o6000, 0o755, 0o755},
		{"+111", 0o644, 0o755, 0o755},
		{"755", 0o2700, 0o755, 0o2755},
		{"g=u,o=g", 0o700, 0o777, 0o777},
	} {
		ch, ok := Parse(c.mode)
		require.True(t, ok, c.mode)
		require.Equal(t, c.file, ch.Adjust(c.old, false, 0o022), "file %s from %o", c.mode, c.old)
		require.Equal(t, c.dir, ch.Adjust(c.old, true, 0o022), "dir %s from %o", c.mode, c.old)
		if err != nil {
			continue
		}
		for i, isDir := range []bool{false, true} {
			path := fmt.Sprintf("%s/%d", dir, i)
			want := c.file
			if isDir {
				want = c.dir
				require.NoError(t, os.MkdirAll(path, 0o755))
			} else {
				require.NoError(t, os.WriteFile(path, nil, 0o644))
			}
			require.NoError(t, syscall.Chmod(path, uint32(c.old)))
			exec.Command(chmod, c.mode, path).Run()
			var st syscall.Stat_t
			require.NoError(t, syscall.Stat(path, &st))
			require.Equal(t, fmt.Sprintf("%o", want), fmt.Sprintf("%o", st.Mode&0o7777), "chmod %s from %o", c.mode, c.old)
		}
	}
	for _, bad := range []string{"", "8", "78", "10000", "u", "u+q", "u+x,", ",u+x", "u+ug", "x", "u=5", "+x5", "a+7,8"} {
		_, ok := Parse(bad)
		require.False(t, ok, bad)
	}
}

func TestString(t *testing.T) {
	for m, want := range map[abi.Mode]string{
		abi.ModeRegular | 0o644: "-rw-r--r--", abi.ModeDir | 0o1777: "drwxrwxrwt", abi.ModeSymlink | 0o777: "lrwxrwxrwx",
		abi.ModeRegular | 0o6711: "-rws--s--x", abi.ModeRegular | 0o7000: "---S--S--T", abi.ModeFIFO: "p---------",
		abi.ModeChar | 0o620: "crw--w----", abi.ModeSocket | 0o111: "s--x--x--x", abi.ModeBlock | 0o660: "brw-rw----",
	} {
		require.Equal(t, want, String(m))
	}
	require.Equal(t, "0644", string(AppendOctal(nil, 0o644, 4)))
	require.Equal(t, "0", string(AppendOctal(nil, 0, 0)))
	require.Equal(t, "1755", string(AppendOctal(nil, 0o1755, 3)))
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{"755", "u=rwx,go-w", "a+X", "=755", "+t,u=g"} {
		f.Add(s, uint32(0o644))
	}
	f.Fuzz(func(t *testing.T, s string, old uint32) {
		if c, ok := Parse(s); ok {
			if m := c.Adjust(abi.Mode(old), true, 0o022); m > abi.ModeAll {
				t.Fatalf("%q: %o", s, m)
			}
		}
	})
}
