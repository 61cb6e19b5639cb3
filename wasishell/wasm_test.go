// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package wasishell_test

import (
	"encoding/binary"

	"github.com/wsandbox/wsandbox/engine/abi"
)

// A small assembler for hostile modules. Types: i and p are i32, I is i64.

func uleb(v uint64) (b []byte) {
	for v >= 0x80 {
		b = append(b, byte(v)|0x80)
		v >>= 7
	}
	return append(b, byte(v))
}

func sleb(v int64) (b []byte) {
	for v >= 0x40 || v < -0x40 {
		b = append(b, byte(v)|0x80)
		v >>= 7
	}
	return append(b, byte(v)&0x7f)
}

func concat(parts ...[]byte) (b []byte) {
	for _, p := range parts {
		b = append(b, p...)
	}
	return b
}

func vec(entries ...[]byte) []byte {
	return concat(uleb(uint64(len(entries))), concat(entries...))
}

func sized(b []byte) []byte { return concat(uleb(uint64(len(b))), b) }

func section(id byte, entries ...[]byte) []byte { return concat([]byte{id}, sized(vec(entries...))) }

func functype(params, results string) []byte {
	types := func(s string) []byte {
		b := uleb(uint64(len(s)))
		for _, c := range s {
			b = append(b, map[rune]byte{'i': 0x7f, 'p': 0x7f, 'I': 0x7e}[c])
		}
		return b
	}
	return concat([]byte{0x60}, types(params), types(results))
}

func importFunc(module, name string, typ int) []byte {
	return concat(sized([]byte(module)), sized([]byte(name)), []byte{0}, uleb(uint64(typ)))
}

func export(name string, kind byte, index int) []byte {
	return concat(sized([]byte(name)), []byte{kind}, uleb(uint64(index)))
}

// code is a function body; its end is added. locals are of one type each.
func code(locals string, parts ...[]byte) []byte {
	l := make([][]byte, len(locals))
	for i, c := range locals {
		l[i] = []byte{1, map[rune]byte{'i': 0x7f, 'I': 0x7e}[c]}
	}
	return sized(concat(vec(l...), concat(parts...), []byte{0x0b}))
}

func i32c(v int64) []byte { return concat([]byte{0x41}, sleb(v)) }
func op(b ...byte) []byte { return b }
func callf(f int) []byte  { return concat([]byte{0x10}, uleb(uint64(f))) }
func get(l int) []byte    { return concat([]byte{0x20}, uleb(uint64(l))) }
func set(l int) []byte    { return concat([]byte{0x21}, uleb(uint64(l))) }

// load is i32.load or i64.load of a constant address.
func load32(at int64) []byte { return concat(i32c(at), op(0x28, 0), uleb(0)) }
func load64(at int64) []byte { return concat(i32c(at), op(0x29, 0), uleb(0)) }

// store32 stores what v pushes.
func store32(at int64, v []byte) []byte { return concat(i32c(at), v, op(0x36, 0), uleb(0)) }

func wasmModule(sections ...[]byte) []byte {
	return concat([]byte("\x00asm\x01\x00\x00\x00"), concat(sections...))
}

// command is a module whose _start is body, with some pages of memory and
// without imports.
func command(pages uint64, locals string, body ...[]byte) []byte {
	return wasmModule(
		section(1, functype("", ""), functype("i", "")),
		section(3, uleb(0)),
		section(5, concat([]byte{0}, uleb(pages))),
		section(7, export("memory", 2, 0), export("_start", 0, 0)),
		section(10, code(locals, body...)),
	)
}

// hostFunc is a function that the host offers. Its parameters are named by their
// types; p is a pointer.
type hostFunc struct {
	module, name, params string
	noResult             bool
}

// hostFuncs lists all functions that a module may import.
func hostFuncs() []hostFunc {
	p1 := [...][2]string{
		{"args_get", "pp"}, {"args_sizes_get", "pp"}, {"environ_get", "pp"}, {"environ_sizes_get", "pp"},
		{"clock_res_get", "ip"}, {"clock_time_get", "iIp"},
		{"fd_advise", "iIIi"}, {"fd_allocate", "iII"}, {"fd_close", "i"}, {"fd_datasync", "i"},
		{"fd_fdstat_get", "ip"}, {"fd_fdstat_set_flags", "ii"}, {"fd_fdstat_set_rights", "iII"},
		{"fd_filestat_get", "ip"}, {"fd_filestat_set_size", "iI"}, {"fd_filestat_set_times", "iIIi"},
		{"fd_pread", "ipiIp"}, {"fd_prestat_get", "ip"}, {"fd_prestat_dir_name", "ipi"}, {"fd_pwrite", "ipiIp"},
		{"fd_read", "ipip"}, {"fd_readdir", "ipiIp"}, {"fd_renumber", "ii"}, {"fd_seek", "iIip"}, {"fd_sync", "i"},
		{"fd_tell", "ip"}, {"fd_write", "ipip"},
		{"path_create_directory", "ipi"}, {"path_filestat_get", "iipip"}, {"path_filestat_set_times", "iipiIIi"},
		{"path_link", "iipiipi"}, {"path_open", "iipiiIIip"}, {"path_readlink", "ipipip"},
		{"path_remove_directory", "ipi"}, {"path_rename", "ipiipi"}, {"path_symlink", "piipi"}, {"path_unlink_file", "ipi"},
		{"poll_oneoff", "ppip"}, {"proc_raise", "i"}, {"sched_yield", ""}, {"random_get", "pi"},
		{"sock_accept", "iip"}, {"sock_recv", "ipiipp"}, {"sock_send", "ipiip"}, {"sock_shutdown", "ii"},
	}
	var l []hostFunc
	for _, f := range p1 {
		l = append(l, hostFunc{module: "wasi_snapshot_preview1", name: f[0], params: f[1]})
	}
	l = append(l, hostFunc{module: "wasi_snapshot_preview1", name: "proc_exit", params: "i", noResult: true})
	for _, f := range abi.ExtFuncs {
		l = append(l, hostFunc{module: abi.ExtModule, name: f.Name, params: f.Params})
	}
	return l
}

// Layout of the remote's memory: scratch space, the request, then what is the
// test's.
const (
	remoteIovec   = 0  // address, length
	remoteCount   = 8  // bytes moved
	remoteResult  = 16 // of the call
	remoteRequest = 32 // operation u32, padding, maxParams values u64
	maxParams     = 10
	requestSize   = 8 + 8*maxParams
	remoteFree    = 1024
	remotePages   = 4
	remoteMemory  = remotePages << 16
)

// Operations of a request that are no host function.
const (
	opPoke = 1000 + iota // address, length: filled with what follows on stdin
	opPeek               // address, length: written to stdout
	opGrow               // pages; the result is memory.grow's
)

// remoteModule returns a module that calls host functions as it is told on its
// standard input: the test's hand inside the sandbox.
func remoteModule(funcs []hostFunc) []byte {
	types := [][]byte{functype("", "")}
	known := map[string]int{"": 0}
	typeOf := func(f hostFunc) int {
		res := "i"
		if f.noResult {
			res = ""
		}
		k := f.params + ">" + res
		if i, ok := known[k]; ok {
			return i
		}
		known[k] = len(types)
		types = append(types, functype(f.params, res))
		return known[k]
	}
	var imports [][]byte
	read, write := -1, -1
	for i, f := range funcs {
		imports = append(imports, importFunc(f.module, f.name, typeOf(f)))
		if f.module == "wasi_snapshot_preview1" {
			switch f.name {
			case "fd_read":
				read = i
			case "fd_write":
				write = i
			}
		}
	}
	start := len(imports)
	const opLocal = 0
	param := func(i int, typ rune) []byte {
		v := load64(int64(remoteRequest + 8 + 8*i))
		if typ != 'I' {
			v = append(v, 0xa7) // i32.wrap_i64
		}
		return v
	}
	// transfer moves an iovec from or to a standard descriptor, or returns.
	transfer := func(fn int, fd int64, ptr, n []byte) []byte {
		return concat(
			store32(remoteIovec, ptr), store32(remoteIovec+4, n),
			i32c(fd), i32c(remoteIovec), i32c(1), i32c(remoteCount), callf(fn),
			op(0x04, 0x40), op(0x0f), op(0x0b), // if: return
			load32(remoteCount), n, op(0x47, 0x04, 0x40), op(0x0f), op(0x0b), // another length: return
		)
	}
	body := concat(
		op(0x03, 0x40), // loop
		transfer(read, 0, i32c(remoteRequest), i32c(requestSize)),
		load32(remoteRequest), set(opLocal),
		store32(remoteResult, i32c(-1)),
	)
	when := func(o int64, do []byte) {
		body = concat(body, get(opLocal), i32c(o), op(0x46, 0x04, 0x40), do, op(0x0b))
	}
	for i, f := range funcs {
		var call []byte
		for k, typ := range f.params {
			call = append(call, param(k, typ)...)
		}
		call = append(call, callf(i)...)
		if f.noResult {
			when(int64(i), call)
			continue
		}
		when(int64(i), store32(remoteResult, call))
	}
	when(opPoke, transfer(read, 0, param(0, 'i'), param(1, 'i')))
	when(opPeek, transfer(write, 1, param(0, 'i'), param(1, 'i')))
	when(opGrow, store32(remoteResult, concat(param(0, 'i'), op(0x40, 0))))
	body = concat(body,
		transfer(write, 1, i32c(remoteResult), i32c(4)),
		op(0x0c, 0), // again
		op(0x0b),
	)
	return wasmModule(
		section(1, types...),
		section(2, imports...),
		section(3, uleb(0)),
		section(5, concat([]byte{0}, uleb(remotePages))),
		section(7, export("memory", 2, 0), export("_start", 0, start)),
		section(10, code("i", body)),
	)
}

// request encodes one operation.
func request(operation int, args ...uint64) []byte {
	b := make([]byte, requestSize)
	binary.LittleEndian.PutUint32(b, uint32(operation))
	for i, a := range args {
		binary.LittleEndian.PutUint64(b[8+8*i:], a)
	}
	return b
}

// Hostile modules without imports.

// wasmSpin loops without end.
func wasmSpin() []byte { return command(1, "", op(0x03, 0x40, 0x0c, 0, 0x0b)) }

// wasmFill fills 64 MB of memory again and again.
func wasmFill() []byte {
	return command(1024, "", op(0x03, 0x40), i32c(0), i32c(1), i32c(64<<20), op(0xfc, 0x0b, 0), op(0x0c, 0, 0x0b))
}

// wasmCopy copies memory onto itself again and again.
func wasmCopy() []byte {
	return command(1024, "", op(0x03, 0x40), i32c(1), i32c(0), i32c(64<<20-1), op(0xfc, 0x0a, 0, 0), op(0x0c, 0, 0x0b))
}

// wasmGrow grows its memory page by page as far as it can, touching each, and
// then fails.
func wasmGrow() []byte {
	return command(1, "i",
		op(0x03, 0x40),
		i32c(1), op(0x40, 0), set(0), get(0), i32c(-1), op(0x46, 0x04, 0x40, 0x00, 0x0b), // -1: unreachable
		get(0), i32c(16), op(0x74), i32c(1), op(0x36, 2, 0), // store at the page
		op(0x0c, 0, 0x0b))
}

// withFunction is a module with a function of one parameter, which is function
// 1, called with arg.
func withFunction(arg int64, body ...[]byte) []byte {
	return wasmModule(
		section(1, functype("", ""), functype("i", "")),
		section(3, uleb(0), uleb(1)),
		section(5, concat([]byte{0}, uleb(1))),
		section(7, export("memory", 2, 0), export("_start", 0, 0)),
		section(10, code("", i32c(arg), callf(1)), code("", body...)),
	)
}

// wasmTree calls itself twice down to a depth that takes for ever.
func wasmTree() []byte {
	down := concat(get(0), i32c(1), op(0x6b), callf(1))
	return withFunction(60, get(0), op(0x45, 0x04, 0x40, 0x0f, 0x0b), down, down)
}

// wasmRecurse calls itself without end.
func wasmRecurse() []byte { return withFunction(0, get(0), callf(1), get(0), callf(1)) }
