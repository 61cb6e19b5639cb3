// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
)

// makeData fills dir with a text of 10 MB, a tree of 10,000 files and the
// scripts' working space. It is the same in every run.
func makeData(dir string) error {
	rng := rand.New(rand.NewPCG(1, 2))
	words := strings.Fields("the quick brown fox jumps over a lazy dog error warning info request session kernel process pipe signal Foo bar123 alpha beta gamma delta")
	var text strings.Builder
	for line := 0; text.Len() < 10_000_000; line++ {
		fmt.Fprintf(&text, "%07d", rng.IntN(10_000_000))
		for range 4 + rng.IntN(10) {
			text.WriteByte(' ')
			text.WriteString(words[rng.IntN(len(words))])
		}
		text.WriteByte('\n')
	}
	if err := os.WriteFile(filepath.Join(dir, "big.txt"), []byte(text.String()), 0o644); err != nil {
		return err
	}
	body := text.String()
	for i := range 100 {
		sub := filepath.Join(dir, "tree", fmt.Sprintf("d%02d", i%10), fmt.Sprintf("e%02d", i))
		if err := os.MkdirAll(sub, 0o755); err != nil {
			return err
		}
		for j := range 100 {
			at := rng.IntN(len(body) - 2000)
			name := filepath.Join(sub, fmt.Sprintf("f%03d.%s", j, []string{"go", "txt", "md"}[j%3]))
			if err := os.WriteFile(name, []byte(body[at:at+200+rng.IntN(1500)]), 0o644); err != nil {
				return err
			}
		}
	}
	return nil
}
