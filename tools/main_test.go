// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package tools

import (
	"context"
	"fmt"
	"os"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/wsandbox/wsandbox/wasishell"
)

// limit is how long a test waits for what must happen.
const limit = 2 * time.Minute

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

// newSandbox returns a sandbox with the shared runtime.
func newSandbox(tb testing.TB, cfg wasishell.Config) *wasishell.Sandbox {
	tb.Helper()
	cfg.Runtime = sharedRuntime(tb)
	sb, err := wasishell.New(tb.Context(), cfg)
	require.NoError(tb, err)
	tb.Cleanup(func() {
		if err := sb.Close(); err != nil {
			tb.Error(err)
		}
	})
	return sb
}

// newManager returns a manager of a new sandbox.
func newManager(tb testing.TB, opt Options) *Manager {
	tb.Helper()
	m, err := New(newSandbox(tb, wasishell.Config{}), opt)
	require.NoError(tb, err)
	tb.Cleanup(func() { require.NoError(tb, m.Close()) })
	return m
}

// waitFor waits until a condition holds. It looks from the test's own goroutine.
func waitFor(tb testing.TB, what string, cond func() bool) {
	tb.Helper()
	tick := time.NewTicker(time.Millisecond)
	defer tick.Stop()
	for deadline := time.Now().Add(limit); !cond(); <-tick.C {
		if time.Now().After(deadline) {
			tb.Fatal("waited in vain for " + what)
		}
	}
}

// ptr returns a pointer to a number, as arguments have them.
func ptr(n int64) *int64 { return &n }
