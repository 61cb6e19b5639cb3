// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package archive

import (
	"bytes"
	"slices"
	"strconv"

	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/guests/src/cmdkit"
	"github.com/wsandbox/wsandbox/guests/src/datetime"
	"github.com/wsandbox/wsandbox/guests/src/filemode"
	"github.com/wsandbox/wsandbox/guests/src/flate"
	"github.com/wsandbox/wsandbox/guests/src/fnmatch"
	"github.com/wsandbox/wsandbox/guests/src/wsys"
)

const (
	optStrip = 300 + iota
	optExclude
	optNoRecursion
	optWildcards
	optOverwrite
	optSkipOld
	optNumericOwner
	optSort
	optMtime
	optOwner
	optGroup
	optFormat
	optAccepted
	optUnsupported
)

var tarSyntax = cmdkit.Syntax{
	Short: "cxtruAdf:C:zZjJvkOpmhPT:X:aSlwb:ow",
	Long: []cmdkit.Long{
		{Name: "create", Val: 'c'}, {Name: "extract", Val: 'x'}, {Name: "get", Val: 'x'}, {Name: "list", Val: 't'}, {Name: "append", Val: 'r'},
		{Name: "update", Val: 'u'}, {Name: "concatenate", Val: 'A'}, {Name: "diff", Val: 'd'}, {Name: "delete", Val: optUnsupported},
		{Name: "file", Arg: cmdkit.RequiredArg, Val: 'f'}, {Name: "directory", Arg: cmdkit.RequiredArg, Val: 'C'}, {Name: "gzip", Val: 'z'}, {Name: "gunzip", Val: 'z'},
		{Name: "bzip2", Val: 'j'}, {Name: "xz", Val: 'J'}, {Name: "verbose", Val: 'v'}, {Name: "keep-old-files", Val: 'k'}, {Name: "to-stdout", Val: 'O'},
		{Name: "preserve-permissions", Val: 'p'}, {Name: "same-permissions", Val: 'p'}, {Name: "touch", Val: 'm'}, {Name: "dereference", Val: 'h'}, {Name: "absolute-names", Val: 'P'},
		{Name: "files-from", Arg: cmdkit.RequiredArg, Val: 'T'}, {Name: "exclude-from", Arg: cmdkit.RequiredArg, Val: 'X'}, {Name: "auto-compress", Val: 'a'},
		{Name: "strip-components", Arg: cmdkit.RequiredArg, Val: optStrip}, {Name: "exclude", Arg: cmdkit.RequiredArg, Val: optExclude}, {Name: "no-recursion", Val: optNoRecursion},
		{Name: "wildcards", Val: optWildcards}, {Name: "overwrite", Val: optOverwrite}, {Name: "skip-old-files", Val: optSkipOld}, {Name: "numeric-owner", Val: optNumericOwner},
		{Name: "sort", Arg: cmdkit.RequiredArg, Val: optSort}, {Name: "mtime", Arg: cmdkit.RequiredArg, Val: optMtime}, {Name: "owner", Arg: cmdkit.RequiredArg, Val: optOwner},
		{Name: "group", Arg: cmdkit.RequiredArg, Val: optGroup}, {Name: "format", Arg: cmdkit.RequiredArg, Val: optFormat}, {Name: "sparse", Val: 'S'},
		{Name: "no-same-owner", Val: optAccepted}, {Name: "no-same-permissions", Val: optAccepted}, {Name: "same-owner", Val: optAccepted}, {Name: "preserve-order", Val: optAccepted},
		{Name: "blocking-factor", Arg: cmdkit.RequiredArg, Val: 'b'}, {Name: "unlink-first", Val: optAccepted}, {Name: "warning", Arg: cmdkit.RequiredArg, Val: optAccepted},
	},
	Usage: []string{"[OPTION...] [FILE]..."},
	Help: `Store FILEs in an archive, and take them out of it.

  -c, --create               create an archive
  -t, --list                 list the contents
  -x, --extract              extract files
  -f, --file=ARCHIVE         the archive; - and none are standard input and output
  -z, --gzip                 through gzip; compressed archives are recognised
  -a, --auto-compress        like -z where the archive's name says so
  -C, --directory=DIR        change to DIR
  -v, --verbose              list files processed; twice, or with -t, in full
  -h, --dereference          store what symbolic links point to
  -k, --keep-old-files       do not replace existing files
      --skip-old-files       likewise, silently
      --overwrite            write into existing files
  -m, --touch                do not restore modification times
  -O, --to-stdout            extract to standard output
  -p, --preserve-permissions do not apply the umask
  -P, --absolute-names       do not strip leading slashes from names
  -T, --files-from=FILE      get names from FILE
  -X, --exclude-from=FILE    exclude the patterns in FILE
      --exclude=PATTERN      exclude files that match PATTERN
      --no-recursion         do not descend into directories
      --strip-components=N   strip N leading components from names
      --wildcards            names of -t and -x are patterns
      --mtime=DATE, --owner=NAME, --group=NAME, --numeric-owner, --sort=name
                             what is stored of members
      --format=FORMAT        accepted: gnu

Owners are not restored.

`,
	BadUsage: 2,
}

// operand is a name of the command line and the directory it is relative to.
type operand struct {
	name  string
	chdir []string // to go to before
	used  bool
}

// tar is a run of tar(1).
type tar struct {
	p             *cmdkit.Proc
	action        byte
	file          string
	gzip, auto    bool
	verbose       int
	keep, skipOld bool
	overwrite     bool
	toStdout      bool
	perms, touch  bool
	deref         bool
	absolute      bool
	noRecursion   bool
	wildcards     bool
	numeric       bool
	strip         int
	exclude       []string
	operands      []operand
	mtime         int64
	hasMtime      bool
	owner, group  string

	status   int
	names    cmdkit.Names
	zone     *datetime.Zone
	width    int // of owner, group and size in listings
	stripped map[string]bool
	list     *cmdkit.Writer // where verbose output goes
}

// Tar is tar(1).
func Tar(p *cmdkit.Proc) int {
	t := &tar{p: p, file: "-", width: 19, stripped: map[string]bool{}, list: p.Stdout}
	if !t.parse() {
		return t.status
	}
	if t.status != 0 {
		return t.status
	}
	switch t.action {
	case 'c':
		t.create()
	default:
		t.extract()
	}
	if t.status == 2 {
		p.Warn("Exiting with failure status due to previous errors")
	}
	if t.status == 3 { // said already
		t.status = 2
	}
	return t.status
}

// fatal reports an error that ends the command.
func (t *tar) fatal(parts ...string) {
	t.p.Warn(parts...)
	t.p.Warn("Error is not recoverable: exiting now")
	t.status = 3
}

func (t *tar) fail(parts ...string) {
	t.p.Warn(parts...)
	if t.status == 0 {
		t.status = 2
	}
}

func (t *tar) usage(parts ...string) bool {
	t.p.Warn(parts...)
	t.p.Stderr.WriteString("Try '" + t.p.Name + " --help' or '" + t.p.Name + " --usage' for more information.\n")
	t.status = 2
	return false
}

// oldStyle turns a first argument without a dash into options: "xzf a" is "-x -z
// -f a".
func (t *tar) oldStyle(args []string) ([]string, bool) {
	if len(args) == 0 || args[0] == "" || args[0][0] == '-' {
		return args, true
	}
	var out []string
	rest := args[1:]
	for i := range len(args[0]) {
		c := args[0][i]
		out = append(out, "-"+string([]byte{c}))
		k := bytes.IndexByte([]byte(tarSyntax.Short), c)
		if k >= 0 && k+1 < len(tarSyntax.Short) && tarSyntax.Short[k+1] == ':' {
			if len(rest) == 0 {
				return nil, t.usage("Old option '", string([]byte{c}), "' requires an argument.")
			}
			out = append(out, rest[0])
			rest = rest[1:]
		}
	}
	return append(out, rest...), true
}

func (t *tar) parse() bool {
	p := t.p
	args, ok := t.oldStyle(p.Args)
	if !ok {
		return false
	}
	g := p.OptionsOf(&tarSyntax, args)
	var chdir []string
	mtimeText := ""
	seen := 0
	take := func() { // the names so far belong to the directory so far
		for _, name := range g.Operands[seen:] {
			t.operands = append(t.operands, operand{name: name, chdir: chdir})
			chdir = nil
		}
		seen = len(g.Operands)
	}
	lines := func(name string) ([]string, bool) {
		var b []byte
		var err error
		if name == "-" {
			b, err = wsys.ReadAll(p.Stdin.FD)
		} else {
			b, err = wsys.ReadFile(name)
		}
		if err != nil {
			t.fatal(name, ": Cannot open: ", cmdkit.Strerror(err))
			return nil, false
		}
		var l []string
		for _, s := range bytes.Split(b, []byte{'\n'}) {
			if len(s) > 0 {
				l = append(l, string(s))
			}
		}
		return l, true
	}
	for g.Next() {
		switch g.Opt {
		case 'c', 'x', 't':
			if t.action != 0 && t.action != byte(g.Opt) {
				return t.usage("You may not specify more than one '-Acdtrux', '--delete' or  '--test-label' option")
			}
			t.action = byte(g.Opt)
		case 'r', 'u', 'A', 'd', 'j', 'J', 'Z', 'S', 'w', optUnsupported:
			p.Warn("option ", cmdkit.Quote(g.Spelling()), " is not supported")
			t.status = 2
			return false
		case 'f':
			t.file = g.Arg
		case 'C':
			take()
			chdir = append(chdir, g.Arg)
		case 'z':
			t.gzip = true
		case 'a':
			t.auto = true
		case 'v':
			t.verbose++
		case 'k':
			t.keep = true
		case 'O':
			t.toStdout = true
		case 'p':
			t.perms = true
		case 'm':
			t.touch = true
		case 'h':
			t.deref = true
		case 'P':
			t.absolute = true
		case 'T':
			take()
			l, ok := lines(g.Arg)
			if !ok {
				return false
			}
			for _, name := range l {
				t.operands = append(t.operands, operand{name: name, chdir: chdir})
				chdir = nil
			}
		case 'X':
			l, ok := lines(g.Arg)
			if !ok {
				return false
			}
			t.exclude = append(t.exclude, l...)
		case optStrip:
			v, e := cmdkit.ParseUint(g.Arg, "")
			if e != cmdkit.NumOK || v > 1<<20 {
				return t.usage(g.Arg, ": Invalid number of elements")
			}
			t.strip = int(v)
		case optExclude:
			t.exclude = append(t.exclude, g.Arg)
		case optNoRecursion:
			t.noRecursion = true
		case optWildcards:
			t.wildcards = true
		case optOverwrite:
			t.overwrite = true
		case optSkipOld:
			t.skipOld = true
		case optNumericOwner:
			t.numeric = true
		case optSort:
			if g.Arg != "name" && g.Arg != "none" && g.Arg != "inode" {
				return t.usage("invalid argument ", cmdkit.Quote(g.Arg), " for ", cmdkit.Quote("--sort"))
			}
		case optMtime:
			tz, set := p.LookupEnv("TZ")
			sec, _, ok := datetime.Parse(g.Arg, wsys.Now()/1e9, 0, datetime.Load(tz, set))
			if !ok {
				return t.usage("Invalid mtime ", cmdkit.Quote(g.Arg))
			}
			t.mtime, t.hasMtime, mtimeText = sec, true, g.Arg
		case optOwner:
			t.owner = g.Arg
		case optGroup:
			t.group = g.Arg
		case optFormat:
			if g.Arg != "gnu" && g.Arg != "oldgnu" {
				p.Warn("format ", cmdkit.Quote(g.Arg), " is not supported")
				t.status = 2
				return false
			}
		}
	}
	if g.Stop {
		t.status = g.Status
		return false
	}
	take()
	if t.hasMtime && t.verbose > 0 {
		if text := t.date(t.mtime, "%Y-%m-%d %H:%M:%S"); text != mtimeText {
			p.Warn("Option --mtime: Treating date ", cmdkit.Quote(mtimeText), " as ", text)
		}
	}
	if t.action == 0 {
		return t.usage("You must specify one of the '-Acdtrux', '--delete' or '--test-label' options")
	}
	if len(chdir) > 0 {
		if t.action == 'c' && len(t.operands) > 0 {
			chdir = nil
		} else {
			t.operands = append(t.operands, operand{chdir: chdir})
		}
	}
	if t.action == 'c' && (len(t.operands) == 0 || len(t.operands) == 1 && t.operands[0].name == "" && len(t.operands[0].chdir) > 0) {
		p.Warn("Cowardly refusing to create an empty archive")
		p.Stderr.WriteString("Try '" + p.Name + " --help' or '" + p.Name + " --usage' for more information.\n")
		t.status = 2
		return false
	}
	return true
}

// enter changes to the directories before an operand.
func (t *tar) enter(o *operand) bool {
	for _, d := range o.chdir {
		if err := wsys.Chdir(d); err != nil {
			t.fatal(d, ": Cannot open: ", cmdkit.Strerror(err))
			return false
		}
	}
	return true
}

// excluded reports whether a name matches a pattern from one of its elements on.
func (t *tar) excluded(name string) bool {
	name = trimSlash(name)
	for _, pat := range t.exclude {
		for i := 0; i < len(name); i++ {
			if i > 0 && name[i-1] != '/' {
				continue
			}
			if fnmatch.Match(trimSlash(pat), name[i:], fnmatch.LeadingDir) {
				return true
			}
		}
	}
	return false
}

func trimSlash(s string) string {
	for len(s) > 1 && s[len(s)-1] == '/' {
		s = s[:len(s)-1]
	}
	return s
}

// safeName removes leading slashes and what is before "..", and says so once.
func (t *tar) safeName(name, what string) string {
	if t.absolute {
		return name
	}
	cut := 0
	for i := 0; i+1 < len(name); i++ {
		if name[i] == '.' && name[i+1] == '.' && (i == 0 || name[i-1] == '/') && (i+2 == len(name) || name[i+2] == '/') {
			cut = min(i+3, len(name))
		}
	}
	for cut < len(name) && name[cut] == '/' {
		cut++
	}
	if cut == 0 {
		return name
	}
	if prefix := name[:cut]; !t.stripped[what+prefix] {
		t.stripped[what+prefix] = true
		t.p.Warn("Removing leading `", prefix, "' from ", what)
	}
	if cut == len(name) {
		return "."
	}
	return name[cut:]
}

// quoted returns a name as listings show it.
func quoted(s string) string {
	var b []byte
	for i := 0; i < len(s); {
		n, printable := cmdkit.RuneLen(s[i:])
		switch {
		case s[i] == '\\':
			b = append(b, '\\', '\\')
		case printable:
			b = append(b, s[i:i+n]...)
		default:
			for k := i; k < i+n; k++ {
				b = cmdkit.AppendEscaped(b, s[k])
			}
		}
		i += n
	}
	return string(b)
}

// date formats a time of the local zone.
func (t *tar) date(sec int64, format string) string {
	if t.zone == nil {
		tz, set := t.p.LookupEnv("TZ")
		t.zone = datetime.Load(tz, set)
	}
	c := datetime.In(sec, t.zone)
	return string(datetime.AppendFormat(nil, format, &c, sec, 0))
}

// show lists a member; full as with -tv.
func (t *tar) show(h *header, full bool) {
	w := t.list
	if !full {
		w.WriteString(quoted(h.name) + "\n")
		return
	}
	user, group := h.user, h.group
	if user == "" || t.numeric {
		user = strconv.FormatUint(uint64(h.uid), 10)
	}
	if group == "" || t.numeric {
		group = strconv.FormatUint(uint64(h.gid), 10)
	}
	mode := []byte(filemode.String(h.fileMode()))
	if h.kind == typeLink {
		mode[0] = 'h'
	}
	size := strconv.FormatInt(h.data(), 10)
	if h.kind == typeChar || h.kind == typeBlock {
		size = strconv.FormatUint(uint64(h.major), 10) + "," + strconv.FormatUint(uint64(h.minor), 10)
	}
	n := len(user) + 1 + len(group) + 1 + len(size)
	t.width = max(t.width, n)
	w.Write(mode)
	w.WriteString(" " + user + "/" + group + " ")
	w.Pad(t.width - n)
	w.WriteString(size + " ")
	w.WriteString(t.date(h.mtime, "%Y-%m-%d %H:%M") + " " + quoted(h.name))
	switch h.kind {
	case typeSymlink:
		w.WriteString(" -> " + quoted(h.link))
	case typeLink:
		w.WriteString(" link to " + quoted(h.link))
	}
	w.WriteByte('\n')
}

// packer writes an archive.
type packer struct {
	*tar
	out     *cmdkit.Writer
	zip     *flate.Writer
	buf     []byte
	written int64
	linked  map[[2]uint64]string // names by device and inode
	dev     uint64               // of the archive, which is left out
	ino     uint64
}

func (k *packer) write(b []byte) {
	k.written += int64(len(b))
	if k.zip != nil {
		k.zip.Write(b)
	} else {
		k.out.Write(b)
	}
}

func endsIn(s, suffix string) bool {
	return len(s) >= len(suffix) && s[len(s)-len(suffix):] == suffix
}

func (t *tar) create() {
	k := &packer{tar: t, out: t.p.Stdout, linked: map[[2]uint64]string{}}
	if t.file != "-" {
		fd, err := wsys.Open(wsys.AtCwd, t.file, abi.OWronly|abi.OCreat|abi.OTrunc|abi.OCloexec, 0o666)
		if err != nil {
			t.fatal(t.file, ": Cannot open: ", cmdkit.Strerror(err))
			return
		}
		defer wsys.Close(fd)
		k.out = cmdkit.NewWriter(fd)
		if st, err := wsys.Fstat(fd); err == nil {
			k.dev, k.ino = st.Dev, st.Ino
		}
	} else {
		if wsys.Isatty(t.p.Stdout.FD) {
			t.fatal("Refusing to write archive contents to terminal (missing -f option?)")
			return
		}
		t.list = t.p.Stderr
	}
	if t.gzip || t.auto && (endsIn(t.file, ".gz") || endsIn(t.file, ".tgz") || endsIn(t.file, ".taz")) {
		k.zip = flate.NewWriter(6, flate.Header{}, func(b []byte) { k.out.Write(b) })
	}
	for i := range t.operands {
		o := &t.operands[i]
		if !t.enter(o) {
			return
		}
		if o.name != "" {
			k.add(o.name, true)
		}
		if k.out.Err != nil {
			break
		}
	}
	end := make([]byte, 2*blockSize)
	if rest := (k.written + int64(len(end))) % recordSize; rest > 0 {
		end = append(end, make([]byte, recordSize-rest)...)
	}
	k.write(end)
	if k.zip != nil {
		k.zip.Close()
	}
	if k.out != t.p.Stdout {
		if k.out.Flush(); k.out.Err != nil {
			t.fatal(t.file, ": Cannot write: ", cmdkit.Strerror(k.out.Err))
		}
	}
}

// add stores a file, and what is below a directory.
func (k *packer) add(path string, top bool) {
	if k.excluded(path) {
		return
	}
	st, err := wsys.StatAt(wsys.AtCwd, path, k.deref)
	if err != nil {
		k.fail(path, ": Cannot stat: ", cmdkit.Strerror(err))
		return
	}
	if st.Dev == k.dev && st.Ino == k.ino && k.ino != 0 {
		k.p.Warn(path, ": file is the archive; not dumped")
		return
	}
	h := header{name: k.safeName(path, "member names"), mode: uint32(st.Mode & 0o7777), uid: st.UID, gid: st.GID, mtime: st.Mtim / 1e9}
	if st.Mtim < 0 && st.Mtim%1e9 != 0 {
		h.mtime--
	}
	if k.hasMtime {
		h.mtime = k.mtime
	}
	if !k.numeric {
		h.user, h.group = name(k.names.User(st.UID)), name(k.names.Group(st.GID))
	}
	setID(&h.user, &h.uid, k.owner, k.names.User)
	setID(&h.group, &h.gid, k.group, k.names.Group)
	switch st.Mode & abi.ModeFmt {
	case abi.ModeDir:
		h.kind = typeDir
		if h.name[len(h.name)-1] != '/' {
			h.name += "/"
		}
	case abi.ModeSymlink:
		h.kind = typeSymlink
		if h.link, err = wsys.Readlink(wsys.AtCwd, path); err != nil {
			k.fail(path, ": Cannot readlink: ", cmdkit.Strerror(err))
			return
		}
	case abi.ModeFIFO:
		h.kind = typeFIFO
	case abi.ModeChar, abi.ModeBlock:
		h.kind = typeChar
		if st.Mode&abi.ModeFmt == abi.ModeBlock {
			h.kind = typeBlock
		}
		h.major, h.minor = uint32(st.Rdev>>8&0xfff), uint32(st.Rdev&0xff|st.Rdev>>12&0xfff00)
	case abi.ModeSocket:
		k.p.Warn(path, ": socket ignored")
		return
	default:
		h.kind, h.size = typeFile, st.Size
	}
	if st.Nlink > 1 && h.kind != typeDir && !k.deref {
		id := [2]uint64{st.Dev, st.Ino}
		if first, ok := k.linked[id]; ok {
			h.kind, h.link, h.size = typeLink, k.safeName(first, "hard link targets"), 0
		} else {
			k.linked[id] = path
		}
	}
	if h.kind == typeFile {
		k.regular(path, &h)
	} else {
		k.member(&h)
	}
	if h.kind == typeDir && !k.noRecursion {
		k.below(path)
	}
}

// name leaves out what is only a number.
func name(s string) string {
	if s == "" || s[0] >= '0' && s[0] <= '9' {
		return ""
	}
	return s
}

// setID applies --owner or --group: NAME, NAME:ID or a number.
func setID(to *string, id *uint32, s string, known func(uint32) string) {
	if s == "" {
		return
	}
	n := s
	for i := range len(s) {
		if s[i] == ':' {
			n = s[:i]
			s = s[i+1:]
			break
		}
	}
	if v, err := strconv.ParseUint(s, 10, 32); err == nil {
		*id = uint32(v)
		if n == s {
			n = name(known(*id))
		}
	}
	*to = n
}

func (k *packer) member(h *header) {
	if k.verbose > 0 {
		k.show(h, k.verbose > 1)
	}
	k.buf = h.put(k.buf[:0])
	k.write(k.buf)
}

var copyBuf [64 << 10]byte

// regular stores a regular file. Exactly as much as its head says follows.
func (k *packer) regular(path string, h *header) {
	fd, err := wsys.Open(wsys.AtCwd, path, abi.ORdonly|abi.OCloexec, 0)
	if err != nil {
		k.fail(path, ": Cannot open: ", cmdkit.Strerror(err))
		return
	}
	defer wsys.Close(fd)
	k.member(h)
	left := h.size
	for left > 0 && k.out.Err == nil {
		n, err := wsys.Read(fd, copyBuf[:min(left, int64(len(copyBuf)))])
		if err == abi.EINTR {
			continue
		}
		if err != nil || n == 0 {
			if err != nil {
				k.fail(path, ": Read error at byte ", strconv.FormatInt(h.size-left, 10), ": ", cmdkit.Strerror(err))
			} else {
				k.fail(path, ": File shrank by ", strconv.FormatInt(left, 10), " bytes; padding with zeros")
			}
			clear(copyBuf[:])
			for left > 0 && k.out.Err == nil {
				n := min(left, int64(len(copyBuf)))
				k.write(copyBuf[:n])
				left -= n
			}
			break
		}
		k.write(copyBuf[:n])
		left -= int64(n)
	}
	if rest := h.size % blockSize; rest > 0 {
		var zeros [blockSize]byte
		k.write(zeros[rest:])
	}
}

// below stores what is in a directory, in the order of names.
func (k *packer) below(path string) {
	fd, err := wsys.Open(wsys.AtCwd, path, abi.ORdonly|abi.ODirectory|abi.OCloexec, 0)
	if err != nil {
		k.fail(path, ": Cannot open: ", cmdkit.Strerror(err))
		return
	}
	var names []string
	var buf []wsys.Dirent
	for cookie := uint64(0); ; {
		if buf, err = wsys.ReadDir(fd, buf[:0], cookie, false); err != nil || len(buf) == 0 {
			break
		}
		for _, e := range buf {
			cookie = e.Cookie
			if e.Name != "." && e.Name != ".." {
				names = append(names, e.Name)
			}
		}
	}
	wsys.Close(fd)
	if err != nil {
		k.fail(path, ": Cannot read: ", cmdkit.Strerror(err))
	}
	slices.Sort(names)
	if path[len(path)-1] != '/' {
		path += "/"
	}
	for _, n := range names {
		if k.out.Err != nil {
			return
		}
		k.add(path+n, false)
	}
}
