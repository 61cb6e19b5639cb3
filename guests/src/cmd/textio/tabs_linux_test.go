// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package textio

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wsandbox/wsandbox/guests/src/cmdkit"
	"github.com/wsandbox/wsandbox/guests/src/cmdkit/cmdtest"
)

func TestTabStops(t *testing.T) {
	next := func(x tabStops, col uint64) int {
		if s, ok := x.next(col); ok {
			return int(s)
		}
		return -1
	}
	for _, c := range []struct {
		t    tabStops
		col  uint64
		want int
	}{
		{tabStops{every: 8}, 0, 8}, {tabStops{every: 8}, 7, 8}, {tabStops{every: 8}, 8, 16},
		{tabStops{stops: []uint64{2, 5}}, 1, 2}, {tabStops{stops: []uint64{2, 5}}, 2, 5}, {tabStops{stops: []uint64{2, 5}}, 5, -1},
		{tabStops{stops: []uint64{3}, every: 5}, 3, 5}, {tabStops{stops: []uint64{3}, every: 5}, 5, 10},
		{tabStops{stops: []uint64{3}, every: 5, offset: 3}, 3, 8}, {tabStops{stops: []uint64{3}, every: 5, offset: 3}, 8, 13},
	} {
		require.Equal(t, c.want, next(c.t, c.col), "%+v", c)
	}
}

// FuzzTabs parses anything as stops, and has what unexpand makes of a text
// expanded to what expand makes of it.
func FuzzTabs(f *testing.F) {
	f.Add("4", "a   b\t c        d\n  x")
	f.Add("2,5,/3", " \t \t  \t\tx\n")
	f.Add("+99999999999999999999", "")
	f.Fuzz(func(t *testing.T, list, text string) {
		if len(text) > 500 || len(list) > 8 {
			return
		}
		p := cmdkit.New("expand", nil, nil, -1, -1, -1)
		var x tabStops
		var l []uint64
		var extend byte
		var every uint64
		if !parseTabs(p, &x, list, &l, &extend, &every) || !finishTabs(p, &x, l, extend, every) || x.every > 100 {
			return
		}
		for _, v := range l {
			if v > 1000 {
				return
			}
		}
		for _, c := range []byte(text) {
			if c == '\b' {
				return // columns that are gone back over are not those of blanks
			}
		}
		u := unexpander{t: &tabs{tabStops: x}, all: true}
		u.begin()
		for _, c := range []byte(text) {
			u.put(c)
		}
		u.flush()
		arg := "-t" + list
		if list == "" {
			arg = "-t8"
		}
		want := cmdtest.Run(t, Expand, text, "expand", []string{arg})
		got := cmdtest.Run(t, Expand, string(u.out), "expand", []string{arg})
		require.Equal(t, want, got)
	})
}
