// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package interp

import (
	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/guests/src/wsys"
)

// writer is buffered output. To a terminal it writes at the end of every print.
type writer struct {
	fd  wsys.FD
	buf []byte
	err error
	now bool // write at the end of every print
}

func (w *writer) str(s string) {
	if len(s) > cap(w.buf)-len(w.buf) {
		w.flush()
		if len(s) > cap(w.buf) {
			w.put(bytesOf(s))
			return
		}
	}
	w.buf = append(w.buf, s...)
}

// space makes room for n more bytes, of which there are never many.
func (w *writer) space(n int) {
	if n > cap(w.buf)-len(w.buf) {
		w.flush()
	}
}

func (w *writer) flush() {
	if len(w.buf) > 0 {
		w.put(w.buf)
		w.buf = w.buf[:0]
	}
}

func (w *writer) put(b []byte) {
	for len(b) > 0 && w.err == nil {
		n, err := wsys.Write(w.fd, b)
		b = b[n:]
		if err != nil && err != abi.EINTR {
			w.err = err
		}
	}
}
