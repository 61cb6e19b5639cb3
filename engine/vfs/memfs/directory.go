// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package memfs

import (
	"slices"
	"sort"

	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/engine/vfs"
)

// directory holds entries in the order they were made. Each gets a cookie that
// is never used again, which makes positions stable while entries come and go.
// It is guarded by the file system's mu.
type directory struct {
	names   map[string]*entry
	entries []*entry // ascending cookies; removed ones have a nil node
	dead    int      // removed entries in entries
	next    uint64
}

type entry struct {
	name   string
	node   *inode
	cookie uint64
}

// Cookies of "." and "..", and the first of an entry.
const (
	dotCookie = 1 + iota
	dotDotCookie
	firstCookie
)

// add makes an entry. The caller holds the file system's mu and has made sure
// that the name is free.
func (n *inode) add(name string, node *inode) error {
	if n.nlink == 0 {
		return abi.ENOENT // removed while someone was in it
	}
	if err := n.fs.charge(entryCost + int64(len(name))); err != nil {
		return err
	}
	d := n.dir
	e := &entry{name: name, node: node, cookie: d.next}
	d.next++
	d.names[name] = e
	d.entries = append(d.entries, e)
	n.touch()
	return nil
}

// remove takes an entry out. The caller holds the file system's mu.
func (n *inode) remove(e *entry) {
	d := n.dir
	delete(d.names, e.name)
	// The entry itself goes on living in the hands of the caller.
	i := d.after(e.cookie - 1)
	d.entries[i] = &entry{cookie: e.cookie}
	d.dead++
	if d.dead > 16 && d.dead > len(d.entries)/2 {
		d.entries = slices.DeleteFunc(d.entries, func(e *entry) bool { return e.node == nil })
		d.dead = 0
	}
	n.fs.charge(-(entryCost + int64(len(e.name))))
	n.touch()
}

// after returns the index of the first entry behind cookie.
func (d *directory) after(cookie uint64) int {
	return sort.Search(len(d.entries), func(i int) bool { return d.entries[i].cookie > cookie })
}

// dirFile is an open directory.
type dirFile struct{ handle }

var (
	_ vfs.Directory  = (*dirFile)(nil)
	_ vfs.FileChmod  = (*dirFile)(nil)
	_ vfs.FileChown  = (*dirFile)(nil)
	_ vfs.FileUtimes = (*dirFile)(nil)
)

// ReadDir implements [vfs.Directory].
func (f *dirFile) ReadDir(dst []vfs.Dirent, cookie uint64, n int, stat bool) ([]vfs.Dirent, error) {
	if f.closed.Load() {
		return dst, abi.EBADF
	}
	node := f.n
	fs := node.fs
	fs.mu.RLock()
	defer fs.mu.RUnlock()
	if node.nlink == 0 {
		return dst, nil
	}
	put := func(name string, cookie uint64, child *inode) {
		e := vfs.Dirent{Name: name, Cookie: cookie, Ino: child.ino, Mode: child.kind}
		if stat {
			e.Stat, e.StatOK = child.attr(), true
		}
		dst = append(dst, e)
		n--
	}
	if cookie < dotCookie && n > 0 {
		put(".", dotCookie, node)
	}
	if cookie < dotDotCookie && n > 0 {
		put("..", dotDotCookie, node.parent)
	}
	d := node.dir
	for i := d.after(max(cookie, dotDotCookie)); i < len(d.entries) && n > 0; i++ {
		if e := d.entries[i]; e.node != nil {
			put(e.name, e.cookie, e.node)
		}
	}
	node.accessed()
	return dst, nil
}
