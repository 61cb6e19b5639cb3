// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package image

import "errors"

// errStub is returned for a module that stubOf cannot read. It does not happen
// for what the rewriter wrote.
var errStub = errors.New("image: malformed module")

const (
	sectionCustom    = 0
	sectionCode      = 10
	sectionData      = 11
	sectionDataCount = 12
)

// stubOf returns the module with every function body replaced by a trap and
// without custom sections; with dropData also without data segments, which is
// right for a module that is given its memory and has no instruction that
// refers to a segment. It gets a custom section with id, which must differ for
// modules that differ: the runtime knows machine code by the digest of the
// bytes it is given, and stubs differ in little else.
//
// The runtime needs a module's types, imports, tables and exports to run it, but
// not the bodies where their machine code comes from the cache. Reading and
// validating the bodies is most of the time that loading takes, and keeping
// them most of the memory. (Go splits its data into tens of thousands of
// segments, each of which costs every instance 24 bytes.)
func stubOf(module []byte, dropData bool, id string) ([]byte, error) {
	if len(module) < 8 {
		return nil, errStub
	}
	out := append(make([]byte, 0, len(module)/8), module[:8]...)
	err := forEachSection(module, func(id byte, body []byte) error {
		switch {
		case id == sectionCustom, dropData && (id == sectionData || id == sectionDataCount):
			return nil
		case id == sectionCode:
			count, _, ok := uleb(body)
			if !ok || count > uint64(len(body)) {
				return errStub
			}
			body = appendUleb(nil, count)
			for range count {
				body = append(body, 3, 0, 0x00, 0x0b) // size, no locals, unreachable, end
			}
		}
		out = append(out, id)
		out = appendUleb(out, uint64(len(body)))
		out = append(out, body...)
		return nil
	})
	const name = "wsandbox.module"
	custom := appendUleb(nil, uint64(len(name)))
	custom = append(custom, name+id...)
	out = append(out, sectionCustom)
	out = appendUleb(out, uint64(len(custom)))
	return append(out, custom...), err
}

// refersToData reports whether the module may have instructions that refer to
// data segments: it then must have a section that counts these.
func refersToData(module []byte) bool {
	found := false
	err := forEachSection(module, func(id byte, _ []byte) error {
		found = found || id == sectionDataCount
		return nil
	})
	return found || err != nil
}

func forEachSection(module []byte, f func(id byte, body []byte) error) error {
	if len(module) < 8 {
		return errStub
	}
	for b := module[8:]; len(b) > 0; {
		n, rest, ok := uleb(b[1:])
		if !ok || n > uint64(len(rest)) {
			return errStub
		}
		if err := f(b[0], rest[:n]); err != nil {
			return err
		}
		b = rest[n:]
	}
	return nil
}

// uleb reads an unsigned LEB128 number of at most 32 bits.
func uleb(b []byte) (v uint64, rest []byte, ok bool) {
	for i := 0; i < 5 && i < len(b); i++ {
		v |= uint64(b[i]&0x7f) << (7 * i)
		if b[i] < 0x80 {
			return v, b[i+1:], v < 1<<32
		}
	}
	return 0, nil, false
}

func appendUleb(b []byte, v uint64) []byte {
	for v >= 0x80 {
		b = append(b, byte(v)|0x80)
		v >>= 7
	}
	return append(b, byte(v))
}
