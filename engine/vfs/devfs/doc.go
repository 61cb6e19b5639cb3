// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

// Package devfs is the file system of a sandbox's /dev: null, zero, full,
// random, urandom, tty, and the links fd, stdin, stdout and stderr to
// /proc/self/fd.
package devfs
