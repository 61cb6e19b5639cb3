// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package kernel

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wsandbox/wsandbox/engine/abi"
)

func TestParseInterpreter(t *testing.T) {
	long := strings.Repeat("x", maxInterpreterLine-2)
	for _, tt := range []struct {
		in, interp, arg string
		err             error
	}{
		{"/bin/sh\n", "/bin/sh", "", nil},
		{"/bin/sh", "/bin/sh", "", nil},
		{"  /bin/sh\t-e -u  \r\nrest", "/bin/sh", "-e -u", nil},
		{"/usr/bin/env sh", "/usr/bin/env", "sh", nil},
		{"", "", "", abi.ENOEXEC},
		{" \t\n/bin/sh", "", "", abi.ENOEXEC},
		{"/bin/\x00sh\n", "", "", abi.ENOEXEC},
		{long, "", "", abi.ENOEXEC}, // perhaps cut off
		{"/x " + long[3:], "/x", long[3:], nil},
	} {
		interp, arg, err := parseInterpreter(tt.in, len(tt.in) == len(long))
		require.Equal(t, tt.err, err, "%q", tt.in)
		require.Equal(t, []string{tt.interp, tt.arg}, []string{interp, arg}, "%q", tt.in)
	}
}

func FuzzParseInterpreter(f *testing.F) {
	for _, s := range []string{"/bin/sh\n", " /a b c\r\n", "", "\x00", "x\ty z", "\n\n"} {
		f.Add(s, false)
		f.Add(s, true)
	}
	f.Fuzz(func(t *testing.T, s string, full bool) {
		interp, arg, err := parseInterpreter(s, full)
		if err != nil {
			require.Equal(t, abi.ENOEXEC, err)
			require.Empty(t, interp+arg)
			return
		}
		line, _, _ := strings.Cut(s, "\n")
		require.NotEmpty(t, interp)
		require.NotContains(t, interp, " ")
		require.NotContains(t, interp, "\t")
		require.NotContains(t, interp+arg, "\x00")
		require.Equal(t, strings.Trim(arg, " \t"), arg)
		require.True(t, strings.HasPrefix(strings.TrimLeft(line, " \t\r"), interp))
		require.Contains(t, line, arg)
	})
}
