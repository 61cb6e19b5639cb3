// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package hostexec

import "golang.org/x/sys/unix"

const seccompArch = unix.AUDIT_ARCH_AARCH64
