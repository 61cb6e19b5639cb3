// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package archive

import (
	stdtar "archive/tar"
	"bytes"
	"io"
	"math"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wsandbox/wsandbox/guests/src/cmdkit"
)

// TestHeader has the standard library read what is written here, and the other
// way round.
func TestHeader(t *testing.T) {
	long := strings.Repeat("long/", 60) + "name"
	for _, h := range []header{
		{name: "a", kind: typeFile, mode: 0o644, uid: 1, gid: 2, user: "u", group: "g", size: 3, mtime: 1e9},
		{name: "d/", kind: typeDir, mode: 0o1755},
		{name: "l", link: "to", kind: typeSymlink, mode: 0o777},
		{name: long, link: long + "x", kind: typeLink},
		{name: "big", kind: typeFile, size: 1 << 40, mtime: 1 << 36, uid: 1 << 25},
		{name: "old", kind: typeFile, mtime: -5},
		{name: strings.Repeat("n", 100), kind: typeFIFO},
	} {
		b := h.put(nil)
		require.Zero(t, len(b)%blockSize)
		r := stdtar.NewReader(bytes.NewReader(append(b, make([]byte, 1024)...)))
		got, err := r.Next()
		require.NoError(t, err, h.name)
		require.Equal(t, h.name, got.Name)
		require.Equal(t, h.link, got.Linkname)
		require.Equal(t, h.size, got.Size)
		require.Equal(t, h.mtime, got.ModTime.Unix())
		require.Equal(t, int64(h.mode), got.Mode)
		require.Equal(t, h.kind, got.Typeflag)
		back, ok := parseHeader(b[len(b)-blockSize:])
		require.True(t, ok)
		require.Equal(t, h.size, back.size)
		require.Equal(t, h.mtime, back.mtime)
		require.Equal(t, h.uid, back.uid)
	}
	for _, format := range []stdtar.Format{stdtar.FormatGNU, stdtar.FormatPAX, stdtar.FormatUSTAR} {
		var b bytes.Buffer
		w := stdtar.NewWriter(&b)
		name := long
		if format == stdtar.FormatUSTAR {
			name = strings.Repeat("p", 120) + "/" + strings.Repeat("n", 80)
		}
		require.NoError(t, w.WriteHeader(&stdtar.Header{Name: name, Size: 2, Mode: 0o600, Format: format, Uname: "u"}))
		_, err := io.WriteString(w, "xy")
		require.NoError(t, err)
		require.NoError(t, w.Close())
		out, status := list(b.Bytes())
		require.Zero(t, status, out)
		require.Equal(t, name, strings.TrimSpace(out))
	}
}

// list returns what -t writes into its buffer, and the status.
func list(archive []byte) (string, int) {
	p := cmdkit.New("tar", nil, nil, -1, -1, -1)
	t := &tar{p: p, action: 't', width: 19, stripped: map[string]bool{}, list: &cmdkit.Writer{FD: -1}}
	var names []byte
	u := &unpacker{tar: t, made: map[string]bool{}, listed: func(h *header) { names = append(append(names, h.name...), '\n') }}
	rest := archive
	u.r.next = func() ([]byte, error) {
		n := min(len(rest), 100)
		b := rest[:n]
		rest = rest[n:]
		return b, nil
	}
	u.members()
	return string(names), t.status
}

// TestImpossibleSizes: a size that no archive can have is told, in either form.
func TestImpossibleSizes(t *testing.T) {
	for _, size := range []int64{math.MinInt64, -1, maxMember + 1, math.MaxInt64} {
		h := header{name: "a", kind: typeFile, size: size}
		_, status := list(append(h.put(nil), make([]byte, 1024)...))
		require.Equal(t, 2, status, size)

		record := " size=" + strconv.FormatInt(size, 10) + "\n"
		record = strconv.Itoa(len(record)+2) + record // two digits in all cases but -1
		if size == -1 {
			record = "10 size=-1\n"
		}
		pax := header{name: "p", kind: typePax, size: int64(len(record))}
		h.size = 0
		b := append(pad(append(pax.put(nil), record...)), h.put(nil)...)
		_, status = list(append(b, make([]byte, 1024)...))
		require.Equal(t, 2, status, record)
	}
	h := header{name: "a", kind: typeFile, size: maxMember}
	out, status := list(append(h.put(nil), make([]byte, 1024)...))
	require.Equal(t, "a\n", out)
	require.Equal(t, 3, status, "the archive ends too early")
}

func TestNames(t *testing.T) {
	for name, want := range map[string]bool{"a/../b": true, "..": true, "../a": true, "a/..": true, "..a": false, "a..": false, "a/...": false, "": false, ".": false} {
		require.Equal(t, want, hasDotDot(name), name)
	}
	for name, want := range map[string]string{"/a": "a", "//a/b": "a/b", "a": "a", "a/../b": "b", "../../x": "x", "/": ".", "..": "."} {
		tr := &tar{p: cmdkit.New("tar", nil, nil, -1, -1, -1), stripped: map[string]bool{}}
		require.Equal(t, want, tr.safeName(name, "member names"), name)
	}
	for _, c := range []struct {
		name string
		n    int
		want string
		ok   bool
	}{{"a/b/c", 1, "b/c", true}, {"a/b/c", 3, "", false}, {"/a//b", 1, "b", true}, {"a/", 1, "", false}, {"a", 0, "a", true}} {
		got, ok := stripName(c.name, c.n)
		require.Equal(t, c.ok, ok, c.name)
		require.Equal(t, c.want, got, c.name)
	}
}

func TestParseNumber(t *testing.T) {
	for _, c := range []struct {
		in string
		v  int64
		ok bool
	}{
		{"0000644\x00", 0o644, true}, {"  12 \x00", 0o12, true}, {"\x00\x00", 0, true}, {"", 0, true}, {"9", 0, false}, {"7x", 7, false}, {"777777777777", 1<<36 - 1, true},
		{"\x80\x00\x00\x01\x00", 256, true}, {"\xff\xff\xff", -1, true}, {"\xbf\xff\xff\xff\xff\xff\xff\xff\xff\xff", 0, false},
	} {
		v, ok := parseNumber([]byte(c.in))
		require.Equal(t, c.ok, ok, "%q", c.in)
		if ok {
			require.Equal(t, c.v, v, "%q", c.in)
		}
	}
}

func FuzzTar(f *testing.F) {
	h := header{name: strings.Repeat("n", 150), kind: typeFile, size: 5}
	f.Add(append(pad(append(h.put(nil), "hello"...)), make([]byte, 1024)...))
	h = header{name: "././@PaxHeader", kind: typePax, size: 20}
	f.Add(append(pad(append(h.put(nil), "20 path=some/thing\n\n"...)), h.put(nil)...))
	f.Add(make([]byte, 2000))
	f.Fuzz(func(t *testing.T, b []byte) {
		list(b)
		var h header
		h.applyPax(b)
		if len(b) >= blockSize {
			parseHeader(b[:blockSize])
		}
	})
}
