// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

//go:build unix && !linux

package image

import "golang.org/x/sys/unix"

// mapNoReserve is not needed: inaccessible pages are not accounted.
const mapNoReserve = 0

// region is a range of reserved addresses. The first bytes are a private
// mapping of the snapshot's file, the rest is inaccessible until extended.
type region struct{ mem []byte }

func (r *region) open(snap *snapshot, reserve uint64) (err error) {
	r.mem, err = mmapReserve(reserve)
	if err != nil || snap == nil || snap.size == 0 {
		return err
	}
	if err = mmapPrivate(r.mem[:snap.size], snap.fd(), snap.off); err != nil {
		r.close()
	}
	return err
}

func (r *region) bytes(n uint64) []byte { return r.mem[:n:n] }

func (r *region) extend(from, to uint64) error {
	return unix.Mprotect(r.mem[from:to], unix.PROT_READ|unix.PROT_WRITE)
}

func (r *region) close() {
	munmap(r.mem)
	r.mem = nil
}

// restore renews the mapping, which drops every private page: these systems do
// not tell a process which of its pages are private.
func (r *region) restore(snap *snapshot) (uint64, error) {
	return 0, mmapPrivate(r.mem[:snap.size], snap.fd(), snap.off)
}
