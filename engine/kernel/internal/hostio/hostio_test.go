// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package hostio

import (
	"errors"
	"io"
	"net"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wsandbox/wsandbox/engine/abi"
)

// wait calls f until it returns something else than EAGAIN.
func wait(t *testing.T, s interface {
	Subscribe(abi.PollEvents, func()) func()
}, f func() (int, error)) (int, error) {
	t.Helper()
	wake := make(chan struct{}, 1)
	defer s.Subscribe(abi.PollIn|abi.PollOut, func() {
		select {
		case wake <- struct{}{}:
		default:
		}
	})()
	for {
		n, err := f()
		if err != abi.EAGAIN {
			return n, err
		}
		<-wake
	}
}

// steps is a reader that returns one result a call.
type steps []struct {
	s   string
	err error
}

func (r *steps) Read(p []byte) (int, error) {
	if len(*r) == 0 {
		return 0, io.EOF
	}
	st := (*r)[0]
	*r = (*r)[1:]
	return copy(p, st.s), st.err
}

func TestReader(t *testing.T) {
	broken := errors.New("broken")
	for _, tt := range []struct {
		name string
		r    io.Reader
		want string
		err  error
	}{
		{"empty", &steps{}, "", nil},
		{"pieces", &steps{{"ab", nil}, {"cde", nil}}, "abcde", nil},
		{"nothing for a while", &steps{{"", nil}, {"a", nil}, {"", nil}, {"b", nil}}, "ab", nil},
		{"data with the end", &steps{{"ab", io.EOF}, {"never", nil}}, "ab", nil},
		{"data with an error", &steps{{"ab", broken}}, "ab", abi.EIO},
		{"without a goroutine", strings.NewReader("abc"), "abc", nil},
	} {
		t.Run(tt.name, func(t *testing.T) {
			h := NewReader(tt.r)
			got := ""
			b := make([]byte, 2)
			for {
				n, err := wait(t, h, func() (int, error) { return h.Read(b) })
				got += string(b[:n])
				if n == 0 || err != nil {
					require.Equal(t, tt.err, err)
					break
				}
			}
			require.Equal(t, tt.want, got)
			require.NotZero(t, h.Ready(abi.PollIn)&abi.PollIn)
			require.NoError(t, h.Close())
			require.Equal(t, abi.EBADF, h.Close())
		})
	}
}

func TestReaderIsAskedOnlyWhenPolled(t *testing.T) {
	a, b := net.Pipe()
	h := NewReader(a)
	require.Zero(t, h.Ready(abi.PollOut))
	require.Zero(t, h.Ready(abi.PollIn))
	// The write returns only when somebody reads.
	_, err := b.Write([]byte("x"))
	require.NoError(t, err)
	n, err := wait(t, h, func() (int, error) {
		if h.Ready(abi.PollIn) == 0 {
			return 0, abi.EAGAIN
		}
		return h.Buffered(), nil
	})
	require.NoError(t, err)
	require.Equal(t, 1, n)
	require.NoError(t, h.Close())
}

func TestWriter(t *testing.T) {
	a, b := net.Pipe()
	h := NewWriter(a)
	big := strings.Repeat("x", 3*chunk)
	n, err := h.Write([]byte(big))
	require.NoError(t, err)
	require.Equal(t, chunk, n)
	require.Equal(t, abi.EAGAIN, h.Settled())
	require.Zero(t, h.Ready(abi.PollOut))
	_, err = h.Write([]byte("y"))
	require.Equal(t, abi.EAGAIN, err)
	buf := make([]byte, chunk)
	_, err = io.ReadFull(b, buf)
	require.NoError(t, err)
	n, err = wait(t, h, func() (int, error) { return 0, h.Settled() })
	require.NoError(t, err)
	require.Zero(t, n)
	require.Equal(t, abi.PollOut, h.Ready(abi.PollOut))
	require.NoError(t, b.Close())
	_, err = h.Write([]byte("z"))
	require.NoError(t, err)
	_, err = wait(t, h, func() (int, error) { return 0, h.Settled() })
	require.Equal(t, abi.EPIPE, err)
	require.Equal(t, abi.PollOut|abi.PollErr, h.Ready(abi.PollOut))
	_, err = h.Write([]byte("z"))
	require.Equal(t, abi.EPIPE, err)
	require.NoError(t, h.Close())
	require.Equal(t, abi.EBADF, h.Close())
}

type short struct{}

func (short) Write(p []byte) (int, error) { return len(p) / 2, nil }

func TestShortWriteIsAnError(t *testing.T) {
	h := NewWriter(short{})
	_, err := h.Write([]byte("ab"))
	require.NoError(t, err)
	_, err = wait(t, h, func() (int, error) { return 0, h.Settled() })
	require.Equal(t, abi.EPIPE, err)
}
