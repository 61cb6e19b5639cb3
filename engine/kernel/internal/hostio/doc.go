// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

// Package hostio makes readers and writers of the host streams of the kernel,
// which never block: a call of the host runs on a goroutine that lives for it
// alone, and its end wakes whoever waits.
//
// Every mutex of this package is a leaf, and none is held during a call of the
// host that may block.
package hostio
