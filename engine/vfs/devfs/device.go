// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package devfs

import (
	"sync/atomic"

	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/engine/vfs"
)

// device is what every open file has.
type device struct {
	fs     *FS
	n      *node // nil for the root
	closed atomic.Bool
}

// Stat implements [vfs.File].
func (d *device) Stat() (abi.Stat, error) {
	if d.closed.Load() {
		return abi.Stat{}, abi.EBADF
	}
	return d.fs.stat(d.n), nil
}

// Close implements [vfs.File].
func (d *device) Close() error {
	if d.closed.Swap(true) {
		return abi.EBADF
	}
	return nil
}

// Ready implements [vfs.Poller]. Devices are always ready.
func (d *device) Ready(mask abi.PollEvents) abi.PollEvents {
	return mask & (abi.PollIn | abi.PollOut)
}

// Subscribe implements [vfs.Poller].
func (d *device) Subscribe(abi.PollEvents, func()) (cancel func()) { return func() {} }

// null takes everything and has nothing.
//
// Linux: drivers/char/mem.c, read_null and write_null.
type null struct{ device }

func (*null) Read([]byte) (int, error)    { return 0, nil }
func (*null) Write(p []byte) (int, error) { return len(p), nil }

// zero takes everything and has zeros without end.
type zero struct{ device }

func (*zero) Read(p []byte) (int, error) {
	clear(p)
	return len(p), nil
}

func (*zero) Write(p []byte) (int, error) { return len(p), nil }

// full is zero that has no room.
type full struct{ zero }

func (*full) Write(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	return 0, abi.ENOSPC
}

// random has random bytes without end and takes everything.
type random struct{ device }

func (r *random) Read(p []byte) (int, error) { return r.fs.rand.read(p) }
func (*random) Write(p []byte) (int, error)  { return len(p), nil }

// tty stands for the controlling terminal.
type tty struct{ device }

// ControllingTerminal implements [vfs.ControllingTerminal].
func (*tty) ControllingTerminal() {}

// dir is the open root.
type dir struct{ device }

// ReadDir implements [vfs.Directory].
func (d *dir) ReadDir(dst []vfs.Dirent, cookie uint64, n int, stat bool) ([]vfs.Dirent, error) {
	if d.closed.Load() {
		return dst, abi.EBADF
	}
	for ; n > 0 && cookie < uint64(len(d.fs.nodes))+2; n-- {
		e := vfs.Dirent{Name: ".", StatOK: stat}
		switch cookie {
		case 0:
			e.Stat = d.fs.stat(nil)
		case 1:
			e.Name, e.Stat = "..", d.fs.stat(nil)
		default:
			node := &d.fs.nodes[cookie-2]
			e.Name, e.Stat = node.name, d.fs.stat(node)
		}
		cookie++
		e.Cookie, e.Ino, e.Mode = cookie, e.Stat.Ino, e.Stat.Mode&abi.ModeFmt
		dst = append(dst, e)
	}
	return dst, nil
}

var (
	_ vfs.Stream              = (*null)(nil)
	_ vfs.Stream              = (*zero)(nil)
	_ vfs.Stream              = (*full)(nil)
	_ vfs.Stream              = (*random)(nil)
	_ vfs.Directory           = (*dir)(nil)
	_ vfs.ControllingTerminal = (*tty)(nil)
)
