// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

// Package hostfs binds a directory of the host into a namespace without letting
// any name leave it.
//
// # Confinement
//
// No operation follows a symbolic link, whoever made it: a name that passes
// through one gives ELOOP, and [vfs.Namespace] resolves it inside the sandbox.
// Every name is resolved by the operating system starting at an open handle of
// the directory, for each operation anew:
//
//	Linux    openat2 with RESOLVE_BENEATH, RESOLVE_NO_SYMLINKS and
//	         RESOLVE_NO_MAGICLINKS; where that is missing, one openat with
//	         O_NOFOLLOW for each component
//	macOS    one openat with O_NOFOLLOW for each component
//	Windows  one NtCreateFile with FILE_OPEN_REPARSE_POINT for each component,
//	         and a look at its attributes through the handle
//
// Operations on names work on a handle of the parent directory opened so and on
// a last component that is never followed. What a guest swaps during a walk is
// therefore met by the operating system's own check, not by ours.
//
// What is reachable in the directory without a symbolic link belongs to it: hard
// links that the host made to files elsewhere are ordinary files here, and so
// are file systems that the host has mounted below. A guest can make neither to
// something outside. Symbolic links that a guest makes are stored as given; host
// programs that follow them do so with the host's view.
//
// # Special files
//
// FIFOs, sockets and devices are listed and can be renamed and removed, but
// opening one gives ENXIO, without blocking and without touching it. The
// exception is a FIFO made with Mkfifo through the same FS, for which Open
// returns a file that serves only Stat, for the kernel to attach a pipe of its
// own to. Mkfifo gives ENOTSUP on macOS, where mkfifoat is not to be had without
// cgo, and on Windows, which has no FIFOs.
//
// Set-user-ID and set-group-ID bits are never set, and neither is the sticky
// bit. Windows keeps no permissions but the one to write to a file.
//
// # Owners
//
// Files of the host process's effective user appear as owned by
// [Options].UID, others as owned by user 65534. Where the process is not the
// superuser the host enforces permissions and the namespace leaves them to it.
// For the superuser, whom the host refuses nothing, [FS.Traverse] looks at each
// directory, and may take up to 50 ms to notice that another program of the host
// has changed the mode of one.
//
// Errors are bare [abi.Errno] values, so that no host path ever appears in one;
// only [Open] tells the path that it was given.
package hostfs
