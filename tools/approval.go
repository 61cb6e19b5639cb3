// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package tools

import (
	"context"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// NeedsApproval reports whether a call needs an approval. args are its
// arguments as they came, decoded by encoding/json.
type NeedsApproval func(ctx context.Context, args map[string]any, callID string) (bool, error)

// Always is the [NeedsApproval] of tools whose every call needs one.
func Always(context.Context, map[string]any, string) (bool, error) { return true, nil }

// ApprovalRequest describes a call that waits for an approval.
type ApprovalRequest struct {
	CallID string
	Tool   string
	Args   map[string]any
	// Summary says what will be done: the directory and the command, or the
	// input and the command that gets it. Nothing in it acts on a terminal
	// or hides or reorders text: such characters are spelled out.
	Summary string
}

// Decision is the answer to an [ApprovalRequest].
type Decision struct {
	Approved bool
	// Message is what the model reads where the call is denied:
	// "Tool execution was not approved." where empty.
	Message string
}

// deniedText is what a model reads for a call that was not approved.
const deniedText = "Tool execution was not approved."

// visible returns s with what acts on a terminal, or hides or reorders text,
// spelled out as in a Go string. Line feeds and tabs stay.
func visible(s string) string {
	plain := func(r rune) bool {
		return r == '\n' || r == '\t' || r != utf8.RuneError && unicode.IsPrint(r)
	}
	if strings.IndexFunc(s, func(r rune) bool { return !plain(r) }) < 0 {
		return s
	}
	var b strings.Builder
	for len(s) > 0 {
		r, n := utf8.DecodeRuneInString(s)
		if plain(r) {
			b.WriteString(s[:n])
		} else {
			q := strconv.QuoteToASCII(s[:n])
			b.WriteString(q[1 : len(q)-1])
		}
		s = s[n:]
	}
	return b.String()
}

// shellQuote quotes s for a POSIX shell where that is needed.
func shellQuote(s string) string {
	if s != "" && strings.IndexFunc(s, func(r rune) bool {
		return r >= utf8.RuneSelf || !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("@%_-+=:,./", r)
	}) < 0 {
		return s
	}
	return "'" + strings.ReplaceAll(s, "'", "'\"'\"'") + "'"
}

// displayCommand shows a command with its directory, where that is not the
// default, the way a shell would be told. It is never run.
func displayCommand(dir, cmd string) string {
	if dir == "" {
		return cmd
	}
	return "cd " + shellQuote(dir) + " && " + cmd
}
