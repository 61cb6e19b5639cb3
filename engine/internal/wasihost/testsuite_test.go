// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package wasihost

import (
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"sort"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/engine/kernel"
)

// suiteDir names the directory with the modules of WebAssembly/wasi-testsuite:
// the tree "tests" of its branch prod/testsuite-base.
const suiteDir = "WASI_TESTSUITE"

// knownFailures lists the modules of the suite that do not pass, with the
// reason. One that passes after all fails the test.
var knownFailures = map[string]string{}

// permissive lists the modules that are run without ERRNO_MODE_UNIX, with the
// reason.
var permissive = map[string]string{
	"rust/path_symlink_trailing_slashes": "wants ENOTDIR for a link named \"file/\" where the file exists; Linux and we say EEXIST",
}

// suiteSpec is a module's JSON file.
type suiteSpec struct {
	Args     []string          `json:"args"`
	Env      map[string]string `json:"env"`
	Root     *string           `json:"root"`
	Dirs     []string          `json:"dirs"` // of older versions of the suite
	ExitCode int               `json:"exit_code"`
	Stdout   *string           `json:"stdout"`
	Stderr   *string           `json:"stderr"`
}

// TestWASITestsuite runs the preview 1 modules of WebAssembly/wasi-testsuite.
func TestWASITestsuite(t *testing.T) {
	dir := os.Getenv(suiteDir)
	if dir == "" {
		t.Skipf("%s is not set", suiteDir)
	}
	modules, err := filepath.Glob(filepath.Join(dir, "*", "testsuite", "wasm32-wasip1", "*.wasm"))
	require.NoError(t, err)
	require.NotEmpty(t, modules)
	sort.Strings(modules)
	for _, file := range modules {
		name, err := filepath.Rel(dir, strings.TrimSuffix(file, ".wasm"))
		require.NoError(t, err)
		name = strings.ReplaceAll(filepath.ToSlash(name), "/testsuite/wasm32-wasip1", "")
		t.Run(name, func(t *testing.T) {
			problem := runSuiteModule(t, name, file)
			if reason, known := knownFailures[name]; known {
				require.NotEmpty(t, problem, "passes, though listed as failing: %s", reason)
				t.Skipf("%s: %s", reason, problem)
			}
			require.Empty(t, problem)
		})
	}
}

func runSuiteModule(t *testing.T, name, file string) (problem string) {
	var spec suiteSpec
	if b, err := os.ReadFile(strings.TrimSuffix(file, ".wasm") + ".json"); err == nil {
		require.NoError(t, json.Unmarshal(b, &spec))
	} else {
		require.ErrorIs(t, err, fs.ErrNotExist)
	}
	trace := &lines{}
	w := newWorld(t, worldOptions{host: Config{Trace: trace}})
	code, err := os.ReadFile(file)
	require.NoError(t, err)
	w.mkdir("bin")
	w.writeFile("bin/test.wasm", 0o755, code)
	var preopens []kernel.Preopen
	var roots []string
	mount := func(dir, guest string) {
		root := "root" + strconv.Itoa(len(roots))
		w.mkdir(root)
		w.copyIn(filepath.Join(filepath.Dir(file), dir), root)
		roots = append(roots, "/"+root)
		preopens = append(preopens, kernel.Preopen{GuestPath: guest, Beneath: true})
	}
	if spec.Root != nil {
		mount(*spec.Root, "/")
	}
	for _, d := range spec.Dirs {
		mount(d, d)
	}
	w.prepare = func(p *kernel.Process) {
		for i, pre := range preopens {
			if err := p.InstallPreopen(int32(3+i), roots[i], pre); err != nil {
				t.Errorf("preopen: %v", err)
			}
		}
	}
	env := []string{}
	if _, ok := permissive[name]; !ok && strings.HasPrefix(name, "rust/") {
		// Have the Rust tests accept the error numbers of Unix only.
		env = append(env, "ERRNO_MODE_UNIX=1")
	}
	for k, v := range spec.Env {
		env = append(env, k+"="+v)
	}
	out, errOut := kernel.NewCollector(1<<20), kernel.NewCollector(1<<20)
	files := []*kernel.OpenFile{kernel.NewNullFile(), out.File(), errOut.File()}
	p := w.start(&abi.SpawnSpec{Path: "/bin/test.wasm", Args: append([]string{"test.wasm"}, spec.Args...), Env: env}, files...)
	for _, f := range files {
		require.NoError(t, f.Close())
	}
	st := w.wait(p)
	switch {
	case st != abi.ExitedWith(spec.ExitCode):
		tail := trace.String()
		t.Logf("calls:\n%s", tail[max(0, len(tail)-3000):])
		return "status " + st.Signal().String() + " " + string(errOut.Bytes())
	case spec.Stdout != nil && *spec.Stdout != string(out.Bytes()):
		return "stdout " + string(out.Bytes())
	case spec.Stderr != nil && *spec.Stderr != string(errOut.Bytes()):
		return "stderr " + string(errOut.Bytes())
	}
	return ""
}

// copyIn copies a directory of the host into the file system.
func (w *world) copyIn(from, to string) {
	w.t.Helper()
	require.NoError(w.t, filepath.WalkDir(from, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(from, path)
		if err != nil || rel == "." {
			return err
		}
		name := to + "/" + filepath.ToSlash(rel)
		if d.IsDir() {
			return w.fs.Mkdir(name, 0o755)
		}
		if !d.Type().IsRegular() {
			return errors.New("neither file nor directory: " + path)
		}
		b, err := os.ReadFile(path)
		if err == nil {
			w.writeFile(name, 0o644, b)
		}
		return err
	}))
}
