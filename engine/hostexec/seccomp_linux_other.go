// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

//go:build linux && !amd64 && !arm64

package hostexec

// seccompArch is 0 where no filter is written for the processor.
const seccompArch = 0
