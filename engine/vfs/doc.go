// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

// Package vfs is the file system contract, the mount namespace and the one path
// walk of the sandbox.
//
// A file system ([FS]) is named by clean, slash-separated names without ".",
// ".." or a leading slash; "." is its root. It never follows a symbolic link:
// an operation whose name passes through one fails with ELOOP, and so does
// opening one. The walk that resolves links, "..", mounts and trailing slashes
// lives in [Namespace], so that the host never resolves a link for a guest. As
// every file system refuses links by itself, the namespace first tries a whole
// name in one operation and walks it component by component only after ELOOP.
//
// All errors are [abi.Errno] values, possibly wrapped.
package vfs
