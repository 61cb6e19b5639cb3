// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/wsandbox/wsandbox/wasishell"
)

// options are the flags that exec and run share.
type options struct {
	workspace string
	mode      string
	mounts    []string
	env       []string
	cwd       string
	timeout   time.Duration
	memory    string
	json      bool
	maxOutput string
	cacheDir  string
	trace     string
	tracer    *tracer // of trace, nil if there is none
	tty       bool
	shown     *terminalOutput // of tty, nil if that is not the host's
	shell     string          // exec only
	file      string          // exec only
	hostname  string
	limits    limitFlags
}

type limitFlags struct {
	cpu       time.Duration
	processes int
	files     int
	fileSize  string
	disk      string
}

// listFlag collects the values of a flag that may be given several times.
type listFlag []string

func (l *listFlag) String() string     { return strings.Join(*l, ",") }
func (l *listFlag) Set(v string) error { *l = append(*l, v); return nil }

func newFlags(name, synopsis string, o *options) *flag.FlagSet {
	f := flag.NewFlagSet(name, flag.ContinueOnError)
	f.StringVar(&o.workspace, "workspace", ".", "host `directory` bound at /workspace; also the working directory")
	f.StringVar(&o.mode, "mode", string(wasishell.ModeWorkspaceWrite), "`mode`: workspace-write or read-only")
	f.Var((*listFlag)(&o.mounts), "mount", "bind a further directory: `HOST:GUEST[:ro|rw]` (read-only unless rw; may be repeated)")
	f.Var((*listFlag)(&o.env), "env", "set `NAME=VALUE` inside, or pass NAME through from outside (may be repeated)")
	f.StringVar(&o.cwd, "cwd", "", "working `directory` inside, relative to /workspace")
	f.DurationVar(&o.timeout, "timeout", 0, "end everything inside after this `duration` and exit with 124")
	f.StringVar(&o.memory, "memory", "", "memory of one process, such as 256M (`bytes`)")
	f.DurationVar(&o.limits.cpu, "cpu", 0, "processor time of one process (`duration`)")
	f.IntVar(&o.limits.processes, "processes", 0, "processes at once (`number`)")
	f.IntVar(&o.limits.files, "files", 0, "open descriptors of one process (`number`)")
	f.StringVar(&o.limits.fileSize, "file-size", "", "size of one file (`bytes`)")
	f.StringVar(&o.limits.disk, "disk", "", "files in memory: /tmp and HOME (`bytes`)")
	f.StringVar(&o.maxOutput, "max-output", "", "output after which the command is ended (`bytes`); with --json also what is kept, 16M at first")
	f.StringVar(&o.hostname, "hostname", "", "host `name` inside")
	if name != "shell" { // which is a terminal's
		f.BoolVar(&o.json, "json", false, "print one JSON object instead of the output")
	}
	f.StringVar(&o.trace, "trace", "", "append the event log (JSON lines) of the command, its input and output to this `file` of the host")
	f.StringVar(&o.cacheDir, "cache-dir", "", "`directory` for compiled programs (default: wsandbox in the user's cache directory)")
	f.Usage = func() {
		fmt.Fprintf(f.Output(), "Usage: wsandbox %s\n\nFlags:\n", synopsis)
		f.PrintDefaults()
	}
	return f
}

// durations are the flags that are a time.
var durations = [...]string{"timeout", "cpu", "idle"}

// parse parses the flags. done says that the invocation ends with status: help,
// which goes to standard output, or an error, said in one line.
func parse(f *flag.FlagSet, args []string, std stdio) (done bool, status int) {
	usage := f.Usage
	f.SetOutput(io.Discard)
	f.Usage = func() {}
	switch err := f.Parse(args); {
	case err == nil:
		return false, 0
	case errors.Is(err, flag.ErrHelp):
		var text strings.Builder
		f.SetOutput(&text)
		usage()
		return true, say(std, text.String())
	default:
		j := f.Lookup("json")
		o := options{json: j != nil && (j.Value.String() == "true" || wantsJSON(args))}
		if strings.Contains(err.Error(), "parse error") && strings.Contains(err.Error(), "invalid value") {
			for _, name := range durations {
				if strings.Contains(err.Error(), "for flag -"+name+":") {
					err = fmt.Errorf("%s: want a duration such as 5s", strings.TrimSuffix(err.Error(), ": parse error"))
				}
			}
		}
		return true, failJSON(&o, std, fmt.Errorf("%s: %w; \"wsandbox %s --help\" describes the flags", f.Name(), err, f.Name()))
	}
}

// config turns the flags into a sandbox configuration.
func (o *options) config(lookupEnv func(string) (string, bool)) (wasishell.Config, error) {
	c := wasishell.Config{Workspace: o.workspace, Mode: wasishell.Mode(o.mode), Shell: o.shell, Hostname: o.hostname}
	if o.workspace == "" {
		return c, errors.New("--workspace is empty")
	}
	for _, m := range o.mounts {
		mount, err := parseMount(m)
		if err != nil {
			return c, err
		}
		c.Mounts = append(c.Mounts, mount)
	}
	for _, e := range o.env {
		if !strings.Contains(e, "=") {
			v, ok := lookupEnv(e)
			if !ok {
				continue
			}
			e += "=" + v
		}
		c.Env = append(c.Env, e)
	}
	switch {
	case o.cwd == "":
	case strings.HasPrefix(o.cwd, "/"):
		c.Dir = o.cwd
	default:
		c.Dir = "/workspace/" + filepath.ToSlash(o.cwd)
	}
	if o.timeout < 0 {
		return c, fmt.Errorf("--timeout %v is negative", o.timeout)
	}
	for _, s := range []struct {
		name, text string
		to         *int64
	}{
		{"memory", o.memory, &c.Limits.Memory},
		{"file-size", o.limits.fileSize, &c.Limits.FileSize},
		{"disk", o.limits.disk, &c.Limits.Disk},
		{"max-output", o.maxOutput, &c.Limits.Output},
	} {
		if s.text == "" {
			continue
		}
		n, err := parseSize(s.text)
		if err != nil {
			return c, fmt.Errorf("--%s %q: %w", s.name, s.text, err)
		}
		*s.to = n
	}
	if o.limits.cpu < 0 || o.limits.processes < 0 || o.limits.files < 0 {
		return c, errors.New("a limit is negative")
	}
	c.Limits.CPU, c.Limits.Processes, c.Limits.Files = o.limits.cpu, o.limits.processes, o.limits.files
	return c, nil
}

// parseMount parses HOST:GUEST[:ro|rw]. A Windows drive letter is part of HOST.
func parseMount(s string) (wasishell.Mount, error) {
	bad := func(why string) (wasishell.Mount, error) {
		return wasishell.Mount{}, fmt.Errorf("--mount %q: %s; want HOST:GUEST[:ro|rw]", s, why)
	}
	m := wasishell.Mount{ReadOnly: true}
	rest := s
	for _, suffix := range []string{":ro", ":rw"} {
		if r, ok := strings.CutSuffix(rest, suffix); ok {
			m.ReadOnly = suffix == ":ro"
			rest = r
			break
		}
	}
	if strings.HasSuffix(rest, ":overlay") {
		return bad("overlay is not supported yet")
	}
	i := strings.LastIndex(rest, ":/")
	if i <= 0 {
		return bad("no absolute guest path")
	}
	m.Host, m.Guest = rest[:i], rest[i+1:]
	if _, mode, ok := strings.Cut(m.Guest, ":"); ok {
		return bad(fmt.Sprintf("unknown mode %q", mode))
	}
	return m, nil
}

// parseSize parses a number of bytes with an optional suffix K, M, G or T
// (powers of 1024), which may be followed by B or iB.
func parseSize(s string) (int64, error) {
	digits := strings.TrimRight(s, "KMGTiBkmgt")
	n, err := strconv.ParseInt(digits, 10, 64)
	if err != nil || n <= 0 {
		return 0, errors.New("want a positive number with an optional K, M, G or T")
	}
	shift := map[string]uint{"": 0, "B": 0, "K": 10, "M": 20, "G": 30, "T": 40}
	unit := strings.ToUpper(s[len(digits):])
	if unit != "B" {
		unit = strings.TrimSuffix(strings.TrimSuffix(unit, "B"), "I")
	}
	k, ok := shift[unit]
	if !ok {
		return 0, fmt.Errorf("unknown suffix %q", s[len(digits):])
	}
	if n > 1<<62>>k {
		return 0, errors.New("too large")
	}
	return n << k, nil
}
