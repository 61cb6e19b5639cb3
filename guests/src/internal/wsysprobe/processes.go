// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

//go:build wasip1

package main

import (
	"strconv"

	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/guests/src/wsys"
)

// spec returns how to start the probe itself.
func spec(args ...string) *wsys.SpawnSpec {
	return &wsys.SpawnSpec{Path: "/probe", Args: append([]string{"probe"}, args...), Umask: -1}
}

// run runs the probe and returns its output and status.
func run(s *wsys.SpawnSpec, input string) (string, abi.WaitStatus) {
	inR, inW, err := wsys.Pipe(abi.OCloexec)
	ok("Pipe", err)
	outR, outW, err := wsys.Pipe(abi.OCloexec)
	ok("Pipe", err)
	s.Actions = append(s.Actions, wsys.FDAction{FD: 0, Src: inR}, wsys.FDAction{FD: 1, Src: outW})
	pid, err := wsys.Spawn(s)
	ok("Spawn", err)
	wsys.Close(inR)
	wsys.Close(outW)
	ok("WriteString", wsys.WriteString(inW, input))
	wsys.Close(inW)
	b, err := wsys.ReadAll(outR)
	ok("ReadAll", err)
	wsys.Close(outR)
	r, err := wsys.Wait(0, pid, 0)
	ok("Wait", err)
	eq("Wait PID", r.PID, pid)
	return string(b), r.Status
}

func status(what string, got, want abi.WaitStatus) { eq(what+" status", uint32(got), uint32(want)) }

func testProcesses() {
	_, err := wsys.Wait(0, -1, 0)
	errno("Wait without children", err, abi.ECHILD)

	_, st := run(spec("exit", "7"), "")
	status("exit 7", st, abi.ExitedWith(7))
	_, st = run(spec("wsysexit"), "")
	status("Exit", st, abi.ExitedWith(9))
	out, st := run(spec("cat"), "some input")
	status("cat", st, abi.ExitedWith(0))
	str("cat", out, "some input")
	s := spec("echo", "one", "", "three")
	s.Env = []string{"X=1", "Y=two words"}
	s.Dir = "/"
	s.Umask = 0o077
	out, st = run(s, "")
	status("echo", st, abi.ExitedWith(0))
	str("echo", out, "one\n\nthree\nX=1\nY=two words\n/ 77\n")
	_, st = run(spec("exec"), "")
	status("Exec", st, abi.ExitedWith(23))
	_, st = run(spec("die"), "")
	status("DieBy", st, abi.KilledBy(abi.SIGTERM))
	_, st = run(spec("setsid"), "")
	status("Setsid", st, abi.ExitedWith(0))
	s = spec("fds")
	s.Flags = abi.SpawnNoInherit
	out, _ = run(s, "")
	str("SpawnNoInherit", out, "0 1 ")
	// The probe leads its group, so it cannot lead a session.
	_, err = wsys.Setsid()
	errno("Setsid of a leader", err, abi.EPERM)

	_, err = wsys.Spawn(&wsys.SpawnSpec{Path: "/missing", Args: []string{"x"}, Umask: -1})
	errno("Spawn missing", err, abi.ENOENT)
	_, err = wsys.Spawn(&wsys.SpawnSpec{Path: "/work", Args: []string{"x"}, Umask: -1})
	errno("Spawn directory", err, abi.EACCES)
	s = spec("exit", "0")
	s.Actions = []wsys.FDAction{{FD: 3, Src: 77}}
	_, err = wsys.Spawn(s)
	errno("Spawn closed source", err, abi.EBADF)
	s = spec("exit", "0")
	s.Flags = 1 << 20
	_, err = wsys.Spawn(s)
	errno("Spawn unknown flag", err, abi.EINVAL)
	errno("Exec missing", wsys.Exec(&wsys.SpawnSpec{Path: "/missing", Args: []string{"x"}, Umask: -1}), abi.ENOENT)

	s = spec("block")
	s.Flags = abi.SpawnSetpgid
	pid, err := wsys.Spawn(s)
	ok("Spawn block", err)
	i, err := wsys.Info(pid)
	ok("Info child", err)
	eq("SpawnSetpgid", i.Pgid, pid)
	me, _ := wsys.Info(0)
	eq("Info child PPID", i.PPID, me.PID)
	r, err := wsys.Wait(0, -1, abi.WNOHANG)
	ok("Wait WNOHANG", err)
	eq("Wait WNOHANG", r.PID, 0)
	ok("Kill 0", wsys.Kill(pid, 0))
	errno("Kill invalid", wsys.Kill(pid, 200), abi.EINVAL)
	errno("Kill unknown", wsys.Kill(99999, abi.SIGTERM), abi.ESRCH)
	ok("Kill group", wsys.Kill(-pid, abi.SIGKILL))
	fds := []wsys.PollFD{{FD: abi.PollChild}}
	n, err := wsys.Poll(fds, -1)
	ok("Poll child", err)
	eq("Poll child", n, 1)
	r, err = wsys.Wait(0, pid, 0)
	ok("Wait killed", err)
	status("Kill", r.Status, abi.KilledBy(abi.SIGKILL))
	errno("Kill reaped", wsys.Kill(pid, abi.SIGTERM), abi.ESRCH)
	errno("Setpgid unknown", wsys.Setpgid(99999, 0), abi.ESRCH)

	// A shadow process: the probe itself, seen as a child.
	sh, err := wsys.Shadow(0, 0, 0)
	ok("Shadow", err)
	i, err = wsys.Info(sh)
	ok("Info shadow", err)
	eq("Shadow PPID", i.PPID, me.PID)
	eq("Shadow Pgid", i.Pgid, sh)
	child := spec("exit", "3")
	child.PPID = sh
	pid, err = wsys.Spawn(child)
	ok("Spawn for shadow", err)
	_, err = wsys.Wait(0, pid, 0)
	errno("Wait for another's child", err, abi.ECHILD)
	r, err = wsys.Wait(sh, pid, 0)
	ok("Wait as shadow", err)
	status("child of shadow", r.Status, abi.ExitedWith(3))
	ok("Kill shadow", wsys.Kill(sh, abi.SIGTERM))
	eq("SigPending shadow", wsys.SigPending(sh), 1<<abi.SIGTERM)
	ok("ShadowStatus", wsys.ShadowStatus(sh, abi.ExitedWith(42)))
	r, err = wsys.Wait(0, sh, 0)
	ok("Wait for shadow", err)
	status("shadow", r.Status, abi.ExitedWith(42))
	errno("ShadowStatus ended", wsys.ShadowStatus(sh, abi.ExitedWith(1)), abi.ESRCH)

	t := wsys.ProcTimes()
	is("ProcTimes", t.Utime >= 0 && t.Stime >= 0 && t.ChildUtime >= 0 && t.ChildStime >= 0 && t.Utime+t.Stime > 0)
}

func testSignals() {
	wsys.SigFlag(&flagWord)
	me, _ := wsys.Info(0)
	ok("SigAction", wsys.SigAction(abi.SIGUSR1, abi.SigHandle))
	ok("Kill self", wsys.Kill(me.PID, abi.SIGUSR1))
	is("SigFlag", flagWord&abi.SigFlagSignal != 0)
	_, err := wsys.Poll(nil, -1)
	errno("Poll with a signal pending", err, abi.EINTR)
	eq("SigPending", wsys.SigPending(0), 1<<abi.SIGUSR1)
	eq("SigPending taken", wsys.SigPending(0), 0)
	flagWord = 0
	ok("SigAction ignore", wsys.SigAction(abi.SIGUSR1, abi.SigIgnore))
	ok("Kill self ignored", wsys.Kill(me.PID, abi.SIGUSR1))
	eq("SigPending ignored", wsys.SigPending(0), 0)
	errno("SigAction KILL", wsys.SigAction(abi.SIGKILL, abi.SigIgnore), abi.EINVAL)
	errno("SigAction unknown", wsys.SigAction(77, abi.SigIgnore), abi.EINVAL)
	errno("SigAction action", wsys.SigAction(abi.SIGUSR1, 9), abi.EINVAL)

	pid, err := wsys.Spawn(spec("exit", "0"))
	ok("Spawn", err)
	fds := []wsys.PollFD{{FD: abi.PollChild}}
	_, err = wsys.Poll(fds, -1)
	ok("Poll child", err)
	is("SigFlag child", flagWord&abi.SigFlagChild != 0)
	_, err = wsys.Wait(0, pid, 0)
	ok("Wait", err)
}

func testSystem() {
	str("Hostname", wsys.Hostname(), "probehost")
	soft, hard, err := wsys.Getrlimit(abi.RlimitNofile)
	ok("Getrlimit", err)
	is("Getrlimit", soft > 100 && soft <= hard)
	ok("Setrlimit", wsys.Setrlimit(abi.RlimitNofile, 64, hard))
	soft, _, _ = wsys.Getrlimit(abi.RlimitNofile)
	eq("Setrlimit", soft, 64)
	errno("Setrlimit raises", wsys.Setrlimit(abi.RlimitNofile, 64, hard+1), abi.EPERM)
	errno("Setrlimit crossed", wsys.Setrlimit(abi.RlimitNofile, 64, 32), abi.EINVAL)
	_, _, err = wsys.Getrlimit(99)
	errno("Getrlimit unknown", err, abi.EINVAL)
	_, err = wsys.Dup(0, 63, 0)
	ok("Dup at the limit", err)
	_, err = wsys.Dup(0, 63, 0)
	errno("Dup past the limit", err, abi.EMFILE)

	now := wsys.Now()
	is("Now", now > 1e18)
	m := wsys.Monotonic()
	is("Monotonic", wsys.Monotonic() >= m)
	r1, r2 := make([]byte, 100000), make([]byte, 100000)
	wsys.Random(r1)
	wsys.Random(r2)
	is("Random", string(r1) != string(r2))
	zeros := 0
	for _, b := range r1 {
		if b == 0 {
			zeros++
		}
	}
	is("Random bytes", zeros > 200 && zeros < 600)
}

func testAccel() {
	big := make([]byte, 9<<20)
	copy(big[4<<20-3:], "needle") // across the host's slices
	big[8<<20] = 'x'
	eq("Index", wsys.Index(big, []byte("needle")), 4<<20-3)
	eq("Index absent", wsys.Index(big, []byte("noodle")), -1)
	eq("Index empty", wsys.Index(big, nil), 0)
	eq("Index in nothing", wsys.Index(nil, []byte("x")), -1)
	eq("Index whole", wsys.Index([]byte("whole"), []byte("whole")), 0)
	eq("Index longer", wsys.Index([]byte("who"), []byte("whole")), -1)
	eq("IndexByte", wsys.IndexByte(big, 'x'), 8<<20)
	eq("IndexByte absent", wsys.IndexByte(big, 'q'), -1)
	eq("CountByte", wsys.CountByte(big, 'e'), 3)
	eq("CountByte absent", wsys.CountByte(big, 'q'), 0)

	out := make([]uint32, 8)
	eq("Positions", wsys.Positions(big, 'x', 'n', out), 2)
	is("Positions' offsets", out[0] == 4<<20-3 && out[1] == 8<<20)
	eq("Positions without room", wsys.Positions(big, 0, 0, out), len(out))
	eq("Find", wsys.Find([]byte("a fox\nfox fox\n"), []byte("fox"), abi.FindLines, '\n', out), 4)
	is("Find's lines", out[0] == 0 && out[1] == 5 && out[2] == 6 && out[3] == 13)
	eq("Split", wsys.Split([]byte("a b c\nd\nrest"), ' ', '\n', 1, out), 4)
	is("Split's offsets", out[0] == 1 && out[1] == 5 && out[2] == 7 && out[3] == 7)
	eq("Split of long lines", wsys.Split(big, 'x', 'x', 0, out), 1)
	is("Split's long line", out[0] == 8<<20)
	eq("ValidUTF8", wsys.ValidUTF8(append(make([]byte, 4<<20-1), "\xc3\xa9x\xff"...)), 4<<20+2)
	eq("ValidUTF8 of half a character", wsys.ValidUTF8([]byte("x\xe2\x82")), 1)
	in := false
	eq("Runs", wsys.Runs(big, &[256]uint8{'n': 1, 'e': 1, 'x': 1}, &in), 3)
	var table [256]uint16
	for i := range table {
		table[i] = uint16(i)
	}
	table['a'], table['b'] = 'A', 'b'|abi.TranslateDrop
	text, prev := []byte("abba"), int32(-1)
	eq("Translate", wsys.Translate(text, &table, &prev), 2)
	is("Translate's bytes", string(text[:2]) == "AA" && prev == 'A')
	to := make([]byte, 8)
	eq("Gather", wsys.Gather(to, []byte("pieces"), []byte("ALT"), []uint32{0, 3, 1 | abi.GatherAlt, 2}), 5)
	is("Gather's bytes", string(to[:5]) == "pieLT")
	// One state that waits for an x: columns for x and for others.
	var class [256]uint8
	for i := range class {
		class[i] = 1
	}
	class['x'] = 0
	d := wsys.DFA{Trans: make([]int32, 3*256), Wide: []int32{0, 0, -512, 256, 0, 0}, Columns: 2, Classes: &class, Multi: 9,
		Flags: []uint8{0, 0, uint8(abi.DFAMatched)}, Text: big, Start: 256, State: 256}
	eq("DFA", int(d.Run()), int(abi.DFAMatch))
	eq("DFA's position", d.Pos, 8<<20)

	for _, h := range []struct {
		name   string
		kind   uint32
		size   int
		digest string
	}{
		{"SHA256", abi.HashSHA256, 32, "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"},
		{"MD5", abi.HashMD5, 16, "900150983cd24fb0d6963f7d28e17f72"},
		{"SHA1", abi.HashSHA1, 20, "a9993e364706816aba3e25717850c26c9cd0d89d"},
		{"SHA512", abi.HashSHA512, 64, "ddaf35a193617abacc417349ae20413112e6fa4e89a97ea20a9eeee64b55d39a2192992a274fc1a836ba3c23a3feebbd454d4423643ce80e2a9ac94fa54ca49f"},
		{"CRC32", abi.HashCRC32, 4, "352441c2"},
	} {
		var state [abi.HashStateSize]byte
		wsys.Hash(h.kind, &state, []byte("a"), false)
		wsys.Hash(h.kind, &state, nil, false)
		wsys.Hash(h.kind, &state, []byte("bc"), true)
		str(h.name, hex(state[:h.size]), h.digest)
		state = [abi.HashStateSize]byte{}
		wsys.Hash(h.kind, &state, []byte("abc"), true)
		str(h.name+" at once", hex(state[:h.size]), h.digest)
	}
}

func hex(b []byte) string {
	var s []byte
	for _, c := range b {
		if c < 16 {
			s = append(s, '0')
		}
		s = strconv.AppendUint(s, uint64(c), 16)
	}
	return string(s)
}
