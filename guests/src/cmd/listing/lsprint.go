// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package listing

import (
	"strconv"

	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/guests/src/cmdkit"
	"github.com/wsandbox/wsandbox/guests/src/datetime"
	"github.com/wsandbox/wsandbox/guests/src/filemode"
)

// lsWidths are the widths of the columns of the long format.
type lsWidths struct {
	ino, blocks, nlink, owner, group, author, size, major, minor int
	devices, anyQuoted                                           bool
}

func blocksOf(e *lsEntry) uint64 {
	if !e.hasStat {
		return 0
	}
	return uint64(max(e.st.Blocks, 0))
}

func (l *lister) blocks(e *lsEntry) string {
	if !e.hasStat {
		return "?"
	}
	return l.outBlock.String(blocksOf(e), 512, cmdkit.Ceiling)
}

func (l *lister) user(uid uint32) string {
	if l.numeric {
		return itoa(uint64(uid))
	}
	return l.names.User(uid)
}

func (l *lister) group(gid uint32) string {
	if l.numeric {
		return itoa(uint64(gid))
	}
	return l.names.Group(gid)
}

func major(dev uint64) uint64 { return dev>>8&0xfff | dev>>32&^0xfff }
func minor(dev uint64) uint64 { return dev&0xff | dev>>12&^0xff }

func isDevice(m abi.Mode) bool {
	t := m & abi.ModeFmt
	return t == abi.ModeChar || t == abi.ModeBlock
}

func digits(v uint64) int {
	n := 1
	for v >= 10 {
		v /= 10
		n++
	}
	return n
}

// print lists entries: those of the directory dir, or the operands where dir is
// empty.
func (l *lister) print(list []lsEntry, dir string) {
	var w lsWidths
	long := l.format == formatLong
	total := uint64(0)
	for i := range list {
		e := &list[i]
		e.shown, e.width, e.quoted = quoteName(e.name, l.quote, l.hideControl)
		w.anyQuoted = w.anyQuoted || e.quoted
		if l.inode {
			w.ino = max(w.ino, digits(e.ino))
		}
		total += blocksOf(e)
		if l.sizes && l.format != formatCommas {
			w.blocks = max(w.blocks, len(l.blocks(e)))
		}
		if !long {
			continue
		}
		if !e.hasStat {
			w.nlink, w.size, w.owner, w.group, w.author = max(w.nlink, 1), max(w.size, 1), max(w.owner, 1), max(w.group, 1), max(w.author, 1)
			continue
		}
		w.nlink = max(w.nlink, digits(uint64(e.st.Nlink)))
		if !l.noOwner {
			w.owner = max(w.owner, cmdkit.Width(l.user(e.st.UID)))
		}
		if !l.noGroup {
			w.group = max(w.group, cmdkit.Width(l.group(e.st.GID)))
		}
		if l.author {
			w.author = max(w.author, cmdkit.Width(l.user(e.st.UID)))
		}
		if isDevice(e.mode) {
			w.devices = true
			w.major = max(w.major, digits(major(e.st.Rdev)))
			w.minor = max(w.minor, digits(minor(e.st.Rdev)))
		} else {
			w.size = max(w.size, len(l.fileBlock.String(uint64(e.st.Size), 1, cmdkit.Ceiling)))
		}
	}
	if w.devices {
		w.size = max(w.size, w.major+2+w.minor)
		w.major = max(w.major, w.size-2-w.minor)
	}
	// With a style that quotes only some names, the others get a blank in the
	// place of the quote.
	w.anyQuoted = w.anyQuoted && (l.quote == quoteShellEscape || l.quote == quoteShell) &&
		(long || (l.format == formatColumns || l.format == formatAcross) && l.width > 0)
	if dir != "" && (long || l.sizes) {
		l.o.WriteString("total ")
		l.o.WriteString(l.outBlock.String(total, 512, cmdkit.Ceiling))
		l.o.WriteByte(l.eol)
	}
	switch l.format {
	case formatLong:
		for i := range list {
			l.long(&list[i], &w)
			l.o.WriteByte(l.eol)
		}
	case formatOne:
		for i := range list {
			l.short(&list[i], &w)
			l.o.WriteByte(l.eol)
		}
	case formatCommas:
		l.commas(list, &w)
	default:
		l.columns(list, &w)
	}
}

// prefix writes what stands before a name: inode, blocks, context.
func (l *lister) prefix(e *lsEntry, w *lsWidths) {
	if l.inode {
		s := itoa(e.ino)
		if e.ino == 0 {
			s = "?"
		}
		l.right(s, w.ino)
		l.o.WriteByte(' ')
	}
	if l.sizes {
		l.right(l.blocks(e), w.blocks)
		l.o.WriteByte(' ')
	}
	if l.context && l.format != formatLong {
		l.o.WriteString("? ")
	}
}

func (l *lister) right(s string, width int) {
	l.o.Pad(width - cmdkit.Width(s))
	l.o.WriteString(s)
}

func (l *lister) left(s string, width int) {
	l.o.WriteString(s)
	l.o.Pad(width - cmdkit.Width(s))
}

func (l *lister) prefixWidth(e *lsEntry, w *lsWidths) int {
	n := 0
	if l.inode {
		if l.format == formatCommas {
			n += digits(e.ino) + 1
		} else {
			n += w.ino + 1
		}
	}
	if l.sizes {
		if l.format == formatCommas {
			n += len(l.blocks(e)) + 1
		} else {
			n += w.blocks + 1
		}
	}
	if l.context {
		n += 2
	}
	return n
}

func (l *lister) mark(mode abi.Mode) byte {
	if l.indicate == indicateNone {
		return 0
	}
	if mode.IsDir() {
		return '/'
	}
	if l.indicate == indicateSlash {
		return 0
	}
	switch mode & abi.ModeFmt {
	case abi.ModeSymlink:
		return '@'
	case abi.ModeFIFO:
		return '|'
	case abi.ModeSocket:
		return '='
	case abi.ModeRegular:
		if l.indicate == indicateClassify && mode&0o111 != 0 {
			return '*'
		}
	}
	return 0
}

// name writes a name in its colour.
func (l *lister) name(e *lsEntry, w *lsWidths) {
	if w.anyQuoted && !e.quoted {
		l.o.WriteByte(' ')
	}
	if l.color == nil {
		l.o.WriteString(e.shown)
		return
	}
	mode, orphan := e.mode, false
	if mode.IsSymlink() {
		orphan = !e.linkOK
		if l.color.linkAsTarget && e.linkOK {
			mode = e.linkMode
		}
	}
	l.color.put(l.o, l.color.of(e.name, mode, e.st.Nlink, orphan, false), e.shown)
}

func (l *lister) short(e *lsEntry, w *lsWidths) {
	l.prefix(e, w)
	l.name(e, w)
	if m := l.mark(e.mode); m != 0 {
		l.o.WriteByte(m)
	}
}

func (l *lister) long(e *lsEntry, w *lsWidths) {
	l.prefix(e, w)
	o := l.o
	if e.hasStat {
		o.Write(filemode.Append(o.Available(), e.mode))
		o.WriteByte(' ')
		l.right(itoa(uint64(e.st.Nlink)), w.nlink)
	} else {
		o.WriteByte(filemode.TypeLetter(e.mode))
		o.WriteString("????????? ")
		l.right("?", w.nlink)
	}
	o.WriteByte(' ')
	owner, group := "?", "?"
	if e.hasStat {
		owner, group = l.user(e.st.UID), l.group(e.st.GID)
	}
	pad := l.left
	if l.numeric {
		pad = l.right
	}
	if !l.noOwner {
		pad(owner, w.owner)
		o.WriteByte(' ')
	}
	if !l.noGroup {
		pad(group, w.group)
		o.WriteByte(' ')
	}
	if l.author {
		pad(owner, w.author)
		o.WriteByte(' ')
	}
	if l.context {
		o.WriteString("? ")
	}
	switch {
	case !e.hasStat:
		l.right("?", w.size)
	case isDevice(e.mode):
		l.right(itoa(major(e.st.Rdev)), w.major)
		o.WriteString(", ")
		l.right(itoa(minor(e.st.Rdev)), w.minor)
	default:
		if l.fileBlock.Size == 1 && !l.fileBlock.Human {
			o.Pad(w.size - digits(uint64(e.st.Size)))
			o.Write(strconv.AppendInt(o.Available(), e.st.Size, 10))
		} else {
			l.right(l.fileBlock.String(uint64(e.st.Size), 1, cmdkit.Ceiling), w.size)
		}
	}
	o.WriteByte(' ')
	l.date(e)
	o.WriteByte(' ')
	l.name(e, w)
	if !e.mode.IsSymlink() {
		if m := l.mark(e.mode); m != 0 {
			o.WriteByte(m)
		}
		return
	}
	if e.link == "" {
		return
	}
	o.WriteString(" -> ")
	t, _, _ := quoteName(e.link, l.quote, l.hideControl)
	if l.color != nil {
		mode := e.linkMode
		if !e.linkOK {
			mode = 0
		}
		l.color.put(o, l.color.of(e.link, mode, 1, false, !e.linkOK), t)
	} else {
		o.WriteString(t)
	}
	if e.linkOK {
		if m := l.mark(e.linkMode); m != 0 {
			o.WriteByte(m)
		}
	}
}

// halfYear is how long ago a time may be to be printed with its hour, in
// nanoseconds: half a Gregorian year.
const halfYear = 31556952 / 2 * int64(1e9)

func (l *lister) date(e *lsEntry) {
	if !e.hasStat {
		c := datetime.In(0, datetime.UTC)
		n := len(datetime.AppendFormat(nil, l.recent, &c, 0, 0))
		l.right("?", n)
		return
	}
	t := l.stamp(e)
	format := l.old
	if t > l.now-halfYear && t <= l.now {
		format = l.recent
	}
	sec := t / 1e9
	nsec := t % 1e9
	if nsec < 0 {
		sec, nsec = sec-1, nsec+1e9
	}
	c := datetime.In(sec, l.zone)
	l.o.Write(datetime.AppendFormat(l.o.Available(), format, &c, sec, int(nsec)))
}

func (l *lister) length(e *lsEntry, w *lsWidths) int {
	n := e.width + l.prefixWidth(e, w)
	if w.anyQuoted && !e.quoted {
		n++
	}
	if l.mark(e.mode) != 0 {
		n++
	}
	return n
}

func (l *lister) commas(list []lsEntry, w *lsWidths) {
	pos := 0
	for i := range list {
		n := l.length(&list[i], w)
		if i > 0 {
			if l.width == 0 || pos+n+2 < l.width {
				pos += 2
				l.o.WriteString(", ")
			} else {
				pos = 0
				l.o.WriteByte(',')
				l.o.WriteByte(l.eol)
			}
		}
		l.short(&list[i], w)
		pos += n
	}
	if len(list) > 0 {
		l.o.WriteByte(l.eol)
	}
}

const minColumn = 3 // a name of one character and two blanks

// columns lists down the columns, or across the lines.
func (l *lister) columns(list []lsEntry, w *lsWidths) {
	if len(list) == 0 {
		return
	}
	n := len(list)
	lens := make([]int, n)
	for i := range list {
		lens[i] = l.length(&list[i], w)
	}
	across := l.format == formatAcross
	if l.width == 0 {
		for i := range list {
			if i > 0 {
				l.o.WriteString("  ")
			}
			l.short(&list[i], w)
		}
		l.o.WriteByte(l.eol)
		return
	}
	cols := min(max(l.width/minColumn, 1), n)
	var widths []int
	for ; ; cols-- {
		rows := (n + cols - 1) / cols
		widths = append(widths[:0], make([]int, cols)...)
		total := 0
		for i := range widths {
			widths[i] = minColumn
			total += minColumn
		}
		fits := true
		for i, length := range lens {
			c := i % cols
			if !across {
				c = i / rows
			}
			if c != cols-1 {
				length += 2
			}
			if length > widths[c] {
				total += length - widths[c]
				widths[c] = length
				if total >= l.width && cols > 1 {
					fits = false
					break
				}
			}
		}
		if cols == 1 || fits && total < l.width {
			break
		}
	}
	rows := (n + cols - 1) / cols
	for r := 0; r < rows; r++ {
		pos, start := 0, 0
		for c := 0; c < cols; c++ {
			i := r*cols + c
			if !across {
				i = c*rows + r
			}
			if i >= n {
				break
			}
			if c > 0 {
				l.indent(pos, start)
			}
			l.short(&list[i], w)
			pos = start + lens[i]
			start += widths[c]
		}
		l.o.WriteByte(l.eol)
	}
}

// indent moves from one column to another, with tabs where they help.
func (l *lister) indent(from, to int) {
	for from < to {
		if l.tab > 0 && to/l.tab > (from+1)/l.tab {
			l.o.WriteByte('\t')
			from += l.tab - from%l.tab
		} else {
			l.o.WriteByte(' ')
			from++
		}
	}
}
