// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package wasmbin

import "strings"

func (m *module) readImports() *Error {
	r := m.reader(secImport)
	if !m.sections[secImport].present {
		return nil
	}
	n := r.count("imports", 4)
	body := r.pos
	for i := 0; i < n && r.err == nil; i++ {
		at := r.pos
		imp := Import{Module: r.name(), Name: r.name()}
		kindAt := r.pos
		imp.Kind = ExternKind(r.byte())
		if r.err != nil {
			break
		}
		if reserved(imp.Name) || imp.Module == YieldModule && imp.Name == YieldName {
			r.fail(Reserved, at, "import of %q from %q", imp.Name, imp.Module)
			break
		}
		switch imp.Kind {
		case ExternFunc:
			t := m.typeIndex(&r)
			if r.err == nil {
				imp.Func = m.types[t]
				m.funcTypes = append(m.funcTypes, t)
				m.importedFuncs++
			}
		case ExternTable:
			m.readTable(&r, nil, 0)
		case ExternMemory:
			m.readMemory(&r, true)
		case ExternGlobal:
			g := m.readGlobalType(&r)
			if m.opt.Snapshot && g.mutable {
				r.fail(Unsupported, at, "import of mutable global %q from %q in a module to be snapshot", imp.Name, imp.Module)
			}
			m.globals = append(m.globals, g)
			m.importedGlobals++
		case ExternTag:
			m.readTag(&r)
		default:
			r.fail(Malformed, kindAt, "invalid import kind %#x", byte(imp.Kind))
		}
		m.info.Imports = append(m.info.Imports, imp)
	}
	m.keep(&r, secImport, n, body)
	return r.err
}

// reserved reports whether a name belongs to the rewriter.
func reserved(name string) bool {
	return strings.HasPrefix(name, GlobalPrefix) || strings.HasPrefix(name, Countdown) || strings.HasPrefix(name, MemInit)
}

func (m *module) readExports() *Error {
	r := m.reader(secExport)
	if !m.sections[secExport].present {
		return nil
	}
	n := r.count("exports", 3)
	v := &m.out[secExport]
	v.n = uint32(n)
	seen := make(map[string]struct{})
	for i := 0; i < n && r.err == nil; i++ {
		at := r.pos
		e := Export{Name: r.name()}
		kindAt := r.pos
		e.Kind = ExternKind(r.byte())
		if e.Kind > ExternTag {
			r.fail(Malformed, kindAt, "invalid export kind %#x", byte(e.Kind))
		}
		var index uint32
		switch e.Kind {
		case ExternFunc:
			index = m.funcIndex(&r)
			if r.err == nil {
				e.Func = m.types[m.funcTypes[index]]
				index = m.shift(index)
			}
		case ExternGlobal:
			index = m.globalIndex(&r)
		default:
			index = r.u32()
		}
		if r.err != nil {
			break
		}
		if reserved(e.Name) {
			r.fail(Reserved, at, "export %q", e.Name)
		}
		if _, dup := seen[e.Name]; dup {
			r.fail(Malformed, at, "export %q is repeated", e.Name)
		}
		seen[e.Name] = struct{}{}
		m.info.Exports = append(m.info.Exports, e)
		v.body = appendName(v.body, e.Name)
		v.body = append(v.body, byte(e.Kind))
		v.body = appendU32(v.body, index)
	}
	m.finish(&r)
	return r.err
}

func (m *module) readStart() *Error {
	r := m.reader(secStart)
	if !m.sections[secStart].present {
		return nil
	}
	m.info.HasStart = true
	m.start = m.shift(m.funcIndex(&r))
	m.finish(&r)
	return r.err
}
