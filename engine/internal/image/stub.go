// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package image

import (
	"errors"

	"github.com/wsandbox/wsandbox/engine/internal/wasmbin"
)

// errStub is returned for a module that this file cannot read. It does not
// happen for what the rewriter wrote.
var errStub = errors.New("image: malformed module")

// Sections, and kinds of imports and exports.
const (
	sectionCustom    = 0
	sectionImport    = 2
	sectionExport    = 7
	sectionStart     = 8
	sectionCode      = 10
	sectionData      = 11
	sectionDataCount = 12

	externFunc   = 0
	externGlobal = 3
)

// trapBody is a function body with its size: no locals, unreachable, end.
var trapBody = []byte{3, 0x00, 0x00, 0x0b}

// stubOf returns the module with every function body replaced by a trap and
// without custom sections. It gets a custom section with id, which must differ
// for modules that differ: the runtime knows machine code by the digest of the
// bytes it is given, and stubs differ in little else.
//
// The runtime needs a module's types, imports, tables and exports to run it, but
// not the bodies where their machine code comes from the cache. Reading and
// validating the bodies is most of the time that loading takes, and keeping
// them most of the memory.
func stubOf(module []byte, id string) ([]byte, error) {
	if len(module) < 8 {
		return nil, errStub
	}
	out := append(make([]byte, 0, len(module)/8), module[:8]...)
	err := forEachSection(module, func(s byte, body []byte) error {
		switch s {
		case sectionCustom:
			return nil
		case sectionCode:
			count, _, ok := uleb(body)
			if !ok || count > uint64(len(body)) {
				return errStub
			}
			body = appendUleb(nil, count)
			for range count {
				body = append(body, trapBody...)
			}
		}
		out = appendSection(out, s, body)
		return nil
	})
	const name = "wsandbox.module"
	custom := appendUleb(nil, uint64(len(name)))
	return appendSection(out, sectionCustom, append(custom, name+id...)), err
}

// segment is an active data segment.
type segment struct {
	at   uint32
	data []byte
}

// takeData splits the data off a guest: it returns the rewritten module without
// data segments and without the function that applies them, and the segments
// for the host to apply. It reports false where that cannot be, which is where
// instructions refer to segments, the module has a start function, or an offset
// is not a plain constant.
//
// Go splits its data into tens of thousands of segments. As code that applies
// them they make up nearly half of a guest's machine code, and as segments they
// cost each instance half a megabyte.
func takeData(original, rewritten []byte) (module []byte, data []segment, ok bool) {
	err := forEachSection(original, func(s byte, body []byte) (err error) {
		switch s {
		case sectionDataCount, sectionStart:
			return errStub
		case sectionData:
			data, err = activeData(body)
		}
		return err
	})
	if err != nil {
		return nil, nil, false
	}
	apply, err := exportedBody(rewritten, wasmbin.MemInit)
	if err != nil {
		return nil, nil, false
	}
	module = append(make([]byte, 0, len(rewritten)), rewritten[:8]...)
	err = forEachSection(rewritten, func(s byte, body []byte) (err error) {
		switch s {
		case sectionData, sectionDataCount:
			return nil
		case sectionCode:
			if body, err = replaceBody(body, apply); err != nil {
				return err
			}
		}
		module = appendSection(module, s, body)
		return nil
	})
	return module, data, err == nil
}

// activeData reads a data section whose segments are all active.
func activeData(b []byte) ([]segment, error) {
	count, b, ok := uleb(b)
	if !ok || count > uint64(len(b)) {
		return nil, errStub
	}
	out := make([]segment, 0, count)
	for range count {
		const i32Const, end = 0x41, 0x0b
		if len(b) < 2 || b[0] != 0 || b[1] != i32Const {
			return nil, errStub
		}
		at, rest, ok := sleb32(b[2:])
		if !ok || len(rest) == 0 || rest[0] != end {
			return nil, errStub
		}
		n, rest, ok := uleb(rest[1:])
		if !ok || n > uint64(len(rest)) {
			return nil, errStub
		}
		out = append(out, segment{uint32(at), rest[:n]})
		b = rest[n:]
	}
	return out, nil
}

// exportStart makes the start function an ordinary exported one.
func exportStart(module []byte, name string) ([]byte, error) {
	var start []byte
	err := forEachSection(module, func(s byte, body []byte) error {
		if s == sectionStart {
			start = body
		}
		return nil
	})
	if err != nil || start == nil {
		return nil, errStub
	}
	out := append(make([]byte, 0, len(module)+len(name)+8), module[:8]...)
	done := false
	err = forEachSection(module, func(s byte, body []byte) error {
		switch s {
		case sectionStart:
			return nil
		case sectionExport:
			count, rest, ok := uleb(body)
			if !ok {
				return errStub
			}
			body = appendUleb(nil, count+1)
			body = append(body, rest...)
			body = appendUleb(body, uint64(len(name)))
			body = append(body, name...)
			body = append(body, externFunc)
			body = append(body, start...)
			done = true
		}
		out = appendSection(out, s, body)
		return nil
	})
	if err == nil && !done {
		err = errStub
	}
	return out, err
}

// exportedBody returns the index, among the bodies, of an exported function.
func exportedBody(module []byte, name string) (body uint64, err error) {
	imported, index, found := uint64(0), uint64(0), false
	str := func(b []byte) (s string, rest []byte, ok bool) {
		n, b, ok := uleb(b)
		if !ok || n > uint64(len(b)) {
			return "", nil, false
		}
		return string(b[:n]), b[n:], true
	}
	err = forEachSection(module, func(s byte, b []byte) error {
		if s != sectionImport && s != sectionExport {
			return nil
		}
		count, b, ok := uleb(b)
		for ; ok && count > 0; count-- {
			var field string
			if s == sectionImport {
				_, b, ok = str(b) // the import's module
				if !ok {
					break
				}
			}
			if field, b, ok = str(b); !ok || len(b) == 0 {
				return errStub
			}
			kind := b[0]
			var v uint64
			switch {
			case s == sectionExport || kind == externFunc:
				v, b, ok = uleb(b[1:])
			case kind == externGlobal && len(b) >= 3:
				b = b[3:]
			default:
				return errStub // of a guest's imports there are no others
			}
			switch {
			case s == sectionImport && kind == externFunc:
				imported++
			case s == sectionExport && kind == externFunc && field == name:
				index, found = v, true
			}
		}
		if !ok {
			return errStub
		}
		return nil
	})
	if err != nil || !found || index < imported {
		return 0, errStub
	}
	return index - imported, nil
}

// replaceBody returns a code section in which one body is a trap.
func replaceBody(b []byte, index uint64) ([]byte, error) {
	count, b, ok := uleb(b)
	if !ok || index >= count {
		return nil, errStub
	}
	out := appendUleb(make([]byte, 0, len(b)+8), count)
	for n := range count {
		size, rest, ok := uleb(b)
		if !ok || size > uint64(len(rest)) {
			return nil, errStub
		}
		if n == index {
			out = append(out, trapBody...)
		} else {
			out = append(out, b[:len(b)-len(rest)+int(size)]...)
		}
		b = rest[size:]
	}
	return append(out, b...), nil
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

// sleb32 reads a signed LEB128 number of 32 bits.
func sleb32(b []byte) (v int32, rest []byte, ok bool) {
	var n int64
	for i := 0; i < 5 && i < len(b); i++ {
		n |= int64(b[i]&0x7f) << (7 * i)
		if b[i] < 0x80 {
			if b[i]&0x40 != 0 {
				n |= -1 << (7 * (i + 1))
			}
			return int32(n), b[i+1:], true
		}
	}
	return 0, nil, false
}

func appendSection(b []byte, id byte, body []byte) []byte {
	b = append(b, id)
	b = appendUleb(b, uint64(len(body)))
	return append(b, body...)
}

func appendUleb(b []byte, v uint64) []byte {
	for v >= 0x80 {
		b = append(b, byte(v)|0x80)
		v >>= 7
	}
	return append(b, byte(v))
}
