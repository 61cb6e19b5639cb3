// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package hostfs

import (
	"path"
	"path/filepath"
	"runtime"
	"strings"

	"golang.org/x/sys/windows"

	"github.com/wsandbox/wsandbox/engine/abi"
)

// Readlink implements [vfs.ReadlinkFS]. Junctions, mount points and other reparse
// points that stand for another file give EACCES.
func (fs *FS) Readlink(name string) (string, error) {
	if err := fs.begin(name); err != nil {
		return "", err
	}
	defer fs.mu.RUnlock()
	p, err := fs.parent(name)
	if err != nil {
		return "", err
	}
	defer p.close()
	h, err := p.open(accessLook, 0)
	if err != nil {
		return "", err
	}
	defer windows.CloseHandle(h)
	st, err := fs.stat(h)
	if err != nil {
		return "", err
	}
	if !st.Mode.IsSymlink() {
		return "", abi.EINVAL
	}
	return readlink(h)
}

func readlink(h windows.Handle) (string, error) {
	var b [windows.MAXIMUM_REPARSE_DATA_BUFFER_SIZE]byte
	var n uint32
	if err := windows.DeviceIoControl(h, windows.FSCTL_GET_REPARSE_POINT, nil, 0, &b[0], uint32(len(b)), &n, nil); err != nil {
		return "", errnoOf(err)
	}
	target, ok := parseSymlink(b[:n])
	if !ok {
		return "", abi.EACCES
	}
	return filepath.ToSlash(target), nil
}

// Symlink implements [vfs.SymlinkFS]: EPERM where the host's user may not make
// links, EINVAL for targets that Windows would misread. A link to a directory
// of the file system is one for other programs too.
func (fs *FS) Symlink(target, name string) error {
	if err := checkWindowsTarget(target); err != nil {
		return err
	}
	buffer, err := formatSymlink(filepath.FromSlash(target))
	if err != nil {
		return err
	}
	kind := uint32(windows.FILE_NON_DIRECTORY_FILE)
	if dir, _ := splitName(name); !strings.HasPrefix(target, "/") {
		if st, err := fs.Lstat(path.Join(dir, target)); err == nil && st.Mode.IsDir() {
			kind = windows.FILE_DIRECTORY_FILE
		}
	}
	return fs.do(name, abi.EEXIST, func(p place) error {
		h, err := p.create(windows.FILE_WRITE_ATTRIBUTES|windows.DELETE, kind, windows.FILE_ATTRIBUTE_NORMAL)
		if err != nil {
			return err
		}
		defer windows.CloseHandle(h)
		if err := setReparse(h, buffer); err != nil {
			_ = remove(h)
			return errnoOf(err)
		}
		return nil
	})
}

// setReparse makes a file a reparse point, with the privilege that this takes
// where the user has it and may not have switched it on.
func setReparse(h windows.Handle, buffer []byte) error {
	var n uint32
	set := func() error {
		return windows.DeviceIoControl(h, windows.FSCTL_SET_REPARSE_POINT, &buffer[0], uint32(len(buffer)), nil, 0, &n, nil)
	}
	err := set()
	if err != windows.ERROR_PRIVILEGE_NOT_HELD && err != windows.ERROR_ACCESS_DENIED {
		return err
	}
	runtime.LockOSThread()
	if windows.ImpersonateSelf(windows.SecurityImpersonation) != nil {
		runtime.UnlockOSThread()
		return err
	}
	if enablePrivilege("SeCreateSymbolicLinkPrivilege") == nil {
		err = set()
	}
	// A thread that cannot give the privilege back ends with its goroutine,
	// which stays locked to it.
	if windows.RevertToSelf() == nil {
		runtime.UnlockOSThread()
	}
	return err
}
