// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package interp

import (
	"strings"

	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/guests/src/cmdkit"
	"github.com/wsandbox/wsandbox/guests/src/wsys"
)

// inplace is a file of the main input whose text is replaced by what the
// program prints while it reads it.
type inplace struct {
	name, temp string
	outer      writer // standard output otherwise
}

// beginInplace sends standard output to a new file beside name.
func (in *interp) beginInplace(name string, fd wsys.FD) {
	in.restricted("replacing files")
	st, err := wsys.Fstat(fd)
	if err == nil && !st.Mode.IsRegular() {
		in.fatalPlain("inplace: `" + name + "' is not a regular file")
	}
	dir := ""
	if i := strings.LastIndexByte(name, '/'); i >= 0 {
		dir = name[:i+1]
	}
	for try := 0; ; try++ {
		var r [8]byte
		wsys.Random(r[:])
		temp := dir + ".awk"
		for _, c := range r {
			temp += string("abcdefghijklmnopqrstuvwxyz012345"[c%32])
		}
		var to wsys.FD
		if err == nil {
			to, err = wsys.Open(wsys.AtCwd, temp, abi.OWronly|abi.OCreat|abi.OExcl|abi.OCloexec, 0o600)
		}
		if err == abi.EEXIST && try < 100 {
			err = nil
			continue
		}
		if err == nil {
			err = wsys.Fchmod(to, st.Mode&0o7777)
		}
		if err != nil {
			in.fatalPlain("inplace: cannot make a file beside `" + name + "': " + cmdkit.Strerror(err))
		}
		in.stdout.flush()
		in.inplace = &inplace{name, temp, in.stdout}
		in.stdout = writer{fd: to, buf: make([]byte, 0, streamBuf)}
		in.ttyKnown = true
		return
	}
}

// endInplace puts the new file in the place of the old one.
func (in *interp) endInplace() {
	p := in.inplace
	if p == nil {
		return
	}
	in.stdout.flush()
	err := in.stdout.err
	if err == nil {
		err = wsys.Rename(wsys.AtCwd, p.temp, wsys.AtCwd, p.name)
	}
	if err != nil {
		in.fatalPlain("inplace: cannot replace `" + p.name + "': " + cmdkit.Strerror(err))
	}
	in.inplace = nil
	wsys.Close(in.stdout.fd)
	in.stdout, in.ttyKnown = p.outer, false
}

// abandonInplace leaves the file as it was.
func (in *interp) abandonInplace() {
	p := in.inplace
	if p == nil {
		return
	}
	in.inplace = nil
	wsys.Close(in.stdout.fd)
	wsys.Unlink(wsys.AtCwd, p.temp)
	in.stdout, in.ttyKnown = p.outer, false
}
