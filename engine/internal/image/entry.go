// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package image

import (
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
	"os"
	"path/filepath"
)

// errCorrupt is returned for a cache entry whose checksums are wrong, which is
// then made anew.
var errCorrupt = errors.New("image: corrupt cache entry")

const (
	entryMagic = "WSIMAGE1"
	codeMagic  = "WSCODE01"

	// snapshotAlign suits the pages of every system.
	snapshotAlign = 64 << 10

	headSize    = 24
	maxManifest = 1 << 20
)

func checksum(b []byte) uint32 { return crc32.Checksum(b, castagnoli) }

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// extent is a part of an entry file.
type extent struct {
	Off int64  `json:"off"`
	Len int64  `json:"len"`
	Sum uint32 `json:"sum"` // CRC-32C
}

// manifest describes a cache entry. The file is a head (magic, and offset,
// length and checksum of the manifest), the stub, at a multiple of
// snapshotAlign the snapshot, and the manifest.
type manifest struct {
	Code     string   `json:"code"` // name of the machine code below the code directory
	Stub     extent   `json:"stub"`
	Snapshot extent   `json:"snapshot"` // Len 0: none
	Globals  []uint64 `json:"globals"`
	Layout   layout   `json:"layout"`
}

// writeEntry stores an entry. It replaces an older one.
func (c *Cache) writeEntry(key string, m manifest, stub, snap []byte) (err error) {
	f, err := os.CreateTemp(c.dir, "tmp-*")
	if err != nil {
		return fmt.Errorf("image: cache: %w", err)
	}
	defer func() {
		if err != nil {
			_ = f.Close()
			_ = os.Remove(f.Name())
			err = fmt.Errorf("image: cache: %w", err)
		}
	}()
	m.Stub = extent{Off: headSize, Len: int64(len(stub)), Sum: checksum(stub)}
	end := m.Stub.Off + m.Stub.Len
	if _, err = f.WriteAt(stub, m.Stub.Off); err != nil {
		return err
	}
	m.Snapshot = extent{}
	if len(snap) > 0 {
		m.Snapshot = extent{Off: (end + snapshotAlign - 1) / snapshotAlign * snapshotAlign, Len: int64(len(snap)), Sum: checksum(snap)}
		end = m.Snapshot.Off + m.Snapshot.Len
		if err = writeSparse(f, m.Snapshot.Off, snap); err != nil {
			return err
		}
	}
	text, err := json.Marshal(m)
	if err != nil {
		return err
	}
	if _, err = f.WriteAt(text, end); err != nil {
		return err
	}
	head := append([]byte(nil), entryMagic...)
	head = binary.LittleEndian.AppendUint64(head, uint64(end))
	head = binary.LittleEndian.AppendUint32(head, uint32(len(text)))
	head = binary.LittleEndian.AppendUint32(head, checksum(text))
	if _, err = f.WriteAt(head, 0); err != nil {
		return err
	}
	// No sync: what a crash of the system tears, the checksums find.
	if err = f.Close(); err != nil {
		return err
	}
	return os.Rename(f.Name(), c.entryPath(key))
}

// entry is an open cache entry.
type entry struct {
	manifest
	stub []byte
	snap *snapshot // nil: none
}

// readEntry opens an entry and checks it. It returns fs.ErrNotExist where there
// is none and errCorrupt for a damaged one.
func (c *Cache) readEntry(key string) (*entry, error) {
	path := c.entryPath(key)
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	e, err := readEntry(f)
	if err != nil {
		_ = f.Close()
		return nil, err
	}
	if i, err := f.Stat(); err == nil {
		touch(path, i.ModTime())
	}
	if e.Snapshot.Len == 0 {
		_ = f.Close()
		return e, nil
	}
	if e.snap, err = openSnapshot(f, e.Snapshot.Off, uint64(e.Snapshot.Len)); err != nil {
		return nil, err
	}
	if checksum(e.snap.bytes()) != e.Snapshot.Sum {
		e.snap.close()
		return nil, errCorrupt
	}
	return e, nil
}

func readEntry(f *os.File) (*entry, error) {
	i, err := f.Stat()
	if err != nil {
		return nil, err
	}
	read := func(off, n, most int64) ([]byte, error) {
		if off < 0 || n < 0 || n > most || off > i.Size()-n {
			return nil, errCorrupt
		}
		b := make([]byte, n)
		if _, err := f.ReadAt(b, off); err != nil {
			return nil, err
		}
		return b, nil
	}
	head, err := read(0, headSize, headSize)
	if err != nil {
		return nil, err
	}
	if string(head[:8]) != entryMagic {
		return nil, errCorrupt
	}
	le := binary.LittleEndian
	text, err := read(int64(le.Uint64(head[8:])), int64(le.Uint32(head[16:])), maxManifest)
	if err != nil {
		return nil, err
	}
	if checksum(text) != le.Uint32(head[20:]) {
		return nil, errCorrupt
	}
	e := &entry{}
	if err := json.Unmarshal(text, &e.manifest); err != nil {
		return nil, errCorrupt
	}
	if e.stub, err = read(e.Stub.Off, e.Stub.Len, i.Size()); err != nil {
		return nil, err
	}
	s := e.Snapshot
	if checksum(e.stub) != e.Stub.Sum || s.Len < 0 || s.Off < 0 || s.Len%wasmPage != 0 || s.Off%snapshotAlign != 0 || s.Off > i.Size()-s.Len {
		return nil, errCorrupt
	}
	return e, nil
}

// drop removes an entry, for being corrupt.
func (c *Cache) drop(key, code string) {
	_ = os.Remove(c.entryPath(key))
	if code != "" && filepath.IsLocal(code) {
		_ = os.Remove(filepath.Join(c.codeRoot(), code))
	}
}

// sealCode appends a checksum to a file of machine code. The runtime's own
// covers only a part of it, and it ignores what follows.
func sealCode(path string) error {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return err
	}
	sum, n, err := sumFile(f, 1<<62)
	if err == nil {
		t := append([]byte(nil), codeMagic...)
		t = binary.LittleEndian.AppendUint64(t, uint64(n))
		t = binary.LittleEndian.AppendUint64(t, uint64(sum))
		_, err = f.WriteAt(t, n)
	}
	return errors.Join(err, f.Close())
}

// checkCode verifies what sealCode wrote.
func (c *Cache) checkCode(name string) error {
	const trailer = 24
	if !filepath.IsLocal(name) {
		return errCorrupt
	}
	path := filepath.Join(c.codeRoot(), name)
	f, err := os.Open(path)
	if err != nil {
		return err
	}
	defer f.Close()
	i, err := f.Stat()
	if err != nil {
		return err
	}
	size := i.Size() - trailer
	if size < 0 {
		return errCorrupt
	}
	var t [trailer]byte
	if _, err := f.ReadAt(t[:], size); err != nil {
		return err
	}
	if string(t[:8]) != codeMagic || binary.LittleEndian.Uint64(t[8:]) != uint64(size) {
		return errCorrupt
	}
	sum, _, err := sumFile(f, size)
	if err != nil {
		return err
	}
	if uint64(sum) != binary.LittleEndian.Uint64(t[16:]) {
		return errCorrupt
	}
	touch(path, i.ModTime())
	return nil
}

// sumFile returns the checksum and number of the first n bytes of f.
func sumFile(f io.Reader, n int64) (sum uint32, read int64, err error) {
	buf := make([]byte, 256<<10)
	for read < n {
		k, err := f.Read(buf[:min(int64(len(buf)), n-read)])
		sum = crc32.Update(sum, castagnoli, buf[:k])
		read += int64(k)
		if err == io.EOF {
			break
		}
		if err != nil {
			return 0, 0, err
		}
	}
	return sum, read, nil
}
