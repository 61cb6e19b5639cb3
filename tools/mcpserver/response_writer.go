// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package mcpserver

import (
	"net/http"
	"strings"
	"time"
)

// maxPlain bounds an error text of the protocol's handler.
const maxPlain = 4 << 10

// responseWriter bounds the time of each write, so that a client which does not
// read holds nothing, and makes JSON of the plain texts that the protocol's
// handler answers bad requests with.
type responseWriter struct {
	http.ResponseWriter
	control *http.ResponseController
	status  int    // of an answer whose plain text is held back, or 0
	plain   []byte // the text
}

// Unwrap serves [http.ResponseController].
func (w *responseWriter) Unwrap() http.ResponseWriter { return w.ResponseWriter }

func (w *responseWriter) WriteHeader(status int) {
	if status >= 400 && strings.HasPrefix(w.Header().Get("Content-Type"), "text/plain") {
		w.status = status
		return
	}
	w.ResponseWriter.WriteHeader(status)
}

func (w *responseWriter) Write(p []byte) (int, error) {
	if w.status != 0 {
		w.plain = append(w.plain, p[:min(len(p), maxPlain-len(w.plain))]...)
		return len(p), nil
	}
	_ = w.control.SetWriteDeadline(time.Now().Add(writeTimeout)) // not every writer has one
	return w.ResponseWriter.Write(p)
}

// finish writes what was held back.
func (w *responseWriter) finish() {
	if w.status != 0 {
		text := strings.TrimSpace(strings.ToValidUTF8(string(w.plain), "\uFFFD"))
		status := w.status
		w.status = 0
		writeError(w, status, text)
	}
	_ = w.control.SetWriteDeadline(time.Time{}) // the connection may be used again
}
