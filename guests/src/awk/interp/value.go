// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package interp

// kind says what a value is.
type kind uint8

const (
	kUninit  kind = iota // never assigned: "" and 0
	kNum                 // a number
	kStr                 // a string
	kInput               // text from outside, which may look like a number
	kNumText             // text from outside that does
	kArray               // an element that is an array itself
)

// value is a value. s is not set for numbers, n not for strings.
type value struct {
	s string
	n float64
	k kind
}

func numValue(n float64) value    { return value{n: n, k: kNum} }
func strValue(s string) value     { return value{s: s, k: kStr} }
func inputValue(s string) value   { return value{s: s, k: kInput} }
func (v *value) setNum(n float64) { v.s, v.n, v.k = "", n, kNum }

// resolve finds out whether text from outside looks like a number.
func (v *value) resolve() {
	if v.k == kInput {
		if n, ok := looksNumeric(v.s); ok {
			v.n, v.k = n, kNumText
		} else {
			v.k = kStr
		}
	}
}

// num returns the value as a number.
func (v *value) num() float64 {
	switch v.k {
	case kNum, kNumText:
		return v.n
	case kUninit:
		return 0
	}
	return toNum(v.s)
}

// cond returns the value as a condition.
func (v *value) cond() bool {
	if v.k == kInput {
		v.resolve()
	}
	switch v.k {
	case kNum, kNumText:
		return v.n != 0
	}
	return v.s != ""
}

// text returns the value as a string, numbers in the format CONVFMT.
func (in *interp) text(v *value) string {
	if v.k == kNum {
		return in.numText(v.n)
	}
	return v.s
}

// compare compares two values: as numbers where both are some, or look so, else
// as strings.
func (in *interp) compare(a, b *value) int {
	a.resolve()
	b.resolve()
	if a.k != kStr && b.k != kStr {
		return compareNum(a.num(), b.num())
	}
	return in.compareText(in.text(a), in.text(b))
}

// unordered is the result of comparing with what is not a number.
const unordered = 2

func compareNum(x, y float64) int {
	switch {
	case x < y:
		return -1
	case x == y:
		return 0
	case x > y:
		return 1
	}
	return unordered
}

func (in *interp) compareText(s, t string) int {
	if in.ignoreCase {
		return compareFold(s, t)
	}
	switch {
	case s == t:
		return 0
	case s < t:
		return -1
	}
	return 1
}

func lower(c byte) byte {
	if c >= 'A' && c <= 'Z' {
		c |= 0x20
	}
	return c
}

func compareFold(s, t string) int {
	for i := 0; i < len(s) && i < len(t); i++ {
		if a, b := lower(s[i]), lower(t[i]); a != b {
			return compareNum2(a, b)
		}
	}
	return compareNum2(len(s), len(t))
}

func compareNum2[T int | byte](a, b T) int {
	switch {
	case a < b:
		return -1
	case a > b:
		return 1
	}
	return 0
}

// Short strings are put into blocks, as those of the input are: most do not live
// long, and a block costs less than they would one by one.
const (
	textBlock = 16 << 10
	shortText = 1 << 10
)

// newText returns b as a string of its own.
func (in *interp) newText(b []byte) string {
	if len(b) > shortText {
		return string(b)
	}
	start := len(in.texts)
	if len(b) > cap(in.texts)-start {
		in.texts, start = make([]byte, 0, textBlock), 0
	}
	in.texts = append(in.texts, b...)
	return textOf(in.texts[start:])
}
