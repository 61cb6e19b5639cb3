// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !unix && !windows

package hostexec

import "os"

func plainName(string) bool { return false }

func candidates(string) []string { return nil }

func batchRefused(string) bool { return false }

func mayExecute(string, os.FileInfo) bool { return false }
