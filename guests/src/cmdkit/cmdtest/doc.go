// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

// Package cmdtest runs commands inside a test, and the programs of the machine
// beside them, so that a table of expected results can be confirmed against the
// originals where they are installed.
package cmdtest
