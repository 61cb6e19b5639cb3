// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package main

import "github.com/wsandbox/wsandbox/guests/src/cmd/sysinfo"

// systemApplets are the commands on processes, users and the system.
var systemApplets = []applet{
	{"arch", sysinfo.Arch},
	{"false", sysinfo.False},
	{"groups", sysinfo.Groups},
	{"hostname", sysinfo.Hostname},
	{"id", sysinfo.ID},
	{"logname", sysinfo.Logname},
	{"nproc", sysinfo.Nproc},
	{"pwd", sysinfo.Pwd},
	{"sync", sysinfo.Sync},
	{"true", sysinfo.True},
	{"tty", sysinfo.TTY},
	{"uname", sysinfo.Uname},
	{"whoami", sysinfo.Whoami},
}
