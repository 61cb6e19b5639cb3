// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

// Package posixre matches regular expressions as POSIX and the GNU tools
// understand them: basic and extended syntax with the GNU extensions, bracket
// expressions, back-references, UTF-8 or single-byte text, and the leftmost of
// the longest matches.
//
// No library fits: Go's regexp and the packages derived from it have neither
// basic syntax nor back-references, and backtracking packages with
// back-references choose the first alternative instead of the longest match and
// take exponential time. Both kinds add several hundred kilobytes of module to
// every guest and scan text rune by rune, which is too slow in WebAssembly.
//
// # How it works
//
// A pattern is parsed to a tree, and the tree is compiled to small automata that
// share one alphabet of symbol classes:
//
//	            ┌ forward, one set of threads ───▶ is there a match, and in which line
//	tree ──┬────┤ forward, threads by start ─────▶ end of the leftmost-longest match
//	       │    └ reverse ───────────────────────▶ its start
//	       └──── with marks for subexpressions ──▶ their bounds within the match
//
// The first three run as deterministic automata built while they run, in a cache
// of bounded size, so that time grows with the text only. The last one explores
// the bounds already found and visits each pair of instruction and position
// once. Only patterns with back-references need a search that may take
// exponential time; it is filtered by an automaton for a simpler pattern and
// ends with [ErrTooComplex] after a fixed number of steps.
//
// Long literal strings that every match must contain are searched first, on
// large buffers by the host (package wsys).
//
// # Subexpressions
//
// The overall match is the longest of the leftmost ones, as POSIX says. Among
// the ways in which the subexpressions can share it, the choice is that of the
// GNU C library, which GNU sed, expr and bash show to their users: repetitions
// take as much as they can and earlier alternatives come first, a repetition
// does not end with an empty turn it has no need of, and a subexpression keeps
// the bounds of its last participation. POSIX's own rule would prefer the longer
// alternative in a case like (a|ab)(c|bcd).
package posixre
