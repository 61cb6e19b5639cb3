// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package tools_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"strings"

	"github.com/wsandbox/wsandbox/tools"
	"github.com/wsandbox/wsandbox/wasishell"
)

// chatMessage is a message of a chat completion.
type chatMessage struct {
	Role       string     `json:"role"` // "system", "user", "assistant" or "tool"
	Content    string     `json:"content"`
	ToolCalls  []chatCall `json:"tool_calls,omitempty"`   // of the assistant
	ToolCallID string     `json:"tool_call_id,omitempty"` // of a tool: the call it answers
}

// chatCall is a call that the model makes.
type chatCall struct {
	ID       string `json:"id"`
	Type     string `json:"type"` // "function"
	Function struct {
		Name      string `json:"name"`
		Arguments string `json:"arguments"` // JSON
	} `json:"function"`
}

// chatTool is what the model is told about a tool.
type chatTool struct {
	Type     string       `json:"type"` // "function"
	Function chatFunction `json:"function"`
}

type chatFunction struct {
	Name        string          `json:"name"`
	Description string          `json:"description"`
	Parameters  json.RawMessage `json:"parameters"`
	Strict      bool            `json:"strict"`
}

type chatRequest struct {
	Model    string        `json:"model"`
	Messages []chatMessage `json:"messages"`
	Tools    []chatTool    `json:"tools"`
}

type chatResponse struct {
	Choices []struct {
		Message chatMessage `json:"message"`
	} `json:"choices"`
}

// chat is an agent: a model behind an OpenAI-compatible interface with a shell.
type chat struct {
	Client *http.Client
	URL    string // such as http://localhost:11434/v1/chat/completions
	Key    string
	Model  string
	Turns  int // at the most
}

// Run lets the model work on a task until it answers without calling a tool.
func (c *chat) Run(ctx context.Context, m *tools.Manager, task string) ([]chatMessage, error) {
	byName := map[string]tools.Tool{}
	request := chatRequest{
		Model:    c.Model,
		Messages: []chatMessage{{Role: "system", Content: m.Instructions()}, {Role: "user", Content: task}},
	}
	for _, t := range m.Tools() {
		byName[t.Name] = t
		request.Tools = append(request.Tools, chatTool{"function", chatFunction{t.Name, t.Description, t.InputSchema, t.Strict}})
	}
	for range c.Turns {
		answer, err := c.complete(ctx, &request)
		if err != nil {
			return request.Messages, err
		}
		request.Messages = append(request.Messages, answer)
		if len(answer.ToolCalls) == 0 {
			return request.Messages, nil
		}
		for _, call := range answer.ToolCalls {
			text := "There is no tool " + call.Function.Name + "."
			if t, ok := byName[call.Function.Name]; ok {
				// What fails is told to the model; an error is only that
				// of ctx.
				r, err := t.Call(ctx, tools.Call{ID: call.ID, Args: json.RawMessage(call.Function.Arguments)})
				if err != nil {
					return request.Messages, err
				}
				text = r.Text
			}
			request.Messages = append(request.Messages, chatMessage{Role: "tool", ToolCallID: call.ID, Content: text})
		}
	}
	return request.Messages, errors.New("the model has had its turns")
}

// complete asks the model for its next message.
func (c *chat) complete(ctx context.Context, request *chatRequest) (chatMessage, error) {
	body, err := json.Marshal(request)
	if err != nil {
		return chatMessage{}, err
	}
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, c.URL, bytes.NewReader(body))
	if err != nil {
		return chatMessage{}, err
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Authorization", "Bearer "+c.Key)
	res, err := c.Client.Do(r)
	if err != nil {
		return chatMessage{}, err
	}
	defer res.Body.Close()
	if res.StatusCode != http.StatusOK {
		return chatMessage{}, fmt.Errorf("the model's server answered %s", res.Status)
	}
	var answer chatResponse
	if err := json.NewDecoder(io.LimitReader(res.Body, 16<<20)).Decode(&answer); err != nil {
		return chatMessage{}, err
	}
	if len(answer.Choices) == 0 {
		return chatMessage{}, errors.New("the model's server gave no choice")
	}
	return answer.Choices[0].Message, nil
}

// scriptedModel stands in for a model's server: it answers each request by what
// the last message says.
type scriptedModel struct {
	calls   int
	session string
}

var runningSession = regexp.MustCompile(`(?m)^Process running with session ID (\d+)$`)

func (s *scriptedModel) RoundTrip(r *http.Request) (*http.Response, error) {
	var request chatRequest
	if err := json.NewDecoder(r.Body).Decode(&request); err != nil {
		return nil, err
	}
	body, err := json.Marshal(map[string]any{"object": "chat.completion", "choices": []any{map[string]any{"message": s.next(&request)}}})
	return &http.Response{StatusCode: http.StatusOK, Status: "200 OK", Header: http.Header{}, Body: io.NopCloser(bytes.NewReader(body))}, err
}

func (s *scriptedModel) next(request *chatRequest) chatMessage {
	last := request.Messages[len(request.Messages)-1]
	switch {
	case last.Role == "user":
		// A calculator on a terminal that goes on running.
		return s.call("exec_command", map[string]any{"cmd": `while read -r x; do echo "= $((x))"; done`, "tty": true, "yield_time_ms": 250})
	case s.session == "":
		s.session = runningSession.FindStringSubmatch(last.Content)[1]
		return s.call("write_stdin", map[string]any{"session_id": json.RawMessage(s.session), "chars": "6 * 7\n"})
	case strings.Contains(last.Content, "= 42"):
		return s.call("write_stdin", map[string]any{"session_id": json.RawMessage(s.session), "chars": "\u0004"})
	case strings.Contains(last.Content, "Process exited with code 0"):
		return chatMessage{Role: "assistant", Content: "It is 42."}
	}
	return s.call("write_stdin", map[string]any{"session_id": json.RawMessage(s.session)}) // nothing yet
}

func (s *scriptedModel) call(name string, args map[string]any) chatMessage {
	s.calls++
	c := chatCall{ID: fmt.Sprint("call_", s.calls), Type: "function"}
	text, _ := json.Marshal(args) // of strings, numbers and flags
	c.Function.Name, c.Function.Arguments = name, string(text)
	return chatMessage{Role: "assistant", ToolCalls: []chatCall{c}}
}

// The two tools in the function-calling loop of an OpenAI-compatible model. The
// model's server is played by a script; with another Client and URL it is a real
// one.
func Example_functionCalling() {
	ctx := context.Background()
	sb, err := wasishell.New(ctx, wasishell.Config{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer sb.Close()
	m, err := tools.New(sb, tools.Options{Strict: true}) // exec_command and write_stdin only
	if err != nil {
		fmt.Println(err)
		return
	}
	defer m.Close()

	agent := chat{Client: &http.Client{Transport: &scriptedModel{}}, URL: "http://model.invalid/v1/chat/completions", Model: "scripted", Turns: 100}
	messages, err := agent.Run(ctx, m, "What is 6 times 7? Use the shell.")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(messages[len(messages)-1].Content)
	// Output: It is 42.
}
