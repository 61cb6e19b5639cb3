// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package wasmbin

import (
	"slices"
	"strings"
)

// Section ids, in the order of the binary format except for data count, which
// stands before code, and tag, which stands before global.
const (
	secCustom byte = iota
	secType
	secImport
	secFunction
	secTable
	secMemory
	secGlobal
	secExport
	secStart
	secElement
	secCode
	secData
	secDataCount
	secTag
)

var sectionNames = [...]string{
	"custom", "type", "import", "function", "table", "memory", "global", "export", "start", "element",
	"code", "data", "data count", "tag",
}

// sectionOrder is the place of each section in a module.
var sectionOrder = [...]int{
	secType: 1, secImport: 2, secFunction: 3, secTable: 4, secMemory: 5, secTag: 6, secGlobal: 7,
	secExport: 8, secStart: 9, secElement: 10, secDataCount: 11, secCode: 12, secData: 13,
}

// Limits on what a module may ask for. They follow those of the JavaScript
// embedding of WebAssembly where it has any, and keep what a compiler allocates
// proportional to the size of the module.
const (
	// MaxTableEntries is the number of entries all tables of a module may have
	// together; each takes 8 bytes of host memory.
	MaxTableEntries = 1 << 20

	maxFuncTypeLen = 1000
	maxLocals      = 50000 // of one function
	maxTables      = 1000
	maxBody        = 512 << 10 // bytes of one function
	// The locals of all functions together are limited to baseLocals plus one
	// for each byte of the module: a declaration of many takes four bytes.
	baseLocals = 1 << 20

	// A compiler's time grows with the square of the blocks and branches of a
	// function, its memory with their product with the locals, and it is not
	// to be interrupted within a function. At these limits, some ten times
	// what large programs have, a function takes seconds and 300 MB.
	maxEdges      = 20000
	maxEdgeLocals = 4 << 20
)

type section struct {
	start, end int // contents
	present    bool
}

type globalDef struct {
	typ     ValType
	mutable bool
}

// module is what one pass over the sections outside of code gathers.
type module struct {
	bin      []byte
	opt      Options
	info     *Info
	sections [secTag + 1]section
	customs  []section // whole custom sections that are kept

	types []FuncType // of the module, then those added for the rewriter's functions
	known int        // how many of them are the module's own

	importedFuncs   uint32
	importedGlobals uint32
	funcTypes       []uint32 // of imports and definitions, by function index
	globals         []globalDef

	locals uint64 // declared so far in all functions

	out     [secTag + 1]vector // the rewritten sections
	helpers [numHelpers]uint32 // function indices, 0 where unused
	added   []addedFunc        // behind the module's own functions
	start   uint32             // rewritten function index, if info.HasStart

	dataCount uint32
	memInit   []byte // code that applies the active data segments
}

// vector is the contents of a rewritten section, its count apart.
type vector struct {
	n    uint32
	body []byte
}

func (m *module) reader(id byte) reader {
	s := m.sections[id]
	return reader{mod: m.bin, pos: s.start, end: s.end, section: sectionNames[id]}
}

// split finds the sections and checks their order.
func (m *module) split() *Error {
	r := reader{mod: m.bin, end: len(m.bin)}
	if len(m.bin) < 8 || string(m.bin[:4]) != "\x00asm" {
		r.fail(Malformed, 0, "not a WebAssembly module")
		return r.err
	}
	if v := m.bin[4:8]; v[0] != 1 || v[1] != 0 || v[2] != 0 || v[3] != 0 {
		if v[2] == 1 {
			r.fail(Unsupported, 4, "a component; only core modules run here")
		} else {
			r.fail(Unsupported, 4, "binary format version %d", uint32(v[0])|uint32(v[1])<<8|uint32(v[2])<<16|uint32(v[3])<<24)
		}
		return r.err
	}
	r.pos = 8
	order := 0
	for r.err == nil && r.pos < r.end {
		at := r.pos
		id := r.byte()
		size := r.u32()
		start := r.pos
		if r.err != nil {
			break
		}
		if int(id) >= len(sectionNames) {
			r.fail(Malformed, at, "invalid section id %d", id)
			break
		}
		r.section = sectionNames[id]
		if uint64(size) > uint64(r.left()) {
			r.fail(Malformed, at, "section of %d bytes exceeds the %d bytes left", size, r.left())
			break
		}
		r.pos += int(size)
		if id == secCustom {
			c := reader{mod: m.bin, pos: start, end: r.pos, section: "custom"}
			name := c.name()
			if c.err != nil {
				return c.err
			}
			if keepCustom(name) {
				m.customs = append(m.customs, section{start: at, end: r.pos})
			}
			r.section = ""
			continue
		}
		if sectionOrder[id] <= order {
			r.fail(Malformed, at, "%s section out of order or repeated", sectionNames[id])
			break
		}
		order = sectionOrder[id]
		m.sections[id] = section{start: start, end: r.pos, present: true}
		r.section = ""
	}
	return r.err
}

// keepCustom reports whether a custom section stays: debugging data is
// dropped, since it makes modules heavy, and so is what refers to indices or
// code offsets that change.
func keepCustom(name string) bool {
	switch name {
	case "name", "linking", "sourceMappingURL", "external_debug_info", "producers":
		return false
	}
	for _, p := range [...]string{".debug_", "reloc.", "metadata.code."} {
		if strings.HasPrefix(name, p) {
			return false
		}
	}
	return true
}

func (m *module) readTypes() *Error {
	r := m.reader(secType)
	if !m.sections[secType].present {
		return nil
	}
	n := r.count("types", 1)
	body := r.pos
	for i := 0; i < n && r.err == nil; i++ {
		if r.pos < r.end && r.mod[r.pos] == 0x4e { // group of types that may refer to each other
			r.byte()
			m.info.Features |= TypedReferences
			k := r.count("types of a group", 3)
			for j := 0; j < k && r.err == nil; j++ {
				m.readType(&r)
			}
			continue
		}
		m.readType(&r)
	}
	m.known = len(m.types)
	m.keep(&r, secType, n, body)
	return r.err
}

func (m *module) readType(r *reader) {
	at := r.pos
	switch form := r.byte(); form {
	case 0x60:
	case 0x50, 0x4f, 0x5e, 0x5f:
		r.fail(Unsupported, at, "garbage-collected type (form %#x)", form)
	default:
		r.fail(Malformed, at, "invalid type form %#x", form)
	}
	t := FuncType{Params: r.valTypes()}
	t.Results = r.valTypes()
	m.types = append(m.types, t)
}

// addType returns the index of a type for one of the rewriter's own functions.
// The module's types are not searched: one within a group would not do.
func (m *module) addType(params, results []ValType) uint32 {
	for i := m.known; i < len(m.types); i++ {
		if t := m.types[i]; slices.Equal(t.Params, params) && slices.Equal(t.Results, results) {
			return uint32(i)
		}
	}
	m.types = append(m.types, FuncType{params, results})
	v := &m.out[secType]
	v.n++
	v.body = append(v.body, 0x60)
	for _, ts := range [...][]ValType{params, results} {
		v.body = appendU32(v.body, uint32(len(ts)))
		for _, t := range ts {
			v.body = append(v.body, byte(t))
		}
	}
	return uint32(len(m.types) - 1)
}

// keep checks that a section was read to its end and takes over its n entries,
// which start at body, unchanged.
func (m *module) keep(r *reader, id byte, n, body int) {
	m.finish(r)
	if r.err == nil {
		m.out[id] = vector{uint32(n), append([]byte(nil), m.bin[body:r.end]...)}
	}
}

// finish checks that a section was read to its end.
func (m *module) finish(r *reader) {
	if r.err == nil && r.pos != r.end {
		r.fail(Malformed, r.pos, "%d bytes behind the end of the section's contents", r.left())
	}
}

func (m *module) typeIndex(r *reader) uint32 {
	at := r.pos
	t := r.u32()
	if r.err == nil && uint64(t) >= uint64(m.known) {
		r.fail(Malformed, at, "type index %d of %d types", t, m.known)
	}
	return t
}

func (m *module) funcIndex(r *reader) uint32 {
	at := r.pos
	f := r.u32()
	if r.err == nil && uint64(f) >= uint64(len(m.funcTypes)) {
		r.fail(Malformed, at, "function index %d of %d functions", f, len(m.funcTypes))
	}
	return f
}

func (m *module) globalIndex(r *reader) uint32 {
	at := r.pos
	g := r.u32()
	if r.err == nil && uint64(g) >= uint64(len(m.globals)) {
		r.fail(Malformed, at, "global index %d of %d globals", g, len(m.globals))
	}
	return g
}

// shift maps a function index to its value in the rewritten module.
func (m *module) shift(f uint32) uint32 {
	if f >= m.importedFuncs {
		return f + 1
	}
	return f
}

func (m *module) readFunctions() *Error {
	r := m.reader(secFunction)
	if !m.sections[secFunction].present {
		return nil
	}
	n := r.count("functions", 1)
	body := r.pos
	for i := 0; i < n && r.err == nil; i++ {
		m.funcTypes = append(m.funcTypes, m.typeIndex(&r))
	}
	m.info.Functions = n
	m.keep(&r, secFunction, n, body)
	return r.err
}

func (m *module) readTables() *Error {
	r := m.reader(secTable)
	if !m.sections[secTable].present {
		return nil
	}
	at := r.pos
	n := r.count("tables", 3)
	if n > maxTables {
		r.fail(Limit, at, "%d tables, at most %d are accepted", n, maxTables)
	}
	total := uint64(0)
	v := &m.out[secTable]
	v.n = uint32(n)
	for i := 0; i < n && r.err == nil; i++ {
		at := r.pos
		min := m.readTable(&r, v, MaxTableEntries/n)
		if total += uint64(min); total > MaxTableEntries {
			r.fail(Limit, at, "tables of %d entries, at most %d are accepted", total, MaxTableEntries)
		}
	}
	m.finish(&r)
	return r.err
}

// readTable reads a table and returns its minimum; with an output the table is
// written there, its maximum lowered to limit where it may grow beyond.
func (m *module) readTable(r *reader, v *vector, limit int) uint32 {
	start, init := r.pos, false
	if v != nil && r.pos < r.end && r.mod[r.pos] == 0x40 {
		r.byte()
		if b := r.byte(); r.err == nil && b != 0 {
			r.fail(Malformed, start, "invalid table prefix")
		}
		m.info.Features |= TypedReferences
		init = true
	}
	at := r.pos
	switch t := r.valType(m.known); t {
	case FuncRef, ExternRef, ExnRef, refNonNull, refNull:
	default:
		r.fail(Malformed, at, "table of %s", t)
	}
	at = r.pos
	min, max, hasMax, shared := r.limits()
	switch {
	case r.err != nil:
		return 0
	case shared:
		r.fail(Unsupported, at, "shared table")
	case hasMax && max < min:
		r.fail(Malformed, at, "table maximum %d is below its minimum %d", max, min)
	}
	if v == nil {
		return min
	}
	if !hasMax || max > uint32(limit) {
		max = uint32(limit)
	}
	if max < min {
		max = min
	}
	v.body = append(v.body, m.bin[start:at]...)
	v.body = append(v.body, 1)
	v.body = appendU32(v.body, min)
	v.body = appendU32(v.body, max)
	if init {
		v.body = m.constExpr(r, v.body)
	}
	return min
}

func (m *module) readMemories() *Error {
	r := m.reader(secMemory)
	if !m.sections[secMemory].present {
		return nil
	}
	n := r.count("memories", 2)
	body := r.pos
	for i := 0; i < n && r.err == nil; i++ {
		m.readMemory(&r, false)
	}
	m.keep(&r, secMemory, n, body)
	return r.err
}

func (m *module) readMemory(r *reader, imported bool) {
	const pages = 1 << 16
	at := r.pos
	min, max, hasMax, shared := r.limits()
	if !hasMax {
		max = pages
	}
	switch {
	case r.err != nil:
		return
	case m.info.HasMemory:
		r.fail(Unsupported, at, "more than one memory")
	case shared:
		r.fail(Unsupported, at, "shared memory: processes have a single thread")
	case min > pages || max > pages:
		r.fail(Malformed, at, "memory of more than %d pages", pages)
	case max < min:
		r.fail(Malformed, at, "memory maximum %d is below its minimum %d", max, min)
	case imported && m.opt.Snapshot:
		r.fail(Unsupported, at, "imported memory in a module to be snapshot")
	}
	m.info.HasMemory, m.info.MemoryImported = true, imported
	m.info.MemoryMin, m.info.MemoryMax = uint64(min), uint64(max)
}

func (m *module) readTags() *Error {
	r := m.reader(secTag)
	if !m.sections[secTag].present {
		return nil
	}
	n := r.count("tags", 2)
	body := r.pos
	for i := 0; i < n && r.err == nil; i++ {
		m.readTag(&r)
	}
	m.keep(&r, secTag, n, body)
	return r.err
}

func (m *module) readTag(r *reader) {
	at := r.pos
	if b := r.byte(); r.err == nil && b != 0 {
		r.fail(Malformed, at, "invalid tag attribute %#x", b)
	}
	m.typeIndex(r)
	m.info.Features |= Exceptions
}

func (m *module) readGlobalType(r *reader) globalDef {
	g := globalDef{typ: r.valType(m.known)}
	at := r.pos
	switch b := r.byte(); b {
	case 0, 1:
		g.mutable = b == 1
	default:
		r.fail(Malformed, at, "invalid mutability %#x", b)
	}
	return g
}

func (m *module) readGlobals() *Error {
	r := m.reader(secGlobal)
	if !m.sections[secGlobal].present {
		return nil
	}
	n := r.count("globals", 4)
	v := &m.out[secGlobal]
	v.n = uint32(n)
	for i := 0; i < n && r.err == nil; i++ {
		at := r.pos
		g := m.readGlobalType(&r)
		if m.opt.Snapshot && g.mutable {
			switch g.typ {
			case I32, I64, F32, F64:
			default:
				r.fail(Unsupported, at, "mutable global of type %s in a module to be snapshot", g.typ)
			}
		}
		m.globals = append(m.globals, g)
		v.body = append(v.body, m.bin[at:r.pos]...)
		v.body = m.constExpr(&r, v.body)
	}
	m.finish(&r)
	return r.err
}
