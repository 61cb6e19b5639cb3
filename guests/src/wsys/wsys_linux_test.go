// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package wsys

import (
	"testing"

	"github.com/wsandbox/wsandbox/engine/abi"
)

// TestNative checks that the native side of this package keeps the contract of
// the guest side, as far as commands rely on it.
func TestNative(t *testing.T) {
	dir := t.TempDir()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	fd, err := Open(AtCwd, dir+"/f", abi.OWronly|abi.OCreat|abi.OExcl, 0o640)
	must(err)
	must(WriteString(fd, "hello\n"))
	st, err := Fstat(fd)
	must(err)
	if st.Size != 6 || !st.Mode.IsRegular() || st.Mode.Perm() != 0o640 {
		t.Errorf("Fstat = %+v", st)
	}
	must(Close(fd))
	if _, err := Open(AtCwd, dir+"/none", abi.ORdonly, 0); err != abi.ENOENT {
		t.Errorf("Open(none) = %v, want ENOENT", err)
	}
	must(Symlink("f", AtCwd, dir+"/l"))
	if s, err := Readlink(AtCwd, dir+"/l"); s != "f" || err != nil {
		t.Errorf("Readlink = %q, %v", s, err)
	}
	if st, err := StatAt(AtCwd, dir+"/l", false); err != nil || !st.Mode.IsSymlink() {
		t.Errorf("StatAt(l) = %+v, %v", st, err)
	}
	if b, err := ReadFile(dir + "/l"); string(b) != "hello\n" || err != nil {
		t.Errorf("ReadFile = %q, %v", b, err)
	}
	r, w, err := Pipe(abi.OCloexec)
	must(err)
	if _, err := ReadNonblock(r, make([]byte, 1)); err != abi.EAGAIN {
		t.Errorf("ReadNonblock = %v, want EAGAIN", err)
	}
	pid, err := Spawn(&SpawnSpec{Path: "/bin/sh", Args: []string{"sh", "-c", "echo $X; exit 3"}, Env: []string{"X=42"}, Umask: -1, Actions: []FDAction{{FD: 1, Src: w}}})
	must(err)
	must(Close(w))
	if n, err := Poll([]PollFD{{FD: r, Events: abi.PollIn}, {FD: abi.PollChild}}, 5e9); n == 0 || err != nil {
		t.Errorf("Poll = %d, %v", n, err)
	}
	if b, err := ReadAll(r); string(b) != "42\n" || err != nil {
		t.Errorf("ReadAll = %q, %v", b, err)
	}
	if res, err := Wait(0, pid, 0); err != nil || res.PID != pid || res.Status.ExitStatus() != 3 {
		t.Errorf("Wait = %+v, %v", res, err)
	}
	if _, err := Wait(0, pid, 0); err != abi.ECHILD {
		t.Errorf("second Wait = %v, want ECHILD", err)
	}
	sh, err := Shadow(0, 0, 0)
	must(err)
	must(Kill(sh, abi.SIGTERM))
	if s := SigPending(sh); !s.Has(abi.SIGTERM) {
		t.Errorf("SigPending = %b", s)
	}
	must(ShadowStatus(sh, abi.KilledBy(abi.SIGTERM)))
	if res, err := Wait(0, sh, abi.WNOHANG); err != nil || res.Status.Signal() != abi.SIGTERM {
		t.Errorf("Wait(shadow) = %+v, %v", res, err)
	}
	d, err := Open(AtCwd, dir, abi.ORdonly|abi.ODirectory, 0)
	must(err)
	defer Close(d)
	names := map[string]bool{}
	for c := uint64(0); ; {
		l, err := ReadDir(d, nil, c, true)
		must(err)
		if len(l) == 0 {
			break
		}
		for _, e := range l {
			names[e.Name] = e.StatOK
			c = e.Cookie
		}
	}
	if len(names) != 4 || !names["f"] || !names["l"] {
		t.Errorf("ReadDir = %v", names)
	}
	if p, err := Realpath(AtCwd, dir+"/l"); err != nil || len(p) < 2 || p[len(p)-2:] != "/f" {
		t.Errorf("Realpath = %q, %v", p, err)
	}
}

func TestHash(t *testing.T) {
	var st [abi.HashStateSize]byte
	Hash(abi.HashMD5, &st, []byte("hello "), false)
	Hash(abi.HashMD5, &st, []byte("world"), true)
	const want = "\x5e\xb6\x3b\xbb\xe0\x1e\xee\xd0\x93\xcb\x22\xbb\x8f\x5a\xcd\xc3"
	if got := string(st[:16]); got != want {
		t.Errorf("md5 = %x", got)
	}
}
