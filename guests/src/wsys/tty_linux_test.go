// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package wsys

import (
	"testing"

	"github.com/wsandbox/wsandbox/engine/abi"
)

// TestTermios sets the attributes of a pseudoterminal; they and its size belong
// to the master as well.
func TestTermios(t *testing.T) {
	fd, err := Open(AtCwd, "/dev/ptmx", abi.ORdwr|abi.OCloexec, 0)
	if err != nil {
		t.Skip("no /dev/ptmx: ", err)
	}
	defer Close(fd)
	if !Isatty(fd) {
		t.Error("no terminal")
	}
	tio, err := Tcgetattr(fd)
	if err != nil {
		t.Fatal(err)
	}
	tio.MakeRaw()
	tio.CC[abi.VMIN], tio.CC[abi.VTIME] = 3, 7
	for when := range 3 {
		tio.CC[abi.VINTR] = byte('a' + when)
		if err := Tcsetattr(fd, when, &tio); err != nil {
			t.Fatal(when, err)
		}
		got, err := Tcgetattr(fd)
		if err != nil || got != tio {
			t.Errorf("%+v, %v\nwant %+v", got, err, tio)
		}
	}
	if err := Tcsetattr(fd, 3, &tio); err != abi.EINVAL {
		t.Errorf("when 3: %v", err)
	}
	if err := TTYGetattr(fd, make([]byte, abi.TermiosSize-1)); err != abi.EINVAL {
		t.Errorf("short buffer: %v", err)
	}
	ws := Winsize{Rows: 3, Cols: 4, Xpixel: 5, Ypixel: 6}
	if err := TTYSetwinsize(fd, ws); err != nil {
		t.Error(err)
	}
	if got, err := TTYGetwinsize(fd); got != ws || err != nil {
		t.Errorf("size %+v, %v", got, err)
	}
	null, err := Open(AtCwd, "/dev/null", abi.ORdwr|abi.OCloexec, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer Close(null)
	if _, err := Tcgetattr(null); err != abi.ENOTTY {
		t.Errorf("/dev/null: %v", err)
	}
}
