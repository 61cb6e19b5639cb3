// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package tools

import (
	"io"
	"time"
)

// SessionInfo describes a command that was started.
type SessionInfo struct {
	// Serial counts the commands of a manager from 1.
	Serial uint64
	// Command is the script, Args what runs it, Dir where.
	Command string
	Args    []string
	Dir     string
	User    string // "": the sandbox's own
	TTY     bool
	Size    Winsize // of the terminal
	Stdin   bool    // input can be written
	Started time.Time
}

// Exit tells how a command ended.
type Exit struct {
	// Code is the exit status, or the negative number of the signal that
	// ended the command.
	Code int
	// Limit names the limit that ended it, or is empty.
	Limit string
}

// Observer is told what happens to sessions, each by its serial number. Calls
// about one session come one at a time, Exited last. They must return soon and
// must not call back; they must not keep or change p. Secrets are masked in
// output, not in input.
type Observer interface {
	Started(info SessionInfo)
	Input(serial uint64, p []byte)
	Output(serial uint64, p []byte)
	Resized(serial uint64, size Winsize)
	Exited(serial uint64, e Exit)
}

// LogFile is a file for the output of one session. *os.File is one.
type LogFile interface {
	io.Writer
	io.ReaderAt
	io.Closer
}
