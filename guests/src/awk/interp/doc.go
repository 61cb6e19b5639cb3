// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

// Package interp runs awk programs that package syntax has parsed.
//
// A program is compiled to a tree of nodes that know what they are for: a node
// gives its value as a number, as a string, as a value or as a condition,
// whichever its user asks for, so that "s += $3" never makes a string and
// "print $2" never a number. Variables are slots, constants and regular
// expressions are prepared once, and comparisons whose kind is known beforehand
// have nodes of their own.
//
// # Text without copies
//
// Input is read into blocks that are never written again: a record, and a field,
// is a piece of its block, and the collector frees a block when no piece of it
// is left. Fields are found when they are asked for, as far as they are asked
// for. What is kept in an array is copied, so that one kept word does not keep
// its block.
//
// # Bounds
//
// Recursion, the number of fields, open streams, compiled regular expressions
// and the length of strings are bounded; large allocations ask first how much
// memory is left. Each limit ends the program with a message.
package interp
