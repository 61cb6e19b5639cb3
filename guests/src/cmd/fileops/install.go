// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package fileops

import (
	"strconv"

	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/guests/src/cmdkit"
	"github.com/wsandbox/wsandbox/guests/src/filemode"
	"github.com/wsandbox/wsandbox/guests/src/fswalk"
	"github.com/wsandbox/wsandbox/guests/src/wsys"
)

func itoa(v int64) string { return strconv.FormatInt(v, 10) }

var installSyntax = cmdkit.Syntax{
	Short: "bcCsDdg:m:o:pt:TvS:Z",
	Long: []cmdkit.Long{{Name: "backup", Arg: cmdkit.OptionalArg, Val: 'b'}, {Name: "compare", Val: 'C'}, {Name: "directory", Val: 'd'},
		{Name: "group", Arg: cmdkit.RequiredArg, Val: 'g'}, {Name: "mode", Arg: cmdkit.RequiredArg, Val: 'm'},
		{Name: "no-target-directory", Val: 'T'}, {Name: "owner", Arg: cmdkit.RequiredArg, Val: 'o'}, {Name: "preserve-timestamps", Val: 'p'},
		{Name: "strip", Val: 's'}, {Name: "suffix", Arg: cmdkit.RequiredArg, Val: 'S'},
		{Name: "target-directory", Arg: cmdkit.RequiredArg, Val: 't'}, {Name: "verbose", Val: 'v'}},
	Usage: []string{"[OPTION]... [-T] SOURCE DEST", "[OPTION]... SOURCE... DIRECTORY", "[OPTION]... -t DIRECTORY SOURCE...", "[OPTION]... -d DIRECTORY..."},
	Help: `Copy files and set their attributes, or create directories.

  -b, --backup[=CONTROL]  keep a backup of each existing destination file
  -c                      ignored
  -C, --compare           do nothing where the destination is the same already
  -d, --directory         create the directories, with parents
  -D                      create the parents of DEST, or DIRECTORY of -t
  -g, --group=GROUP       set the group
  -m, --mode=MODE         set the mode as chmod does, instead of rwxr-xr-x
  -o, --owner=OWNER       set the owner
  -p, --preserve-timestamps  keep the times of SOURCE
  -s, --strip             refused: there is no strip program
  -S, --suffix=SUFFIX     the suffix of backups
  -t, --target-directory=DIRECTORY  copy into DIRECTORY
  -T, --no-target-directory  treat DEST as a file
  -v, --verbose           tell what is done
`,
}

type installer struct {
	copier
	mode     filemode.Changes
	uid, gid int
	compare  bool
}

// Install copies files and sets their attributes.
func Install(p *cmdkit.Proc) int {
	in := &installer{copier: copier{p: p, follow: fswalk.FollowAll, removeDest: true}, uid: -1, gid: -1}
	var bo backupOptions
	to := targets{failure: "failed to access "}
	dirs, parents, mode := false, false, "755"
	own, group := "", ""
	g := p.Options(&installSyntax)
	for g.Next() {
		switch g.Opt {
		case 'b', 'S':
			bo.set(g)
		case 'C':
			in.compare = true
		case 'd':
			dirs = true
		case 'D':
			parents = true
		case 'g':
			group = g.Arg
		case 'm':
			mode = g.Arg
		case 'o':
			own = g.Arg
		case 'p':
			in.keepTimes = true
		case 's':
			return p.Warn("cannot strip: there is no strip program")
		case 't', 'T':
			to.set(g)
		case 'v':
			in.verbose = true
		}
	}
	if g.Stop {
		return g.Status
	}
	if dirs && to.dirGiven {
		return p.Warn("target directory not allowed when installing a directory")
	}
	var ok bool
	if in.backup, ok = bo.resolve(p); !ok {
		return p.TryHelp(1)
	}
	if in.mode, ok = modeArg(p, mode); !ok {
		return 1
	}
	if own != "" {
		if in.uid, ok = parseID(own, false); !ok {
			return p.Warn("invalid user ", cmdkit.Quote(own))
		}
	}
	if group != "" {
		if in.gid, ok = parseID(group, true); !ok {
			return p.Warn("invalid group ", cmdkit.Quote(group))
		}
	}
	status := 0
	if dirs {
		if len(g.Operands) == 0 {
			return p.UsageError(1, "missing file operand")
		}
		for _, d := range g.Operands {
			if !in.directory(d) {
				status = 1
			}
		}
		return status
	}
	if parents && to.dirGiven {
		if !makeDirTold(p, to.dir, 0o755, false, true, in.creating) {
			return 1
		}
	}
	if !to.resolve(p, g.Operands) {
		return 1
	}
	if parents && to.dir == "" {
		if !makeParents(p, to.dest, in.creating) {
			return 1
		}
	}
	if len(to.files) > 1 {
		in.created = map[fileID]bool{}
	}
	for _, src := range to.files {
		dst := to.dest
		if to.dir != "" {
			dst = to.name(src)
		}
		if !in.file(src, dst) {
			status = 1
		}
	}
	return status
}

func (in *installer) creating(d string) {
	if in.verbose {
		say(in.p, in.p.Name, ": creating directory ", cmdkit.QuoteAF(d))
	}
}

func (in *installer) directory(dir string) bool {
	return makeDirTold(in.p, dir, 0o755, false, true, in.creating) && in.finish(dir, true)
}

func (in *installer) finish(path string, dir bool) bool {
	if in.uid >= 0 || in.gid >= 0 {
		if err := wsys.Chown(cwd, path, in.uid, in.gid, true); err != nil {
			in.p.Errno(err, "cannot change ownership of ", cmdkit.QuoteAF(path))
			return false
		}
	}
	if err := wsys.Chmod(cwd, path, in.mode.Adjust(0, dir, 0), true); err != nil {
		in.p.Errno(err, "cannot change permissions of ", cmdkit.QuoteAF(path))
		return false
	}
	return true
}

func (in *installer) file(src, dst string) bool {
	st, err := wsys.StatAt(cwd, src, true)
	if err != nil {
		in.p.Errno(err, "cannot stat ", cmdkit.QuoteAF(src))
		return false
	}
	if st.Mode.IsDir() {
		in.p.Warn("omitting directory ", cmdkit.QuoteAF(src))
		return false
	}
	if in.compare && in.unchanged(src, dst, &st) {
		return true
	}
	// A new file is private until it has its mode.
	private := st
	private.Mode = abi.ModeRegular | 0o600
	return in.copier.file(src, dst, cwd, src, &private) && in.finish(dst, false)
}

// unchanged reports whether dst has the contents, mode and owner already.
func (in *installer) unchanged(src, dst string, st *abi.Stat) bool {
	d, err := wsys.StatAt(cwd, dst, false)
	if err != nil || !d.Mode.IsRegular() || !st.Mode.IsRegular() || d.Size != st.Size ||
		d.Mode&abi.ModeAll != in.mode.Adjust(0, false, 0) ||
		in.uid >= 0 && d.UID != uint32(in.uid) || in.gid >= 0 && d.GID != uint32(in.gid) {
		return false
	}
	a, err := wsys.Open(cwd, src, abi.ORdonly|abi.OCloexec, 0)
	if err != nil {
		return false
	}
	defer wsys.Close(a)
	b, err := wsys.Open(cwd, dst, abi.ORdonly|abi.OCloexec, 0)
	if err != nil {
		return false
	}
	defer wsys.Close(b)
	half := len(copyBuf) / 2
	for {
		x, err := readFull(a, copyBuf[:half])
		if err != nil {
			return false
		}
		y, err := readFull(b, copyBuf[half:])
		if err != nil || x != y || string(copyBuf[:x]) != string(copyBuf[half:half+y]) {
			return false
		}
		if x < half {
			return true
		}
	}
}

// readFull reads until b is full or the end.
func readFull(fd wsys.FD, b []byte) (int, error) {
	n := 0
	for n < len(b) {
		k, err := wsys.Read(fd, b[n:])
		n += k
		if err == abi.EINTR {
			continue
		}
		if err != nil || k == 0 {
			return n, err
		}
	}
	return n, nil
}
