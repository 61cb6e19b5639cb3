// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package tools

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"time"
)

// Options configures a [Manager]. The zero Options are the contract's defaults
// with all extensions. They are copied by [New].
type Options struct {
	// Strict leaves only what the contract knows: no tool, argument or
	// line of text beside it.
	Strict bool
	// RaiseErrors returns as Go errors what otherwise becomes the text of a
	// tool, so that a model can go on: arguments and paths that are not
	// valid, failures of a backend.
	RaiseErrors bool

	// Root is the workspace's path inside: /workspace where empty.
	Root string
	// Cwd is the directory, relative to Root, that relative paths start
	// from: see [NewScope]. Empty is Root.
	Cwd string
	// Grants are further directories that a command may start in. Each must
	// be a mount of the sandbox too: see [Grant.Mount].
	Grants []Grant

	// Env adds to the sandbox's environment.
	Env []string
	// HostEnv is an environment that only the names of EnvAllow are taken
	// from, such as os.Environ(). A name may end in "*".
	HostEnv  []string
	EnvAllow []string
	// Secrets are values that no output shows: "<secret-hidden>" stands in
	// their place.
	Secrets []string

	// Shells are the programs that a call may name as its shell, besides
	// the sandbox's own: sh and bash where nil.
	Shells []string
	// User runs the commands as this user of the sandbox: the sandbox's own
	// where empty.
	User string
	// Size of terminals: 40 rows of 120 columns where zero, at most 500 rows
	// of 1000 columns.
	Size Winsize

	// BufferBytes bounds what a session keeps for its next call: 1 MiB
	// where 0.
	BufferBytes int
	// KeepBytes bounds what read_output can return of one session's output
	// where it has no log: 256 KiB where 0.
	KeepBytes int
	// MaxInput bounds what waits to be read by one session's command: 8 MiB
	// where 0.
	MaxInput int
	// RawOutput returns the output of terminals as it was written, with its
	// control sequences but for what asks the terminal something, which it
	// answers. Otherwise calls get the text that it shows: see package
	// screen. Strict returns all that was written.
	RawOutput bool
	// MaxOutputTokens bounds what a call may ask for. 0 is no bound, and no
	// truncation where a call names none.
	MaxOutputTokens int
	// MaxWait bounds the time of wait_session: 5 minutes where 0.
	MaxWait time.Duration

	// Background lets programs that a command leaves behind go on after its
	// end, without their output from Drain later on. Otherwise they end
	// with it.
	Background bool
	// Drain is how long a command that has ended waits for the output of
	// those: 100 ms where 0.
	Drain time.Duration
	// Timeout ends a command and all it started: 0 is none.
	Timeout time.Duration
	// KeepCancelled keeps a command whose first call is cancelled as a
	// session. Otherwise it is killed, as nobody knows its number.
	KeepCancelled bool

	// ExecApproval and WriteApproval tell which calls of exec_command and
	// write_stdin need an approval: nil is none, [Always] all. All
	// extensions that act on a session follow WriteApproval.
	ExecApproval, WriteApproval NeedsApproval
	// Approve decides about calls that need it. Nil denies them.
	Approve func(ctx context.Context, r ApprovalRequest) (Decision, error)
	// Configure may change or replace each tool before [Manager.Tools]
	// returns it.
	Configure func(*ToolSet)

	// OpenLog returns a file that takes the whole output of a session, or
	// nil. The manager closes it when nothing can read it any more.
	OpenLog func(SessionInfo) (LogFile, error)
	// Observer is told what happens.
	Observer Observer

	// Clock is the system's where nil.
	Clock Clock
	// Rand gives the random bytes of numbers and chunk IDs: crypto/rand's
	// Reader where nil. The same bytes give the same IDs.
	Rand io.Reader
	// Logf is told what the host's operator should know.
	Logf func(format string, args ...any)
}

// Defaults of [Options].
const (
	defaultBuffer = 1 << 20
	defaultKeep   = 256 << 10
	defaultInput  = 8 << 20
	defaultWait   = 5 * time.Minute
	defaultDrain  = 100 * time.Millisecond
)

func (o *Options) check() error {
	o.RawOutput = o.RawOutput || o.Strict
	if o.Root == "" {
		o.Root = "/workspace"
	}
	if o.Shells == nil {
		o.Shells = []string{"sh", "bash"}
	}
	if o.Size == (Winsize{}) {
		o.Size = Winsize{Rows: 40, Cols: 120}
	}
	if err := o.Size.check(); err != nil {
		return fmt.Errorf("tools: Options.Size: %w", err)
	}
	for _, n := range []struct {
		name     string
		value    *int
		fallback int
	}{
		{"BufferBytes", &o.BufferBytes, defaultBuffer}, {"KeepBytes", &o.KeepBytes, defaultKeep},
		{"MaxInput", &o.MaxInput, defaultInput}, {"MaxOutputTokens", &o.MaxOutputTokens, 0},
	} {
		if *n.value < 0 {
			return fmt.Errorf("tools: Options.%s is negative", n.name)
		}
		if *n.value == 0 {
			*n.value = n.fallback
		}
	}
	for _, d := range []struct {
		name     string
		value    *time.Duration
		fallback time.Duration
	}{{"MaxWait", &o.MaxWait, defaultWait}, {"Drain", &o.Drain, defaultDrain}, {"Timeout", &o.Timeout, 0}} {
		if *d.value < 0 {
			return fmt.Errorf("tools: Options.%s is negative", d.name)
		}
		if *d.value == 0 {
			*d.value = d.fallback
		}
	}
	for _, s := range o.Secrets {
		if s == "" {
			return errors.New("tools: Options.Secrets has an empty value")
		}
	}
	if o.Clock == nil {
		o.Clock = systemClock{}
	}
	if o.Rand == nil {
		o.Rand = rand.Reader
	}
	if o.Logf == nil {
		o.Logf = func(string, ...any) {}
	}
	return nil
}
