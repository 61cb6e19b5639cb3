// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package interp

import (
	"bytes"
	"context"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// caseTimeout bounds one script.
const caseTimeout = 20 * time.Second

var update = flag.Bool("update", false, "record the results of the installed shells")

// packageDir is the directory of the package; tests of cd leave it.
var packageDir string

// TestMain lets the test binary be the shell, so that scripts run in processes
// of their own.
func TestMain(m *testing.M) {
	if os.Getenv("INTERP_TEST_SHELL") != "" {
		os.Exit(Main(os.Args))
	}
	flag.Parse()
	packageDir, _ = os.Getwd() // where it fails, so do the tests that need it
	os.Exit(m.Run())
}

// A shellCase is a script with what a real shell printed for it.
type shellCase struct{ name, script, stdout string }

// readCases reads "#### name" sections; a section may end with a line "----"
// and the recorded output, whose last line is the exit status.
func readCases(t *testing.T, file string) []shellCase {
	b, err := os.ReadFile(file)
	require.NoError(t, err)
	var cases []shellCase
	for _, s := range strings.Split("\n"+string(b), "\n#### ")[1:] {
		name, script, _ := strings.Cut(s, "\n")
		c := shellCase{name: name, script: script}
		if i := strings.Index(script, "\n----\n"); i >= 0 {
			c.script, c.stdout = script[:i], script[i+len("\n----\n"):]
		}
		c.script = strings.TrimSuffix(c.script, "\n") + "\n"
		c.stdout = strings.TrimSuffix(c.stdout, "\n")
		cases = append(cases, c)
	}
	return cases
}

// runCase runs a script with a shell called name that is the program path, and
// returns its output and status.
func runCase(t *testing.T, path, name, script string, ours bool) string {
	dir := t.TempDir()
	bin := filepath.Join(dir, "bin")
	require.NoError(t, os.Mkdir(bin, 0o755))
	// The scripts start shells by name: they must find the one under test.
	for _, n := range []string{name, "sh"} {
		if _, err := os.Lstat(filepath.Join(bin, n)); err != nil {
			require.NoError(t, os.Symlink(path, filepath.Join(bin, n)))
		}
	}
	file := filepath.Join(dir, "script")
	require.NoError(t, os.WriteFile(file, []byte(script), 0o644))
	ctx, cancel := context.WithTimeout(t.Context(), caseTimeout)
	defer cancel()
	cmd := exec.CommandContext(ctx, filepath.Join(bin, name), file)
	cmd.WaitDelay = time.Second
	cmd.Dir = dir
	cmd.Env = []string{"PATH=" + bin + ":/usr/local/bin:/usr/bin:/bin", "LC_ALL=C.UTF-8", "HOME=" + dir, "TMPDIR=" + dir, "TZ=UTC"}
	if ours {
		cmd.Env = append(cmd.Env, "INTERP_TEST_SHELL=1")
	}
	var out bytes.Buffer
	cmd.Stdout = &out
	err := cmd.Run()
	if err != nil {
		_, ok := err.(*exec.ExitError)
		require.True(t, ok, "%v", err)
		require.NoError(t, ctx.Err(), "the script hangs")
	}
	s := strings.ReplaceAll(out.String(), dir, "DIR")
	return strings.ReplaceAll(s, "\x00", "\\0") + "=" + strconv.Itoa(cmd.ProcessState.ExitCode())
}

func TestCases(t *testing.T) {
	self, err := os.Executable()
	require.NoError(t, err)
	for _, f := range []struct{ file, name, real string }{
		{"testdata/bash.cases", "bash", "bash"},
		{"testdata/sh.cases", "sh", "dash"},
	} {
		cases := readCases(t, f.file)
		real, realErr := exec.LookPath(f.real)
		if *update {
			require.NoError(t, realErr)
			var b strings.Builder
			for _, c := range cases {
				b.WriteString("#### " + c.name + "\n" + c.script + "----\n" + runCase(t, real, f.name, c.script, false) + "\n")
			}
			require.NoError(t, os.WriteFile(f.file, []byte(b.String()), 0o644))
			continue
		}
		t.Run(f.name, func(t *testing.T) {
			for _, c := range cases {
				t.Run(c.name, func(t *testing.T) {
					t.Parallel()
					require.NotEmpty(t, c.stdout, "no recorded result")
					if got := runCase(t, self, f.name, c.script, true); got != c.stdout {
						t.Errorf("%s\n got: %s\nwant: %s", c.script, got, c.stdout)
					}
					if realErr == nil {
						if got := runCase(t, real, f.name, c.script, false); got != c.stdout {
							t.Errorf("%s\n%s: %s\nrecorded: %s", c.script, f.real, got, c.stdout)
						}
					}
				})
			}
		})
	}
}
