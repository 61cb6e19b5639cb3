// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package wasishell_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wsandbox/wsandbox/wasishell"
)

// Shell code that a command leaves in the background goes on with
// Cmd.Background, and ends with the sandbox.
func TestBackgroundShellCode(t *testing.T) {
	sb, err := wasishell.New(t.Context(), wasishell.Config{Runtime: sharedRuntime(t)})
	require.NoError(t, err)
	c := sb.Shell("(until [ -e /tmp/go ]; do sleep 0.01; done; echo late > /tmp/f; mv /tmp/f /tmp/late; while :; do :; done) & exit 3")
	c.Background = true
	s, err := c.Start(t.Context())
	require.NoError(t, err)
	var x *wasishell.ExitError
	require.ErrorAs(t, s.Wait(), &x)
	require.Equal(t, 3, x.ExitCode())
	out, err := sb.Shell("touch /tmp/go; until [ -e /tmp/late ]; do sleep 0.01; done; cat /tmp/late").Output(t.Context())
	require.NoError(t, err)
	require.Equal(t, "late", strings.TrimSpace(string(out)))
	require.NoError(t, sb.Close())
}
