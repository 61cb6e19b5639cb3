// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"github.com/wsandbox/wsandbox/guests/src/cmd/process"
	"github.com/wsandbox/wsandbox/guests/src/cmd/sysinfo"
)

// systemApplets are the commands on processes, users and the system.
var systemApplets = []applet{
	{"arch", sysinfo.Arch},
	{"env", process.Env},
	{"false", sysinfo.False},
	{"groups", sysinfo.Groups},
	{"hostname", sysinfo.Hostname},
	{"id", sysinfo.ID},
	{"kill", process.Kill},
	{"logname", sysinfo.Logname},
	{"nice", process.Nice},
	{"nohup", process.Nohup},
	{"nproc", sysinfo.Nproc},
	{"printenv", process.Printenv},
	{"ps", process.Ps},
	{"pwd", sysinfo.Pwd},
	{"sleep", process.Sleep},
	{"sync", sysinfo.Sync},
	{"timeout", process.Timeout},
	{"true", sysinfo.True},
	{"tty", sysinfo.TTY},
	{"uname", sysinfo.Uname},
	{"whoami", sysinfo.Whoami},
}
