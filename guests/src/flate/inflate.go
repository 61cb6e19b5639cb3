// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package flate

import "math/bits"

// Error is what is wrong with compressed data.
type Error string

func (e Error) Error() string { return string(e) }

// Errors of reading.
const (
	ErrCorrupt   = Error("invalid compressed data--format violated")
	ErrTruncated = Error("unexpected end of file")
	ErrCRC       = Error("invalid compressed data--crc error")
	ErrLength    = Error("invalid compressed data--length error")
	ErrMagic     = Error("not in gzip format")
	ErrMethod    = Error("unknown method")
)

const (
	maxBits    = 15
	tableBits  = 10
	windowSize = 32 << 10
	maxLit     = 288
	maxDist    = 32
)

// bitReader takes bits, lowest first, from chunks.
type bitReader struct {
	next func() []byte // the next chunk, empty at the end
	buf  []byte
	v    uint64
	n    uint
	read int64 // bytes taken from chunks
	end  bool
}

// need makes at least n bits, up to 32, be at hand. It reports false where the
// input ends before.
func (b *bitReader) need(n uint) bool {
	for b.n < n {
		if len(b.buf) == 0 {
			if b.end {
				return false
			}
			if b.buf = b.next(); len(b.buf) == 0 {
				b.end = true
				return false
			}
		}
		b.v |= uint64(b.buf[0]) << b.n
		b.buf = b.buf[1:]
		b.n += 8
		b.read++
	}
	return true
}

// take returns n bits, which must be at hand.
func (b *bitReader) take(n uint) uint32 {
	v := uint32(b.v & (1<<n - 1))
	b.v >>= n
	b.n -= n
	return v
}

// align drops the bits up to the next byte.
func (b *bitReader) align() { b.take(b.n & 7) }

// byte returns the next whole byte.
func (b *bitReader) byte() (c byte, ok bool) {
	if !b.need(8) {
		return 0, false
	}
	return byte(b.take(8)), true
}

// code is a canonical prefix code for reading.
type code struct {
	table  [1 << tableBits]uint16 // symbol<<4 | length; 0: longer, or none
	count  [maxBits + 1]uint16
	symbol [maxLit]uint16
	none   bool // it has no symbols
}

// build makes the code with the given lengths. It reports false where they are
// none; a single symbol may have an incomplete code.
func (c *code) build(lengths []uint8) bool {
	clear(c.count[:])
	for _, l := range lengths {
		c.count[l]++
	}
	c.none = int(c.count[0]) == len(lengths)
	c.count[0] = 0
	left := 1
	total := 0
	for l := 1; l <= maxBits; l++ {
		left = left<<1 - int(c.count[l])
		if left < 0 {
			return false
		}
		total += int(c.count[l])
	}
	if left > 0 && (total > 1 || total == 1 && c.count[1] != 1) {
		return false
	}
	var offset, first [maxBits + 2]uint16
	for l := 1; l <= maxBits; l++ {
		offset[l+1] = offset[l] + c.count[l]
		first[l+1] = (first[l] + c.count[l]) << 1
	}
	clear(c.table[:])
	for s, l := range lengths {
		if l == 0 {
			continue
		}
		c.symbol[offset[l]] = uint16(s)
		offset[l]++
		v := first[l]
		first[l]++
		if l <= tableBits {
			r := bits.Reverse16(v) >> (16 - l)
			for i := int(r); i < len(c.table); i += 1 << l {
				c.table[i] = uint16(s)<<4 | uint16(l)
			}
		}
	}
	return true
}

// decode returns the next symbol, -1 where the data is wrong or ends.
func (b *bitReader) decode(c *code) int {
	if b.n < maxBits {
		b.need(maxBits) // or what there is
	}
	if e := c.table[b.v&(1<<tableBits-1)]; e != 0 {
		l := uint(e & 15)
		if l > b.n {
			return -1
		}
		b.v >>= l
		b.n -= l
		return int(e >> 4)
	}
	v, first, index := 0, 0, 0
	for l := uint(1); l <= maxBits && l <= b.n; l++ {
		v |= int(b.v >> (l - 1) & 1)
		n := int(c.count[l])
		if v-n < first {
			b.v >>= l
			b.n -= l
			return int(c.symbol[index+v-first])
		}
		index += n
		first = (first + n) << 1
		v <<= 1
	}
	return -1
}

var (
	lengthBase  = [...]uint16{3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195, 227, 258}
	lengthExtra = [...]uint8{0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0}
	distBase    = [...]uint16{1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049, 3073, 4097, 6145, 8193, 12289, 16385, 24577}
	distExtra   = [...]uint8{0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13}
	lengthOrder = [...]uint8{16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15}
)

// inflater decompresses one DEFLATE stream.
type inflater struct {
	in       *bitReader
	window   []byte // twice the window's size
	w, shown int    // bytes in it, and those handed out
	state    uint8
	last     bool
	stored   int
	copyLen  int // of a match that did not fit
	copyDist int
	lit, dst code
	err      error // behind what is in the window
}

const (
	atBlock = iota
	inStored
	inCodes
	atEnd
)

func newInflater(in *bitReader) *inflater {
	return &inflater{in: in, window: make([]byte, 2*windowSize)}
}

// reset begins another stream of the same input.
func (z *inflater) reset() {
	z.w, z.shown, z.state, z.last, z.copyLen, z.err = 0, 0, atBlock, false, 0, nil
}

func (z *inflater) wrong() error {
	if z.in.end {
		return ErrTruncated
	}
	return ErrCorrupt
}

// read returns the next bytes, none at the end. They are valid until the next
// call. What stands before wrong data is returned first.
func (z *inflater) read() ([]byte, error) {
	if z.w == len(z.window) {
		copy(z.window, z.window[windowSize:])
		z.w, z.shown = windowSize, windowSize
	}
	for z.w < len(z.window) && z.state != atEnd && z.err == nil {
		switch z.state {
		case atBlock:
			z.err = z.block()
		case inStored:
			z.err = z.copyStored()
		case inCodes:
			z.err = z.codes()
		}
	}
	b := z.window[z.shown:z.w]
	z.shown = z.w
	if len(b) == 0 {
		return nil, z.err
	}
	return b, nil
}

// block reads the head of a block.
func (z *inflater) block() error {
	if z.last {
		z.state = atEnd
		return nil
	}
	in := z.in
	if !in.need(3) {
		return ErrTruncated
	}
	z.last = in.take(1) == 1
	switch in.take(2) {
	case 0:
		in.align()
		if !in.need(32) {
			return ErrTruncated
		}
		n := in.take(16)
		if in.take(16) != ^n&0xffff {
			return ErrCorrupt
		}
		z.stored, z.state = int(n), inStored
	case 1:
		var l [maxLit]uint8
		for i := range l {
			switch {
			case i < 144:
				l[i] = 8
			case i < 256:
				l[i] = 9
			case i < 280:
				l[i] = 7
			default:
				l[i] = 8
			}
		}
		z.lit.build(l[:])
		for i := range maxDist {
			l[i] = 5
		}
		z.dst.build(l[:maxDist])
		z.state = inCodes
	case 2:
		z.state = inCodes
		return z.dynamic()
	default:
		return ErrCorrupt
	}
	return nil
}

func (z *inflater) copyStored() error {
	in := z.in
	for z.stored > 0 && z.w < len(z.window) {
		if in.n == 0 && len(in.buf) > 0 {
			n := copy(z.window[z.w:], in.buf[:min(len(in.buf), z.stored)])
			z.w += n
			z.stored -= n
			in.buf = in.buf[n:]
			in.read += int64(n)
			continue
		}
		c, ok := in.byte()
		if !ok {
			return ErrTruncated
		}
		z.window[z.w] = c
		z.w++
		z.stored--
	}
	if z.stored == 0 {
		z.state = atBlock
	}
	return nil
}

// dynamic reads the codes of a block.
func (z *inflater) dynamic() error {
	in := z.in
	if !in.need(14) {
		return ErrTruncated
	}
	nlit, ndist, nlen := int(in.take(5))+257, int(in.take(5))+1, int(in.take(4))+4
	if nlit > 286 || ndist > 30 {
		return ErrCorrupt
	}
	var l [maxLit + maxDist]uint8
	for i := range nlen {
		if !in.need(3) {
			return ErrTruncated
		}
		l[lengthOrder[i]] = uint8(in.take(3))
	}
	if !z.lit.build(l[:19]) {
		return ErrCorrupt
	}
	clear(l[:])
	for i := 0; i < nlit+ndist; {
		s := in.decode(&z.lit)
		if s < 0 {
			return z.wrong()
		}
		if s < 16 {
			l[i] = uint8(s)
			i++
			continue
		}
		if !in.need(7) && in.n < []uint{2, 3, 7}[s-16] {
			return ErrTruncated
		}
		n, v := 0, uint8(0)
		switch s {
		case 16:
			if i == 0 {
				return ErrCorrupt
			}
			n, v = 3+int(in.take(2)), l[i-1]
		case 17:
			n = 3 + int(in.take(3))
		default:
			n = 11 + int(in.take(7))
		}
		if i+n > nlit+ndist {
			return ErrCorrupt
		}
		for ; n > 0; n-- {
			l[i] = v
			i++
		}
	}
	if l[256] == 0 || !z.lit.build(l[:nlit]) || !z.dst.build(l[nlit:nlit+ndist]) {
		return ErrCorrupt
	}
	return nil
}

// codes decodes until the window is full or the block ends.
func (z *inflater) codes() error {
	in, win := z.in, z.window
	for z.w < len(win) {
		if z.copyLen > 0 {
			n := min(z.copyLen, len(win)-z.w)
			from := z.w - z.copyDist
			if z.copyDist >= n {
				copy(win[z.w:z.w+n], win[from:from+n])
			} else {
				for i := range n {
					win[z.w+i] = win[from+i]
				}
			}
			z.w += n
			z.copyLen -= n
			continue
		}
		s := in.decode(&z.lit)
		switch {
		case s < 0:
			return z.wrong()
		case s < 256:
			win[z.w] = byte(s)
			z.w++
			continue
		case s == 256:
			z.state = atBlock
			return nil
		case s > 285:
			return ErrCorrupt
		}
		s -= 257
		e := uint(lengthExtra[s])
		if !in.need(e) {
			return ErrTruncated
		}
		n := int(lengthBase[s]) + int(in.take(e))
		d := in.decode(&z.dst)
		if d < 0 {
			return z.wrong()
		}
		if d >= len(distBase) {
			return ErrCorrupt
		}
		e = uint(distExtra[d])
		if !in.need(e) {
			return ErrTruncated
		}
		dist := int(distBase[d]) + int(in.take(e))
		if dist > z.w {
			return ErrCorrupt
		}
		z.copyLen, z.copyDist = n, dist
	}
	return nil
}
