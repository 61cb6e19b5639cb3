// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"crypto/rand"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"runtime"
	"strings"
)

// maxTokenFile bounds the size in bytes of a file with a token.
const maxTokenFile = 4096

// readToken returns the token that clients must bring: that of the flags, or a
// random one, which goes into the file that they name.
func (o *serveOptions) readToken() (string, error) {
	switch {
	case o.token != "" && o.tokenFile != "":
		return "", errors.New("--token and --token-file exclude each other")
	case o.token != "":
		return o.token, nil
	case o.tokenFile == "":
		return rand.Text(), nil
	}
	token, err := readTokenFile(o.tokenFile)
	if errors.Is(err, fs.ErrNotExist) {
		token, err = makeTokenFile(o.tokenFile)
		if errors.Is(err, fs.ErrExist) { // another was faster
			token, err = readTokenFile(o.tokenFile)
		}
	}
	if err != nil {
		return "", fmt.Errorf("--token-file: %w", err)
	}
	return token, nil
}

func readTokenFile(name string) (string, error) {
	st, err := os.Stat(name)
	if err != nil {
		return "", err
	}
	if !st.Mode().IsRegular() {
		return "", fmt.Errorf("%s is not a regular file", name)
	}
	if runtime.GOOS != "windows" && st.Mode().Perm()&0o077 != 0 {
		return "", fmt.Errorf("%s can be read or changed by others: want mode 0600", name)
	}
	b, err := readBounded(name, maxTokenFile)
	if err != nil {
		return "", err
	}
	token := strings.TrimSpace(string(b))
	if token == "" {
		return "", fmt.Errorf("%s is empty", name)
	}
	return token, nil
}

func makeTokenFile(name string) (string, error) {
	f, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return "", err
	}
	token := rand.Text()
	_, err = f.WriteString(token + "\n")
	if err = errors.Join(err, f.Close()); err != nil {
		return "", errors.Join(err, os.Remove(name))
	}
	return token, nil
}
