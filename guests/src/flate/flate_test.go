// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package flate

import (
	"bytes"
	"compress/gzip"
	"fmt"
	"io"
	"math/rand/v2"
	"testing"

	"github.com/stretchr/testify/require"
)

// pieces returns b step bytes at a time.
func pieces(b []byte, step int) func() []byte {
	return func() []byte {
		n := min(step, len(b))
		p := b[:n]
		b = b[n:]
		return p
	}
}

func compress(b []byte, level, step int) []byte {
	var out []byte
	w := NewWriter(level, Header{Name: "n", Mtime: 7}, func(b []byte) { out = append(out, b...) })
	for len(b) > 0 {
		n := min(step, len(b))
		w.Write(b[:n])
		b = b[n:]
	}
	w.Close()
	return out
}

func expand(b []byte, step int) ([]byte, error) {
	var out []byte
	r := NewReader(pieces(b, step))
	for {
		p, err := r.Read()
		if err != nil || len(p) == 0 {
			return out, err
		}
		if out = append(out, p...); len(out) > 16<<20 {
			return out, nil
		}
	}
}

func samples() map[string][]byte {
	rng := rand.New(rand.NewPCG(1, 2))
	random := make([]byte, 200_000)
	for i := range random {
		random[i] = byte(rng.Uint32())
	}
	var text []byte
	for i := range 40_000 {
		text = fmt.Appendf(text, "line %d of %x\n", i, rng.Uint32()&0xfff)
	}
	skewed := make([]byte, 0, 1<<18) // frequencies that ask for long codes
	for i, n := 0, 1; n < 1<<17; i, n = i+1, n*2 {
		for range n {
			skewed = append(skewed, byte(i*7+rng.IntN(2)))
		}
	}
	rng.Shuffle(len(skewed), func(i, j int) { skewed[i], skewed[j] = skewed[j], skewed[i] })
	return map[string][]byte{
		"empty": nil, "one": {'x'}, "two": []byte("xy"), "three": []byte("aaa"), "zeros": make([]byte, 1_000_000), "random": random, "text": text, "skewed": skewed,
		"far": append(append(append([]byte(nil), random[:windowSize]...), random[:windowSize]...), random[1:windowSize+300]...),
	}
}

// TestBothWays has the standard library read what is written here, and the other
// way round.
func TestBothWays(t *testing.T) {
	for name, in := range samples() {
		for _, level := range []int{0, 1, 4, 6, 9} {
			for _, step := range []int{1000, 1 << 20} {
				packed := compress(in, level, step)
				r, err := gzip.NewReader(bytes.NewReader(packed))
				require.NoError(t, err, name)
				require.Equal(t, "n", r.Name)
				got, err := io.ReadAll(r)
				require.NoError(t, err, "%s level %d", name, level)
				require.True(t, bytes.Equal(in, got), "%s level %d", name, level)
				got, err = expand(packed, step)
				require.NoError(t, err, "%s level %d", name, level)
				require.True(t, bytes.Equal(in, got), "%s level %d", name, level)
			}
			var b bytes.Buffer
			w, err := gzip.NewWriterLevel(&b, level)
			require.NoError(t, err)
			_, err = w.Write(in)
			require.NoError(t, err)
			require.NoError(t, w.Close())
			for _, step := range []int{1, 4096} {
				got, err := expand(b.Bytes(), step)
				require.NoError(t, err, name)
				require.True(t, bytes.Equal(in, got), name)
			}
		}
	}
}

// TestSize bounds what is written by what the standard library makes of it.
func TestSize(t *testing.T) {
	for name, in := range samples() {
		for _, level := range []int{1, 6, 9} {
			var b bytes.Buffer
			w, err := gzip.NewWriterLevel(&b, level)
			require.NoError(t, err)
			_, err = w.Write(in)
			require.NoError(t, err)
			require.NoError(t, w.Close())
			require.LessOrEqual(t, len(compress(in, level, 1<<20)), b.Len()*21/20+80, "%s level %d", name, level)
		}
	}
}

func TestMembers(t *testing.T) {
	a, b := compress([]byte("hello "), 6, 100), compress([]byte("world"), 1, 100)
	for _, c := range []struct {
		name string
		in   []byte
		want string
		err  error
	}{
		{"two", append(append([]byte(nil), a...), b...), "hello world", nil},
		{"zeros behind", append(append([]byte(nil), a...), 0, 0, 0), "hello ", nil},
		{"garbage behind", append(append([]byte(nil), a...), "xyz"...), "hello ", ErrTrailing},
		{"empty", nil, "", ErrTruncated},
		{"no gzip", []byte("plain text"), "", ErrMagic},
		{"other method", []byte("\x1f\x8b\x07\x00aaaaaaaaaa"), "", ErrMethod},
		{"cut", a[:len(a)-9], "hello ", ErrTruncated},
		{"cut in the sums", a[:len(a)-3], "hello ", ErrTruncated},
		{"wrong sum", append(append([]byte(nil), a[:len(a)-8]...), 1, 2, 3, 4, 6, 0, 0, 0), "hello ", ErrCRC},
		{"wrong block", []byte("\x1f\x8b\x08\x00aaaaaa\xff\xff"), "", ErrCorrupt},
	} {
		got, err := expand(c.in, 5)
		require.Equal(t, c.want, string(got), c.name)
		require.Equal(t, c.err, err, c.name)
	}
}

func FuzzReader(f *testing.F) {
	f.Add(compress([]byte("hello hello hello hello"), 6, 100), uint8(3))
	f.Add(compress([]byte("x"), 0, 100), uint8(30))
	f.Add([]byte("\x1f\x8b\x08\x1f\x00\x00\x00\x00\x00\x00\x02\x00abname\x00comment\x00cc\x05\xe0\x81\x00"), uint8(1))
	f.Fuzz(func(t *testing.T, b []byte, step uint8) {
		got, err := expand(b, int(step)+1)
		r, wantErr := gzip.NewReader(bytes.NewReader(b))
		if wantErr != nil || err != nil {
			return
		}
		want, wantErr := io.ReadAll(io.LimitReader(r, 17<<20))
		if wantErr == nil && len(want) <= 16<<20 && !bytes.Equal(want, got) {
			t.Fatalf("%d bytes, not %d", len(got), len(want))
		}
	})
}

func FuzzWriter(f *testing.F) {
	f.Add([]byte("hello hello hello hello"), uint8(6), uint16(5))
	f.Add(bytes.Repeat([]byte("abc"), 200), uint8(9), uint16(7))
	f.Fuzz(func(t *testing.T, b []byte, level uint8, step uint16) {
		got, err := expand(compress(b, int(level%10), int(step)+1), 4096)
		require.NoError(t, err)
		require.True(t, bytes.Equal(b, got))
	})
}

func BenchmarkCompress(b *testing.B) {
	in := samples()["text"]
	b.SetBytes(int64(len(in)))
	for b.Loop() {
		compress(in, 6, 1<<16)
	}
}

func BenchmarkExpand(b *testing.B) {
	in := samples()["text"]
	packed := compress(in, 6, 1<<16)
	b.SetBytes(int64(len(in)))
	for b.Loop() {
		if _, err := expand(packed, 1<<16); err != nil {
			b.Fatal(err)
		}
	}
}
