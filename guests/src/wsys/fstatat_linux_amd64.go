// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package wsys

// sysFstatat is the number of newfstatat, whose name in package syscall differs
// between processors.
const sysFstatat = 262
