// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package syntax

// resolve finds out what is an array, and numbers variables.
//
// A name that is only ever passed to functions is of the kind of the parameters
// it is passed to, and the other way round.
func (p *parser) resolve() {
	for _, c := range p.calls {
		if !c.Fn.defined {
			p.failPos(c.Pos, "function `"+c.Fn.Name+"' not defined")
		}
		if len(c.Args) > len(c.Fn.Params) {
			p.failPos(c.Pos, "function `"+c.Fn.Name+"' called with more arguments than declared")
		}
	}
	for _, f := range p.prog.Funcs {
		if s := p.globals[f.Name]; s != nil {
			p.owner = p.prog.Sources[s.pos>>lineBits].Name
			p.failAt(s.pos.Line(), "function `"+f.Name+"' used as a variable")
		}
	}
	for changed := true; changed; {
		changed = false
		for _, c := range p.calls {
			for i, a := range c.Args {
				v, ok := a.(*Var)
				if !ok {
					continue
				}
				param := c.Fn.Params[i]
				switch {
				case v.Sym.Kind == param.Kind:
				case v.Sym.Kind == Unknown && param.Kind == Array:
					v.Sym.Kind = Array
					changed = true
				case param.Kind == Unknown && v.Sym.Kind == Array:
					param.Kind = Array
					changed = true
				}
			}
		}
	}
	var scalars, arrays []*Symbol
	for _, s := range p.order {
		switch {
		case s.Special != NotSpecial:
		case s.Kind == Array:
			arrays = append(arrays, s)
		default:
			s.Kind = Scalar
			scalars = append(scalars, s)
		}
	}
	for i, s := range scalars {
		s.Index = i
	}
	for i, s := range arrays {
		s.Index = i
	}
	p.prog.Scalars, p.prog.Arrays = scalars, arrays
	for _, f := range p.prog.Funcs {
		for _, s := range f.Params {
			if s.Kind == Array {
				s.Index = f.Arrays
				f.Arrays++
			} else {
				s.Kind = Scalar
				s.Index = f.Scalars
				f.Scalars++
			}
		}
	}
	for _, c := range p.calls {
		for i, a := range c.Args {
			param := c.Fn.Params[i]
			v, isVar := a.(*Var)
			_, isIndex := a.(*Index)
			switch {
			case isVar && v.Sym.Kind == Array && param.Kind == Scalar:
				p.failPos(c.Pos, "attempt to use array `"+v.Sym.Name+"' in a scalar context")
			case isVar && v.Sym.Kind == Scalar && param.Kind == Array, !isVar && !isIndex && param.Kind == Array:
				p.failPos(c.Pos, "attempt to use scalar parameter `"+param.Name+"' as an array")
			}
		}
	}
}
