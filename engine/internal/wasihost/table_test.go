// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package wasihost

import (
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"sort"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wsandbox/wsandbox/engine/abi"
)

// preview1Functions are the functions of wasi_snapshot_preview1 and their
// parameters, from the witx files of the specification.
var preview1Functions = map[string]string{
	"args_get": "pp", "args_sizes_get": "pp", "environ_get": "pp", "environ_sizes_get": "pp",
	"clock_res_get": "ip", "clock_time_get": "iIp",
	"fd_advise": "iIIi", "fd_allocate": "iII", "fd_close": "i", "fd_datasync": "i",
	"fd_fdstat_get": "ip", "fd_fdstat_set_flags": "ii", "fd_fdstat_set_rights": "iII",
	"fd_filestat_get": "ip", "fd_filestat_set_size": "iI", "fd_filestat_set_times": "iIIi",
	"fd_pread": "ipiIp", "fd_prestat_get": "ip", "fd_prestat_dir_name": "ipi",
	"fd_pwrite": "ipiIp", "fd_read": "ipip", "fd_readdir": "ipiIp", "fd_renumber": "ii",
	"fd_seek": "iIip", "fd_sync": "i", "fd_tell": "ip", "fd_write": "ipip",
	"path_create_directory": "ipi", "path_filestat_get": "iipip",
	"path_filestat_set_times": "iipiIIi", "path_link": "iipiipi", "path_open": "iipiiIIip",
	"path_readlink": "ipipip", "path_remove_directory": "ipi", "path_rename": "ipiipi",
	"path_symlink": "piipi", "path_unlink_file": "ipi", "poll_oneoff": "ppip",
	"proc_exit": "i", "proc_raise": "i", "random_get": "pi", "sched_yield": "",
	"sock_accept": "iip", "sock_recv": "ipiipp", "sock_send": "ipiip", "sock_shutdown": "ii",
}

func TestPreview1Table(t *testing.T) {
	require.Len(t, preview1Functions, 46)
	got := map[string]string{}
	for _, f := range preview1() {
		require.NotNil(t, f.call, f.name)
		require.NotContains(t, got, f.name)
		got[f.name] = f.signature()
		require.Equal(t, f.name == "proc_exit", f.void, f.name)
	}
	require.Equal(t, preview1Functions, got)
}

func TestExtensionTable(t *testing.T) {
	funcs := extension()
	require.Len(t, funcs, len(abi.ExtFuncs))
	for i, want := range abi.ExtFuncs {
		f := funcs[i]
		require.NotNil(t, f.call, f.name)
		require.False(t, f.void, f.name)
		require.Equal(t, want, abi.ExtFunc{Name: f.name, Params: f.signature()})
	}
}

// TestGuestImports holds the imports of package wsys and the tables together.
func TestGuestImports(t *testing.T) {
	table := map[string]string{}
	for _, f := range preview1() {
		table[Preview1Module+" "+f.name] = f.signature()
	}
	for _, f := range extension() {
		table[abi.ExtModule+" "+f.name] = f.signature()
	}
	files, err := filepath.Glob(filepath.FromSlash("../../../guests/src/wsys/*_wasip1.go"))
	require.NoError(t, err)
	require.NotEmpty(t, files)
	imported := map[string]bool{}
	for _, file := range files {
		tree, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.ParseComments)
		require.NoError(t, err)
		for _, d := range tree.Decls {
			fn, ok := d.(*ast.FuncDecl)
			if !ok || fn.Doc == nil {
				continue
			}
			for _, c := range fn.Doc.List {
				name, ok := strings.CutPrefix(c.Text, "//go:wasmimport ")
				if !ok {
					continue
				}
				imported[name] = true
				require.Contains(t, table, name, "%s imports an unknown function", fn.Name.Name)
				require.Equal(t, table[name], wasmParams(t, fn), "%s imports %s", fn.Name.Name, name)
			}
		}
	}
	var missing []string
	for name := range table {
		if strings.HasPrefix(name, abi.ExtModule) && !imported[name] {
			missing = append(missing, name)
		}
	}
	sort.Strings(missing)
	require.Empty(t, missing, "package wsys does not import these")
}

// wasmParams returns the parameters of a Go import in the letters of
// abi.ExtFunc.
func wasmParams(t *testing.T, fn *ast.FuncDecl) string {
	var s strings.Builder
	for _, p := range fn.Type.Params.List {
		letter := ""
		switch x := p.Type.(type) {
		case *ast.Ident:
			switch x.Name {
			case "int32", "uint32":
				letter = "i"
			case "int64", "uint64":
				letter = "I"
			}
		case *ast.SelectorExpr:
			if x.Sel.Name == "Pointer" {
				letter = "p"
			}
		}
		require.NotEmpty(t, letter, "%s: parameter type", fn.Name.Name)
		s.WriteString(strings.Repeat(letter, max(1, len(p.Names))))
	}
	return s.String()
}
