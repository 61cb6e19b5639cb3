// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package pager

// key is a command of the keyboard: a character, or one of those below.
type key int

// Keys that terminals send as several bytes.
const (
	keyNone key = 0x110000 + iota
	keyUp
	keyDown
	keyLeft
	keyRight
	keyPageUp
	keyPageDown
	keyHome
	keyEnd
	keyUnknown
	keyEsc // and the character behind it: keyEsc+'v'
)

// sequences are what keys send.
var sequences = [...]struct {
	text string
	key  key
}{
	{"\x1b[A", keyUp}, {"\x1bOA", keyUp}, {"\x1b[B", keyDown}, {"\x1bOB", keyDown}, {"\x1b[C", keyRight}, {"\x1bOC", keyRight},
	{"\x1b[D", keyLeft}, {"\x1bOD", keyLeft}, {"\x1b[5~", keyPageUp}, {"\x1b[6~", keyPageDown}, {"\x1b[H", keyHome}, {"\x1bOH", keyHome},
	{"\x1b[1~", keyHome}, {"\x1b[7~", keyHome}, {"\x1b[F", keyEnd}, {"\x1bOF", keyEnd}, {"\x1b[4~", keyEnd}, {"\x1b[8~", keyEnd},
}

// decoder puts keys together from bytes.
type decoder struct{ pending []byte }

// maxSequence bounds what is collected of a sequence.
const maxSequence = 16

// feed takes a byte and returns the key that it completes, or keyNone.
func (d *decoder) feed(c byte) key {
	if len(d.pending) == 0 && c != 0x1b {
		return key(c)
	}
	d.pending = append(d.pending, c)
	p := string(d.pending)
	if len(p) == 1 {
		return keyNone
	}
	done := func(k key) key { d.pending = d.pending[:0]; return k }
	if len(p) == 2 && c != '[' && c != 'O' {
		return done(keyEsc + key(c))
	}
	if len(p) == 2 {
		return keyNone
	}
	for _, s := range sequences {
		if s.text == p {
			return done(s.key)
		}
	}
	if c >= '@' && c <= '~' || len(p) >= maxSequence {
		return done(keyUnknown)
	}
	return keyNone
}
