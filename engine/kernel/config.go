// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package kernel

import (
	"io"

	"github.com/wsandbox/wsandbox/engine/vfs"
)

// Config configures a [Kernel]. It is copied by New.
type Config struct {
	// Runner loads programs. Required.
	Runner Runner
	// Namespace is what processes see of files. Required.
	Namespace *vfs.Namespace
	// Clock is the sandbox's only clock; nil means [SystemClock].
	Clock Clock
	// Rand is the sandbox's only source of randomness. It is read by one
	// process at a time; nil means crypto/rand.
	Rand io.Reader
	// Hostname is the sandbox's host name; empty means "sandbox".
	Hostname string
	// Cred is the user of all processes; nil means user 1000, group 1000.
	Cred *vfs.Cred
	// Limits bounds the sandbox.
	Limits Limits
}
