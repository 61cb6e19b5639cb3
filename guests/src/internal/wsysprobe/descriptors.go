// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

//go:build wasip1

package main

import (
	"strings"

	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/guests/src/wsys"
)

func testDescriptors() {
	r, w, err := wsys.Pipe(abi.OCloexec)
	ok("Pipe", err)
	is("Pipe differ", r != w)
	i, err := wsys.FDInfo(r)
	ok("FDInfo pipe", err)
	eq("FDInfo pipe", i.Mode&abi.ModeFmt, abi.ModeFIFO)
	is("FDInfo pipe Cloexec", i.Cloexec)
	b := make([]byte, 16)
	_, err = wsys.ReadNonblock(r, b)
	errno("ReadNonblock empty", err, abi.EAGAIN)
	n, err := wsys.Write(w, []byte("through"))
	ok("Write pipe", err)
	eq("Write pipe", n, 7)
	n, err = wsys.Read(r, b)
	ok("Read pipe", err)
	str("Read pipe", string(b[:n]), "through")
	big := make([]byte, 1<<20)
	n, err = wsys.WriteNonblock(w, big)
	ok("WriteNonblock", err)
	is("WriteNonblock is short", n > 0 && n < len(big))
	_, err = wsys.WriteNonblock(w, big)
	errno("WriteNonblock full", err, abi.EAGAIN)
	_, err = wsys.Seek(r, 0, abi.SeekCur)
	errno("Seek pipe", err, abi.ESPIPE)

	fds := []wsys.PollFD{{FD: r, Events: abi.PollIn}, {FD: w, Events: abi.PollOut}, {FD: -1, Events: abi.PollIn}, {FD: 99, Events: abi.PollIn}}
	n, err = wsys.Poll(fds, -1)
	ok("Poll", err)
	eq("Poll", n, 2)
	eq("Poll readable", fds[0].Revents, abi.PollIn)
	eq("Poll full", fds[1].Revents, 0)
	eq("Poll ignored", fds[2].Revents, 0)
	eq("Poll closed", fds[3].Revents, abi.PollNval)
	for got := 0; got < n; {
		k, err := wsys.ReadNonblock(r, big)
		if err != nil {
			break
		}
		got += k
	}
	fds = []wsys.PollFD{{FD: r, Events: abi.PollIn}}
	for {
		if _, err := wsys.ReadNonblock(r, big); err != nil {
			errno("drained", err, abi.EAGAIN)
			break
		}
	}
	before := wsys.Monotonic()
	n, err = wsys.Poll(fds, 20e6)
	ok("Poll times out", err)
	eq("Poll times out", n, 0)
	is("Poll waited", wsys.Monotonic()-before >= 20e6)
	n, err = wsys.Poll(nil, 0)
	ok("Poll nothing", err)
	eq("Poll nothing", n, 0)

	d, err := wsys.Dup(w, 20, abi.OCloexec)
	ok("Dup", err)
	eq("Dup", d, 20)
	i, _ = wsys.FDInfo(d)
	is("Dup Cloexec", i.Cloexec)
	ok("DupTo", wsys.DupTo(w, 25, 0))
	i, err = wsys.FDInfo(25)
	ok("DupTo", err)
	is("DupTo without Cloexec", !i.Cloexec)
	errno("DupTo closed", wsys.DupTo(99, 25, 0), abi.EBADF)
	_, err = wsys.Dup(99, 0, 0)
	errno("Dup closed", err, abi.EBADF)
	_, err = wsys.Dup(w, -5, 0)
	errno("Dup below 0", err, abi.EINVAL)
	ok("Close w", wsys.Close(w))
	ok("Close 20", wsys.Close(20))
	_, err = wsys.Write(25, []byte("last"))
	ok("Write by the last duplicate", err)
	ok("Close 25", wsys.Close(25))
	n, err = wsys.Poll(fds, -1)
	ok("Poll hang-up", err)
	eq("Poll hang-up", fds[0].Revents, abi.PollIn|abi.PollHup)
	n, err = wsys.Read(r, b)
	ok("Read rest", err)
	str("Read rest", string(b[:n]), "last")
	n, err = wsys.Read(r, b)
	ok("Read end of pipe", err)
	eq("Read end of pipe", n, 0)
	ok("Close r", wsys.Close(r))

	// A writer without readers gets EPIPE where SIGPIPE is ignored.
	ok("SigAction", wsys.SigAction(abi.SIGPIPE, abi.SigIgnore))
	r, w, err = wsys.Pipe(0)
	ok("Pipe", err)
	ok("Close r", wsys.Close(r))
	_, err = wsys.Write(w, []byte("x"))
	errno("Write without readers", err, abi.EPIPE)
	ok("SigAction", wsys.SigAction(abi.SIGPIPE, abi.SigDefault))
	ok("Close w", wsys.Close(w))

	text := strings.Repeat("splice me ", 1000)
	from, err := wsys.Open(wsys.AtCwd, "from", abi.ORdwr|abi.OCreat, 0o644)
	ok("Open from", err)
	ok("WriteString", wsys.WriteString(from, text))
	_, err = wsys.Seek(from, 0, abi.SeekSet)
	ok("Seek", err)
	to, err := wsys.Open(wsys.AtCwd, "to", abi.ORdwr|abi.OCreat, 0o644)
	ok("Open to", err)
	total := int64(0)
	for {
		k, err := wsys.Splice(from, to, 1<<20)
		if err == error(abi.EINVAL) && total == 0 {
			// It may refuse; then there is nothing to compare.
			ok("WriteString", wsys.WriteString(to, text))
			total = int64(len(text))
			break
		}
		ok("Splice", err)
		total += k
		if k == 0 || err != nil {
			break
		}
	}
	eq("Splice", total, int64(len(text)))
	all, err := wsys.ReadFile("to")
	ok("ReadFile", err)
	is("Splice content", string(all) == text)
	_, err = wsys.Splice(99, to, 1)
	errno("Splice closed", err, abi.EBADF)
	ok("Close", wsys.Close(from))
	ok("Close", wsys.Close(to))

	attr := make([]byte, 64)
	fd, err := wsys.Open(wsys.AtCwd, "from", abi.ORdonly, 0)
	ok("Open", err)
	errno("TTYGetattr", wsys.TTYGetattr(fd, attr), abi.ENOTTY)
	errno("TTYSetattr", wsys.TTYSetattr(fd, 0, attr), abi.ENOTTY)
	_, err = wsys.TTYGetwinsize(fd)
	errno("TTYGetwinsize", err, abi.ENOTTY)
	errno("TTYSetwinsize", wsys.TTYSetwinsize(fd, wsys.Winsize{Rows: 24, Cols: 80}), abi.ENOTTY)
	_, err = wsys.Tcgetpgrp(fd)
	errno("Tcgetpgrp", err, abi.ENOTTY)
	errno("Tcsetpgrp", wsys.Tcsetpgrp(fd, 1), abi.ENOTTY)
	errno("TTYGetattr closed", wsys.TTYGetattr(99, attr), abi.EBADF)
	ok("Close", wsys.Close(fd))
}
