// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package wasmbin

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	"github.com/tetratelabs/wazero"
)

// FuzzRewrite checks that nothing makes Rewrite panic, that its errors are
// *Error, and that what wazero compiles before it compiles after.
func FuzzRewrite(f *testing.F) {
	names, err := filepath.Glob("testdata/*.wasm")
	require.NoError(f, err)
	require.NotEmpty(f, names)
	for _, name := range names {
		bin, err := os.ReadFile(name)
		require.NoError(f, err)
		f.Add(bin, false)
		f.Add(bin, true)
	}
	f.Add(exceptions(), false)
	f.Add(references(), true)
	f.Add(mod(), true)
	ctx := context.Background()
	r := wazero.NewRuntimeWithConfig(ctx, wazero.NewRuntimeConfigCompiler().WithCoreFeatures(features).WithMemoryLimitPages(256))
	f.Cleanup(func() { _ = r.Close(ctx) })
	compile := func(bin []byte) (err error) {
		defer func() {
			if p := recover(); p != nil {
				err = errors.New("panic")
			}
		}()
		m, err := r.CompileModule(ctx, bin)
		if err == nil {
			err = m.Close(ctx)
		}
		return err
	}
	f.Fuzz(func(t *testing.T, bin []byte, snapshot bool) {
		original := string(bin)
		out, info, err := Rewrite(bin, Options{Snapshot: snapshot})
		require.Equal(t, original, string(bin), "the input is changed")
		if err != nil {
			require.IsType(t, &Error{}, err)
			require.Nil(t, out)
			return
		}
		require.NotNil(t, info)
		// Only now, since wazero allocates by counts that Rewrite refuses.
		if compile(bin) == nil {
			require.NoError(t, compile(out))
		}
	})
}
