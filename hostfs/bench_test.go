// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package hostfs

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/engine/vfs"
)

// benchTree makes 10,000 files in 100 directories, three levels deep, and returns
// their names.
func benchTree(b *testing.B) (string, []string) {
	b.Helper()
	dir := b.TempDir()
	var names []string
	for i := range 10 {
		for j := range 10 {
			d := fmt.Sprintf("src/pkg%d/sub%d", i, j)
			if err := os.MkdirAll(filepath.Join(dir, d), 0o755); err != nil {
				b.Fatal(err)
			}
			for k := range 100 {
				n := fmt.Sprintf("%s/file%02d.go", d, k)
				if err := os.WriteFile(filepath.Join(dir, n), []byte("package x\n"), 0o644); err != nil {
					b.Fatal(err)
				}
				names = append(names, n)
			}
		}
	}
	return dir, names
}

// BenchmarkTree does the same to 10,000 files with package os, through the file
// system alone, and through the namespace.
func BenchmarkTree(b *testing.B) {
	dir, names := benchTree(b)
	fs := openTest(b, dir, Options{})
	ns, err := vfs.NewNamespace(vfs.Mount{Path: "/ws", FS: fs})
	if err != nil {
		b.Fatal(err)
	}
	at := vfs.At{Dir: "/ws", Cred: &vfs.Cred{UID: 1000, GID: 1000}}
	each := func(f func(name string) error) func(b *testing.B) {
		return func(b *testing.B) {
			for b.Loop() {
				for _, n := range names {
					if err := f(n); err != nil {
						b.Fatal(err)
					}
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(names)), "ns/file")
		}
	}
	b.Run("stat/os", each(func(n string) error { _, err := os.Lstat(filepath.Join(dir, n)); return err }))
	b.Run("stat/fs", each(func(n string) error { _, err := fs.Lstat(n); return err }))
	b.Run("stat/namespace", each(func(n string) error { _, err := ns.Stat(at, n, true); return err }))

	buf := make([]byte, 4096)
	b.Run("read/os", each(func(n string) error {
		f, err := os.Open(filepath.Join(dir, n))
		if err != nil {
			return err
		}
		defer f.Close()
		_, err = f.ReadAt(buf[:10], 0)
		return err
	}))
	read := func(f vfs.File, err error) error {
		if err != nil {
			return err
		}
		defer f.Close()
		_, err = f.(vfs.RegularFile).ReadAt(buf[:10], 0)
		return err
	}
	b.Run("read/fs", each(func(n string) error { f, err := fs.Open(n, abi.ORdonly, 0); return read(f, err) }))
	b.Run("read/namespace", each(func(n string) error { f, _, err := ns.Open(at, n, abi.ORdonly, 0); return read(f, err) }))

	b.Run("readdir/os", func(b *testing.B) {
		for b.Loop() {
			if n := osTree(b, filepath.Join(dir, "src"), false); n != 10_000 {
				b.Fatal(n)
			}
		}
	})
	b.Run("readdir/namespace", func(b *testing.B) {
		for b.Loop() {
			if n := vfsTree(b, ns, at, "src", false); n != 10_000 {
				b.Fatal(n)
			}
		}
	})
	b.Run("readdirstat/os", func(b *testing.B) {
		for b.Loop() {
			if n := osTree(b, filepath.Join(dir, "src"), true); n != 10_000 {
				b.Fatal(n)
			}
		}
	})
	b.Run("readdirstat/namespace", func(b *testing.B) {
		for b.Loop() {
			if n := vfsTree(b, ns, at, "src", true); n != 10_000 {
				b.Fatal(n)
			}
		}
	})
}

func osTree(b *testing.B, dir string, stat bool) int {
	es, err := os.ReadDir(dir)
	if err != nil {
		b.Fatal(err)
	}
	files := 0
	for _, e := range es {
		if e.IsDir() {
			files += osTree(b, dir+"/"+e.Name(), stat)
			continue
		}
		files++
		if stat {
			if _, err := e.Info(); err != nil {
				b.Fatal(err)
			}
		}
	}
	return files
}

func vfsTree(b *testing.B, ns *vfs.Namespace, at vfs.At, dir string, stat bool) int {
	f, _, err := ns.Open(at, dir, abi.ODirectory, 0)
	if err != nil {
		b.Fatal(err)
	}
	defer f.Close()
	files := 0
	var es []vfs.Dirent
	for cookie := uint64(0); ; {
		es, err = f.(vfs.Directory).ReadDir(es[:0], cookie, 128, stat)
		if err != nil {
			b.Fatal(err)
		}
		if len(es) == 0 {
			return files
		}
		cookie = es[len(es)-1].Cookie
		for _, e := range es {
			switch {
			case e.Name == "." || e.Name == "..":
			case e.Mode == abi.ModeDir:
				files += vfsTree(b, ns, at, dir+"/"+e.Name, stat)
			default:
				files++
			}
		}
	}
}
