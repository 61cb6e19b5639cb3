// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

// Package wasishell runs shell scripts and commands in a sandbox.
//
// A [Runtime] holds the compiled guest programs and is shared; a [Sandbox] is a
// process kernel with a file namespace of its own; a [Cmd] is one command in
// it, shaped after [os/exec.Cmd]; a [Session] is a running one.
//
// Nothing of the host is visible inside unless a field of [Config] names it: no
// environment, no directory but the workspace and the mounts, no network, no
// native program. The zero Config is a sandbox with an empty workspace in
// memory.
//
//	sb, err := wasishell.New(ctx, wasishell.Config{Workspace: "."})
//	if err != nil {
//		return err
//	}
//	defer sb.Close()
//	out, err := sb.Shell("grep -rc TODO --include='*.go' . | sort -t: -k2 -rn | head").Output(ctx)
package wasishell
