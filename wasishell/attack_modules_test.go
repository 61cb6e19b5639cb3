// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package wasishell_test

import (
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/wasishell"
)

// startSection is a module with a start function and _start.
func startSection(body ...[]byte) []byte {
	return wasmModule(
		section(1, functype("", "")),
		section(3, uleb(0), uleb(0)),
		section(5, concat([]byte{0}, uleb(1))),
		section(7, export("memory", 2, 0), export("_start", 0, 0)),
		concat([]byte{8}, sized(uleb(1))),
		section(10, code(""), code("", body...)),
	)
}

// TestAttackModules is M of the list: what is no module, or a hostile one, gives
// a clean error, and the sandbox goes on.
func TestAttackModules(t *testing.T) {
	good := command(1, "")
	huge := uleb(1<<32 - 1)
	for _, c := range []struct {
		name string
		wasm []byte
		code int
		says string // "": no message
	}{
		{"good", good, 0, ""},
		{"empty file", nil, 0, ""}, // an empty script
		{"magic only", []byte("\x00asm"), 126, "cannot execute binary file"},
		{"another version", []byte("\x00asm\x02\x00\x00\x00"), 126, "cannot execute binary file"},
		{"component", []byte("\x00asm\x0d\x00\x01\x00"), 126, "cannot execute binary file"},
		{"no sections", wasmModule(), 126, "_start"},
		{"no start", wasmModule(section(1, functype("", "")), section(3, uleb(0)), section(5, concat([]byte{0}, uleb(1))), section(10, code(""))), 126, "_start"},
		{"no memory", wasmModule(section(1, functype("", "")), section(3, uleb(0)), section(7, export("_start", 0, 0)), section(10, code(""))), -1, ""},
		{"cut off", good[:len(good)-3], 126, "module"},
		{"garbage behind", concat(good, []byte("garbage")), 126, "module"},
		{"section of 4 GB", concat(wasmModule(), []byte{1}, huge), 126, "module"},
		{"4 G types", concat(wasmModule(), []byte{1}, sized(huge)), 126, "module"},
		{"4 G functions", wasmModule(section(1, functype("", "")), concat([]byte{3}, sized(huge))), 126, "module"},
		{"4 G locals", wasmModule(section(1, functype("", "")), section(3, uleb(0)), section(5, concat([]byte{0}, uleb(1))), section(7, export("memory", 2, 0), export("_start", 0, 0)),
			section(10, sized(concat(vec(concat(huge, []byte{0x7e})), []byte{0x0b})))), 126, "module"},
		{"many locals", wasmModule(section(1, functype("", "")), section(3, uleb(0)), section(5, concat([]byte{0}, uleb(1))), section(7, export("memory", 2, 0), export("_start", 0, 0)),
			section(10, sized(concat(vec(concat(uleb(49000), []byte{0x7e})), []byte{0x0b})))), -1, ""},
		{"4 GB of memory", command(65536, ""), 137, "out of memory"},
		{"more than 4 GB of memory", command(65537, ""), 126, "module"},
		{"huge table", wasmModule(section(1, functype("", "")), section(3, uleb(0)), section(4, concat([]byte{0x70, 0}, huge)), section(5, concat([]byte{0}, uleb(1))),
			section(7, export("memory", 2, 0), export("_start", 0, 0)), section(10, code(""))), 126, "table"},
		{"data out of bounds", wasmModule(section(1, functype("", "")), section(3, uleb(0)), section(5, concat([]byte{0}, uleb(1))),
			section(7, export("memory", 2, 0), export("_start", 0, 0)), section(10, code("")),
			section(11, concat([]byte{0}, i32c(65535), []byte{0x0b}, sized([]byte("xx"))))), -1, ""},
		{"data far out of bounds", wasmModule(section(1, functype("", "")), section(3, uleb(0)), section(5, concat([]byte{0}, uleb(1))),
			section(7, export("memory", 2, 0), export("_start", 0, 0)), section(10, code("")),
			section(11, concat([]byte{0}, i32c(-1), []byte{0x0b}, sized([]byte("xx"))))), -1, ""},
		{"import that there is not", wasmModule(section(1, functype("", "")), section(2, importFunc("env", "system", 0)), section(3, uleb(0)), section(5, concat([]byte{0}, uleb(1))),
			section(7, export("memory", 2, 0), export("_start", 0, 1)), section(10, code(""))), 126, "env"},
		{"function that there is not", wasmModule(section(1, functype("", "")), section(2, importFunc("wasi_snapshot_preview1", "sock_connect", 0)), section(3, uleb(0)), section(5, concat([]byte{0}, uleb(1))),
			section(7, export("memory", 2, 0), export("_start", 0, 1)), section(10, code(""))), 126, "sock_connect"},
		{"import of another type", wasmModule(section(1, functype("", ""), functype("II", "I")), section(2, importFunc("wasi_snapshot_preview1", "fd_close", 1)), section(3, uleb(0)), section(5, concat([]byte{0}, uleb(1))),
			section(7, export("memory", 2, 0), export("_start", 0, 1)), section(10, code(""))), 126, "fd_close"},
		{"import of yield", wasmModule(section(1, functype("", "")), section(2, importFunc("wsandbox_v0", "yield", 0)), section(3, uleb(0)), section(5, concat([]byte{0}, uleb(1))),
			section(7, export("memory", 2, 0), export("_start", 0, 1)), section(10, code(""))), 126, "yield"},
		{"export of the countdown", wasmModule(section(1, functype("", "")), section(3, uleb(0)), section(5, concat([]byte{0}, uleb(1))), section(6, concat([]byte{0x7e, 1, 0x42, 0, 0x0b})),
			section(7, export("memory", 2, 0), export("_start", 0, 0), export("wsandbox_countdown", 3, 0)), section(10, code(""))), 126, "wsandbox_countdown"},
		{"start function that loops", startSection(op(0x03, 0x40, 0x0c, 0, 0x0b)), 124, ""},
		{"start function that traps", startSection(op(0x00)), 128 + 4, "unreachable"},
		{"unreachable", command(1, "", op(0x00)), 128 + 4, "unreachable"},
		{"division by zero", command(1, "", i32c(1), i32c(0), op(0x6d, 0x1a)), 128 + 8, "divide by zero"},
		{"overflow", command(1, "", i32c(-1<<31), i32c(-1), op(0x6d, 0x1a)), 128 + 8, "overflow"},
		{"load out of bounds", command(1, "", i32c(-4), op(0x28, 0), uleb(1<<32-1), op(0x1a)), 128 + 11, "out of bounds"},
		{"fill out of bounds", command(1, "", i32c(-4), i32c(0), i32c(-1), op(0xfc, 11, 0)), 128 + 11, "out of bounds"},
		{"recursion", wasmRecurse(), 128 + 11, "stack overflow"},
		{"not valid", command(1, "", op(0x6a)), 126, "module"},
		{"deep blocks", command(1, "", []byte(strings.Repeat("\x02\x40", 50000)), []byte(strings.Repeat("\x0b", 50000))), -1, ""},
		{"shared memory", wasmModule(section(1, functype("", "")), section(3, uleb(0)), section(5, concat([]byte{3}, uleb(1), uleb(2))),
			section(7, export("memory", 2, 0), export("_start", 0, 0)), section(10, code(""))), 126, "module"},
		{"two memories", wasmModule(section(1, functype("", "")), section(3, uleb(0)), section(5, concat([]byte{0}, uleb(1)), concat([]byte{0}, uleb(1))),
			section(7, export("memory", 2, 0), export("_start", 0, 0)), section(10, code(""))), 126, "module"},
		{"export names that are hostile", wasmModule(section(1, functype("", "")), section(3, uleb(0)), section(5, concat([]byte{0}, uleb(1))),
			section(7, export("memory", 2, 0), export("_start", 0, 0), export("\x1b]0;x\x07\n../../\xff", 0, 0)), section(10, code(""))), -1, ""},
	} {
		t.Run("M "+c.name, func(t *testing.T) {
			g := newTarget(t, func(c *wasishell.Config) { c.Limits.Memory = 512 * mb })
			require.NoError(t, os.WriteFile(g.host("ws/m.wasm"), c.wasm, 0o755))
			wait := "30"
			if c.code == 124 {
				wait = "0.3" // it does not end
			}
			o := g.sh(`timeout "$1" ./m.wasm; echo $?; ./m.wasm < /dev/null | cat & kill -9 $! 2> /dev/null; wait; (timeout -s KILL 0.2 ./m.wasm) > /dev/null 2>&1; exit 0`, wait)
			text := o.out
			if c.code >= 0 {
				require.Contains(t, text, itoa(c.code)+"\n")
			}
			require.Contains(t, text, c.says)
			require.NotContains(t, text, "goroutine")
			require.NotContains(t, text, "\x1b")
			require.NotContains(t, text, ".go:")
			g.serves()
		})
	}
}

// numbers are values that break careless arithmetic.
func numbers(r *rand.Rand) uint64 {
	switch r.IntN(4) {
	case 0:
		return uint64(r.IntN(300))
	case 1:
		return [...]uint64{
			0, 1, 2, 3, 4, 5, 7, 8, 63, 64, 1023, 1024, 1025, 4095, 4096, 1 << 20, 1<<31 - 1, 1 << 31, 1<<31 + 1, 1<<32 - 1, 1 << 32, 1<<63 - 1, 1 << 63, 1<<64 - 1, 1<<64 - 2, 1<<64 - 100,
		}[r.IntN(26)]
	case 2:
		return r.Uint64()
	}
	return uint64(remoteMemory - 16 + r.IntN(20))
}

// TestAttackHostFunctions is M of the list: any call of any host function gives a
// result, and never a fault of the host. The pointers lead anywhere but to the
// remote's own variables.
func TestAttackHostFunctions(t *testing.T) {
	// These block, end the process, or take away what the test lives on, and
	// have cases of their own.
	skip := map[string]bool{
		"wasi_snapshot_preview1.poll_oneoff": true, "wsandbox_v0.poll": true,
		"wasi_snapshot_preview1.proc_exit": true, "wasi_snapshot_preview1.proc_raise": true, "wsandbox_v0.proc_exit_signal": true,
		"wsandbox_v0.proc_exec": true, "wsandbox_v0.proc_kill": true, "wsandbox_v0.sys_setrlimit": true, "wsandbox_v0.proc_wait": true,
		"wsandbox_v0.yield": true,
	}
	rounds := 150
	if testing.Short() {
		rounds = 20
	}
	g := newTarget(t)
	r := g.remote()
	rnd := rand.New(rand.NewPCG(1, 2))
	fds := []uint64{2, 3, 4, 5, 6, 7, 8, 9, 10, 40, 1<<32 - 1, 1 << 31, 1<<31 - 1, 1023, 1024, 1 << 20}
	results := map[abi.Errno]int{}
	for i, f := range hostFuncs() {
		if skip[f.module+"."+f.name] {
			continue
		}
		for range rounds {
			// Something to work on, as it may have been closed.
			if rnd.IntN(8) == 0 {
				r.open([...]string{"file", "dir", "../tmp", "../dev/null", "../proc/self", "../dev/zero", "../etc/passwd"}[rnd.IntN(7)], rnd.Uint64()&1, 0, rightRead, 0)
				r.poke(atPath, [][]byte{[]byte("file"), []byte("../../outside/secret"), {0xff, 0, '/'}, []byte("dir/../file\x00")}[rnd.IntN(4)])
				r.poke(atVector, le(atData, numbers(rnd), numbers(rnd), numbers(rnd), atData, 1<<32-1, 1<<32-4, 8))
			}
			args := make([]uint64, len(f.params))
			for k, c := range f.params {
				switch {
				case c == 'p' && rnd.IntN(2) == 0:
					args[k] = [...]uint64{atPath, atVector, atResult, atData, remoteMemory - 4, remoteMemory - 1, remoteMemory, 1<<32 - 1, 1<<32 - 4, 1 << 31}[rnd.IntN(10)]
				case c == 'p':
					args[k] = max(numbers(rnd), remoteFree) // the low ones are the remote's
					if uint32(args[k]) < remoteFree {
						args[k] = remoteFree
					}
				case k == 0 || strings.Contains(f.name, "renumber") || strings.Contains(f.name, "dup_to") || f.name == "fd_splice" && k == 1 || (f.name == "path_rename" || f.name == "path_link") && c == 'i' && rnd.IntN(2) == 0:
					args[k] = fds[rnd.IntN(len(fds))]
				default:
					args[k] = numbers(rnd)
				}
			}
			if f.params != "" && f.params[0] == 'p' && rnd.IntN(2) == 0 {
				args[0] = atPath
			}
			e, err := r.try(strings.TrimPrefix(strings.Replace(f.module, "wsandbox_v0", "ext", 1)+"."+f.name, "wasi_snapshot_preview1."), args...)
			if err != nil {
				t.Fatalf("function %d %s(%#x) ended the process: %v", i, f.name, args, r.sess.Wait())
			}
			results[e]++
		}
	}
	least := 500
	if testing.Short() {
		least = 100 // of a fifth of the calls
	}
	require.Greater(t, results[0], least, "successes")
	require.Greater(t, results[abi.EFAULT], 500, "bad pointers")
	require.Greater(t, results[abi.EBADF], 500, "bad descriptors")
	g.serves()
}

// TestAttackCalls is M of the list by single calls.
func TestAttackCalls(t *testing.T) {
	g := newTarget(t)
	r := g.remote()
	fd, e := r.open("file", 0, 0, rightRead|rightSeek, 0)
	require.Zero(t, e)
	dir, e := r.open("dir", 0, oflagDir, rightRead|1<<14, 0)
	require.Zero(t, e)
	const m1, top = 1<<32 - 1, 1 << 31
	p, n := r.path(atPath, "x")
	for _, c := range []struct {
		name string
		got  abi.Errno
		want []abi.Errno
	}{
		{"renumber to -1", r.call("fd_renumber", fd, m1), []abi.Errno{abi.EBADF}},
		{"renumber from -1", r.call("fd_renumber", m1, fd), []abi.Errno{abi.EBADF}},
		{"renumber to 2^31", r.call("fd_renumber", fd, top), []abi.Errno{abi.EBADF}},
		{"renumber from 2^31", r.call("fd_renumber", top, fd), []abi.Errno{abi.EBADF}},
		{"renumber to itself", r.call("fd_renumber", fd, fd), []abi.Errno{0}},
		{"dup to 2^31", r.call("ext.fd_dup_to", fd, top, 0), []abi.Errno{abi.EBADF}},
		{"dup to -1", r.call("ext.fd_dup_to", fd, m1, 0), []abi.Errno{abi.EBADF}},
		{"dup above the limit", r.call("ext.fd_dup_to", fd, 1024, 0), []abi.Errno{abi.EBADF, abi.EMFILE}},
		{"dup from the limit on", r.call("ext.fd_dup", fd, 1024, 0, atResult), []abi.Errno{abi.EINVAL, abi.EMFILE}},
		{"close -1", r.call("fd_close", m1), []abi.Errno{abi.EBADF}},
		{"close 2^31", r.call("fd_close", top), []abi.Errno{abi.EBADF}},
		{"readdir of a file", r.call("fd_readdir", fd, atData, 4096, 0, atResult), []abi.Errno{abi.ENOTDIR}},
		{"readdir with an odd cookie", r.call("fd_readdir", dir, atData, 4096, 1<<63, atResult), []abi.Errno{0, abi.EINVAL, abi.ENOENT}},
		{"readdir with the last cookie", r.call("fd_readdir", dir, atData, 4096, 1<<64-1, atResult), []abi.Errno{0, abi.EINVAL, abi.ENOENT}},
		{"readdir of no room", r.call("fd_readdir", dir, atData, 0, 0, atResult), []abi.Errno{0}},
		{"readdir of too much room", r.call("fd_readdir", dir, atData, m1, 0, atResult), []abi.Errno{abi.EFAULT}},
		{"paths at a file", r.call("path_open", fd, 0, p, n, 0, rightRead, 0, 0, atResult), []abi.Errno{abi.ENOTDIR, abi.ENOTCAPABLE}},
		{"a directory at a file", r.call("path_create_directory", fd, p, n), []abi.Errno{abi.ENOTDIR, abi.ENOTCAPABLE}},
		{"unlink at a file", r.call("path_unlink_file", fd, p, n), []abi.Errno{abi.ENOTDIR, abi.ENOTCAPABLE}},
		{"rename at a file", r.call("path_rename", fd, p, n, fd, p, n), []abi.Errno{abi.ENOTDIR, abi.ENOTCAPABLE}},
		{"stat at a file", r.call("path_filestat_get", fd, 0, p, n, atResult), []abi.Errno{abi.ENOTDIR, abi.ENOTCAPABLE}},
		{"paths at a pipe", r.call("path_open", 0, 0, p, n, 0, rightRead, 0, 0, atResult), []abi.Errno{abi.ENOTDIR, abi.ENOTCAPABLE}},
		{"path out of memory", r.call("path_open", preopenCwd, 0, remoteMemory-2, 10, 0, rightRead, 0, 0, atResult), []abi.Errno{abi.EFAULT}},
		{"path of 4 GB", r.call("path_open", preopenCwd, 0, 0, m1, 0, rightRead, 0, 0, atResult), []abi.Errno{abi.EFAULT, abi.ENAMETOOLONG}},
		{"path that wraps around", r.call("path_open", preopenCwd, 0, m1-4, 100, 0, rightRead, 0, 0, atResult), []abi.Errno{abi.EFAULT, abi.ENAMETOOLONG}},
		{"result out of memory", r.call("path_open", preopenCwd, 0, p, n, 0, rightRead, 0, 0, m1-1), []abi.Errno{abi.EFAULT, abi.ENOENT}},
		{"random of 4 GB", r.call("random_get", 0, m1), []abi.Errno{abi.EFAULT}},
		{"read into what is not there", r.call("ext.fd_read", fd, remoteMemory-4, 8, 0, atResult), []abi.Errno{abi.EFAULT}},
		{"seek before the start", r.call("fd_seek", fd, 1<<64-100, 0, atResult), []abi.Errno{abi.EINVAL}},
		{"seek past the end of numbers", r.call("fd_seek", fd, 1<<63-1, 2, atResult), []abi.Errno{abi.EINVAL, abi.EOVERFLOW}},
		{"seek by an unknown rule", r.call("fd_seek", fd, 0, 77, atResult), []abi.Errno{abi.EINVAL}},
		{"pread at 2^63", r.call("fd_pread", fd, atVector, 0, 1<<63, atResult), []abi.Errno{0, abi.EINVAL}},
		{"an unknown clock", r.call("clock_time_get", 99, 0, atResult), []abi.Errno{abi.EINVAL}},
		{"set times of now and given", r.call("path_filestat_set_times", preopenCwd, 0, p, n, 0, 0, 3), []abi.Errno{abi.EINVAL}},
		{"unknown open flags", r.call("path_open", preopenCwd, 0, p, n, 0xffff, rightRead, 0, 0, atResult), []abi.Errno{abi.EINVAL}},
		{"unknown descriptor flags", r.call("fd_fdstat_set_flags", 2, 0xffff), []abi.Errno{abi.EINVAL, abi.ENOTCAPABLE}},
		{"raise an unknown signal", r.call("proc_raise", 200), []abi.Errno{abi.EINVAL}},
		{"kill init", r.call("ext.proc_kill", 1, 9), []abi.Errno{abi.EPERM}},
		{"kill nobody", r.call("ext.proc_kill", 12345, 9), []abi.Errno{abi.ESRCH}},
		{"kill an unknown group", r.call("ext.proc_kill", 1<<32-12345, 9), []abi.Errno{abi.ESRCH}},
		{"kill with an unknown signal", r.call("ext.proc_kill", 0, 1000), []abi.Errno{abi.EINVAL}},
		{"wait without children", r.call("ext.proc_wait", 0, m1, 0, atResult), []abi.Errno{abi.ECHILD}},
		{"wait for a stranger", r.call("ext.proc_wait", 1, m1, 0, atResult), []abi.Errno{abi.ESRCH}},
		{"shadow of a stranger", r.call("ext.proc_shadow", 1, 0, 0, atResult), []abi.Errno{abi.ESRCH}},
		{"status of a stranger", r.call("ext.proc_shadow_status", 1, 0), []abi.Errno{abi.ESRCH}},
		{"group of a stranger", r.call("ext.proc_setpgid", 1, 1), []abi.Errno{abi.ESRCH, abi.EPERM}},
		{"raise a limit", r.call("ext.sys_setrlimit", 7, 1<<20, 1<<20), []abi.Errno{abi.EPERM}},
		{"a limit that is none", r.call("ext.sys_setrlimit", 1000, 1, 1), []abi.Errno{abi.EINVAL}},
		{"spawn garbage", r.call("ext.proc_spawn", atData, 4096, atResult), []abi.Errno{abi.EINVAL, abi.EFAULT, abi.ENOENT, abi.E2BIG}},
		{"spawn 4 GB", r.call("ext.proc_spawn", 0, m1, atResult), []abi.Errno{abi.EFAULT, abi.E2BIG}},
		{"exec garbage", r.call("ext.proc_exec", atData, 64), []abi.Errno{abi.EINVAL, abi.EFAULT, abi.ENOENT}},
		{"sockets", r.call("sock_send", 2, atVector, 1, 0, atResult), []abi.Errno{abi.ENOTSOCK, abi.EINVAL, abi.ENOTCAPABLE}},
		{"accept", r.call("sock_accept", 3, 0, atResult), []abi.Errno{abi.ENOTSOCK, abi.EBADF, abi.ENOTCAPABLE}},
	} {
		require.Contains(t, c.want, c.got, c.name)
	}

	// Vectors: too many, overlapping, wrapping around, adding up to more than
	// there is.
	r.poke(atVector, le(atData, 8, atData+4, 8, atData, 0, 0, 0))
	require.Zero(t, r.call("fd_pread", fd, atVector, 4, 0, atResult), "overlapping and empty")
	r.poke(atVector, le(atData, m1, atData, m1))
	require.Equal(t, abi.EFAULT, r.call("fd_pread", fd, atVector, 2, 0, atResult), "4 GB each")
	r.poke(atVector, le(m1-3, 8))
	require.Equal(t, abi.EFAULT, r.call("fd_pread", fd, atVector, 1, 0, atResult), "wrapping around")
	require.Contains(t, []abi.Errno{abi.EFAULT, abi.EINVAL}, r.call("fd_pread", fd, atVector, m1, 0, atResult), "4 G vectors")
	require.Contains(t, []abi.Errno{abi.EFAULT, abi.EINVAL}, r.call("fd_write", 2, atData, 1<<29, atResult), "vectors that overflow")
	require.Contains(t, []abi.Errno{0, abi.EINVAL}, r.call("fd_write", 2, atData, 1025, atResult), "more than IOV_MAX, empty")

	// poll_oneoff.
	require.Equal(t, abi.EINVAL, r.call("poll_oneoff", atData, atData, 0, atResult), "no subscriptions")
	require.Contains(t, []abi.Errno{abi.EFAULT, abi.EINVAL, abi.ENOMEM}, r.call("poll_oneoff", atData, atData, 1<<20, atResult), "2^20")
	require.Contains(t, []abi.Errno{abi.EFAULT, abi.EINVAL, abi.ENOMEM}, r.call("poll_oneoff", atData, atData, m1, atResult), "4 G")
	require.Contains(t, []abi.Errno{abi.EFAULT, abi.EINVAL, abi.ENOMEM}, r.call("poll_oneoff", m1-47, atData, 2, atResult), "wrapping around")
	require.Contains(t, []abi.Errno{abi.EFAULT, abi.EINVAL}, r.call("ext.poll", atData, m1, 0, atResult), "poll of 4 G")
	require.Contains(t, []abi.Errno{abi.EFAULT, abi.EINVAL}, r.call("ext.poll", atData, 1<<20, 0, atResult), "poll of 2^20")
	require.Zero(t, r.call("ext.poll", atData, 0, 0, atResult), "poll of none, without waiting")
	g.serves()
}

// TestAttackForeign runs hostile programs of real tool chains.
func TestAttackForeign(t *testing.T) {
	const cProgram = `
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
int main(int argc, char **argv) {
	if (argc > 1 && !strcmp(argv[1], "alloc")) {
		for (;;) {
			char *volatile p = malloc(1 << 20);
			if (!p) { puts("no memory"); return 3; }
			memset(p, 1, 1 << 20);
		}
	}
	const char *names[] = {"../outside/secret", "/outside/secret", "/../outside/secret", "dir/../../outside/secret", "rel", "abs", "dirl/secret", "/proc/self/root/outside/secret"};
	for (int i = 0; i < sizeof names / sizeof *names; i++) {
		char b[100];
		struct stat st;
		int fd = open(names[i], O_RDONLY);
		if (fd >= 0) { printf("%s: read %zd\n", names[i], read(fd, b, sizeof b)); close(fd); }
		if ((fd = open(names[i], O_WRONLY | O_CREAT | O_TRUNC, 0666)) >= 0) { printf("%s: written\n", names[i]); close(fd); }
		if (!stat(names[i], &st)) printf("%s: described\n", names[i]);
		if (!unlink(names[i]) && i < 4) printf("%s: removed\n", names[i]);
	}
	symlink("../outside/secret", "made");
	if (open("made", O_RDONLY) >= 0 || open("made", O_WRONLY | O_CREAT, 0666) >= 0) puts("made: opened");
	puts("end");
	return 0;
}`
	const rustProgram = `
use std::fs;
fn main() {
	for p in ["../outside/secret", "/outside/secret", "rel", "abs", "dirl/secret", "dirl/../secret"] {
		if fs::read(p).is_ok() { println!("{p}: read") }
		if fs::write(p, "evil").is_ok() { println!("{p}: written") }
		if fs::metadata(p).is_ok() { println!("{p}: described") }
		if fs::read_dir(p).is_ok() { println!("{p}: listed") }
		// The C library takes an absolute path that is new for a relative one.
		if !p.starts_with("/") && fs::create_dir_all(p).is_ok() { println!("{p}: made") }
		if fs::copy("file", p).is_ok() { println!("{p}: copied") }
		if fs::hard_link("file", p).is_ok() { println!("{p}: linked") }
		if fs::remove_dir_all(p).is_ok() && !["rel", "abs"].contains(&p) { println!("{p}: removed") }
	}
	if std::env::args().nth(1).is_some() { let mut v: Vec<u8> = vec![1]; loop { let w = v.clone(); v.extend(w); } }
	println!("end");
}`
	const goProgram = `
package main

import (
	"fmt"
	"os"
)

func main() {
	for _, p := range []string{"../outside/secret", "/outside/secret", "rel", "abs", "dirl/secret"} {
		if _, err := os.ReadFile(p); err == nil {
			fmt.Println(p, "read")
		}
		if err := os.WriteFile(p, []byte("evil"), 0o666); err == nil {
			fmt.Println(p, "written")
		}
		if _, err := os.ReadDir(p); err == nil {
			fmt.Println(p, "listed")
		}
		if err := os.MkdirAll(p, 0o777); err == nil {
			fmt.Println(p, "made")
		}
		if err := os.Truncate(p, 0); err == nil {
			fmt.Println(p, "truncated")
		}
	}
	if len(os.Args) > 1 {
		b := []byte{1}
		for {
			b = append(b, b...)
		}
	}
	fmt.Println("end")
}`
	dir := t.TempDir()
	for _, c := range []struct {
		name, file, source string
		builds             [][]string // the first that works
		code               int        // of running out of memory; -1: any
	}{
		{"C", "p.c", cProgram, [][]string{{"clang", "--target=wasm32-wasi", "-O1", "-o", "p-c.wasm", "p.c"}}, 3},
		{"Rust", "p.rs", rustProgram, [][]string{
			{"rustc", "--target", "wasm32-wasip1", "-O", "-o", "p-rust.wasm", "p.rs"},
			{"/usr/bin/rustc", "--target", "wasm32-wasi", "-O", "-o", "p-rust.wasm", "p.rs"},
		}, 128 + 4},
		{"Go", "p.go", goProgram, [][]string{{"go", "build", "-trimpath", "-buildvcs=false", "-ldflags=-s -w", "-o", "p-go.wasm", "p.go"}}, -1},
	} {
		t.Run(c.name, func(t *testing.T) {
			require.NoError(t, os.WriteFile(filepath.Join(dir, c.file), []byte(c.source), 0o644))
			if c.name == "Go" && raceDetector {
				t.Skip("too large to be compiled under the race detector")
			}
			var fault string
			for _, args := range c.builds {
				build := exec.Command(args[0], args[1:]...)
				build.Dir = dir
				build.Env = append(os.Environ(), "GOOS=wasip1", "GOARCH=wasm", "GOFLAGS=", "GOWORK=off", "GO111MODULE=off")
				out, err := build.CombinedOutput()
				if err == nil {
					fault = ""
					break
				}
				fault += fmt.Sprintf("%v: %v\n%.500s\n", args, err, out)
			}
			if fault != "" {
				t.Skip(fault)
			}
			name := "p-" + strings.ToLower(c.name) + ".wasm"
			wasm, err := os.ReadFile(filepath.Join(dir, name))
			require.NoError(t, err)
			g := newTarget(t, func(c *wasishell.Config) { c.Limits.Memory = tight })
			g.hostLink("../outside/secret", "rel")
			g.hostLink(g.host("outside/secret"), "abs")
			g.hostLink("../outside", "dirl")
			require.NoError(t, os.WriteFile(g.host("ws/p.wasm"), wasm, 0o755))
			o := g.run(g.sb.Command("./p.wasm"))
			require.Equal(t, "end\n", o.out)
			g.intact()
			o = g.run(g.sb.Command("./p.wasm", "alloc"))
			require.NotZero(t, o.code)
			if c.code >= 0 {
				require.Equal(t, c.code, o.code, "%.500s", o.out)
			}
			require.Equal(t, abi.LimitMemory, o.res.Limit)
			g.serves()
		})
	}
}
