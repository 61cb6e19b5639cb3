// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package abi

// ExtModule is the import module of the extension. The number changes when a
// signature does.
const ExtModule = "wsandbox_v0"

// AtCwd in place of a directory descriptor means the caller's working
// directory, for the path functions of the extension.
//
// POSIX: AT_FDCWD.
const AtCwd int32 = -1

// Flags of the extension's fd_read and fd_write.
const (
	// IONonblock makes one call return EAGAIN instead of waiting, whatever
	// the status flags of the description.
	IONonblock uint32 = 1
)

// Bits in the word that sig_flag registers.
const (
	SigFlagSignal uint32 = 1 // a handled signal is pending for the process or a shadow
	SigFlagChild  uint32 = 2 // a child changed state
)

// Modes of path_access, which may be combined; 0 asks for existence.
//
// POSIX: access().
const (
	AccessExec  uint32 = 1
	AccessWrite uint32 = 2
	AccessRead  uint32 = 4
)

// Modes of accel_find.
const (
	FindAll   uint32 = iota // the offset of every occurrence that does not overlap the one before
	FindOnce                // the offset of the first occurrence in each line
	FindLines               // start and end, without its delimiter, of each line with an occurrence
)

// AccelFold, with a mode of accel_find or accel_dfa, means that the needle is in
// lower case and stands for all cases of its ASCII letters.
const AccelFold uint32 = 1 << 8

// Bits in an entry of accel_translate's table, above the byte.
const (
	TranslateDrop    uint16 = 1 << 8 // leave the byte out
	TranslateSqueeze uint16 = 1 << 9 // leave it out where it equals the one before
)

// GatherAlt in the offset of a piece of accel_gather means the second source.
const GatherAlt uint32 = 1 << 31

// Modes of accel_dfa.
const (
	DFAFirst       uint32 = iota // stop at the first match
	DFALongest                   // go on until nothing more can match, keep the last match
	DFALines                     // store the bounds of every line with a match
	DFAMatches                   // store the bounds of the longest match at each place where there is one
	DFAMatchesOnce               // the same, but only the first of each line
)

// Bits in the flags of accel_dfa's states. A transition to a state with any of
// them is the negated number of the state.
const (
	DFAMatched uint32 = 1 << iota // a match ended before the symbol that led here
	DFADead                       // nothing matches any more
	DFAStart                      // no match is under way: what comes next begins with the needle
)

// Why accel_dfa returned.
const (
	DFAEnd     uint32 = iota // the text is at its end
	DFAUnknown               // the transition for the symbol at Pos is not known
	DFAMatch                 // DFAFirst: a match ends at Pos
	DFADone                  // nothing matches any more
	DFAFull                  // no room for another line or match
	DFACostly                // DFAMatches: reading ahead in vain takes more time than searching in another way
)

// DFASize is the size in bytes of what accel_dfa works on: nine pointers of 64
// bits whose high half is zero, then numbers of 32 bits.
//
//	  0 trans    8 wide   16 classes  24 low  32 class  40 flags  48 text  56 needle  64 out
//	 72 states: how many there are
//	 76 columns: entries in a row of wide
//	 80 multi: the class of bytes that begin a symbol of several
//	 84 intervals: entries of low and of class
//	 88 textLen
//	 92 needleLen
//	 96 outCap: numbers out has room for
//	100 mode
//	104 eol: the byte that ends a line
//	108 start: the state at the start of a line (DFALines, DFAMatches) or where the needle begins
//	112 pos     in and out: position of the next symbol
//	116 state   in and out. DFALines: 0 between lines
//	120 last    in and out: DFALongest: end of the last match, or -1
//	124 n       out: how many numbers stand in out
//	128 reason  out
//	132 inner: DFAMatches: the state where a match may begin within a line
//
// A state's number is 256 times its index; the first one is not used. wide has a
// row of columns entries for each state: what a symbol of that class leads to,
// 0 where that is not known, negative as said above. trans has a row of 256
// entries for each state: the same by byte, 0 where it is to be looked up in
// wide; what is found there is filled in. flags has a byte for each state.
//
// DFAMatches takes an automaton that does not search: it begins at each position
// from pos on, and behind a match at its end, or one symbol further if it is
// empty. Where it stops for a symbol at pos, unknown or behind the end, last is
// where the attempt began that needs it.
//
// classes has the class of each byte. Where that is multi, the class is class[i]
// for the last i with low[i] <= code point; a byte b that is no part of UTF-8
// counts as code point 0x110000+b.
const DFASize = 136

// Hash kinds of accel_hash.
const (
	HashSHA256 uint32 = iota
	HashMD5
	HashSHA1
	HashSHA512
	HashCRC32 // IEEE, reflected
)

// ProcInfo is what proc_info stores, little endian: 32-bit words in this order,
// then the set of signals, of 64 bits.
type ProcInfo struct {
	PID, PPID, Pgid, Sid int32
	UID, GID, EUID, EGID uint32
	Ignored              SignalSet // signals the process ignores
	Inherited            uint64    // descriptors 0 to 63 that are open and not closed on exec, of the caller only
}

// ProcInfoSize is the size in bytes of the encoded ProcInfo.
const ProcInfoSize = 48

// FDInfo is what fd_info stores.
type FDInfo struct {
	Mode    Mode     // type bits
	Flags   OpenFlag // access mode and status flags
	Cloexec bool
	TTY     bool
}

// FDInfoSize is the size in bytes of the encoded FDInfo: mode u32, flags u32,
// close-on-exec u8, terminal u8, two bytes of padding.
const FDInfoSize = 12

// ExtFunc describes one function of the extension module: its name and the
// types of its parameters ('i' i32, 'I' i64, 'p' an i32 that is a pointer). Every function returns an i32
// errno unless it never returns.
type ExtFunc struct{ Name, Params string }

// ExtFuncs lists the functions of the extension module. Functions that return text take (buf, cap, len*): where cap is too
// small they store the needed length and return ERANGE. A path is (ptr, len).
var ExtFuncs = [...]ExtFunc{
	// Process.
	{"proc_args", "pip"},         // buf, cap, len*: arguments, each ended by NUL
	{"proc_environ", "pip"},      // buf, cap, len*
	{"proc_getcwd", "pip"},       // buf, cap, len*
	{"proc_chdir", "pi"},         // path
	{"proc_fchdir", "i"},         // fd
	{"proc_umask", "ip"},         // mask (-1: only ask), old*
	{"proc_info", "ip"},          // pid (0: the caller), ProcInfo*
	{"proc_spawn", "pip"},        // SpawnSpec, len, pid*
	{"proc_exec", "pi"},          // SpawnSpec, len; returns only on failure
	{"proc_wait", "iiip"},        // parent (0: the caller, or a shadow), which, WaitFlag, WaitResult*
	{"proc_kill", "ii"},          // pid, signal (0: test)
	{"proc_setpgid", "ii"},       // pid, pgid
	{"proc_setsid", "p"},         // sid*
	{"proc_shadow", "iiip"},      // parent (0: the caller, or a shadow), pgid (-1: inherit, 0: new), SpawnFlag, pid*
	{"proc_shadow_status", "ii"}, // pid (0: the caller, which runs its shadows on), WaitStatus
	{"proc_times", "p"},          // utime, stime, children's utime, stime; i64 ns each
	{"proc_exit_signal", "i"},    // end the caller as if by the signal's default action; does not return
	{"sig_flag", "p"},            // u32*: word that the host sets SigFlag bits in; 0 unregisters
	{"sig_action", "ii"},         // signal, SigAction
	{"sig_pending", "ip"},        // pid (0: the caller, or a shadow), SignalSet*: taken and cleared
	{"sys_hostname", "pip"},      // buf, cap, len*
	{"sys_getrlimit", "ip"},      // Resource, {soft, hard u64}*
	{"sys_setrlimit", "iII"},     // Resource, soft, hard: only lower
	{"poll", "piIp"},             // PollFD*, n, timeout ns (-1: none), ready*; EINTR on a handled signal
	// Descriptors.
	{"fd_read", "ipiip"},      // fd, buf, len, flags, n*
	{"fd_write", "ipiip"},     // fd, buf, len, flags, n*
	{"fd_info", "ip"},         // fd, FDInfo*
	{"fd_setfl", "ii"},        // fd, OpenFlag (OAppend, ONonblock, OSync)
	{"fd_pipe", "ip"},         // OpenFlag (OCloexec, ONonblock), {read, write i32}*
	{"fd_dup", "iiip"},        // fd, lowest, OpenFlag (OCloexec), new*
	{"fd_dup_to", "iii"},      // fd, to, OpenFlag (OCloexec)
	{"fd_cloexec", "ii"},      // fd, on
	{"fd_stat", "ip"},         // fd, Stat*
	{"fd_chmod", "ii"},        // fd, mode
	{"fd_chown", "iii"},       // fd, uid, gid (-1: keep)
	{"fd_utimes", "iII"},      // fd, atime ns, mtime ns (UtimeNow, UtimeOmit)
	{"fd_dir_read", "ipiIip"}, // fd, buf, cap, cookie, flags, used*
	{"fd_splice", "iiIp"},     // in, out, at most, n i64*: copies inside the host
	{"fd_statfs", "ip"},       // fd, Statfs*
	// Paths.
	{"path_open", "ipiiip"},     // dirfd, path, OpenFlag, mode, fd*
	{"path_stat", "ipiip"},      // dirfd, path, Lookupflags, Stat*
	{"path_access", "ipii"},     // dirfd, path, mode
	{"path_mkdir", "ipii"},      // dirfd, path, mode
	{"path_mkfifo", "ipii"},     // dirfd, path, mode
	{"path_unlink", "ipi"},      // dirfd, path
	{"path_rmdir", "ipi"},       // dirfd, path
	{"path_rename", "ipiipi"},   // dirfd, path, dirfd, path
	{"path_link", "ipiipii"},    // dirfd, path, dirfd, path, Lookupflags
	{"path_symlink", "piipi"},   // target, dirfd, path
	{"path_readlink", "ipipip"}, // dirfd, path, buf, cap, len*
	{"path_chmod", "ipiii"},     // dirfd, path, Lookupflags, mode
	{"path_chown", "ipiiii"},    // dirfd, path, Lookupflags, uid, gid
	{"path_utimes", "ipiiII"},   // dirfd, path, Lookupflags, atime ns, mtime ns
	{"path_statfs", "ipip"},     // dirfd, path, Statfs*
	{"path_realpath", "ipipip"}, // dirfd, path, buf, cap, len*: absolute, without links
	// Terminals.
	{"tty_getattr", "ip"},    // fd, Termios*
	{"tty_setattr", "iip"},   // fd, when, Termios*
	{"tty_getwinsize", "ip"}, // fd, {rows, cols, xpixel, ypixel u16}*
	{"tty_setwinsize", "ip"}, // fd, likewise
	{"tty_getpgrp", "ip"},    // fd, pgid*
	{"tty_setpgrp", "ii"},    // fd, pgid
	// Accelerators: bytes in, bytes out.
	{"accel_index", "pipip"},       // haystack, len, needle, len, offset* (-1: absent)
	{"accel_index_byte", "piip"},   // haystack, len, byte, offset*
	{"accel_count_byte", "piip"},   // haystack, len, byte, n*
	{"accel_positions", "piiipip"}, // text, len, byte, byte, out u32*, room, n*: offsets of bytes that are either
	{"accel_find", "pipiiipip"},    // text, len, needle, len, Find mode, line delimiter, out u32*, room, n*: n is how many numbers are stored, fewer than fit only at the end
	{"accel_split", "piiiipip"},    // text, len, field delimiter, line delimiter, k, out u32*, room, n*: for each whole line its first k delimiters and its end, which also stands for those it lacks
	{"accel_utf8", "pip"},          // text, len, n*: how many bytes at the start are valid UTF-8
	{"accel_runs", "pippp"},        // text, len, set of 256 bytes, in u32* (in and out: the byte before is in the set), n*: runs of bytes that are in the set
	{"accel_translate", "pippp"},   // text, len, table of 256 u16, previous byte i32* (in and out, -1: none), new length*: in place
	{"accel_gather", "pipipipip"},  // source, len, second source, len, {offset, length u32}*, pieces, to, room, n*: copies pieces; ERANGE where the room is too small, EINVAL for a piece out of bounds
	{"accel_dfa", "p"},             // DFASize bytes
	{"accel_hash", "ippii"},        // kind, state (HashStateSize bytes, zero at first), data, len, final (1: the digest replaces the state)
}

// HashStateSize is the size in bytes of accel_hash's state. An all-zero state
// starts a new hash; the final digest stands at its beginning.
const HashStateSize = 256

// Special times of fd_utimes and path_utimes.
const (
	UtimeNow  int64 = -1 << 63
	UtimeOmit int64 = -1<<63 + 1
)
