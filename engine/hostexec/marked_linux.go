// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package hostexec

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"strconv"

	"golang.org/x/sys/unix"
)

// A command that is in no Landlock domain is marked by a resource limit that
// takes nothing away: a CPU time of a real-time process, in microseconds, so
// large that it is none. Children inherit it, no program looks at it, an
// unprivileged one can only lower it, and /proc/PID/limits shows it to everyone.
const markBase = uint64(1) << 61

// mark marks a process and returns the mark, 0 where that cannot be had: the
// process may have ended, or run under a limit of its own.
func mark(pid int) uint64 {
	m := markBase | rand.Uint64N(markBase)
	if unix.Prlimit(pid, unix.RLIMIT_RTTIME, &unix.Rlimit{Cur: m, Max: m}, nil) != nil {
		return 0
	}
	return m
}

// killRounds bounds the search for processes that fork while they are looked
// for. Each round kills all that it has found.
const killRounds = 1000

// killMarked kills every process of a command that is in no domain: those in the
// session or group of root, those with its mark, and what descends from these,
// until only zombies are found.
func killMarked(root int, marker uint64) error {
	for range killRounds {
		found, err := members(root, marker)
		if err != nil {
			return err
		}
		if len(found) == 0 {
			return nil
		}
		for _, p := range found {
			if err := p.kill(); err != nil {
				return err
			}
		}
	}
	return errors.New("hostexec: kill: processes are made faster than they can be found")
}

// entry is what /proc/PID/stat tells of a process.
type entry struct {
	pid, parent, group, session int
	state                       byte
	started                     uint64 // clock ticks since boot: tells a reused pid
}

// kill kills the very process of the entry.
func (e entry) kill() error {
	fd, err := unix.PidfdOpen(e.pid, 0)
	if err != nil {
		if err == unix.ESRCH {
			return nil
		}
		return fmt.Errorf("hostexec: kill: %w", err)
	}
	defer unix.Close(fd)
	if now, err := readEntry(e.pid); err != nil || now.started != e.started {
		return nil
	}
	if err := unix.PidfdSendSignal(fd, unix.SIGKILL, nil, 0); err != nil && err != unix.ESRCH {
		return fmt.Errorf("hostexec: kill: %w", err)
	}
	return nil
}

func members(root int, marker uint64) ([]entry, error) {
	dir, err := os.Open("/proc")
	if err != nil {
		return nil, fmt.Errorf("hostexec: kill: %w", err)
	}
	names, err := dir.Readdirnames(-1)
	_ = dir.Close()
	if err != nil {
		return nil, fmt.Errorf("hostexec: kill: %w", err)
	}
	self := os.Getpid()
	var others, found []entry
	in := map[int]bool{root: true}
	for _, name := range names {
		pid, err := strconv.Atoi(name)
		if err != nil || pid == self {
			continue
		}
		e, err := readEntry(pid)
		if err != nil {
			continue
		}
		if e.pid == root || e.session == root || e.group == root || marker != 0 && marked(pid, marker) {
			in[pid] = true
			found = append(found, e)
		} else {
			others = append(others, e)
		}
	}
	for grown := true; grown; {
		grown = false
		rest := others[:0]
		for _, e := range others {
			if in[e.parent] || in[e.session] || in[e.group] {
				in[e.pid], grown = true, true
				found = append(found, e)
			} else {
				rest = append(rest, e)
			}
		}
		others = rest
	}
	live := found[:0]
	for _, e := range found {
		if e.state != 'Z' && e.state != 'X' {
			live = append(live, e)
		}
	}
	return live, nil
}

func marked(pid int, marker uint64) bool {
	text, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/limits")
	return err == nil && bytes.Contains(text, []byte(" "+strconv.FormatUint(marker, 10)+" "))
}

func readEntry(pid int) (entry, error) {
	text, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	if err != nil {
		return entry{}, err
	}
	return parseStat(text)
}

// parseStat parses a line of proc_pid_stat(5). The second field is the program's
// name in parentheses, which may hold anything, parentheses too.
func parseStat(text []byte) (entry, error) {
	open, end := bytes.IndexByte(text, '('), bytes.LastIndexByte(text, ')')
	if open < 0 || end < open {
		return entry{}, errors.New("hostexec: malformed process status")
	}
	fields := bytes.Fields(text[end+1:])
	if len(fields) < 20 || len(fields[0]) != 1 {
		return entry{}, errors.New("hostexec: malformed process status")
	}
	e := entry{state: fields[0][0]}
	var err error
	number := func(b []byte) (n int) {
		if err == nil {
			n, err = strconv.Atoi(string(b))
		}
		return n
	}
	e.pid = number(bytes.TrimSpace(text[:open]))
	e.parent, e.group, e.session = number(fields[1]), number(fields[2]), number(fields[3])
	if err == nil {
		e.started, err = strconv.ParseUint(string(fields[19]), 10, 64)
	}
	if err != nil {
		return entry{}, errors.New("hostexec: malformed process status")
	}
	return e, nil
}
