// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"

	"github.com/wsandbox/wsandbox/wasishell"
)

// maxModule bounds the size in bytes of a module named on the command line.
const maxModule = 256 << 20

// runProgram is "wsandbox run".
func runProgram(ctx context.Context, args []string, std stdio) int {
	var o options
	f := newFlags("run", "run [flags] -- PROG [ARG...]\n\nPROG is a command of the sandbox, a path inside it, or a .wasm file of the host.", &o)
	f.BoolVar(&o.tty, "tty", false, "run on a terminal: the host's where standard input is one")
	if done, status := parse(f, args, std); done {
		return status
	}
	command := f.Args()
	if len(command) == 0 {
		return failJSON(&o, std, errors.New("run: no program; \"wsandbox run --help\" describes the use"))
	}
	cfg, err := o.config(os.LookupEnv)
	if err != nil {
		return failJSON(&o, std, err)
	}
	if err := bindModule(&cfg, command); err != nil {
		return failJSON(&o, std, err)
	}
	return execute(ctx, &o, cfg, command, std)
}

// bindModule makes a module that the user named by a path of the host available
// inside, and replaces the path in command by that inside. A file below the
// workspace is the file there; any other is put in memory. A path that exists
// only inside is left alone.
func bindModule(cfg *wasishell.Config, command []string) error {
	name := command[0]
	if !strings.HasSuffix(name, ".wasm") || strings.HasPrefix(name, "/workspace/") {
		return nil
	}
	if !filepath.IsAbs(name) {
		// Inside first: that is where "./prog.wasm" is for the script's author.
		if inside, ok := below(cfg.Workspace, filepath.Join(cfg.Workspace, name)); ok && cfg.Dir == "" {
			command[0] = inside
			return nil
		}
	}
	st, err := os.Stat(name)
	if errors.Is(err, os.ErrNotExist) {
		return nil // if it does not exist inside either, the sandbox says so
	}
	if err != nil {
		return err
	}
	if inside, ok := below(cfg.Workspace, name); ok {
		command[0] = inside
		return nil
	}
	if !st.Mode().IsRegular() {
		return &os.PathError{Op: "run", Path: name, Err: errors.New("not a regular file")}
	}
	b, err := readBounded(name, maxModule)
	if err != nil {
		return err
	}
	command[0] = "/run/wsandbox/" + filepath.Base(name)
	cfg.Files = append(cfg.Files, wasishell.File{Path: command[0], Data: b, Perm: 0o555})
	return nil
}

// below returns the path inside of an existing file of the host that lies below
// the workspace.
func below(workspace, file string) (inside string, ok bool) {
	root, err := filepath.EvalSymlinks(workspace)
	if err != nil {
		return "", false
	}
	if file, err = filepath.EvalSymlinks(file); err != nil {
		return "", false
	}
	if root, err = filepath.Abs(root); err != nil {
		return "", false
	}
	if file, err = filepath.Abs(file); err != nil {
		return "", false
	}
	rel, err := filepath.Rel(root, file)
	if err != nil || !filepath.IsLocal(rel) {
		return "", false
	}
	return "/workspace/" + filepath.ToSlash(rel), true
}
