// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package wasmbin

import (
	"bytes"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// The following put modules together that no text assembler writes: those with
// newer constructs and broken ones.

func cat(parts ...[]byte) []byte { return bytes.Join(parts, nil) }

func b(bytes ...byte) []byte { return bytes }

// vec is a vector: the number of entries, then the entries.
func vecOf(entries ...[]byte) []byte {
	return append(appendU32(nil, uint32(len(entries))), cat(entries...)...)
}

func str(s string) []byte { return appendName(nil, s) }

func sec(id byte, body ...[]byte) []byte { return appendSection(nil, id, cat(body...)) }

// fn is a body with groups of locals and code, to which the end is added.
func fn(locals []byte, code ...byte) []byte {
	body := append(cat(locals, code), opEnd)
	return append(appendU32(nil, uint32(len(body))), body...)
}

func mod(sections ...[]byte) []byte {
	return append([]byte("\x00asm\x01\x00\x00\x00"), cat(sections...)...)
}

// one is a module of a single exported function "f" of the given type.
func one(typ []byte, f []byte, more ...[]byte) []byte {
	parts := [][]byte{
		sec(secType, vecOf(typ)), sec(secFunction, vecOf(b(0))),
		sec(secExport, vecOf(cat(str("f"), b(0, 0)))), sec(secCode, vecOf(f)),
	}
	parts = append(parts, more...)
	// Sections in their order.
	slices.SortStableFunc(parts, func(x, y []byte) int { return sectionOrder[x[0]] - sectionOrder[y[0]] })
	return mod(parts...)
}

var (
	noLocals = b(0)
	vv       = b(0x60, 0, 0)
	vi       = b(0x60, 0, 1, byte(I32))
	ii       = b(0x60, 1, byte(I32), 1, byte(I32))
	memory   = sec(secMemory, vecOf(b(0, 1)))
)

// exceptions throws from a loop to a catch clause outside of two loops: f(n)
// counts turns up to n and adds 1000 in the handler.
func exceptions() []byte {
	return mod(
		sec(secType, vecOf(ii, b(0x60, 1, byte(I32), 0))),
		sec(secFunction, vecOf(b(0))),
		sec(secTag, vecOf(b(0, 1))),
		sec(secExport, vecOf(cat(str("f"), b(0, 0)))),
		sec(secCode, vecOf(fn(b(1, 1, byte(I32)),
			opBlock, byte(I32), // label for the catch
			opLoop, blockEmpty,
			opTryTable, blockEmpty, 1, 0, 0, 1, // catch tag 0 to the block
			opLoop, blockEmpty,
			opLocalGet, 1, opI32Const, 1, opI32Add, opLocalTee, 1,
			opLocalGet, 0, 0x4e, // i32.ge_s
			opIf, blockEmpty, opLocalGet, 1, opThrow, 0, opEnd,
			opBr, 0, opEnd,
			opEnd,
			opBr, 0, opEnd,
			opUnreachable, opEnd,
			opI32Const, 0xe8, 0x07, opI32Add))),
	)
}

// references calls through a typed reference in a loop, skips a null one, and
// has a table with an initial value: f(n) is 3n.
func references() []byte {
	refT := b(byte(refNonNull), 0)
	return mod(
		sec(secType, vecOf(ii)),
		sec(secFunction, vecOf(b(0), b(0), b(0))),
		sec(secTable, vecOf(cat(b(0x40, 0), refT, b(0, 2), b(opRefFunc, 1, opEnd)))),
		sec(secGlobal, vecOf(cat(refT, b(0, opRefFunc, 1, opEnd)))),
		sec(secExport, vecOf(cat(str("f"), b(0, 0)), cat(str("g"), b(0, 2)))),
		sec(secElement, vecOf(cat(b(7), b(byte(FuncRef)), vecOf(b(opRefFunc, 1, opEnd))))),
		sec(secCode, vecOf(
			fn(b(1, 1, byte(I32)),
				opLoop, blockEmpty,
				opLocalGet, 1, opGlobalGet, 0, opCallRef, 0, opLocalSet, 1,
				opLocalGet, 0, opI32Const, 1, opI32Sub, opLocalTee, 0, opBrIf, 0, opEnd,
				opLocalGet, 1),
			fn(noLocals, opLocalGet, 0, opI32Const, 3, opI32Add),
			fn(noLocals,
				opBlock, blockEmpty, opLoop, blockEmpty, opRefNull, 0, opBrOnNull, 1, 0x1a /* drop */, opBr, 0, opEnd, opEnd,
				opLocalGet, 0, opI32Const, 0, 0x25, 0, opReturnCallRef, 0),
		)),
	)
}

func TestNewerConstructs(t *testing.T) {
	tests := []struct {
		name     string
		bin      []byte
		features Features
		calls    []call
	}{
		{"exceptions", exceptions(), Exceptions, []call{{"f", i(5), "1005"}, {"f", i(5000), "6000"}}},
		{"references", references(), TypedReferences | TailCalls, []call{{"f", i(5), "15"}, {"f", i(5000), "15000"}, {"g", i(4), "7"}}},
	}
	for _, tt := range tests {
		for _, form := range []loopForm{formSplit, formGlobal} {
			out, info, err := Rewrite(tt.bin, Options{form: form})
			require.NoError(t, err, tt.name)
			require.Equal(t, tt.features, info.Features)
			h := newHost(t)
			h.budget = leastBudget
			original, rewritten := h.instantiate(t, tt.bin), h.instantiate(t, out)
			for _, c := range tt.calls {
				require.Equal(t, c.want, c.run(t, original), tt.name)
				require.Equal(t, c.want, c.run(t, rewritten), tt.name)
			}
			require.Positive(t, h.yields)
		}
	}
}

func TestRefusedModules(t *testing.T) {
	snapshot := Options{Snapshot: true}
	huge := b(0xff, 0xff, 0xff, 0xff, 0x0f)
	table := sec(secTable, vecOf(b(byte(FuncRef), 0, 1)))
	tests := []struct {
		name    string
		bin     []byte
		o       Options
		reason  Reason
		section string
		offset  int
		message string
	}{
		{"empty", nil, Options{}, Malformed, "", 0, "not a WebAssembly module"},
		{"text", []byte("(module) "), Options{}, Malformed, "", 0, "not a WebAssembly module"},
		{"component", []byte("\x00asm\x0d\x00\x01\x00"), Options{}, Unsupported, "", 4, "a component; only core modules run here"},
		{"version", []byte("\x00asm\x02\x00\x00\x00"), Options{}, Unsupported, "", 4, "binary format version 2"},
		{"cut section", mod(b(1, 9, 0)), Options{}, Malformed, "type", 8, "section of 9 bytes exceeds the 1 bytes left"},
		{"section id", mod(b(14, 0)), Options{}, Malformed, "", 8, "invalid section id 14"},
		{"section order", mod(sec(secFunction, b(0)), sec(secType, b(0))), Options{}, Malformed, "type", 11, "type section out of order or repeated"},
		{"section twice", mod(sec(secType, b(0)), sec(secType, b(0))), Options{}, Malformed, "type", 11, "type section out of order or repeated"},
		{"rest of section", mod(sec(secType, b(0, 0))), Options{}, Malformed, "type", 11, "1 bytes behind the end of the section's contents"},
		{"count of types", mod(sec(secType, huge)), Options{}, Malformed, "type", 10, "4294967295 types cannot fit in the 0 bytes left"},
		{"count of parameters", mod(sec(secType, b(1, 0x60), huge)), Options{}, Malformed, "type", 12, "4294967295 value types cannot fit in the 0 bytes left"},
		{"count of imports", mod(sec(secImport, huge)), Options{}, Malformed, "import", 10, "4294967295 imports cannot fit in the 0 bytes left"},
		{"count of exports", mod(sec(secExport, huge)), Options{}, Malformed, "export", 10, "4294967295 exports cannot fit in the 0 bytes left"},
		{"count of globals", mod(sec(secGlobal, huge)), Options{}, Malformed, "global", 10, "4294967295 globals cannot fit in the 0 bytes left"},
		{"count of elements", mod(sec(secElement, huge)), Options{}, Malformed, "element", 10, "4294967295 element segments cannot fit in the 0 bytes left"},
		{"count of data", mod(sec(secData, huge)), Options{}, Malformed, "data", 10, "4294967295 data segments cannot fit in the 0 bytes left"},
		{"count of labels", one(vv, fn(noLocals, cat(b(opBrTable), huge)...)), Options{}, Malformed, "code", 31, "4294967295 labels cannot fit in the 1 bytes left"},
		{"number of 33 bits", mod(sec(secType, b(0xff, 0xff, 0xff, 0xff, 0x1f))), Options{}, Malformed, "type", 10, "number exceeds 32 bits"},
		{"name not UTF-8", mod(sec(secCustom, b(1, 0xff))), Options{}, Malformed, "custom", 11, "name is not valid UTF-8"},
		{"GC type", mod(sec(secType, b(1, 0x5f, 0))), Options{}, Unsupported, "type", 11, "garbage-collected type (form 0x5f)"},
		{"value type", mod(sec(secType, b(1, 0x60, 1, 0x11, 0))), Options{}, Malformed, "type", 13, "invalid value type 0x11"},
		{"reference to an added type", mod(sec(secType, vecOf(vv)), sec(secGlobal, vecOf(b(byte(refNull), 1, 0, opRefNull, byte(FuncRef), opEnd)))), Options{}, Malformed, "global", 18, "type index 1 of 1 types"},
		{"memory64", mod(sec(secMemory, b(1, 4, 1))), Options{}, Unsupported, "memory", 11, "64-bit memory or table"},
		{"shared memory", mod(sec(secMemory, b(1, 3, 1, 1))), Options{}, Unsupported, "memory", 11, "shared memory: processes have a single thread"},
		{"two memories", mod(sec(secMemory, b(2, 0, 1, 0, 1))), Options{}, Unsupported, "memory", 13, "more than one memory"},
		{"big memory", mod(sec(secMemory, b(1, 0, 0x81, 0x80, 4))), Options{}, Malformed, "memory", 11, "memory of more than 65536 pages"},
		{"big table", mod(sec(secTable, b(1, 0x70, 0, 0x81, 0x80, 0x40))), Options{}, Limit, "table", 11, "tables of 1048577 entries, at most 1048576 are accepted"},
		{"locals", one(vv, fn(cat(b(1), b(0xd1, 0x86, 3), b(byte(I32))))), Options{}, Limit, "code", 29, "function with 50001 locals, at most 50000 are accepted"},
		{"functions without bodies", mod(sec(secType, vecOf(vv)), sec(secFunction, vecOf(b(0)))), Options{}, Malformed, "code", 0, "0 function bodies for 1 functions"},
		{"type index", mod(sec(secType, vecOf(vv)), sec(secFunction, vecOf(b(1)))), Options{}, Malformed, "function", 17, "type index 1 of 1 types"},
		{"function index", mod(sec(secExport, vecOf(cat(str("f"), b(0, 0))))), Options{}, Malformed, "export", 14, "function index 0 of 0 functions"},
		{"countdown by export", mod(sec(secExport, vecOf(cat(str("g"), b(3, 0))))), Options{}, Malformed, "export", 14, "global index 0 of 0 globals"},
		{"countdown by global.set", one(vv, fn(noLocals, opI64Const, 0, opGlobalSet, 0)), Options{}, Malformed, "code", 33, "global index 0 of 0 globals"},
		{"countdown's mirror", one(vv, fn(noLocals, opI64Const, 0, opLocalSet, 0)), Options{}, Malformed, "code", 32, "local 0 of 0"},
		{"helper", one(vv, fn(noLocals, opCall, 1)), Options{}, Malformed, "code", 31, "function index 1 of 1 functions"},
		{"label", one(vv, fn(noLocals, opBr, 1)), Options{}, Malformed, "code", 31, "label 1 of 1"},
		{"missing end", one(vv, b(2, 0, 1)), Options{}, Malformed, "code", 31, "unexpected end"},
		{"code behind end", one(vv, fn(noLocals, opEnd)), Options{}, Malformed, "code", 31, "1 bytes behind the end of a function"},
		{"unknown instruction", one(vv, fn(noLocals, 0xff)), Options{}, Malformed, "code", 30, "invalid instruction 0xff"},
		{"legacy exceptions", one(vv, fn(noLocals, 0x06, blockEmpty, opEnd)), Options{}, Unsupported, "code", 30, "legacy exception handling (instruction 0x6)"},
		{"relaxed vectors", one(vv, fn(noLocals, opVec, 0x80, 0x02)), Options{}, Unsupported, "code", 30, "relaxed or unknown vector instruction 0x100"},
		{"hidden vector operand", one(vv, fn(noLocals, opVec, 0x8c, 0x00, opLoop, blockEmpty, opBr, 0, opEnd)), Options{}, Malformed, "code", 30, "vector instruction number is not in its shortest form"},
		{"memory.init without count", one(vv, fn(noLocals, opMisc, miscMemoryInit, 0, 0), memory), Options{}, Malformed, "code", 35, "memory.init without a data count section"},
		{"second memory", one(vv, fn(noLocals, opMemorySize, 1), memory), Options{}, Unsupported, "code", 36, "more than one memory"},
		{"data count", mod(memory, sec(secDataCount, b(1)), sec(secData, b(0))), Options{}, Malformed, "data", 15, "data count 1 differs from the 0 segments"},
		{"export twice", mod(memory, sec(secExport, vecOf(cat(str("a"), b(2, 0)), cat(str("a"), b(2, 0))))), Options{}, Malformed, "export", 20, `export "a" is repeated`},
		{"export of a global's name", mod(memory, sec(secExport, vecOf(cat(str("wsandbox_g0"), b(2, 0))))), Options{}, Reserved, "export", 16, `export "wsandbox_g0"`},
		{"export of meminit", mod(memory, sec(secExport, vecOf(cat(str("wsandbox_meminit"), b(2, 0))))), Options{}, Reserved, "export", 16, `export "wsandbox_meminit"`},
		{"export of countdown", mod(memory, sec(secExport, vecOf(cat(str("wsandbox_countdown"), b(2, 0))))), Options{}, Reserved, "export", 16, `export "wsandbox_countdown"`},
		{"import of yield", mod(sec(secType, vecOf(vv)), sec(secImport, vecOf(cat(str("wsandbox_v0"), str("yield"), b(0, 0))))), Options{}, Reserved, "import", 17, `import of "yield" from "wsandbox_v0"`},
		{"snapshot of imported memory", mod(sec(secImport, vecOf(cat(str("e"), str("m"), b(2, 0, 1))))), snapshot, Unsupported, "import", 16, "imported memory in a module to be snapshot"},
		{"snapshot of imported global", mod(sec(secImport, vecOf(cat(str("e"), str("g"), b(3, byte(I32), 1))))), snapshot, Unsupported, "import", 11, `import of mutable global "g" from "e" in a module to be snapshot`},
		{"snapshot of reference", mod(sec(secGlobal, vecOf(b(byte(FuncRef), 1, opRefNull, byte(FuncRef), opEnd)))), snapshot, Unsupported, "global", 11, "mutable global of type funcref in a module to be snapshot"},
		{"snapshot with offset from a defined global", mod(memory, sec(secGlobal, vecOf(b(byte(I32), 0, opI32Const, 0, opEnd))), sec(secData, vecOf(b(0, opGlobalGet, 0, opEnd, 0)))), snapshot, Malformed, "data", 25, "global index 0 of 0 in a constant expression"},
		{"snapshot of table", one(vv, fn(noLocals, opI32Const, 0, opRefNull, byte(FuncRef), opTableSet, 0), table), snapshot, Unsupported, "code", 40, "table.set in a module to be snapshot: tables are not part of it"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			out, info, err := Rewrite(tt.bin, tt.o)
			require.Nil(t, out)
			require.Nil(t, info)
			require.Equal(t, &Error{tt.reason, tt.section, tt.offset, tt.message}, err)
		})
	}
}

// TestLocalsOfAllFunctions checks the limit that keeps what a compiler
// allocates for locals proportional to the module.
func TestLocalsOfAllFunctions(t *testing.T) {
	many := fn(cat(b(1), b(0xd0, 0x86, 3), b(byte(I32)))) // 50000
	build := func(n int) []byte {
		return mod(sec(secType, vecOf(vv)), sec(secFunction, vecOf(slices.Repeat([][]byte{b(0)}, n)...)),
			sec(secCode, vecOf(slices.Repeat([][]byte{many}, n)...)))
	}
	_, _, err := Rewrite(build(20), Options{})
	require.NoError(t, err)
	_, _, err = Rewrite(build(22), Options{})
	require.ErrorContains(t, err, "locals in all functions")
}

func TestGrowth(t *testing.T) {
	loops := fn(noLocals, bytes.Repeat(b(opLoop, blockEmpty, opLocalGet, 0, opBrIf, 0, opEnd), 1000)...)
	bin := mod(sec(secType, vecOf(b(0x60, 1, byte(I32), 0))), sec(secFunction, vecOf(slices.Repeat([][]byte{b(0)}, 100)...)),
		sec(secCode, vecOf(slices.Repeat([][]byte{loops}, 100)...)))
	out, info, err := Rewrite(bin, Options{})
	require.NoError(t, err)
	require.Equal(t, 100000, info.Loops)
	require.Less(t, len(out), 5*len(bin))
}

func TestTablesCannotGrowForever(t *testing.T) {
	bin := one(ii, fn(noLocals, opRefNull, byte(FuncRef), opLocalGet, 0, opMisc, miscTableGrow, 0),
		sec(secTable, vecOf(b(byte(FuncRef), 0, 1), b(byte(FuncRef), 1, 1, 5))))
	out, _, err := Rewrite(bin, Options{})
	require.NoError(t, err)
	m := newHost(t).instantiate(t, out)
	for _, c := range []call{
		{"f", i(MaxTableEntries), "4294967295"},
		{"f", i(MaxTableEntries/2 - 1), "1"},
		{"f", i(1), "4294967295"},
	} {
		require.Equal(t, c.want, c.run(t, m))
	}
}

func TestCustomSections(t *testing.T) {
	custom := func(name, data string) []byte { return sec(secCustom, str(name), []byte(data)) }
	bin := mod(custom("keep", "first"), sec(secType, vecOf(vv)), custom("name", "\x00\x02\x01x"),
		custom(".debug_info", "d"), custom("reloc.CODE", "r"), custom("also", ""))
	out, _, err := Rewrite(bin, Options{})
	require.NoError(t, err)
	require.True(t, bytes.HasPrefix(out, mod(custom("keep", "first"), custom("also", ""))))
	_, err = newHost(t).CompileModule(t.Context(), out)
	require.NoError(t, err)
	require.NotContains(t, string(out), "debug")
	require.NotContains(t, string(out), "reloc")
	require.NotContains(t, string(out), "\x04name")
}

func TestRewriteTwice(t *testing.T) {
	out, _, err := Rewrite(mod(), Options{})
	require.NoError(t, err)
	_, _, err = Rewrite(out, Options{})
	require.Equal(t, Reserved, err.(*Error).Reason)
}

func TestNumbers(t *testing.T) {
	for _, v := range []int64{0, 1, -1, 63, 64, -64, -65, 127, 128, 1 << 31, -1 << 31, 1<<31 - 1, 1<<63 - 1, -1 << 63} {
		enc := appendSigned(nil, v)
		r := reader{mod: enc, end: len(enc)}
		require.Equal(t, v, r.signed(64))
		require.Nil(t, r.err)
		require.Zero(t, r.left())

		r = reader{mod: enc, end: len(enc)}
		got := r.signed(32)
		if v == int64(int32(v)) {
			require.Equal(t, v, got)
			require.Nil(t, r.err)
		} else {
			require.NotNil(t, r.err, v)
		}
	}
	tests := []struct {
		enc  []byte
		bits int
		want int64
		ok   bool
	}{
		{b(0xff, 0xff, 0xff, 0xff, 0x7f), 32, -1, true},
		{b(0xff, 0xff, 0xff, 0xff, 0x4f), 32, 0, false},
		{b(0xff, 0xff, 0xff, 0xff, 0x07), 32, 1<<31 - 1, true},
		{b(0xff, 0xff, 0xff, 0xff, 0x0f), 32, 0, false},
		{b(0xff, 0xff, 0xff, 0xff, 0x0f), 33, 1<<32 - 1, true},
		{b(0x80, 0x80, 0x80, 0x80, 0x70), 33, -1 << 32, true},
		{b(0x80, 0x80, 0x80, 0x80, 0x80, 0x00), 33, 0, false},
		{b(0x80), 33, 0, false},
	}
	for _, tt := range tests {
		r := reader{mod: tt.enc, end: len(tt.enc)}
		require.Equal(t, tt.want, r.signed(tt.bits), "%x", tt.enc)
		require.Equal(t, tt.ok, r.err == nil, "%x", tt.enc)
	}
}
