// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package hostexec

import (
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// patience bounds every wait for something that must happen.
const patience = 60 * time.Second

// buffer is output that can be looked at while it grows.
type buffer struct {
	mu   sync.Mutex
	data bytes.Buffer
	grew chan struct{}
}

func newBuffer() *buffer { return &buffer{grew: make(chan struct{}, 1)} }

func (b *buffer) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	select {
	case b.grew <- struct{}{}:
	default:
	}
	return b.data.Write(p)
}

func (b *buffer) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.data.String()
}

// until waits for text in the output and returns all of it.
func (b *buffer) until(t *testing.T, text string) string {
	t.Helper()
	limit := time.After(patience)
	for {
		if s := b.String(); strings.Contains(s, text) {
			return s
		}
		select {
		case <-b.grew:
		case <-limit:
			require.FailNow(t, "no "+text, b.String())
		}
	}
}

func tempDir(t testing.TB) string {
	dir, err := filepath.EvalSymlinks(t.TempDir())
	require.NoError(t, err)
	return dir
}

// wait waits for the end of a command, within patience.
func wait(t testing.TB, p *Process) (Status, error) {
	t.Helper()
	select {
	case <-p.Done():
	case <-time.After(patience):
		_ = p.Kill()
		require.FailNow(t, "the command does not end")
	}
	return p.Wait()
}

func run(t testing.TB, c Cmd) (string, Status, error) {
	t.Helper()
	out := newBuffer()
	c.Stdout, c.Stderr = out, out
	if c.Dir == "" {
		c.Dir = tempDir(t)
	}
	p, err := Start(context.Background(), c)
	require.NoError(t, err)
	status, err := wait(t, p)
	return out.String(), status, err
}

func self(t testing.TB) string {
	file, err := os.Executable()
	require.NoError(t, err)
	file, err = filepath.EvalSymlinks(file)
	require.NoError(t, err)
	return file
}
