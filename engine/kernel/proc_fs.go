// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package kernel

import (
	"cmp"
	"slices"
	"strconv"
	"strings"

	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/engine/vfs"
)

// procDev is the device number of procfs.
const procDev = 0x77700002

// NewProcFS returns the file system to be mounted at /proc. It shows the kernel
// of the process that looks, so one value serves any number of kernels; to
// anyone else it is an empty directory. Its files hold facts of the sandbox
// only: no path, process, name or memory figure of the host.
func NewProcFS() vfs.FS { return procFS{} }

type procFS struct{}

var (
	_ vfs.CallerFS   = procFS{}
	_ vfs.ReadlinkFS = (*procView)(nil)
	_ vfs.JumpFS     = (*procView)(nil)
	_ vfs.TraverseFS = (*procView)(nil)
)

// ForCaller implements vfs.CallerFS.
func (procFS) ForCaller(caller any) vfs.FS {
	p, _ := caller.(*Process)
	return &procView{p: p}
}

func (procFS) Open(name string, flag abi.OpenFlag, perm abi.Mode) (vfs.File, error) {
	return (&procView{}).Open(name, flag, perm)
}

func (procFS) Lstat(name string) (abi.Stat, error) { return (&procView{}).Lstat(name) }

// procView is procfs as the process p sees it; nil sees nothing.
type procView struct{ p *Process }

// procNode is a resolved name.
type procNode struct {
	name string
	mode abi.Mode
	t    *Process // whose directory it lies in, or nil
	ino  uint64
	fd   int32               // of a descriptor's link, else -1
	text func() []byte       // of a file
	link func() string       // of a symbolic link
	list func() []procDirent // of a directory
}

// procDirent is an entry of a directory of procfs.
type procDirent struct {
	name   string
	cookie uint64
}

// Positions in a listing: the fixed names come first.
const (
	procCookieFixed = 2       // behind "." and ".."
	procCookieNum   = 1 << 16 // numbers follow, with their value added
)

// procEntry is a name with a fixed meaning.
type procEntry struct {
	name string
	mode abi.Mode
	text func(*Process) []byte // the process that looks, or whose directory it is
	link func(*Process) string
}

func rootEntries() []procEntry {
	return []procEntry{
		{name: "cpuinfo", mode: abi.ModeRegular | 0o444, text: procCPUInfo},
		{name: "filesystems", mode: abi.ModeRegular | 0o444, text: procFilesystems},
		{name: "loadavg", mode: abi.ModeRegular | 0o444, text: procLoadavg},
		{name: "meminfo", mode: abi.ModeRegular | 0o444, text: procMeminfo},
		{name: "mounts", mode: abi.ModeRegular | 0o444, text: procMounts},
		{name: "self", mode: abi.ModeSymlink | 0o777, link: func(p *Process) string { return strconv.Itoa(int(p.pid)) }},
		{name: "stat", mode: abi.ModeRegular | 0o444, text: procStat},
		{name: "uptime", mode: abi.ModeRegular | 0o444, text: procUptime},
		{name: "version", mode: abi.ModeRegular | 0o444, text: procVersion},
	}
}

func processEntries() []procEntry {
	return []procEntry{
		{name: "cmdline", mode: abi.ModeRegular | 0o444, text: procCmdline},
		{name: "comm", mode: abi.ModeRegular | 0o444, text: procComm},
		{name: "cwd", mode: abi.ModeSymlink | 0o777, link: func(t *Process) string { cwd, _ := t.places(); return cwd }},
		{name: "environ", mode: abi.ModeRegular | 0o400, text: procEnviron},
		{name: "exe", mode: abi.ModeSymlink | 0o777, link: func(t *Process) string { _, path := t.places(); return path }},
		{name: "fd", mode: abi.ModeDir | 0o500},
		{name: "limits", mode: abi.ModeRegular | 0o444, text: procLimits},
		{name: "mounts", mode: abi.ModeRegular | 0o444, text: procMounts},
		{name: "root", mode: abi.ModeSymlink | 0o777, link: func(*Process) string { return "/" }},
		{name: "stat", mode: abi.ModeRegular | 0o444, text: procPidStat},
		{name: "statm", mode: abi.ModeRegular | 0o444, text: procStatm},
		{name: "status", mode: abi.ModeRegular | 0o444, text: procStatus},
	}
}

// number parses a name that is a number without a sign or leading zeros.
func number(s string) (PID, bool) {
	if s == "" || s[0] == '0' && s != "0" || len(s) > 9 {
		return 0, false
	}
	for i := range len(s) {
		if s[i] < '0' || s[i] > '9' {
			return 0, false
		}
	}
	n, _ := strconv.Atoi(s)
	return PID(n), true
}

// find resolves a name: ENOENT, ENOTDIR, ELOOP behind a link.
func (v *procView) find(name string) (procNode, error) {
	if v.p == nil {
		if name == "." {
			return procNode{name: ".", mode: abi.ModeDir | 0o555, ino: 1, fd: -1, list: dots}, nil
		}
		return procNode{}, abi.ENOENT
	}
	if name == "." {
		return procNode{name: ".", mode: abi.ModeDir | 0o555, ino: 1, fd: -1, list: v.rootList}, nil
	}
	first, rest, more := strings.Cut(name, "/")
	if pid, ok := number(first); ok {
		t, ok := v.p.k.Process(pid)
		if !ok {
			return procNode{}, abi.ENOENT
		}
		return t.findProc(rest, more)
	}
	for i, e := range rootEntries() {
		if e.name == first {
			return e.node(v.p, nil, uint64(i)+2, more)
		}
	}
	return procNode{}, abi.ENOENT
}

// node makes the node of an entry for the process p. more says that a
// component follows.
func (e *procEntry) node(p, t *Process, ino uint64, more bool) (procNode, error) {
	if more {
		if e.mode.IsSymlink() {
			return procNode{}, abi.ELOOP
		}
		return procNode{}, abi.ENOTDIR
	}
	n := procNode{name: e.name, mode: e.mode, t: t, ino: ino, fd: -1}
	if e.text != nil {
		n.text = func() []byte { return e.text(p) }
	}
	if e.link != nil {
		n.link = func() string { return e.link(p) }
	}
	return n, nil
}

// findProc resolves a name below /proc/N.
func (p *Process) findProc(name string, more bool) (procNode, error) {
	ino := uint64(p.pid) << 24
	if !more {
		return procNode{name: ".", mode: abi.ModeDir | 0o555, t: p, ino: ino, fd: -1, list: processList}, nil
	}
	first, rest, more := strings.Cut(name, "/")
	if first == "fd" {
		if !more {
			return procNode{name: "fd", mode: abi.ModeDir | 0o500, t: p, ino: ino + 1, fd: -1, list: p.fdList}, nil
		}
		num, tail, more := strings.Cut(rest, "/")
		fd, ok := number(num)
		if !ok {
			return procNode{}, abi.ENOENT
		}
		f, err := p.shown().fds.borrow(fd)
		if err != nil {
			return procNode{}, abi.ENOENT
		}
		defer f.Close()
		if more && tail != "" {
			return procNode{}, abi.ELOOP
		}
		mode := abi.ModeSymlink | 0o100
		if f.access.Readable() {
			mode |= 0o400
		}
		if f.access.Writable() {
			mode |= 0o200
		}
		target := f.label(p.k)
		return procNode{
			name: num, mode: mode, t: p, ino: ino + procCookieNum + uint64(fd), fd: fd,
			link: func() string { return target },
		}, nil
	}
	for i, e := range processEntries() {
		if e.name == first {
			return e.node(p, p, ino+uint64(i)+2, more)
		}
	}
	return procNode{}, abi.ENOENT
}

// label returns what the link of a descriptor shows: a path, or what kind of
// thing it is.
func (f *OpenFile) label(k *Kernel) string {
	if pipeOf(f.file) == nil || strings.HasPrefix(f.path, "/") {
		return f.path
	}
	st, _ := f.stat(k)
	return "pipe:[" + strconv.FormatUint(st.Ino, 10) + "]"
}

// shown returns the process whose data /proc shows for p: the owner's for a
// shadow, which has none.
func (p *Process) shown() *Process {
	if p.owner != nil {
		return p.owner
	}
	return p
}

func dots() []procDirent { return []procDirent{{".", 1}, {"..", 2}} }

func fixed(entries []procEntry) []procDirent {
	out := dots()
	for i, e := range entries {
		out = append(out, procDirent{e.name, procCookieFixed + uint64(i) + 1})
	}
	return out
}

func (v *procView) rootList() []procDirent {
	out := fixed(rootEntries())
	for _, pid := range v.p.k.PIDs() {
		out = append(out, procDirent{strconv.Itoa(int(pid)), procCookieNum + uint64(pid)})
	}
	return out
}

func processList() []procDirent { return fixed(processEntries()) }

func (p *Process) fdList() []procDirent {
	out := dots()
	for _, fd := range p.shown().fds.list() {
		out = append(out, procDirent{strconv.Itoa(int(fd)), procCookieNum + uint64(fd)})
	}
	return out
}

// entries lists a directory in ascending order of cookies.
func (v *procView) entries(name string) []procDirent {
	n, err := v.find(name)
	if err != nil || n.list == nil {
		return nil
	}
	l := n.list()
	slices.SortFunc(l, func(a, b procDirent) int { return cmp.Compare(a.cookie, b.cookie) })
	return l
}

func (v *procView) stat(n *procNode) abi.Stat {
	st := abi.Stat{Dev: procDev, Ino: n.ino, Mode: n.mode, Nlink: 1, Blksize: 1024}
	if v.p != nil {
		st.Atim = v.p.k.clock.Now()
		if n.t != nil {
			st.UID, st.GID = n.t.cred.UID, n.t.cred.GID
		}
	}
	st.Mtim, st.Ctim = st.Atim, st.Atim
	if n.mode.IsDir() {
		st.Nlink = 2
	}
	return st
}

// Lstat implements vfs.FS. Sizes are 0, as on Linux: a text is made when its
// file is opened.
func (v *procView) Lstat(name string) (abi.Stat, error) {
	n, err := v.find(name)
	if err != nil {
		return abi.Stat{}, err
	}
	return v.stat(&n), nil
}

// Open implements vfs.FS. Nothing can be written or made.
func (v *procView) Open(name string, flag abi.OpenFlag, perm abi.Mode) (vfs.File, error) {
	n, err := v.find(name)
	switch {
	case err == abi.ENOENT && flag&abi.OCreat != 0:
		return nil, abi.EACCES
	case err != nil:
		return nil, err
	case flag&(abi.OCreat|abi.OExcl) == abi.OCreat|abi.OExcl:
		return nil, abi.EEXIST
	case n.mode.IsSymlink():
		return nil, abi.ELOOP
	case n.mode.IsDir() && flag.Writable():
		return nil, abi.EISDIR
	case n.mode.IsDir():
		return &procDir{fs: v, name: name, st: v.stat(&n)}, nil
	case flag&abi.ODirectory != 0:
		return nil, abi.ENOTDIR
	case flag.Writable():
		return nil, abi.EACCES
	}
	return &procFile{st: v.stat(&n), data: n.text()}, nil
}

// Readlink implements vfs.ReadlinkFS.
func (v *procView) Readlink(name string) (string, error) {
	n, err := v.find(name)
	if err != nil {
		return "", err
	}
	if n.link == nil {
		return "", abi.EINVAL
	}
	if s := n.link(); s != "" {
		return s, nil
	}
	return "", abi.ENOENT
}

// Jumps implements vfs.JumpFS: the links of /proc/N/fd lead to open files.
func (v *procView) Jumps(name string) bool {
	n, err := v.find(name)
	return err == nil && n.fd >= 0
}

// OpenLink implements vfs.JumpFS.
func (v *procView) OpenLink(name string, flag abi.OpenFlag) (vfs.File, error) {
	n, err := v.find(name)
	if err != nil {
		return nil, err
	}
	if n.fd < 0 {
		return nil, abi.EINVAL
	}
	f, err := n.t.shown().fds.borrow(n.fd)
	if err != nil {
		return nil, abi.ENOENT
	}
	return &jumpFile{f: f}, nil
}

// Traverse implements vfs.TraverseFS: EACCES for another user's descriptors.
func (v *procView) Traverse(name string, c *vfs.Cred) error {
	if v.p == nil {
		return nil
	}
	first, rest, _ := strings.Cut(name, "/")
	pid, ok := number(first)
	if !ok {
		_, err := v.find(name)
		if err == abi.ELOOP || err == abi.ENOTDIR {
			return err
		}
		return nil
	}
	if t, ok := v.p.k.Process(pid); ok && strings.HasPrefix(rest, "fd/") && c.UID != 0 && c.UID != t.cred.UID {
		return abi.EACCES
	}
	return nil
}
