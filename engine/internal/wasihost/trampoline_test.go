// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package wasihost

import (
	"encoding/binary"

	"github.com/wsandbox/wsandbox/engine/abi"
)

// trampolines returns a module that exports, for every host function, a
// function that passes its parameters on: "wasi.NAME" and "ext.NAME". It has a
// memory of the given number of pages, which cannot grow, or none for 0.
func trampolines(pages uint64) []byte {
	type fn struct {
		module, name, export, sig string
		void                      bool
	}
	var fns []fn
	for _, f := range preview1() {
		fns = append(fns, fn{Preview1Module, f.name, "wasi." + f.name, f.signature(), f.void})
	}
	for _, f := range extension() {
		fns = append(fns, fn{abi.ExtModule, f.name, "ext." + f.name, f.signature(), f.void})
	}
	fns = append(fns, fn{abi.ExtModule, yieldName, "ext.yield", "", true})

	vec := func(n int, body []byte) []byte { return append(binary.AppendUvarint(nil, uint64(n)), body...) }
	name := func(b []byte, s string) []byte { return append(binary.AppendUvarint(b, uint64(len(s))), s...) }
	var types, imports, funcs, exports, code []byte
	for i, f := range fns {
		types = append(types, 0x60)
		types = binary.AppendUvarint(types, uint64(len(f.sig)))
		for _, c := range []byte(f.sig) {
			if c == 'I' {
				types = append(types, 0x7e)
			} else {
				types = append(types, 0x7f)
			}
		}
		if f.void {
			types = append(types, 0)
		} else {
			types = append(types, 1, 0x7f)
		}
		imports = name(name(imports, f.module), f.name)
		imports = binary.AppendUvarint(append(imports, 0), uint64(i))
		funcs = binary.AppendUvarint(funcs, uint64(i))
		exports = name(exports, f.export)
		exports = binary.AppendUvarint(append(exports, 0), uint64(len(fns)+i))
		body := []byte{0}
		for p := range len(f.sig) {
			body = binary.AppendUvarint(append(body, 0x20), uint64(p))
		}
		body = binary.AppendUvarint(append(body, 0x10), uint64(i))
		body = append(body, 0x0b)
		code = append(binary.AppendUvarint(code, uint64(len(body))), body...)
	}
	nexports := len(fns)
	if pages > 0 {
		exports = append(name(exports, "memory"), 2, 0)
		nexports++
	}
	m := []byte("\x00asm\x01\x00\x00\x00")
	section := func(id byte, body []byte) {
		m = append(m, id)
		m = append(binary.AppendUvarint(m, uint64(len(body))), body...)
	}
	section(1, vec(len(fns), types))
	section(2, vec(len(fns), imports))
	section(3, vec(len(fns), funcs))
	if pages > 0 {
		mem := binary.AppendUvarint([]byte{1, 1}, pages)
		section(5, binary.AppendUvarint(mem, pages))
	}
	section(7, vec(nexports, exports))
	section(10, vec(len(fns), code))
	return m
}
