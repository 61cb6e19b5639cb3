// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package tools

import (
	"testing"

	"github.com/stretchr/testify/require"
)

func TestExecCommand(t *testing.T) {
	m := newManager(t, Options{})
	for _, c := range []struct {
		name string
		args ExecCommandArgs
		code int
		out  string
	}{
		{"output", ExecCommandArgs{Cmd: "echo hi; echo there >&2"}, 0, "hi\nthere\n"},
		{"status", ExecCommandArgs{Cmd: "exit 7"}, 7, ""},
		{"signal", ExecCommandArgs{Cmd: "kill -QUIT $$"}, -3, ""},
		{"empty input", ExecCommandArgs{Cmd: "cat"}, 0, ""},
		{"grandchild that keeps the pipe", ExecCommandArgs{Cmd: "sleep 1000 &"}, 0, ""},
		{"environment", ExecCommandArgs{Cmd: `echo $TERM $NO_COLOR $PAGER $GIT_PAGER`}, 0, "dumb 1 cat cat\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			r, err := m.ExecCommand(t.Context(), c.args)
			require.NoError(t, err)
			require.NotNil(t, r.ExitCode, r.Text())
			require.Equal(t, c.code, *r.ExitCode)
			require.Equal(t, c.out, r.Output)
			require.Nil(t, r.SessionID)
			require.Nil(t, r.OriginalTokenCount)
		})
	}
}

func TestWriteStdin(t *testing.T) {
	m := newManager(t, Options{})
	r, err := m.ExecCommand(t.Context(), ExecCommandArgs{Cmd: "while read x; do echo got $x; done; echo end", Stdin: true, YieldTimeMS: ptr(0)})
	require.NoError(t, err)
	require.NotNil(t, r.SessionID, r.Text())
	id := int64(*r.SessionID)
	r, err = m.WriteStdin(t.Context(), WriteStdinArgs{SessionID: id, Chars: "a\nb\n"})
	require.NoError(t, err)
	require.Equal(t, "got a\ngot b\n", r.Output)
	require.Equal(t, int(id), *r.SessionID)
}
