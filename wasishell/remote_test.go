// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package wasishell_test

import (
	"encoding/binary"
	"errors"
	"io"
	"os"
	"path/filepath"

	"github.com/stretchr/testify/require"

	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/wasishell"
)

// errGone is the result of a remote that has ended.
var errGone = errors.New("the remote has ended")

// remote is a running remoteModule.
type remote struct {
	*target
	sess *wasishell.Session
	out  *io.PipeReader
	ops  map[string]int
}

// remote starts a module under the test's control in the workspace, with the
// given environment.
func (g *target) remote(change ...func(*wasishell.Cmd)) *remote {
	g.Helper()
	funcs := hostFuncs()
	r := &remote{target: g, ops: map[string]int{}}
	for i, f := range funcs {
		key := f.name
		if f.module == abi.ExtModule {
			key = "ext." + f.name
		}
		r.ops[key] = i
	}
	path := filepath.Join(g.ws, "remote.wasm")
	if _, err := os.Stat(path); err != nil {
		require.NoError(g, os.WriteFile(path, remoteModule(funcs), 0o755))
	}
	cmd := g.sb.Command("/workspace/remote.wasm")
	cmd.OpenStdin = true
	var w *io.PipeWriter
	r.out, w = io.Pipe()
	cmd.Stdout = w
	for _, f := range change {
		f(cmd)
	}
	var err error
	r.sess, err = cmd.Start(g.Context())
	require.NoError(g, err)
	go func() {
		<-r.sess.Done()
		_ = w.CloseWithError(errGone)
	}()
	g.Cleanup(func() {
		r.sess.Kill()
		_ = r.out.Close()
		_ = r.sess.Wait()
	})
	return r
}

// do sends a request, followed by in, and returns the out bytes that come back
// and the result. The error is errGone.
func (r *remote) do(o int, in []byte, out int, args ...uint64) ([]byte, uint32, error) {
	for _, b := range [][]byte{request(o, args...), in} {
		if len(b) == 0 {
			continue
		}
		if _, err := r.sess.Write(b); err != nil {
			return nil, 0, errGone
		}
	}
	b := make([]byte, out+4)
	if _, err := io.ReadFull(r.out, b); err != nil {
		return nil, 0, errGone
	}
	return b[:out], binary.LittleEndian.Uint32(b[out:]), nil
}

// try calls a host function. The error is errGone.
func (r *remote) try(name string, args ...uint64) (abi.Errno, error) {
	r.Helper()
	o, ok := r.ops[name]
	require.True(r, ok, "function %s", name)
	_, v, err := r.do(o, nil, 0, args...)
	return abi.Errno(v), err
}

// call calls a host function of a remote that goes on.
func (r *remote) call(name string, args ...uint64) abi.Errno {
	r.Helper()
	e, err := r.try(name, args...)
	require.NoError(r, err, "%s(%#x)", name, args)
	return e
}

// poke writes to the remote's memory.
func (r *remote) poke(at uint64, b []byte) {
	r.Helper()
	for len(b) > 0 {
		n := min(len(b), 4096)
		_, _, err := r.do(opPoke, b[:n], 0, at, uint64(n))
		require.NoError(r, err)
		at, b = at+uint64(n), b[n:]
	}
}

// peek reads the remote's memory.
func (r *remote) peek(at uint64, n int) []byte {
	r.Helper()
	b, _, err := r.do(opPeek, nil, n, at, uint64(n))
	require.NoError(r, err)
	return b
}

// u32 reads a word of the remote's memory.
func (r *remote) u32(at uint64) uint32 {
	r.Helper()
	return binary.LittleEndian.Uint32(r.peek(at, 4))
}

// u64 reads a double word of the remote's memory.
func (r *remote) u64(at uint64) uint64 {
	r.Helper()
	return binary.LittleEndian.Uint64(r.peek(at, 8))
}

// path puts a path at an address and returns the two parameters of it.
func (r *remote) path(at uint64, p string) (ptr, n uint64) {
	r.Helper()
	r.poke(at, []byte(p))
	return at, uint64(len(p))
}

// Places in the remote's memory for paths, vectors, results and data.
const (
	atPath   = remoteFree
	atPath2  = remoteFree + 0x2000
	atVector = remoteFree + 0x4000
	atResult = remoteFree + 0x5000
	atData   = 1 << 16
)

// iovec puts one vector for data at address ptr and returns the two parameters
// of it.
func (r *remote) iovec(ptr, n uint64) (at, count uint64) {
	r.Helper()
	r.poke(atVector, le(ptr, n))
	return atVector, 1
}

// le encodes 32-bit words.
func le(words ...uint64) (b []byte) {
	for _, w := range words {
		b = binary.LittleEndian.AppendUint32(b, uint32(w))
	}
	return b
}

// Rights as preview 1 numbers them.
const (
	rightRead    = 1 << 1
	rightSeek    = 1 << 2
	rightWrite   = 1 << 6
	rightAll     = 1<<29 - 1
	oflagCreat   = 1
	oflagDir     = 2
	oflagExcl    = 4
	oflagTrunc   = 8
	fdflagAppend = 1
	preopenRoot  = 3
	preopenCwd   = 4
	followLinks  = 1
)

// open opens a path of the working directory with path_open.
func (r *remote) open(p string, lookup, oflags, rights, fdflags uint64) (fd uint64, errno abi.Errno) {
	r.Helper()
	ptr, n := r.path(atPath, p)
	errno = r.call("path_open", preopenCwd, lookup, ptr, n, oflags, rights, rightAll, fdflags, atResult)
	if errno != 0 {
		return 0, errno
	}
	return uint64(r.u32(atResult)), 0
}
