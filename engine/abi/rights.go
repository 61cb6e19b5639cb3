// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package abi

// Rights limits what may be done with a descriptor.
//
// WASI: rights.
type Rights uint64

// Rights, in WASI order.
const (
	RightFDDatasync Rights = 1 << iota
	RightFDRead
	RightFDSeek
	RightFDFdstatSetFlags
	RightFDSync
	RightFDTell
	RightFDWrite
	RightFDAdvise
	RightFDAllocate
	RightPathCreateDirectory
	RightPathCreateFile
	RightPathLinkSource
	RightPathLinkTarget
	RightPathOpen
	RightFDReaddir
	RightPathReadlink
	RightPathRenameSource
	RightPathRenameTarget
	RightPathFilestatGet
	RightPathFilestatSetSize
	RightPathFilestatSetTimes
	RightFDFilestatGet
	RightFDFilestatSetSize
	RightFDFilestatSetTimes
	RightPathSymlink
	RightPathRemoveDirectory
	RightPathUnlinkFile
	RightPollFDReadwrite
	RightSockShutdown
	RightSockAccept

	// RightsAll has every right of preview 1.
	RightsAll = RightSockAccept<<1 - 1
)

// Has reports whether r includes all of want.
func (r Rights) Has(want Rights) bool { return r&want == want }
