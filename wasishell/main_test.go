// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package wasishell_test

import (
	"context"
	"fmt"
	"os"
	"sync"
	"testing"

	"github.com/wsandbox/wsandbox/wasishell"
)

// shared is one runtime for all tests of the package: compiling is the dear part.
var shared struct {
	once sync.Once
	rt   *wasishell.Runtime
	err  error
}

func TestMain(m *testing.M) {
	status := m.Run()
	if shared.rt != nil {
		if err := shared.rt.Close(); err != nil {
			fmt.Fprintln(os.Stderr, "close the runtime:", err)
			status = 1
		}
	}
	os.Exit(status)
}

// sharedRuntime returns the runtime, or skips where no guests are embedded.
func sharedRuntime(tb testing.TB) *wasishell.Runtime {
	tb.Helper()
	if _, err := wasishell.Guests(); err != nil {
		tb.Skip(err)
	}
	shared.once.Do(func() {
		shared.rt, shared.err = wasishell.NewRuntime(context.Background(), wasishell.RuntimeConfig{})
		if shared.err == nil {
			shared.err = shared.rt.Warm(context.Background())
		}
	})
	if shared.err != nil {
		tb.Fatal(shared.err)
	}
	return shared.rt
}
