// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package interp

import "strings"

// sortedKeys returns the keys of a in the order of for (k in a): that of
// PROCINFO["sorted_in"], or the one in which they came.
func (in *interp) sortedKeys(a *array) []string {
	keys := a.keys(in)
	if in.procinfo.live == 0 {
		return keys
	}
	v := in.procinfo.get("sorted_in")
	if v == nil {
		return keys
	}
	if how := in.text(v); how != "" {
		in.sortKeys(a, keys, how)
	}
	return keys
}

// pair is an element that is sorted.
type pair struct {
	key string
	num float64
	val value
	arr *array // the value is an array
}

// sortKeys sorts keys as the name how says, or by the function of that name.
func (in *interp) sortKeys(a *array, keys []string, how string) {
	pairs := make([]pair, len(keys))
	for i, k := range keys {
		p := pair{key: k, num: toNum(k)}
		if v := a.get(k); v != nil {
			p.val = *v
			p.val.resolve()
			if v.k == kArray {
				p.arr = a.subs[k]
			}
		}
		pairs[i] = p
	}
	in.sortPairs(pairs, how)
	for i := range pairs {
		keys[i] = pairs[i].key
	}
}

func (in *interp) sortPairs(pairs []pair, how string) {
	var cmp func(a, b *pair) int
	desc := strings.HasSuffix(how, "_desc")
	switch how {
	case "@unsorted":
		return
	case "@ind_str_asc", "@ind_str_desc":
		cmp = func(a, b *pair) int { return in.compareText(a.key, b.key) }
	case "@ind_num_asc", "@ind_num_desc":
		cmp = func(a, b *pair) int {
			if c := compareNum(a.num, b.num); c == -1 || c == 1 {
				return c
			}
			return in.compareText(a.key, b.key)
		}
	case "@val_str_asc", "@val_str_desc":
		cmp = func(a, b *pair) int {
			if c := arraysLast(a, b); c != 0 {
				return c
			}
			if c := in.compareText(in.text(&a.val), in.text(&b.val)); c != 0 {
				return c
			}
			return in.compareText(a.key, b.key)
		}
	case "@val_num_asc", "@val_num_desc":
		cmp = func(a, b *pair) int {
			if c := arraysLast(a, b); c != 0 {
				return c
			}
			if c := compareNum(a.val.num(), b.val.num()); c == -1 || c == 1 {
				return c
			}
			if c := in.compareText(in.text(&a.val), in.text(&b.val)); c != 0 {
				return c
			}
			return in.compareText(a.key, b.key)
		}
	case "@val_type_asc", "@val_type_desc":
		cmp = func(a, b *pair) int {
			if c := in.compareType(a, b); c != 0 {
				return c
			}
			return in.compareText(a.key, b.key)
		}
	default:
		fn := in.comparer(how)
		cmp = func(a, b *pair) int {
			in.tick()
			fn.args[0] = &literal{strValue(a.key)}
			fn.args[1] = &literal{a.val}
			fn.args[2] = &literal{strValue(b.key)}
			fn.args[3] = &literal{b.val}
			v := fn.val(in)
			return compareNum(v.num(), 0)
		}
		desc = false
	}
	mergeSort(pairs, make([]pair, len(pairs)), func(a, b *pair) bool {
		c := cmp(a, b)
		if desc {
			c = -c
		}
		return c == 1
	})
}

// mergeSort sorts l by means of room of the same length, keeping the order of
// what is equal. above tells whether a belongs behind b. It stands in for
// package slices, whose functions for this type are twelve times the size.
func mergeSort(l, room []pair, above func(a, b *pair) bool) {
	if len(l) < 2 {
		return
	}
	m := len(l) / 2
	mergeSort(l[:m], room[:m], above)
	mergeSort(l[m:], room[m:], above)
	if !above(&l[m-1], &l[m]) {
		return
	}
	copy(room, l)
	i, k := 0, m
	for n := range l {
		if i < m && (k == len(room) || !above(&room[i], &room[k])) {
			l[n] = room[i]
			i++
		} else {
			l[n] = room[k]
			k++
		}
	}
}

func arraysLast(a, b *pair) int {
	switch {
	case a.arr == nil && b.arr != nil:
		return -1
	case a.arr != nil && b.arr == nil:
		return 1
	}
	return 0
}

// compareType orders numbers before strings before arrays.
func (in *interp) compareType(a, b *pair) int {
	if c := arraysLast(a, b); c != 0 || a.arr != nil {
		return c
	}
	an, bn := a.val.k != kStr, b.val.k != kStr
	switch {
	case an && bn:
		return compareNum(a.val.num(), b.val.num())
	case an:
		return -1
	case bn:
		return 1
	}
	return in.compareText(a.val.s, b.val.s)
}

// comparer returns a call of the program's function name, for sorting.
func (in *interp) comparer(name string) *call {
	for i, f := range in.prog.Funcs {
		if f.Name != name {
			continue
		}
		if f.Arrays > 0 || f.Scalars < 4 && len(f.Params) < 4 {
			break
		}
		return &call{fn: in.funcs[i], args: make([]expr, 4)}
	}
	in.fatal("sort comparison function `" + name + "' is not defined")
	return nil
}

// arraySort is asort and asorti.
type arraySort struct {
	a, to arrayRef
	how   expr
	keys  bool
	name  string
}

func (x *arraySort) run(in *interp) { x.num(in) }
func (x *arraySort) num(in *interp) float64 {
	how := "@val_type_asc"
	if x.keys {
		how = "@ind_str_asc"
	}
	if x.how != nil {
		if s := x.how.str(in); s != "" {
			how = s
		}
	}
	a := x.a.array(in)
	keys := a.keys(in)
	if how != "@unsorted" {
		in.sortKeys(a, keys, how)
	}
	vals := make([]value, len(keys))
	for i, k := range keys {
		if x.keys {
			vals[i] = strValue(k)
			continue
		}
		v := a.get(k)
		if v == nil || v.k == kArray {
			in.fatal(x.name + ": an element is an array")
		}
		vals[i] = *v
	}
	to := a
	if x.to != nil {
		to = x.to.array(in)
	}
	to.clear()
	for i, v := range vals {
		to.put(in, i+1, v)
	}
	return float64(len(vals))
}
