// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !windows

package main

import "os"

func sameFile(a, b *os.File) bool { return sameStat(a, b) }
