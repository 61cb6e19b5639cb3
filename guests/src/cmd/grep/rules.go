// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package grep

import "github.com/wsandbox/wsandbox/guests/src/fnmatch"

// rule is an --include or --exclude option.
type rule struct {
	glob    string
	include bool
}

// rules are the options in their order. The last one that fits decides; where
// none does, a file is left out if the first option is --include.
type rules []rule

func (r *rules) add(glob string, include bool) { *r = append(*r, rule{glob, include}) }

// skip reports whether the rules leave a name out. A name from the command line
// also fits a glob with what is behind one of its slashes.
func (r rules) skip(name string, operand bool) bool {
	if len(r) == 0 {
		return false
	}
	for i := len(r) - 1; i >= 0; i-- {
		if fits(r[i].glob, name, operand) {
			return !r[i].include
		}
	}
	return r[0].include
}

func fits(glob, name string, operand bool) bool {
	if fnmatch.Match(glob, name, 0) {
		return true
	}
	if operand {
		for i := 0; i+1 < len(name); i++ {
			if name[i] == '/' && name[i+1] != '/' && fnmatch.Match(glob, name[i+1:], 0) {
				return true
			}
		}
	}
	return false
}
