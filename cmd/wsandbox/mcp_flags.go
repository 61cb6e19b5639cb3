// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"flag"
	"fmt"
	"log/slog"
	"os"
	"runtime/debug"
	"strings"

	"github.com/wsandbox/wsandbox/tools"
	"github.com/wsandbox/wsandbox/tools/mcpserver"
	"github.com/wsandbox/wsandbox/wasishell"
)

// defaultTokens is how much of an output a model gets at once, unless it asks
// for less. read_output has the rest, which strict mode does not have.
const defaultTokens = 10000

// agentOptions are the flags that mcp and serve share.
type agentOptions struct {
	options
	strict     bool
	background bool
	approve    string
	maxTokens  int
	secrets    []string
	trace      string
	verbose    bool
}

// newAgentFlags returns the flags of mcp or serve: those of exec that make sense
// for many commands, and those for an agent.
func newAgentFlags(name, synopsis string, o *agentOptions) *flag.FlagSet {
	f := flag.NewFlagSet(name, flag.ContinueOnError)
	usage := map[string]string{
		"timeout":    "end each command after this `duration`",
		"max-output": "output after which a command is ended (`bytes`)",
	}
	newFlags(name, synopsis, &o.options).VisitAll(func(x *flag.Flag) {
		switch x.Name {
		case "json", "trace":
			return
		}
		if u, ok := usage[x.Name]; ok {
			x.Usage = u
		}
		f.Var(x.Value, x.Name, x.Usage)
	})
	f.StringVar(&o.shell, "shell", "bash", "`shell`: bash, or sh for POSIX mode")
	f.BoolVar(&o.strict, "strict", false, "offer exec_command and write_stdin only, exactly as their contract has them")
	f.BoolVar(&o.background, "background", false, "let programs that a command leaves behind go on after its end")
	f.StringVar(&o.approve, "approve", "never", "ask the client's user (`calls`): never, commands, or all for input too")
	f.IntVar(&o.maxTokens, "max-output-tokens", -1, "`number` of tokens of output that one call returns at most, 0 for no bound; -1 is 10000, and no bound with --strict")
	f.Var((*listFlag)(&o.secrets), "secret", "hide the value of this environment variable (`NAME`) wherever a command prints it (may be repeated)")
	f.StringVar(&o.trace, "trace", "", "append the event log (JSON lines) of all commands, their input and output to this `file` of the host")
	f.BoolVar(&o.verbose, "verbose", false, "log sessions and refusals on standard error, not only what goes wrong")
	f.Usage = func() {
		fmt.Fprintf(f.Output(), "Usage: wsandbox %s\n\nFlags:\n", synopsis)
		f.PrintDefaults()
	}
	return f
}

// serverConfig turns the flags into the configuration of a server.
func (o *agentOptions) serverConfig(std stdio) (mcpserver.Config, error) {
	var c mcpserver.Config
	if o.shell != "bash" && o.shell != "sh" {
		return c, fmt.Errorf("--shell %q: want bash or sh", o.shell)
	}
	sandbox, err := o.config(os.LookupEnv)
	if err != nil {
		return c, err
	}
	c.Sandbox = sandbox
	t := &c.Tools
	t.Strict, t.Background, t.Timeout = o.strict, o.background, o.timeout
	if sandbox.Dir != "" {
		rel, ok := strings.CutPrefix(sandbox.Dir, "/workspace/")
		if !ok && sandbox.Dir != "/workspace" {
			return c, fmt.Errorf("--cwd %s: want a directory of the workspace", o.cwd)
		}
		t.Cwd = strings.TrimSuffix(rel, "/")
		if !ok {
			t.Cwd = ""
		}
	}
	for _, m := range sandbox.Mounts {
		t.Grants = append(t.Grants, tools.Grant{Path: m.Guest, ReadOnly: m.ReadOnly || sandbox.Mode == wasishell.ModeReadOnly})
	}
	for _, name := range o.secrets {
		v := os.Getenv(name)
		if v == "" {
			return c, fmt.Errorf("--secret %s: the environment variable is not set", name)
		}
		t.Secrets = append(t.Secrets, v)
	}
	switch o.approve {
	case "never":
	case "all":
		t.WriteApproval = tools.Always
		fallthrough
	case "commands":
		t.ExecApproval = tools.Always
	default:
		return c, fmt.Errorf("--approve %q: want never, commands or all", o.approve)
	}
	switch {
	case o.maxTokens < -1:
		return c, errors.New("--max-output-tokens is negative")
	case o.maxTokens >= 0:
		t.MaxOutputTokens = o.maxTokens
	case !o.strict:
		t.MaxOutputTokens = defaultTokens
	}
	level := slog.LevelWarn
	if o.verbose {
		level = slog.LevelInfo
	}
	c.Logger = slog.New(slog.NewTextHandler(std.err, &slog.HandlerOptions{Level: level}))
	t.Logf = func(format string, args ...any) { c.Logger.Warn(fmt.Sprintf(format, args...)) }
	if info, ok := debug.ReadBuildInfo(); ok {
		c.Version = info.Main.Version
	}
	return c, nil
}
