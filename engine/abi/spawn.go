// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package abi

import "encoding/binary"

// SpawnFlag modifies a spawn.
type SpawnFlag uint32

// Spawn flags.
const (
	SpawnSetpgid    SpawnFlag = 1 << iota // join group Pgid, or lead a new one where Pgid is 0
	SpawnSetsid                           // lead a new session
	SpawnForeground                       // make the child's group the terminal's foreground group
	SpawnNoInherit                        // the child gets only the descriptors of Actions

	spawnFlagAll = SpawnNoInherit<<1 - 1
)

// FDAction places a descriptor of the caller into the child. Src is a
// descriptor in the caller's table as it was at the call, or -1 to leave FD
// closed. Actions are applied in order, after inheritance.
type FDAction struct{ FD, Src int32 }

// SpawnSpec describes a new process, or the new image of proc_exec.
//
// POSIX: posix_spawn().
type SpawnSpec struct {
	Flags   SpawnFlag
	Pgid    int32     // SpawnSetpgid
	PPID    int32     // 0: the caller; else a shadow process of the caller
	Umask   int32     // -1: inherited
	Ignored SignalSet // signals ignored in the child
	Path    string    // program file, resolved against Dir; never searched in PATH
	Dir     string    // working directory; empty: inherited
	Args    []string
	Env     []string
	Actions []FDAction
}

// Bounds of an encoded SpawnSpec. Arguments and environment together are
// further bound by the process's limit (E2BIG).
const (
	SpawnMaxStrings = 1 << 18
	SpawnMaxActions = 1 << 12
)

const spawnVersion = 1

// Append appends the encoded form of s to b.
func (s *SpawnSpec) Append(b []byte) []byte {
	le := binary.LittleEndian
	b = le.AppendUint32(b, spawnVersion)
	b = le.AppendUint32(b, uint32(s.Flags))
	b = le.AppendUint32(b, uint32(s.Pgid))
	b = le.AppendUint32(b, uint32(s.PPID))
	b = le.AppendUint32(b, uint32(s.Umask))
	b = le.AppendUint64(b, uint64(s.Ignored))
	str := func(v string) {
		b = le.AppendUint32(b, uint32(len(v)))
		b = append(b, v...)
	}
	str(s.Path)
	str(s.Dir)
	for _, l := range [2][]string{s.Args, s.Env} {
		b = le.AppendUint32(b, uint32(len(l)))
		for _, v := range l {
			str(v)
		}
	}
	b = le.AppendUint32(b, uint32(len(s.Actions)))
	for _, a := range s.Actions {
		b = le.AppendUint32(b, uint32(a.FD))
		b = le.AppendUint32(b, uint32(a.Src))
	}
	return b
}

// DecodeSpawnSpec decodes what Append wrote. It returns EINVAL for a malformed
// record and E2BIG where a count passes its bound. The strings are copies.
func DecodeSpawnSpec(b []byte) (*SpawnSpec, error) {
	le := binary.LittleEndian
	bad := false
	u32 := func() uint32 {
		if bad || len(b) < 4 {
			bad = true
			return 0
		}
		v := le.Uint32(b)
		b = b[4:]
		return v
	}
	u64 := func() uint64 {
		lo := u32()
		return uint64(u32())<<32 | uint64(lo)
	}
	str := func() string {
		n := u32()
		if bad || uint64(n) > uint64(len(b)) {
			bad = true
			return ""
		}
		v := string(b[:n])
		b = b[n:]
		return v
	}
	if v := u32(); v != spawnVersion {
		return nil, EINVAL
	}
	s := &SpawnSpec{Flags: SpawnFlag(u32()), Pgid: int32(u32()), PPID: int32(u32()), Umask: int32(u32()), Ignored: SignalSet(u64())}
	s.Path, s.Dir = str(), str()
	for _, l := range [2]*[]string{&s.Args, &s.Env} {
		n := u32()
		if bad || uint64(n)*4 > uint64(len(b)) {
			return nil, EINVAL
		}
		if n > SpawnMaxStrings {
			return nil, E2BIG
		}
		*l = make([]string, 0, n)
		for range n {
			*l = append(*l, str())
		}
	}
	n := u32()
	if bad || uint64(n)*8 > uint64(len(b)) {
		return nil, EINVAL
	}
	if n > SpawnMaxActions {
		return nil, E2BIG
	}
	for range n {
		s.Actions = append(s.Actions, FDAction{FD: int32(u32()), Src: int32(u32())})
	}
	if bad || len(b) != 0 || s.Flags&^spawnFlagAll != 0 {
		return nil, EINVAL
	}
	return s, nil
}

// WaitFlag modifies a wait.
type WaitFlag uint32

// Wait flags, with the values of Linux.
const (
	WNOHANG    WaitFlag = 1
	WUNTRACED  WaitFlag = 2
	WCONTINUED WaitFlag = 8
)

// WaitResult is what proc_wait stores: the child, its status and the
// resources it used. PID is 0 where WNOHANG found nothing.
type WaitResult struct {
	PID          int32
	Status       WaitStatus
	Utime, Stime int64 // nanoseconds
	Maxrss       int64 // bytes of linear memory
	Limit        Limit // the limit that ended it, or 0
}

// WaitResultSize is the size in bytes of the encoded WaitResult.
const WaitResultSize = 40

// Put writes the record into b.
func (r *WaitResult) Put(b []byte) {
	le := binary.LittleEndian
	_ = b[WaitResultSize-1]
	le.PutUint32(b[0:], uint32(r.PID))
	le.PutUint32(b[4:], uint32(r.Status))
	le.PutUint64(b[8:], uint64(r.Utime))
	le.PutUint64(b[16:], uint64(r.Stime))
	le.PutUint64(b[24:], uint64(r.Maxrss))
	le.PutUint64(b[32:], uint64(r.Limit))
}

// Parse reads a record written by Put.
func (r *WaitResult) Parse(b []byte) {
	le := binary.LittleEndian
	_ = b[WaitResultSize-1]
	r.PID = int32(le.Uint32(b[0:]))
	r.Status = WaitStatus(le.Uint32(b[4:]))
	r.Utime = int64(le.Uint64(b[8:]))
	r.Stime = int64(le.Uint64(b[16:]))
	r.Maxrss = int64(le.Uint64(b[24:]))
	r.Limit = Limit(le.Uint64(b[32:]))
}
