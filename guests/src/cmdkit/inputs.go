// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package cmdkit

// inputBuf is the buffer that named inputs are read with, one after the other.
var inputBuf [64 << 10]byte

// EachInput opens the operands in turn ("-", and no operand, are standard
// input) and calls f with a reader of each, until f returns false or standard
// output fails. Files that cannot be opened or read are reported; the result is
// 1 after any failure, else 0. The readers share one buffer: what f got from
// one is not valid behind its return.
func (p *Proc) EachInput(operands []string, f func(name string, r *Reader) bool) int {
	return p.EachInputReporting(operands, func(err error, name string, _ bool) int { return p.FileErrno(err, name) }, f)
}

// EachInputReporting is EachInput for commands with messages of their own: report
// is called for an input that cannot be opened or read and returns the status.
func (p *Proc) EachInputReporting(operands []string, report func(err error, name string, opening bool) int, f func(name string, r *Reader) bool) int {
	if len(operands) == 0 {
		operands = []string{"-"}
	}
	status := 0
	named := Reader{buf: inputBuf[:]}
	for _, name := range operands {
		fd, err := p.Open(name)
		if err != nil {
			status = report(err, name, true)
			continue
		}
		r := p.Stdin
		if fd != p.Stdin.FD {
			named.Reset(fd)
			r = &named
		}
		goOn := f(name, r)
		if r.Err != nil {
			status = report(r.Err, name, false)
			r.Err = nil
		}
		p.CloseInput(fd)
		if !goOn || p.WriteFailed() {
			break
		}
	}
	return status
}

// InputReader returns a reader of fd, which [Proc.Open] returned: p.Stdin for
// that, else one with the shared buffer of EachInput.
func (p *Proc) InputReader(fd int32) *Reader {
	if fd == p.Stdin.FD {
		return p.Stdin
	}
	return &Reader{FD: fd, buf: inputBuf[:]}
}
