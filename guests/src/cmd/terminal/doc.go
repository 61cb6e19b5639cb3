// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

// Package terminal has the commands on the terminal itself: stty, tput, clear
// and reset.
package terminal
