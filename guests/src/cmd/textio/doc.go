// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

// Package textio has the commands that pass text through without looking into
// lines much: cat, tac, rev, head, tail, tee, wc, yes, seq, nl, fold and split.
package textio
