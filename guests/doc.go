// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

// Package guests embeds the WebAssembly programs that wsandbox runs: the shell
// and the Unix commands.
//
// A guest is a multicall image: one module with many applets, of which each run
// is a process of its own. The sources are a module of their own below src, so
// that their dependencies never reach programs that import wsandbox. The
// directory prebuilt holds the released images; images in the directory built,
// which "make guests" fills and git ignores, take their place.
package guests
