// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package abi

// Limit names a limit that a process or sandbox ran into.
type Limit uint8

// Limits.
const (
	LimitNone      Limit = iota
	LimitMemory          // linear memory
	LimitCPU             // processor time
	LimitWall            // wall time
	LimitProcesses       // processes at once
	LimitFiles           // open descriptors
	LimitOutput          // bytes written to the sandbox's outputs
	LimitFileSize        // size of one file
	LimitDisk            // bytes in in-memory file systems
	LimitStack           // call depth of a guest
)

// String returns a lower-case name, such as "memory".
func (l Limit) String() string {
	if int(l) < len(limitName) {
		return limitName[l]
	}
	return "unknown"
}

var limitName = [...]string{
	LimitNone:      "none",
	LimitMemory:    "memory",
	LimitCPU:       "cpu",
	LimitWall:      "wall time",
	LimitProcesses: "processes",
	LimitFiles:     "open files",
	LimitOutput:    "output",
	LimitFileSize:  "file size",
	LimitDisk:      "disk",
	LimitStack:     "stack",
}

// Resource is a resource of sys_getrlimit and sys_setrlimit, with the numbers
// of Linux.
//
// POSIX: getrlimit().
type Resource int32

// Resources.
const (
	RlimitCPU    Resource = 0 // seconds
	RlimitFsize  Resource = 1 // bytes
	RlimitData   Resource = 2 // bytes
	RlimitStack  Resource = 3 // bytes
	RlimitCore   Resource = 4 // bytes; always 0
	RlimitNproc  Resource = 6 // processes
	RlimitNofile Resource = 7 // descriptors
	RlimitAS     Resource = 9 // bytes of linear memory
)

// RlimInfinity means no limit.
const RlimInfinity = ^uint64(0)
