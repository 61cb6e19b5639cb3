// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

// Package sysinfo has the commands that tell about the system and its user:
// arch, groups, hostname, id, logname, nproc, pwd, sync, tty, uname, whoami, and
// true and false.
package sysinfo
