// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package tools

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/wsandbox/wsandbox/engine/abi"
)

// SendSignal sends a signal to every process of a session. Its error tells that
// there is no such session or signal, or is ESRCH where the command has ended.
func (m *Manager) SendSignal(id int64, sig abi.Signal) error {
	s, err := m.find(id)
	if err != nil {
		return err
	}
	p := m.process(s)
	if p == nil {
		return abi.ESRCH
	}
	return p.Signal(sig)
}

// signalOf returns the signal that a name, with or without SIG, or a number
// stands for.
func signalOf(name string) (abi.Signal, bool) {
	name = strings.ToUpper(strings.TrimSpace(name))
	if n, err := strconv.Atoi(name); err == nil {
		return abi.Signal(n), n > 0 && n < 1<<8 && abi.Signal(n).Valid()
	}
	return abi.SignalByName(name)
}

func (m *Manager) signalTool() *Tool {
	return &Tool{
		Name:        "send_signal",
		Description: "Sends a signal, such as INT, TERM, HUP, STOP or CONT, to all processes of a session.",
		InputSchema: objectSchema(sessionProperty(),
			property{"signal", typeText, "Name or number of the signal.", true}),
		OutputSchema:  doneSchema(),
		NeedsApproval: m.opt.WriteApproval,
		Call: m.extension("send_signal", func(x *extensionCall) (Result, error) {
			id, name := x.sessionID(), x.args.text("signal", true)
			sig, ok := signalOf(name)
			if !ok {
				x.args.fail("signal", "%q is no signal", name)
			}
			if x.args.err != nil {
				return Result{}, x.args.err
			}
			if err := m.SendSignal(id, sig); err != nil {
				return Result{}, err
			}
			return done(fmt.Sprintf("Sent %s to session %d.", sig, id)), nil
		}),
	}
}
