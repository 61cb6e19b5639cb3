// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package hostexec

import (
	"path"
	"strings"
)

// seatbeltSystem are the directories and files of macOS that programs read and
// run; without user data, credentials or configuration of the machine.
var seatbeltSystem = []string{
	"/bin", "/sbin", "/usr/bin", "/usr/sbin", "/usr/lib", "/usr/libexec", "/usr/share", "/usr/local",
	"/opt/homebrew", "/opt/local", "/System", "/Library/Apple", "/Library/Developer", "/Library/Frameworks",
	"/Applications/Xcode.app", "/private/var/db/dyld", "/private/var/db/timezone", "/private/var/db/xcode_select_link",
	"/private/var/select", "/private/etc/ssl", "/private/etc/hosts", "/private/etc/resolv.conf", "/private/etc/passwd",
	"/private/etc/group", "/private/etc/protocols", "/private/etc/services", "/private/etc/localtime", "/private/etc/shells",
}

// seatbeltDevices can be read and written.
var seatbeltDevices = []string{"/dev/null", "/dev/zero", "/dev/tty", "/dev/random", "/dev/urandom", "/dev/dtracehelper"}

// seatbelt writes the profile that sandbox-exec puts in force before it runs
// program: everything is denied but what is named. Later rules win over earlier
// ones, so a read-only path inside a writable one stays read-only, and a
// writable one inside it is writable again only where it is the longer path.
func seatbelt(program, terminal string, r resolved, dir func(string) bool) (string, error) {
	var b strings.Builder
	b.WriteString(`(version 1)
(deny default)
(allow process-fork)
(allow signal (target same-sandbox))
(allow process-info* (target same-sandbox))
(allow sysctl-read)
(allow pseudo-tty)
(allow ipc-posix-sem)
(allow file-read-metadata)
(allow file-read* (literal "/"))
(allow mach-lookup
  (global-name "com.apple.system.opendirectoryd.libinfo")
  (global-name "com.apple.system.opendirectoryd.membership")
  (global-name "com.apple.system.notification_center")
  (global-name "com.apple.system.logger")
  (global-name "com.apple.trustd.agent"))
`)
	rule := func(verdict, operations, p string, isDir bool) error {
		q, err := seatbeltString(p)
		if err != nil {
			return err
		}
		filter := "literal"
		if isDir {
			filter = "subpath"
		}
		b.WriteString("(" + verdict + " " + operations + " (" + filter + " " + q + "))\n")
		return nil
	}
	if r.system {
		for _, p := range seatbeltSystem {
			if err := rule("allow", "file-read* process-exec*", p, true); err != nil {
				return "", err
			}
		}
	}
	for _, p := range seatbeltDevices {
		if err := rule("allow", "file-read* file-write* file-ioctl", p, false); err != nil {
			return "", err
		}
	}
	if terminal != "" {
		if err := rule("allow", "file-read* file-write* file-ioctl", terminal, false); err != nil {
			return "", err
		}
	}
	if err := rule("allow", "file-read* process-exec*", program, false); err != nil {
		return "", err
	}
	type grant struct {
		path  string
		write bool
	}
	var grants []grant
	for _, p := range r.readWrite {
		grants = append(grants, grant{p, true})
	}
	for _, p := range r.readOnly {
		grants = append(grants, grant{p, false})
	}
	// Shorter paths first: the longer, more particular one has the last word.
	// Of equal ones the read-only one does.
	for i := 1; i < len(grants); i++ {
		for j := i; j > 0 && len(grants[j].path) < len(grants[j-1].path); j-- {
			grants[j], grants[j-1] = grants[j-1], grants[j]
		}
	}
	for _, g := range grants {
		operations := "file-read* process-exec*"
		if g.write {
			operations = "file-read* file-write* process-exec*"
		}
		if err := rule("allow", operations, g.path, dir(g.path)); err != nil {
			return "", err
		}
		if !g.write {
			if err := rule("deny", "file-write*", g.path, dir(g.path)); err != nil {
				return "", err
			}
		}
	}
	if r.network {
		b.WriteString("(allow network*)\n(allow system-socket)\n(allow mach-lookup (global-name \"com.apple.SystemConfiguration.configd\"))\n")
	} else {
		b.WriteString("(deny network*)\n")
	}
	return b.String(), nil
}

// seatbeltString quotes a path for the profile's language. Control characters
// have no certain meaning in it and are refused.
func seatbeltString(p string) (string, error) {
	if !path.IsAbs(p) || path.Clean(p) != p {
		return "", invalid("confinement path %q is not absolute and clean", p)
	}
	var b strings.Builder
	b.WriteByte('"')
	for i := 0; i < len(p); i++ {
		c := p[i]
		if c < 0x20 || c == 0x7f {
			return "", invalid("confinement path %q has a control character", p)
		}
		if c == '"' || c == '\\' {
			b.WriteByte('\\')
		}
		b.WriteByte(c)
	}
	b.WriteByte('"')
	return b.String(), nil
}
