// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package wasishell_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/wsandbox/wsandbox/wasishell"
)

// The names of the cases of the attack tests begin with what they attack:
//
//	A paths          B symbolic links   C hard links, rename   D permissions
//	F special files  G resources        L state                M the engine

// secretText is in every file outside of the workspace that an attack could
// reach. It must never come out.
const secretText = "the secret outside"

// attackLimit bounds one command of an attack. No case comes near it.
const attackLimit = 60 * time.Second

// A target is a sandbox with things to steal and to damage around it:
//
//	base/outside/{secret,dir/inner,empty/}   not visible inside
//	base/ws/{file,dir/inner}                 /workspace
//	base/ro/{file,dir/inner}                 /mnt/ro, read-only
//	base/rw/{file}                           /mnt/rw
type target struct {
	testing.TB
	base, ws string // host paths
	sb       *wasishell.Sandbox
	before   []string
}

func newTarget(tb testing.TB, change ...func(*wasishell.Config)) *target {
	tb.Helper()
	// The secret directory's name must not be a part of honest output.
	g := &target{TB: tb, base: filepath.Join(tb.TempDir(), "hostpath-base")}
	g.ws = filepath.Join(g.base, "ws")
	for _, d := range []string{"ws/dir", "outside/dir", "outside/empty", "ro/dir", "rw"} {
		require.NoError(tb, os.MkdirAll(g.host(d), 0o755))
	}
	for name, content := range map[string]string{
		"outside/secret": secretText, "outside/dir/inner": secretText,
		"ws/file": "in file\n", "ws/dir/inner": "in inner\n",
		"ro/file": "ro file\n", "ro/dir/inner": "ro inner\n", "rw/file": "rw file\n",
	} {
		require.NoError(tb, os.WriteFile(g.host(name), []byte(content), 0o644))
	}
	cfg := wasishell.Config{
		Workspace: g.ws,
		Mounts: []wasishell.Mount{
			{Host: g.host("ro"), Guest: "/mnt/ro", ReadOnly: true},
			{Host: g.host("rw"), Guest: "/mnt/rw"},
		},
		Runtime: sharedRuntime(tb),
	}
	for _, f := range change {
		f(&cfg)
	}
	sb, err := wasishell.New(tb.Context(), cfg)
	require.NoError(tb, err)
	g.sb = sb
	g.before = g.outside()
	tb.Cleanup(func() {
		if err := sb.Close(); err != nil {
			tb.Error(err)
		}
		g.intact()
	})
	return g
}

// host returns the host path of a name below the base.
func (g *target) host(name string) string { return filepath.Join(g.base, filepath.FromSlash(name)) }

// hostLink makes a symbolic link in the workspace as the host would.
func (g *target) hostLink(to, name string) {
	g.Helper()
	if err := symlink(to, filepath.Join(g.ws, filepath.FromSlash(name))); err != nil {
		g.Skipf("symlink: %v", err)
	}
}

// symlink makes a symbolic link and makes sure that it is there: Wine pretends.
func symlink(to, name string) error {
	if err := os.Symlink(to, name); err != nil {
		return err
	}
	_, err := os.Readlink(name)
	return err
}

// outside lists all that no attack may change, with content, mode and time of
// modification.
func (g *target) outside() []string {
	g.Helper()
	var out []string
	for _, top := range []string{"outside", "ro"} {
		err := filepath.WalkDir(g.host(top), func(p string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			info, err := d.Info()
			if err != nil {
				return err
			}
			content := ""
			if info.Mode().IsRegular() {
				b, err := os.ReadFile(p)
				if err != nil {
					return err
				}
				content = string(b)
			}
			out = append(out, fmt.Sprintf("%s %v %v %q", p, info.Mode(), info.ModTime().UnixNano(), content))
			return nil
		})
		require.NoError(g, err)
	}
	es, err := os.ReadDir(g.base)
	require.NoError(g, err)
	for _, e := range es {
		out = append(out, e.Name())
	}
	return out
}

// intact fails where anything outside has changed.
func (g *target) intact() {
	g.Helper()
	if after := g.outside(); strings.Join(after, "\n") != strings.Join(g.before, "\n") {
		g.Errorf("outside has changed:\nbefore %q\nafter  %q", g.before, after)
	}
}

// An outcome is how a command ended.
type outcome struct {
	out  string // both outputs in the order of writing
	code int
	res  wasishell.Result
	err  error
}

// run runs a command to its end. It fails where the command does not end by
// itself in good time, or where its output tells of the outside.
func (g *target) run(cmd *wasishell.Cmd) outcome {
	g.Helper()
	ctx, cancel := context.WithTimeoutCause(g.Context(), attackLimit, errors.New("the attack does not end"))
	defer cancel()
	var b lockedBuffer
	if cmd.Stdout == nil {
		cmd.Stdout = &b
	}
	if cmd.Stderr == nil {
		cmd.Stderr = &b
	}
	s, err := cmd.Start(ctx)
	if err != nil {
		g.discreet(err.Error())
		return outcome{out: b.String(), code: -1, err: err}
	}
	err = s.Wait()
	o := outcome{out: b.String(), res: s.Result(), err: err}
	o.code = o.res.ExitCode()
	if ctx.Err() != nil {
		g.Fatalf("%.200q does not end: %v\n%.2000s", cmd.Args, err, o.out)
	}
	if err != nil {
		g.discreet(err.Error())
	}
	g.discreet(o.out)
	return o
}

// sh runs a script.
func (g *target) sh(script string, arg ...string) outcome {
	g.Helper()
	return g.run(g.sb.Shell(script, arg...))
}

// serves checks that the sandbox is of use after an attack.
func (g *target) serves() {
	g.Helper()
	o := g.sh("x=$(echo alive | cat); echo $x > /tmp/alive; cat /tmp/alive; rm /tmp/alive")
	require.Equal(g, "alive\n", o.out, "the next command in the same sandbox")
	require.Equal(g, 0, o.code)
}

// discreet fails where text tells of the outside.
func (g *target) discreet(text string) {
	g.Helper()
	for _, s := range []string{secretText, "hostpath-base", g.base} {
		if strings.Contains(text, s) {
			g.Errorf("output tells of the outside (%q):\n%.2000s", s, text)
		}
	}
}

// lockedBuffer is a buffer that several processes write to.
type lockedBuffer struct {
	mu sync.Mutex
	b  bytes.Buffer // guarded by mu
}

func (l *lockedBuffer) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.Write(p)
}

func (l *lockedBuffer) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.b.String()
}

// attack is a script with what must come of it.
type attack struct {
	name   string
	host   func(g *target) // what the host does before
	script string
	out    string // exactly, both outputs
	code   int
	posix  bool // needs any byte in names, or permissions of directories: not on Windows
}

// runAttacks runs each in a sandbox of its own.
func runAttacks(t *testing.T, list []attack) {
	for _, a := range list {
		t.Run(a.name, func(t *testing.T) {
			if a.posix && runtime.GOOS == "windows" {
				t.Skip("Windows has fewer names and permissions")
			}
			if strings.Contains(a.script, "ln -s") {
				if err := symlink("x", filepath.Join(t.TempDir(), "link")); err != nil {
					t.Skipf("symlink: %v", err)
				}
			}
			g := newTarget(t)
			if a.host != nil {
				a.host(g)
			}
			o := g.sh(a.script)
			require.Equal(t, a.out, o.out)
			require.Equal(t, a.code, o.code, "exit status")
			g.intact()
		})
	}
}
