// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package fileops

import (
	"strconv"

	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/guests/src/cmdkit"
	"github.com/wsandbox/wsandbox/guests/src/wsys"
)

// Kinds of backups, in the order of backupNames' values.
const (
	backupNone = iota
	backupSimple
	backupExisting // numbered where a numbered one exists, else simple
	backupNumbered
)

var (
	backupNames = []string{"none", "off", "simple", "never", "existing", "nil", "numbered", "t"}
	backupVals  = []int{backupNone, backupNone, backupSimple, backupSimple, backupExisting, backupExisting, backupNumbered, backupNumbered}
)

// backups makes backup names.
type backups struct {
	kind   int
	suffix string
}

// backupOptions are the settings of -b, --backup and -S.
type backupOptions struct {
	wanted bool
	arg    string
	hasArg bool
	suffix string
}

// set takes an option: 'b' for -b and --backup, 'S' for the suffix.
func (o *backupOptions) set(g *cmdkit.Getopt) {
	o.wanted = true
	if g.Opt == 'S' {
		o.suffix = g.Arg
	} else if g.HasArg {
		o.arg, o.hasArg = g.Arg, true
	}
}

// resolve returns what the options mean, with VERSION_CONTROL and
// SIMPLE_BACKUP_SUFFIX of the environment.
func (o *backupOptions) resolve(p *cmdkit.Proc) (b backups, ok bool) {
	if !o.wanted {
		return b, true
	}
	b.kind, b.suffix = backupExisting, o.suffix
	if b.suffix == "" {
		if b.suffix = p.Getenv("SIMPLE_BACKUP_SUFFIX"); b.suffix == "" {
			b.suffix = "~"
		}
	}
	what, arg := "backup type", o.arg
	if !o.hasArg {
		what, arg = "$VERSION_CONTROL", p.Getenv("VERSION_CONTROL")
	}
	if arg != "" {
		b.kind, ok = p.Choice(what, arg, backupNames, backupVals)
		return b, ok
	}
	return b, true
}

// name returns the backup name for path.
func (b *backups) name(path string) string {
	if b.kind == backupSimple {
		return path + b.suffix
	}
	dir, base := dirName(path), cmdkit.Base(path)
	highest := uint64(0)
	if fd, err := wsys.Open(cwd, dir, abi.ORdonly|abi.ODirectory|abi.OCloexec, 0); err == nil {
		var l []wsys.Dirent
		cookie := uint64(0)
		for {
			l, err = wsys.ReadDir(fd, l[:0], cookie, false)
			if err != nil || len(l) == 0 {
				break
			}
			cookie = l[len(l)-1].Cookie
			for i := range l {
				n := l[i].Name
				if len(n) > len(base)+3 && n[:len(base)] == base && n[len(base):len(base)+2] == ".~" && n[len(n)-1] == '~' {
					if v, err := strconv.ParseUint(n[len(base)+2:len(n)-1], 10, 63); err == nil && v > highest {
						highest = v
					}
				}
			}
		}
		wsys.Close(fd)
	}
	if highest == 0 && b.kind == backupExisting {
		return path + b.suffix
	}
	return path + ".~" + strconv.FormatUint(highest+1, 10) + "~"
}
