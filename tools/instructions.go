// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package tools

// Instructions returns the text that tells a model how to use the tools, for its
// system prompt.
func (m *Manager) Instructions() string {
	text := "When using the shell:\n" +
		"- Use `exec_command` for shell execution.\n" +
		"- If available, use `write_stdin` to interact with or poll running sessions.\n" +
		"- To interrupt a long-running process via `write_stdin`, start it with `tty=true` and send Ctrl-C (`\\u0003`).\n" +
		"- Prefer `rg` and `rg --files` for text/file discovery when available.\n" +
		"- Avoid using Python scripts just to print large file chunks."
	if m.opt.Strict {
		return text
	}
	text += "\n- Commands run in a sandbox: there is no network and no program of the host, so no `git`, `python` or compiler. " +
		"Without `rg`, use `grep -rn` and `find`."
	for _, g := range m.paths.grants {
		text += "\n- Besides the workspace, commands may use " + g.Path
		if g.ReadOnly {
			text += " (read-only)"
		}
		if g.Description != "" {
			text += ": " + visible(g.Description)
		}
	}
	return text + "\n" +
		"- To wait for a running session, use `wait_session` with a pattern or for its exit instead of polling with `write_stdin`.\n" +
		"- To see output that was truncated or omitted, use `read_output` with its chunk ID.\n" +
		"- Programs that a command leaves in the background " + m.backgroundText() + "; keep a server running as a session of its own."
}

func (m *Manager) backgroundText() string {
	if m.opt.Background {
		return "go on, without their output"
	}
	return "end with it"
}
