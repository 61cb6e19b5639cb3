// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package cmdkit

import (
	"math/bits"
	"strconv"
)

// Rounding says which way a size is rounded.
type Rounding uint8

// Roundings.
const (
	Ceiling Rounding = iota
	Nearest
	Floor
)

// BlockSize says in which unit sizes are printed.
type BlockSize struct {
	Size  uint64 // bytes; meaningless with Human
	Human bool   // the unit that suits the number: 1.5K
	SI    bool   // powers of 1000 rather than 1024
	Unit  string // printed behind the number, as --block-size=K asks for
	Group bool   // a leading quote asks for thousands separators, which C has not
}

const powerLetters = "KMGTPEZY"

// ParseBlockSize parses the argument of --block-size: human-readable, si, a
// size such as 4096, 1K or 1kB, or a unit alone such as K, which is also printed
// behind the numbers.
func ParseBlockSize(s string) (BlockSize, NumError) {
	var b BlockSize
	if s != "" && s[0] == '\'' {
		b.Group = true
		s = s[1:]
	}
	for _, c := range [...]struct {
		name string
		si   bool
	}{{"human-readable", false}, {"si", true}} {
		if s != "" && len(s) <= len(c.name) && c.name[:len(s)] == s {
			return BlockSize{Size: 1, Human: true, SI: c.si}, NumOK
		}
	}
	v, e := ParseUint(s, "eEgGkKmMpPtTyYzZ0")
	if e != NumOK {
		return b, e
	}
	if v == 0 {
		return b, NumInvalid
	}
	b.Size = v
	if s[0] < '0' || s[0] > '9' {
		b.Unit = s
		if len(s) == 1 {
			b.Unit = string(s[0] &^ 0x20)
		} else if s[1] == 'B' {
			b.SI = true
			if s[0] == 'k' || s[0] == 'K' {
				b.Unit = "kB"
			}
		} else if len(s) == 3 {
			b.Unit = s[:1]
		}
	}
	return b, NumOK
}

// BlockSizeEnv returns the block size that the environment asks for: of the
// first variable that is set, else of BLOCK_SIZE, BLOCKSIZE, else 512 with
// POSIXLY_CORRECT and 1024 otherwise. found says that a variable was set.
func (p *Proc) BlockSizeEnv(variable string) (b BlockSize, found bool) {
	for _, v := range [...]string{variable, "BLOCK_SIZE", "BLOCKSIZE"} {
		if s, ok := p.LookupEnv(v); ok {
			if b, e := ParseBlockSize(s); e == NumOK {
				return b, true
			}
		}
	}
	if _, ok := p.LookupEnv("POSIXLY_CORRECT"); ok {
		return BlockSize{Size: 512}, false
	}
	return BlockSize{Size: 1024}, false
}

// BlockSizeArg parses the argument of an option and reports a wrong one as GNU's
// xstrtol_fatal does.
func (p *Proc) BlockSizeArg(option, arg string) (BlockSize, bool) {
	b, e := ParseBlockSize(arg)
	switch e {
	case NumOK:
		return b, true
	case NumOverflow:
		p.Warn(option, " argument '", arg, "' too large")
	case NumSuffix:
		p.Warn("invalid suffix in ", option, " argument '", arg, "'")
	default:
		p.Warn("invalid ", option, " argument '", arg, "'")
	}
	return b, false
}

// Append appends n units of from bytes, printed in b's unit.
func (b BlockSize) Append(dst []byte, n, from uint64, r Rounding) []byte {
	if b.Human {
		return AppendHuman(dst, n, from, b.SI, r)
	}
	hi, lo := bits.Mul64(n, from)
	if hi >= b.Size {
		// Only beyond 16 exabytes in units of a byte: the sum no longer fits.
		return append(dst, "18446744073709551615"...)
	}
	q, rem := bits.Div64(hi, lo, b.Size)
	if rem != 0 && (r == Ceiling || r == Nearest && rem >= b.Size-rem) {
		q++
	}
	return append(strconv.AppendUint(dst, q, 10), b.Unit...)
}

// String returns what Append appends.
func (b BlockSize) String(n, from uint64, r Rounding) string {
	return string(b.Append(nil, n, from, r))
}

// AppendHuman appends n units of from bytes with the unit that suits: below ten
// of a unit one digit behind the point, as "1.5K", else none, as "23M".
func AppendHuman(dst []byte, n, from uint64, si bool, r Rounding) []byte {
	base, letters := uint64(1024), powerLetters
	if si {
		base, letters = 1000, "kMGTPEZY"
	}
	hi, lo := bits.Mul64(n, from)
	if hi == 0 && lo < base {
		return strconv.AppendUint(dst, lo, 10)
	}
	// (hi, lo) is divided by base until it fits; left says that something was
	// cut off, tenth is the first digit behind the point.
	exp := -1
	tenth, left := uint64(0), uint64(0) // left: 0 none, 1 below a half, 2 half, 3 above
	for hi != 0 || lo >= base {
		q1, r1 := hi/base, hi%base
		q0, rem := bits.Div64(r1, lo, base)
		hi, lo = q1, q0
		t := rem*10 + tenth
		rest := t % base * 2 // twice what is behind the tenth, and a bit for what was left
		switch {
		case rest == 0 && left == 0:
			left = 0
		case rest < base:
			left = 1
		case rest == base && left == 0:
			left = 2
		default:
			left = 3
		}
		tenth = t / base
		exp++
	}
	up := func(odd bool) bool {
		return r == Ceiling && left > 0 || r == Nearest && (left == 3 || left == 2 && odd)
	}
	if lo < 10 {
		if up(tenth&1 == 1) {
			tenth++
			if tenth == 10 {
				lo, tenth = lo+1, 0
			}
			left = 0
		}
		if lo < 10 {
			dst = strconv.AppendUint(dst, lo, 10)
			dst = append(dst, '.', '0'+byte(tenth))
			return append(dst, letters[exp])
		}
		tenth, left = 0, 0
	}
	if r == Ceiling && (tenth > 0 || left > 0) ||
		r == Nearest && (tenth > 5 || tenth == 5 && (left > 0 || lo&1 == 1)) {
		lo++
		if lo == base && exp+1 < len(letters) {
			exp++
			return append(dst, '1', '.', '0', letters[exp])
		}
	}
	return append(strconv.AppendUint(dst, lo, 10), letters[exp])
}
