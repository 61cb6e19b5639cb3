// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package main

import "github.com/wsandbox/wsandbox/guests/src/cmd/digest"

// digestApplets are the commands that print and check digests.
var digestApplets = []applet{
	{"cksum", digest.Cksum},
	{"md5sum", digest.MD5},
	{"sha1sum", digest.SHA1},
	{"sha256sum", digest.SHA256},
	{"sha512sum", digest.SHA512},
	{"sum", digest.Sum},
}
