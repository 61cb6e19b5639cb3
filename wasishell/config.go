// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package wasishell

import (
	"fmt"
	"path"
	"strings"
	"time"
)

// Mode says what a sandbox may do to its workspace.
type Mode string

// Modes.
const (
	// ModeWorkspaceWrite lets programs change the workspace. The default.
	ModeWorkspaceWrite Mode = "workspace-write"
	// ModeReadOnly makes the workspace and all mounts read-only: changes
	// fail with EROFS, whatever the command's text looks like.
	ModeReadOnly Mode = "read-only"
)

// Mount binds a host directory into the sandbox.
type Mount struct {
	Host     string // directory of the host
	Guest    string // absolute path inside, without "." and "..", not "/"
	ReadOnly bool
}

// File is a file in memory. Its owner is root.
type File struct {
	Path string // absolute path inside, not below the workspace, a mount, /bin, /usr/bin, /dev or /proc
	Data []byte // used as it is: not to be changed while the sandbox lives
	Perm uint32 // permission bits: 0o444 where 0
}

// Config configures a [Sandbox]. It is copied by [New].
type Config struct {
	// Workspace is the host directory bound at /workspace. Empty means an
	// empty directory in memory.
	Workspace string
	// Mode is ModeWorkspaceWrite where empty.
	Mode Mode
	// Mounts are further host directories.
	Mounts []Mount
	// Files are read-only files in memory, for scripts and WebAssembly
	// modules that are not in the workspace.
	Files []File
	// Env adds to, and where names are equal replaces, the closed default
	// environment: PATH, HOME, USER, LOGNAME, SHELL, TERM, LANG.
	Env []string
	// Dir is the working directory of commands that name none: /workspace
	// where empty.
	Dir string
	// Shell is the applet that runs scripts: "bash" where empty, or "sh".
	Shell string
	// Users are the users that commands may run as: see Cmd.User.
	Users []User
	// Hostname is what hostname and uname print: "wsandbox" where empty. It
	// is letters, digits, "-", "_" and ".", at most 64.
	Hostname string
	// Limits bounds what the sandbox uses.
	Limits Limits
	// Runtime holds the compiled programs. Where nil, New makes one with
	// default options and Close closes it.
	Runtime *Runtime
}

// Limits bounds what a sandbox uses. A zero field means its default, a negative
// one no limit. The defaults stop runaways, not long honest work: nothing
// counts commands or loop turns. Reaching a limit ends what reached it; the
// sandbox goes on.
type Limits struct {
	Memory      int64         // linear memory of one process, bytes: 1 GiB
	TotalMemory int64         // of all processes: 4 GiB
	CPU         time.Duration // processor time of one process: 1 h
	Processes   int           // at once: 512
	Files       int           // descriptors of one process: 1024
	OpenFiles   int           // open file descriptions of all: 16384
	Output      int64         // bytes written to one command's outputs: 4 GiB
	FileSize    int64         // one file, bytes: 8 GiB
	Disk        int64         // files in memory (/tmp, HOME), bytes: 1 GiB
	Inodes      int           // files in memory, number: 1 M
}

// Paths inside every sandbox.
const (
	workspaceDir = "/workspace"
	homeDir      = "/home/user"
	searchPath   = "/usr/local/bin:/usr/bin:/bin"
)

// check validates c and fills in the defaults.
func (c *Config) check() error {
	switch c.Mode {
	case "":
		c.Mode = ModeWorkspaceWrite
	case ModeReadOnly, ModeWorkspaceWrite:
	default:
		return fmt.Errorf("unknown mode %q: want %q or %q", c.Mode, ModeReadOnly, ModeWorkspaceWrite)
	}
	if c.Dir == "" {
		c.Dir = workspaceDir
	}
	if !path.IsAbs(c.Dir) {
		return fmt.Errorf("working directory %q is not absolute", c.Dir)
	}
	c.Dir = path.Clean(c.Dir)
	switch c.Shell {
	case "":
		c.Shell = "bash"
	case "bash", "sh":
	default:
		return fmt.Errorf("unknown shell %q: want bash or sh", c.Shell)
	}
	if c.Hostname == "" {
		c.Hostname = "wsandbox"
	}
	if err := checkHostname(c.Hostname); err != nil {
		return err
	}
	if n := c.Limits.Files; n > 0 && n < 3 {
		return fmt.Errorf("limit of %d descriptors: a process has three to begin with", n)
	}
	for i := range c.Mounts {
		m := &c.Mounts[i]
		switch clean := path.Clean(m.Guest); {
		case !path.IsAbs(m.Guest) || clean == "/" || strings.ContainsRune(m.Guest, 0):
			return fmt.Errorf("mount %q: want an absolute path below / for the guest's side", m.Guest)
		case clean != strings.TrimRight(m.Guest, "/"):
			// Cleaned, it could name what nobody meant.
			return fmt.Errorf("mount %q: the guest's side has empty elements, \".\" or \"..\": want %q or another", m.Guest, clean)
		case clean == "/bin" || strings.HasPrefix(clean, "/bin/"):
			return fmt.Errorf("mount %q: /bin is a link to /usr/bin", m.Guest)
		default:
			m.Guest = clean
		}
		if m.Host == "" {
			return fmt.Errorf("mount %q: no host directory", m.Guest)
		}
	}
	for _, f := range c.Files {
		if !path.IsAbs(f.Path) || path.Clean(f.Path) != f.Path || f.Path == "/" || strings.ContainsRune(f.Path, 0) {
			return fmt.Errorf("file %q: want a clean absolute path", f.Path)
		}
		for _, dir := range []string{"/bin", "/usr/bin", "/dev", "/proc"} {
			if f.Path == dir || strings.HasPrefix(f.Path, dir+"/") {
				return fmt.Errorf("file %q: %s is the sandbox's own; programs may be put into /usr/local/bin", f.Path, dir)
			}
		}
		for _, dir := range c.hostDirs() {
			if f.Path == dir || strings.HasPrefix(f.Path, dir+"/") {
				return fmt.Errorf("file %q: %s, which is of the host, would hide it", f.Path, dir)
			}
		}
	}
	if err := c.checkUsers(); err != nil {
		return err
	}
	return checkEnv(c.Env)
}

// hostDirs returns the clean paths inside at which directories of the host are
// bound, and that of the workspace in any case.
func (c *Config) hostDirs() []string {
	dirs := []string{workspaceDir}
	for _, m := range c.Mounts {
		dirs = append(dirs, m.Guest)
	}
	return dirs
}

// checkHostname keeps what is no name of a host out of uname and /etc/hosts.
//
// Linux: HOST_NAME_MAX.
func checkHostname(name string) error {
	const most = 64
	bad := func(r rune) bool {
		return (r < 'a' || r > 'z') && (r < 'A' || r > 'Z') && (r < '0' || r > '9') && !strings.ContainsRune("-_.", r)
	}
	if len(name) > most || strings.ContainsFunc(name, bad) {
		return fmt.Errorf("host name %.80q: want at most %d letters, digits, \"-\", \"_\" and \".\"", name, most)
	}
	return nil
}

func checkEnv(env []string) error {
	for _, kv := range env {
		name, _, ok := strings.Cut(kv, "=")
		if !ok || name == "" || strings.ContainsRune(kv, 0) {
			return fmt.Errorf("environment entry %q: want NAME=value without NUL", kv)
		}
	}
	return nil
}

// mergeEnv returns base with the entries of over added; a later entry replaces
// an earlier one of the same name, in its place.
func mergeEnv(base, over []string) []string {
	out := append([]string(nil), base...)
	at := make(map[string]int, len(out)+len(over))
	for i, kv := range out {
		name, _, _ := strings.Cut(kv, "=")
		at[name] = i
	}
	for _, kv := range over {
		name, _, _ := strings.Cut(kv, "=")
		if i, ok := at[name]; ok {
			out[i] = kv
			continue
		}
		at[name] = len(out)
		out = append(out, kv)
	}
	return out
}
