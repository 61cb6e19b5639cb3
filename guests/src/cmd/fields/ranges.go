// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package fields

import (
	"slices"

	"github.com/wsandbox/wsandbox/guests/src/cmdkit"
)

// span is a range of positions counted from 1; hi is inclusive.
type span struct{ lo, hi uint64 }

const endless = 1<<64 - 1

// parseSpans parses a LIST of cut: "1,3-5,7-". complement inverts it. The result
// is sorted and has no overlaps, but keeps abutting ranges apart, since
// --output-delimiter shows between them.
func parseSpans(p *cmdkit.Proc, list, what string, complement bool) ([]span, bool) {
	bad := func(parts ...string) ([]span, bool) {
		p.Warn(parts...)
		p.TryHelp(1)
		return nil, false
	}
	var l []span
	for i := 0; i <= len(list); {
		j := i
		for j < len(list) && list[j] != ',' && list[j] != ' ' && list[j] != '\t' {
			j++
		}
		item := list[i:j]
		i = j + 1
		if item == "" {
			if list == "" || j == len(list) && len(l) > 0 && list[len(list)-1] != ',' {
				break
			}
			return bad(what, "s are numbered from 1")
		}
		dash := -1
		for k := range len(item) {
			if item[k] == '-' {
				if dash >= 0 {
					return bad("invalid ", what, " range")
				}
				dash = k
			}
		}
		num := func(s string) (uint64, bool) {
			v, e := cmdkit.ParseUint(s, "")
			switch {
			case e == cmdkit.NumOverflow || e == cmdkit.NumOK && v == endless:
				bad(what, " number ", cmdkit.Quote(s), " is too large")
				return 0, false
			case e != cmdkit.NumOK:
				if dash >= 0 {
					bad("invalid ", what, " range")
				} else {
					bad("invalid ", what, " value ", cmdkit.Quote(s))
				}
				return 0, false
			case v == 0:
				bad(what, "s are numbered from 1")
				return 0, false
			}
			return v, true
		}
		var s span
		ok := true
		switch {
		case dash < 0:
			if s.lo, ok = num(item); !ok {
				return nil, false
			}
			s.hi = s.lo
		case item == "-":
			return bad("invalid range with no endpoint: -")
		default:
			s.lo, s.hi = 1, endless
			if dash > 0 {
				if s.lo, ok = num(item[:dash]); !ok {
					return nil, false
				}
			}
			if dash < len(item)-1 {
				if s.hi, ok = num(item[dash+1:]); !ok {
					return nil, false
				}
			}
			if s.hi < s.lo {
				return bad("invalid decreasing range")
			}
		}
		l = append(l, s)
	}
	if len(l) == 0 {
		return bad(what, "s are numbered from 1")
	}
	slices.SortFunc(l, func(a, b span) int {
		if a.lo < b.lo {
			return -1
		}
		if a.lo > b.lo {
			return 1
		}
		return 0
	})
	out := l[:1]
	for _, s := range l[1:] {
		last := &out[len(out)-1]
		if s.lo <= last.hi {
			last.hi = max(last.hi, s.hi)
			continue
		}
		out = append(out, s)
	}
	if !complement {
		return out, true
	}
	var inv []span
	next := uint64(1)
	for _, s := range out {
		if s.lo > next {
			inv = append(inv, span{next, s.lo - 1})
		}
		if s.hi == endless {
			return inv, true
		}
		next = s.hi + 1
	}
	return append(inv, span{next, endless}), true
}
