// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"errors"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "write the results of the machine's own programs into testdata/gnu")

// TestScripts runs the commands of testdata/gnu through sh, each in an empty
// directory, and compares with what GNU coreutils 9.1 and findutils 4.9 print
// in the C locale: -update runs those. A case is
//
//	$ command
//	what it prints to standard output and standard error
//	= status
//
// Lines "> " continue a command. A line "# differs: reason" before a case keeps
// its result from -update; "# root" says that it needs the user root, as in the
// containers of CI.
func TestScripts(t *testing.T) {
	files, err := filepath.Glob("testdata/gnu/*.txt")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	if *update {
		scripts(t, files, "/usr/bin:/bin")
		return
	}
	// The host's accelerators must not change anything: with as little data as
	// the cases have they are used for all of it, or for nothing.
	for name, worth := range map[string]string{"accelerated": "0", "plain": "1000000000000"} {
		path := binary(t, worth)
		t.Run(name, func(t *testing.T) { scripts(t, files, path) })
	}
}

// built are the directories that binary has made.
var built = map[string]string{}

// binary returns a directory with the commands, built to use the host's
// accelerators from the given number of bytes on, and what scripts use besides.
func binary(t *testing.T, worth string) string {
	if path, ok := built[worth]; ok {
		return path
	}
	path, err := os.MkdirTemp("", "coreutils")
	require.NoError(t, err)
	built[worth] = path
	out, err := exec.Command("go", "build", "-ldflags", "-X github.com/wsandbox/wsandbox/guests/src/wsys.worth="+worth, "-o", path+"/coreutils", ".").CombinedOutput()
	require.NoError(t, err, "%s", out)
	for _, table := range tables {
		for _, a := range table {
			require.NoError(t, os.Symlink("coreutils", filepath.Join(path, a.name)))
		}
	}
	for _, name := range []string{"sh", "sed", "od", "printf"} {
		if lookup(name) == nil {
			native, err := exec.LookPath(name)
			require.NoError(t, err)
			require.NoError(t, os.Symlink(native, filepath.Join(path, name)))
		}
	}
	return path
}

// TestMain removes what binary has made.
func TestMain(m *testing.M) {
	status := m.Run()
	for _, path := range built {
		os.RemoveAll(path)
	}
	os.Exit(status)
}

// scripts runs the cases of files with the programs that are in path.
func scripts(t *testing.T, files []string, path string) {
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txt"), func(t *testing.T) {
			b, err := os.ReadFile(file)
			require.NoError(t, err)
			var out strings.Builder
			differs, root := false, false
			cases := 0
			for lines := strings.SplitAfter(string(b), "\n"); len(lines) > 0; {
				l := lines[0]
				lines = lines[1:]
				if !strings.HasPrefix(l, "$ ") {
					differs = strings.HasPrefix(l, "# differs:") || differs
					root = strings.HasPrefix(l, "# root") || root
					out.WriteString(l)
					continue
				}
				cmd := strings.TrimPrefix(l, "$ ")
				for len(lines) > 0 && strings.HasPrefix(lines[0], "> ") {
					cmd += strings.TrimPrefix(lines[0], "> ")
					l += lines[0]
					lines = lines[1:]
				}
				want := ""
				for len(lines) > 0 && !strings.HasPrefix(lines[0], "= ") && !strings.HasPrefix(lines[0], "$ ") {
					want += lines[0]
					lines = lines[1:]
				}
				if len(lines) > 0 && strings.HasPrefix(lines[0], "= ") {
					want += lines[0]
					lines = lines[1:]
				}
				got := want
				if (!*update || !differs) && (!root || os.Getuid() == 0) {
					got = script(t, path, cmd)
				}
				cases++
				if !*update && got != want {
					t.Errorf("%s\ngot:\n%s\nwant:\n%s", cmd, got, want)
				}
				out.WriteString(l + got)
				differs, root = false, false
			}
			require.NotZero(t, cases)
			if *update {
				require.NoError(t, os.WriteFile(file, []byte(out.String()), 0o644))
			}
		})
	}
}

// script runs cmd with sh in an empty directory and returns its output and
// status.
func script(t *testing.T, path, cmd string) string {
	var out bytes.Buffer
	c := exec.Command("/bin/sh", "-c", "umask 022; "+cmd)
	c.Dir = t.TempDir()
	c.Env = []string{"PATH=" + path, "LC_ALL=C", "TZ=UTC0", "HOME=/home/u", "COLUMNS=80"}
	c.Stdout, c.Stderr = &out, &out
	err := c.Run()
	var ee *exec.ExitError
	if err != nil && !errors.As(err, &ee) {
		t.Fatal(err)
	}
	// Directories without permissions would be left behind.
	exec.Command("/bin/chmod", "-R", "u+rwx", c.Dir).Run()
	s := out.String()
	if s != "" && !strings.HasSuffix(s, "\n") {
		s += "\\c\n"
	}
	return s + "= " + strconv.Itoa(c.ProcessState.ExitCode()) + "\n"
}
