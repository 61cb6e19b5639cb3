// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package vfs

import "github.com/wsandbox/wsandbox/engine/abi"

// Poller is a file that can be waited for.
type Poller interface {
	// Ready returns which of mask (and PollErr, PollHup) hold now.
	Ready(mask abi.PollEvents) abi.PollEvents
	// Subscribe arranges for wake to be called, from any goroutine and
	// possibly more than once or in vain, each time readiness in mask may
	// have begun, until cancel is called. wake must not block nor call back
	// into the file. A caller subscribes first and asks Ready after, so
	// that nothing is missed.
	Subscribe(mask abi.PollEvents, wake func()) (cancel func())
}
