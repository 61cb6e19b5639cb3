// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package wasihost

import (
	"encoding/binary"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/wsandbox/wsandbox/engine/abi"
)

// Where the tests of poll_oneoff keep their records.
const (
	subsAt   = 0x8000
	eventsAt = 0xc000
)

func clockSub(userdata uint64, id abi.ClockID, timeout uint64, flags uint16) []byte {
	b := make([]byte, abi.SubscriptionSize)
	binary.LittleEndian.PutUint64(b, userdata)
	binary.LittleEndian.PutUint32(b[16:], uint32(id))
	binary.LittleEndian.PutUint64(b[24:], timeout)
	binary.LittleEndian.PutUint16(b[40:], flags)
	return b
}

func fdSub(userdata uint64, t abi.Eventtype, fd uint64) []byte {
	b := make([]byte, abi.SubscriptionSize)
	binary.LittleEndian.PutUint64(b, userdata)
	b[8] = byte(t)
	binary.LittleEndian.PutUint32(b[16:], uint32(fd))
	return b
}

// beginPoll begins a poll_oneoff.
func (g *guest) beginPoll(subs ...[]byte) <-chan abi.Errno {
	for i, s := range subs {
		g.put(uint32(subsAt+i*abi.SubscriptionSize), s)
	}
	return g.begin("wasi.poll_oneoff", subsAt, eventsAt, uint64(len(subs)), 16)
}

// events returns what a poll stored.
func (g *guest) events() (l []abi.Event) {
	for i := range g.u32(16) {
		b := g.bytes(eventsAt+i*abi.EventSize, abi.EventSize)
		l = append(l, abi.Event{
			Userdata: binary.LittleEndian.Uint64(b), Errno: abi.Errno(binary.LittleEndian.Uint16(b[8:])),
			Type: abi.Eventtype(b[10]), Nbytes: binary.LittleEndian.Uint64(b[16:]), Flags: binary.LittleEndian.Uint16(b[24:]),
		})
	}
	return l
}

// poll makes a poll_oneoff that must succeed.
func (g *guest) poll(subs ...[]byte) []abi.Event {
	g.t.Helper()
	require.Equal(g.t, "SUCCESS", g.result(g.beginPoll(subs...)).Name())
	return g.events()
}

func (g *guest) pipe() (r, w uint64) {
	g.ok("ext.fd_pipe", 0, 0x10)
	return uint64(g.u32(0x10)), uint64(g.u32(0x14))
}

func (g *guest) write(fd uint64, s string) {
	g.t.Helper()
	p, n := g.str(0x7800, s)
	g.ok("ext.fd_write", fd, p, n, 0, 0x20)
}

func TestPollClocks(t *testing.T) {
	g := newTestGuest(t)
	ms := uint64(time.Millisecond)
	start := time.Now()
	require.Equal(t, []abi.Event{{Userdata: 7}}, g.poll(clockSub(7, abi.ClockMonotonic, 5*ms, 0)))
	require.GreaterOrEqual(t, time.Since(start), 5*time.Millisecond)

	// The first of several ends the wait; those that end with it are reported.
	require.Equal(t, []abi.Event{{Userdata: 2}, {Userdata: 4}}, g.poll(
		clockSub(1, abi.ClockMonotonic, 1e18, 0), clockSub(2, abi.ClockRealtime, 0, 0),
		clockSub(3, abi.ClockMonotonic, ^uint64(0), 0), clockSub(4, abi.ClockMonotonic, 0, 0)))

	// Absolute times, in the past and to come.
	for _, id := range []abi.ClockID{abi.ClockRealtime, abi.ClockMonotonic} {
		g.ok("wasi.clock_time_get", uint64(id), 0, 0x20)
		now := g.u64(0x20)
		require.Equal(t, []abi.Event{{Userdata: 1}}, g.poll(clockSub(1, id, 1, abi.SubclockAbstime)))
		require.Equal(t, []abi.Event{{Userdata: 2}}, g.poll(
			clockSub(1, id, now+3600e9, abi.SubclockAbstime), clockSub(2, id, now+5*ms, abi.SubclockAbstime)))
		g.ok("wasi.clock_time_get", uint64(id), 0, 0x20)
		require.GreaterOrEqual(t, g.u64(0x20), now+5*ms-uint64(time.Millisecond))
	}

	// Errors are events of their own and do not wait.
	require.Equal(t, []abi.Event{
		{Userdata: 1, Errno: abi.EINVAL}, {Userdata: 2, Errno: abi.ENOTSUP}, {Userdata: 3, Errno: abi.ENOTSUP},
		{Userdata: 4, Errno: abi.EINVAL}, {Userdata: 5, Errno: abi.EINVAL, Type: 9},
	}, g.poll(
		clockSub(1, 4, 1e18, 0), clockSub(2, abi.ClockProcessCPU, 1e18, 0), clockSub(3, abi.ClockThreadCPU, 1e18, 0),
		clockSub(4, abi.ClockMonotonic, 1e18, 2), fdSub(5, 9, 0), clockSub(6, abi.ClockMonotonic, 1e18, 0)))
}

func TestPollDescriptors(t *testing.T) {
	g := newTestGuest(t)
	require.Equal(t, "EINVAL", g.result(g.beginPoll()).Name())

	file := g.wasiOpen("file", 0, abi.RightFDRead|abi.RightFDSeek|abi.RightPollFDReadwrite, 0, 0)
	g.ok("wasi.fd_seek", file, 4, 0, 16)
	mute := g.wasiOpen("file", 0, abi.RightFDRead, 0, 0)
	r, w := g.pipe()
	// Regular files are ready, and so is a pipe with space; errors have
	// their events.
	require.Equal(t, []abi.Event{
		{Userdata: 1, Type: abi.EventFDRead, Nbytes: 6},
		{Userdata: 3, Type: abi.EventFDWrite, Nbytes: 1},
		{Userdata: 4, Type: abi.EventFDRead, Errno: abi.EBADF},
		{Userdata: 5, Type: abi.EventFDWrite, Errno: abi.EBADF},
		{Userdata: 6, Type: abi.EventFDRead, Errno: abi.EBADF}, // not the extension's PollChild
		{Userdata: 7, Type: abi.EventFDRead, Errno: abi.ENOTCAPABLE},
		{Userdata: 8, Type: abi.EventFDWrite, Nbytes: 1},
	}, g.poll(
		fdSub(1, abi.EventFDRead, file), fdSub(2, abi.EventFDRead, r), fdSub(3, abi.EventFDWrite, w),
		fdSub(4, abi.EventFDRead, 99), fdSub(5, abi.EventFDWrite, at(-1)), fdSub(6, abi.EventFDRead, at(abi.PollChild)),
		fdSub(7, abi.EventFDRead, mute), fdSub(8, abi.EventFDWrite, 1)))

	// A timeout with nothing ready.
	require.Equal(t, []abi.Event{{Userdata: 2}}, g.poll(fdSub(1, abi.EventFDRead, r), clockSub(2, abi.ClockMonotonic, 1e6, 0)))

	// Data, then data and hang-up, then hang-up alone.
	g.write(w, "abc")
	require.Equal(t, []abi.Event{{Userdata: 1, Type: abi.EventFDRead, Nbytes: 3}},
		g.poll(fdSub(1, abi.EventFDRead, r), clockSub(2, abi.ClockMonotonic, 1e18, 0)))
	g.ok("wasi.fd_close", w)
	require.Equal(t, []abi.Event{{Userdata: 1, Type: abi.EventFDRead, Nbytes: 3, Flags: abi.EventFDReadwriteHangup}},
		g.poll(fdSub(1, abi.EventFDRead, r)))
	g.ok("ext.fd_read", r, 0x100, 100, 0, 0x20)
	ev := g.poll(fdSub(1, abi.EventFDRead, r))
	require.Len(t, ev, 1)
	require.Equal(t, abi.EventFDReadwriteHangup, ev[0].Flags)
	require.Zero(t, ev[0].Errno)

	// A writer without readers.
	r2, w2 := g.pipe()
	g.ok("wasi.fd_close", r2)
	ev = g.poll(fdSub(1, abi.EventFDWrite, w2))
	require.Len(t, ev, 1)
	require.Equal(t, abi.EventFDReadwriteHangup, ev[0].Flags)

	// The same descriptor twice, both ways.
	r3, w3 := g.pipe()
	g.write(w3, "x")
	require.Equal(t, []abi.Event{
		{Userdata: 1, Type: abi.EventFDRead, Nbytes: 1}, {Userdata: 2, Type: abi.EventFDRead, Nbytes: 1}, {Userdata: 3, Type: abi.EventFDWrite, Nbytes: 1},
	}, g.poll(fdSub(1, abi.EventFDRead, r3), fdSub(2, abi.EventFDRead, r3), fdSub(3, abi.EventFDWrite, w3)))
}

func TestPollWakes(t *testing.T) {
	g := newTestGuest(t)
	g.ok("ext.sig_action", uint64(abi.SIGUSR1), uint64(abi.SigHandle))
	g.ok("ext.sig_flag", 0x40)
	r, _ := g.pipe()
	c := g.beginPoll(fdSub(1, abi.EventFDRead, r), clockSub(2, abi.ClockMonotonic, ^uint64(0)>>1, 0))
	require.NoError(t, g.p.Signal(abi.SIGUSR1))
	require.Equal(t, "EINTR", g.result(c).Name())
	require.Equal(t, abi.SigFlagSignal, g.u32(0x40)&abi.SigFlagSignal)
	g.ok("ext.sig_pending", 0, 0x48)
	require.Equal(t, uint64(1)<<abi.SIGUSR1, g.u64(0x48))

	c = g.beginPoll(clockSub(2, abi.ClockMonotonic, ^uint64(0)>>1, 0))
	require.NoError(t, g.p.Signal(abi.SIGKILL))
	require.Equal(t, errLeft, g.result(c))
	require.Equal(t, abi.KilledBy(abi.SIGKILL), g.wait(g.p))
}

// TestPollMany asks for as much as there may be, and more.
func TestPollMany(t *testing.T) {
	w := newWorld(t, worldOptions{})
	g := w.newGuest(100)
	const in, out = 64, 4 << 20
	b := g.bytes(in, pollMax*abi.SubscriptionSize)
	for i := range pollMax {
		copy(b[i*abi.SubscriptionSize:], fdSub(uint64(i), abi.EventFDRead, uint64(i)))
	}
	g.ok("wasi.poll_oneoff", in, out, pollMax, 16)
	require.EqualValues(t, pollMax-2, g.u32(16), "all but the two that are written to: one is ready, the rest not open")
	last := g.bytes(out+(pollMax-3)*abi.EventSize, abi.EventSize)
	require.EqualValues(t, pollMax-1, binary.LittleEndian.Uint64(last))
	require.EqualValues(t, abi.EBADF, binary.LittleEndian.Uint16(last[8:]))
	for _, n := range []uint64{pollMax + 1, 1 << 20, 1 << 31, 1<<32 - 1} {
		g.fails(abi.EINVAL, "wasi.poll_oneoff", in, out, n, 16)
		g.fails(abi.EINVAL, "ext.poll", in, n, 0, 16)
	}
	require.LessOrEqual(t, cap(g.in.c.poll), pollKeep, "scratch memory stays small")
}
