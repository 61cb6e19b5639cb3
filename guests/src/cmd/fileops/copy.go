// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package fileops

import (
	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/guests/src/cmdkit"
	"github.com/wsandbox/wsandbox/guests/src/filemode"
	"github.com/wsandbox/wsandbox/guests/src/fswalk"
	"github.com/wsandbox/wsandbox/guests/src/wsys"
)

type fileID struct{ dev, ino uint64 }

func idOf(st *abi.Stat) fileID { return fileID{st.Dev, st.Ino} }

// copier copies files and trees for cp, for mv between file systems, and for
// install.
type copier struct {
	p      *cmdkit.Proc
	follow fswalk.Follow
	backup backups

	recursive, force, interactive, noClobber, update bool
	removeDest, attrOnly, oneDev, verbose            bool
	keepMode, keepOwner, keepTimes, keepLinks        bool
	noMode                                           bool // --no-preserve=mode: permissions as of a new file
	hardLink, symLink, moving                        bool

	links   map[fileID]string // where a file with several names was copied to
	created map[fileID]bool   // files made by this run, not to be overwritten
}

// copyBuf carries data where the kernel cannot.
var copyBuf [64 << 10]byte

// tree copies the operand src to dst.
func (c *copier) tree(src, dst string) bool {
	var st abi.Stat
	var err error
	if st, err = wsys.StatAt(cwd, src, c.follow != fswalk.FollowNone); err != nil {
		c.p.Errno(err, "cannot stat ", cmdkit.QuoteAF(src))
		return false
	}
	if !st.Mode.IsDir() {
		return c.file(src, dst, cwd, src, &st)
	}
	if !c.recursive {
		c.p.Warn("-r not specified; omitting directory ", cmdkit.QuoteAF(src))
		return false
	}
	return c.directory(src, dst)
}

// pending is a directory that was made and gets its final attributes when its
// contents are there.
type pending struct {
	dst   string
	st    abi.Stat
	fresh bool
}

func (c *copier) directory(src, dst string) bool {
	w := fswalk.Walker{Follow: c.follow, Stat: true, OneDev: c.oneDev}
	ok := true
	var stack []pending
	var self fileID // the destination's root, which must not be copied into itself
	w.Start(src)
	defer w.Close()
	base := len(src)
	for e := w.Next(); e != nil; e = w.Next() {
		path := e.Path()
		to := dst
		if e.Depth > 0 {
			rest := path[base:]
			for rest != "" && rest[0] == '/' {
				rest = rest[1:]
			}
			to = join(dst, rest)
		}
		switch e.Kind {
		case fswalk.Missing:
			c.p.Errno(e.Err, "cannot stat ", cmdkit.QuoteAF(path))
			ok = false
		case fswalk.Cycle:
			c.p.Warn("cannot copy cyclic symbolic link ", cmdkit.QuoteAF(path))
			ok = false
		case fswalk.Unreadable:
			c.p.Errno(e.Err, "cannot access ", cmdkit.QuoteAF(path))
			ok = false
		case fswalk.File:
			st, err := e.Stat()
			if err == nil && c.follow == fswalk.FollowAll && st.Mode.IsSymlink() {
				err = abi.ENOENT // a link that leads nowhere
			}
			if err != nil {
				c.p.Errno(err, "cannot stat ", cmdkit.QuoteAF(path))
				ok = false
			} else if !c.file(path, to, e.Dir, e.Name, &st) {
				ok = false
			}
		case fswalk.Dir:
			st, err := e.Stat()
			if err != nil {
				c.p.Errno(err, "cannot stat ", cmdkit.QuoteAF(path))
				ok = false
				w.Skip()
				continue
			}
			if e.Depth > 0 && self == idOf(&st) {
				c.p.Warn("cannot copy a directory, ", cmdkit.QuoteAF(src), ", into itself, ", cmdkit.QuoteAF(dst))
				ok = false
				w.Skip()
				continue
			}
			fresh, good := c.enter(path, to, &st)
			if !good {
				ok = false
				w.Skip()
				continue
			}
			if e.Depth == 0 {
				if d, err := wsys.StatAt(cwd, to, true); err == nil {
					if self = idOf(&d); self == idOf(&st) {
						c.p.Warn("cannot copy a directory, ", cmdkit.QuoteAF(src), ", into itself, ", cmdkit.QuoteAF(dst))
						return false
					}
				}
			}
			if !e.Entered() {
				continue
			}
			stack = append(stack, pending{dst: to, st: st, fresh: fresh})
		case fswalk.Post:
			n := len(stack) - 1
			d := &stack[n]
			stack = stack[:n]
			if !c.finishDir(d) {
				ok = false
			}
		}
	}
	return ok
}

// enter makes the directory to for the source directory path.
func (c *copier) enter(path, to string, st *abi.Stat) (fresh, ok bool) {
	if d, err := wsys.StatAt(cwd, to, true); err == nil {
		if !d.Mode.IsDir() {
			c.p.Warn("cannot overwrite non-directory ", cmdkit.QuoteAF(to), " with directory ", cmdkit.QuoteAF(path))
			return false, false
		}
		return false, true
	}
	if l, err := wsys.StatAt(cwd, to, false); err == nil && !l.Mode.IsDir() {
		c.p.Warn("cannot overwrite non-directory ", cmdkit.QuoteAF(to), " with directory ", cmdkit.QuoteAF(path))
		return false, false
	}
	mode := st.Mode & 0o777
	if c.noMode {
		mode = 0o777
	}
	if c.keepOwner {
		mode &^= 0o077
	}
	if err := wsys.Mkdir(cwd, to, mode|0o700); err != nil {
		c.p.Errno(err, "cannot create directory ", cmdkit.QuoteAF(to))
		return false, false
	}
	if m := umask(); m&0o700 != 0 {
		// The owner's bits must be there while the contents are written.
		wsys.Chmod(cwd, to, mode&^m|0o700, true)
	}
	c.said(path, to, "")
	return true, true
}

func (c *copier) finishDir(d *pending) bool {
	ok := c.attributes(d.dst, &d.st, true)
	if d.fresh && !c.keepMode {
		mode := d.st.Mode & 0o777 &^ umask()
		if c.noMode {
			mode = 0o777 &^ umask()
		}
		if mode&0o700 != 0o700 || umask()&0o700 != 0 || c.keepOwner {
			if err := wsys.Chmod(cwd, d.dst, mode, true); err != nil {
				c.p.Errno(err, "setting permissions for ", cmdkit.QuoteAF(d.dst))
				ok = false
			}
		}
	}
	return ok
}

func (c *copier) said(src, dst, backup string) {
	if !c.verbose {
		return
	}
	b := ""
	if backup != "" {
		b = " (backup: " + cmdkit.QuoteAF(backup) + ")"
	}
	what := ""
	if c.moving {
		what = "copied "
	}
	say(c.p, what, cmdkit.QuoteAF(src), " -> ", cmdkit.QuoteAF(dst), b)
}

// modeQuestion is the part of a question about a file that cannot be written.
func modeQuestion(st *abi.Stat, verb, end, dst string) string {
	m := st.Mode & abi.ModeAll
	return verb + cmdkit.QuoteAF(dst) + ", overriding mode " + string(filemode.AppendOctal(nil, m, 4)) + " (" + filemode.String(m)[1:] + ")" + end
}

// replaceable asks what has to be asked before dst is replaced.
func (c *copier) replaceable(dst string, st *abi.Stat) bool {
	if !c.interactive {
		return true
	}
	if !st.Mode.IsSymlink() && wsys.Access(cwd, dst, abi.AccessWrite) != nil {
		verb, end := "unwritable ", "; try anyway? "
		if c.moving || c.removeDest || c.force {
			verb, end = "replace ", "? "
		}
		return ask(c.p, modeQuestion(st, verb, end, dst))
	}
	return ask(c.p, "overwrite ", cmdkit.QuoteAF(dst), "? ")
}

// file copies what is no directory: the source is name in dir, printed as src.
func (c *copier) file(src, dst string, dir wsys.FD, name string, st *abi.Stat) bool {
	p := c.p
	asFile := !c.recursive && !st.Mode.IsSymlink() && !c.moving
	bak := ""
	d, err := wsys.StatAt(cwd, dst, false)
	exists := err == nil
	if err != nil && err != abi.ENOENT && err != abi.ENOTDIR {
		p.Errno(err, "cannot stat ", cmdkit.QuoteAF(dst))
		return false
	}
	if exists {
		// What writing would change: the file behind a link, unless the link
		// itself is replaced.
		target := d
		replacesLink := st.Mode.IsSymlink() || c.removeDest || c.symLink || c.hardLink || c.moving || c.backup.kind != backupNone
		if d.Mode.IsSymlink() && !replacesLink {
			t, terr := wsys.StatAt(cwd, dst, true)
			if terr != nil {
				p.Warn("not writing through dangling symlink ", cmdkit.QuoteAF(dst))
				return false
			}
			target = t
		}
		if same(st, &target) {
			switch {
			case c.hardLink && !d.Mode.IsSymlink():
				return true
			case d.Mode.IsSymlink() && replacesLink && !st.Mode.IsSymlink():
				// dst is a link to src: replacing it leaves src alone.
			case c.backup.kind != backupNone && src != dst && !sameName(src, dst):
			default:
				p.Warn(cmdkit.QuoteAF(src), " and ", cmdkit.QuoteAF(dst), " are the same file")
				return false
			}
		} else if d.Mode.IsSymlink() && (c.removeDest || c.symLink) {
			if t, terr := wsys.StatAt(cwd, dst, true); terr == nil && same(st, &t) && c.symLink {
				p.Warn(cmdkit.QuoteAF(src), " and ", cmdkit.QuoteAF(dst), " are the same file")
				return false
			}
		}
		if target.Mode.IsDir() {
			p.Warn("cannot overwrite directory ", cmdkit.QuoteAF(dst), " with non-directory")
			return false
		}
		if c.update && target.Mtim >= st.Mtim {
			return true
		}
		if c.noClobber {
			return true
		}
		if c.created[idOf(&d)] {
			p.Warn("will not overwrite just-created ", cmdkit.QuoteAF(dst), " with ", cmdkit.QuoteAF(src))
			return false
		}
		if !c.replaceable(dst, &target) {
			return true
		}
		switch {
		case c.backup.kind != backupNone:
			bak = c.backup.name(dst)
			if sameName(bak, src) {
				p.Warn("backing up ", cmdkit.QuoteAF(dst), " might destroy source;  ", cmdkit.QuoteAF(src), " not copied")
				return false
			}
			if err := wsys.Rename(cwd, dst, cwd, bak); err != nil {
				p.Errno(err, "cannot backup ", cmdkit.QuoteAF(dst))
				return false
			}
			exists = false
		case c.removeDest, st.Mode.IsSymlink(), c.moving,
			(c.symLink || c.hardLink) && (c.force || c.interactive),
			c.keepLinks && st.Nlink > 1 && c.links[idOf(st)] != "",
			!asFile && st.Mode&abi.ModeFmt == abi.ModeFIFO:
			if err := wsys.Unlink(cwd, dst); err != nil && err != abi.ENOENT {
				p.Errno(err, "cannot remove ", cmdkit.QuoteAF(dst))
				return false
			}
			if c.verbose && c.removeDest {
				say(p, "removed ", cmdkit.QuoteAF(dst))
			}
			exists = false
		}
	}
	if c.keepLinks && st.Nlink > 1 {
		if to := c.links[idOf(st)]; to != "" {
			c.said(src, dst, bak)
			err := wsys.Link(cwd, to, cwd, dst, false)
			if err != nil {
				p.Errno(err, "cannot create hard link ", cmdkit.QuoteAF(dst), " to ", cmdkit.QuoteAF(to))
			}
			return err == nil
		}
		if c.links == nil {
			c.links = map[fileID]string{}
		}
		c.links[idOf(st)] = dst
	}
	c.said(src, dst, bak)
	switch {
	case c.symLink:
		if src == "" || src[0] != '/' {
			if parent := dirName(dst); parent != "." {
				a, err1 := wsys.StatAt(cwd, ".", true)
				b, err2 := wsys.StatAt(cwd, parent, true)
				if err1 != nil || err2 != nil || !same(&a, &b) {
					p.Warn(cmdkit.QuoteF(dst), ": can make relative symbolic links only in current directory")
					return false
				}
			}
		}
		if err := wsys.Symlink(src, cwd, dst); err != nil {
			p.Errno(err, "cannot create symbolic link ", cmdkit.QuoteAF(dst), " to ", cmdkit.QuoteAF(src))
			return false
		}
		return true
	case c.hardLink:
		if err := wsys.Link(dir, name, cwd, dst, c.follow == fswalk.FollowAll); err != nil {
			p.Errno(err, "cannot create hard link ", cmdkit.QuoteAF(dst), " to ", cmdkit.QuoteAF(src))
			return false
		}
		return true
	case st.Mode.IsSymlink():
		to, err := wsys.Readlink(dir, name)
		if err != nil {
			p.Errno(err, "cannot read symbolic link ", cmdkit.QuoteAF(src))
			return false
		}
		if err := wsys.Symlink(to, cwd, dst); err != nil {
			p.Errno(err, "cannot create symbolic link ", cmdkit.QuoteAF(dst))
			return false
		}
		c.made(dst)
		if c.keepOwner {
			wsys.Chown(cwd, dst, int(st.UID), int(st.GID), false)
		}
		if c.keepTimes {
			wsys.Utimes(cwd, dst, st.Atim, st.Mtim, false)
		}
		return true
	case asFile, st.Mode.IsRegular():
		return c.regular(src, dst, dir, name, st, exists)
	case st.Mode&abi.ModeFmt == abi.ModeFIFO:
		if err := wsys.Mkfifo(cwd, dst, st.Mode&0o777); err != nil {
			p.Errno(err, "cannot create fifo ", cmdkit.QuoteAF(dst))
			return false
		}
	default:
		p.Errno(abi.ENOTSUP, "cannot create special file ", cmdkit.QuoteAF(dst))
		return false
	}
	c.made(dst)
	return c.attributes(dst, st, false)
}

// sameName reports whether two names are the same entry of the same directory.
func sameName(a, b string) bool {
	if cmdkit.Base(a) != cmdkit.Base(b) {
		return false
	}
	x, err1 := wsys.StatAt(cwd, dirName(a), true)
	y, err2 := wsys.StatAt(cwd, dirName(b), true)
	return err1 == nil && err2 == nil && same(&x, &y)
}

// made remembers that dst was made by this run.
func (c *copier) made(dst string) {
	if c.created == nil {
		return
	}
	if st, err := wsys.StatAt(cwd, dst, false); err == nil {
		c.created[idOf(&st)] = true
	}
}

func (c *copier) regular(src, dst string, dir wsys.FD, name string, st *abi.Stat, exists bool) bool {
	p := c.p
	in, err := wsys.Open(dir, name, abi.ORdonly|abi.OCloexec, 0)
	if err != nil {
		p.Errno(err, "cannot open ", cmdkit.QuoteAF(src), " for reading")
		return false
	}
	defer wsys.Close(in)
	mode := st.Mode & 0o777
	if c.noMode {
		mode = 0o666
	}
	perm := mode
	if c.keepOwner {
		perm &^= 0o077
	}
	var out wsys.FD
	if exists {
		flags := abi.OWronly | abi.OCloexec
		if !c.attrOnly {
			flags |= abi.OTrunc
		}
		if out, err = wsys.Open(cwd, dst, flags, 0); err != nil && c.force {
			if uerr := wsys.Unlink(cwd, dst); uerr != nil {
				p.Errno(uerr, "cannot remove ", cmdkit.QuoteAF(dst))
				return false
			}
			if c.verbose {
				say(p, "removed ", cmdkit.QuoteAF(dst))
			}
			exists = false
		}
	}
	if !exists {
		out, err = wsys.Open(cwd, dst, abi.OWronly|abi.OCreat|abi.OExcl|abi.OCloexec, perm)
		if err == abi.EISDIR && dst != "" && dst[len(dst)-1] == '/' {
			err = abi.ENOTDIR
		}
	}
	if err != nil {
		p.Errno(err, "cannot create regular file ", cmdkit.QuoteAF(dst))
		return false
	}
	ok := true
	if !c.attrOnly {
		if rerr, werr := copyData(in, out); rerr != nil {
			p.Errno(rerr, "error reading ", cmdkit.QuoteAF(src))
			ok = false
		} else if werr != nil {
			p.Errno(werr, "error writing ", cmdkit.QuoteAF(dst))
			ok = false
		}
	}
	if c.created != nil {
		if d, err := wsys.Fstat(out); err == nil {
			c.created[idOf(&d)] = true
		}
	}
	if c.keepOwner {
		wsys.Fchown(out, int(st.UID), int(st.GID))
	}
	if c.keepTimes {
		if err := wsys.Futimes(out, st.Atim, st.Mtim); err != nil {
			p.Errno(err, "preserving times for ", cmdkit.QuoteAF(dst))
			ok = false
		}
	}
	switch {
	case c.keepMode:
		if err := wsys.Fchmod(out, st.Mode&abi.ModeAll); err != nil {
			p.Errno(err, "preserving permissions for ", cmdkit.QuoteAF(dst))
			ok = false
		}
	case perm != mode && !exists:
		wsys.Fchmod(out, mode&^umask())
	}
	if err := wsys.Close(out); err != nil && ok {
		p.Errno(err, "failed to close ", cmdkit.QuoteAF(dst))
		ok = false
	}
	return ok
}

// copyData copies in to its end: inside the kernel where it can, else through a
// buffer.
func copyData(in, out wsys.FD) (rerr, werr error) {
	copied := false
	for {
		n, err := wsys.Splice(in, out, 1<<30)
		if err == abi.EINTR {
			continue
		}
		if n > 0 && err == nil {
			copied = true
			continue
		}
		if err == nil {
			return nil, nil
		}
		if err != abi.EINVAL && err != abi.ENOSYS {
			if copied {
				return nil, err
			}
			break // the loop below tells which side it is
		}
		break
	}
	for {
		n, err := wsys.Read(in, copyBuf[:])
		if err == abi.EINTR {
			continue
		}
		if err != nil || n == 0 {
			return err, nil
		}
		if err := wsys.WriteAll(out, copyBuf[:n]); err != nil {
			return nil, err
		}
	}
}

// attributes gives dst those of st that are to be kept.
func (c *copier) attributes(dst string, st *abi.Stat, dir bool) bool {
	ok := true
	if c.keepOwner {
		wsys.Chown(cwd, dst, int(st.UID), int(st.GID), dir)
	}
	if c.keepTimes {
		if err := wsys.Utimes(cwd, dst, st.Atim, st.Mtim, dir); err != nil {
			c.p.Errno(err, "preserving times for ", cmdkit.QuoteAF(dst))
			ok = false
		}
	}
	if c.keepMode {
		if err := wsys.Chmod(cwd, dst, st.Mode&abi.ModeAll, dir); err != nil {
			c.p.Errno(err, "preserving permissions for ", cmdkit.QuoteAF(dst))
			ok = false
		}
	}
	return ok
}
