// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package tools

import (
	"cmp"
	"encoding/binary"
	"encoding/hex"
	"io"
	"math/bits"
	"slices"
	"time"
)

// Bounds of the table of sessions.
const (
	maxSessions       = 64
	warnSessions      = 60
	protectedSessions = 8
	firstID, endID    = 1000, 100000
)

// sessionUse is what pruning goes by.
type sessionUse struct {
	id       int
	lastUsed time.Time
	exited   bool
}

// toPrune returns the session that makes room for another: of those that are not
// among the 8 used last, the one that has exited and was used first, or where
// none has exited, the one used first. It reports false where there is none.
func toPrune(uses []sessionUse) (int, bool) {
	if len(uses) <= protectedSessions {
		return 0, false
	}
	slices.SortStableFunc(uses, func(a, b sessionUse) int {
		return cmp.Or(a.lastUsed.Compare(b.lastUsed), cmp.Compare(a.id, b.id))
	})
	uses = uses[:len(uses)-protectedSessions]
	for _, u := range uses {
		if u.exited {
			return u.id, true
		}
	}
	return uses[0].id, true
}

// drawID returns a number of [1000, 100000) that is not taken. At most 64 are.
func drawID(r io.Reader, taken func(int) bool) (int, error) {
	for {
		n, err := uniform(r, endID-firstID)
		if err != nil {
			return 0, err
		}
		if id := firstID + int(n); !taken(id) {
			return id, nil
		}
	}
}

// uniform returns a number below n, each as likely.
func uniform(r io.Reader, n uint32) (uint32, error) {
	var b [4]byte
	for {
		if _, err := io.ReadFull(r, b[:]); err != nil {
			return 0, err
		}
		hi, lo := bits.Mul32(binary.LittleEndian.Uint32(b[:]), n)
		if lo >= -n%n { // Lemire's rejection
			return hi, nil
		}
	}
}

// drawChunkID returns six hexadecimal digits.
func drawChunkID(r io.Reader) (string, error) {
	var b [3]byte
	if _, err := io.ReadFull(r, b[:]); err != nil {
		return "", err
	}
	return hex.EncodeToString(b[:]), nil
}
