// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package interp

// random is the additive generator of BSD's random(3) with its largest state:
// the same seed gives the same numbers.
type random struct {
	state [63]uint32
	f, r  int
}

func newRandom(seed uint32) *random {
	g := &random{f: 1}
	g.state[0] = seed
	for i := 1; i < len(g.state); i++ {
		// 16807 times the last one, modulo 2^31-1, by Schrage's method.
		x := int32(g.state[i-1])
		if x == 0 {
			x = 123459876
		}
		x = 16807*(x%127773) - 2836*(x/127773)
		if x < 0 {
			x += 0x7fffffff
		}
		g.state[i] = uint32(x)
	}
	for range 10 * len(g.state) {
		g.next()
	}
	return g
}

func (g *random) next() uint32 {
	g.state[g.f] += g.state[g.r]
	v := g.state[g.f] >> 1
	if g.f++; g.f == len(g.state) {
		g.f = 0
	}
	if g.r++; g.r == len(g.state) {
		g.r = 0
	}
	return v
}

// rand is the function rand.
func (in *interp) rand() float64 {
	if in.random == nil {
		in.random = newRandom(uint32(int64(in.seed)))
	}
	for {
		a := float64(in.random.next())
		b := float64(in.random.next())
		v := 0.5 + (a/(1<<31)+b)/(1<<31)
		if v -= 0.5; v != 1 {
			return v
		}
	}
}
