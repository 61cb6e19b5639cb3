// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package guests

import (
	"bytes"
	"compress/gzip"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"
)

//go:embed all:prebuilt all:built
var files embed.FS

// ErrMissing is returned where no image is embedded: neither prebuilt nor built.
var ErrMissing = errors.New("guests: no guest images are embedded; run \"make guests\" in the source tree")

// maxSize bounds the size in bytes of one uncompressed module.
const maxSize = 64 << 20

// Guest is one image.
type Guest struct {
	Name    string   `json:"name"`
	Applets []string `json:"applets"` // names it can be called by, sorted
	Version string   `json:"version"` // of the Go toolchain that built it
	License string   `json:"license"` // SPDX expression of all that is linked in
	SHA256  string   `json:"sha256"`  // of the uncompressed module, in hex
	Size    int      `json:"size"`    // of the uncompressed module, in bytes
	File    string   `json:"file"`    // name below its directory; ".gz" is compressed

	dir string
}

// manifest is the content of manifest.json beside the images.
type manifest struct {
	Guests []Guest `json:"guests"`
}

// All returns the embedded guests, those of the directory built before those
// of prebuilt, and each name once. It returns [ErrMissing] where there are none.
func All() ([]Guest, error) {
	var all []Guest
	seen := map[string]bool{}
	for _, dir := range []string{"built", "prebuilt"} {
		b, err := files.ReadFile(dir + "/manifest.json")
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("guests: %w", err)
		}
		var m manifest
		if err := json.Unmarshal(b, &m); err != nil {
			return nil, fmt.Errorf("guests: %s/manifest.json: %w", dir, err)
		}
		for _, g := range m.Guests {
			if !seen[g.Name] {
				seen[g.Name] = true
				g.dir = dir
				all = append(all, g)
			}
		}
	}
	if len(all) == 0 {
		return nil, ErrMissing
	}
	return all, nil
}

// Lookup returns the guest that serves an applet.
func Lookup(applet string) (Guest, bool) {
	all, _ := All()
	for _, g := range all {
		for _, a := range g.Applets {
			if a == applet {
				return g, true
			}
		}
	}
	return Guest{}, false
}

// Wasm returns the module. It fails where the image is absent or does not have
// the digest of the manifest.
func (g Guest) Wasm() ([]byte, error) {
	b, err := files.ReadFile(g.dir + "/" + g.File)
	if err != nil {
		return nil, fmt.Errorf("guests: %s: %w", g.Name, err)
	}
	if strings.HasSuffix(g.File, ".gz") {
		z, err := gzip.NewReader(bytes.NewReader(b))
		if err != nil {
			return nil, fmt.Errorf("guests: %s: %w", g.Name, err)
		}
		if b, err = io.ReadAll(io.LimitReader(z, maxSize+1)); err != nil {
			return nil, fmt.Errorf("guests: %s: %w", g.Name, err)
		}
	}
	if len(b) > maxSize {
		return nil, fmt.Errorf("guests: %s: larger than %d bytes", g.Name, maxSize)
	}
	if sum := sha256.Sum256(b); hex.EncodeToString(sum[:]) != g.SHA256 {
		return nil, fmt.Errorf("guests: %s: digest differs from the manifest", g.Name)
	}
	return b, nil
}
