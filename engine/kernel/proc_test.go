// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package kernel_test

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/engine/kernel"
)

// readFile reads a whole file.
func readFile(t *testing.T, p *kernel.Process, path string) string {
	t.Helper()
	fd, err := p.Open(abi.AtCwd, path, 0, 0)
	require.NoError(t, err, path)
	defer p.Close(fd)
	var b []byte
	buf := make([]byte, 100)
	for {
		n, err := p.Read(fd, buf, 0)
		require.NoError(t, err)
		if n == 0 {
			return string(b)
		}
		b = append(b, buf[:n]...)
	}
}

func names(t *testing.T, p *kernel.Process, path string) []string {
	t.Helper()
	fd, err := p.Open(abi.AtCwd, path, abi.ODirectory, 0)
	require.NoError(t, err)
	defer p.Close(fd)
	var out []string
	cookie := uint64(0)
	for {
		l, err := p.ReadDir(fd, nil, cookie, 3, false)
		require.NoError(t, err)
		if len(l) == 0 {
			return out
		}
		for _, d := range l {
			out = append(out, d.Name)
			cookie = d.Cookie
		}
	}
}

func TestProcOfProcess(t *testing.T) {
	e := newEnv(t, kernel.Limits{})
	e.ok(func(p *kernel.Process) {
		require.NoError(t, p.Mkdir(abi.AtCwd, "/w", 0o755))
		e.bin.set("child", blocks)
		s := spec("child", "a b", "")
		s.Env, s.Dir = []string{"X=1", "Y=2"}, "/w"
		s.Ignored = 1 << abi.SIGHUP
		pid, err := p.Spawn(s)
		require.NoError(t, err)
		dir := "/proc/" + strconv.Itoa(int(pid))
		require.Equal(t, "child\x00a b\x00\x00", readFile(t, p, dir+"/cmdline"))
		require.Equal(t, "X=1\x00Y=2\x00", readFile(t, p, dir+"/environ"))
		require.Equal(t, "child\n", readFile(t, p, dir+"/comm"))
		for name, want := range map[string]string{"cwd": "/w", "exe": "/bin/child", "root": "/"} {
			got, err := p.Readlink(abi.AtCwd, dir+"/"+name)
			require.NoError(t, err)
			require.Equal(t, want, got)
		}
		eventually(t, "the child sleeps", func() bool {
			return strings.Contains(readFile(t, p, dir+"/status"), "State:\tS (sleeping)\n")
		})
		st := readFile(t, p, dir+"/status")
		for _, want := range []string{
			"Name:\tchild\n", "\nPid:\t" + strconv.Itoa(int(pid)) + "\n", "\nPPid:\t" + strconv.Itoa(int(p.PID())) + "\n",
			"\nUid:\t1000\t1000\t1000\t1000\n", "\nSigIgn:\t0000000000000001\n", "\nUmask:\t0022\n",
		} {
			require.Contains(t, "\n"+st, want)
		}
		// Any wake-up, also one for nothing, shows as running for a moment.
		eventually(t, "stat shows the sleeping child", func() bool {
			f := strings.Fields(readFile(t, p, dir+"/stat"))
			require.Len(t, f, 52)
			return slices.Equal(f[:4], []string{strconv.Itoa(int(pid)), "(child)", "S", strconv.Itoa(int(p.PID()))})
		})
		require.Contains(t, readFile(t, p, dir+"/limits"), "Max open files            1024                 1024                 files")
		require.NoError(t, p.Kill(pid, abi.SIGKILL))
		eventually(t, "a zombie", func() bool {
			return strings.Contains(readFile(t, p, dir+"/status"), "State:\tZ (zombie)\n")
		})
		e.reap(p, pid)
		_, err = p.StatAt(abi.AtCwd, dir, true)
		require.Equal(t, abi.ENOENT, err)

		self, err := p.Readlink(abi.AtCwd, "/proc/self")
		require.NoError(t, err)
		require.Equal(t, strconv.Itoa(int(p.PID())), self)
		require.Equal(t, "main\n", readFile(t, p, "/proc/self/comm"))
		require.Equal(t, "main\n", readFile(t, p, "/proc/self/root/proc/self/comm"))
		require.Equal(t, "init\n", readFile(t, p, "/proc/1/comm"))
		require.Contains(t, readFile(t, p, "/proc/self/status"), "State:\tR (running)\n")

		// A shadow shows its owner's program.
		sh, err := p.Shadow(0, -1, 0)
		require.NoError(t, err)
		require.Equal(t, "main\n", readFile(t, p, "/proc/"+strconv.Itoa(int(sh))+"/comm"))
		require.Contains(t, readFile(t, p, "/proc/"+strconv.Itoa(int(sh))+"/status"), "\nPPid:\t"+self+"\n")
	})
}

func TestProcListing(t *testing.T) {
	e := newEnv(t, kernel.Limits{})
	e.ok(func(p *kernel.Process) {
		self := strconv.Itoa(int(p.PID()))
		require.Equal(t, []string{
			".", "..", "cpuinfo", "filesystems", "loadavg", "meminfo", "mounts", "self", "stat", "uptime", "version", "1", self,
		}, names(t, p, "/proc"))
		require.Equal(t, []string{
			".", "..", "cmdline", "comm", "cwd", "environ", "exe", "fd", "limits", "mounts", "root", "stat", "statm", "status",
		}, names(t, p, "/proc/self"))
		_, _, err := p.Pipe(0)
		require.NoError(t, err)
		require.Equal(t, []string{".", "..", "0", "1", "2"}, names(t, p, "/proc/self/fd"), "and the listing itself")

		// An entry present throughout is listed once although others go.
		fd, err := p.Open(abi.AtCwd, "/proc/self/fd", abi.ODirectory, 0)
		require.NoError(t, err)
		l, err := p.ReadDir(fd, nil, 0, 3, true)
		require.NoError(t, err)
		require.Equal(t, "0", l[2].Name)
		require.True(t, l[2].StatOK)
		require.True(t, l[2].Stat.Mode.IsSymlink())
		require.NoError(t, p.Close(0))
		l, err = p.ReadDir(fd, nil, l[2].Cookie, 9, false)
		require.NoError(t, err)
		require.Equal(t, "1", l[0].Name)
	})
}

func TestProcSystemFiles(t *testing.T) {
	e := newEnv(t, kernel.Limits{TotalMemory: 8 << 20})
	e.ok(func(p *kernel.Process) {
		require.True(t, p.GrowMemory(1<<20))
		require.Contains(t, readFile(t, p, "/proc/meminfo"), "MemTotal:           8192 kB\nMemFree:            7168 kB\n")
		require.Equal(t, "memory / memfs rw 0 0\nbin /bin binfs ro 0 0\ndev /dev devfs rw 0 0\nproc /proc proc ro 0 0\n", readFile(t, p, "/proc/mounts"))
		require.Equal(t, "nodev\tmemfs\nnodev\tbinfs\nnodev\tdevfs\nnodev\tproc\n", readFile(t, p, "/proc/filesystems"))
		require.Regexp(t, `^1\.00 1\.00 1\.00 1/2 \d+\n$`, readFile(t, p, "/proc/loadavg"))
		require.Regexp(t, `^\d+\.\d\d 0\.00\n$`, readFile(t, p, "/proc/uptime"))
		require.Contains(t, readFile(t, p, "/proc/stat"), "procs_running 1\n")
		require.Contains(t, readFile(t, p, "/proc/version"), "wsandbox")
		require.Contains(t, readFile(t, p, "/proc/cpuinfo"), "processor\t: 0\n")
	})
}

func TestProcErrors(t *testing.T) {
	e := newEnv(t, kernel.Limits{})
	e.ok(func(p *kernel.Process) {
		for _, tt := range []struct {
			path string
			flag abi.OpenFlag
			want error
		}{
			{"/proc/none", 0, abi.ENOENT},
			{"/proc/99999", 0, abi.ENOENT},
			{"/proc/01", 0, abi.ENOENT},
			{"/proc/-1", 0, abi.ENOENT},
			{"/proc/4294967297/comm", 0, abi.ENOENT},
			{"/proc/self/none", 0, abi.ENOENT},
			{"/proc/self/fd/77", 0, abi.ENOENT},
			{"/proc/self/fd/-1", 0, abi.ENOENT},
			{"/proc/self/comm/x", 0, abi.ENOTDIR},
			{"/proc/mounts/x", 0, abi.ENOTDIR},
			{"/proc/mounts", abi.OWronly, abi.EROFS},
			{"/proc/new", abi.OWronly | abi.OCreat, abi.EROFS},
			{"/proc/self", abi.OWronly, abi.EISDIR},
			{"/proc/self/environ", abi.ODirectory, abi.ENOTDIR},
			{"/proc/1/exe", 0, abi.ENOENT},
		} {
			_, err := p.Open(abi.AtCwd, tt.path, tt.flag, 0o600)
			require.Equal(t, tt.want, err, tt.path)
		}
		_, err := p.Readlink(abi.AtCwd, "/proc/mounts")
		require.Equal(t, abi.EINVAL, err)
	})
}

func TestProcFDReopens(t *testing.T) {
	e := newEnv(t, kernel.Limits{})
	e.ok(func(p *kernel.Process) {
		fd, err := p.Open(abi.AtCwd, "/file", abi.OCreat|abi.ORdwr, 0o600)
		require.NoError(t, err)
		_, err = p.Write(fd, []byte("hello"), 0)
		require.NoError(t, err)
		ro, err := p.Open(abi.AtCwd, "/file", 0, 0)
		require.NoError(t, err)
		link := "/proc/self/fd/" + strconv.Itoa(int(fd))
		target, err := p.Readlink(abi.AtCwd, link)
		require.NoError(t, err)
		require.Equal(t, "/file", target)

		// A regular file gets an offset of its own, also once it has no
		// name any more.
		require.NoError(t, p.Unlink(abi.AtCwd, "/file"))
		for _, path := range []string{link, "/dev/fd/" + strconv.Itoa(int(fd))} {
			require.Equal(t, "hello", readFile(t, p, path))
		}
		off, err := p.Tell(fd)
		require.NoError(t, err)
		require.Equal(t, int64(5), off)
		st, err := p.StatAt(abi.AtCwd, link, true)
		require.NoError(t, err)
		require.Equal(t, int64(5), st.Size)
		lst, err := p.StatAt(abi.AtCwd, link, false)
		require.NoError(t, err)
		require.Equal(t, abi.ModeSymlink|0o700, lst.Mode)

		// What is open for reading does not become writable.
		rolink := "/proc/self/fd/" + strconv.Itoa(int(ro))
		for _, flag := range []abi.OpenFlag{abi.OWronly, abi.ORdwr, abi.OTrunc} {
			_, err = p.Open(abi.AtCwd, rolink, flag, 0)
			require.Equal(t, abi.EACCES, err, "%v", flag)
		}
		n, err := p.Open(abi.AtCwd, link, abi.OWronly|abi.OTrunc|abi.OAppend, 0)
		require.NoError(t, err)
		_, err = p.Write(n, []byte("new"), 0)
		require.NoError(t, err)
		require.Equal(t, "new", readFile(t, p, rolink))

		// The file stays open as long as one description is.
		require.NoError(t, p.Close(fd))
		_, err = p.Write(n, []byte("er"), 0)
		require.NoError(t, err)
		require.NoError(t, p.Close(n))
		require.Equal(t, "newer", readFile(t, p, rolink))

		// A pipe's end is shared, and counts as an end.
		r, w, err := p.Pipe(0)
		require.NoError(t, err)
		wlink := "/proc/self/fd/" + strconv.Itoa(int(w))
		target, err = p.Readlink(abi.AtCwd, wlink)
		require.NoError(t, err)
		require.Regexp(t, `^pipe:\[\d+\]$`, target)
		st, err = p.StatAt(abi.AtCwd, wlink, true)
		require.NoError(t, err)
		require.Equal(t, abi.ModeFIFO, st.Mode&abi.ModeFmt)
		w2, err := p.Open(abi.AtCwd, wlink, abi.OWronly, 0)
		require.NoError(t, err)
		require.NoError(t, p.Close(w))
		_, err = p.Write(w2, []byte("x"), 0)
		require.NoError(t, err)
		_, err = p.Read(r, make([]byte, 9), 0)
		require.NoError(t, err)
		_, err = p.Read(r, make([]byte, 9), abi.IONonblock)
		require.Equal(t, abi.EAGAIN, err, "still a writer")
		require.NoError(t, p.Close(w2))
		k, err := p.Read(r, make([]byte, 9), 0)
		require.NoError(t, err)
		require.Zero(t, k)

		// A directory is one too.
		d, err := p.Open(abi.AtCwd, "/proc/self/cwd", abi.ODirectory, 0)
		require.NoError(t, err)
		d2, err := p.Open(abi.AtCwd, "/proc/self/fd/"+strconv.Itoa(int(d)), abi.ODirectory, 0)
		require.NoError(t, err)
		_, err = p.StatAt(d2, "proc", false)
		require.NoError(t, err)
	})
	require.Zero(t, e.k.OpenFiles())
}

func TestProcShowsNothingToStrangers(t *testing.T) {
	fs := kernel.NewProcFS()
	_, err := fs.Lstat("1")
	require.Equal(t, abi.ENOENT, err)
	_, err = fs.Open("self", 0, 0)
	require.Equal(t, abi.ENOENT, err)
	st, err := fs.Lstat(".")
	require.NoError(t, err)
	require.True(t, st.Mode.IsDir())

	// Nor does one sandbox see another.
	a, b := newEnv(t, kernel.Limits{}), newEnv(t, kernel.Limits{})
	for range 3 {
		b.start(blocks, kernel.StartOptions{})
	}
	a.ok(func(p *kernel.Process) {
		require.Equal(t, abi.ESRCH, p.Kill(4, 0))
		_, err := p.StatAt(abi.AtCwd, "/proc/4", true)
		require.Equal(t, abi.ENOENT, err)
	})
}
