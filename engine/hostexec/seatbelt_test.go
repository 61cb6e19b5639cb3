// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package hostexec

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestSeatbelt(t *testing.T) {
	dirs := func(p string) bool { return !strings.HasSuffix(p, ".txt") }
	got, err := seatbelt("/opt/tool", "/dev/ttys003", resolved{
		readWrite: []string{"/Users/u/work space"},
		readOnly:  []string{"/Users/u/work space/.git", `/Users/u/a"b\c`, "/Users/u/x.txt"},
		system:    true,
	}, dirs)
	require.NoError(t, err)
	require.True(t, strings.HasPrefix(got, "(version 1)\n(deny default)\n"))
	for _, line := range []string{
		`(allow file-read* process-exec* (subpath "/usr/bin"))`,
		`(allow file-read* file-write* file-ioctl (literal "/dev/null"))`,
		`(allow file-read* file-write* file-ioctl (literal "/dev/ttys003"))`,
		`(allow file-read* process-exec* (literal "/opt/tool"))`,
		`(allow file-read* file-write* process-exec* (subpath "/Users/u/work space"))`,
		`(allow file-read* process-exec* (subpath "/Users/u/a\"b\\c"))`,
		`(deny file-write* (subpath "/Users/u/work space/.git"))`,
		`(allow file-read* process-exec* (literal "/Users/u/x.txt"))`,
		`(deny network*)`,
	} {
		require.Contains(t, strings.Split(got, "\n"), line)
	}
	require.Greater(t, strings.Index(got, `(deny file-write* (subpath "/Users/u/work space/.git"))`),
		strings.Index(got, `(subpath "/Users/u/work space"))`), "the more particular rule comes last")
	require.NotContains(t, got, "(allow network*)")
	require.NotContains(t, got, `(subpath "/")`)
	require.NotContains(t, got, `(subpath "/private/etc")`)
	require.Equal(t, strings.Count(got, "("), strings.Count(got, ")"))

	bare, err := seatbelt("/opt/tool", "", resolved{network: true}, dirs)
	require.NoError(t, err)
	require.Contains(t, bare, "(allow network*)\n")
	require.NotContains(t, bare, "/usr/bin")

	for _, p := range []string{"", "x", "/a/../b", "/a/", "/a\nb", "/a\x00", "/a\x7f", "//a"} {
		_, err := seatbelt("/opt/tool", "", resolved{readWrite: []string{p}}, dirs)
		require.ErrorIs(t, err, ErrInvalid, "%q", p)
	}
}

func FuzzSeatbeltString(f *testing.F) {
	f.Add("/a b")
	f.Add(`/a"))(allow default)(x "`)
	f.Add(`/\`)
	f.Fuzz(func(t *testing.T, p string) {
		q, err := seatbeltString(p)
		if err != nil {
			return
		}
		// Reading the literal back gives the path, and it ends where it ends.
		var b strings.Builder
		i := 1
		for ; i < len(q) && q[i] != '"'; i++ {
			if q[i] == '\\' {
				i++
			}
			b.WriteByte(q[i])
		}
		if q[0] != '"' || i != len(q)-1 || b.String() != p {
			t.Fatalf("%q written as %s", p, q)
		}
	})
}
