// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package tools

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestMask(t *testing.T) {
	for _, c := range []struct {
		name    string
		secrets []string
		pieces  []string
		want    []string // what each piece gives, and the end
	}{
		{"none", nil, []string{"abc"}, []string{"abc", ""}},
		{"whole", []string{"key"}, []string{"a key b"}, []string{"a <secret-hidden> b", ""}},
		{"across a border", []string{"key"}, []string{"a k", "e", "y b"}, []string{"a ", "", "<secret-hidden> b", ""}},
		{"held in vain", []string{"key"}, []string{"a k", "x"}, []string{"a ", "kx", ""}},
		{"at the end", []string{"key"}, []string{"ke"}, []string{"", "ke"}},
		{"the longer one", []string{"key", "keyboard"}, []string{"key", "board key"}, []string{"", "<secret-hidden> ", "<secret-hidden>"}},
		{"overlap with itself", []string{"aab"}, []string{"a", "a", "a", "b"}, []string{"", "", "a", "<secret-hidden>", ""}},
		{"lines on a terminal", []string{"a\nb"}, []string{"xa\r", "\nby", "a\nb"}, []string{"x", "<secret-hidden>y", "<secret-hidden>", ""}},
	} {
		t.Run(c.name, func(t *testing.T) {
			m := masker{set: newSecretSet(c.secrets)}
			var got []string
			for _, p := range c.pieces {
				got = append(got, string(m.mask([]byte(p))))
			}
			require.Equal(t, c.want, append(got, string(m.flush())))
		})
	}
}

// TestSecrets: no result of any call shows a secret.
func TestSecrets(t *testing.T) {
	const secret = "hunter2-value"
	m := newManager(t, Options{Secrets: []string{secret}, Env: []string{"TOKEN=" + secret}})
	m.AddSecret("another one")
	for _, args := range []string{
		`{"cmd":"echo $TOKEN; printf hunter; sleep 0.2; printf 2-; sleep 0.1; echo value; echo another one"}`,
		`{"cmd":"echo $TOKEN","tty":true}`, `{"cmd":"x","shell":"hunter2-value"}`, `{"cmd":"x","workdir":"../hunter2-value"}`, `{"cmd":"hunter2-value"}`,
	} {
		r, err := callTool(t, m, "exec_command", args)
		require.NoError(t, err)
		require.NotContains(t, r.Text, secret)
		require.NotContains(t, r.Text, "another one")
		require.Contains(t, r.Text, secretMask)
	}
	id := start(t, m, ExecCommandArgs{Cmd: "cat; : hunter2-value", TTY: true})
	require.NotContains(t, drive(t, m, id, "hunter2-value\n", secretMask+"\n"+secretMask), secret)
	for _, tool := range []string{"read_screen", "list_sessions", "read_output"} {
		r, err := callTool(t, m, tool, `{"session_id":`+itoa(int(id))+`}`)
		require.NoError(t, err)
		require.NotContains(t, r.Text, secret)
		require.Contains(t, r.Text, secretMask)
	}
}

func FuzzMasker(f *testing.F) {
	f.Add("the key is key", "key", "ke", uint8(3))
	f.Add("aaaab", "aab", "ab", uint8(1))
	f.Add("x\r\ny", "x\ny", "y", uint8(2))
	f.Fuzz(func(t *testing.T, text, a, b string, size uint8) {
		set := newSecretSet([]string{a, b})
		whole := set.text(text)
		m := masker{set: set}
		var got strings.Builder
		for p := text; p != ""; {
			n := min(int(size%7)+1, len(p))
			got.Write(m.mask([]byte(p[:n])))
			p = p[n:]
		}
		got.Write(m.flush())
		if got.String() != whole {
			t.Fatalf("in pieces %q, at once %q", got.String(), whole)
		}
		for _, s := range []string{a, b} {
			if s != "" && strings.Contains(strings.ReplaceAll(whole, secretMask, "\x00"), s) && !strings.Contains(s, "\x00") {
				t.Fatalf("%q shows %q", whole, s)
			}
		}
	})
}
