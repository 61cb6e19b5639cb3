// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package wasmbin

import "strconv"

// Names the rewriter adds. Modules that use them, or names that begin with
// them, are refused.
const (
	// Countdown is the export of the mutable i64 global that is counted down.
	// It starts at 0, so that the first check calls yield.
	Countdown = "wsandbox_countdown"
	// MemInit is the export of the function () -> () that applies the active
	// data segments and then calls the start function, if there is one. Only
	// with Options.Snapshot.
	MemInit = "wsandbox_meminit"
	// GlobalPrefix begins the export names of mutable globals; the index in
	// decimal follows. Only with Options.Snapshot.
	GlobalPrefix = "wsandbox_g"
	// YieldModule and YieldName name the import of type () -> () that is
	// called when the countdown is negative.
	YieldModule = "wsandbox_v0"
	YieldName   = "yield"
)

// MaxCost is the most that a single check charges for code, in units of the
// countdown; bulk instructions charge more, by their length. Yield has to set
// the countdown to at least this, or a loop may call it again and again.
const MaxCost = 1 << 17

// Options selects what [Rewrite] does beyond the countdown.
type Options struct {
	// Snapshot prepares the module for being initialised once and cloned: its
	// mutable globals are exported, its active data segments become passive
	// and are applied by the exported function MemInit, which also takes the
	// place of the start section. Modules whose state is more than memory and
	// numeric globals (imported memory or mutable globals, vectors or
	// references in mutable globals, instructions that change tables) are
	// refused.
	Snapshot bool

	form loopForm // for measuring one against another
}

// Rewrite returns a module equivalent to the given one in which the countdown
// and what Options ask for is built in, together with a description of the
// original. The input is not changed nor kept.
//
// Every error is an *Error. A module for which Rewrite succeeds need not be
// valid, since types are not checked; a compiler accepts the output if it
// accepts the input.
//
// Time and memory are linear in the length of the module.
func Rewrite(bin []byte, o Options) ([]byte, *Info, error) {
	m := &module{bin: bin, opt: o, info: &Info{}}
	for _, step := range [...]func() *Error{
		m.split, m.readTypes, m.readImports, m.readFunctions, m.readTables, m.readMemories, m.readTags,
		m.readGlobals, m.readExports, m.readStart, m.readElements, m.readDataCount, m.readData, m.readCode,
	} {
		if err := step(); err != nil {
			return nil, nil, err
		}
	}
	m.complete()
	return m.assemble(), m.info, nil
}

// maxGrowth is how many times as large as the module its code may become before
// the shortest checks are used. Modules of compilers grow by a tenth.
const maxGrowth = 2

// readCode rewrites the code section.
func (m *module) readCode() *Error {
	r := m.reader(secCode)
	n := 0
	if m.sections[secCode].present {
		n = r.count("function bodies", 2)
	}
	if r.err == nil && n != m.info.Functions {
		r.fail(Malformed, r.pos, "%d function bodies for %d functions", n, m.info.Functions)
	}
	w := &rewriter{m: m}
	v := &m.out[secCode]
	v.n = uint32(n)
	v.body = make([]byte, 0, r.left()+r.left()/8)
	for i := 0; i < n && r.err == nil; i++ {
		w.form = m.opt.form
		if len(v.body) > maxGrowth*len(m.bin)+1<<16 {
			w.form = formGlobal // the shortest
		}
		w.r = r.sub(r.count("bytes of a function", 1))
		w.function(m.funcTypes[int(m.importedFuncs)+i])
		if w.r.err != nil {
			return w.r.err
		}
		v.body = appendU32(v.body, uint32(len(w.out)))
		v.body = append(v.body, w.out...)
	}
	m.finish(&r)
	return r.err
}

// complete adds the rewriter's own import, globals, functions and exports.
func (m *module) complete() {
	imports, exports := &m.out[secImport], &m.out[secExport]
	export := func(name string, kind ExternKind, index uint32) {
		exports.n++
		exports.body = appendName(exports.body, name)
		exports.body = append(exports.body, byte(kind))
		exports.body = appendU32(exports.body, index)
	}
	imports.n++
	imports.body = appendName(imports.body, YieldModule)
	imports.body = appendName(imports.body, YieldName)
	imports.body = append(imports.body, byte(ExternFunc))
	imports.body = appendU32(imports.body, m.addType(nil, nil))

	globals := &m.out[secGlobal]
	globals.n++
	globals.body = append(globals.body, byte(I64), 1, opI64Const, 0, opEnd)
	export(Countdown, ExternGlobal, uint32(len(m.globals)))

	if m.opt.Snapshot {
		for i, g := range m.globals {
			if g.mutable {
				name := GlobalPrefix + strconv.Itoa(i)
				export(name, ExternGlobal, uint32(i))
				m.info.Globals = append(m.info.Globals, name)
				m.info.GlobalTypes = append(m.info.GlobalTypes, g.typ)
			}
		}
		body := append([]byte{0}, m.memInit...)
		if m.info.HasStart {
			body = appendOp(body, opCall, m.start)
		}
		body = append(body, opEnd)
		export(MemInit, ExternFunc, m.addFunc(addedFunc{m.addType(nil, nil), body}))
	}

	funcs, code := &m.out[secFunction], &m.out[secCode]
	for _, f := range m.added {
		funcs.n++
		funcs.body = appendU32(funcs.body, f.typ)
		code.n++
		code.body = appendU32(code.body, uint32(len(f.body)))
		code.body = append(code.body, f.body...)
	}
}

// assemble writes the sections in their order, the custom ones first: wazero
// does not read an empty one at the end of a module.
func (m *module) assemble() []byte {
	out := make([]byte, 0, len(m.bin)+len(m.out[secCode].body)/4)
	out = append(out, m.bin[:8]...)
	for _, c := range m.customs {
		out = append(out, m.bin[c.start:c.end]...)
	}
	var scratch []byte
	for _, id := range [...]byte{
		secType, secImport, secFunction, secTable, secMemory, secTag, secGlobal, secExport,
		secStart, secElement, secDataCount, secCode, secData,
	} {
		v := &m.out[id]
		switch id {
		case secStart:
			if m.info.HasStart && !m.opt.Snapshot {
				out = appendSection(out, id, appendU32(nil, m.start))
			}
		case secDataCount:
			// memory.init and data.drop need it, and MemInit is made of those.
			if m.sections[id].present || m.memInit != nil {
				out = appendSection(out, id, appendU32(nil, m.out[secData].n))
			}
		default:
			if v.n == 0 && !m.sections[id].present {
				continue
			}
			scratch = appendU32(scratch[:0], v.n)
			out = append(out, id)
			out = appendU32(out, uint32(len(scratch)+len(v.body)))
			out = append(out, scratch...)
			out = append(out, v.body...)
		}
	}
	return out
}
