// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !wasip1

package grep

import "bytes"

func indexByte(b []byte, c byte) int     { return bytes.IndexByte(b, c) }
func lastIndexByte(b []byte, c byte) int { return bytes.LastIndexByte(b, c) }
func countByte(b []byte, c byte) int     { return bytes.Count(b, []byte{c}) }
