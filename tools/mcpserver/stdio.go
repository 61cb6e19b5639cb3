// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package mcpserver

import (
	"context"
	"errors"
	"io"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// closeGrace is how long an ended session may take to have its last answers
// read.
const closeGrace = 2 * time.Second

// Run serves one client over a pair of streams, such as standard input and
// output: a message of JSON a line. It returns nil at the end of in, having
// closed the client's sandbox, the cause of ctx where that ends it, and ErrClosed
// where Close does. Other errors tell that a stream failed or that in was no protocol.
//
// Neither stream is closed. Where ctx ends before in does, a goroutine stays in
// its Read until that returns.
func (s *Server) Run(ctx context.Context, in io.Reader, out io.Writer) error {
	ss, err := s.mcp.Connect(ctx, &mcp.IOTransport{
		Reader: io.NopCloser(in), Writer: keepOpen{out}, MaxLineLength: s.cfg.MaxRequest,
	}, nil)
	if err != nil {
		return err
	}
	ended := make(chan error, 1)
	go func() { ended <- ss.Wait() }()
	select {
	case err = <-ended:
	case <-ctx.Done():
		err = context.Cause(ctx)
		if c := s.client(ss); c != nil {
			c.end() // ends the calls under way, so that these can be answered
		}
		closed := make(chan struct{})
		go func() {
			_ = ss.Close() // its error is that of out
			close(closed)
		}()
		late := time.NewTimer(closeGrace)
		defer late.Stop()
		select {
		case <-closed:
		case <-late.C: // the client does not read
		}
	}
	if c := s.client(ss); c != nil {
		c.end()
	}
	s.mu.Lock()
	closed := s.closed
	s.mu.Unlock()
	switch {
	case errors.Is(err, io.EOF):
		return nil
	case closed && ctx.Err() == nil:
		return ErrClosed
	}
	return err
}

// keepOpen is a writer that Close leaves open.
type keepOpen struct{ io.Writer }

func (keepOpen) Close() error { return nil }
