// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package hostexec

import (
	"fmt"
	"net"
	"os"

	"golang.org/x/sys/unix"
)

// testDial says of each kind of socket whether it can be had.
func testDial(address, local string) {
	say := func(name string, err error) {
		word := "ok"
		if err != nil {
			word = "no"
		}
		fmt.Println(name, word)
	}
	dial := func(network, to string) error {
		c, err := net.Dial(network, to)
		if err == nil {
			err = c.Close()
		}
		return err
	}
	say("tcp", dial("tcp", address))
	say("udp", dial("udp", address))
	say("unix", dial("unix", local))
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err == nil {
		err = l.Close()
	}
	say("listen", err)
	a, err := net.Listen("unix", fmt.Sprintf("@hostexec-test-%d", os.Getpid()))
	if err == nil {
		err = a.Close()
	}
	say("abstract", err)
	pair, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM, 0)
	if err == nil {
		_ = unix.Close(pair[0])
		err = unix.Close(pair[1])
	}
	say("pair", err)
	os.Exit(0)
}
