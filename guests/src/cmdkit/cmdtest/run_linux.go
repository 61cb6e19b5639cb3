// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package cmdtest

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/wsandbox/wsandbox/guests/src/cmdkit"
	"github.com/wsandbox/wsandbox/guests/src/wsys"
)

// Env is the environment commands get in tests.
var Env = []string{"PATH=/usr/local/bin:/usr/bin:/bin", "LC_ALL=C", "TZ=UTC0", "HOME=/root"}

// Result is what a command left.
type Result struct {
	Stdout, Stderr string
	Status         int
}

// Run runs f in this process, in the current directory, with the environment
// Env and extra in front of it.
func Run(t testing.TB, f cmdkit.Func, stdin, name string, args []string, extra ...string) Result {
	t.Helper()
	dir := t.TempDir()
	open := func(name, content string) *os.File {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(content), 0o600); err != nil {
			t.Fatal(err)
		}
		file, err := os.OpenFile(path, os.O_RDWR, 0)
		if err != nil {
			t.Fatal(err)
		}
		return file
	}
	in, out, errs := open("in", stdin), open("out", ""), open("err", "")
	defer in.Close()
	defer out.Close()
	defer errs.Close()
	p := cmdkit.New(name, args, append(append([]string(nil), extra...), Env...),
		wsys.FD(in.Fd()), wsys.FD(out.Fd()), wsys.FD(errs.Fd()))
	st := p.Run(f)
	read := func(f *os.File) string {
		b, err := os.ReadFile(f.Name())
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	return Result{read(out), read(errs), st & 0xff}
}

// Native runs the machine's program of that name the same way. It reports false
// where there is none.
func Native(t testing.TB, stdin, name string, args []string, extra ...string) (Result, bool) {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		return Result{}, false
	}
	var out, errs bytes.Buffer
	c := &exec.Cmd{
		Path: path, Args: append([]string{name}, args...), Env: append(append([]string(nil), extra...), Env...),
		Stdin: strings.NewReader(stdin), Stdout: &out, Stderr: &errs,
	}
	err = c.Run()
	var ee *exec.ExitError
	if err != nil && !errors.As(err, &ee) {
		t.Fatal(err)
	}
	return Result{out.String(), errs.String(), c.ProcessState.ExitCode()}, true
}

// GNU reports whether the machine's program of that name is GNU's, so that its
// words can be compared.
func GNU(t testing.TB, name string) bool {
	r, ok := Native(t, "", name, []string{"--version"})
	return ok && strings.Contains(r.Stdout, "GNU")
}
