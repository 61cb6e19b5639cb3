// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

// Package hostexec runs programs of the host, on a terminal or over pipes, so
// that nothing of them outlives the command and nothing of the host is handed to
// them that was not named.
//
// It knows no policy: who may run what is decided before [Start] is called. It
// takes a resolved absolute path, a complete environment and a directory, and
// answers for what happens to the process and to all that it starts.
//
// # What a command gets
//
// Its environment is [Cmd.Env] and nothing else, its descriptors are 0, 1 and 2
// and nothing else, whatever the embedding process has open. It leads a session
// and process group of its own and never has the controlling terminal of the
// embedding process. Signals that the embedding process ignores have their
// default action in the command.
//
// # The end of a command
//
// A command has ended when the program has exited, its output has been read to
// the end, and whatever it left running is dead. Killing is complete:
//
//	Linux 6.12    each command is one Landlock domain with scoped signals, held
//	              by an operating-system thread of its own; kill(-1, SIGKILL)
//	              from that thread reaches exactly the domain, in one step that
//	              no fork can run ahead of, however the processes have detached
//	              themselves. It needs no_new_privs, so set-user-ID programs gain
//	              nothing, unless Cmd.Privileges says otherwise
//	older Linux   the processes are looked for in /proc by session, group,
//	              parent and a resource limit that marks them, and killed until
//	              none is found
//	macOS         as on older Linux, without the mark: a process that has
//	              started a session of its own and whose parents are all gone is
//	              not found
//	Windows       a job object without breakaway, in which the program is born
//
// Output over pipes is complete. A terminal's is read ahead of a slow Writer, by
// a megabyte or so, because the systems do not keep it: at the exit of the
// program Linux discards what a reader that is behind has not been given yet, at
// most 8 KiB, and macOS what has not been read after a second. A program that
// writes more than 4 KiB in its last instants on a machine too busy to read them
// can lose the end.
//
// When the embedding process dies, the program dies with it on Linux
// (PR_SET_PDEATHSIG, from a thread that lives as long as the program does) and
// the whole job does on Windows. On macOS, and for what the program has started
// itself on Linux, only the hang-up of the terminal or the closed pipe tells it.
//
// # Confinement
//
// [Confinement] limits what files a command reaches and whether it has a
// network: Landlock and a seccomp filter on Linux, a Seatbelt profile on macOS.
// [Support] tells what this host can do and [Process.Confined] what holds for
// one command. There is no confinement on Windows.
package hostexec
