// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package tools_test

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wsandbox/wsandbox/tools"
	"github.com/wsandbox/wsandbox/wasishell"
)

// answers is a model's server that gives fixed answers and keeps the requests.
type answers struct {
	bodies   []string // of the answers
	requests []string
	header   http.Header
	onLast   func()
}

func (a *answers) RoundTrip(r *http.Request) (*http.Response, error) {
	b, err := io.ReadAll(r.Body)
	if err != nil {
		return nil, err
	}
	a.requests, a.header = append(a.requests, string(b)), r.Header
	body := a.bodies[0]
	a.bodies = a.bodies[1:]
	if len(a.bodies) == 0 && a.onLast != nil {
		a.onLast()
	}
	return &http.Response{StatusCode: 200, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(body))}, nil
}

// TestFunctionCalling checks what goes to a model and comes from it.
func TestFunctionCalling(t *testing.T) {
	sb, err := wasishell.New(t.Context(), wasishell.Config{Runtime: tools.SharedRuntime(t)})
	require.NoError(t, err)
	defer sb.Close()
	m, err := tools.New(sb, tools.Options{Strict: true})
	require.NoError(t, err)
	defer m.Close()

	const last = `{"choices":[{"message":{"role":"assistant","content":"done"}}]}`
	server := &answers{bodies: []string{
		`{"choices":[{"message":{"role":"assistant","content":null,"tool_calls":[
			{"id":"a","type":"function","function":{"name":"exec_command","arguments":"{\"cmd\":\"echo one\"}"}},
			{"id":"b","type":"function","function":{"name":"exec_command","arguments":"{\"cmd\":\"exit 3\",\"unknown\":1}"}},
			{"id":"c","type":"function","function":{"name":"exec_command","arguments":"{\"cmd\":"}},
			{"id":"d","type":"function","function":{"name":"write_stdin","arguments":"{\"session_id\":1}"}},
			{"id":"e","type":"function","function":{"name":"format_disk","arguments":"{}"}},
			{"id":"f","type":"function","function":{"name":"exec_command","arguments":""}}]}}]}`, last}}
	agent := chat{Client: &http.Client{Transport: server}, URL: "http://model.invalid/", Key: "k", Model: "m", Turns: 2}
	messages, err := agent.Run(t.Context(), m, "go")
	require.NoError(t, err)
	require.Equal(t, "Bearer k", server.header.Get("Authorization"))

	var first struct {
		Model    string
		Messages []map[string]any
		Tools    []struct {
			Type     string
			Function struct {
				Name, Description string
				Strict            bool
				Parameters        struct {
					Type       string
					Required   []string
					Properties map[string]any
				}
			}
		}
	}
	require.NoError(t, json.Unmarshal([]byte(server.requests[0]), &first))
	require.Equal(t, "m", first.Model)
	require.Equal(t, []map[string]any{{"role": "system", "content": m.Instructions()}, {"role": "user", "content": "go"}}, first.Messages)
	require.Len(t, first.Tools, 2)
	for i, want := range []struct{ name, required string }{{"exec_command", "cmd"}, {"write_stdin", "session_id"}} {
		f := first.Tools[i]
		require.Equal(t, "function", f.Type)
		require.Equal(t, want.name, f.Function.Name)
		require.False(t, f.Function.Strict)
		require.Equal(t, "object", f.Function.Parameters.Type)
		require.Equal(t, []string{want.required}, f.Function.Parameters.Required)
		require.Contains(t, f.Function.Parameters.Properties, "yield_time_ms")
	}

	require.Len(t, messages, 10)
	for i, want := range []struct{ id, text string }{
		{"a", "Process exited with code 0\nOutput:\none\n"},
		{"b", "Process exited with code 3\nOutput:\n"},
		{"c", "exec_command failed: "},
		{"d", "Process exited with code 1\nOutput:\nwrite_stdin failed: PTY session not found: 1"},
		{"e", "There is no tool format_disk."},
		{"f", "cmd"},
	} {
		got := messages[3+i]
		require.Equal(t, "tool", got.Role)
		require.Equal(t, want.id, got.ToolCallID)
		require.Contains(t, got.Content, want.text)
	}
	require.Equal(t, "done", messages[9].Content)
	var second struct{ Messages []chatMessage }
	require.NoError(t, json.Unmarshal([]byte(server.requests[1]), &second))
	require.Equal(t, messages[:9], second.Messages)

	// A model that never ends has an end, and so has one that nobody waits for.
	const again = `{"choices":[{"message":{"role":"assistant","tool_calls":[{"id":"x","type":"function","function":{"name":"exec_command","arguments":"{\"cmd\":\"sleep 1000\",\"yield_time_ms\":0}"}}]}}]}`
	agent.Client.Transport = &answers{bodies: []string{again, again}}
	_, err = agent.Run(t.Context(), m, "go")
	require.EqualError(t, err, "the model has had its turns")
	ctx, cancel := context.WithCancel(t.Context())
	agent.Client.Transport = &answers{bodies: []string{again}, onLast: cancel}
	_, err = agent.Run(ctx, m, "go")
	require.ErrorIs(t, err, context.Canceled)
}
