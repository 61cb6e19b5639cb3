// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package kernel

// OpenFiles returns how many open file descriptions processes hold; those that
// the host has made are not counted.
func (k *Kernel) OpenFiles() int { return int(k.openFiles.Load()) }

// PipeBytes returns how many bytes of memory hold the contents of pipes.
func (k *Kernel) PipeBytes() int64 { return k.pipes.Used() }

// Memory returns how many bytes of linear memory processes use.
func (k *Kernel) Memory() int64 { return k.memory.Load() }
