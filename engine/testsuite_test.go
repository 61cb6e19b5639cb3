// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package engine

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/engine/kernel"
	"github.com/wsandbox/wsandbox/engine/vfs"
	"github.com/wsandbox/wsandbox/engine/vfs/memfs"
)

// suiteDir names the directory with the modules of WebAssembly/wasi-testsuite:
// the tree "tests" of its branch prod/testsuite-base.
const suiteDir = "WASI_TESTSUITE"

// suiteFailures are the modules that do not pass as programs of a sandbox, with
// the reason. With the preopens that they want, they pass: see
// engine/internal/wasihost.
var suiteFailures = map[string]string{
	"c/sock_shutdown-invalid_fd": "wants descriptor 3 closed; programs always have the preopen \"/\" there",
	"rust/interesting_paths":     "wants \"..\" and absolute paths refused; the preopens may be left, the namespace is the boundary",
	"rust/symlink_create":        "wants absolute link targets refused; likewise",
}

// TestWASITestsuite runs the preview 1 modules of WebAssembly/wasi-testsuite as
// foreign programs, each with its directory as the root.
func TestWASITestsuite(t *testing.T) {
	dir := os.Getenv(suiteDir)
	if dir == "" {
		t.Skipf("%s is not set", suiteDir)
	}
	modules, err := filepath.Glob(filepath.Join(dir, "*", "testsuite", "wasm32-wasip1", "*.wasm"))
	require.NoError(t, err)
	require.NotEmpty(t, modules)
	sort.Strings(modules)
	e, err := New(t.Context(), Config{})
	require.NoError(t, err)
	defer func() { require.NoError(t, e.Close(context.Background())) }()
	for _, file := range modules {
		name, err := filepath.Rel(dir, strings.TrimSuffix(file, ".wasm"))
		require.NoError(t, err)
		name = strings.ReplaceAll(filepath.ToSlash(name), "/testsuite/wasm32-wasip1", "")
		t.Run(name, func(t *testing.T) {
			problem := runSuiteModule(t, e, file)
			if reason, known := suiteFailures[name]; known {
				require.NotEmpty(t, problem, "passes, though listed as failing: %s", reason)
				t.Skip(reason)
			}
			require.Empty(t, problem)
		})
	}
}

func runSuiteModule(t *testing.T, e *Engine, file string) (problem string) {
	var spec struct {
		Args     []string          `json:"args"`
		Env      map[string]string `json:"env"`
		Root     *string           `json:"root"`
		ExitCode int               `json:"exit_code"`
		Stdout   *string           `json:"stdout"`
	}
	if b, err := os.ReadFile(strings.TrimSuffix(file, ".wasm") + ".json"); err == nil {
		require.NoError(t, json.Unmarshal(b, &spec))
	} else {
		require.ErrorIs(t, err, fs.ErrNotExist)
	}
	opt := memfs.Options{RootMode: 0o777, UID: 1000, GID: 1000}
	root, programs := memfs.New(opt), memfs.New(opt)
	code, err := os.ReadFile(file)
	require.NoError(t, err)
	require.NoError(t, writeInto(programs, "test.wasm", 0o755, code))
	if spec.Root != nil {
		from := filepath.Join(filepath.Dir(file), *spec.Root)
		require.NoError(t, filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
			if err != nil || path == from {
				return err
			}
			rel, err := filepath.Rel(from, path)
			if err != nil {
				return err
			}
			if d.IsDir() {
				return root.Mkdir(filepath.ToSlash(rel), 0o755)
			}
			b, err := os.ReadFile(path)
			if err != nil {
				return err
			}
			return writeInto(root, filepath.ToSlash(rel), 0o644, b)
		}))
	}
	ns, err := vfs.NewNamespace(vfs.Mount{Path: "/", FS: root}, vfs.Mount{Path: "/programs", FS: programs})
	require.NoError(t, err)
	k, err := kernel.New(kernel.Config{Runner: e, Namespace: ns})
	require.NoError(t, err)
	defer func() { require.NoError(t, k.Close()) }()
	env := []string{}
	for k, v := range spec.Env {
		env = append(env, k+"="+v)
	}
	out, errOut := kernel.NewCollector(1<<20), kernel.NewCollector(1<<20)
	files := []*kernel.OpenFile{kernel.NewNullFile(), out.File(), errOut.File()}
	p, err := k.Start(&abi.SpawnSpec{
		Path: "/programs/test.wasm", Args: append([]string{"test.wasm"}, spec.Args...), Env: env, Dir: "/", Umask: 0o022,
	}, files, kernel.StartOptions{})
	require.NoError(t, err)
	for _, f := range files {
		require.NoError(t, f.Close())
	}
	select {
	case <-p.Done():
	case <-time.After(testTimeout):
		return "does not end"
	}
	switch st := p.Result().Status; {
	case st != abi.ExitedWith(spec.ExitCode):
		return fmt.Sprintf("status %#x: %s", uint32(st), errOut.Bytes())
	case spec.Stdout != nil && *spec.Stdout != string(out.Bytes()):
		return "stdout " + string(out.Bytes())
	}
	return ""
}

func writeInto(fsys *memfs.FS, name string, perm abi.Mode, content []byte) error {
	f, err := fsys.Open(name, abi.OWronly|abi.OCreat, perm)
	if err != nil {
		return err
	}
	if _, err = f.(vfs.RegularFile).WriteAt(content, 0); err != nil {
		return err
	}
	return f.Close()
}
