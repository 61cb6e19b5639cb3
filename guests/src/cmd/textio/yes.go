// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package textio

import "github.com/wsandbox/wsandbox/guests/src/cmdkit"

var yesSyntax = cmdkit.Syntax{
	Short: "+",
	Usage: []string{"[STRING]...", "OPTION"},
	Help:  "Repeatedly output a line with all specified STRING(s), or 'y'.\n\n",
}

// Yes is yes(1).
func Yes(p *cmdkit.Proc) int {
	g := p.Options(&yesSyntax)
	for g.Next() {
	}
	if g.Stop {
		return g.Status
	}
	line := []byte("y")
	for i, s := range g.Operands {
		if i == 0 {
			line = line[:0]
		} else {
			line = append(line, ' ')
		}
		line = append(line, s...)
	}
	line = append(line, '\n')
	block := line
	for len(block) < 8<<10 {
		block = append(block, line...)
	}
	for !p.WriteFailed() {
		p.Stdout.Write(block)
	}
	return 1
}
