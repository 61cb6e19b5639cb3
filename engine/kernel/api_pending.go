// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package kernel

import (
	"context"
	"errors"
	"io"
	"sync"
	"time"

	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/engine/vfs"
)

// PID is a process, group or session number.
type PID = int32

// ErrExiting is returned by system calls and Yield when the process must end.
var ErrExiting = errors.New("kernel: process is exiting")

// ErrClosed is returned by Kernel methods after Close.
var ErrClosed = errors.New("kernel: closed")

// Config configures a Kernel.
type Config struct {
	Runner    Runner    // required
	Namespace Namespace // required (*vfs.Namespace)
	Clock     Clock     // nil: SystemClock
	Rand      io.Reader // nil: crypto/rand
	Hostname  string    // "": "sandbox"
	Cred      *vfs.Cred // nil: uid 1000 gid 1000
	Limits    Limits
}

type StartOptions struct {
	Timeout     time.Duration // wall time of the whole job; 0: none
	KillOrphans bool          // end the rest of the job when its first process ends
	Terminal    Terminal      // controlling terminal of the new session, or nil
}

// Namespace is *vfs.Namespace (becomes a pointer type as soon as it exists).
type Namespace interface {
	Open(at vfs.At, path string, flag abi.OpenFlag, perm abi.Mode) (vfs.File, string, error)
}

type Kernel struct{}

func New(cfg Config) (*Kernel, error)                { return &Kernel{}, nil }
func (k *Kernel) Close() error                       { return nil }
func (k *Kernel) Limits() Limits                     { return Limits{} }
func (k *Kernel) Namespace() Namespace               { return nil }
func (k *Kernel) Clock() Clock                       { return nil }
func (k *Kernel) Kill(pid PID, sig abi.Signal) error { return abi.ENOSYS } // from the host; as kill(2) by init
func (k *Kernel) Process(pid PID) (*Process, bool)   { return nil, false }
func (k *Kernel) PIDs() []PID                        { return nil }

// Start starts a process as a child of init in a new session. It takes its own
// references to files; the caller closes its own with OpenFile.Close.
func (k *Kernel) Start(s *abi.SpawnSpec, files []*OpenFile, opt StartOptions) (*Process, error) {
	return nil, abi.ENOSYS
}

// Job is everything descended from one Start.
type Job struct{}

func (j *Job) Kill(sig abi.Signal)                   {} // to every process of the job, SIGKILL incl. shadows' owners
func (j *Job) KillLimit(sig abi.Signal, l abi.Limit) {}
func (j *Job) Done() <-chan struct{}                 { return nil } // closed when its last process has ended
func (j *Job) Reached() LimitSet                     { return 0 }   // limits any of its processes ran into

type Session struct{}

func (s *Session) ID() PID                         { return 0 }
func (s *Session) Foreground() PID                 { return 0 }
func (s *Session) SignalForeground(sig abi.Signal) {}
func (s *Session) Hangup()                         {}

type OpenFile struct{}

// NewFile makes a description of any vfs.File: path is canonical or a label.
func NewFile(f vfs.File, path string, flag abi.OpenFlag) *OpenFile { return nil }
func NewNullFile() *OpenFile                                       { return nil }
func NewReaderFile(r io.Reader) *OpenFile                          { return nil }
func NewWriterFile(w io.Writer) *OpenFile                          { return nil }
func (f *OpenFile) Close() error                                   { return nil }

// Collector is a bounded in-memory output.
type Collector struct{}

func NewCollector(max int) *Collector { return nil }
func (c *Collector) File() *OpenFile  { return nil }
func (c *Collector) Bytes() []byte    { return nil }
func (c *Collector) Total() int64     { return 0 }
func (c *Collector) Truncated() bool  { return false }

// PipeReader and PipeWriter are host ends of kernel pipes.
type PipeReader struct{}

func (r *PipeReader) Read(b []byte) (int, error)                             { return 0, nil }
func (r *PipeReader) ReadContext(ctx context.Context, b []byte) (int, error) { return 0, nil }
func (r *PipeReader) Close() error                                           { return nil }

type PipeWriter struct{}

func (w *PipeWriter) Write(b []byte) (int, error)                             { return 0, nil }
func (w *PipeWriter) WriteContext(ctx context.Context, b []byte) (int, error) { return 0, nil }
func (w *PipeWriter) Close() error                                            { return nil }

func NewInputPipe() (*OpenFile, *PipeWriter)  { return nil, nil } // the guest reads, the host writes
func NewOutputPipe() (*OpenFile, *PipeReader) { return nil, nil } // the guest writes, the host reads

// Process is a process.
type Process struct{ mu sync.Mutex }

// For everyone.
func (p *Process) PID() PID                    { return 0 }
func (p *Process) Job() *Job                   { return nil }
func (p *Process) Kernel() *Kernel             { return nil }
func (p *Process) Done() <-chan struct{}       { return nil }
func (p *Process) Result() abi.WaitResult      { return abi.WaitResult{} } // after Done
func (p *Process) Signal(sig abi.Signal) error { return nil }              // from the host

// For the running image only.
func (p *Process) Args() []string                      { return nil }
func (p *Process) Environ() []string                   { return nil }
func (p *Process) Path() string                        { return "" } // canonical path of the program file
func (p *Process) Getcwd() (string, error)             { return "", nil }
func (p *Process) Chdir(path string) error             { return nil }
func (p *Process) Fchdir(fd int32) error               { return nil }
func (p *Process) Umask(mask int32) (old uint32)       { return 0 } // -1 only asks
func (p *Process) Info(pid PID) (abi.ProcInfo, error)  { return abi.ProcInfo{}, nil }
func (p *Process) Spawn(s *abi.SpawnSpec) (PID, error) { return 0, nil }
func (p *Process) Exec(s *abi.SpawnSpec) error         { return nil } // nil: leave the guest
func (p *Process) Exit(st abi.WaitStatus)              {}             // then leave the guest
func (p *Process) ExitSignal(sig abi.Signal) error     { return nil } // always ErrExiting unless EINVAL
func (p *Process) Fault(sig abi.Signal, l abi.Limit)   {}             // a trap: dies by sig for limit l, whatever is handled
func (p *Process) Wait(parent, which PID, flags abi.WaitFlag) (abi.WaitResult, error) {
	return abi.WaitResult{}, nil
}
func (p *Process) Kill(pid PID, sig abi.Signal) error                        { return nil }
func (p *Process) Setpgid(pid, pgid PID) error                               { return nil }
func (p *Process) Setsid() (PID, error)                                      { return 0, nil }
func (p *Process) Shadow(parent, pgid PID, flags abi.SpawnFlag) (PID, error) { return 0, nil }
func (p *Process) ShadowStatus(pid PID, st abi.WaitStatus) error             { return nil }
func (p *Process) Times() (utime, stime, cutime, cstime int64)               { return }
func (p *Process) SigAction(sig abi.Signal, a abi.SigAction) error           { return nil }
func (p *Process) SigPending(pid PID) (abi.SignalSet, error)                 { return 0, nil }
func (p *Process) FlagBits() uint32                                          { return 0 } // taken and cleared; a few ns
func (p *Process) Hostname() string                                          { return "" }
func (p *Process) Getrlimit(r abi.Resource) (soft, hard uint64, err error)   { return }
func (p *Process) Setrlimit(r abi.Resource, soft, hard uint64) error         { return nil }
func (p *Process) Clock(id abi.ClockID) (int64, error)                   { return 0, nil }
func (p *Process) ClockRes(id abi.ClockID) (int64, error)                    { return 0, nil }
func (p *Process) Random(b []byte) error                                     { return nil }
func (p *Process) GrowMemory(delta int64) bool                               { return false }
func (p *Process) MemoryLimit() int64                                        { return 0 }
func (p *Process) Yield() error                                              { return nil }
func (p *Process) Poll(e []PollEntry, timeout time.Duration) (int, error)    { return 0, nil } // <0: for ever

// PollEntry is one entry of Poll. FD -1 is ignored, abi.PollChild waits for a waitable child.
type PollEntry struct {
	FD      int32
	Events  abi.PollEvents
	Revents abi.PollEvents
}

// Descriptors.
func (p *Process) Read(fd int32, b []byte, flags uint32) (int, error)         { return 0, nil }
func (p *Process) Write(fd int32, b []byte, flags uint32) (int, error)        { return 0, nil }
func (p *Process) Pread(fd int32, b []byte, off int64) (int, error)           { return 0, nil }
func (p *Process) Pwrite(fd int32, b []byte, off int64) (int, error)          { return 0, nil }
func (p *Process) Readv(fd int32, iov [][]byte) (int, error)                  { return 0, nil }
func (p *Process) Writev(fd int32, iov [][]byte) (int, error)                 { return 0, nil }
func (p *Process) FDInfo(fd int32) (abi.FDInfo, error)                        { return abi.FDInfo{}, nil }
func (p *Process) Setfl(fd int32, flags abi.OpenFlag) error                   { return nil }
func (p *Process) Pipe(flags abi.OpenFlag) (r, w int32, err error)            { return }
func (p *Process) Dup(fd, lowest int32, flags abi.OpenFlag) (int32, error)    { return 0, nil }
func (p *Process) DupTo(fd, to int32, flags abi.OpenFlag) error               { return nil }
func (p *Process) Renumber(fd, to int32) error                                { return nil }
func (p *Process) Cloexec(fd int32, on bool) error                            { return nil }
func (p *Process) Close(fd int32) error                                     { return nil }
func (p *Process) Rights(fd int32) (base, inheriting abi.Rights, err error)   { return }
func (p *Process) SetRights(fd int32, base, inheriting abi.Rights) error      { return nil } // only narrows: ENOTCAPABLE
func (p *Process) Preopen(fd int32) (Preopen, bool)                           { return Preopen{}, false }
func (p *Process) InstallPreopen(fd int32, dir string, pre Preopen) error     { return nil } // opens dir (absolute) at exactly fd
func (p *Process) Seek(fd int32, off int64, whence abi.Whence) (int64, error) { return 0, nil }
func (p *Process) Tell(fd int32) (int64, error)                               { return 0, nil }
func (p *Process) Stat(fd int32) (abi.Stat, error)                            { return abi.Stat{}, nil }
func (p *Process) Fchmod(fd int32, perm abi.Mode) error                       { return nil }
func (p *Process) Fchown(fd int32, uid, gid uint32) error                     { return nil }
func (p *Process) Futimes(fd int32, atim, mtim int64) error                   { return nil }
func (p *Process) Ftruncate(fd int32, size int64) error                       { return nil }
func (p *Process) Allocate(fd int32, off, n int64) error                      { return nil }
func (p *Process) Fsync(fd int32) error                                       { return nil }
func (p *Process) Fstatfs(fd int32) (abi.Statfs, error)                       { return abi.Statfs{}, nil }
func (p *Process) ReadDir(fd int32, dst []vfs.Dirent, cookie uint64, n int, stat bool) ([]vfs.Dirent, error) {
	return nil, nil
}
func (p *Process) Splice(in, out int32, limit int64) (int64, error) { return 0, nil }

// Preopen says that a descriptor is a preview 1 preopen.
type Preopen struct {
	GuestPath string
	Beneath   bool
}

// Paths. dirfd is a directory descriptor or abi.AtCwd.
func (p *Process) Open(dirfd int32, path string, flag abi.OpenFlag, perm abi.Mode) (int32, error) {
	return 0, nil
}
func (p *Process) StatAt(dirfd int32, path string, follow bool) (abi.Stat, error) {
	return abi.Stat{}, nil
}
func (p *Process) Access(dirfd int32, path string, mode uint32) error             { return nil }
func (p *Process) Mkdir(dirfd int32, path string, perm abi.Mode) error            { return nil }
func (p *Process) Mkfifo(dirfd int32, path string, perm abi.Mode) error           { return nil }
func (p *Process) Unlink(dirfd int32, path string) error                          { return nil }
func (p *Process) Rmdir(dirfd int32, path string) error                           { return nil }
func (p *Process) Rename(dirfd int32, from string, dirfd2 int32, to string) error { return nil }
func (p *Process) Link(dirfd int32, from string, dirfd2 int32, to string, follow bool) error {
	return nil
}
func (p *Process) Symlink(target string, dirfd int32, path string) error                { return nil }
func (p *Process) Readlink(dirfd int32, path string) (string, error)                    { return "", nil }
func (p *Process) Chmod(dirfd int32, path string, perm abi.Mode, follow bool) error     { return nil }
func (p *Process) Chown(dirfd int32, path string, uid, gid uint32, follow bool) error   { return nil }
func (p *Process) Utimes(dirfd int32, path string, atim, mtim int64, follow bool) error { return nil }
func (p *Process) StatfsAt(dirfd int32, path string) (abi.Statfs, error)                { return abi.Statfs{}, nil }
func (p *Process) Realpath(dirfd int32, path string) (string, error)                    { return "", nil }

// Terminals.
func (p *Process) TTYGetattr(fd int32, b []byte) error           { return abi.ENOTTY }
func (p *Process) TTYSetattr(fd int32, when int, b []byte) error { return abi.ENOTTY }
func (p *Process) TTYGetwinsize(fd int32) (Winsize, error)       { return Winsize{}, abi.ENOTTY }
func (p *Process) TTYSetwinsize(fd int32, ws Winsize) error      { return abi.ENOTTY }
func (p *Process) TTYGetpgrp(fd int32) (PID, error)              { return 0, abi.ENOTTY }
func (p *Process) TTYSetpgrp(fd int32, pgid PID) error           { return abi.ENOTTY }

// NewProcFS returns the file system for /proc.
func NewProcFS() vfs.FS { return nil }
