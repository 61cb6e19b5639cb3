// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"github.com/wsandbox/wsandbox/guests/src/cmd/clock"
	"github.com/wsandbox/wsandbox/guests/src/cmd/condition"
	"github.com/wsandbox/wsandbox/guests/src/cmd/fileops"
	"github.com/wsandbox/wsandbox/guests/src/cmd/find"
	"github.com/wsandbox/wsandbox/guests/src/cmd/listing"
	"github.com/wsandbox/wsandbox/guests/src/cmd/pathname"
)

// fileApplets are the commands on files and directories.
var fileApplets = []applet{
	{"[", condition.Bracket},
	{"basename", pathname.Basename},
	{"chgrp", fileops.Chgrp},
	{"chmod", fileops.Chmod},
	{"chown", fileops.Chown},
	{"cp", fileops.Cp},
	{"date", clock.Date},
	{"dd", fileops.Dd},
	{"df", listing.Df},
	{"dirname", pathname.Dirname},
	{"du", listing.Du},
	{"find", find.Find},
	{"install", fileops.Install},
	{"link", fileops.Link},
	{"ln", fileops.Ln},
	{"ls", listing.Ls},
	{"mkdir", fileops.Mkdir},
	{"mkfifo", fileops.Mkfifo},
	{"mktemp", fileops.Mktemp},
	{"mv", fileops.Mv},
	{"readlink", pathname.Readlink},
	{"realpath", pathname.Realpath},
	{"rm", fileops.Rm},
	{"rmdir", fileops.Rmdir},
	{"stat", listing.Stat},
	{"test", condition.Test},
	{"touch", fileops.Touch},
	{"tree", listing.Tree},
	{"truncate", fileops.Truncate},
	{"unlink", fileops.Unlink},
	{"which", pathname.Which},
}
