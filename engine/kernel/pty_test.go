// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package kernel_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/engine/kernel"
)

func TestPTYKeys(t *testing.T) {
	for key, sig := range map[string]abi.Signal{"\x03": abi.SIGINT, "\x1c": abi.SIGQUIT} {
		for name, body := range map[string]body{"blocked": blocks, "spinning": spin} {
			t.Run(name+" "+sig.String(), func(t *testing.T) {
				e := newEnv(t, kernel.Limits{})
				pty, f := kernel.NewPTY(kernel.PTYOptions{})
				p := e.start(body, kernel.StartOptions{Terminal: pty}, f, f, f)
				_, err := pty.Master().Write([]byte(key))
				require.NoError(t, err)
				require.Equal(t, abi.KilledBy(sig), e.wait(p).Status)
			})
		}
	}
}
