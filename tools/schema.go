// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package tools

import (
	"encoding/json"
	"strings"
)

// property is a parameter of a tool. Its order is that of the schema.
type property struct {
	name, schema string // JSON without the description
	text         string
	required     bool
}

// objectSchema returns the JSON schema of an object.
func objectSchema(props ...property) json.RawMessage {
	var b strings.Builder
	b.WriteString(`{"type":"object","properties":{`)
	required := []string{}
	for i, p := range props {
		if i > 0 {
			b.WriteByte(',')
		}
		text, _ := json.Marshal(p.text) // a string
		b.WriteString(`"` + p.name + `":{` + p.schema + `,"description":` + string(text) + "}")
		if p.required {
			required = append(required, p.name)
		}
	}
	list, _ := json.Marshal(required)
	b.WriteString(`},"required":` + string(list) + "}")
	return json.RawMessage(b.String())
}

// Schemas of parameters.
const (
	typeText        = `"type":"string"`
	typeOptional    = `"anyOf":[{"type":"string"},{"type":"null"}],"default":null`
	typeID          = `"type":"integer"`
	typeOptionalInt = `"anyOf":[{"type":"integer","minimum":1},{"type":"null"}],"default":null`
)

// Descriptions that tools share.
const (
	yieldText     = "How long to wait (in milliseconds) for output before yielding."
	maxTokensText = "Maximum number of tokens to return. Excess output will be truncated."
	sessionIDText = "Identifier of the running unified exec session."
)

// execCommandSchema is the schema of exec_command's arguments.
func execCommandSchema(strict bool) json.RawMessage {
	props := []property{
		{"cmd", typeText + `,"minLength":1`, "Shell command to execute.", true},
		{"workdir", typeOptional, "Optional working directory to run the command in; defaults to the turn cwd.", false},
		{"shell", typeOptional, "Shell binary to launch. Defaults to the user's default shell.", false},
		{"login", `"type":"boolean","default":true`, "Whether to run the shell with -l/-i semantics. Defaults to true.", false},
		{"tty", `"type":"boolean","default":false`, "Whether to allocate a TTY for the command. Defaults to false (plain pipes); set to true to open a PTY and access TTY process.", false},
		{"yield_time_ms", `"type":"integer","minimum":0,"default":10000`, yieldText, false},
		{"max_output_tokens", typeOptionalInt, maxTokensText, false},
	}
	if !strict {
		props = append(props, property{"stdin", `"type":"boolean","default":false`, "Whether to keep standard input open as a pipe for write_stdin and close_stdin. Defaults to false (empty input).", false})
	}
	return objectSchema(props...)
}

// writeStdinSchema is the schema of write_stdin's arguments.
func writeStdinSchema() json.RawMessage {
	return objectSchema(
		property{"session_id", typeID, sessionIDText, true},
		property{"chars", typeText + `,"default":""`, "Bytes to write to stdin (may be empty to poll).", false},
		property{"yield_time_ms", `"type":"integer","minimum":0,"default":250`, yieldText, false},
		property{"max_output_tokens", typeOptionalInt, maxTokensText, false},
	)
}

// responseSchema is the schema of a [Response].
func responseSchema() json.RawMessage {
	return objectSchema(
		property{"chunk_id", typeText, "Identifier of this output chunk.", true},
		property{"wall_time_seconds", `"type":"number"`, "Elapsed wall time in seconds.", true},
		property{"exit_code", typeID, "Exit code of the process once it has ended; negative for a signal.", false},
		property{"session_id", typeID, "Session identifier to pass to write_stdin while the process is running.", false},
		property{"original_token_count", typeID, "Approximate token count before truncation.", false},
		property{"output", typeText, "Command output, possibly truncated.", true},
		property{"omitted_bytes", typeID, "Bytes that were dropped because a buffer was full.", false},
		property{"unsent_bytes", typeID, "Bytes of input that the process has not taken yet.", false},
		property{"matched", `"type":"boolean"`, "Whether the pattern of wait_session has shown.", false},
		property{"limit", typeText, "The limit of the sandbox that ended the command.", false},
	)
}
