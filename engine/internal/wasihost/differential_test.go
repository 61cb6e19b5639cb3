// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package wasihost

import (
	"bytes"
	"context"
	"errors"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/imports/wasi_snapshot_preview1"
	"github.com/tetratelabs/wazero/sys"

	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/engine/kernel"
)

// TestDifferential runs an ordinary Go program under wazero's host module, on a
// directory of the machine, and under ours.
func TestDifferential(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("wazero's host module, the reference, makes less of the files of Windows")
	}
	code := buildGuest(t, ".", "./testdata/differential", "exe")

	ctx := context.Background()
	rt := wazero.NewRuntime(ctx)
	defer rt.Close(ctx)
	wasi_snapshot_preview1.MustInstantiate(ctx, rt)
	var stdout, stderr bytes.Buffer
	_, err := rt.InstantiateWithConfig(ctx, code, wazero.NewModuleConfig().
		WithArgs("prog", "a b", "").WithEnv("PWD", "/").WithEnv("X", "1").
		WithStdin(strings.NewReader("line 1\nline 2\n")).WithStdout(&stdout).WithStderr(&stderr).
		WithFSConfig(wazero.NewFSConfig().WithDirMount(t.TempDir(), "/")).
		WithSysWalltime().WithSysNanotime().WithSysNanosleep())
	var exit *sys.ExitError
	require.True(t, errors.As(err, &exit), "%v", err)
	require.EqualValues(t, 42, exit.ExitCode())

	w := newWorld(t, worldOptions{})
	w.mkdir("root")
	w.mkdir("bin")
	w.writeFile("bin/prog", 0o755, code)
	w.prepare = func(p *kernel.Process) {
		if err := p.InstallPreopen(3, "/root", kernel.Preopen{GuestPath: "/", Beneath: true}); err != nil {
			t.Errorf("preopen: %v", err)
		}
	}
	in := kernel.NewReaderFile(strings.NewReader("line 1\nline 2\n"))
	out, errOut := kernel.NewCollector(1<<20), kernel.NewCollector(1<<20)
	files := []*kernel.OpenFile{in, out.File(), errOut.File()}
	p := w.start(&abi.SpawnSpec{Path: "/bin/prog", Args: []string{"prog", "a b", ""}, Env: []string{"PWD=/", "X=1"}}, files...)
	for _, f := range files {
		require.NoError(t, f.Close())
	}
	require.Equal(t, abi.ExitedWith(42), w.wait(p), "%s", errOut.Bytes())

	require.Equal(t, stderr.String(), string(errOut.Bytes()))
	theirs, ours := strings.Split(stdout.String(), "\n"), strings.Split(string(out.Bytes()), "\n")
	require.Greater(t, len(theirs), 80)
	require.Equal(t, theirs, ours)
}

// TestGoPolls runs a Go program that reads a pipe while its timers go on.
func TestGoPolls(t *testing.T) {
	w := newWorld(t, worldOptions{})
	w.writeFile("prog", 0o755, buildGuest(t, ".", "./testdata/differential", "exe"))
	in, write := kernel.NewInputPipe()
	out, errOut := kernel.NewCollector(1<<20), kernel.NewCollector(1<<20)
	files := []*kernel.OpenFile{in, out.File(), errOut.File()}
	p := w.start(&abi.SpawnSpec{Path: "/prog", Args: []string{"prog", "tick"}}, files...)
	for _, f := range files {
		require.NoError(t, f.Close())
	}
	for _, text := range []string{"some ", "text"} {
		before := len(errOut.Bytes())
		require.Eventually(t, func() bool { return len(errOut.Bytes()) >= before+3*len("tick\n") }, testTimeout, time.Millisecond)
		_, err := write.Write([]byte(text))
		require.NoError(t, err)
	}
	require.NoError(t, write.Close())
	require.Equal(t, abi.ExitedWith(0), w.wait(p))
	require.Equal(t, "read \"some text\"\n", string(out.Bytes()))
}
