// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package kernel_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wsandbox/wsandbox/engine/abi"
	"github.com/wsandbox/wsandbox/engine/kernel"
)

// TestBehind has work put off that may only run once the process has been
// waited for, and before the next image of an exec.
func TestBehind(t *testing.T) {
	e := newEnv(t, kernel.Limits{})
	reaped, done := make(chan struct{}), make(chan struct{})
	e.ok(func(p *kernel.Process) {
		e.bin.set("child", func(c *kernel.Process) abi.WaitStatus {
			c.Behind(func() {
				<-reaped
				close(done)
			})
			return abi.ExitedWith(3)
		})
		pid, err := p.Spawn(spec("child"))
		require.NoError(t, err)
		require.Equal(t, 3, e.reap(p, pid).Status.ExitStatus())
		close(reaped)
		<-done

		order := ""
		e.bin.set("second", func(*kernel.Process) abi.WaitStatus {
			order += "second "
			return 0
		})
		e.bin.set("first", func(c *kernel.Process) abi.WaitStatus {
			c.Behind(func() { order += "behind " })
			require.NoError(t, c.Exec(spec("second")))
			return 0
		})
		pid, err = p.Spawn(spec("first"))
		require.NoError(t, err)
		e.reap(p, pid)
		require.Equal(t, "behind second ", order)
	})
}

// TestInherited asks which descriptors an exec would leave open.
func TestInherited(t *testing.T) {
	e := newEnv(t, kernel.Limits{})
	e.ok(func(p *kernel.Process) {
		inherited := func() uint64 {
			i, err := p.Info(0)
			require.NoError(t, err)
			return i.Inherited
		}
		before := inherited()
		r, w, err := p.Pipe(abi.OCloexec)
		require.NoError(t, err)
		require.Equal(t, before, inherited())
		err = p.DupTo(r, 63, 0)
		require.NoError(t, err)
		err = p.DupTo(w, 64, 0)
		require.NoError(t, err)
		require.Equal(t, before|1<<63, inherited())
		require.NoError(t, p.Close(63))
		require.Equal(t, before, inherited())
	})
}
