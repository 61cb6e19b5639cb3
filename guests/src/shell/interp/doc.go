// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

// Package interp runs shell scripts: POSIX sh and bash from one interpreter.
//
// Source text is parsed by mvdan.cc/sh/v3/syntax and compiled once to a tree of
// nodes, in which names are numbers ([Runtime] interns them), constant words
// are strings and arithmetic is parsed. A [Shell] is one execution environment
// of the standard; subshells are copies of it that share variables until one
// side writes (see Var). Several can run at once, as threads of package sched.
//
//	text ── source.Prepare ── syntax.Parser ── compiler ── node.exec(*Shell)
//	        (aliases, masks)                               └ word: fields, text,
//	                                                         pattern
//
// Descriptors of a Shell are numbers of its own table; each entry is a kernel
// descriptor that is closed on exec, or memory where the output of a command
// substitution is collected. Children get the table through the spawn's
// actions.
package interp
