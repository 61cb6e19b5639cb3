// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

// Package encode has the commands that write bytes as text and back: base64,
// base32 and xxd.
package encode
