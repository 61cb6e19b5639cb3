// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"bytes"
	"fmt"
	"io"
	"sync"

	"github.com/wsandbox/wsandbox/tools"
	"github.com/wsandbox/wsandbox/tools/eventlog"
)

// agentTrace is the event log of all client sessions of a server. Nil is none.
type agentTrace struct {
	log      *eventlog.Log
	recorder *tools.Recorder

	mu   sync.Mutex
	last uint64 // number given to a command
}

// openAgentTrace opens the event log in a file; "" is none. What cannot be
// recorded is told on errors.
func openAgentTrace(file string, secrets []string, errors io.Writer) (*agentTrace, error) {
	if file == "" {
		return nil, nil
	}
	// Output has no secrets any more. Commands and input, which a model writes,
	// may repeat what it has seen elsewhere.
	mask := func(p []byte) []byte {
		for _, v := range secrets {
			p = bytes.ReplaceAll(p, []byte(v), []byte("<secret-hidden>"))
		}
		return p
	}
	log, err := eventlog.OpenLog(file, eventlog.Options{Mask: mask})
	if err != nil {
		return nil, fmt.Errorf("--trace: %w", err)
	}
	return &agentTrace{
		log: log, last: log.LastSession(),
		recorder: tools.NewRecorder(tools.RecorderOptions{Log: log, Failed: func(_ uint64, err error) {
			fmt.Fprintln(errors, "wsandbox: --trace:", err)
		}}),
	}, nil
}

// observer returns what records one client session: each counts its commands
// from 1, the log those of all.
func (t *agentTrace) observer(uint64) tools.Observer {
	return &numbered{trace: t, numbers: map[uint64]uint64{}}
}

// decided records whether a call was approved. It has no number yet: what is
// denied never gets one.
func (t *agentTrace) decided(_ uint64, r tools.ApprovalRequest, d tools.Decision) {
	_ = t.log.Append(eventlog.Event{ // close tells the error
		Kind: eventlog.KindDecision, Subject: r.Tool + ": " + r.Summary, Allowed: &d.Approved, Reason: d.Message,
	})
}

// close ends the log.
func (t *agentTrace) close() error {
	if t == nil {
		return nil
	}
	if err := t.log.Close(); err != nil {
		return fmt.Errorf("--trace: %w", err)
	}
	return nil
}

// numbered gives the commands of a client session numbers that are those of no
// other session.
type numbered struct {
	trace *agentTrace

	mu      sync.Mutex
	numbers map[uint64]uint64 // of commands that run
}

func (n *numbered) of(serial uint64) uint64 {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.numbers[serial]
}

func (n *numbered) Started(info tools.SessionInfo) {
	n.trace.mu.Lock()
	n.trace.last++
	number := n.trace.last
	n.trace.mu.Unlock()
	n.mu.Lock()
	n.numbers[info.Serial] = number
	n.mu.Unlock()
	info.Serial = number
	n.trace.recorder.Started(info)
}

func (n *numbered) Input(serial uint64, p []byte)  { n.trace.recorder.Input(n.of(serial), p) }
func (n *numbered) Output(serial uint64, p []byte) { n.trace.recorder.Output(n.of(serial), p) }
func (n *numbered) Resized(serial uint64, size tools.Winsize) {
	n.trace.recorder.Resized(n.of(serial), size)
}

func (n *numbered) Exited(serial uint64, e tools.Exit) {
	n.trace.recorder.Exited(n.of(serial), e)
	n.mu.Lock()
	delete(n.numbers, serial)
	n.mu.Unlock()
}
