// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package vfs

// At says from where and for whom a path is resolved.
type At struct {
	Dir     string // absolute, clean namespace path of the directory that relative paths start at
	Beneath bool   // neither ".." nor a link nor an absolute path may leave Dir: EPERM (WASI preopens)
	Cred    *Cred
	Caller  any // handed to CallerFS
}
