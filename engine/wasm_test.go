// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package engine

// A small assembler for modules in tests. Types: i is i32, I is i64.

func uleb(v int) (b []byte) {
	for v >= 0x80 {
		b = append(b, byte(v)|0x80)
		v >>= 7
	}
	return append(b, byte(v))
}

func sleb(v int) (b []byte) {
	for v >= 0x40 || v < -0x40 {
		b = append(b, byte(v)|0x80)
		v >>= 7
	}
	return append(b, byte(v)&0x7f)
}

func cat(parts ...[]byte) (b []byte) {
	for _, p := range parts {
		b = append(b, p...)
	}
	return b
}

// vec is a count and its entries.
func vec(entries ...[]byte) []byte { return cat(uleb(len(entries)), cat(entries...)) }

func sized(b []byte) []byte { return cat(uleb(len(b)), b) }

func section(id byte, entries ...[]byte) []byte { return cat([]byte{id}, sized(vec(entries...))) }

func functype(params, results string) []byte {
	types := func(s string) []byte {
		b := uleb(len(s))
		for _, c := range s {
			b = append(b, map[rune]byte{'i': 0x7f, 'I': 0x7e}[c])
		}
		return b
	}
	return cat([]byte{0x60}, types(params), types(results))
}

func importFunc(module, name string, typ int) []byte {
	return cat(sized([]byte(module)), sized([]byte(name)), []byte{0}, uleb(typ))
}

func export(name string, kind byte, index int) []byte {
	return cat(sized([]byte(name)), []byte{kind}, uleb(index))
}

// code is a function body without locals; its end is added.
func code(parts ...[]byte) []byte { return sized(cat([]byte{0}, cat(parts...), []byte{0x0b})) }

func i32(v int) []byte { return cat([]byte{0x41}, sleb(v)) }

func op(b ...byte) []byte { return b }

func call(f int) []byte { return cat([]byte{0x10}, uleb(f)) }

func module0(sections ...[]byte) []byte {
	return cat([]byte("\x00asm\x01\x00\x00\x00"), cat(sections...))
}

// Types and functions of every command module.
const (
	typeNone  = 0 // () -> ()
	typeWrite = 1 // (i32, i32, i32, i32) -> i32
	typeExit  = 2 // (i32) -> ()

	funcWrite = 0
	funcExit  = 1
	funcStart = 2
)

// parts may replace the sections of a command module.
type parts struct {
	memory  []byte // limits
	tables  [][]byte
	start   bool // _start also is the start function
	elems   [][]byte
	data    [][]byte
	types   [][]byte // further ones, from 3
	funcs   [][]byte // further ones, from 3, each with its type 0
	imports [][]byte // in front of which nothing may be called
	exports [][]byte
	noStart bool
	custom  []byte
}

// command returns a module whose _start is the given code.
func command(p parts, start ...[]byte) []byte {
	if p.memory == nil {
		p.memory = []byte{0, 1}
	}
	types := append([][]byte{functype("", ""), functype("iiii", "i"), functype("i", "")}, p.types...)
	imports := append([][]byte{
		importFunc("wasi_snapshot_preview1", "fd_write", typeWrite),
		importFunc("wasi_snapshot_preview1", "proc_exit", typeExit),
	}, p.imports...)
	first := len(imports)
	funcs, bodies := [][]byte{uleb(typeNone)}, [][]byte{code(start...)}
	for _, f := range p.funcs {
		funcs, bodies = append(funcs, uleb(typeNone)), append(bodies, f)
	}
	exports := append([][]byte{export("memory", 2, 0)}, p.exports...)
	if !p.noStart {
		exports = append(exports, export("_start", 0, first))
	}
	s := [][]byte{section(1, types...), section(2, imports...), section(3, funcs...)}
	if p.tables != nil {
		s = append(s, section(4, p.tables...))
	}
	s = append(s, section(5, p.memory), section(7, exports...))
	if p.start {
		s = append(s, cat([]byte{8}, sized(uleb(first))))
	}
	if p.elems != nil {
		s = append(s, section(9, p.elems...))
	}
	s = append(s, section(10, bodies...))
	if p.data != nil {
		s = append(s, section(11, p.data...))
	}
	if p.custom != nil {
		s = append(s, cat([]byte{0}, sized(p.custom)))
	}
	return module0(s...)
}

// data is an active segment.
func data(at int, b string) []byte {
	return cat([]byte{0}, i32(at), []byte{0x0b}, sized([]byte(b)))
}

// hello prints a text.
func hello(text string) []byte {
	p := parts{data: [][]byte{data(0, string([]byte{16, 0, 0, 0, byte(len(text)), 0, 0, 0})), data(16, text)}}
	return command(p, printIovec())
}

// printIovec writes the vector at address 0 to descriptor 1.
func printIovec() []byte {
	return cat(i32(1), i32(0), i32(1), i32(8), call(funcWrite), op(0x1a))
}

// forever is a loop without end.
func forever() []byte { return op(0x03, 0x40, 0x0c, 0x00, 0x0b) }

// exitUnless exits with status where the i32 on the stack is zero.
func exitIf(status int) []byte {
	return cat(op(0x04, 0x40), i32(status), call(funcExit), op(0x0b))
}
