// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

// Package terminfo knows what terminals can do: the sequences that clear the
// screen, move the cursor or change colours, for the terminals in common use.
//
// The data is built in; there is no data base to read.
package terminfo
