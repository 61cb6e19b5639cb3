// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package flate

import (
	"encoding/binary"
	"math/bits"
	"slices"
)

const (
	minLength  = 3 // of a match in the format
	minMatch   = 4 // of one that is looked for
	maxMatch   = 258
	hashBits   = 15
	maxSymbols = 16 << 10 // of a block
	bufferSize = 4 * windowSize
)

// effort is how much a level does for a match.
type effort struct {
	chain int // candidates looked at
	nice  int // a match of this length is good enough
	lazy  int // a match up to this length may give way to one that begins a byte later
}

var efforts = [10]effort{{}, {4, 8, 0}, {5, 16, 0}, {6, 32, 0}, {16, 16, 4}, {32, 32, 16}, {48, 64, 16}, {128, 128, 32}, {1024, 258, 128}, {4096, 258, 258}}

// deflater compresses to one DEFLATE stream.
type deflater struct {
	effort
	stored bool // level 0
	out    func([]byte)

	buf   []byte // what is compressed, behind up to a window before it
	n     int    // bytes in buf
	pos   int    // of the next one to look at
	start int    // of the current block in buf
	head  *[1 << hashBits]int32
	prev  *[windowSize]int32
	base  int32 // what positions in head and prev count from

	symbols  []uint32 // distance<<9 | length, or a literal
	litFreq  [maxLit]uint32
	distFreq [maxDist]uint32
	extra    int // bits behind the symbols

	bitsV uint64
	bitsN uint
	bytes []byte
}

// newDeflater returns a compressor of a level, 0 to 9.
func newDeflater(level int, out func([]byte)) *deflater {
	return &deflater{
		effort: efforts[level], stored: level == 0, out: out, buf: make([]byte, bufferSize),
		head: new([1 << hashBits]int32), prev: new([windowSize]int32), base: 1,
		symbols: make([]uint32, 0, maxSymbols),
	}
}

// write compresses b.
func (d *deflater) write(b []byte) {
	for len(b) > 0 {
		k := copy(d.buf[d.n:], b)
		d.n += k
		b = b[k:]
		if d.n == len(d.buf) {
			d.compress(false)
			d.shift()
		}
	}
}

// close ends the stream.
func (d *deflater) close() {
	d.compress(true)
	d.block(true)
	if d.bitsN > 0 {
		d.put(0, (8-d.bitsN&7)&7)
	}
	d.flush()
}

// shift drops what no match can refer to any more.
func (d *deflater) shift() {
	d.block(false) // blocks refer to buf where they are stored
	cut := d.pos - windowSize
	if cut <= 0 {
		return
	}
	copy(d.buf, d.buf[cut:d.n])
	d.n -= cut
	d.pos -= cut
	d.start -= cut
	d.base += int32(cut)
	if d.base > 1<<30 { // positions begin again
		clear(d.head[:])
		clear(d.prev[:])
		d.base = 1
	}
}

func hash(b []byte) uint32 {
	return binary.LittleEndian.Uint32(b) * 0x9e3779b1 >> (32 - hashBits)
}

// insert notes the position p and returns the last one with the same hash,
// absolute.
func (d *deflater) insert(p int) int32 {
	h := hash(d.buf[p:])
	at := d.base + int32(p)
	last := d.head[h]
	d.prev[at&(windowSize-1)] = last
	d.head[h] = at
	return last
}

// match returns the longest match for the position p among the candidates from
// at on that is longer than best.
func (d *deflater) match(p int, at int32, best int) (length, dist int) {
	limit := min(maxMatch, d.n-p)
	if limit < minMatch || best >= limit {
		return 0, 0
	}
	buf := d.buf
	here := buf[p : p+limit]
	oldest := d.base + int32(max(0, p-windowSize))
	end := binary.LittleEndian.Uint32(here[best-3:]) // what a longer match has too
	for n := d.chain; n > 0 && at >= oldest; n-- {
		c := int(at - d.base)
		if binary.LittleEndian.Uint32(buf[c+best-3:]) == end {
			if k := common(buf[c:c+limit], here); k > best {
				best, length, dist = k, k, p-c
				if k >= d.nice || k == limit {
					break
				}
				end = binary.LittleEndian.Uint32(here[best-3:])
			}
		}
		next := d.prev[at&(windowSize-1)]
		if next >= at {
			break
		}
		at = next
	}
	return length, dist
}

// common returns how many bytes at the start of a and b are equal; they have the
// same length.
func common(a, b []byte) int {
	i := 0
	for i+8 <= len(a) {
		if x := binary.LittleEndian.Uint64(a[i:]) ^ binary.LittleEndian.Uint64(b[i:]); x != 0 {
			return i + bits.TrailingZeros64(x)/8
		}
		i += 8
	}
	for i < len(a) && a[i] == b[i] {
		i++
	}
	return i
}

// compress turns what is in the buffer into symbols. Without end it leaves the
// last bytes, whose matches may be longer.
func (d *deflater) compress(end bool) {
	stop := d.n
	if !end {
		stop = d.n - maxMatch - minMatch
	}
	if d.stored {
		d.pos = max(d.pos, stop)
		return
	}
	for d.pos < stop {
		p := d.pos
		length, dist := 0, 0
		if p+minMatch <= d.n {
			length, dist = d.match(p, d.insert(p), minMatch-1)
		}
		for length > 0 && length <= d.lazy && p+1+minMatch <= d.n && p+1 < stop {
			l2, d2 := d.match(p+1, d.insert(p+1), length)
			if l2 <= length {
				// The position has been noted already.
				d.add(length, dist)
				d.skip(p+2, p+length)
				d.pos = p + length
				length = -1
				break
			}
			d.literal(d.buf[p])
			p++
			length, dist = l2, d2
		}
		switch {
		case length < 0:
		case length == 0:
			d.literal(d.buf[p])
			d.pos = p + 1
		default:
			d.add(length, dist)
			d.skip(p+1, p+length)
			d.pos = p + length
		}
		if len(d.symbols) >= maxSymbols-2 {
			d.block(false)
		}
	}
}

// skip notes the positions from a on before b.
func (d *deflater) skip(a, b int) {
	for b = min(b, d.n-minMatch+1); a < b; a++ {
		d.insert(a)
	}
}

func (d *deflater) literal(c byte) {
	d.symbols = append(d.symbols, uint32(c))
	d.litFreq[c]++
}

// lengthCode returns the symbol of a length, from 0.
func lengthCode(n int) int {
	if n == maxMatch {
		return 28
	}
	n -= minLength
	if n < 8 {
		return n
	}
	k := bits.Len(uint(n)) - 3
	return 4*k + 4 + n>>k&3
}

// distCode returns the symbol of a distance.
func distCode(n int) int {
	n--
	if n < 4 {
		return n
	}
	k := bits.Len(uint(n)) - 2
	return 2*k + 2 + n>>k&1
}

func (d *deflater) add(length, dist int) {
	d.symbols = append(d.symbols, uint32(dist)<<9|uint32(length))
	l, s := lengthCode(length), distCode(dist)
	d.litFreq[257+l]++
	d.distFreq[s]++
	d.extra += int(lengthExtra[l]) + int(distExtra[s])
}

func (d *deflater) put(v uint32, n uint) {
	d.bitsV |= uint64(v) << d.bitsN
	d.bitsN += n
	for d.bitsN >= 8 {
		d.bytes = append(d.bytes, byte(d.bitsV))
		d.bitsV >>= 8
		d.bitsN -= 8
	}
	if len(d.bytes) >= 32<<10 {
		d.flush()
	}
}

func (d *deflater) flush() {
	if len(d.bytes) > 0 {
		d.out(d.bytes)
		d.bytes = d.bytes[:0]
	}
}

// writeCode is a prefix code for writing.
type writeCode struct {
	bits [maxLit]uint16 // reversed
	size [maxLit]uint8
}

// lengths finds code lengths of at most limit bits for the frequencies.
func (c *writeCode) lengths(freq []uint32, limit int) {
	type node struct {
		freq        uint64
		left, right int16 // children; left < 0: a leaf of symbol right
	}
	scale := uint(0)
	for {
		clear(c.size[:])
		nodes := make([]node, 0, 2*len(freq))
		for s, f := range freq {
			if f > 0 {
				nodes = append(nodes, node{uint64(f>>scale) + 1, -1, int16(s)})
			}
		}
		leaves := len(nodes)
		if leaves <= 1 {
			if leaves == 1 {
				c.size[nodes[0].right] = 1
			}
			return
		}
		slices.SortFunc(nodes, func(a, b node) int {
			if a.freq != b.freq {
				if a.freq < b.freq {
					return -1
				}
				return 1
			}
			return int(a.right) - int(b.right)
		})
		// Two queues: leaves in order, and what has been joined, which comes
		// in order.
		i, j := 0, leaves
		pick := func() int16 {
			if i < leaves && (j >= len(nodes) || nodes[i].freq <= nodes[j].freq) {
				i++
				return int16(i - 1)
			}
			j++
			return int16(j - 1)
		}
		for len(nodes) < 2*leaves-1 {
			a := pick()
			b := pick()
			nodes = append(nodes, node{nodes[a].freq + nodes[b].freq, a, b})
		}
		depth := make([]uint8, len(nodes))
		deepest := 0
		for k := len(nodes) - 1; k >= 0; k-- {
			if n := nodes[k]; n.left >= 0 {
				depth[n.left], depth[n.right] = depth[k]+1, depth[k]+1
			} else {
				c.size[n.right] = depth[k]
				deepest = max(deepest, int(depth[k]))
			}
		}
		if deepest <= limit {
			return
		}
		scale++ // flatter frequencies make a flatter tree
	}
}

// assign gives the symbols their codes.
func (c *writeCode) assign(n int) {
	var count, next [maxBits + 2]uint16
	for _, s := range c.size[:n] {
		count[s]++
	}
	count[0] = 0
	for l := 1; l <= maxBits; l++ {
		next[l+1] = (next[l] + count[l]) << 1
	}
	for s, l := range c.size[:n] {
		if l > 0 {
			c.bits[s] = bits.Reverse16(next[l]) >> (16 - l)
			next[l]++
		}
	}
}

// cost returns how many bits the symbols take.
func (c *writeCode) cost(freq []uint32) int {
	n := 0
	for s, f := range freq {
		n += int(f) * int(c.size[s])
	}
	return n
}

// fixedCodes returns the codes of RFC 1951, 3.2.6.
func fixedCodes() (lit, dist writeCode) {
	for i := range maxLit {
		switch {
		case i < 144:
			lit.size[i] = 8
		case i < 256:
			lit.size[i] = 9
		case i < 280:
			lit.size[i] = 7
		default:
			lit.size[i] = 8
		}
	}
	for i := range maxDist {
		dist.size[i] = 5
	}
	lit.assign(maxLit)
	dist.assign(maxDist)
	return lit, dist
}

// runs encodes code lengths as in RFC 1951, 3.2.7: symbol | extra<<8.
func runs(l []uint8) (out []uint16) {
	for i := 0; i < len(l); {
		k := i + 1
		for k < len(l) && l[k] == l[i] {
			k++
		}
		n := k - i
		if l[i] == 0 {
			for n >= 3 {
				m := min(n, 138)
				if m <= 10 {
					out = append(out, 17|uint16(m-3)<<8)
				} else {
					out = append(out, 18|uint16(m-11)<<8)
				}
				n -= m
			}
		} else {
			out = append(out, uint16(l[i]))
			for n--; n >= 3; {
				m := min(n, 6)
				out = append(out, 16|uint16(m-3)<<8)
				n -= m
			}
		}
		for ; n > 0; n-- {
			out = append(out, uint16(l[i]))
		}
		i = k
	}
	return out
}

// block writes the symbols so far, in the shortest of the three ways.
func (d *deflater) block(last bool) {
	size := d.pos - d.start
	if size == 0 && !last {
		return
	}
	flag := uint32(0)
	if last {
		flag = 1
	}
	if d.stored {
		d.store(d.buf[d.start:d.pos], flag)
		d.start = d.pos
		return
	}
	d.litFreq[256] = 1
	var lit, dist, lens writeCode
	lit.lengths(d.litFreq[:], maxBits)
	dist.lengths(d.distFreq[:], maxBits)
	nlit, ndist := 257, 1
	for i := 257; i < 286; i++ {
		if lit.size[i] > 0 {
			nlit = i + 1
		}
	}
	for i := range 30 {
		if dist.size[i] > 0 {
			ndist = i + 1
		}
	}
	all := append(append(make([]uint8, 0, maxLit+maxDist), lit.size[:nlit]...), dist.size[:ndist]...)
	seq := runs(all)
	var lenFreq [19]uint32
	extra := 0
	for _, s := range seq {
		lenFreq[s&0xff]++
		extra += [...]int{16: 2, 17: 3, 18: 7}[max(s&0xff, 15)&31]
	}
	lens.lengths(lenFreq[:], 7)
	nlen := 19
	for nlen > 4 && lens.size[lengthOrder[nlen-1]] == 0 {
		nlen--
	}
	fixLit, fixDist := fixedCodes()
	dynamic := 14 + 3*nlen + lens.cost(lenFreq[:]) + extra + lit.cost(d.litFreq[:]) + dist.cost(d.distFreq[:]) + d.extra
	fixed := fixLit.cost(d.litFreq[:]) + fixDist.cost(d.distFreq[:]) + d.extra
	switch {
	case size > 0 && 8*(size+5*(1+size/65535)) < min(dynamic, fixed):
		d.store(d.buf[d.start:d.pos], flag)
	case fixed <= dynamic:
		d.put(flag|1<<1, 3)
		d.emit(&fixLit, &fixDist)
	default:
		lit.assign(maxLit)
		dist.assign(maxDist)
		lens.assign(19)
		d.put(flag|2<<1, 3)
		d.put(uint32(nlit-257), 5)
		d.put(uint32(ndist-1), 5)
		d.put(uint32(nlen-4), 4)
		for _, s := range lengthOrder[:nlen] {
			d.put(uint32(lens.size[s]), 3)
		}
		for _, s := range seq {
			k, x := s&0xff, uint32(s>>8)
			d.put(uint32(lens.bits[k]), uint(lens.size[k]))
			switch k {
			case 16:
				d.put(x, 2)
			case 17:
				d.put(x, 3)
			case 18:
				d.put(x, 7)
			}
		}
		d.emit(&lit, &dist)
	}
	d.start = d.pos
	d.symbols = d.symbols[:0]
	clear(d.litFreq[:])
	clear(d.distFreq[:])
	d.extra = 0
}

// store writes bytes as they are.
func (d *deflater) store(b []byte, flag uint32) {
	for {
		n := min(len(b), 65535)
		f := uint32(0)
		if n == len(b) {
			f = flag
		}
		d.put(f, 3)
		d.put(0, (8-d.bitsN&7)&7)
		d.put(uint32(n), 16)
		d.put(^uint32(n)&0xffff, 16)
		d.flush()
		d.out(b[:n])
		if b = b[n:]; len(b) == 0 {
			return
		}
	}
}

// emit writes the symbols and the end of the block.
func (d *deflater) emit(lit, dist *writeCode) {
	for _, s := range d.symbols {
		if s < 256 {
			d.put(uint32(lit.bits[s]), uint(lit.size[s]))
			continue
		}
		length, far := int(s&511), int(s>>9)
		l, k := lengthCode(length), distCode(far)
		d.put(uint32(lit.bits[257+l]), uint(lit.size[257+l]))
		d.put(uint32(length)-uint32(lengthBase[l]), uint(lengthExtra[l]))
		d.put(uint32(dist.bits[k]), uint(dist.size[k]))
		d.put(uint32(far)-uint32(distBase[k]), uint(distExtra[k]))
	}
	d.put(uint32(lit.bits[256]), uint(lit.size[256]))
}
