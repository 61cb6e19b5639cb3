// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestSameStream(t *testing.T) {
	name := filepath.Join(t.TempDir(), "f")
	f, err := os.Create(name)
	require.NoError(t, err)
	defer f.Close()
	again, err := os.OpenFile(name, os.O_WRONLY, 0)
	require.NoError(t, err)
	defer again.Close()
	r1, w1, err := os.Pipe()
	require.NoError(t, err)
	defer r1.Close()
	defer w1.Close()
	r2, w2, err := os.Pipe()
	require.NoError(t, err)
	defer r2.Close()
	defer w2.Close()
	null, err := os.OpenFile(os.DevNull, os.O_WRONLY, 0)
	require.NoError(t, err)
	defer null.Close()
	var x, y bytes.Buffer
	for _, tt := range []struct {
		name string
		a, b io.Writer
		want bool
	}{
		{"one file", f, f, true},
		{"one file opened twice", f, again, true},
		{"one pipe", w1, w1, true},
		{"two pipes", w1, w2, false},
		{"pipe and file", w1, f, false},
		{"file and pipe", f, w1, false},
		{"null and pipe", null, w1, false},
		{"file and buffer", f, &x, false},
		{"one buffer", &x, &x, true},
		{"two buffers", &x, &y, false},
	} {
		require.Equal(t, tt.want, sameStream(tt.a, tt.b), tt.name)
	}
}
