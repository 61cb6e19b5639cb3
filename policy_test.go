// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package wsandbox_test

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

const module = "github.com/wsandbox/wsandbox"

// importRule says what a package may import. Own packages are named relative to
// the module; a trailing "/..." covers those below.
type importRule struct {
	own    []string // own packages it may import directly
	noStd  []string // standard or third-party packages it must not import, "x/..." for all below
	unsafe bool     // may use package unsafe (in *_unsafe*.go files)
}

var pure = []string{"os", "os/...", "net", "net/...", "syscall", "golang.org/x/sys/...", "github.com/tetratelabs/wazero/...", "github.com/tetratelabs/wazero"}

// importRules is the package map: arrows point down only.
var importRules = map[string]importRule{
	"engine/abi":               {noStd: append([]string{"time"}, pure...)},
	"engine/accel":             {own: []string{"engine/abi"}, noStd: pure},
	"engine/vfs":               {own: []string{"engine/abi"}, noStd: pure},
	"engine/vfs/memfs":         {own: []string{"engine/abi", "engine/vfs"}, noStd: pure},
	"engine/vfs/devfs":         {own: []string{"engine/abi", "engine/vfs"}, noStd: pure},
	"engine/vfs/binfs":         {own: []string{"engine/abi", "engine/vfs"}, noStd: pure},
	"engine/vfs/vfstest":       {own: []string{"engine/abi", "engine/vfs"}},
	"engine/kernel":            {own: []string{"engine/abi", "engine/vfs", "engine/kernel/...", "ptyemu"}, noStd: pure},
	"engine/kernel/...":        {own: []string{"engine/abi", "engine/vfs", "engine/kernel/..."}, noStd: pure},
	"engine/internal/wasmbin":  {own: []string{"engine/abi"}, noStd: []string{"os", "os/...", "net", "net/...", "syscall"}},
	"engine/internal/image":    {own: []string{"engine/abi", "engine/vfs", "engine/kernel", "engine/internal/..."}, noStd: []string{"os/exec", "net", "net/..."}, unsafe: true},
	"engine/internal/wasihost": {own: []string{"engine/abi", "engine/accel", "engine/vfs", "engine/kernel", "ptyemu"}, noStd: []string{"os", "os/...", "net", "net/...", "syscall"}},
	"engine":                   {own: []string{"engine/abi", "engine/vfs", "engine/kernel", "engine/internal/..."}, noStd: []string{"os/exec", "net", "net/..."}},
	"ptyemu":                   {noStd: pure},
	"engine/hostexec":          {noStd: []string{"net", "net/...", "log", "log/...", "flag", "github.com/tetratelabs/wazero/..."}, unsafe: true},
	"hostfs":                   {own: []string{"engine/abi", "engine/vfs"}, noStd: []string{"os/exec", "net", "net/...", "github.com/tetratelabs/wazero/..."}, unsafe: true},
	"guests":                   {noStd: []string{"os", "os/...", "net", "net/...", "syscall"}},
	"guests/internal/mkguests": {own: []string{"guests"}},
	"wasishell":                {own: []string{"engine", "engine/abi", "engine/vfs", "engine/vfs/...", "engine/kernel", "hostfs", "guests", "ptyemu"}, noStd: []string{"os/exec", "flag", "log", "log/...", "net", "net/...", "github.com/tetratelabs/wazero/..."}},
	"tools":                    {own: []string{"engine/abi", "wasishell", "tools/screen", "tools/eventlog"}, noStd: []string{"os", "os/...", "flag", "log", "log/...", "net", "net/...", "github.com/tetratelabs/wazero/..."}},
	"tools/screen":             {noStd: append([]string{"os/exec", "flag", "log", "log/..."}, pure...)},
	"tools/mcpserver":          {own: []string{"tools", "wasishell"}, noStd: []string{"os", "os/...", "flag", "log", "github.com/tetratelabs/wazero/..."}},
	"tools/eventlog":           {noStd: []string{"os/exec", "flag", "log", "log/...", "net", "net/...", "syscall", "github.com/tetratelabs/wazero/..."}},
	"cmd/wsandbox":             {own: []string{"wasishell", "tools", "tools/screen", "tools/eventlog", "tools/mcpserver"}, noStd: []string{"os/exec", "github.com/tetratelabs/wazero/..."}},
	"internal/bench":           {own: []string{"wasishell", "engine", "engine/...", "guests", "hostfs"}},
}

func matches(pattern, path string) bool {
	if base, ok := strings.CutSuffix(pattern, "/..."); ok {
		return strings.HasPrefix(path, base+"/")
	}
	return pattern == path
}

func matchesAny(patterns []string, path string) bool {
	return slices.ContainsFunc(patterns, func(p string) bool { return matches(p, path) })
}

type source struct {
	path, dir string
	file      *ast.File
	text      []byte
}

// sources parses every Go file of the tree; guests tells whether those of the
// guests' module are included.
func sources(t *testing.T, withGuests bool) []source {
	t.Helper()
	var all []source
	fset := token.NewFileSet()
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		path = filepath.ToSlash(path)
		if d.IsDir() {
			if name := d.Name(); name == "testdata" || (name != "." && strings.HasPrefix(name, ".")) || (!withGuests && path == "guests/src") {
				return filepath.SkipDir
			}
			return nil
		}
		if !strings.HasSuffix(path, ".go") {
			return nil
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		f, err := parser.ParseFile(fset, path, text, parser.ParseComments)
		if err != nil {
			return err
		}
		all = append(all, source{path, filepath.ToSlash(filepath.Dir(path)), f, text})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(all) < 20 {
		t.Fatalf("only %d Go files found: not in the root of the tree?", len(all))
	}
	return all
}

func ruleOf(dir string) (importRule, bool) {
	if r, ok := importRules[dir]; ok {
		return r, true
	}
	for p, r := range importRules {
		if strings.HasSuffix(p, "/...") && matches(p, dir) {
			return r, true
		}
	}
	return importRule{}, false
}

func TestImports(t *testing.T) {
	used := map[string]bool{}
	for _, s := range sources(t, false) {
		if strings.HasSuffix(s.path, "_test.go") || s.dir == "." {
			continue
		}
		used[s.dir] = true
		rule, ok := ruleOf(s.dir)
		if !ok {
			t.Errorf("%s: package %s has no rule in policy_test.go", s.path, s.dir)
			continue
		}
		for _, spec := range s.file.Imports {
			imp, _ := strconv.Unquote(spec.Path.Value)
			if own, ok := strings.CutPrefix(imp, module+"/"); ok {
				if !matchesAny(rule.own, own) {
					t.Errorf("%s imports %s, which the package map does not allow", s.path, own)
				}
				continue
			}
			if matchesAny(rule.noStd, imp) {
				t.Errorf("%s imports %s, which the package map forbids", s.path, imp)
			}
			if imp == "unsafe" && (!rule.unsafe || !strings.Contains(filepath.Base(s.path), "_unsafe")) {
				t.Errorf("%s uses unsafe outside an *_unsafe*.go file of a package that may", s.path)
			}
			if strings.HasPrefix(imp, "github.com/tetratelabs/wazero") && s.dir != "engine" && !strings.HasPrefix(s.dir, "engine/internal/") {
				t.Errorf("%s imports wazero", s.path)
			}
		}
	}
	for dir := range importRules {
		if !strings.HasSuffix(dir, "/...") && !used[dir] && dir != "internal/bench" {
			t.Errorf("rule for %s, which has no Go file", dir)
		}
	}
}

func TestUnsafeFiles(t *testing.T) {
	for _, s := range sources(t, true) {
		for _, spec := range s.file.Imports {
			if spec.Path.Value == `"unsafe"` && !strings.Contains(filepath.Base(s.path), "_unsafe") {
				t.Errorf("%s imports unsafe: the file name must contain _unsafe", s.path)
			}
		}
	}
}

func TestPackageDocs(t *testing.T) {
	docs := map[string][]string{}
	for _, s := range sources(t, true) {
		if strings.HasSuffix(s.path, "_test.go") || s.dir == "." {
			continue
		}
		if _, ok := docs[s.dir]; !ok {
			docs[s.dir] = nil
		}
		if s.file.Doc == nil {
			continue
		}
		docs[s.dir] = append(docs[s.dir], s.path)
		want := "Package " + s.file.Name.Name + " "
		if s.file.Name.Name == "main" {
			want = "Command "
		}
		if !strings.HasPrefix(s.file.Doc.Text(), want) {
			t.Errorf("%s: package comment does not begin with %q", s.path, want)
		}
	}
	for dir, files := range docs {
		if len(files) != 1 {
			t.Errorf("package %s has %d package comments, want 1: %v", dir, len(files), files)
		}
	}
}

func TestLicenceHeaders(t *testing.T) {
	const header = "// SPDX-FileCopyrightText: 2026 The wsandbox Authors\n// SPDX-License-Identifier: Apache-2.0\n"
	for _, s := range sources(t, true) {
		text := s.text
		if i := bytes.Index(text, []byte("// SPDX-")); i > 0 && i < 200 { // behind a "generated" or build line
			text = text[i:]
		}
		if !bytes.HasPrefix(text, []byte(header)) {
			t.Errorf("%s: SPDX header is missing", s.path)
		}
	}
}

func TestFileNames(t *testing.T) {
	bad := regexp.MustCompile(`^(util|utils|common|helper|helpers|types|misc|handlers)(_test)?\.go$`)
	for _, s := range sources(t, false) {
		if bad.MatchString(filepath.Base(s.path)) {
			t.Errorf("%s: a file is named after its noun", s.path)
		}
	}
}

func TestNoSleepInTests(t *testing.T) {
	for _, s := range sources(t, true) {
		if !strings.HasSuffix(s.path, "_test.go") {
			continue
		}
		ast.Inspect(s.file, func(n ast.Node) bool {
			if c, ok := n.(*ast.CallExpr); ok && fmt.Sprint(exprName(c.Fun)) == "time.Sleep" {
				t.Errorf("%s: time.Sleep in a test: wait for the condition", s.path)
			}
			return true
		})
	}
}

func exprName(e ast.Expr) string {
	if s, ok := e.(*ast.SelectorExpr); ok {
		if x, ok := s.X.(*ast.Ident); ok {
			return x.Name + "." + s.Sel.Name
		}
	}
	return ""
}

// TestGuestsAvoidOS holds guest programs to package wsys: package os keeps the
// state of the process that made the snapshot.
func TestGuestsAvoidOS(t *testing.T) {
	for _, s := range sources(t, true) {
		if !strings.HasPrefix(s.dir, "guests/src/") || strings.HasSuffix(s.path, "_test.go") {
			continue
		}
		if strings.Contains(s.path, "_linux") || strings.Contains(s.path, "_native") || s.file.Name.Name == "main" && bytes.Contains(s.text, []byte("//go:build linux")) {
			continue
		}
		for _, spec := range s.file.Imports {
			imp, _ := strconv.Unquote(spec.Path.Value)
			if matchesAny([]string{"os", "os/...", "net", "net/...", "syscall", "fmt", "log", "reflect"}, imp) {
				t.Errorf("%s imports %s", s.path, imp)
			}
		}
	}
}
