// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package hostfs

import (
	"encoding/binary"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/stretchr/testify/require"

	"github.com/wsandbox/wsandbox/engine/abi"
)

// le makes bytes of numbers in the order of Windows: uint16, uint32, uint64 and
// strings in UTF-16.
func le(parts ...any) []byte {
	var b []byte
	for _, p := range parts {
		switch p := p.(type) {
		case uint16:
			b = binary.LittleEndian.AppendUint16(b, p)
		case uint32:
			b = binary.LittleEndian.AppendUint32(b, p)
		case uint64:
			b = binary.LittleEndian.AppendUint64(b, p)
		case string:
			for _, c := range utf16.Encode([]rune(p)) {
				b = binary.LittleEndian.AppendUint16(b, c)
			}
		}
	}
	return b
}

func TestSymlinkBuffer(t *testing.T) {
	b, err := formatSymlink(`..\x`)
	require.NoError(t, err)
	require.Equal(t, le(uint32(0xa000000c), uint16(20), uint16(0), uint16(0), uint16(8), uint16(0), uint16(8), uint32(1), `..\x`), b)
	for _, target := range []string{"x", `a\b c`, "\u65e5\u672c", "\U0001f600", strings.Repeat("x", 4000)} {
		b, err := formatSymlink(target)
		require.NoError(t, err)
		got, ok := parseSymlink(b)
		require.True(t, ok)
		require.Equal(t, target, got)
	}
	_, err = formatSymlink(strings.Repeat("x", 1<<14))
	require.Equal(t, abi.ENAMETOOLONG, err)

	// As mklink makes them: the printed name first, a substitute for the
	// kernel where the target has a volume.
	absolute := le(uint32(0xa000000c), uint16(12+10+18), uint16(0), uint16(10), uint16(18), uint16(0), uint16(10), uint32(0),
		`C:\ab`, `\??\C:\ab`)
	got, ok := parseSymlink(absolute)
	require.True(t, ok)
	require.Equal(t, `C:\ab`, got)
	// Without a printed name.
	got, ok = parseSymlink(le(uint32(0xa000000c), uint16(12+18), uint16(0), uint16(0), uint16(18), uint16(18), uint16(0), uint32(0), `\??\C:\ab`))
	require.True(t, ok)
	require.Equal(t, `C:\ab`, got)

	for name, b := range map[string][]byte{
		"empty": {}, "header": absolute[:19], "junction": append(le(uint32(0xa0000003)), absolute[4:]...),
		"name cut off": absolute[:24], "offset": le(uint32(0xa000000c), uint16(12), uint16(0), uint16(65535), uint16(2), uint16(0), uint16(0), uint32(1)),
		"length": le(uint32(0xa000000c), uint16(12), uint16(0), uint16(0), uint16(65535), uint16(0), uint16(0), uint32(1)),
	} {
		_, ok := parseSymlink(b)
		require.False(t, ok, name)
	}
}

// entryBytes is a FILE_ID_BOTH_DIR_INFO.
func entryBytes(next, attrs, tag uint32, id uint64, name string) []byte {
	b := le(next, uint32(0), uint64(1), uint64(2), uint64(3), uint64(4), uint64(5), uint64(6), attrs, uint32(2*len(name)), tag)
	b = append(b, make([]byte, 96-len(b))...)
	return append(b, le(id, name)...)
}

func TestParseEntry(t *testing.T) {
	b := entryBytes(0, attrDirectory, 0, 77, "sub")
	next, e, ok := parseEntry(b, listings[0])
	require.True(t, ok)
	require.Zero(t, next)
	require.Equal(t, entry{name: "sub", ino: 77, mode: abi.ModeDir | 0o755}, e)

	next, e, ok = parseEntry(append(entryBytes(112, attrReparse|attrDirectory, tagSymlink, 1, "link"), b...), listings[0])
	require.True(t, ok)
	require.Equal(t, 112, next)
	require.True(t, e.mode.IsSymlink())

	full := append(b[:68:68], le("sub")...)
	_, e, ok = parseEntry(full, listings[1])
	require.True(t, ok)
	require.Equal(t, entry{name: "sub", mode: abi.ModeDir | 0o755}, e)

	for n := range b {
		_, _, ok := parseEntry(b[:n], listings[0])
		require.False(t, ok, "%d bytes", n)
	}
	_, _, ok = parseEntry(entryBytes(1<<31, 0, 0, 1, "x"), listings[0])
	require.False(t, ok)
}

func TestModeOf(t *testing.T) {
	for _, tt := range []struct {
		attrs, tag uint32
		want       abi.Mode
	}{
		{0x20, 0, abi.ModeRegular | 0o755},
		{attrReadOnly, 0, abi.ModeRegular | 0o555},
		{attrDirectory, 0, abi.ModeDir | 0o755},
		{attrDirectory | attrReadOnly, 0, abi.ModeDir | 0o755},
		{attrReparse, tagSymlink, abi.ModeSymlink | 0o777},
		{attrReparse | attrDirectory, tagSymlink, abi.ModeSymlink | 0o777},
		{attrReparse | attrDirectory, 0xa0000003, abi.ModeSymlink | 0o777}, // junction, mount point
		{attrReparse, 0xa000001d, abi.ModeSymlink | 0o777},                 // link of the Subsystem for Linux
		{attrReparse, 0, abi.ModeSymlink | 0o777},                          // unknown
		{attrReparse, tagSocket, abi.ModeSocket | 0o755},
		{attrReparse, tagFIFO, abi.ModeFIFO | 0o755},
		{attrReparse, 0x80000013, abi.ModeRegular | 0o755},             // deduplicated
		{attrReparse, 0x9000001a, abi.ModeRegular | 0o755},             // kept in a cloud
		{attrReparse | attrDirectory, 0x9000001a, abi.ModeDir | 0o755}, // so is this
	} {
		require.Equal(t, tt.want, modeOf(tt.attrs, tt.tag), "%#x %#x", tt.attrs, tt.tag)
	}
}

func FuzzParseSymlink(f *testing.F) {
	b, _ := formatSymlink(`..\x`)
	f.Add(b)
	f.Add(b[:20])
	f.Fuzz(func(t *testing.T, b []byte) {
		target, ok := parseSymlink(b)
		if ok && len(target) > 3*len(b) {
			t.Fatalf("%d bytes from %d", len(target), len(b))
		}
	})
}

func FuzzParseEntry(f *testing.F) {
	f.Add(entryBytes(0, attrDirectory, 0, 77, "sub"))
	f.Add(entryBytes(112, attrReparse, tagSymlink, 77, "link"))
	f.Fuzz(func(t *testing.T, b []byte) {
		for _, l := range listings {
			next, _, ok := parseEntry(b, l)
			if ok && (next < 0 || next >= len(b)) {
				t.Fatalf("next %d of %d", next, len(b))
			}
		}
	})
}
