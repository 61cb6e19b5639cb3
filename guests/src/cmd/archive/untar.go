// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package archive

import (
	"strconv"

	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/guests/src/cmdkit"
	"github.com/wsandbox/wsandbox/guests/src/flate"
	"github.com/wsandbox/wsandbox/guests/src/fnmatch"
	"github.com/wsandbox/wsandbox/guests/src/wsys"
)

// maxLong bounds a long name and an extended head.
const maxLong = 1 << 20

// reader reads an archive.
type reader struct {
	next func() ([]byte, error) // the next bytes, none at the end
	buf  []byte
	err  error
}

// fill makes bytes be at hand, unless the archive is at its end.
func (r *reader) fill() bool {
	for len(r.buf) == 0 && r.err == nil {
		b, err := r.next()
		r.buf, r.err = b, err
		if len(b) == 0 {
			return false
		}
	}
	return len(r.buf) > 0
}

// read fills b as far as the archive reaches.
func (r *reader) read(b []byte) int {
	n := 0
	for n < len(b) && r.fill() {
		k := copy(b[n:], r.buf)
		r.buf = r.buf[k:]
		n += k
	}
	return n
}

// each hands out n bytes piece by piece, and reports whether there were so many.
func (r *reader) each(n int64, f func(b []byte)) bool {
	for n > 0 {
		if !r.fill() {
			return false
		}
		k := min(n, int64(len(r.buf)))
		if f != nil {
			f(r.buf[:k])
		}
		r.buf = r.buf[k:]
		n -= k
	}
	return true
}

// padding returns how many bytes fill up the last block of n.
func padding(n int64) int64 { return (blockSize - n%blockSize) % blockSize }

// later is what is done to a member when all have been extracted.
type later struct {
	path     string
	link     string // of a symbolic link whose place is held by a file
	dev, ino uint64
	mode     abi.Mode
	mtime    int64
	setMode  bool
}

// unpacker is a run of -x or -t.
type unpacker struct {
	*tar
	r     reader
	dirs  []later
	links []later
	umask abi.Mode
	made  map[string]bool // directories that are there
	// listed, if set, gets the members of -t in place of the listing.
	listed func(h *header)
}

func (t *tar) extract() {
	u := &unpacker{tar: t, made: map[string]bool{}}
	fd, err := t.p.Open(t.file)
	if err != nil {
		t.fatal(t.file, ": Cannot open: ", cmdkit.Strerror(err))
		return
	}
	defer t.p.CloseInput(fd)
	in := t.p.InputReader(fd)
	plain := func() ([]byte, error) {
		b := in.Chunk()
		if len(b) == 0 {
			return nil, in.Err
		}
		return b, nil
	}
	first, err := plain()
	if err != nil {
		t.fatal(t.file, ": Cannot read: ", cmdkit.Strerror(err))
		return
	}
	if len(first) > 1 && first[0] == 0x1f && first[1] == 0x8b {
		z := flate.NewReader(func() []byte {
			if b := first; b != nil {
				first = nil
				return b
			}
			return in.Chunk()
		})
		u.r.next = z.Read
	} else {
		if t.gzip {
			t.p.Stderr.WriteString("\n")
			t.p.Stderr.WriteString("gzip: stdin: not in gzip format\n")
			t.p.Warn("Child returned status 1")
			t.p.Warn("Error is not recoverable: exiting now")
			t.status = 3
			return
		}
		u.r.buf, u.r.next = first, plain
	}
	mask := wsys.Umask(0)
	wsys.Umask(mask)
	u.umask = abi.Mode(mask)
	if t.action == 'x' {
		for i := range t.operands {
			if !t.enter(&t.operands[i]) {
				return
			}
		}
	}
	u.members()
	u.finish()
	for i := range t.operands {
		if o := &t.operands[i]; o.name != "" && !o.used && t.status != 3 {
			t.fail(o.name, ": Not found in archive")
		}
	}
}

// members goes through the archive.
func (u *unpacker) members() {
	var block [blockSize]byte
	var long, longLink string
	var pax, paxAll []byte
	any, lost := false, false
	zeros := 0
	for !u.p.WriteFailed() {
		n := u.r.read(block[:])
		if n == 0 && u.r.err == nil {
			return
		}
		if n < blockSize {
			if !any || u.r.err != nil {
				u.short(any)
			}
			return // part of a block is as good as none
		}
		if zeroBlock(block[:]) {
			if zeros++; zeros == 2 {
				return
			}
			any = true
			continue
		}
		h, ok := parseHeader(block[:])
		if !ok {
			if !any {
				u.fail("This does not look like a tar archive")
				any = true
			}
			if !lost {
				u.fail("Skipping to next header")
				lost = true
			}
			continue
		}
		any, lost, zeros = true, false, 0
		switch h.kind {
		case typeLongName, typeLongLink, typePax, typePaxAll:
			if h.size > maxLong {
				u.fatal("Extended header is too large")
				return
			}
			b := make([]byte, h.size)
			if u.r.read(b) < len(b) || !u.r.each(padding(h.size), nil) {
				u.short(true)
				return
			}
			switch h.kind {
			case typeLongName:
				long = cString(b)
			case typeLongLink:
				longLink = cString(b)
			case typePax:
				pax = b
			default:
				paxAll = b
			}
			continue
		}
		if long != "" {
			h.name = long
		}
		if longLink != "" {
			h.link = longLink
		}
		if !h.applyPax(paxAll) || !h.applyPax(pax) {
			u.fail("Malformed extended header")
		}
		long, longLink, pax = "", "", nil
		if !u.member(&h) {
			return
		}
	}
}

// short reports an archive that ends too early.
func (u *unpacker) short(any bool) {
	switch e, zipped := u.r.err.(flate.Error); {
	case zipped:
		u.p.Stderr.WriteString("\ngzip: stdin: " + e.Error() + "\n")
		u.p.Warn("Child returned status 1")
		u.p.Warn("Error is not recoverable: exiting now")
		u.status = 3
	case u.r.err != nil:
		u.fatal(u.file, ": Cannot read: ", cmdkit.Strerror(u.r.err))
	case !any:
		u.fail("This does not look like a tar archive")
	default:
		u.fatal("Unexpected EOF in archive")
	}
}

// wanted reports whether a member is asked for.
func (u *unpacker) wanted(name string) bool {
	asked := false
	name = trimSlash(name)
	ok := false
	for i := range u.operands {
		o := &u.operands[i]
		if o.name == "" {
			continue
		}
		asked = true
		want := trimSlash(o.name)
		hit := name == want || len(name) > len(want) && name[:len(want)] == want && name[len(want)] == '/'
		if u.wildcards && !hit {
			hit = fnmatch.Match(want, name, fnmatch.LeadingDir)
		}
		if hit {
			o.used, ok = true, true
		}
	}
	return (ok || !asked) && !u.excluded(name)
}

// member lists or extracts one member. It reports false where the archive ends.
func (u *unpacker) member(h *header) bool {
	size := h.data()
	skip := func() bool {
		if !u.r.each(size+padding(size), nil) {
			u.short(true)
			return false
		}
		return true
	}
	if !u.wanted(h.name) {
		return skip()
	}
	shown := *h
	if u.strip > 0 {
		stripped, ok := stripName(h.name, u.strip)
		if !ok {
			return skip()
		}
		if u.action == 'x' {
			h.name = stripped
			if h.kind == typeLink {
				if h.link, ok = stripName(h.link, u.strip); !ok {
					return skip()
				}
			}
		}
	}
	if u.action == 't' {
		if !hasDotDot(h.name) {
			u.safeName(h.name, "member names") // which says what extracting would do
		}
		if u.listed != nil {
			u.listed(&shown)
		} else {
			u.show(&shown, u.verbose > 0)
		}
		return skip()
	}
	if u.verbose > 0 {
		if u.toStdout {
			u.list = u.p.Stderr
		}
		u.show(&shown, u.verbose > 1)
	}
	if !u.absolute && hasDotDot(h.name) {
		u.fail(quoted(h.name), ": Member name contains '..'")
		return skip()
	}
	path := u.safeName(h.name, "member names")
	if h.kind == typeLink {
		if !u.absolute && hasDotDot(h.link) {
			u.fail(quoted(h.name), ": Member name contains '..'")
			return skip()
		}
		h.link = u.safeName(h.link, "hard link targets")
	}
	if u.toStdout {
		if h.kind != typeFile && h.kind != typeFileOld && h.kind != typeCont || h.dir() {
			return skip()
		}
		if !u.r.each(size, func(b []byte) { u.p.Stdout.Write(b) }) || !u.r.each(padding(size), nil) {
			u.short(true)
			return false
		}
		return true
	}
	switch {
	case h.dir():
		u.makeDir(trimSlash(path), h)
		return skip()
	case h.kind == typeFile || h.kind == typeFileOld || h.kind == typeCont:
		return u.regular(path, h)
	}
	u.special(path, h)
	return skip()
}

// hasDotDot reports whether an element of the name is "..".
func hasDotDot(name string) bool {
	for i := 0; i+1 < len(name); i++ {
		if name[i] == '.' && name[i+1] == '.' && (i == 0 || name[i-1] == '/') && (i+2 == len(name) || name[i+2] == '/') {
			return true
		}
	}
	return false
}

// stripName removes n leading elements. It reports false where nothing is left.
func stripName(name string, n int) (string, bool) {
	for ; n > 0; n-- {
		i := 0
		for i < len(name) && name[i] == '/' {
			i++
		}
		for i < len(name) && name[i] != '/' {
			i++
		}
		for i < len(name) && name[i] == '/' {
			i++
		}
		name = name[i:]
	}
	return name, name != ""
}

// parents makes the directories before the last element of path.
func (u *unpacker) parents(path string) {
	for i := 1; i < len(path); i++ {
		if path[i] != '/' || path[i-1] == '/' {
			continue
		}
		dir := path[:i]
		if u.made[dir] {
			continue
		}
		if err := wsys.Mkdir(wsys.AtCwd, dir, 0o777); err != nil && err != abi.EEXIST {
			return // what needs it says so
		}
		u.made[dir] = true
	}
}

// create runs f, which makes path, and once more where a directory is missing,
// or another file in the way.
func (u *unpacker) create(path string, f func() error) error {
	err := f()
	if err == abi.ENOENT {
		u.parents(path)
		err = f()
	}
	if err == abi.EEXIST && !u.keep && !u.skipOld {
		if err = wsys.Unlink(wsys.AtCwd, path); err != nil {
			if e := wsys.Rmdir(wsys.AtCwd, path); e != nil {
				return abi.EEXIST
			}
		}
		err = f()
	}
	return err
}

// cannot reports that path could not be made.
func (u *unpacker) cannot(what, path string, err error) {
	if err == abi.EEXIST && u.skipOld {
		return
	}
	u.fail(quoted(path), ": Cannot ", what, ": ", cmdkit.Strerror(err))
}

func (u *unpacker) makeDir(path string, h *header) {
	if path == "." {
		return
	}
	err := wsys.Mkdir(wsys.AtCwd, path, 0o700)
	if err == abi.ENOENT {
		u.parents(path)
		err = wsys.Mkdir(wsys.AtCwd, path, 0o700)
	}
	if err == abi.EEXIST {
		st, e := wsys.StatAt(wsys.AtCwd, path, false)
		switch {
		case e == nil && st.Mode.IsDir():
			err = nil
		case e == nil && st.Mode.IsSymlink():
			if s, e := wsys.StatAt(wsys.AtCwd, path, true); e == nil && s.Mode.IsDir() && u.overwrite {
				return // as asked for
			}
			fallthrough
		default:
			if !u.keep && !u.skipOld && wsys.Unlink(wsys.AtCwd, path) == nil {
				err = wsys.Mkdir(wsys.AtCwd, path, 0o700)
			}
		}
	}
	if err != nil {
		u.cannot("mkdir", path, err)
		return
	}
	u.made[path] = true
	u.dirs = append(u.dirs, later{path: path, mode: u.mode(h), mtime: h.mtime, setMode: true})
}

// mode returns the permission bits of what is extracted.
func (u *unpacker) mode(h *header) abi.Mode {
	m := abi.Mode(h.mode & 0o7777)
	if !u.perms {
		m &= 0o777 &^ u.umask
	}
	return m
}

func (u *unpacker) regular(path string, h *header) bool {
	var fd wsys.FD
	flags := abi.OWronly | abi.OCreat | abi.OExcl | abi.OCloexec
	if u.overwrite {
		flags = abi.OWronly | abi.OCreat | abi.OTrunc | abi.OCloexec
	}
	err := u.create(path, func() (err error) {
		fd, err = wsys.Open(wsys.AtCwd, path, flags, 0o600)
		return err
	})
	if err != nil {
		u.cannot("open", path, err)
		if !u.r.each(h.size+padding(h.size), nil) {
			u.short(true)
			return false
		}
		return true
	}
	defer wsys.Close(fd)
	var lost error
	whole := u.r.each(h.size, func(b []byte) {
		if lost == nil {
			lost = wsys.WriteAll(fd, b)
		}
	})
	if lost != nil {
		u.fail(quoted(path), ": Cannot write: ", cmdkit.Strerror(lost))
	}
	if err := wsys.Fchmod(fd, u.mode(h)); err != nil {
		u.fail(quoted(path), ": Cannot change mode to ", strconv.FormatUint(uint64(u.mode(h)), 8), ": ", cmdkit.Strerror(err))
	}
	if !u.touch {
		if err := wsys.Futimes(fd, wsys.Now(), seconds(h.mtime)); err != nil {
			u.fail(quoted(path), ": Cannot utime: ", cmdkit.Strerror(err))
		}
	}
	if !whole || !u.r.each(padding(h.size), nil) {
		u.short(true)
		return false
	}
	return true
}

// seconds returns nanoseconds, as far as they reach.
func seconds(s int64) int64 {
	const most = (1<<63-1)/1000000000 - 1
	return max(-most, min(s, most)) * 1e9
}

// special makes links and FIFOs.
func (u *unpacker) special(path string, h *header) {
	switch h.kind {
	case typeLink:
		err := u.create(path, func() error { return wsys.Link(wsys.AtCwd, h.link, wsys.AtCwd, path, false) })
		if err == abi.EEXIST { // a link to itself
			a, e1 := wsys.StatAt(wsys.AtCwd, path, false)
			b, e2 := wsys.StatAt(wsys.AtCwd, h.link, false)
			if e1 == nil && e2 == nil && a.Dev == b.Dev && a.Ino == b.Ino {
				return
			}
		}
		if err != nil {
			u.cannot("hard link to '"+quoted(h.link)+"'", path, err)
		}
	case typeSymlink:
		if !u.absolute && (h.link == "" || h.link[0] == '/' || hasDotDot(h.link)) {
			// Nothing is to be extracted through it: a file holds its place.
			u.placeholder(path, h)
			return
		}
		if err := u.create(path, func() error { return wsys.Symlink(h.link, wsys.AtCwd, path) }); err != nil {
			u.cannot("create symlink to '"+quoted(h.link)+"'", path, err)
			return
		}
		if !u.touch {
			_ = wsys.Utimes(wsys.AtCwd, path, wsys.Now(), seconds(h.mtime), false) // not every file system has them
		}
	case typeFIFO:
		if err := u.create(path, func() error { return wsys.Mkfifo(wsys.AtCwd, path, u.mode(h)) }); err != nil {
			u.cannot("mkfifo", path, err)
		}
	case typeChar, typeBlock:
		u.cannot("mknod", path, abi.EPERM)
	default:
		u.fail(quoted(path), ": Unknown file type '", string([]byte{h.kind}), "', ignored")
	}
}

func (u *unpacker) placeholder(path string, h *header) {
	var fd wsys.FD
	err := u.create(path, func() (err error) {
		fd, err = wsys.Open(wsys.AtCwd, path, abi.OWronly|abi.OCreat|abi.OExcl|abi.OCloexec, 0)
		return err
	})
	if err != nil {
		u.cannot("create symlink to '"+quoted(h.link)+"'", path, err)
		return
	}
	st, err := wsys.Fstat(fd)
	wsys.Close(fd)
	if err != nil {
		u.cannot("stat", path, err)
		return
	}
	u.links = append(u.links, later{path: path, link: h.link, dev: st.Dev, ino: st.Ino, mtime: h.mtime})
}

// finish makes the links that were put off, and restores what extracting below
// directories changed.
func (u *unpacker) finish() {
	for _, l := range u.links {
		st, err := wsys.StatAt(wsys.AtCwd, l.path, false)
		if err != nil || st.Dev != l.dev || st.Ino != l.ino || !st.Mode.IsRegular() || st.Size != 0 {
			continue // replaced by a later member
		}
		if err = wsys.Unlink(wsys.AtCwd, l.path); err == nil {
			err = wsys.Symlink(l.link, wsys.AtCwd, l.path)
		}
		if err != nil {
			u.cannot("create symlink to '"+quoted(l.link)+"'", l.path, err)
			continue
		}
		if !u.touch {
			_ = wsys.Utimes(wsys.AtCwd, l.path, wsys.Now(), seconds(l.mtime), false)
		}
	}
	for i := len(u.dirs) - 1; i >= 0; i-- {
		d := &u.dirs[i]
		if st, err := wsys.StatAt(wsys.AtCwd, d.path, false); err != nil || !st.Mode.IsDir() {
			continue
		}
		if err := wsys.Chmod(wsys.AtCwd, d.path, d.mode, true); err != nil {
			u.fail(quoted(d.path), ": Cannot change mode to ", strconv.FormatUint(uint64(d.mode), 8), ": ", cmdkit.Strerror(err))
		}
		if !u.touch {
			_ = wsys.Utimes(wsys.AtCwd, d.path, wsys.Now(), seconds(d.mtime), true)
		}
	}
}
