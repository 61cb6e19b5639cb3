// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package wsys

// Worth is how many bytes there must be to look at before it is worth calling
// the host for it.
const Worth = 192
