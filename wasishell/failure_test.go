// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package wasishell_test

import (
	"bytes"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
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

// TestConfigErrors: what is not valid is refused by New, and says why.
func TestConfigErrors(t *testing.T) {
	host := t.TempDir()
	mount := func(guest string) wasishell.Config {
		return wasishell.Config{Mounts: []wasishell.Mount{{Host: host, Guest: guest}}}
	}
	file := func(path string) wasishell.Config {
		return wasishell.Config{Files: []wasishell.File{{Path: path}}}
	}
	for _, c := range []struct {
		cfg  wasishell.Config
		want string
	}{
		{wasishell.Config{Shell: "zsh"}, `unknown shell "zsh": want bash or sh`},
		{wasishell.Config{Shell: "/bin/bash"}, `unknown shell "/bin/bash"`},
		{wasishell.Config{Mode: "rw"}, `unknown mode "rw"`},
		{wasishell.Config{Dir: "x"}, `working directory "x" is not absolute`},
		{wasishell.Config{Env: []string{"x"}}, `environment entry "x"`},
		{wasishell.Config{Mounts: []wasishell.Mount{{Guest: "/a"}}}, `no host directory`},
		{wasishell.Config{Hostname: "a\nb"}, `host name "a\nb": want at most 64 letters`},
		{wasishell.Config{Hostname: "a/b"}, `host name "a/b"`},
		{wasishell.Config{Hostname: strings.Repeat("x", 65)}, `host name "xxx`},
		{wasishell.Config{Limits: wasishell.Limits{Files: 2}}, `limit of 2 descriptors`},
		{mount("a"), `want an absolute path below /`},
		{mount(""), `want an absolute path below /`},
		{mount("/"), `want an absolute path below /`},
		{mount("/a/.."), `want an absolute path below /`},
		{mount("/a/../b"), `mount "/a/../b": the guest's side has empty elements, "." or "..": want "/b" or another`},
		{mount("/a/./b"), `want "/a/b"`},
		{mount("/a//b"), `want "/a/b"`},
		{mount("/a/b/.."), `want "/a"`},
		{mount("/a/."), `want "/a"`},
		{mount("/bin"), `/bin is a link to /usr/bin`},
		{mount("/bin/x"), `/bin is a link to /usr/bin`},
		{mount("/workspace"), `used twice`},
		{mount("/usr/bin"), `used twice`},
		{mount("/proc"), `used twice`},
		{file("f"), `want a clean absolute path`},
		{file("/a/../f"), `want a clean absolute path`},
		{file("/a/"), `want a clean absolute path`},
		{file("/bin/ls"), `file "/bin/ls": /bin is the sandbox's own; programs may be put into /usr/local/bin`},
		{file("/usr/bin/new"), `/usr/bin is the sandbox's own`},
		{file("/bin"), `/bin is the sandbox's own`},
		{file("/dev/null"), `/dev is the sandbox's own`},
		{file("/proc/self/x"), `/proc is the sandbox's own`},
		{file("/etc/passwd"), `file exists`},
		{file("/etc/passwd/x"), `not a directory`},
		{file("/tmp"), `file exists`},
	} {
		c.cfg.Runtime, c.cfg.Workspace = sharedRuntime(t), host
		_, err := wasishell.New(t.Context(), c.cfg)
		require.ErrorContains(t, err, c.want)
	}

	cfg := mount("/data/")
	cfg.Files = []wasishell.File{{Path: "/usr/local/bin/hello", Data: []byte("#!/bin/sh\necho hello \"$@\"\n"), Perm: 0o555}, {Path: "/binary", Data: []byte("x")}}
	cfg.Runtime, cfg.Workspace, cfg.Limits.FileSize, cfg.Limits.Disk, cfg.Limits.Inodes = sharedRuntime(t), host, 10, 1, 1
	sb, err := wasishell.New(t.Context(), cfg)
	require.NoError(t, err, "limits are for what runs inside")
	defer sb.Close()
	out, err := sb.Shell("hello there; cd /data; pwd; cat /binary").Output(t.Context())
	require.NoError(t, err)
	require.Equal(t, "hello there\n/data\nx", string(out))
}

// TestCopiedPrograms: a copy or a link of a command's file is that command.
func TestCopiedPrograms(t *testing.T) {
	sb, err := wasishell.New(t.Context(), wasishell.Config{Runtime: sharedRuntime(t)})
	require.NoError(t, err)
	defer sb.Close()
	out, err := sb.Shell(`cd /tmp; cp /bin/cat c; echo copied > f; ./c f; ./c < f; cat /bin/[ > t; chmod +x t; ./t a = b ]; echo $?
		cp /bin/bash b; ./b -c 'echo "$0 $1"' x 'a  b'; mkdir p; cp /bin/echo p/ls; PATH=/tmp/p:$PATH; ls one  two; cp /bin/ls p/; ls f
		[ "$(stat -c %s /bin/ls)" = "$(wc -c < /bin/ls)" ] && head -n 1 /bin/ls
		ln -s /bin/cat l; ln -s /bin/ls m; ./l f; echo x | ./l; ./m f; exec -a other cat f`).CombinedOutput(t.Context())
	require.NoError(t, err)
	require.Equal(t, "copied\ncopied\n1\nx a  b\none two\nf\n#!/usr/bin/sh\ncopied\nx\nf\ncopied\n", string(out))
}

// TestShellWithoutPath: the shell is found whatever the environment says, and no
// program of the workspace takes its place.
func TestShellWithoutPath(t *testing.T) {
	for _, path := range []string{"", "/nowhere", "/workspace", "."} {
		dir := t.TempDir()
		for _, name := range []string{"bash", "sh"} {
			require.NoError(t, os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\necho evil\n"), 0o755))
		}
		sb, err := wasishell.New(t.Context(), wasishell.Config{Runtime: sharedRuntime(t), Workspace: dir, Env: []string{"PATH=" + path}})
		require.NoError(t, err)
		out, err := sb.Shell(`echo "$0 $PATH"`).Output(t.Context())
		require.NoError(t, err)
		require.Equal(t, "bash "+path+"\n", string(out))

		cmd := sb.Command("any", "-c", "echo $0")
		cmd.Path = "/bin/sh"
		out, err = cmd.Output(t.Context())
		require.NoError(t, err)
		require.Equal(t, "any\n", string(out))
		cmd = sb.Command("sh")
		cmd.Path = "nothing"
		require.ErrorIs(t, cmd.Run(t.Context()), wasishell.ErrNotFound)
		require.NoError(t, sb.Close())
	}
}
