// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

// Package fields has the commands that work on the fields and characters of
// lines: cut, paste and tr.
package fields
