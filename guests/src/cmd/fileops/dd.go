// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package fileops

import (
	"strconv"

	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/guests/src/cmdkit"
	"github.com/wsandbox/wsandbox/guests/src/wsys"
)

var ddSyntax = cmdkit.Syntax{
	Usage: []string{"[OPERAND]...", "OPTION"},
	Help: `Copy a file in blocks, converting it as told.

  bs=BYTES     read and write up to BYTES at a time (default 512)
  cbs=BYTES    the size of conversion blocks
  conv=CONVS   ascii and ebcdic are not supported; block, unblock, lcase, ucase,
               sparse, swab, sync, excl, nocreat, notrunc, noerror, fdatasync, fsync
  count=N      copy only N input blocks
  ibs=BYTES, obs=BYTES  read, write that much at a time
  if=FILE, of=FILE  instead of standard input and output
  iflag=FLAGS, oflag=FLAGS  append, direct, directory, dsync, sync, fullblock,
               nonblock, noatime, nocache, noctty, nofollow, count_bytes,
               skip_bytes, seek_bytes
  seek=N (or oseek=N)  skip N blocks of output first
  skip=N (or iseek=N)  skip N blocks of input first
  status=LEVEL none, noxfer or progress

N and BYTES may have a multiplier: c 1, w 2, b 512, kB 1000, K 1024, MB, M, …, and
be a product such as 2x512; N that ends in B counts bytes.
`,
}

const (
	ddBlock = 1 << iota
	ddUnblock
	ddLcase
	ddUcase
	ddSwab
	ddNoerror
	ddNotrunc
	ddSync
	ddExcl
	ddNocreat
	ddFdatasync
	ddFsync
	ddSparse
)

var ddConvs = [...]struct {
	name string
	bit  int
}{{"block", ddBlock}, {"unblock", ddUnblock}, {"lcase", ddLcase}, {"ucase", ddUcase}, {"sparse", ddSparse}, {"swab", ddSwab},
	{"noerror", ddNoerror}, {"nocreat", ddNocreat}, {"excl", ddExcl}, {"notrunc", ddNotrunc}, {"sync", ddSync}, {"fdatasync", ddFdatasync}, {"fsync", ddFsync}}

const (
	ddAppend = 1 << iota
	ddDirectory
	ddFlagSync
	ddFullblock
	ddNonblock
	ddNofollow
	ddCountBytes
	ddSkipBytes
	ddSeekBytes
	ddIgnored
)

var ddFlags = [...]struct {
	name string
	bit  int
}{{"append", ddAppend}, {"binary", ddIgnored}, {"cio", ddIgnored}, {"direct", ddIgnored}, {"directory", ddDirectory}, {"dsync", ddFlagSync},
	{"noatime", ddIgnored}, {"nocache", ddIgnored}, {"noctty", ddIgnored}, {"nofollow", ddNofollow}, {"nolinks", ddIgnored}, {"nonblock", ddNonblock},
	{"sync", ddFlagSync}, {"text", ddIgnored}, {"fullblock", ddFullblock}, {"count_bytes", ddCountBytes}, {"skip_bytes", ddSkipBytes}, {"seek_bytes", ddSeekBytes}}

type dder struct {
	p                   *cmdkit.Proc
	in, out             wsys.FD
	inName, outName     string
	ibs, obs, cbs       int64
	conv, iflag, oflag  int
	partialIn, fullIn   int64
	partialOut, fullOut int64
	truncated, written  int64
	obuf                []byte
	start               int64
	status              byte // 0, or n(one), x (noxfer), p(rogress)
	column              int64
	pendingBlanks       int64
	swabByte            byte
	hasSwab             bool
	lastProgress        int64
	exit                int
	sparseSeek          bool
}

// maxDDBlock bounds the buffers.
const maxDDBlock = 1 << 30

// Dd copies and converts a file.
func Dd(p *cmdkit.Proc) int {
	if p.HelpOnly(&ddSyntax) {
		return 0
	}
	d := &dder{p: p, in: p.Stdin.FD, out: p.Stdout.FD, inName: "standard input", outName: "standard output"}
	var ifile, ofile string
	hasIf, hasOf := false, false
	var bs, ibs, obs int64
	count, skip, seek := int64(-1), int64(0), int64(0)
	countB, skipB, seekB := false, false, false
	for _, a := range p.Args {
		if a == "--" {
			continue
		}
		eq := 0
		for eq < len(a) && a[eq] != '=' {
			eq++
		}
		if eq == len(a) {
			return p.UsageError(1, "unrecognized operand ", cmdkit.Quote(a))
		}
		name, val := a[:eq], a[eq+1:]
		ok := true
		switch name {
		case "if":
			ifile, hasIf = val, true
		case "of":
			ofile, hasOf = val, true
		case "conv":
			ok = d.list(val, "conversion", func(s string) bool {
				for _, c := range ddConvs {
					if c.name == s {
						d.conv |= c.bit
						return true
					}
				}
				return false
			})
		case "iflag", "oflag":
			to, what := &d.iflag, "input flag"
			if name == "oflag" {
				to, what = &d.oflag, "output flag"
			}
			ok = d.list(val, what, func(s string) bool {
				for _, c := range ddFlags {
					if c.name == s {
						*to |= c.bit
						return true
					}
				}
				return false
			})
		case "status":
			ok = d.list(val, "status level", func(s string) bool {
				switch s {
				case "none", "noxfer", "progress":
					d.status = s[0]
					if s == "noxfer" {
						d.status = 'x'
					}
					return true
				}
				return false
			})
		case "bs":
			bs, _, ok = d.number(val, 1, maxDDBlock)
		case "ibs":
			ibs, _, ok = d.number(val, 1, maxDDBlock)
		case "obs":
			obs, _, ok = d.number(val, 1, maxDDBlock)
		case "cbs":
			d.cbs, _, ok = d.number(val, 1, maxDDBlock)
		case "count":
			count, countB, ok = d.number(val, 0, 1<<62)
		case "skip", "iseek":
			skip, skipB, ok = d.number(val, 0, 1<<62)
		case "seek", "oseek":
			seek, seekB, ok = d.number(val, 0, 1<<62)
		default:
			return p.UsageError(1, "unrecognized operand ", cmdkit.Quote(a))
		}
		if !ok {
			return 1
		}
	}
	d.ibs, d.obs = 512, 512
	if ibs > 0 {
		d.ibs = ibs
	}
	if obs > 0 {
		d.obs = obs
	}
	if bs > 0 {
		d.ibs, d.obs = bs, bs
	}
	both := func(a, b int) bool { return d.conv&a != 0 && d.conv&b != 0 }
	if d.cbs == 0 {
		d.conv &^= ddBlock | ddUnblock
	}
	switch {
	case both(ddBlock, ddUnblock):
		return p.Warn("cannot combine block and unblock")
	case both(ddLcase, ddUcase):
		return p.Warn("cannot combine lcase and ucase")
	case both(ddExcl, ddNocreat):
		return p.Warn("cannot combine excl and nocreat")
	}
	skipB = skipB || d.iflag&ddSkipBytes != 0
	countB = countB || d.iflag&ddCountBytes != 0
	seekB = seekB || d.oflag&ddSeekBytes != 0
	bytesOf := func(n, unit int64, inBytes bool) int64 {
		if inBytes {
			return n
		}
		if n > (1<<62)/unit {
			return 1 << 62
		}
		return n * unit
	}
	if hasIf {
		flags := abi.ORdonly | abi.OCloexec | d.openFlags(d.iflag)
		fd, err := wsys.Open(cwd, ifile, flags, 0)
		if err != nil {
			return p.Errno(err, "failed to open ", cmdkit.QuoteAF(ifile))
		}
		d.in, d.inName = fd, ifile
	}
	seekBytes := bytesOf(seek, d.obs, seekB)
	if hasOf {
		flags := abi.OCloexec | d.openFlags(d.oflag)
		if d.conv&ddNocreat == 0 {
			flags |= abi.OCreat
		}
		if d.conv&ddExcl != 0 {
			flags |= abi.OExcl
		}
		if d.conv&ddNotrunc == 0 && seekBytes == 0 {
			flags |= abi.OTrunc
		}
		fd, err := wsys.Open(cwd, ofile, flags|abi.OWronly, 0o666)
		if err != nil {
			return p.Errno(err, "failed to open ", cmdkit.QuoteAF(ofile))
		}
		d.out, d.outName = fd, ofile
		if seekBytes > 0 && d.conv&ddNotrunc == 0 {
			if err := wsys.Ftruncate(fd, seekBytes); err != nil {
				if st, serr := wsys.Fstat(fd); serr != nil || st.Mode.IsRegular() || st.Mode.IsDir() {
					return p.Errno(err, "failed to truncate to ", itoa(seekBytes), " bytes in output file ", cmdkit.QuoteAF(ofile))
				}
			}
		}
	}
	d.start = wsys.Monotonic()
	d.lastProgress = d.start
	limit := int64(-1)
	if count >= 0 {
		limit = bytesOf(count, d.ibs, countB)
	}
	d.copy(bytesOf(skip, d.ibs, skipB), seekBytes, limit, count, countB)
	if err := d.sync(); err != nil {
		d.exit = p.Errno(err, "fsync failed for ", cmdkit.QuoteAF(d.outName))
	}
	if hasOf {
		if err := wsys.Close(d.out); err != nil && d.exit == 0 {
			d.exit = p.Errno(err, "closing output file ", cmdkit.QuoteAF(d.outName))
		}
	}
	d.report(true)
	return d.exit
}

func (d *dder) sync() error {
	if d.conv&(ddFsync|ddFdatasync) == 0 {
		return nil
	}
	return wsys.Fsync(d.out)
}

// list calls f with each element of a list and reports what it refuses.
func (d *dder) list(s, what string, f func(string) bool) bool {
	for {
		i := 0
		for i < len(s) && s[i] != ',' {
			i++
		}
		if !f(s[:i]) {
			d.p.UsageError(1, "invalid ", what, ": ", cmdkit.Quote(s[:i]))
			return false
		}
		if i == len(s) {
			return true
		}
		s = s[i+1:]
	}
}

// number parses a size: numbers with multipliers, and x between factors. inBytes
// says that it ends in B.
func (d *dder) number(s string, least, most int64) (v int64, inBytes, ok bool) {
	n, e := product(s, &inBytes)
	if e == cmdkit.NumOverflow || e == cmdkit.NumOK && n > uint64(most) {
		d.p.Warn("invalid number: ", cmdkit.Quote(s), ": Value too large for defined data type")
		return 0, false, false
	}
	if e != cmdkit.NumOK || int64(n) < least {
		d.p.Warn("invalid number: ", cmdkit.Quote(s))
		return 0, false, false
	}
	return int64(n), inBytes, true
}

func product(s string, inBytes *bool) (uint64, cmdkit.NumError) {
	v := uint64(1)
	for {
		i := 0
		for i < len(s) && s[i] != 'x' {
			i++
		}
		f := s[:i]
		if n := len(f) - 1; n > 0 && f[n] == 'B' && f[n-1] >= '0' && f[n-1] <= '9' {
			*inBytes = true
			f = f[:n]
		}
		if f == "" || f[0] < '0' || f[0] > '9' {
			return 0, cmdkit.NumInvalid
		}
		n, e := cmdkit.ParseUint(f, "bcEGkKMPTwYZ0")
		if e != cmdkit.NumOK {
			return 0, e
		}
		if n != 0 && v > (1<<63-1)/n {
			return 0, cmdkit.NumOverflow
		}
		v *= n
		if i == len(s) {
			return v, cmdkit.NumOK
		}
		s = s[i+1:]
	}
}

func (d *dder) openFlags(f int) abi.OpenFlag {
	var o abi.OpenFlag
	for _, m := range [...]struct {
		bit int
		o   abi.OpenFlag
	}{{ddAppend, abi.OAppend}, {ddDirectory, abi.ODirectory}, {ddFlagSync, abi.OSync}, {ddNonblock, abi.ONonblock}, {ddNofollow, abi.ONofollow}} {
		if f&m.bit != 0 {
			o |= m.o
		}
	}
	return o
}

// read fills b: once, or with fullblock until it is full.
func (d *dder) read(b []byte) (int, error) {
	n := 0
	for n < len(b) {
		k, err := wsys.Read(d.in, b[n:])
		n += k
		if err == abi.EINTR {
			continue
		}
		if err != nil || k == 0 || d.iflag&ddFullblock == 0 {
			return n, err
		}
	}
	return n, nil
}

func (d *dder) write(b []byte) bool {
	if d.conv&ddSparse != 0 && allZero(b) {
		if _, err := wsys.Seek(d.out, int64(len(b)), abi.SeekCur); err == nil {
			d.sparseSeek = true
			return true
		}
		d.conv &^= ddSparse
	}
	d.sparseSeek = false
	for len(b) > 0 {
		n, err := wsys.Write(d.out, b)
		d.written += int64(n)
		b = b[n:]
		if err != nil && err != abi.EINTR {
			d.exit = d.p.Errno(err, "error writing ", cmdkit.QuoteAF(d.outName))
			return false
		}
	}
	return true
}

func allZero(b []byte) bool {
	for _, c := range b {
		if c != 0 {
			return false
		}
	}
	return true
}

// output appends b to the output buffer and writes full blocks.
func (d *dder) output(b []byte) bool {
	for len(b) > 0 {
		n := min(int(d.obs)-len(d.obuf), len(b))
		d.obuf = append(d.obuf, b[:n]...)
		b = b[n:]
		if len(d.obuf) == int(d.obs) {
			if !d.write(d.obuf) {
				return false
			}
			d.fullOut++
			d.obuf = d.obuf[:0]
		}
	}
	return true
}

func (d *dder) copy(skip, seek, limit, count int64, countBytes bool) {
	p := d.p
	if skip > 0 && !d.skipInput(skip) {
		return
	}
	if seek > 0 {
		if _, err := wsys.Seek(d.out, seek, abi.SeekCur); err != nil {
			if err != abi.ESPIPE {
				d.exit = p.Errno(err, cmdkit.QuoteAF(d.outName), ": cannot seek")
				return
			}
			zero := make([]byte, min(seek, 64<<10))
			for seek > 0 {
				n := min(seek, int64(len(zero)))
				if err := wsys.WriteAll(d.out, zero[:n]); err != nil {
					d.exit = p.Errno(err, "error writing ", cmdkit.QuoteAF(d.outName))
					return
				}
				seek -= n
			}
		}
	}
	if limit == 0 {
		return
	}
	ibuf := copyBuf[:]
	if d.ibs > int64(len(ibuf)) {
		ibuf = make([]byte, d.ibs)
	}
	ibuf = ibuf[:d.ibs]
	plain := d.conv&(ddBlock|ddUnblock|ddLcase|ddUcase|ddSwab|ddSync) == 0 && d.ibs == d.obs
	left := limit
	for {
		if d.status == 'p' && wsys.Monotonic()-d.lastProgress >= 1e9 {
			d.lastProgress = wsys.Monotonic()
			d.report(false)
		}
		b := ibuf
		switch {
		case count >= 0 && !countBytes:
			if d.partialIn+d.fullIn >= count {
				b = nil
			}
		case left >= 0 && left < int64(len(b)):
			b = b[:left]
		}
		if len(b) == 0 {
			break
		}
		n, err := d.read(b)
		if err != nil {
			p.Errno(err, "error reading ", cmdkit.QuoteAF(d.inName))
			d.exit = 1
			if d.conv&ddNoerror == 0 {
				break
			}
			d.report(true)
			if _, serr := wsys.Seek(d.in, int64(len(b)-n), abi.SeekCur); serr != nil {
				break
			}
			if d.conv&ddSync == 0 && n == 0 {
				continue
			}
		} else if n == 0 {
			break
		}
		if left >= 0 {
			left -= int64(n)
		}
		if n == len(ibuf) {
			d.fullIn++
		} else {
			d.partialIn++
			if d.conv&ddSync != 0 {
				fill := byte(0)
				if d.conv&(ddBlock|ddUnblock) != 0 {
					fill = ' '
				}
				for i := n; i < len(ibuf); i++ {
					ibuf[i] = fill
				}
				n = len(ibuf)
			}
		}
		data := ibuf[:n]
		if plain {
			if !d.write(data) {
				return
			}
			if n == int(d.obs) {
				d.fullOut++
			} else {
				d.partialOut++
			}
			continue
		}
		if !d.convert(data) {
			return
		}
	}
	d.finish()
}

// finish writes what is left in the buffers.
func (d *dder) finish() {
	if d.hasSwab {
		d.hasSwab = false
		if !d.reblock([]byte{d.swabByte}) {
			return
		}
	}
	if d.conv&ddBlock != 0 && d.column > 0 {
		if d.column < d.cbs && !d.blanks(d.cbs-d.column) {
			return
		}
	}
	if d.conv&ddUnblock != 0 && d.column > 0 && !d.output([]byte{'\n'}) {
		return
	}
	if len(d.obuf) > 0 {
		if !d.write(d.obuf) {
			return
		}
		d.partialOut++
		d.obuf = nil
	}
	if d.sparseSeek {
		// The hole at the end is made by setting the size.
		if off, err := wsys.Seek(d.out, 0, abi.SeekCur); err == nil {
			if err := wsys.Ftruncate(d.out, off); err != nil {
				d.exit = d.p.Errno(err, "failed to truncate to ", itoa(off), " bytes in output file ", cmdkit.QuoteAF(d.outName))
			}
		}
	}
}

// skippedPast tells that the input ended before what was to be skipped.
func (d *dder) skippedPast() {
	if d.status != 'n' {
		d.p.Warn(cmdkit.QuoteAF(d.inName), ": cannot skip to specified offset")
	}
}

func (d *dder) skipInput(n int64) bool {
	st, err := wsys.Fstat(d.in)
	if err == nil && st.Mode.IsRegular() {
		if off, serr := wsys.Seek(d.in, 0, abi.SeekCur); serr == nil {
			if n > st.Size-off {
				wsys.Seek(d.in, 0, abi.SeekEnd)
				d.skippedPast()
				return true
			}
			_, err := wsys.Seek(d.in, n, abi.SeekCur)
			return err == nil
		}
	}
	for n > 0 {
		k, err := wsys.Read(d.in, copyBuf[:min(n, int64(len(copyBuf)))])
		if err == abi.EINTR {
			continue
		}
		if err != nil {
			d.exit = d.p.Errno(err, "error reading ", cmdkit.QuoteAF(d.inName))
			return false
		}
		if k == 0 {
			d.skippedPast()
			return true
		}
		n -= int64(k)
	}
	return true
}

// convert changes case and order of bytes, then blocks.
func (d *dder) convert(b []byte) bool {
	if d.conv&(ddLcase|ddUcase) != 0 {
		for i, c := range b {
			if d.conv&ddLcase != 0 && c >= 'A' && c <= 'Z' || d.conv&ddUcase != 0 && c >= 'a' && c <= 'z' {
				b[i] = c ^ 0x20
			}
		}
	}
	if d.conv&ddSwab != 0 {
		out := make([]byte, 0, len(b)+1)
		for _, c := range b {
			if d.hasSwab {
				out = append(out, c, d.swabByte)
				d.hasSwab = false
			} else {
				d.swabByte, d.hasSwab = c, true
			}
		}
		b = out
	}
	return d.reblock(b)
}

func (d *dder) blanks(n int64) bool {
	const spaces = "                                                                "
	for n > 0 {
		k := min(n, int64(len(spaces)))
		if !d.output([]byte(spaces[:k])) {
			return false
		}
		n -= k
	}
	return true
}

// reblock turns lines into records of cbs bytes, or records into lines.
func (d *dder) reblock(b []byte) bool {
	switch {
	case d.conv&ddBlock != 0:
		for _, c := range b {
			if c == '\n' {
				if d.column < d.cbs && !d.blanks(d.cbs-d.column) {
					return false
				}
				d.column = 0
				continue
			}
			switch {
			case d.column == d.cbs:
				d.truncated++
				d.column++
			case d.column < d.cbs:
				if !d.output([]byte{c}) {
					return false
				}
				d.column++
			}
		}
		return true
	case d.conv&ddUnblock != 0:
		for _, c := range b {
			if d.column == d.cbs {
				d.column, d.pendingBlanks = 0, 0
				if !d.output([]byte{'\n'}) {
					return false
				}
			}
			d.column++
			if c == ' ' {
				d.pendingBlanks++
				continue
			}
			n := d.pendingBlanks
			d.pendingBlanks = 0
			if !d.blanks(n) || !d.output([]byte{c}) {
				return false
			}
		}
		return true
	}
	return d.output(b)
}

// report writes the counts of records to standard error; without final only the
// line of progress.
func (d *dder) report(final bool) {
	if d.status == 'n' {
		return
	}
	var b []byte
	if final {
		if d.status == 'p' && d.lastProgress != d.start {
			b = append(b, '\n')
		}
		rec := func(full, part int64, what string) {
			b = strconv.AppendInt(b, full, 10)
			b = append(b, '+')
			b = strconv.AppendInt(b, part, 10)
			b = append(b, " records "...)
			b = append(b, what...)
			b = append(b, '\n')
		}
		rec(d.fullIn, d.partialIn, "in")
		rec(d.fullOut, d.partialOut, "out")
		if d.truncated > 0 {
			b = strconv.AppendInt(b, d.truncated, 10)
			if d.truncated == 1 {
				b = append(b, " truncated record\n"...)
			} else {
				b = append(b, " truncated records\n"...)
			}
		}
	}
	if !final || d.status != 'x' {
		if !final {
			b = append(b, '\r')
		}
		b = strconv.AppendInt(b, d.written, 10)
		if d.written == 1 {
			b = append(b, " byte"...)
		} else {
			b = append(b, " bytes"...)
		}
		si := string(cmdkit.AppendHuman(nil, uint64(d.written), 1, true, cmdkit.Nearest))
		iec := string(cmdkit.AppendHuman(nil, uint64(d.written), 1, false, cmdkit.Nearest))
		if d.written >= 1000 {
			b = append(b, " ("...)
			b = append(b, spaced(si)...)
			b = append(b, "B"...)
			if d.written >= 1024 {
				b = append(b, ", "...)
				b = append(b, spaced(iec)...)
				b = append(b, "iB"...)
			}
			b = append(b, ')')
		}
		ns := max(wsys.Monotonic()-d.start, 1)
		b = append(b, " copied, "...)
		b = appendSeconds(b, ns, final)
		b = append(b, " s, "...)
		rate := uint64(0)
		if d.written > 0 {
			rate = uint64(float64(d.written) * 1e9 / float64(ns))
		}
		r := string(cmdkit.AppendHuman(nil, rate, 1, true, cmdkit.Nearest))
		if rate == 0 {
			r = "0.0k"
		}
		b = append(b, spaced(r)...)
		b = append(b, "B/s"...)
		if final {
			b = append(b, '\n')
		}
	}
	d.p.Stderr.Write(b)
}

// spaced puts a blank between a number and its unit.
func spaced(s string) string {
	n := len(s)
	for n > 0 && (s[n-1] < '0' || s[n-1] > '9') {
		n--
	}
	return s[:n] + " " + s[n:]
}

// appendSeconds appends a duration with six significant digits, or for progress
// in whole seconds.
func appendSeconds(b []byte, ns int64, final bool) []byte {
	if !final {
		return strconv.AppendInt(b, (ns+5e8)/1e9, 10)
	}
	return strconv.AppendFloat(b, float64(ns)/1e9, 'g', 6, 64)
}
