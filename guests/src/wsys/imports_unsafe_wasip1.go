// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package wsys

import "unsafe"

// The raw imports. abi.ExtFuncs is their list; a test holds the two together.

//go:wasmimport wsandbox_v0 proc_args
//go:noescape
func xProcArgs(a unsafe.Pointer, b int32, c unsafe.Pointer) int32

//go:wasmimport wsandbox_v0 proc_environ
//go:noescape
func xProcEnviron(a unsafe.Pointer, b int32, c unsafe.Pointer) int32

//go:wasmimport wsandbox_v0 proc_getcwd
//go:noescape
func xProcGetcwd(a unsafe.Pointer, b int32, c unsafe.Pointer) int32

//go:wasmimport wsandbox_v0 proc_chdir
//go:noescape
func xProcChdir(a unsafe.Pointer, b int32) int32

//go:wasmimport wsandbox_v0 proc_fchdir
//go:noescape
func xProcFchdir(a int32) int32

//go:wasmimport wsandbox_v0 proc_umask
//go:noescape
func xProcUmask(a int32, b unsafe.Pointer) int32

//go:wasmimport wsandbox_v0 proc_info
//go:noescape
func xProcInfo(a int32, b unsafe.Pointer) int32

//go:wasmimport wsandbox_v0 proc_spawn
//go:noescape
func xProcSpawn(a unsafe.Pointer, b int32, c unsafe.Pointer) int32

//go:wasmimport wsandbox_v0 proc_exec
//go:noescape
func xProcExec(a unsafe.Pointer, b int32) int32

//go:wasmimport wsandbox_v0 proc_wait
//go:noescape
func xProcWait(a int32, b int32, c int32, d unsafe.Pointer) int32

//go:wasmimport wsandbox_v0 proc_kill
//go:noescape
func xProcKill(a int32, b int32) int32

//go:wasmimport wsandbox_v0 proc_setpgid
//go:noescape
func xProcSetpgid(a int32, b int32) int32

//go:wasmimport wsandbox_v0 proc_setsid
//go:noescape
func xProcSetsid(a unsafe.Pointer) int32

//go:wasmimport wsandbox_v0 proc_shadow
//go:noescape
func xProcShadow(a int32, b int32, c int32, d unsafe.Pointer) int32

//go:wasmimport wsandbox_v0 proc_shadow_status
//go:noescape
func xProcShadowStatus(a int32, b int32) int32

//go:wasmimport wsandbox_v0 proc_times
//go:noescape
func xProcTimes(a unsafe.Pointer) int32

//go:wasmimport wsandbox_v0 proc_exit_signal
//go:noescape
func xProcExitSignal(a int32) int32

//go:wasmimport wsandbox_v0 sig_flag
//go:noescape
func xSigFlag(a unsafe.Pointer) int32

//go:wasmimport wsandbox_v0 sig_action
//go:noescape
func xSigAction(a int32, b int32) int32

//go:wasmimport wsandbox_v0 sig_pending
//go:noescape
func xSigPending(a int32, b unsafe.Pointer) int32

//go:wasmimport wsandbox_v0 sys_hostname
//go:noescape
func xSysHostname(a unsafe.Pointer, b int32, c unsafe.Pointer) int32

//go:wasmimport wsandbox_v0 sys_getrlimit
//go:noescape
func xSysGetrlimit(a int32, b unsafe.Pointer) int32

//go:wasmimport wsandbox_v0 sys_setrlimit
//go:noescape
func xSysSetrlimit(a int32, b int64, c int64) int32

//go:wasmimport wsandbox_v0 poll
//go:noescape
func xPoll(a unsafe.Pointer, b int32, c int64, d unsafe.Pointer) int32

//go:wasmimport wsandbox_v0 fd_read
//go:noescape
func xFdRead(a int32, b unsafe.Pointer, c int32, d int32, e unsafe.Pointer) int32

//go:wasmimport wsandbox_v0 fd_write
//go:noescape
func xFdWrite(a int32, b unsafe.Pointer, c int32, d int32, e unsafe.Pointer) int32

//go:wasmimport wsandbox_v0 fd_info
//go:noescape
func xFdInfo(a int32, b unsafe.Pointer) int32

//go:wasmimport wsandbox_v0 fd_setfl
//go:noescape
func xFdSetfl(a int32, b int32) int32

//go:wasmimport wsandbox_v0 fd_pipe
//go:noescape
func xFdPipe(a int32, b unsafe.Pointer) int32

//go:wasmimport wsandbox_v0 fd_dup
//go:noescape
func xFdDup(a int32, b int32, c int32, d unsafe.Pointer) int32

//go:wasmimport wsandbox_v0 fd_dup_to
//go:noescape
func xFdDupTo(a int32, b int32, c int32) int32

//go:wasmimport wsandbox_v0 fd_cloexec
//go:noescape
func xFdCloexec(a int32, b int32) int32

//go:wasmimport wsandbox_v0 fd_stat
//go:noescape
func xFdStat(a int32, b unsafe.Pointer) int32

//go:wasmimport wsandbox_v0 fd_chmod
//go:noescape
func xFdChmod(a int32, b int32) int32

//go:wasmimport wsandbox_v0 fd_chown
//go:noescape
func xFdChown(a int32, b int32, c int32) int32

//go:wasmimport wsandbox_v0 fd_utimes
//go:noescape
func xFdUtimes(a int32, b int64, c int64) int32

//go:wasmimport wsandbox_v0 fd_dir_read
//go:noescape
func xFdDirRead(a int32, b unsafe.Pointer, c int32, d int64, e int32, f unsafe.Pointer) int32

//go:wasmimport wsandbox_v0 fd_splice
//go:noescape
func xFdSplice(a int32, b int32, c int64, d unsafe.Pointer) int32

//go:wasmimport wsandbox_v0 fd_statfs
//go:noescape
func xFdStatfs(a int32, b unsafe.Pointer) int32

//go:wasmimport wsandbox_v0 path_open
//go:noescape
func xPathOpen(a int32, b unsafe.Pointer, c int32, d int32, e int32, f unsafe.Pointer) int32

//go:wasmimport wsandbox_v0 path_stat
//go:noescape
func xPathStat(a int32, b unsafe.Pointer, c int32, d int32, e unsafe.Pointer) int32

//go:wasmimport wsandbox_v0 path_access
//go:noescape
func xPathAccess(a int32, b unsafe.Pointer, c int32, d int32) int32

//go:wasmimport wsandbox_v0 path_mkdir
//go:noescape
func xPathMkdir(a int32, b unsafe.Pointer, c int32, d int32) int32

//go:wasmimport wsandbox_v0 path_mkfifo
//go:noescape
func xPathMkfifo(a int32, b unsafe.Pointer, c int32, d int32) int32

//go:wasmimport wsandbox_v0 path_unlink
//go:noescape
func xPathUnlink(a int32, b unsafe.Pointer, c int32) int32

//go:wasmimport wsandbox_v0 path_rmdir
//go:noescape
func xPathRmdir(a int32, b unsafe.Pointer, c int32) int32

//go:wasmimport wsandbox_v0 path_rename
//go:noescape
func xPathRename(a int32, b unsafe.Pointer, c int32, d int32, e unsafe.Pointer, f int32) int32

//go:wasmimport wsandbox_v0 path_link
//go:noescape
func xPathLink(a int32, b unsafe.Pointer, c int32, d int32, e unsafe.Pointer, f int32, g int32) int32

//go:wasmimport wsandbox_v0 path_symlink
//go:noescape
func xPathSymlink(a unsafe.Pointer, b int32, c int32, d unsafe.Pointer, e int32) int32

//go:wasmimport wsandbox_v0 path_readlink
//go:noescape
func xPathReadlink(a int32, b unsafe.Pointer, c int32, d unsafe.Pointer, e int32, f unsafe.Pointer) int32

//go:wasmimport wsandbox_v0 path_chmod
//go:noescape
func xPathChmod(a int32, b unsafe.Pointer, c int32, d int32, e int32) int32

//go:wasmimport wsandbox_v0 path_chown
//go:noescape
func xPathChown(a int32, b unsafe.Pointer, c int32, d int32, e int32, f int32) int32

//go:wasmimport wsandbox_v0 path_utimes
//go:noescape
func xPathUtimes(a int32, b unsafe.Pointer, c int32, d int32, e int64, f int64) int32

//go:wasmimport wsandbox_v0 path_statfs
//go:noescape
func xPathStatfs(a int32, b unsafe.Pointer, c int32, d unsafe.Pointer) int32

//go:wasmimport wsandbox_v0 path_realpath
//go:noescape
func xPathRealpath(a int32, b unsafe.Pointer, c int32, d unsafe.Pointer, e int32, f unsafe.Pointer) int32

//go:wasmimport wsandbox_v0 tty_getattr
//go:noescape
func xTtyGetattr(a int32, b unsafe.Pointer) int32

//go:wasmimport wsandbox_v0 tty_setattr
//go:noescape
func xTtySetattr(a int32, b int32, c unsafe.Pointer) int32

//go:wasmimport wsandbox_v0 tty_getwinsize
//go:noescape
func xTtyGetwinsize(a int32, b unsafe.Pointer) int32

//go:wasmimport wsandbox_v0 tty_setwinsize
//go:noescape
func xTtySetwinsize(a int32, b unsafe.Pointer) int32

//go:wasmimport wsandbox_v0 tty_getpgrp
//go:noescape
func xTtyGetpgrp(a int32, b unsafe.Pointer) int32

//go:wasmimport wsandbox_v0 tty_setpgrp
//go:noescape
func xTtySetpgrp(a int32, b int32) int32

//go:wasmimport wsandbox_v0 accel_index
//go:noescape
func xAccelIndex(a unsafe.Pointer, b int32, c unsafe.Pointer, d int32, e unsafe.Pointer) int32

//go:wasmimport wsandbox_v0 accel_index_byte
//go:noescape
func xAccelIndexByte(a unsafe.Pointer, b int32, c int32, d unsafe.Pointer) int32

//go:wasmimport wsandbox_v0 accel_count_byte
//go:noescape
func xAccelCountByte(a unsafe.Pointer, b int32, c int32, d unsafe.Pointer) int32

//go:wasmimport wsandbox_v0 accel_positions
//go:noescape
func xAccelPositions(a unsafe.Pointer, b int32, c int32, d int32, e unsafe.Pointer, f int32, g unsafe.Pointer) int32

//go:wasmimport wsandbox_v0 accel_find
//go:noescape
func xAccelFind(a unsafe.Pointer, b int32, c unsafe.Pointer, d int32, e int32, f int32, g unsafe.Pointer, h int32, i unsafe.Pointer) int32

//go:wasmimport wsandbox_v0 accel_split
//go:noescape
func xAccelSplit(a unsafe.Pointer, b int32, c int32, d int32, e int32, f unsafe.Pointer, g int32, h unsafe.Pointer) int32

//go:wasmimport wsandbox_v0 accel_utf8
//go:noescape
func xAccelUtf8(a unsafe.Pointer, b int32, c unsafe.Pointer) int32

//go:wasmimport wsandbox_v0 accel_runs
//go:noescape
func xAccelRuns(a unsafe.Pointer, b int32, c unsafe.Pointer, d unsafe.Pointer, e unsafe.Pointer) int32

//go:wasmimport wsandbox_v0 accel_translate
//go:noescape
func xAccelTranslate(a unsafe.Pointer, b int32, c unsafe.Pointer, d unsafe.Pointer, e unsafe.Pointer) int32

//go:wasmimport wsandbox_v0 accel_gather
//go:noescape
func xAccelGather(a unsafe.Pointer, b int32, c unsafe.Pointer, d int32, e unsafe.Pointer, f int32, g unsafe.Pointer, h int32, i unsafe.Pointer) int32

//go:wasmimport wsandbox_v0 accel_dfa
//go:noescape
func xAccelDfa(a unsafe.Pointer) int32

//go:wasmimport wsandbox_v0 accel_hash
//go:noescape
func xAccelHash(a int32, b unsafe.Pointer, c unsafe.Pointer, d int32, e int32) int32
