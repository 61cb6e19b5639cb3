// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package tools

import (
	"bytes"
	"encoding/json"
	"fmt"
	"math"
	"strconv"
)

// ArgumentError reports an argument that a tool's schema does not allow.
type ArgumentError struct {
	Name string // empty: the arguments as a whole
	What string // such as "is required"
}

func (e *ArgumentError) Error() string {
	if e.Name == "" {
		return "arguments " + e.What
	}
	return e.Name + " " + e.What
}

// arguments decodes a JSON object by names. Unknown ones are ignored; the first
// that is not valid is the error.
type arguments struct {
	m   map[string]json.RawMessage
	err error
}

func parseArguments(raw json.RawMessage) *arguments {
	a := &arguments{}
	if len(bytes.TrimSpace(raw)) == 0 {
		return a
	}
	if err := json.Unmarshal(raw, &a.m); err != nil {
		a.err = &ArgumentError{What: "are no JSON object: " + err.Error()}
	}
	return a
}

func (a *arguments) fail(name, format string, args ...any) {
	if a.err == nil {
		a.err = &ArgumentError{name, fmt.Sprintf(format, args...)}
	}
}

// get returns the value of a name, nil where there is none.
func (a *arguments) get(name string, required bool) json.RawMessage {
	v, ok := a.m[name]
	if !ok && required {
		a.fail(name, "is required")
	}
	return bytes.TrimSpace(v)
}

func isNull(v json.RawMessage) bool { return string(v) == "null" }

func (a *arguments) text(name string, required bool) (s string) {
	v := a.get(name, required)
	if len(v) == 0 {
		return ""
	}
	if v[0] != '"' || json.Unmarshal(v, &s) != nil {
		a.fail(name, "must be a string")
	}
	return s
}

func (a *arguments) optionalText(name string) *string {
	v := a.get(name, false)
	if len(v) == 0 || isNull(v) {
		return nil
	}
	s := a.text(name, false)
	return &s
}

func (a *arguments) flag(name string, fallback bool) bool {
	switch v := a.get(name, false); string(v) {
	case "true":
		return true
	case "false":
		return false
	case "":
	default:
		a.fail(name, "must be true or false")
	}
	return fallback
}

// number returns an integer of at least least; what is larger than any int64 is
// the largest. Nil stands for none, and for null where that is allowed.
func (a *arguments) number(name string, required, null bool, least int64) *int64 {
	v := a.get(name, required)
	if len(v) == 0 || null && isNull(v) {
		return nil
	}
	n, err := strconv.ParseInt(string(v), 10, 64)
	if err != nil {
		f, err := strconv.ParseFloat(string(v), 64)
		if v[0] != '-' && (v[0] < '0' || v[0] > '9') || err != nil && !math.IsInf(f, 0) || f != math.Trunc(f) {
			a.fail(name, "must be an integer")
			return nil
		}
		switch {
		case f >= math.MaxInt64:
			n = math.MaxInt64
		case f <= math.MinInt64:
			n = math.MinInt64
		default:
			n = int64(f)
		}
	}
	if n < least {
		a.fail(name, "must be at least %d", least)
	}
	return &n
}
