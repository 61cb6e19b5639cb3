// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package grep

// colors are the SGR parameters of the parts of the output; "" is none.
type colors struct {
	selectedMatch, contextMatch string
	selectedLine, contextLine   string
	name, line, offset, sep     string
	reverse, noErase            bool
}

// newColors reads GREP_COLORS over the defaults.
func newColors(env string) *colors {
	c := &colors{selectedMatch: "01;31", contextMatch: "01;31", name: "35", line: "32", offset: "32", sep: "36"}
	for env != "" {
		item := env
		env = ""
		for i := 0; i < len(item); i++ {
			if item[i] == ':' {
				item, env = item[:i], item[i+1:]
				break
			}
		}
		key, val, has := item, "", false
		for i := 0; i < len(item); i++ {
			if item[i] == '=' {
				key, val, has = item[:i], item[i+1:], true
				break
			}
		}
		for i := 0; i < len(val); i++ {
			if val[i] != ';' && (val[i] < '0' || val[i] > '9') {
				return c // as GNU grep, ignore the rest
			}
		}
		switch key {
		case "mt":
			c.selectedMatch, c.contextMatch = val, val
		case "ms":
			c.selectedMatch = val
		case "mc":
			c.contextMatch = val
		case "sl":
			c.selectedLine = val
		case "cx":
			c.contextLine = val
		case "fn":
			c.name = val
		case "ln":
			c.line = val
		case "bn":
			c.offset = val
		case "se":
			c.sep = val
		case "rv":
			c.reverse = !has
		case "ne":
			c.noErase = !has
		}
	}
	return c
}

// begin and end write the escape sequences around a coloured part.
func (g *grep) begin(sgr string) {
	if sgr == "" {
		return
	}
	g.out.WriteString("\x1b[" + sgr + "m")
	if !g.color.noErase {
		g.out.WriteString("\x1b[K")
	}
}

func (g *grep) end(sgr string) {
	if sgr == "" {
		return
	}
	g.out.WriteString("\x1b[m")
	if !g.color.noErase {
		g.out.WriteString("\x1b[K")
	}
}
