// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package mounts

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestMounts(t *testing.T) {
	l := parse("none / memfs rw 0 0\nhost /work\\040space hostfs ro,x 0 0\nbad line\ntmp /work\\040space/tmp memfs rw 0 0\nover / x rw 0 0")
	require.Equal(t, []Mount{{"none", "/", "memfs", "rw"}, {"host", "/work space", "hostfs", "ro,x"}, {"tmp", "/work space/tmp", "memfs", "rw"}, {"over", "/", "x", "rw"}}, l)
	for path, want := range map[string]string{"/": "over", "/work": "over", "/work space": "host", "/work space/x": "host", "/work spacex": "over", "/work space/tmp/y": "tmp"} {
		m, ok := Of(l, path)
		require.True(t, ok)
		require.Equal(t, want, m.Source, path)
	}
	_, ok := Of(nil, "/")
	require.False(t, ok)
}

func FuzzParse(f *testing.F) {
	f.Add("a /b\\040 c d 0 0\n\\")
	f.Fuzz(func(t *testing.T, s string) { Of(parse(s), "/x") })
}
