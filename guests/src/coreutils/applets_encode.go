// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package main

import "github.com/wsandbox/wsandbox/guests/src/cmd/encode"

// encodeApplets are the commands that write bytes as text.
var encodeApplets = []applet{
	{"base32", encode.Base32},
	{"base64", encode.Base64},
	{"xxd", encode.Xxd},
}
