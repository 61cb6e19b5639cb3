// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package hostexec

import (
	"errors"
	"os"
	"unicode/utf16"
	"unsafe"

	"golang.org/x/sys/windows"
)

// procThreadAttributeJobList is PROC_THREAD_ATTRIBUTE_JOB_LIST of winbase.h: the
// process is born in the job, before it runs an instruction.
const procThreadAttributeJobList = 0x0002000D

// newJob makes a job object that ends with its last handle, which only this
// process has, and that no process leaves.
func newJob() (windows.Handle, error) {
	job, err := windows.CreateJobObject(nil, nil)
	if err != nil {
		return 0, os.NewSyscallError("CreateJobObject", err)
	}
	var info windows.JOBOBJECT_EXTENDED_LIMIT_INFORMATION
	info.BasicLimitInformation.LimitFlags = windows.JOB_OBJECT_LIMIT_KILL_ON_JOB_CLOSE | windows.JOB_OBJECT_LIMIT_DIE_ON_UNHANDLED_EXCEPTION
	if _, err := windows.SetInformationJobObject(job, windows.JobObjectExtendedLimitInformation, uintptr(unsafe.Pointer(&info)), uint32(unsafe.Sizeof(info))); err != nil {
		_ = windows.CloseHandle(job)
		return 0, os.NewSyscallError("SetInformationJobObject", err)
	}
	return job, nil
}

// spawn creates the process in job, on the console or with exactly the three
// handles, and returns its handle and id.
func spawn(path, line, dir string, env []string, job windows.Handle, console windows.Handle, three [3]windows.Handle) (windows.Handle, uint32, error) {
	var strs [3]*uint16
	for i, s := range []string{path, line, dir} {
		p, err := windows.UTF16PtrFromString(s)
		if err != nil {
			return 0, 0, err
		}
		strs[i] = p
	}
	list, err := windows.NewProcThreadAttributeList(2)
	if err != nil {
		return 0, 0, os.NewSyscallError("InitializeProcThreadAttributeList", err)
	}
	defer list.Delete()
	jobs := []windows.Handle{job}
	if err := list.Update(procThreadAttributeJobList, unsafe.Pointer(&jobs[0]), unsafe.Sizeof(jobs[0])); err != nil {
		return 0, 0, os.NewSyscallError("UpdateProcThreadAttribute", err)
	}
	si := new(windows.StartupInfoEx)
	si.Cb = uint32(unsafe.Sizeof(*si))
	si.Flags = windows.STARTF_USESTDHANDLES // also on a console: else it would get ours
	inherit := console == 0
	flags := uint32(windows.CREATE_UNICODE_ENVIRONMENT | windows.EXTENDED_STARTUPINFO_PRESENT)
	if console != 0 {
		// The attribute's value is the handle itself, not a pointer to it.
		if err := list.Update(windows.PROC_THREAD_ATTRIBUTE_PSEUDOCONSOLE, *(*unsafe.Pointer)(unsafe.Pointer(&console)), unsafe.Sizeof(console)); err != nil {
			return 0, 0, os.NewSyscallError("UpdateProcThreadAttribute", err)
		}
	} else {
		flags |= windows.CREATE_NO_WINDOW | windows.CREATE_NEW_PROCESS_GROUP
		si.StdInput, si.StdOutput, si.StdErr = three[0], three[1], three[2]
		handles := three[:]
		if three[1] == three[2] { // a handle may be in the list once
			handles = three[:2]
		}
		if err := list.Update(windows.PROC_THREAD_ATTRIBUTE_HANDLE_LIST, unsafe.Pointer(&handles[0]), uintptr(len(handles))*unsafe.Sizeof(handles[0])); err != nil {
			return 0, 0, os.NewSyscallError("UpdateProcThreadAttribute", err)
		}
	}
	si.ProcThreadAttributeList = list.List()
	block := environmentBlock(env)
	var pi windows.ProcessInformation
	if err := windows.CreateProcess(strs[0], strs[1], nil, nil, inherit, flags, &block[0], strs[2], &si.StartupInfo, &pi); err != nil {
		if errors.Is(err, windows.ERROR_DIRECTORY) {
			err = windows.ERROR_PATH_NOT_FOUND
		}
		return 0, 0, err
	}
	_ = windows.CloseHandle(pi.Thread)
	return pi.Process, pi.ProcessId, nil
}

// environmentBlock has each entry ended by a NUL and the block by one more.
func environmentBlock(env []string) []uint16 {
	var block []uint16
	for _, e := range env {
		block = append(appendUTF16(block, e), 0)
	}
	if len(block) == 0 {
		block = append(block, 0)
	}
	return append(block, 0)
}

func appendUTF16(b []uint16, s string) []uint16 {
	for _, r := range s {
		b = utf16.AppendRune(b, r)
	}
	return b
}
