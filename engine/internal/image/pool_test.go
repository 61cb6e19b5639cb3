// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package image

import (
	"context"
	"errors"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func tinyImage(t testing.TB, c *Compiler) *Image {
	t.Helper()
	img, err := c.Guest(t.Context(), "tiny", Digest(tinyGuest), func() ([]byte, error) { return tinyGuest, nil })
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, img.Close(context.Background())) })
	return img
}

// takeAll gets n instances and releases them in order.
func takeAll(t testing.TB, img *Image, n int) []*Instance {
	t.Helper()
	var all []*Instance
	for range n {
		i, err := img.Get(grantAll)
		require.NoError(t, err)
		all = append(all, i)
	}
	for _, i := range all {
		i.Release()
	}
	return all
}

func TestPoolBounds(t *testing.T) {
	t.Run("number", func(t *testing.T) {
		c := testCompiler(t, Options{Pool: PoolOptions{Instances: 3}})
		img := tinyImage(t, c)
		all := takeAll(t, img, 5)
		n, _ := c.pool.Idle()
		require.Equal(t, 3, n)
		i, err := img.Get(grantAll)
		require.NoError(t, err)
		require.Same(t, all[4], i, "the last one used is the first one taken")
		i.Release()
	})
	t.Run("bytes", func(t *testing.T) {
		c := testCompiler(t, Options{})
		img := tinyImage(t, c)
		each := takeAll(t, img, 1)[0].holds()
		c.pool.opt.Bytes = 3*each - 1
		takeAll(t, img, 5)
		n, bytes := c.pool.Idle()
		require.Equal(t, 2, n)
		require.Equal(t, 2*each, bytes)
	})
	t.Run("none", func(t *testing.T) {
		c := testCompiler(t, Options{Pool: PoolOptions{Instances: -1}})
		img := tinyImage(t, c)
		takeAll(t, img, 2)
		n, bytes := c.pool.Idle()
		require.Zero(t, n)
		require.Zero(t, bytes)
		mustRun(t, img, 0, 102)
	})
	t.Run("idle time", func(t *testing.T) {
		c := testCompiler(t, Options{Pool: PoolOptions{Idle: 20 * time.Millisecond}})
		img := tinyImage(t, c)
		for range 2 {
			takeAll(t, img, 2)
			require.Eventually(t, func() bool { n, _ := c.pool.Idle(); return n == 0 }, testTimeout, time.Millisecond)
		}
	})
	t.Run("image closed", func(t *testing.T) {
		c := testCompiler(t, Options{})
		a, err := c.Guest(t.Context(), "tiny", Digest(tinyGuest), func() ([]byte, error) { return tinyGuest, nil })
		require.NoError(t, err)
		b := tinyImage(t, c)
		takeAll(t, a, 2)
		takeAll(t, b, 3)
		inUse, err := a.Get(grantAll)
		require.NoError(t, err)
		require.NoError(t, a.Close(t.Context()))
		n, _ := c.pool.Idle()
		require.Equal(t, 3, n)
		status, err := inUse.Call(&process{Context: inUse.Context()})
		require.NoError(t, err)
		require.Equal(t, int32(102), status, "what is in use stays valid")
		inUse.Release()
		n, _ = c.pool.Idle()
		require.Equal(t, 3, n)
		mustRun(t, b, 0, 102)
	})
}

func TestPoolIsSharedSafely(t *testing.T) {
	c := testCompiler(t, Options{Pool: PoolOptions{Instances: 4, Idle: time.Millisecond}})
	img := tinyImage(t, c)
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 300 {
				if s, err := run(img, 0, grantAll); err != nil || s != 102 {
					t.Errorf("status %d, %v", s, err)
					return
				}
			}
		})
	}
	wg.Go(func() {
		for range 50 {
			c.pool.Trim()
		}
	})
	wg.Wait()
}

func TestModulesSet(t *testing.T) {
	c := testCompiler(t, Options{})
	wait := func(ready <-chan struct{}) error { <-ready; return nil }
	s := NewModules(c, 2, 1<<20)
	defer s.Close()

	acquire := func(name string, m []byte, wait func(<-chan struct{}) error) (*Image, func(), error) {
		return s.Acquire(name, Digest(m), int64(len(m)), func() ([]byte, error) { return m, nil }, wait)
	}
	// The module is valid, but needs _start: three variants of it.
	variant := func(n byte) []byte {
		m := append([]byte("\x00asm\x01\x00\x00\x00"),
			"\x01\x04\x01\x60\x00\x00\x03\x02\x01\x00\x05\x03\x01\x00\x01\x07\x0a\x01\x06_start\x00\x00\x0a\x07\x01\x05\x00\x41"...)
		return append(m, n, 0x1a, 0x0b)
	}
	get := func(n byte) (*Image, func()) {
		m := variant(n)
		img, release, err := acquire("m", m, wait)
		require.NoError(t, err)
		return img, release
	}
	a, releaseA := get(1)
	a2, releaseA2 := get(1)
	require.Same(t, a, a2)
	mustRun(t, a, 0, 0)
	releaseA()
	releaseA()
	require.Zero(t, s.unused.Len(), "still in use")
	releaseA2()
	require.Equal(t, 1, s.unused.Len())
	a2, releaseA = get(1)
	require.Same(t, a, a2, "kept while unused")
	releaseA()
	for n := byte(2); n < 5; n++ {
		_, release := get(n)
		release()
	}
	require.Equal(t, 2, s.unused.Len())
	require.Len(t, s.byID, 2)
	require.Equal(t, int64(2*len(variant(1))), s.bytes)

	// Errors are not kept.
	bad := variant(1)[:30]
	for range 2 {
		_, _, err := acquire("bad", bad, wait)
		require.ErrorIs(t, err, ErrModule)
	}
	require.Len(t, s.byID, 2)
	gone := errors.New("gone")
	_, _, err := s.Acquire("gone", "gone", 10, func() ([]byte, error) { return nil, gone }, wait)
	require.ErrorIs(t, err, gone)
	require.Len(t, s.byID, 2)

	// Who does not wait gets its own error, and the work is cancelled.
	impatient := errors.New("impatient")
	m := variant(9)
	_, _, err = acquire("m", m, func(<-chan struct{}) error { return impatient })
	require.ErrorIs(t, err, impatient)
	_, release := get(9)
	release()

	var wg sync.WaitGroup
	for n := range 8 {
		wg.Go(func() {
			for k := range 40 {
				m := variant(byte(1 + (n+k)%5))
				img, release, err := acquire("m", m, wait)
				if err != nil {
					t.Error(err)
					return
				}
				if _, err := run(img, 0, grantAll); err != nil {
					t.Error(err)
				}
				release()
			}
		})
	}
	wg.Wait()
	require.LessOrEqual(t, s.unused.Len(), 2)
	s.Close()
	_, _, err = acquire("m", m, wait)
	require.ErrorIs(t, err, ErrClosed)
}
