// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package wsandbox_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestSecurityNamesTests: every test that SECURITY.md names is there.
func TestSecurityNamesTests(t *testing.T) {
	text, err := os.ReadFile("SECURITY.md")
	if err != nil {
		t.Fatal(err)
	}
	var tests strings.Builder
	err = filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		b, err := os.ReadFile(path)
		tests.Write(b)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	names := regexp.MustCompile("`((?:Test|Fuzz)[A-Za-z0-9]+)(…?)`").FindAllStringSubmatch(string(text), -1)
	if len(names) < 20 {
		t.Errorf("SECURITY.md names %d tests", len(names))
	}
	for _, n := range names {
		name := "\nfunc " + n[1]
		if n[2] == "" && n[1] != "TestAttack" && n[1] != "TestEscape" { // else it begins so
			name += "("
		}
		if !strings.Contains(tests.String(), name) {
			t.Errorf("SECURITY.md names %s%s, which is no test", n[1], n[2])
		}
	}
}
