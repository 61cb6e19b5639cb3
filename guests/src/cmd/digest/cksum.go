// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package digest

import (
	"strconv"

	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/guests/src/cmdkit"
)

const optUntagged = 1000

var cksumSyntax = cmdkit.Syntax{
	Short: "a:cwz",
	Long: []cmdkit.Long{
		{Name: "algorithm", Arg: cmdkit.RequiredArg, Val: 'a'}, {Name: "check", Val: 'c'}, {Name: "tag", Val: optTag}, {Name: "untagged", Val: optUntagged}, {Name: "zero", Val: 'z'},
		{Name: "ignore-missing", Val: optIgnoreMissing}, {Name: "quiet", Val: optQuiet}, {Name: "status", Val: optStatus}, {Name: "strict", Val: optStrict}, {Name: "warn", Val: 'w'},
	},
	Usage: []string{"[OPTION]... [FILE]..."},
	Help: "Print or verify checksums. By default use the 32 bit CRC algorithm.\n\n" +
		"  -a, --algorithm=TYPE  crc, sysv, bsd, md5, sha1, sha256 or sha512\n  -c, --check           read checksums from the FILEs and check them (with -a)\n      --tag             create a BSD-style checksum (the default)\n      --untagged        create a reversed style checksum, without digest type\n" +
		"  -z, --zero            end each output line with NUL, and disable file name escaping\n\nWhen verifying:\n      --ignore-missing  don't fail or report status for missing files\n      --quiet           don't print OK for each verified file\n" +
		"      --status          don't output anything, status code shows success\n      --strict          exit non-zero for improperly formatted lines\n  -w, --warn            warn about improperly formatted lines\n",
}

// Cksum is cksum(1).
func Cksum(p *cmdkit.Proc) int {
	o := options{tag: true}
	how, chosen := 0, false
	names := []string{"crc", "sysv", "bsd", "md5", "sha1", "sha256", "sha512"}
	g := p.Options(&cksumSyntax)
	for g.Next() {
		switch g.Opt {
		case 'a':
			v, ok := p.Choice("--algorithm", g.Arg, names, []int{0, 1, 2, 3, 4, 5, 6})
			if !ok {
				return p.TryHelp(1)
			}
			how, chosen = v, true
		case optUntagged:
			o.tag = false
		default:
			o.set(g.Opt)
		}
	}
	if g.Stop {
		return g.Status
	}
	if how >= 3 {
		a := [...]algorithm{{"MD5", abi.HashMD5, 16}, {"SHA1", abi.HashSHA1, 20}, {"SHA256", abi.HashSHA256, 32}, {"SHA512", abi.HashSHA512, 64}}[how-3]
		if o.check {
			o.tag = false
		}
		return o.run(p, &a, g.Operands, false)
	}
	if o.check && !chosen {
		return p.Warn("--check needs --algorithm")
	}
	if o.check {
		return p.Warn("--check is not supported with --algorithm={bsd,sysv,crc}")
	}
	return sums(p, [...]sum{crcSum, sysvSum, bsdSum}[how], g.Operands, o.zero)
}

var sumSyntax = cmdkit.Syntax{
	Short: "rs",
	Long:  []cmdkit.Long{{Name: "sysv", Val: 's'}},
	Usage: []string{"[OPTION]... [FILE]..."},
	Help:  "Print or check BSD (16-bit) checksums.\n\n  -r          use BSD sum algorithm (the default), use 1K blocks\n  -s, --sysv  use System V sum algorithm, use 512 bytes blocks\n",
}

// Sum is sum(1).
func Sum(p *cmdkit.Proc) int {
	f := sum(bsdSum)
	g := p.Options(&sumSyntax)
	for g.Next() {
		if f = bsdSum; g.Opt == 's' {
			f = sysvSum
		}
	}
	if g.Stop {
		return g.Status
	}
	return sums(p, f, g.Operands, false)
}

// sum returns what is printed of the bytes that r has, before the name. named
// says that a name follows, or that there are several inputs.
type sum func(r *cmdkit.Reader, named bool) string

// sums prints the sums of files.
func sums(p *cmdkit.Proc, f sum, files []string, zero bool) int {
	named := len(files) > 0
	end := byte('\n')
	if zero {
		end = 0
	}
	return p.EachInput(files, func(name string, r *cmdkit.Reader) bool {
		s := f(r, named)
		if r.Err != nil {
			return true
		}
		p.Stdout.WriteString(s)
		if named {
			p.Stdout.WriteString(" " + name)
		}
		p.Stdout.WriteByte(end)
		return true
	})
}

// crcTables are those of the CRC of cksum for each of eight bytes, made when
// they are needed.
//
// POSIX: cksum. The polynomial is that of Ethernet, the highest bit first.
var crcTables *[8][256]uint32

func makeCRC() {
	t := new([8][256]uint32)
	for i := range 256 {
		c := uint32(i) << 24
		for range 8 {
			if c&(1<<31) != 0 {
				c = c<<1 ^ 0x04c11db7
			} else {
				c <<= 1
			}
		}
		t[0][i] = c
	}
	for k := 1; k < 8; k++ {
		for i := range 256 {
			c := t[k-1][i]
			t[k][i] = c<<8 ^ t[0][c>>24]
		}
	}
	crcTables = t
}

// crc goes on with the CRC c over b.
func crc(c uint32, b []byte) uint32 {
	if crcTables == nil {
		makeCRC()
	}
	t := crcTables
	for ; len(b) >= 8; b = b[8:] {
		c ^= uint32(b[0])<<24 | uint32(b[1])<<16 | uint32(b[2])<<8 | uint32(b[3])
		c = t[7][c>>24] ^ t[6][c>>16&255] ^ t[5][c>>8&255] ^ t[4][c&255] ^ t[3][b[4]] ^ t[2][b[5]] ^ t[1][b[6]] ^ t[0][b[7]]
	}
	for _, x := range b {
		c = c<<8 ^ t[0][byte(c>>24)^x]
	}
	return c
}

func crcSum(r *cmdkit.Reader, _ bool) string {
	c, n := uint32(0), uint64(0)
	for b := r.Chunk(); len(b) > 0; b = r.Chunk() {
		c = crc(c, b)
		n += uint64(len(b))
	}
	for k := n; k > 0; k >>= 8 {
		c = crc(c, []byte{byte(k)})
	}
	return strconv.FormatUint(uint64(^c), 10) + " " + strconv.FormatUint(n, 10)
}

func bsdSum(r *cmdkit.Reader, _ bool) string {
	c, n := uint32(0), uint64(0)
	for b := r.Chunk(); len(b) > 0; b = r.Chunk() {
		for _, x := range b {
			c = (c>>1 | c&1<<15) + uint32(x)
			c &= 0xffff
		}
		n += uint64(len(b))
	}
	s := strconv.Itoa(int(c))
	for len(s) < 5 {
		s = "0" + s
	}
	k := strconv.FormatUint((n+1023)/1024, 10)
	for len(k) < 5 {
		k = " " + k
	}
	return s + " " + k
}

func sysvSum(r *cmdkit.Reader, _ bool) string {
	c, n := uint32(0), uint64(0)
	for b := r.Chunk(); len(b) > 0; b = r.Chunk() {
		for _, x := range b {
			c += uint32(x)
		}
		n += uint64(len(b))
	}
	v := c&0xffff + c>>16
	v = v&0xffff + v>>16
	return strconv.Itoa(int(v)) + " " + strconv.FormatUint((n+511)/512, 10)
}
