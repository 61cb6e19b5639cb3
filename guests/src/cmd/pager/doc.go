// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

// Package pager has the commands that show text a screen at a time: less and
// more.
//
// What they do is a pure function of the text, the size of the terminal and the
// keys: [pager] and [more] take keys and append what the terminal is to be sent.
// Only the drivers know descriptors. Text is addressed by byte offsets, so that
// no more of it is in memory than what is shown; a pipe is kept in memory up to
// 4 MiB and behind that in a temporary file.
package pager
