// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

// Package mcpserver offers the tools of an agent's shell to clients of the Model
// Context Protocol, over standard streams or streamable HTTP. The protocol is
// that of github.com/modelcontextprotocol/go-sdk; this package binds it to
// sandboxes.
//
// Each client session has a sandbox of its own, made when it first calls a tool
// and closed when the session ends: its own processes, terminals, /tmp and HOME.
// The workspace and the mounts are directories of the host, and so the same for
// all.
//
//	s, err := mcpserver.New(ctx, mcpserver.Config{Sandbox: wasishell.Config{Workspace: "."}})
//	if err != nil {
//		return err
//	}
//	defer s.Close()
//	return s.Run(ctx, os.Stdin, os.Stdout)
//
// # Calls
//
// A result has the text that a model reads and the same as structured content.
// Both are strings of JSON: whatever a program prints stays text. A call that
// the client cancels ends as package tools says: the command that exec_command
// has just started is killed, the other calls only stop waiting. A client that
// sends a progress token is told once a second how long the call has taken and
// how much the command has printed.
//
// Calls that need an approval ask the client's user by elicitation. Without a
// client that can ask, without an answer in time, and with any other answer than
// acceptance, the call is denied.
//
// # Protocol versions
//
// Sessions are what sandboxes belong to, so only versions of the protocol that
// have them are offered: those up to 2025-11-25. Clients of a later version fall
// back to these.
//
// # HTTP
//
// [Server.Handler] wants a bearer token with each request, knows the names that
// it may be called by (against DNS rebinding) and refuses web pages that it was
// not told about. A session outlives its connections: a client that comes back
// with the session's identifier finds its sandbox, and the messages that it has
// missed. A session with no request or stream open for Config.IdleTimeout ends.
//
// # Concurrency
//
// Everything is safe for concurrent use. Lock order: Server.mu, client.mu. No
// command and no callback runs under them, but for wasishell.New under client.mu.
package mcpserver
