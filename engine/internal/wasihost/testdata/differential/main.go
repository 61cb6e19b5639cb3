// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

// Command differential prints what the operating system answers, for comparing
// hosts: package os and what lies below it, used as ordinary Go programs do. Its
// working directory is "/". With the argument "tick" it reads its standard input
// while a timer runs.
package main

import (
	"bufio"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sort"
	"strings"
	"sync"
	"syscall"
	"time"
)

func errText(err error) string {
	var e syscall.Errno
	if errors.As(err, &e) {
		return e.Error()
	}
	if err == nil {
		return "ok"
	}
	return err.Error()
}

func show(what string, v ...any) {
	fmt.Print(what, ":")
	for _, x := range v {
		if err, ok := x.(error); ok || x == nil {
			fmt.Print(" ", errText(err))
			continue
		}
		fmt.Printf(" %v", x)
	}
	fmt.Println()
}

// tick reads standard input, which is a pipe, and lets a timer tick meanwhile:
// Go's runtime makes the pipe non-blocking and polls.
func tick() {
	done := make(chan []byte)
	go func() {
		b, err := io.ReadAll(os.Stdin)
		if err != nil {
			show("read", err)
		}
		done <- b
	}()
	for t := time.NewTicker(time.Millisecond); ; {
		select {
		case <-t.C:
			os.Stderr.WriteString("tick\n")
		case b := <-done:
			fmt.Printf("read %q\n", b)
			return
		}
	}
}

func main() {
	if len(os.Args) > 1 && os.Args[1] == "tick" {
		tick()
		return
	}
	fmt.Printf("args %q\nenv %q\n", os.Args, os.Environ())
	wd, err := os.Getwd()
	show("getwd", wd, err)
	in, err := io.ReadAll(os.Stdin)
	fmt.Printf("stdin %q %v\n", in, err)

	files()
	directories()
	links()
	errorsOf()
	concurrent()

	start := time.Now()
	time.Sleep(3 * time.Millisecond)
	show("slept", time.Since(start) >= 3*time.Millisecond, time.Now().Year() >= 2020)
	a, b := make([]byte, 64), make([]byte, 64)
	rand.Read(a)
	rand.Read(b)
	show("random", string(a) != string(b))
	fmt.Fprintln(os.Stderr, "to standard error")
	os.Exit(42)
}

func stat(name string) {
	st, err := os.Lstat(name)
	if err != nil {
		show("lstat "+name, err)
		return
	}
	size := st.Size()
	if !st.Mode().IsRegular() {
		size = -1
	}
	show("lstat "+name, st.Mode().Type(), size, st.Name())
}

func files() {
	f, err := os.Create("file")
	show("create", err)
	n, err := f.Write([]byte("hello, world\n"))
	show("write", n, err)
	off, err := f.Seek(-6, io.SeekEnd)
	show("seek", off, err)
	b := make([]byte, 20)
	n, err = f.Read(b)
	show("read", n, err, string(b[:n]))
	n, err = f.Read(b)
	show("read end", n, err)
	n, err = f.ReadAt(b[:5], 7)
	show("readat", n, err, string(b[:n]))
	n, err = f.WriteAt([]byte("HELLO"), 0)
	show("writeat", n, err)
	_, err = f.Seek(-100, io.SeekStart)
	show("seek below 0", err)
	off, err = f.Seek(5, io.SeekCurrent)
	show("seek past the end", off, err)
	n, err = f.Write([]byte("!"))
	show("write past the end", n, err)
	show("truncate", f.Truncate(40))
	st, err := f.Stat()
	show("stat", st.Size(), st.Mode().Type(), err)
	show("sync", f.Sync())
	show("close", f.Close())
	_, err = f.Write([]byte("x"))
	show("write closed", err != nil)
	c, err := os.ReadFile("file")
	fmt.Printf("content %q %v\n", c, err)

	f, err = os.OpenFile("file", os.O_APPEND|os.O_WRONLY, 0)
	show("open to append", err)
	f.WriteString("appended")
	_, err = f.Read(b)
	show("read write-only", err != nil)
	f.Close()
	f, err = os.Open("file")
	show("open to read", err)
	_, err = f.Write(b)
	show("write read-only", err != nil)
	f.Close()
	_, err = os.OpenFile("file", os.O_CREATE|os.O_EXCL|os.O_RDWR, 0o644)
	show("exclusive", err)
	f, err = os.OpenFile("file", os.O_TRUNC|os.O_RDWR, 0o644)
	show("truncating", err)
	st, _ = f.Stat()
	show("truncated", st.Size())
	f.Close()
	when := time.Unix(1234567890, 123456789)
	show("chtimes", os.Chtimes("file", when, when))
	st, err = os.Stat("file")
	show("mtime", st.ModTime().UnixNano(), err)

	big := strings.Repeat("0123456789abcdef", 1<<16)
	show("write big", os.WriteFile("big", []byte(big), 0o644))
	c, err = os.ReadFile("big")
	show("read big", string(c) == big, err)
	f, _ = os.Open("big")
	s := bufio.NewScanner(f)
	s.Buffer(make([]byte, 1<<16), 1<<21)
	show("scan", s.Scan(), len(s.Bytes()), s.Err())
	f.Close()
}

func names(l []fs.DirEntry) (n []string) {
	for _, e := range l {
		n = append(n, e.Name()+e.Type().String())
	}
	sort.Strings(n)
	return n
}

func directories() {
	show("mkdir", os.Mkdir("dir", 0o755))
	show("mkdir again", os.Mkdir("dir", 0o755))
	show("mkdirall", os.MkdirAll("dir/a/b/c", 0o755))
	show("mkdir without parent", os.Mkdir("none/x", 0o755))
	show("write", os.WriteFile("dir/f1", []byte("1"), 0o644))
	for i := range 300 {
		os.WriteFile(fmt.Sprintf("dir/a/entry-%03d", i), nil, 0o644)
	}
	l, err := os.ReadDir("dir")
	show("readdir", names(l), err)
	l, err = os.ReadDir("dir/a")
	show("readdir many", len(l), err)
	d, err := os.Open("dir/a")
	show("open directory", err)
	got := map[string]bool{}
	for {
		l, err := d.ReadDir(7)
		for _, e := range l {
			got[e.Name()] = true
		}
		if err != nil {
			show("readdir by 7", len(got), err)
			break
		}
	}
	_, err = d.Read(make([]byte, 1))
	show("read directory", err != nil)
	d.Close()
	var walked []string
	filepath.WalkDir("dir", func(p string, e fs.DirEntry, err error) error {
		if err != nil || len(walked) < 8 {
			walked = append(walked, p)
		}
		return err
	})
	show("walk", walked)
	show("rename", os.Rename("dir/f1", "dir/f2"))
	show("rename missing", os.Rename("dir/f1", "dir/f2"))
	show("rename directory", os.Rename("dir/a/b", "dir/moved"))
	stat("dir/moved")
	show("remove directory", os.Remove("dir/moved/c"))
	show("remove not empty", os.Remove("dir") != nil)
	show("chdir", os.Chdir("dir"))
	wd, _ := os.Getwd()
	show("getwd", wd)
	stat("f2")
	stat("../file")
	show("chdir back", os.Chdir(".."))
	show("removeall", os.RemoveAll("dir/a"))
	stat("dir/a")
	st, err := os.Stat("/")
	show("stat root", st.IsDir(), err)
}

func links() {
	show("symlink", os.Symlink("file", "soft"))
	t, err := os.Readlink("soft")
	show("readlink", t, err)
	stat("soft")
	st, err := os.Stat("soft")
	show("stat follows", st.Mode().Type(), err)
	_, err = os.Readlink("file")
	show("readlink of a file", err)
	show("symlink dangling", os.Symlink("nowhere", "dangling"))
	_, err = os.Stat("dangling")
	show("stat dangling", err)
	show("link", os.Link("file", "hard"))
	a, _ := os.Stat("file")
	b, err := os.Stat("hard")
	show("samefile", os.SameFile(a, b), err)
	show("link exists", os.Link("file", "hard"))
	show("remove link", os.Remove("soft"))
	show("remove hard", os.Remove("hard"))
	show("remove dangling", os.Remove("dangling"))
	show("loop", os.Symlink("loop", "loop"))
	_, err = os.Stat("loop")
	show("stat loop", err)
	os.Remove("loop")
}

func errorsOf() {
	_, err := os.Open("missing")
	show("open missing", err, errors.Is(err, fs.ErrNotExist))
	_, err = os.Open("file/x")
	show("open below a file", err)
	_, err = os.Open("")
	show("open empty", err)
	_, err = os.OpenFile("dir", os.O_WRONLY, 0)
	show("open directory to write", err)
	show("remove missing", os.Remove("missing"))
	_, err = os.Stat("missing/../file")
	show("dot-dot behind nothing", err)
	_, err = os.Open(strings.Repeat("x", 300))
	show("long name", err != nil)
	show("rmdir file", syscall.Rmdir("file"))
	show("unlink directory", syscall.Unlink("dir"))
	f, _ := os.Open("file")
	fd := int(f.Fd())
	show("close", syscall.Close(fd))
	show("close again", syscall.Close(fd))
}

func concurrent() {
	var wg sync.WaitGroup
	for i := range 8 {
		wg.Add(1)
		go func() {
			defer wg.Done()
			name := fmt.Sprintf("c%d", i)
			for k := range 20 {
				os.WriteFile(name, []byte(strings.Repeat("x", k)), 0o644)
				time.Sleep(time.Microsecond)
			}
		}()
	}
	wg.Wait()
	total := 0
	for i := range 8 {
		b, _ := os.ReadFile(fmt.Sprintf("c%d", i))
		total += len(b)
	}
	show("concurrent", total)
}
