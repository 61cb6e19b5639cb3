// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !wasip1

package posixre

import "bytes"

// scanWorth is how many bytes a search for a literal must skip on average to be
// faster than the automaton.
const scanWorth = 24

func index(b, s []byte) int              { return bytes.Index(b, s) }
func indexByte(b []byte, c byte) int     { return bytes.IndexByte(b, c) }
func lastIndexByte(b []byte, c byte) int { return bytes.LastIndexByte(b, c) }
