// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

// Package tools gives an agent its shell: the calls exec_command and
// write_stdin over the sandboxes of package wasishell, and calls that a person
// at a terminal would not miss (list, terminate, signal, wait, read on). It
// knows no transport: a server of the Model Context Protocol, or a program that
// talks to a model itself, lists [Manager.Tools] and hands their calls on.
//
// A [Manager] serves one sandbox and holds its table of sessions. Every command
// is a session; one that ends within the window of the call that started it is
// never seen as such.
//
//	m, err := tools.New(sb, tools.Options{})
//	if err != nil {
//		return err
//	}
//	defer m.Close()
//	r, err := m.ExecCommand(ctx, tools.ExecCommandArgs{Cmd: "ls -l"})
//	fmt.Println(r.Text())
//
// # Output
//
// What a command writes, standard output and error in the order of writing, goes
// through a masker of secrets into a buffer that keeps the head and the tail of
// what no call has returned yet, and counts exactly what it drops in between.
// A call takes what is there when its window ends or the command does, whichever
// is first; a call that is cancelled takes nothing. A character that is not
// complete yet stays for the next call. The end of a command is reported, once,
// when all its output has arrived.
//
//	command ──> masker ──┬─> pending (head + tail) ──> the next call
//	                     ├─> transcript (head + tail) or log ──> read_output
//	                     ├─> terminal ──> the next call, read_screen
//	                     └─> Observer
//
// # Concurrency
//
// A command counts as a session, and may have others pruned, from when the first
// call returns without its end; until then its call alone knows of it.
//
// Everything is safe for concurrent use. Calls that read from one session queue
// up in the order of their arrival, and each byte is in the response of exactly
// one of them. terminate_session, send_signal, close_stdin and resize_terminal
// do not wait for them.
//
// Lock order: Manager.mu, session.mu. Neither is held while a command, a
// callback of [Options] or a caller's writer runs, but for [Observer].Output and
// the log's Write, which run under session.mu and must not call back.
package tools
