// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package wasishell_test

import (
	"bytes"
	"errors"
	"io/fs"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wsandbox/wsandbox/wasishell"
)

var errWriter = errors.New("the writer failed")

type brokenWriter struct{}

func (brokenWriter) Write([]byte) (int, error) { return 0, errWriter }

func TestWriterFailureIsTheCause(t *testing.T) {
	sb, err := wasishell.New(t.Context(), wasishell.Config{Runtime: sharedRuntime(t)})
	require.NoError(t, err)
	defer sb.Close()

	cmd := sb.Shell("cat /etc/passwd")
	cmd.Stdout = brokenWriter{}
	err = cmd.Run(t.Context())
	var x *wasishell.ExitError
	require.ErrorAs(t, err, &x)
	require.ErrorIs(t, err, errWriter)
	require.Equal(t, 141, x.ExitCode())

	cmd = sb.Shell("trap '' PIPE; echo x 2>/dev/null; echo $? >&2")
	var stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = brokenWriter{}, &stderr
	err = cmd.Run(t.Context())
	require.False(t, errors.As(err, &x), "%v", err)
	require.ErrorIs(t, err, errWriter)
	require.Equal(t, "1\n", stderr.String())
}

func TestStartInDirectoryThatIsNotThere(t *testing.T) {
	sb, err := wasishell.New(t.Context(), wasishell.Config{Runtime: sharedRuntime(t)})
	require.NoError(t, err)
	defer sb.Close()
	for dir, want := range map[string]string{
		"nosuch":      `start pwd: working directory "/workspace/nosuch": no such file or directory`,
		"/etc/passwd": `start pwd: working directory "/etc/passwd": not a directory`,
	} {
		cmd := sb.Command("pwd")
		cmd.Dir = dir
		_, err = cmd.Output(t.Context())
		require.EqualError(t, err, want)
		require.NotErrorIs(t, err, wasishell.ErrNotFound)
	}
	cmd := sb.Command("pwd")
	cmd.Dir = "nosuch"
	require.ErrorIs(t, cmd.Run(t.Context()), fs.ErrNotExist)
}

func TestFilesHiddenByHostDirectories(t *testing.T) {
	for _, name := range []string{"/workspace/f", "/data/x/f", "/data"} {
		_, err := wasishell.New(t.Context(), wasishell.Config{
			Runtime: sharedRuntime(t),
			Mounts:  []wasishell.Mount{{Host: t.TempDir(), Guest: "/data"}},
			Files:   []wasishell.File{{Path: name}},
		})
		require.ErrorContains(t, err, "would hide it", name)
	}
}
