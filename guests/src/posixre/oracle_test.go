// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package posixre

import (
	"math/rand"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// expr is a pattern as the tests make it: how it is written in both syntaxes,
// and how it matches, by trying everything.
type expr struct {
	kind     string // char any set cat alt rep group ref bol eol word nword begin end
	text     string // char, set
	min, max int
	n        int
	sub      []*expr
}

const testAlphabet = "ab-é\n"

type generator struct {
	r      *rand.Rand
	groups int
	open   []bool // by group: not complete yet
	refs   bool
	assert bool
	mild   bool // no repetition within a repetition: glibc may take for ever
	inRep  bool
}

func (g *generator) expr(depth int) *expr {
	x := g.r.Intn(100)
	switch {
	case depth == 0 || x < 25:
		return g.leaf()
	case x < 45:
		g.groups++
		n := g.groups
		g.open = append(g.open, true)
		e := &expr{kind: "group", n: n, sub: []*expr{g.expr(depth - 1)}}
		g.open[n-1] = false
		return e
	case x < 55:
		return &expr{kind: "alt", sub: []*expr{g.expr(depth - 1), g.expr(depth - 1)}}
	case x < 75:
		return &expr{kind: "cat", sub: []*expr{g.expr(depth - 1), g.expr(depth - 1)}}
	}
	if g.mild && g.inRep {
		return g.leaf()
	}
	g.inRep = true
	e := &expr{kind: "rep", sub: []*expr{g.expr(depth - 1)}}
	g.inRep = false
	switch g.r.Intn(6) {
	case 0, 1:
		e.max = -1
	case 2:
		e.min, e.max = 1, -1
	case 3:
		e.max = 1
	case 4:
		e.min = g.r.Intn(3)
		e.max = e.min + g.r.Intn(2)
	case 5:
		e.min, e.max = g.r.Intn(3), -1
	}
	return e
}

func (g *generator) leaf() *expr {
	x := g.r.Intn(100)
	switch {
	case x < 60:
		return &expr{kind: "char", text: []string{"a", "b", "a", "b", "-", "é"}[g.r.Intn(6)]}
	case x < 68:
		return &expr{kind: "any"}
	case x < 76:
		return &expr{kind: "set", text: []string{"[ab]", "[^a]", "[[:alpha:]]", "[é-]", "\\w", "\\W"}[g.r.Intn(6)]}
	case x < 90 && g.refs && g.groups > 0:
		n := 1 + g.r.Intn(min(g.groups, 9))
		if !g.open[n-1] {
			return &expr{kind: "ref", n: n}
		}
	case x < 96 && g.assert:
		return &expr{kind: []string{"bol", "eol", "word", "nword", "wstart", "wend"}[g.r.Intn(6)]}
	}
	return &expr{kind: "char", text: "a"}
}

func (e *expr) String(ere bool) string { return e.write(ere, 0) }

// write prints e for a place that binds as tightly as level: 0 alternation,
// 1 concatenation, 2 repetition.
func (e *expr) write(ere bool, level int) string {
	lp, rp, bar, bs := `\(`, `\)`, `\|`, `\`
	if ere {
		lp, rp, bar, bs = `(`, `)`, `|`, ``
	}
	switch e.kind {
	case "char", "set":
		return e.text
	case "any":
		return "."
	case "ref":
		return `\` + strconv.Itoa(e.n)
	case "bol":
		return "^"
	case "eol":
		return "$"
	case "word":
		return `\b`
	case "nword":
		return `\B`
	case "wstart":
		return `\<`
	case "wend":
		return `\>`
	case "group":
		return lp + e.sub[0].write(ere, 0) + rp
	case "alt":
		return e.sub[0].write(ere, 0) + bar + e.sub[1].write(ere, 0)
	case "cat":
		return e.sub[0].write(ere, 1) + e.sub[1].write(ere, 1)
	}
	s := e.sub[0].write(ere, 2)
	switch {
	case e.min == 0 && e.max < 0:
		return s + "*"
	case e.min == 1 && e.max < 0:
		return s + bs + "+"
	case e.min == 0 && e.max == 1:
		return s + bs + "?"
	case e.max < 0:
		return s + bs + "{" + strconv.Itoa(e.min) + "," + bs + "}"
	case e.min == e.max:
		return s + bs + "{" + strconv.Itoa(e.min) + bs + "}"
	}
	return s + bs + "{" + strconv.Itoa(e.min) + "," + strconv.Itoa(e.max) + bs + "}"
}

// group wraps what must be grouped to be written, as a group of its own, and
// numbers the groups in the order of their parentheses. ok is false where a
// reference lost its group or an anchor would be literal or repeated.
func (e *expr) normal(ere bool) (*expr, int, bool) {
	var wrap func(e *expr, level int) *expr
	wrap = func(e *expr, level int) *expr {
		own := map[string]int{"alt": 0, "cat": 1, "rep": 2}
		l, ok := own[e.kind]
		c := *e
		c.sub = nil
		for i, s := range e.sub {
			sl := 0
			switch e.kind {
			case "cat":
				sl = 1
			case "rep":
				sl = 3
			case "alt":
				sl = 0
				if s.kind == "alt" && i == 0 {
					sl = 0
				}
			}
			c.sub = append(c.sub, wrap(s, sl))
		}
		if ok && l < level || e.kind == "rep" && level == 3 {
			return &expr{kind: "group", n: -1, sub: []*expr{&c}}
		}
		return &c
	}
	out := wrap(e, 0)
	number := map[int]int{}
	n := 0
	good := true
	complete := map[int]bool{}
	var walk func(e *expr, inRep bool)
	walk = func(e *expr, inRep bool) {
		switch e.kind {
		case "group":
			n++
			me := n
			if e.n > 0 {
				number[e.n] = me
			}
			e.n = me
			walk(e.sub[0], false)
			complete[me] = true
			return
		case "ref":
			k, ok := number[e.n]
			if !ok || !complete[k] || k > 9 {
				good = false
			}
			e.n = k
		case "alt":
			// A reference may not name a group of another alternative.
			before := map[int]bool{}
			for k := range complete {
				before[k] = true
			}
			all := map[int]bool{}
			for _, s := range e.sub {
				complete = map[int]bool{}
				for k := range before {
					complete[k] = true
				}
				walk(s, false)
				for k := range complete {
					all[k] = true
				}
			}
			complete = all
			return
		case "bol", "eol":
			if !ere {
				good = false
			}
			fallthrough
		case "word", "nword", "wstart", "wend":
			if inRep {
				good = false
			}
		}
		for _, s := range e.sub {
			walk(s, e.kind == "rep")
		}
	}
	walk(out, false)
	return out, n, good
}

type refMatcher struct {
	t     []rune
	caps  [][2]int
	steps int
}

func isWord(t []rune, i int) bool {
	return i >= 0 && i < len(t) && (t[i] == 'a' || t[i] == 'b' || t[i] == 'é')
}

func (m *refMatcher) match(e *expr, i int, k func(int)) {
	m.steps++
	if m.steps > 200000 {
		return
	}
	one := func(ok bool) {
		if ok {
			k(i + 1)
		}
	}
	zero := func(ok bool) {
		if ok {
			k(i)
		}
	}
	more := i < len(m.t)
	switch e.kind {
	case "char":
		one(more && string(m.t[i]) == e.text)
	case "any":
		one(more)
	case "set":
		if !more {
			return
		}
		c := m.t[i]
		switch e.text {
		case "[ab]":
			one(c == 'a' || c == 'b')
		case "[^a]":
			one(c != 'a')
		case "[[:alpha:]]", "\\w":
			one(isWord(m.t, i))
		case "\\W":
			one(!isWord(m.t, i))
		case "[é-]":
			one(c == 'é' || c == '-')
		}
	case "bol":
		zero(i == 0)
	case "eol":
		zero(i == len(m.t))
	case "word":
		zero(isWord(m.t, i-1) != isWord(m.t, i))
	case "nword":
		zero(isWord(m.t, i-1) == isWord(m.t, i))
	case "wstart":
		zero(!isWord(m.t, i-1) && isWord(m.t, i))
	case "wend":
		zero(isWord(m.t, i-1) && !isWord(m.t, i))
	case "cat":
		m.match(e.sub[0], i, func(j int) { m.match(e.sub[1], j, k) })
	case "alt":
		m.match(e.sub[0], i, k)
		m.match(e.sub[1], i, k)
	case "group":
		m.match(e.sub[0], i, func(j int) {
			old := m.caps[e.n]
			m.caps[e.n] = [2]int{i, j}
			k(j)
			m.caps[e.n] = old
		})
	case "ref":
		c := m.caps[e.n]
		if c[0] < 0 || i+c[1]-c[0] > len(m.t) {
			return
		}
		if string(m.t[c[0]:c[1]]) == string(m.t[i:i+c[1]-c[0]]) {
			k(i + c[1] - c[0])
		}
	case "rep":
		m.rep(e, 0, i, k)
	}
}

func (m *refMatcher) rep(e *expr, n, i int, k func(int)) {
	if e.max < 0 || n < e.max {
		m.match(e.sub[0], i, func(j int) {
			if j == i && n >= e.min {
				k(j) // a turn that changes nothing but groups
				return
			}
			m.rep(e, n+1, j, k)
		})
	}
	if n >= e.min {
		k(i)
	}
}

// find returns the bounds in bytes, or -1.
func (e *expr) find(text string, groups int) (int, int, bool) {
	m := &refMatcher{t: []rune(text), caps: make([][2]int, groups+1)}
	for i := range m.caps {
		m.caps[i] = [2]int{-1, -1}
	}
	for s := 0; s <= len(m.t); s++ {
		best := -1
		m.match(e, s, func(j int) { best = max(best, j) })
		if m.steps > 200000 {
			return 0, 0, false
		}
		if best >= 0 {
			return len(string(m.t[:s])), len(string(m.t[:best])), true
		}
	}
	return -1, -1, true
}

type testCase struct {
	e      *expr
	groups int
	text   string
	ere    bool
}

func (g *generator) testCase(n int) testCase {
	for {
		g.groups, g.open = 0, nil
		ere := g.r.Intn(3) > 0
		e, groups, ok := g.expr(5).normal(ere)
		if !ok || groups > 9 {
			continue
		}
		text := ""
		for range g.r.Intn(n) {
			text += []string{"a", "b", "a", "b", "a", "-", "é"}[g.r.Intn(7)]
		}
		return testCase{e, groups, text, ere}
	}
}

func TestAgainstReference(t *testing.T) {
	for _, refs := range []bool{false, true} {
		g := &generator{r: rand.New(rand.NewSource(11)), refs: refs, assert: true}
		for range 3000 {
			c := g.testCase(9)
			s, e, ok := c.e.find(c.text, c.groups)
			if !ok {
				continue
			}
			pat := c.e.String(c.ere)
			checkFind(t, pat, c, s, e)
		}
	}
}

func checkFind(t *testing.T, pat string, c testCase, s, e int) {
	t.Helper()
	var flags Flags
	if c.ere {
		flags |= Extended
	}
	re, err := Compile(pat, flags)
	require.NoError(t, err, pat)
	loc := make([]int, 2*re.NumSubexp()+2)
	got, err := re.Find([]byte(c.text), 0, 0, loc)
	require.NoError(t, err, pat)
	if !got {
		loc[0], loc[1] = -1, -1
	}
	require.Equal(t, []int{s, e}, loc[:2], "%q in %q", pat, c.text)
	require.Equal(t, s >= 0, re.Match([]byte(c.text)), "Match %q in %q", pat, c.text)
	// As one line of several.
	lines, err := Compile(pat, flags|Lines)
	require.NoError(t, err, pat)
	text := []byte("\n" + c.text + "\n\n")
	ls, le, err := lines.FindLine(text, 1)
	require.NoError(t, err)
	if empty, _, ok := c.e.find("", c.groups); ok {
		want := 0
		if empty >= 0 {
			want = 2
		}
		if s >= 0 {
			want++
		}
		n, err := lines.CountLines(text)
		require.NoError(t, err)
		require.Equal(t, want, n, "CountLines %q in %q", pat, c.text)
	}
	if s >= 0 {
		require.Equal(t, []int{1, 1 + len(c.text)}, []int{ls, le}, "FindLine %q in %q", pat, c.text)
	} else if ls >= 0 {
		require.Equal(t, 2+len(c.text), ls, "FindLine %q in %q", pat, c.text)
	}
}

// TestAgainstSed compares matches and groups with the sed at hand.
func TestAgainstSed(t *testing.T) {
	if out, err := exec.Command("sed", "--version").Output(); err != nil || !strings.Contains(string(out), "GNU") {
		t.Skip("no GNU sed")
	}
	g := &generator{r: rand.New(rand.NewSource(7)), mild: true}
	for _, ere := range []bool{false, true} {
		var script, text strings.Builder
		var cases []testCase
		for len(cases) < 5000 {
			c := g.testCase(9)
			if c.ere != ere {
				continue
			}
			cases = append(cases, c)
			script.WriteString(strconv.Itoa(len(cases)) + "s/" + c.e.String(ere) + "/<&>")
			for k := 1; k <= c.groups; k++ {
				script.WriteString("{\\" + strconv.Itoa(k) + "}")
			}
			script.WriteString("/\n")
			text.WriteString(c.text + "\n")
		}
		dir := t.TempDir()
		file := filepath.Join(dir, "script")
		require.NoError(t, os.WriteFile(file, []byte(script.String()), 0o600))
		args := []string{"-f", file}
		if ere {
			args = append([]string{"-E"}, args...)
		}
		cmd := exec.Command("sed", args...)
		cmd.Env = append(os.Environ(), "LC_ALL=C.UTF-8")
		cmd.Stdin = strings.NewReader(text.String())
		var stderr strings.Builder
		cmd.Stderr = &stderr
		out, err := cmd.Output()
		require.NoError(t, err, stderr.String())
		bad := 0
		for i, want := range strings.Split(strings.TrimSuffix(string(out), "\n"), "\n") {
			c := cases[i]
			var flags Flags
			if ere {
				flags = Extended
			}
			pat := c.e.String(ere)
			re, err := Compile(pat, flags)
			require.NoError(t, err, pat)
			loc := make([]int, 2*re.NumSubexp()+2)
			ok, err := re.Find([]byte(c.text), 0, 0, loc)
			require.NoError(t, err)
			got := c.text
			if ok {
				got = c.text[:loc[0]] + "<" + c.text[loc[0]:loc[1]] + ">"
				for k := 1; k <= c.groups; k++ {
					got += "{"
					if loc[2*k] >= 0 {
						got += c.text[loc[2*k]:loc[2*k+1]]
					}
					got += "}"
				}
				got += c.text[loc[1]:]
			}
			if got != want {
				if bad++; bad <= 20 {
					t.Logf("%q in %q: got %s, sed %s", pat, c.text, got, want)
				}
			}
		}
		t.Logf("%d of %d differ", bad, len(cases))
		require.Zero(t, bad)
	}
}
