// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

//go:build wasip1

package main

import (
	"strconv"

	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/guests/src/wsys"
)

func main() {}

// flagWord is registered with SigFlag.
var flagWord uint32

//go:wasmexport wsandbox_main
func wsandboxMain() int32 {
	args := wsys.Args()
	mode := "all"
	if len(args) > 1 {
		mode = args[1]
	}
	switch mode {
	case "all":
		testEnvironment()
		testFiles()
		testPaths()
		testDescriptors()
		testProcesses()
		testSignals()
		testSystem()
		testAccel()
		if failures == 0 {
			wsys.WriteString(wsys.Stdout, "all "+strconv.Itoa(checks)+" checks passed\n")
		}
		return int32(failures)
	case "exit":
		n, _ := strconv.Atoi(args[2])
		return int32(n)
	case "wsysexit":
		wsys.Exit(9)
	case "cat":
		b, err := wsys.ReadAll(wsys.Stdin)
		if err != nil || wsys.WriteAll(wsys.Stdout, b) != nil {
			return 1
		}
	case "echo":
		for _, a := range args[2:] {
			wsys.WriteString(wsys.Stdout, a+"\n")
		}
		for _, e := range wsys.Environ() {
			wsys.WriteString(wsys.Stdout, e+"\n")
		}
		d, _ := wsys.Getcwd()
		wsys.WriteString(wsys.Stdout, d+" "+strconv.FormatInt(int64(wsys.Umask(-1)), 8)+"\n")
	case "exec":
		err := wsys.Exec(&wsys.SpawnSpec{Path: "/probe", Args: []string{"probe", "exit", "23"}, Umask: -1})
		wsys.WriteString(wsys.Stderr, "exec: "+err.Error()+"\n")
		return 1
	case "die":
		wsys.DieBy(abi.SIGTERM)
	case "setsid":
		sid, err := wsys.Setsid()
		i, _ := wsys.Info(0)
		if err != nil || sid != i.PID || i.Sid != i.PID || i.Pgid != i.PID {
			return 1
		}
	case "block":
		// Waits until it is killed.
		wsys.Poll(nil, -1)
	case "fds":
		// Says which descriptors are open.
		for fd := wsys.FD(0); fd < 32; fd++ {
			if _, err := wsys.FDInfo(fd); err == nil {
				wsys.WriteString(wsys.Stdout, strconv.Itoa(int(fd))+" ")
			}
		}
	default:
		return 127
	}
	return 0
}

var checks, failures int

// fail reports a difference.
func fail(what, got, want string) {
	failures++
	wsys.WriteString(wsys.Stdout, what+": got "+got+", want "+want+"\n")
}

func eq[T int | int32 | int64 | uint32 | uint64 | abi.Mode | abi.PollEvents | abi.OpenFlag | abi.SignalSet](what string, got, want T) {
	checks++
	if got != want {
		fail(what, strconv.FormatInt(int64(got), 10), strconv.FormatInt(int64(want), 10))
	}
}

func str(what, got, want string) {
	checks++
	if got != want {
		fail(what, strconv.Quote(got), strconv.Quote(want))
	}
}

func is(what string, ok bool) {
	checks++
	if !ok {
		fail(what, "false", "true")
	}
}

func ok(what string, err error) {
	checks++
	if err != nil {
		fail(what, name(err), "success")
	}
}

func errno(what string, err error, want abi.Errno) {
	checks++
	if err != error(want) {
		fail(what, name(err), want.Name())
	}
}

func name(err error) string {
	if e, ok := err.(abi.Errno); ok {
		return e.Name()
	}
	if err == nil {
		return "success"
	}
	return err.Error()
}
