// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"sync"
	"syscall"

	"github.com/wsandbox/wsandbox/tools/mcpserver"
)

// runMCP is "wsandbox mcp": nothing but the protocol goes to standard output.
func runMCP(ctx context.Context, args []string, std stdio) int {
	var o agentOptions
	f := newAgentFlags("mcp", "mcp [flags]\n\nServes the Model Context Protocol on standard input and output.", &o)
	if done, status := parse(f, args, std); done {
		return status
	}
	if f.NArg() > 0 {
		return fail(std, fmt.Errorf("mcp takes no arguments, got %q", f.Args()))
	}
	return withServer(ctx, &o, std, func(*mcpserver.Config) {}, func(ctx context.Context, s *mcpserver.Server) error {
		return s.Run(ctx, std.in, std.out)
	})
}

// withServer runs serve with a server until it returns or a signal comes, and
// closes all. configure completes the server's configuration.
func withServer(ctx context.Context, o *agentOptions, std stdio, configure func(*mcpserver.Config), serve func(context.Context, *mcpserver.Server) error) int {
	ctx, stop := signal.NotifyContext(ctx, os.Interrupt, syscall.SIGTERM, syscall.SIGHUP)
	defer stop()
	// A client that goes away is an error of a write, after which everything is
	// closed, and not the end of this process.
	signal.Ignore(syscall.SIGPIPE)
	cfg, err := o.serverConfig(std)
	if err != nil {
		return fail(std, err)
	}
	configure(&cfg)
	trace, err := openAgentTrace(o.trace, cfg.Tools.Secrets, std.err)
	if err != nil {
		return fail(std, err)
	}
	if trace != nil {
		cfg.NewObserver, cfg.Decided = trace.observer, trace.decided
	}
	err = func() error {
		rt, err := newRuntime(ctx, &o.options, std)
		if err != nil {
			return err
		}
		var warm sync.WaitGroup
		defer func() { _ = rt.Close() }() // nothing can be done about it
		defer warm.Wait()
		defer stop()
		cfg.Sandbox.Runtime = rt
		s, err := mcpserver.New(ctx, cfg)
		if err != nil {
			return err
		}
		// The first command does not wait for what can be had ahead; what it
		// cannot have, it says itself.
		warm.Go(func() { _ = rt.Warm(ctx) })
		err = serve(ctx, s)
		return errors.Join(err, s.Close())
	}()
	if errors.Is(err, context.Canceled) && ctx.Err() != nil {
		err = nil // a signal is how a server ends
	}
	if err = errors.Join(err, trace.close()); err != nil {
		return fail(std, err)
	}
	return 0
}
