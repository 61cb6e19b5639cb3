// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !windows

package main

import (
	"errors"
	"os"
	"syscall"
)

func sameFile(a, b *os.File) bool { return sameStat(a, b) }

// isBrokenPipe reports whether err says that nobody reads any more.
func isBrokenPipe(err error) bool { return errors.Is(err, syscall.EPIPE) }
