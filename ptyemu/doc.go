// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

// Package ptyemu emulates pseudoterminals: pairs of a master, which a person or
// a program stands for, and a replica, which processes take for a terminal,
// with the line discipline of Linux (n_tty) between them.
//
// A [Discipline] is the pure part: bytes in, bytes out, no lock, no goroutine,
// no clock. A [Terminal] adds the queue of output, the waiting and the hang-up.
//
// Where Linux has quirks, they are kept, and a table of cases is held against
// the real thing. Deviations: input that a full queue keeps out does not keep
// out a signal character behind it; the window of output between a process and
// the master is larger.
//
// Sources: POSIX XBD 11 General Terminal Interface; observation of Linux 6.18.
package ptyemu
