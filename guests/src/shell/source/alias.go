// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package source

import "strings"

// activeAlias is an alias whose value is being scanned; it is not expanded
// again before end.
type activeAlias struct {
	name string
	end  int
	next bool // the value ends in a blank: the next word may be an alias too
}

// insert puts a blank into the text.
func (s *scanner) insert(at int) {
	s.src = s.src[:at] + " " + s.src[at:]
	s.edits = append(s.edits, Edit{at, 1})
}

// leaveAliases forgets the aliases whose value has been passed and reports
// whether one of them makes the next word a candidate.
func (s *scanner) leaveAliases() bool {
	forced := false
	for i := len(s.active) - 1; i >= 0; i-- {
		if a := &s.active[i]; s.i >= a.end {
			forced = forced || a.next
			s.active = append(s.active[:i], s.active[i+1:]...)
		}
	}
	return forced
}

func (s *scanner) expandAlias(name string) bool {
	for i := range s.active {
		if s.active[i].name == name {
			return false
		}
	}
	if s.alias == nil || !s.edit {
		return false
	}
	end := s.i + len(name)
	if end < len(s.src) && strings.IndexByte(" \t\r\n;&|()<>", s.src[end]) < 0 {
		return false
	}
	val, ok := s.alias(name)
	if !ok || len(s.src)+len(val) > 1<<24 {
		return false
	}
	s.src = s.src[:s.i] + val + s.src[end:]
	shift := len(val) - len(name)
	s.edits = append(s.edits, Edit{s.i, shift})
	for i := range s.active {
		s.active[i].end += shift
	}
	blank := val != "" && isBlank(val[len(val)-1])
	s.active = append(s.active, activeAlias{name, s.i + len(val), blank})
	return true
}
