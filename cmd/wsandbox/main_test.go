// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/wsandbox/wsandbox/wasishell"
)

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){
		"wsandbox": main,
	})
}

var updateScripts = os.Getenv("UPDATE_SCRIPTS") != ""

// TestScripts runs testdata/script: each file is a session with the command.
// UPDATE_SCRIPTS=1 rewrites the expected outputs.
func TestScripts(t *testing.T) {
	if _, err := wasishell.Guests(); err != nil {
		t.Skip(err)
	}
	cache, err := os.UserCacheDir()
	if err != nil {
		t.Fatal(err)
	}
	cache = filepath.Join(cache, "wsandbox")
	// One process compiles, so that the scripts, which run beside each
	// other, do not all do so.
	rt, err := wasishell.NewRuntime(t.Context(), wasishell.RuntimeConfig{CacheDir: cache})
	if err != nil {
		t.Fatal(err)
	}
	if err := rt.Warm(context.Background()); err != nil {
		t.Fatal(err)
	}
	if err := rt.Close(); err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir:                 "../../testdata/script",
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		UpdateScripts:       updateScripts,
		Condition: func(cond string) (bool, error) {
			if cond != "links" {
				return false, fmt.Errorf("unknown condition %q", cond)
			}
			return hasLinks(t), nil
		},
		Setup: func(e *testscript.Env) error {
			e.Setenv("XDG_CACHE_HOME", filepath.Dir(cache))
			e.Setenv("LocalAppData", filepath.Dir(cache))
			return nil
		},
	})
}

// hasLinks reports whether the host lets this process make symbolic links: it
// may need a privilege, and Wine pretends.
func hasLinks(t *testing.T) bool {
	name := filepath.Join(t.TempDir(), "link")
	if os.Symlink("target", name) != nil {
		return false
	}
	target, err := os.Readlink(name)
	return err == nil && target == "target"
}

func TestParseSize(t *testing.T) {
	for _, c := range []struct {
		in   string
		want int64
		ok   bool
	}{
		{"1", 1, true}, {"512", 512, true}, {"4K", 4096, true}, {"4k", 4096, true}, {"4KB", 4096, true}, {"4KiB", 4096, true},
		{"256M", 256 << 20, true}, {"1G", 1 << 30, true}, {"2TiB", 2 << 40, true}, {"7B", 7, true},
		{"", 0, false}, {"0", 0, false}, {"-1", 0, false}, {"K", 0, false}, {"1X", 0, false}, {"1KK", 0, false}, {"9999999999T", 0, false}, {"1.5G", 0, false},
	} {
		got, err := parseSize(c.in)
		if (err == nil) != c.ok || got != c.want {
			t.Errorf("parseSize(%q) = %d, %v; want %d, ok %v", c.in, got, err, c.want, c.ok)
		}
	}
}

func TestParseMount(t *testing.T) {
	for _, c := range []struct {
		in   string
		want wasishell.Mount
		ok   bool
	}{
		{"/a:/b", wasishell.Mount{Host: "/a", Guest: "/b", ReadOnly: true}, true},
		{"/a:/b:rw", wasishell.Mount{Host: "/a", Guest: "/b"}, true},
		{"a:/b:ro", wasishell.Mount{Host: "a", Guest: "/b", ReadOnly: true}, true},
		{`C:\dir:/b:rw`, wasishell.Mount{Host: `C:\dir`, Guest: "/b"}, true},
		{"/a:b:/c", wasishell.Mount{Host: "/a:b", Guest: "/c", ReadOnly: true}, true},
		{"/a", wasishell.Mount{}, false},
		{":/b", wasishell.Mount{}, false},
		{"/a:b", wasishell.Mount{}, false},
		{"/a:/b:overlay", wasishell.Mount{}, false},
		{"/a:/b:wr", wasishell.Mount{}, false},
		{"/a:/b:", wasishell.Mount{}, false},
		{"/a:/b:/c:x", wasishell.Mount{}, false},
	} {
		got, err := parseMount(c.in)
		if (err == nil) != c.ok || got != c.want {
			t.Errorf("parseMount(%q) = %+v, %v; want %+v, ok %v", c.in, got, err, c.want, c.ok)
		}
	}
}

func TestSeconds(t *testing.T) {
	for d, want := range map[time.Duration]string{
		0: "0", 1541654 * time.Microsecond: "1.541654", 1541653999: "1.541654", time.Nanosecond: "0", 600: "0.000001", 99999278 * time.Microsecond: "99.999278",
		100 * time.Hour: "360000",
	} {
		b, err := json.Marshal(seconds(d))
		if err != nil {
			t.Fatal(err)
		}
		if got := strings.Replace(string(b), "1e-06", "0.000001", 1); got != want {
			t.Errorf("seconds(%d) = %s; want %s", d, got, want)
		}
	}
}

func TestWantsJSON(t *testing.T) {
	for _, c := range []struct {
		args string
		want bool
	}{
		{"--json", true}, {"-json --x", true}, {"--x --json", true}, {"--x y --json=true", true}, {"--json=false", false}, {"--json=nonsense", false}, {"--json=", false},
		{"", false}, {"-- --json", false}, {"json", false}, {"---json", false}, {"- --json", false}, {"--jsonx", false},
	} {
		if got := wantsJSON(strings.Fields(c.args)); got != c.want {
			t.Errorf("wantsJSON(%q) = %v", c.args, got)
		}
	}
}
