// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/wsandbox/wsandbox/wasishell"
)

// maxScript bounds the size in bytes of a script given by --file.
const maxScript = 64 << 20

// scriptPath is where a script of the host stands inside.
const scriptPath = "/run/wsandbox/script"

// runExec is "wsandbox exec".
func runExec(ctx context.Context, args []string, std stdio) int {
	var o options
	f := newFlags("exec", "exec [flags] SCRIPT [ARG...]\n       wsandbox exec [flags] - [ARG...]          the script is read from standard input\n       wsandbox exec [flags] --file FILE [ARG...]\n\nFlags come before the script: what stands behind it are its arguments.", &o)
	f.StringVar(&o.shell, "shell", "bash", "`shell`: bash, or sh for POSIX mode")
	f.BoolVar(&o.tty, "tty", false, "run on a terminal: the host's where standard input is one")
	f.StringVar(&o.file, "file", "", "read the script from this `file` of the host")
	if done, status := parse(f, args, std); done {
		return status
	}
	if o.shell != "bash" && o.shell != "sh" {
		return failJSON(&o, std, fmt.Errorf("--shell %q: want bash or sh", o.shell))
	}
	cfg, err := o.config(os.LookupEnv)
	if err != nil {
		return failJSON(&o, std, err)
	}
	rest := f.Args()
	var command []string
	switch {
	case o.file != "":
		text, err := readBounded(o.file, maxScript)
		if err != nil {
			return failJSON(&o, std, err)
		}
		cfg.Files = append(cfg.Files, wasishell.File{Path: scriptPath, Data: text})
		command = append([]string{o.shell, scriptPath}, rest...)
	case len(rest) == 0:
		return failJSON(&o, std, errors.New("exec: no script; \"wsandbox exec --help\" describes the use"))
	case rest[0] == "-":
		command = append([]string{o.shell, "-s"}, rest[1:]...)
	default:
		command = append([]string{o.shell, "-c", rest[0], o.shell}, rest[1:]...)
	}
	return execute(ctx, &o, cfg, command, std)
}

// readBounded reads a file of the host that must not be larger than limit bytes.
func readBounded(name string, limit int64) ([]byte, error) {
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, limit+1))
	if err != nil {
		return nil, err
	}
	if int64(len(b)) > limit {
		return nil, fmt.Errorf("%s: larger than %d bytes", name, limit)
	}
	return b, nil
}
