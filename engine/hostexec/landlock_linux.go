// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package hostexec

import (
	"errors"
	"fmt"
	"strconv"

	"golang.org/x/sys/unix"
)

// Landlock versions at which something begins.
const (
	abiTruncate = 3 // before it a file outside could be emptied
	abiTCP      = 4
	abiIoctl    = 5
	abiScope    = 6 // signals and abstract sockets
	abiUnix     = 9 // path-named sockets
	abiUDP      = 10
)

const (
	fileRead  = unix.LANDLOCK_ACCESS_FS_EXECUTE | unix.LANDLOCK_ACCESS_FS_READ_FILE
	treeRead  = fileRead | unix.LANDLOCK_ACCESS_FS_READ_DIR
	fileWrite = unix.LANDLOCK_ACCESS_FS_WRITE_FILE | unix.LANDLOCK_ACCESS_FS_TRUNCATE
	treeWrite = fileWrite | unix.LANDLOCK_ACCESS_FS_REMOVE_DIR | unix.LANDLOCK_ACCESS_FS_REMOVE_FILE |
		unix.LANDLOCK_ACCESS_FS_MAKE_DIR | unix.LANDLOCK_ACCESS_FS_MAKE_REG | unix.LANDLOCK_ACCESS_FS_MAKE_SOCK |
		unix.LANDLOCK_ACCESS_FS_MAKE_FIFO | unix.LANDLOCK_ACCESS_FS_MAKE_SYM | unix.LANDLOCK_ACCESS_FS_REFER
	device = unix.LANDLOCK_ACCESS_FS_READ_FILE | fileWrite | unix.LANDLOCK_ACCESS_FS_IOCTL_DEV

	anyFile = fileRead | fileWrite | unix.LANDLOCK_ACCESS_FS_IOCTL_DEV | unix.LANDLOCK_ACCESS_FS_RESOLVE_UNIX
)

// linuxSystem are the directories and files that programs read and run; of /etc
// only what libraries look at, no credentials. The /proc of processes outside
// the command shows a Landlock domain no more than their command lines.
var linuxSystem = []string{
	"/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/usr", "/nix/store", "/gnu/store",
	"/etc/ld.so.cache", "/etc/ld.so.conf", "/etc/ld.so.conf.d", "/etc/ld-musl-x86_64.path", "/etc/ld-musl-aarch64.path",
	"/etc/passwd", "/etc/group", "/etc/nsswitch.conf", "/etc/hosts", "/etc/host.conf", "/etc/resolv.conf", "/etc/gai.conf",
	"/etc/protocols", "/etc/services", "/etc/localtime", "/etc/timezone", "/etc/locale.alias", "/etc/locale.conf",
	"/etc/ssl/certs", "/etc/ssl/openssl.cnf", "/etc/ca-certificates", "/etc/ca-certificates.conf", "/etc/pki/tls/certs", "/etc/pki/ca-trust",
	"/etc/alternatives", "/etc/mime.types", "/etc/magic", "/etc/terminfo", "/etc/inputrc", "/etc/os-release", "/etc/lsb-release",
	"/etc/debian_version", "/etc/fonts", "/etc/shells",
	"/proc", "/sys/devices/system/cpu", "/sys/devices/system/node", "/sys/fs/cgroup", "/sys/kernel/mm/transparent_hugepage",
}

var linuxDevices = []string{"/dev/null", "/dev/zero", "/dev/full", "/dev/random", "/dev/urandom", "/dev/tty"}

func support() Report {
	return report(landlockABI(), seccompArch != 0, false)
}

// report tells what a kernel of this Landlock version does. With network the
// command keeps it, which is then nothing missing.
func report(abi int, seccomp, network bool) Report {
	r := Report{ABI: abi, Files: abi >= abiTruncate, Signals: abi >= abiScope, Tree: abi >= abiScope}
	if !r.Files {
		if abi == 0 {
			r.Missing = append(r.Missing, "files: the kernel has no Landlock, or it is not enabled")
		} else {
			r.Missing = append(r.Missing, "files: Landlock version "+strconv.Itoa(abi)+" lets files outside be emptied")
		}
	}
	if abi > 0 && r.Files {
		r.Mechanism = "landlock"
	}
	if !network {
		switch {
		case seccomp && r.Mechanism != "":
			r.Mechanism, r.Network = "landlock+seccomp", true
		case seccomp:
			r.Mechanism, r.Network = "seccomp", true
		case abi >= abiUDP:
			r.Missing = append(r.Missing, "network: sockets other than TCP, UDP and local ones stay open")
		default:
			r.Missing = append(r.Missing, "network: no system call filter for this processor")
		}
	}
	if !r.Signals {
		r.Missing = append(r.Missing, "signals: before Landlock version 6")
	}
	return r
}

// ruleset is one open Landlock ruleset.
type ruleset int

func (r ruleset) close() { _ = unix.Close(int(r)) }

// signalScope makes the ruleset that limits nothing but signals.
func signalScope() (ruleset, error) {
	fd, err := landlockCreate(&unix.LandlockRulesetAttr{Scoped: unix.LANDLOCK_SCOPE_SIGNAL})
	if err != nil {
		return -1, fmt.Errorf("hostexec: landlock_create_ruleset: %w", err)
	}
	return ruleset(fd), nil
}

// fileRules makes the ruleset of a confinement, with all that this version of
// Landlock can limit. terminal is the command's own terminal, or "".
func fileRules(abi int, program, terminal string, c resolved) (_ ruleset, err error) {
	handled := uint64(treeRead | treeWrite | unix.LANDLOCK_ACCESS_FS_MAKE_CHAR | unix.LANDLOCK_ACCESS_FS_MAKE_BLOCK)
	attr := unix.LandlockRulesetAttr{}
	if abi >= abiIoctl {
		handled |= unix.LANDLOCK_ACCESS_FS_IOCTL_DEV
	}
	if abi >= abiUnix && !c.network {
		handled |= unix.LANDLOCK_ACCESS_FS_RESOLVE_UNIX
	}
	if abi >= abiTCP && !c.network {
		attr.Handled_access_net = unix.LANDLOCK_ACCESS_NET_BIND_TCP | unix.LANDLOCK_ACCESS_NET_CONNECT_TCP
	}
	if abi >= abiUDP && !c.network {
		attr.Handled_access_net |= unix.LANDLOCK_ACCESS_NET_BIND_UDP | unix.LANDLOCK_ACCESS_NET_CONNECT_SEND_UDP
	}
	if abi >= abiScope {
		attr.Scoped = unix.LANDLOCK_SCOPE_SIGNAL | unix.LANDLOCK_SCOPE_ABSTRACT_UNIX_SOCKET
	}
	attr.Handled_access_fs = handled
	fd, err := landlockCreate(&attr)
	if err != nil {
		return -1, fmt.Errorf("hostexec: landlock_create_ruleset: %w", err)
	}
	set := ruleset(fd)
	defer func() {
		if err != nil {
			set.close()
		}
	}()
	add := func(path string, access uint64, optional bool) error {
		return set.allow(path, access&handled, optional)
	}
	if c.system {
		for _, p := range linuxSystem {
			if err := add(p, treeRead, true); err != nil {
				return -1, err
			}
		}
	}
	for _, p := range linuxDevices {
		if err := add(p, device, true); err != nil {
			return -1, err
		}
	}
	if terminal != "" {
		if err := add(terminal, device, false); err != nil {
			return -1, err
		}
	}
	if err := add(program, fileRead, false); err != nil {
		return -1, err
	}
	for _, p := range c.readOnly {
		if err := add(p, treeRead, false); err != nil {
			return -1, err
		}
	}
	for _, p := range c.readWrite {
		if err := add(p, treeRead|treeWrite, false); err != nil {
			return -1, err
		}
	}
	return set, nil
}

func (r ruleset) allow(path string, access uint64, optional bool) error {
	fd, err := unix.Open(path, unix.O_PATH|unix.O_CLOEXEC, 0)
	if err != nil {
		if optional && (errors.Is(err, unix.ENOENT) || errors.Is(err, unix.ENOTDIR) || errors.Is(err, unix.EACCES)) {
			return nil
		}
		return fmt.Errorf("hostexec: confinement: %s: %w", path, err)
	}
	defer unix.Close(fd)
	var st unix.Stat_t
	if err := unix.Fstat(fd, &st); err != nil {
		return fmt.Errorf("hostexec: confinement: %s: %w", path, err)
	}
	if st.Mode&unix.S_IFMT != unix.S_IFDIR {
		access &= anyFile
	}
	if err := landlockAddPath(int(r), &unix.LandlockPathBeneathAttr{Allowed_access: access, Parent_fd: int32(fd)}); err != nil {
		return fmt.Errorf("hostexec: confinement: %s: landlock_add_rule: %w", path, err)
	}
	return nil
}
