// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package wasihost

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/engine/kernel"
)

// buildGuest builds a package as a reactor and returns the module.
func buildGuest(t testing.TB, dir, pkg, mode string) []byte {
	t.Helper()
	if _, err := exec.LookPath("go"); err != nil {
		t.Skip("no go command to build the guest with")
	}
	file := filepath.Join(t.TempDir(), "guest.wasm")
	cmd := exec.Command("go", "build", "-trimpath", "-buildvcs=false", "-ldflags=-s -w", "-buildmode="+mode, "-o", file, pkg)
	cmd.Dir = filepath.FromSlash(dir)
	cmd.Env = append(os.Environ(), "GOOS=wasip1", "GOARCH=wasm", "GOFLAGS=", "GOWORK=off")
	out, err := cmd.CombinedOutput()
	require.NoError(t, err, "%s", out)
	b, err := os.ReadFile(file)
	require.NoError(t, err)
	return b
}

// TestWsys runs the program that checks every function of package wsys.
func TestWsys(t *testing.T) {
	trace := &lines{}
	w := newWorld(t, worldOptions{kernel: kernel.Config{Hostname: "probehost"}, host: Config{Trace: trace}})
	w.mkdir("work")
	w.writeFile("probe", 0o755, buildGuest(t, "../../../guests/src", "./internal/wsysprobe", "c-shared"))
	out := kernel.NewCollector(1 << 20)
	null, file := kernel.NewNullFile(), out.File()
	p := w.start(&abi.SpawnSpec{
		Path: "/probe", Args: []string{"probe", "all", "two words", ""},
		Env: []string{"A=b", "EMPTY="}, Dir: "/work",
	}, null, file, file)
	require.NoError(t, null.Close())
	require.NoError(t, file.Close())
	st := w.wait(p)
	if st != abi.ExitedWith(0) {
		tail := trace.String()
		t.Logf("trace ends with:\n%s", tail[max(0, len(tail)-4000):])
	}
	require.Regexp(t, `^all \d{4,} checks passed\n$`, string(out.Bytes()))
	require.Equal(t, abi.ExitedWith(0), st)
	// Every function of the extension was called.
	for _, f := range extension() {
		require.Contains(t, trace.String(), " "+f.name+"(")
	}
}
