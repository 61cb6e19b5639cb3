// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package mcpserver

import (
	"context"
	"fmt"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// report tells the client how a call goes on until the function returned is
// called, which waits for the last notification to be written.
func (c *client) report(ctx context.Context, token any, t *tally) (stop func()) {
	ctx, cancel := context.WithCancel(ctx)
	begin, before := time.Now(), c.meter.read(t)
	done := make(chan struct{})
	go func() {
		defer close(done)
		tick := time.NewTicker(c.server.cfg.ProgressInterval)
		defer tick.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
			}
			elapsed := time.Since(begin)
			message := fmt.Sprintf("running for %s", elapsed.Round(time.Second))
			if t != nil {
				message += fmt.Sprintf(", %d bytes of output", c.meter.read(t)-before)
			}
			if c.session.NotifyProgress(ctx, &mcp.ProgressNotificationParams{
				ProgressToken: token, Progress: elapsed.Seconds(), Message: message,
			}) != nil {
				return // the client has gone, or soon will have
			}
		}
	}()
	return func() {
		cancel()
		<-done
	}
}
