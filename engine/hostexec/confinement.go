// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package hostexec

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
)

// Confinement limits what files a command reaches and whether it has a network.
// The zero value gives it the system's programs and libraries to read and run,
// the usual devices, and nothing else.
//
// A program of root keeps of its capabilities those over files and its identity.
//
// Paths are absolute and must exist. One that is a symbolic link stands for what
// it leads to when the command starts. Cmd.Path itself can always be run.
type Confinement struct {
	// Require makes Start fail with ErrConfinement where files cannot be
	// limited, or the network cannot be taken although Network is false.
	// Otherwise Process.Confined tells what could be done.
	Require bool
	// ReadWrite and ReadOnly name directories with all below them, and files.
	// What is in ReadOnly can be read and run.
	ReadWrite, ReadOnly []string
	// NoSystem leaves out the system's directories; ReadOnly then has to name
	// the libraries that the program needs.
	NoSystem bool
	// Network leaves the network as the user has it.
	Network bool
}

// Report tells what limits a host can set, or has set for a command.
type Report struct {
	// Mechanism is "landlock", "landlock+seccomp", "seatbelt", or "" for none.
	Mechanism string
	// ABI is the kernel's Landlock version, 0 where there is none.
	ABI int
	// Files: only named files are reached. Network: no socket other than between
	// local processes, and those only to the command's own. Signals: none leave
	// the command. Tree: killing finds every process, however detached.
	Files, Network, Signals, Tree bool
	// Missing says in words what is not in force, one reason each.
	Missing []string
}

// String returns one line for a person, such as "landlock+seccomp (ABI 7):
// files, network, signals".
func (r Report) String() string {
	if r.Mechanism == "" {
		return "no confinement"
	}
	var s strings.Builder
	s.WriteString(r.Mechanism)
	if r.ABI > 0 {
		fmt.Fprintf(&s, " (ABI %d)", r.ABI)
	}
	sep := ": "
	for _, part := range []struct {
		in   bool
		name string
	}{{r.Files, "files"}, {r.Network, "network"}, {r.Signals, "signals"}} {
		if part.in {
			s.WriteString(sep + part.name)
			sep = ", "
		}
	}
	return s.String()
}

// Support reports what this host can do. It starts nothing.
func Support() Report { return support() }

// resolved is a Confinement whose paths are real.
type resolved struct {
	readWrite, readOnly []string
	system, network     bool
}

func (c *Confinement) resolve() (resolved, error) {
	r := resolved{system: !c.NoSystem, network: c.Network}
	for _, list := range []struct {
		from []string
		to   *[]string
	}{{c.ReadWrite, &r.readWrite}, {c.ReadOnly, &r.readOnly}} {
		for _, p := range list.from {
			if !filepath.IsAbs(p) || strings.IndexByte(p, 0) >= 0 {
				return resolved{}, invalid("confinement path %q is not absolute", p)
			}
			real, err := filepath.EvalSymlinks(p)
			if err != nil {
				return resolved{}, fmt.Errorf("hostexec: confinement: %w", err)
			}
			*list.to = append(*list.to, real)
		}
	}
	return r, nil
}

// require gives ErrConfinement when r does not hold what c requires.
func (c *Confinement) require(r Report) error {
	if c.Require && (!r.Files || !c.Network && !r.Network) {
		return fmt.Errorf("%w: %s", ErrConfinement, strings.Join(r.Missing, "; "))
	}
	return nil
}

// isDir is for rules that differ for directories.
func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}
