// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package mcpserver

import (
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/wsandbox/wsandbox/tools"
	"github.com/wsandbox/wsandbox/wasishell"
)

// Config configures a [Server]. It is copied by [New].
type Config struct {
	// Sandbox describes the sandbox of each client session. Where it has no
	// Runtime, New makes one for all and Close closes it.
	Sandbox wasishell.Config
	// Tools are the options of each session's calls. Observer, Approve and
	// RaiseErrors are set by the server. Configure is called once more than
	// there are sessions: for the list of tools that all clients see.
	Tools tools.Options
	// NewObserver returns what is told about a session's commands, or nil.
	// The session is named by its number, from 1.
	NewObserver func(session uint64) tools.Observer
	// Approve decides about calls that need an approval in place of the
	// client's user.
	Approve Approver
	// Decided, where not nil, is told about each decision on a call that
	// needed an approval, with the number of the session.
	Decided func(session uint64, r tools.ApprovalRequest, d tools.Decision)

	// Name and Version are what clients are told: "wsandbox" and "devel"
	// where empty.
	Name, Version string

	// MaxSessions bounds the client sessions at once: 64 where 0.
	MaxSessions int
	// MaxCalls bounds the calls of one session at once: 128 where 0.
	MaxCalls int
	// MaxRequest bounds a message of a client in bytes: 4 MiB where 0.
	MaxRequest int
	// IdleTimeout ends a session over HTTP that has had no request and no
	// stream open for so long: 30 minutes where 0.
	IdleTimeout time.Duration
	// ApprovalTimeout is how long a user may take to answer: 5 minutes where
	// 0.
	ApprovalTimeout time.Duration
	// ProgressInterval is the time between notifications of progress: 1 s
	// where 0.
	ProgressInterval time.Duration

	// Logger is told what the host's operator should know. Nil discards it.
	// Neither commands nor their output are in it.
	Logger *slog.Logger
}

// Defaults of [Config].
const (
	defaultSessions = 64
	defaultCalls    = 128
	defaultRequest  = 4 << 20
	defaultIdle     = 30 * time.Minute
	defaultApproval = 5 * time.Minute
	defaultProgress = time.Second
)

func (c *Config) check() error {
	if c.Name == "" {
		c.Name = "wsandbox"
	}
	if c.Version == "" {
		c.Version = "devel"
	}
	for _, n := range []struct {
		name     string
		value    *int
		fallback int
	}{{"MaxSessions", &c.MaxSessions, defaultSessions}, {"MaxCalls", &c.MaxCalls, defaultCalls}, {"MaxRequest", &c.MaxRequest, defaultRequest}} {
		if *n.value < 0 {
			return fmt.Errorf("mcpserver: Config.%s is negative", n.name)
		}
		if *n.value == 0 {
			*n.value = n.fallback
		}
	}
	for _, d := range []struct {
		name     string
		value    *time.Duration
		fallback time.Duration
	}{{"IdleTimeout", &c.IdleTimeout, defaultIdle}, {"ApprovalTimeout", &c.ApprovalTimeout, defaultApproval}, {"ProgressInterval", &c.ProgressInterval, defaultProgress}} {
		if *d.value < 0 {
			return fmt.Errorf("mcpserver: Config.%s is negative", d.name)
		}
		if *d.value == 0 {
			*d.value = d.fallback
		}
	}
	if c.Tools.Observer != nil {
		return errors.New("mcpserver: Config.Tools.Observer is set: use NewObserver")
	}
	if c.Tools.Approve != nil {
		return errors.New("mcpserver: Config.Tools.Approve is set: use Config.Approve")
	}
	c.Tools.RaiseErrors = false
	if c.Logger == nil {
		c.Logger = slog.New(slog.DiscardHandler)
	}
	return nil
}
