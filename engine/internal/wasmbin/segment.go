// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package wasmbin

// readElements copies the element section with function indices shifted.
func (m *module) readElements() *Error {
	r := m.reader(secElement)
	if !m.sections[secElement].present {
		return nil
	}
	n := r.count("element segments", 2)
	v := &m.out[secElement]
	v.n = uint32(n)
	for i := 0; i < n && r.err == nil; i++ {
		v.body = m.readElement(&r, v.body)
	}
	m.finish(&r)
	return r.err
}

// readElement copies one segment. Its flags say: bit 0 passive or declarative,
// bit 1 explicit table index (declarative with bit 0), bit 2 expressions in
// place of function indices.
func (m *module) readElement(r *reader, out []byte) []byte {
	at := r.pos
	flags := r.u32()
	if r.err == nil && flags > 7 {
		r.fail(Malformed, at, "invalid element segment flags %#x", flags)
		return out
	}
	if flags&1 == 0 {
		if flags&2 != 0 {
			r.u32() // table
		}
		if r.err == nil {
			out = append(out, m.bin[at:r.pos]...)
		}
		out = m.constExpr(r, out)
		at = r.pos
	}
	if flags&3 != 0 {
		kindAt := r.pos
		if flags&4 != 0 {
			switch t := r.valType(m.known); t {
			case FuncRef, ExternRef, ExnRef, refNull, refNonNull:
			default:
				r.fail(Malformed, kindAt, "element segment of %s", t)
			}
		} else if k := r.byte(); r.err == nil && k != 0 {
			r.fail(Malformed, kindAt, "invalid element kind %#x", k)
		}
	}
	n := r.count("elements", 1)
	if r.err != nil {
		return out
	}
	out = append(out, m.bin[at:r.pos]...)
	for i := 0; i < n && r.err == nil; i++ {
		if flags&4 != 0 {
			out = m.constExpr(r, out)
		} else if f := m.funcIndex(r); r.err == nil {
			out = appendU32(out, m.shift(f))
		}
	}
	return out
}

func (m *module) readDataCount() *Error {
	r := m.reader(secDataCount)
	if !m.sections[secDataCount].present {
		return nil
	}
	m.dataCount = r.u32()
	m.finish(&r)
	return r.err
}

// readData copies the data section. For a snapshot the active segments become
// passive and m.memInit gets the code that applies them in their order.
func (m *module) readData() *Error {
	r := m.reader(secData)
	n := 0
	if m.sections[secData].present {
		n = r.count("data segments", 2)
	}
	v := &m.out[secData]
	v.n = uint32(n)
	for i := 0; i < n && r.err == nil; i++ {
		at := r.pos
		flags := r.u32()
		if flags > 2 {
			r.fail(Malformed, at, "invalid data segment flags %#x", flags)
		}
		if flags == 2 {
			if mem := r.u32(); mem != 0 {
				r.fail(Malformed, at, "data segment for memory %d", mem)
			}
		}
		var offset []byte
		if flags != 1 {
			if r.err == nil && !m.info.HasMemory {
				r.fail(Malformed, at, "data segment without a memory")
			}
			// As code of MemInit it could use every global.
			offset = m.constExprOf(&r, nil, m.importedGlobals)
		}
		bytesAt := r.pos
		size := r.count("bytes of data", 1)
		r.bytes(size)
		if r.err != nil {
			break
		}
		m.info.DataBytes += size
		if flags == 1 || !m.opt.Snapshot {
			v.body = append(v.body, m.bin[at:r.pos]...)
			continue
		}
		v.body = append(v.body, 1)
		v.body = append(v.body, m.bin[bytesAt:r.pos]...)
		m.memInit = append(m.memInit, offset[:len(offset)-1]...) // without its end
		m.memInit = append(m.memInit, opI32Const, 0, opI32Const)
		m.memInit = appendSigned(m.memInit, int64(int32(uint32(size))))
		m.memInit = append(m.memInit, opMisc, miscMemoryInit)
		m.memInit = appendU32(m.memInit, uint32(i))
		m.memInit = append(m.memInit, 0)
		// As instantiation does with an active segment.
		m.memInit = append(m.memInit, opMisc, miscDataDrop)
		m.memInit = appendU32(m.memInit, uint32(i))
	}
	m.info.DataSegments = n
	m.finish(&r)
	if r.err == nil && m.sections[secDataCount].present && m.dataCount != uint32(n) {
		r.fail(Malformed, m.sections[secDataCount].start, "data count %d differs from the %d segments", m.dataCount, n)
	}
	return r.err
}
