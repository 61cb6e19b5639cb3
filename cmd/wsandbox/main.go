// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

// Command wsandbox runs shell scripts and WebAssembly programs in a sandbox.
//
//	wsandbox exec [flags] SCRIPT [ARG...]     a script in the sandbox's shell; - reads it from standard input
//	wsandbox run  [flags] -- PROG [ARG...]    one program: a command of the sandbox or a .wasm file
//	wsandbox shell [flags]                    an interactive shell on this terminal
//	wsandbox mcp   [flags]                    serves the tools of an agent's shell on standard streams
//	wsandbox serve [flags]                    serves them over HTTP
//	wsandbox guests list|warm                 the built-in programs; compile them ahead
//	wsandbox replay [flags] FILE              plays an event log or an asciicast
//	wsandbox version
//
// The exit status is that of the script or program (128+n for a signal), 124
// where --timeout ended it, and 125 where wsandbox itself failed.
package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"strings"
)

// Exit statuses of wsandbox itself.
const (
	exitTimeout = 124
	exitFailure = 125
)

// stdio are the streams of one invocation.
type stdio struct {
	in       io.Reader
	out, err io.Writer
}

func main() {
	os.Exit(run(context.Background(), os.Args[1:], stdio{os.Stdin, os.Stdout, os.Stderr}))
}

const usage = `Usage: wsandbox COMMAND [flags] ...

Commands:
  exec     run a script in the sandbox's shell
  run      run one program: a command of the sandbox or a .wasm file
  shell    an interactive shell on this terminal
  mcp      serve the tools of an agent's shell (MCP) on standard streams
  serve    serve them over HTTP
  guests   list the built-in programs, or compile them ahead
  replay   play an event log or an asciicast
  version  print the version

"wsandbox COMMAND --help" describes the flags.
`

// run is main without the process.
func run(ctx context.Context, args []string, std stdio) int {
	if len(args) == 0 {
		fmt.Fprint(std.err, usage)
		return exitFailure
	}
	switch args[0] {
	case "exec":
		return runExec(ctx, args[1:], std)
	case "run":
		return runProgram(ctx, args[1:], std)
	case "shell":
		return runShell(ctx, args[1:], std)
	case "mcp":
		return runMCP(ctx, args[1:], std)
	case "serve":
		return runServe(ctx, args[1:], std)
	case "guests":
		return runGuests(ctx, args[1:], std)
	case "replay":
		return runReplay(ctx, args[1:], std)
	case "version", "--version", "-version":
		return runVersion(args[1:], std)
	case "help", "--help", "-help", "-h":
		if args[0] == "help" && len(args) == 2 && args[1] != "help" && !strings.HasPrefix(args[1], "-") {
			return run(ctx, []string{args[1], "--help"}, std)
		}
		return say(std, usage)
	}
	fmt.Fprintf(std.err, "wsandbox: unknown command %q\n%s", args[0], usage)
	return exitFailure
}

// say prints text as the result of the invocation.
func say(std stdio, text string) int {
	if _, err := io.WriteString(std.out, text); err != nil {
		return fail(std, err)
	}
	return 0
}

// fail reports an error of wsandbox itself.
func fail(std stdio, err error) int {
	fmt.Fprintln(std.err, "wsandbox:", err)
	return exitFailure
}
