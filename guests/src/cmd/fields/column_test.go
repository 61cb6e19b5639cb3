// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package fields

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/wsandbox/wsandbox/guests/src/cmdkit"
)

func TestColumnPick(t *testing.T) {
	c := &column{p: cmdkit.New("column", nil, nil, -1, -1, -1), names: []string{"a", "b", "c-d"}}
	for list, want := range map[string][]bool{
		"": {false, false, false, false}, "1": {true, false, false, false}, "a,c-d": {true, false, true, false}, "2-": {false, true, true, true},
		"-b": {true, true, false, false}, "0": {false, false, false, true}, "a-2,4": {true, true, false, true}, "-": {true, true, true, true},
	} {
		got, ok := c.pick(list, 4)
		require.True(t, ok, list)
		require.Equal(t, want, got, list)
	}
	for _, list := range []string{"5", "x", "1-9", "a,,b"} {
		_, ok := c.pick(list, 4)
		require.False(t, ok, list)
	}
}

// FuzzColumn splits anything, and writes strings that JSON reads back.
func FuzzColumn(f *testing.F) {
	f.Add("a  b\tc ", ",", 3)
	f.Add("\"\\\x01\n", "", 1)
	f.Fuzz(func(t *testing.T, l, seps string, limit int) {
		c := &column{seps: " \t", limit: max(1, min(limit, 10)), separated: seps != ""}
		if c.separated {
			c.seps = seps
		}
		row := c.split([]byte(l))
		if len(row) > c.limit {
			t.Fatalf("%d columns", len(row))
		}
		if c.separated && c.limit > strings.Count(l, seps) && len(seps) == 1 {
			require.Equal(t, l, strings.Join(row, seps))
		}
		if utf8.ValidString(l) {
			var back string
			require.NoError(t, json.Unmarshal(appendJSON(nil, l), &back))
			require.Equal(t, l, back)
		}
	})
}
