// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package hostfs

import (
	"unsafe"

	"golang.org/x/sys/windows"
)

// ntCreate is NtCreateFile of base, a single component in the directory dir, or
// of dir itself where base is empty. A reparse point is opened and never
// followed unless options say otherwise. Others may do what they like with the
// file meanwhile, so that a name is free for a guest whoever has the file open.
func ntCreate(dir windows.Handle, base string, access, disposition, options, attrs uint32) (windows.Handle, error) {
	name, err := windows.NewNTUnicodeString(base)
	if err != nil {
		return windows.InvalidHandle, err
	}
	oa := windows.OBJECT_ATTRIBUTES{
		RootDirectory: dir,
		ObjectName:    name,
		Attributes:    windows.OBJ_CASE_INSENSITIVE,
	}
	oa.Length = uint32(unsafe.Sizeof(oa))
	var h windows.Handle
	var iosb windows.IO_STATUS_BLOCK
	err = windows.NtCreateFile(&h, access|windows.SYNCHRONIZE, &oa, &iosb, nil, attrs,
		windows.FILE_SHARE_READ|windows.FILE_SHARE_WRITE|windows.FILE_SHARE_DELETE, disposition,
		options|windows.FILE_SYNCHRONOUS_IO_NONALERT|windows.FILE_OPEN_FOR_BACKUP_INTENT, 0, 0)
	if err != nil {
		return windows.InvalidHandle, err
	}
	return h, nil
}

// fileNameInformation is FILE_RENAME_INFORMATION and FILE_LINK_INFORMATION.
type fileNameInformation struct {
	flags    uint32
	root     windows.Handle
	nameLen  uint32 // in bytes
	fileName [256]uint16
}

// ntSetName is NtSetInformationFile of one of the classes that give a file the
// name base in dir.
func ntSetName(h windows.Handle, class, flags uint32, dir windows.Handle, base string) error {
	name, err := windows.UTF16FromString(base)
	if err != nil {
		return err
	}
	info := fileNameInformation{flags: flags, root: dir, nameLen: uint32(len(name)-1) * 2}
	if len(name) > len(info.fileName) {
		return windows.ERROR_FILENAME_EXCED_RANGE
	}
	copy(info.fileName[:], name)
	var iosb windows.IO_STATUS_BLOCK
	return windows.NtSetInformationFile(h, &iosb, (*byte)(unsafe.Pointer(&info)), uint32(unsafe.Sizeof(info)), class)
}

// ntSet is NtSetInformationFile.
func ntSet(h windows.Handle, class uint32, info []byte) error {
	var iosb windows.IO_STATUS_BLOCK
	return windows.NtSetInformationFile(h, &iosb, &info[0], uint32(len(info)), class)
}

// enablePrivilege lets the calling thread, which impersonates the user, use a
// privilege that the user has.
func enablePrivilege(name string) error {
	p, err := windows.UTF16PtrFromString(name)
	if err != nil {
		return err
	}
	var token windows.Token
	if err := windows.OpenThreadToken(windows.CurrentThread(), windows.TOKEN_QUERY|windows.TOKEN_ADJUST_PRIVILEGES, false, &token); err != nil {
		return err
	}
	defer token.Close()
	want := windows.Tokenprivileges{PrivilegeCount: 1}
	want.Privileges[0].Attributes = windows.SE_PRIVILEGE_ENABLED
	if err := windows.LookupPrivilegeValue(nil, p, &want.Privileges[0].Luid); err != nil {
		return err
	}
	return windows.AdjustTokenPrivileges(token, false, &want, 0, nil, nil)
}
