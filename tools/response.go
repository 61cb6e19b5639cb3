// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package tools

import (
	"strconv"
	"strings"
)

// Response is what exec_command and write_stdin return.
type Response struct {
	// ChunkID names this output: 6 hexadecimal digits.
	ChunkID string `json:"chunk_id"`
	// WallTimeSeconds is how long the call took.
	WallTimeSeconds float64 `json:"wall_time_seconds"`
	// ExitCode is the command's exit status, or the negative number of the
	// signal that ended it: nil while it runs, and where it timed out.
	ExitCode *int `json:"exit_code,omitempty"`
	// SessionID is set while the command runs.
	SessionID *int `json:"session_id,omitempty"`
	// OriginalTokenCount is the size of the output in tokens, where Output
	// is not all of it.
	OriginalTokenCount *int `json:"original_token_count,omitempty"`
	// Output is valid UTF-8.
	Output string `json:"output"`

	// OmittedBytes is the number of bytes that a full buffer dropped, as
	// Output states too.
	OmittedBytes int64 `json:"omitted_bytes,omitempty"`
	// UnsentBytes is the amount of input that the command has not taken
	// yet. It will be sent.
	UnsentBytes int64 `json:"unsent_bytes,omitempty"`
	// Limit names the limit that ended the command.
	Limit string `json:"limit,omitempty"`
	// Matched tells whether the pattern of wait_session has shown.
	Matched *bool `json:"matched,omitempty"`
}

// Text returns the response as a model reads it: the contract's lines.
func (r *Response) Text() string {
	var b strings.Builder
	b.Grow(len(r.Output) + 160)
	b.WriteString("Chunk ID: ")
	b.WriteString(r.ChunkID)
	b.WriteString("\nWall time: ")
	b.WriteString(strconv.FormatFloat(r.WallTimeSeconds, 'f', 4, 64))
	b.WriteString(" seconds\n")
	line := func(what string, n *int) {
		if n != nil {
			b.WriteString(what)
			b.WriteString(strconv.Itoa(*n))
			b.WriteByte('\n')
		}
	}
	line("Process exited with code ", r.ExitCode)
	line("Process running with session ID ", r.SessionID)
	line("Original token count: ", r.OriginalTokenCount)
	b.WriteString("Output:\n")
	b.WriteString(r.Output)
	return b.String()
}

// omittedNote stands where n bytes were dropped.
func omittedNote(n int64) string { return "\n[… " + bytesText(n) + " omitted …]\n" }

// mergeStreams returns two streams as one text: the second on a line of its own.
func mergeStreams(stdout, stderr []byte) string {
	out, err := decode(stdout), decode(stderr)
	if out != "" && err != "" && !strings.HasSuffix(out, "\n") {
		out += "\n"
	}
	return out + err
}

func bytesText(n int64) string {
	if n == 1 {
		return "1 byte"
	}
	return strconv.FormatInt(n, 10) + " bytes"
}
