// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package engine

import (
	"context"
	"io"

	"github.com/tetratelabs/wazero"
	"github.com/tetratelabs/wazero/api"

	"github.com/wsandbox/wsandbox/engine/internal/image"
	"github.com/wsandbox/wsandbox/engine/internal/wasihost"
)

// host gives programs their imports.
type host struct{ trace io.Writer }

var _ image.Host = host{}

func (h host) Instantiate(ctx context.Context, rt wazero.Runtime) error {
	return wasihost.Instantiate(ctx, rt, wasihost.Config{
		Trace: h.trace,
		Yield: func(c *wasihost.Context, _ api.Module) { image.Yield(c) },
	})
}

func (h host) InitContext(parent context.Context) context.Context {
	c := wasihost.NewInitContext()
	c.SetParent(parent)
	return c
}
