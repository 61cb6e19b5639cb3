// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package tools

import (
	"errors"
	"fmt"
	"strings"
)

// ReadOutputArgs are the arguments of read_output: one of ChunkID and SessionID.
type ReadOutputArgs struct {
	// ChunkID names a response whose output is read.
	ChunkID string
	// SessionID names a session whose whole output is read, for a terminal
	// as it was written. Nil is none.
	SessionID *int64
	// Offset is where to begin, in bytes; a negative one counts from the
	// end.
	Offset int64
	// MaxTokens bounds what is returned: 2500 where 0.
	MaxTokens int64
}

// OutputPage is a part of an output.
type OutputPage struct {
	// Offset is the position of the first byte, NextOffset that behind the
	// last one, TotalBytes the length of the whole.
	Offset     int64 `json:"offset"`
	NextOffset int64 `json:"next_offset"`
	TotalBytes int64 `json:"total_bytes"`
	// SkippedBytes were to come first, but were not kept.
	SkippedBytes int64  `json:"skipped_bytes,omitempty"`
	Output       string `json:"output"`
}

// Text returns the page as a model reads it.
func (p *OutputPage) Text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "Bytes %d to %d of %d\n", p.Offset, p.NextOffset, p.TotalBytes)
	if p.SkippedBytes > 0 {
		fmt.Fprintf(&b, "Skipped: %s that were not kept\n", bytesText(p.SkippedBytes))
	}
	b.WriteString("Output:\n")
	b.WriteString(p.Output)
	return b.String()
}

const defaultPage = 2500

// ErrNoChunk is returned for a chunk that is not known, or not any more.
var ErrNoChunk = errors.New("no output is kept for this chunk ID")

// ReadOutput returns a part of an output that a response cut, or of all that a
// session has written. Its error tells what there is not.
func (m *Manager) ReadOutput(x ReadOutputArgs) (OutputPage, error) {
	var c chunk
	m.mu.Lock()
	switch {
	case x.SessionID != nil:
		s := m.sessions[int(*x.SessionID)]
		if s == nil {
			m.mu.Unlock()
			_, err := m.find(*x.SessionID)
			return OutputPage{}, err
		}
		c = chunk{t: s.transcript, to: s.transcript.total()}
	case m.chunks[x.ChunkID] != nil:
		c = *m.chunks[x.ChunkID]
	default:
		m.mu.Unlock()
		return OutputPage{}, ErrNoChunk
	}
	c.t.hold()
	m.mu.Unlock()
	defer c.t.release()

	size := c.to - c.from
	off := x.Offset
	if off < 0 {
		off += size
	}
	off = min(max(off, 0), size)
	tokens := x.MaxTokens
	if tokens <= 0 {
		tokens = defaultPage
	}
	n := min(tokens*bytesPerToken, size-off, int64(m.opt.BufferBytes))
	if tokens > 1<<40 {
		n = min(size-off, int64(m.opt.BufferBytes))
	}
	b, at := c.t.read(c.from+off, int(max(n, bytesPerToken)))
	at -= c.from
	if at >= size {
		at, b = size, nil
	}
	b = b[:min(int64(len(b)), size-at)]
	p := OutputPage{Offset: at, TotalBytes: size, SkippedBytes: at - off}
	if at+int64(len(b)) < size {
		b = b[:len(b)-incompleteTail(b)]
	}
	p.NextOffset = at + int64(len(b))
	p.Output = decode(b)
	return p, nil
}

func (m *Manager) readOutputTool() *Tool {
	return &Tool{
		Name:        "read_output",
		Description: "Reads output that a response truncated or omitted, page by page: of a chunk by its ID, or all output of a running session (for a terminal as it was written, with control sequences).",
		InputSchema: objectSchema(
			property{"chunk_id", typeOptional, "Chunk ID of the response to read.", false},
			property{"session_id", `"anyOf":[{"type":"integer"},{"type":"null"}],"default":null`, "Session to read instead of a chunk.", false},
			property{"offset", `"type":"integer","default":0`, "Byte to begin with; negative counts from the end.", false},
			property{"max_output_tokens", typeOptionalInt, maxTokensText, false}),
		OutputSchema: objectSchema(
			property{"offset", typeID, "Position of the first byte.", true},
			property{"next_offset", typeID, "Where to go on.", true},
			property{"total_bytes", typeID, "Length of the whole.", true},
			property{"skipped_bytes", typeID, "Bytes before the offset that were not kept.", false},
			property{"output", typeText, "The output.", true}),
		ReadOnly: true,
		Call: m.extension("read_output", func(x *extensionCall) (Result, error) {
			var r ReadOutputArgs
			if s := x.args.optionalText("chunk_id"); s != nil {
				r.ChunkID = *s
			}
			r.SessionID = x.args.number("session_id", false, true, -1<<63)
			if n := x.args.number("offset", false, true, -1<<63); n != nil {
				r.Offset = *n
			}
			if n := x.args.number("max_output_tokens", false, true, 1); n != nil {
				r.MaxTokens = *n
			}
			if (r.ChunkID == "") == (r.SessionID == nil) {
				x.args.fail("", "must have either chunk_id or session_id")
			}
			if x.args.err != nil {
				return Result{}, x.args.err
			}
			p, err := m.ReadOutput(r)
			if err != nil {
				return Result{}, err
			}
			return Result{Text: p.Text(), Structured: p}, nil
		}),
	}
}
