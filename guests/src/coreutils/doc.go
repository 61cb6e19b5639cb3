// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

// Command coreutils is the multicall image of the commands: which one runs is
// said by the base name of argument zero, or by the first argument where it is
// called coreutils.
//
// For GOOS=wasip1 it is a reactor whose wsandbox_main runs one command; on Linux
// it is an ordinary program, for tests and comparison.
package main
