// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package hostfs

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wsandbox/wsandbox/engine/abi"
)

func TestCheckWindowsName(t *testing.T) {
	for _, name := range []string{
		".", "file", "a/b/c", ".git", ".hidden.txt", "name with blank", "Consul", "console.txt", "nul_", "com", "COM10", "COMX",
		"LPT", "auxiliary", "a.con", "x.NUL", "日本", "über", "-", "~", "file~", "a,b;c", "[x]", "{y}", "$x", "%PATH%", "!", "^", "'",
		"lpt\u2074", "con-1",
	} {
		require.NoError(t, checkWindowsName(name), name)
	}
	for _, name := range []string{
		// Devices, in any case, with anything behind a dot, with blanks.
		"CON", "con", "Con", "NUL", "nul", "AUX", "PRN", "CLOCK$", "CONIN$", "conout$",
		"COM0", "COM1", "com9", "LPT1", "lpt0", "COM¹", "COM²", "COM³", "LPT¹", "lpt²", "LPT³",
		"COM1.txt", "nul.tar.gz", "con.", "NUL ", "AUX .txt", "AUX ", "nul  .x", "LPT¹.log", "CONIN$.x",
		"dir/NUL", "NUL/x", "a/COM1.txt/b",
		// Streams, drives, UNC and device paths.
		"f:stream", "dir::$INDEX_ALLOCATION", ".git::$INDEX_ALLOCATION", "f:", ":f", "C:", "C:x", "C:/x", `C:\x`,
		`\\?\C:\x`, `\\.\pipe\x`, `\??\C:\x`, `\\host\share`, `\\host\share\f`, "f::$DATA",
		// Separators and wildcards.
		`a\b`, `..\x`, `\`, `a\..\..\b`, "a*", "a?", "a<", "a>", `a"`, "a|b",
		// What Windows strips.
		"f.", "f ", "f..", "f. .", "dir./x", "dir /x", "...", " .", ".git.", ".git ",
		// Control bytes.
		"a\x01", "a\n", "a\x1f",
	} {
		require.Equal(t, abi.EINVAL, checkWindowsName(name), "%q", name)
	}
	for _, name := range []string{"\xff", "a/\xc0\xaf", "\xed\xa0\x80"} { // invalid, overlong, surrogate
		require.Equal(t, abi.EILSEQ, checkWindowsName(name), "%q", name)
	}
}

func TestWindowsShortName(t *testing.T) {
	for _, c := range []string{"GIT~1", "git~1", "PROGRA~1", "A~1.TXT", "ABCDE~12.X", "~1", "LONGFI~1.HTM", "GIT~10"} {
		require.True(t, windowsShortName(c), c)
	}
	for _, c := range []string{"file~", "a~b", "backup~", "verylongname~1", "a~1.html5", "~", "x~1.a.b", "a", "main.go~"} {
		require.False(t, windowsShortName(c), c)
	}
}

func TestCheckWindowsTarget(t *testing.T) {
	for _, target := range []string{"x", "../x", "/etc/passwd", "a b", "dir/"} {
		require.NoError(t, checkWindowsTarget(target), target)
	}
	for _, target := range []string{`C:\Windows`, "C:x", `\\host\share`, "//host/share", `\??\C:\`, "f:stream", "a\nb", `..\x`} {
		require.Equal(t, abi.EINVAL, checkWindowsTarget(target), target)
	}
	require.Equal(t, abi.EILSEQ, checkWindowsTarget("\xff"))
}

func FuzzCheckWindowsName(f *testing.F) {
	for _, s := range []string{"CON", "a/b", "f:s", "GIT~1", "COM¹", "x.", ".."} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, name string) {
		if checkName(name) != nil || checkWindowsName(name) != nil {
			return
		}
		for i := 0; i < len(name); i++ {
			if name[i] < 0x20 || name[i] == ':' || name[i] == '\\' {
				t.Fatalf("%q passed", name)
			}
		}
	})
}
