// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package wasishell_test

import (
	"encoding/binary"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/wasishell"
)

// TestAttackBlockedCalls is G9 of the list at the host functions: a call that waits
// for ever ends with its process, by whatever that is ended.
func TestAttackBlockedCalls(t *testing.T) {
	g := newTarget(t)
	before := runtime.NumGoroutine()
	clock := func(r *remote, at uint64, timeout uint64) {
		sub := make([]byte, 48)
		binary.LittleEndian.PutUint32(sub[16:], 1)
		binary.LittleEndian.PutUint64(sub[24:], timeout)
		r.poke(at, sub)
	}
	pipe := func(r *remote) (rd, wr uint64) {
		require.Zero(r, r.call("ext.fd_pipe", 0, atResult))
		return uint64(r.u32(atResult)), uint64(r.u32(atResult + 4))
	}
	for _, c := range []struct {
		name string
		// prepare returns the call that waits, with its arguments.
		prepare func(r *remote) (name string, args []uint64)
	}{
		{"poll of nothing", func(*remote) (string, []uint64) { return "ext.poll", []uint64{atData, 0, 1<<64 - 1, atResult} }},
		{"poll_oneoff of a far time", func(r *remote) (string, []uint64) {
			clock(r, atData, 1<<62)
			return "poll_oneoff", []uint64{atData, atData + 8192, 1, atResult}
		}},
		{"poll_oneoff of many far times", func(r *remote) (string, []uint64) {
			for i := range uint64(100) {
				clock(r, atData+i*48, 1<<63-1-i)
			}
			return "poll_oneoff", []uint64{atData, atData + 8192, 100, atResult}
		}},
		{"read of an empty pipe", func(r *remote) (string, []uint64) {
			rd, _ := pipe(r)
			return "ext.fd_read", []uint64{rd, atData, 100, 0, atResult}
		}},
		{"write to a full pipe", func(r *remote) (string, []uint64) {
			_, wr := pipe(r)
			require.Zero(r, r.call("ext.fd_setfl", wr, uint64(abi.ONonblock)))
			for r.call("ext.fd_write", wr, atData, 4096, 0, atResult) == 0 {
			}
			require.Zero(r, r.call("ext.fd_setfl", wr, 0))
			return "ext.fd_write", []uint64{wr, atData, 100, 0, atResult}
		}},
		{"splice of an empty pipe", func(r *remote) (string, []uint64) {
			rd, _ := pipe(r)
			return "ext.fd_splice", []uint64{rd, 2, 1 << 40, atResult}
		}},
		{"open of a FIFO", func(r *remote) (string, []uint64) {
			p, n := r.path(atPath, "/tmp/fifo")
			require.Contains(r, []abi.Errno{0, abi.EEXIST}, r.call("ext.path_mkfifo", 1<<32-1, p, n, 0o600))
			return "ext.path_open", []uint64{1<<32 - 1, p, n, 0, 0, atResult}
		}},
	} {
		for how, end := range map[string]func(r *remote){
			"Kill":   func(r *remote) { r.sess.Kill() },
			"signal": func(r *remote) { _ = r.sess.Signal(wasishell.SIGTERM) },
		} {
			t.Run(c.name+" by "+how, func(t *testing.T) {
				r := g.remote()
				name, args := c.prepare(r)
				// The request is on its way, or the call under way: both must end.
				time.AfterFunc(5*time.Millisecond, func() { end(r) })
				_, err := r.try(name, args...)
				require.ErrorIs(t, err, errGone)
				_ = r.sess.Wait()
				require.Equal(t, "/proc/1\n", g.left())
			})
		}
	}
	waitFor(t, "goroutines to end", func() bool { return runtime.NumGoroutine() <= before })
}

// hostDescriptors counts the descriptors of this process; -1 where the system does
// not tell.
func hostDescriptors() int {
	es, err := os.ReadDir("/proc/self/fd")
	if err != nil {
		return -1
	}
	return len(es)
}

// TestAttackOpenDirectories is G5 of the list: directories that are held open, and
// ever more of them searched, take no more descriptors of the host than the limit.
func TestAttackOpenDirectories(t *testing.T) {
	const limit = 100
	g := newTarget(t, func(c *wasishell.Config) { c.Limits.Files = limit })
	for i := range 300 {
		require.NoError(t, os.MkdirAll(filepath.Join(g.ws, "many", itoa(i), "deep"), 0o755))
	}
	r := g.remote()
	require.Zero(t, r.call("sched_yield"))
	before := hostDescriptors()
	opened := 0
	for i := range 300 {
		_, e := r.open("many/"+itoa(i)+"/deep", 0, oflagDir, 1<<13|1<<14, 0)
		if e == abi.EMFILE {
			break
		}
		require.Zero(t, e)
		opened++
	}
	require.Greater(t, opened, limit/2)
	require.Less(t, opened, limit)
	for i := range 300 { // searched, not held
		p, n := r.path(atPath, "many/"+itoa(i)+"/deep/../../"+itoa((i*7)%300)+"/deep")
		require.Zero(t, r.call("path_filestat_get", preopenCwd, followLinks, p, n, atResult))
	}
	if before >= 0 {
		require.LessOrEqual(t, hostDescriptors(), before+limit+80, "and what hostfs remembers")
	}
	r.sess.Kill()
	_ = r.sess.Wait()
	if before >= 0 {
		waitFor(t, "descriptors to be closed", func() bool { return hostDescriptors() <= before+80 })
	}
	g.serves()
}
