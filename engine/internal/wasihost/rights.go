// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package wasihost

import "github.com/wsandbox/wsandbox/engine/abi"

// Rights that apply to the types of files. A descriptor that was opened by
// other means than preview 1's path_open has them all in the kernel; those that
// do not apply are left out when a program asks.
const (
	rightsDirectory = abi.RightFDDatasync | abi.RightFDFdstatSetFlags | abi.RightFDSync |
		abi.RightPathCreateDirectory | abi.RightPathCreateFile | abi.RightPathLinkSource |
		abi.RightPathLinkTarget | abi.RightPathOpen | abi.RightFDReaddir | abi.RightPathReadlink |
		abi.RightPathRenameSource | abi.RightPathRenameTarget | abi.RightPathFilestatGet |
		abi.RightPathFilestatSetSize | abi.RightPathFilestatSetTimes | abi.RightFDFilestatGet |
		abi.RightFDFilestatSetTimes | abi.RightPathSymlink | abi.RightPathRemoveDirectory |
		abi.RightPathUnlinkFile | abi.RightPollFDReadwrite
	rightsRegular = abi.RightFDDatasync | abi.RightFDRead | abi.RightFDSeek |
		abi.RightFDFdstatSetFlags | abi.RightFDSync | abi.RightFDTell | abi.RightFDWrite |
		abi.RightFDAdvise | abi.RightFDAllocate | abi.RightFDFilestatGet |
		abi.RightFDFilestatSetSize | abi.RightFDFilestatSetTimes | abi.RightPollFDReadwrite
	// Streams keep fd_seek, so that a seek gives ESPIPE.
	rightsStream = abi.RightFDRead | abi.RightFDSeek | abi.RightFDFdstatSetFlags |
		abi.RightFDTell | abi.RightFDWrite | abi.RightFDFilestatGet |
		abi.RightFDFilestatSetTimes | abi.RightPollFDReadwrite
	// A terminal is a character device without fd_seek and fd_tell; that is
	// how wasi-libc's isatty knows one.
	rightsTTY = rightsStream &^ (abi.RightFDSeek | abi.RightFDTell)
)

// applicable returns the rights that apply to a descriptor.
func applicable(i *abi.FDInfo) (base, inheriting abi.Rights) {
	switch {
	case i.Mode.IsDir():
		return rightsDirectory, abi.RightsAll
	case i.Mode.IsRegular():
		base = rightsRegular
	case i.TTY:
		base = rightsTTY
	default:
		base = rightsStream
	}
	if !i.Flags.Readable() {
		base &^= abi.RightFDRead
	}
	if !i.Flags.Writable() {
		base &^= abi.RightFDWrite | abi.RightFDAllocate | abi.RightFDFilestatSetSize
	}
	return base, 0
}

// need returns EBADF where fd is not open and ENOTCAPABLE where it lacks one of
// the rights want. A right that does not apply to the file is not missed: the
// kernel has a better error for what follows, such as EISDIR or ENOTDIR.
func (c *Context) need(fd int32, want abi.Rights) error {
	base, _, err := c.p.Rights(fd)
	if err != nil || base.Has(want) {
		return err
	}
	i, err := c.p.FDInfo(fd)
	if err != nil {
		return err
	}
	if b, _ := applicable(&i); b&want&^base != 0 {
		return abi.ENOTCAPABLE
	}
	return nil
}

// needSeek is need for fd_seek, or for fd_tell as well where tell is set.
// EISDIR: the kernel lets directories be rewound, but preview 1 does not.
func (c *Context) needSeek(fd int32, tell bool) error {
	base, _, err := c.p.Rights(fd)
	if err != nil {
		return err
	}
	may := base.Has(abi.RightFDSeek) || tell && base.Has(abi.RightFDTell)
	if may && base != abi.RightsAll {
		return nil // opened by preview 1, so it applies
	}
	i, err := c.p.FDInfo(fd)
	switch {
	case err != nil:
		return err
	case i.Mode.IsDir():
		return abi.EISDIR
	case !may && !i.TTY:
		return abi.ENOTCAPABLE
	}
	return nil
}
