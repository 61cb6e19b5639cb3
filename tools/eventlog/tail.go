// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package eventlog

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
)

// openTail opens a record for appending. A file that is not empty must begin
// with a line that check finds right (it returns the reason if not). What
// stands behind the last newline is removed. last is the last line.
func openTail(path string, check func(first []byte) string) (f *os.File, size int64, last []byte, err error) {
	f, err = openRecord(path)
	if err != nil {
		return nil, 0, nil, err
	}
	size, last, err = repair(f, path, check)
	if err != nil {
		return nil, 0, nil, errors.Join(err, f.Close())
	}
	return f, size, last, nil
}

// openRecord opens or makes a regular file for appending. The file may lie where
// someone else can write: no link is followed.
func openRecord(path string) (*os.File, error) {
	named, err := os.Lstat(path)
	flag := os.O_APPEND | os.O_RDWR
	switch {
	case errors.Is(err, os.ErrNotExist):
		flag |= os.O_CREATE | os.O_EXCL
	case err != nil:
		return nil, err
	case !named.Mode().IsRegular():
		return nil, &FormatError{File: path, Reason: "not a regular file"}
	}
	f, err := os.OpenFile(path, flag, 0o600)
	if err != nil {
		return nil, err
	}
	st, err := f.Stat()
	if err == nil && named != nil && !os.SameFile(named, st) {
		err = &FormatError{File: path, Reason: "was replaced while it was opened"}
	}
	if err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return f, nil
}

// repair checks the first line of f and removes what stands behind its last
// newline. It returns the size then and the last line.
func repair(f *os.File, path string, check func(first []byte) string) (size int64, last []byte, err error) {
	st, err := f.Stat()
	if err != nil {
		return 0, nil, err
	}
	size = st.Size()
	if size == 0 {
		return 0, nil, nil
	}
	head := make([]byte, min(size, maxLine))
	if _, err = f.ReadAt(head, 0); err != nil {
		return 0, nil, fmt.Errorf("%s: %w", path, err)
	}
	n := bytes.IndexByte(head, '\n')
	if n < 0 {
		n = len(head) // torn, or no record at all
		if int64(n) == size && tornHeader(head) {
			return 0, nil, cut(path, st, 0)
		}
	}
	if reason := check(head[:n]); reason != "" {
		return 0, nil, &FormatError{File: path, Line: 1, Reason: reason}
	}
	if n == len(head) { // a whole header whose newline is missing
		if size > int64(n) {
			return 0, nil, &FormatError{File: path, Line: 1, Reason: "line is too long"}
		}
		_, err = f.Write([]byte{'\n'})
		return size + 1, nil, err
	}

	tail := make([]byte, min(size, 2*maxLine))
	if _, err = f.ReadAt(tail, size-int64(len(tail))); err != nil && !errors.Is(err, io.EOF) {
		return 0, nil, fmt.Errorf("%s: %w", path, err)
	}
	end := bytes.LastIndexByte(tail, '\n')
	if end < 0 {
		return 0, nil, &FormatError{File: path, Reason: "the last line is too long"}
	}
	if torn := int64(len(tail) - end - 1); torn > 0 {
		size -= torn
		if err = cut(path, st, size); err != nil {
			return 0, nil, err
		}
	}
	begin := bytes.LastIndexByte(tail[:end], '\n') + 1
	if begin == 0 && int64(len(tail)) == st.Size() { // the header alone
		return size, nil, nil
	}
	return size, bytes.Clone(tail[begin:end]), nil
}

// cut shortens the file that st describes to size bytes: not by the descriptor
// that appends, which on Windows may not.
func cut(path string, st os.FileInfo, size int64) error {
	f, err := os.OpenFile(path, os.O_WRONLY, 0)
	if err != nil {
		return err
	}
	now, err := f.Stat()
	switch {
	case err != nil:
	case !os.SameFile(st, now):
		err = &FormatError{File: path, Reason: "was replaced while it was opened"}
	default:
		err = f.Truncate(size)
	}
	return errors.Join(err, f.Close())
}

// tornHeader reports whether b is the beginning of a header that was never
// written whole.
func tornHeader(b []byte) bool {
	for _, h := range []string{`{"format":"` + Format + `"`, `{"version":2,"width":`} {
		n := min(len(h), len(b))
		if string(b[:n]) == h[:n] {
			return b[len(b)-1] != '}'
		}
	}
	return false
}
