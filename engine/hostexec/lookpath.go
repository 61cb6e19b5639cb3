// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package hostexec

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// ErrNotExecutable is a file that is there but cannot be run. It matches
// fs.ErrPermission.
var ErrNotExecutable = fmt.Errorf("hostexec: not executable: %w", fs.ErrPermission)

// ErrForbiddenPath is a program in a directory from which none is run. It
// matches fs.ErrPermission.
var ErrForbiddenPath = fmt.Errorf("hostexec: program lies in a directory from which none is run: %w", fs.ErrPermission)

// LookPath finds the program that name stands for and returns its file: absolute
// and with every symbolic link resolved.
//
// A name without a separator is searched in path, a list of directories as PATH
// has it. Entries that are empty or not absolute are passed over, so the current
// directory is never meant; so are entries in one of the forbidden directories
// and programs that a link leads into one. An absolute name is taken as it is,
// and one in a forbidden directory gives ErrForbiddenPath. Any other name has no
// program. forbidden names absolute directories, such as a workspace; one that
// is not there forbids nothing.
//
// On Windows a name without extension is tried with .exe and .com; batch files
// give ErrBatchFile. Errors otherwise match fs.ErrNotExist where nothing is
// found, and ErrNotExecutable where only files that cannot be run are.
func LookPath(name, path string, forbidden ...string) (string, error) {
	var shut []os.FileInfo
	for _, dir := range forbidden {
		if !filepath.IsAbs(dir) {
			return "", invalid("forbidden directory %q is not absolute", dir)
		}
		info, err := os.Stat(dir)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return "", fmt.Errorf("hostexec: forbidden directory: %w", err)
		}
		shut = append(shut, info)
	}
	if strings.IndexByte(name, 0) >= 0 || name == "" {
		return "", invalid("program name %q", name)
	}
	if filepath.IsAbs(name) {
		file, err := program(name, shut)
		if err != nil {
			return "", fmt.Errorf("hostexec: %s: %w", name, err)
		}
		return file, nil
	}
	found := fmt.Errorf("hostexec: %s: %w", name, fs.ErrNotExist)
	if !plainName(name) {
		return "", found
	}
	for _, dir := range filepath.SplitList(path) {
		if !filepath.IsAbs(dir) || within(dir, shut) {
			continue
		}
		file, err := program(filepath.Join(dir, name), shut)
		switch {
		case err == nil:
			return file, nil
		case errors.Is(err, ErrBatchFile), errors.Is(err, ErrNotExecutable):
			if errors.Is(found, fs.ErrNotExist) {
				found = fmt.Errorf("hostexec: %s: %w", name, err)
			}
		}
	}
	return "", found
}

// program resolves one candidate.
func program(file string, shut []os.FileInfo) (string, error) {
	last := error(fs.ErrNotExist)
	for _, candidate := range candidates(file) {
		real, err := filepath.EvalSymlinks(candidate)
		if err != nil {
			continue
		}
		info, err := os.Stat(real)
		switch {
		case err != nil:
			continue
		case within(filepath.Dir(candidate), shut) || within(filepath.Dir(real), shut):
			last = ErrForbiddenPath
		case batchRefused(real):
			last = ErrBatchFile
		case !info.Mode().IsRegular() || !mayExecute(real, info):
			last = ErrNotExecutable
		default:
			return real, nil
		}
	}
	return "", last
}

// within tells whether dir is one of the directories or below one, by the
// identity of the files: no spelling, case or link of a name makes a difference.
// A directory that cannot be looked at counts as one.
func within(dir string, shut []os.FileInfo) bool {
	if len(shut) == 0 {
		return false
	}
	real, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return true
	}
	for {
		info, err := os.Stat(real)
		if err != nil {
			return true
		}
		for _, s := range shut {
			if os.SameFile(info, s) {
				return true
			}
		}
		up := filepath.Dir(real)
		if up == real {
			return false
		}
		real = up
	}
}
