// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package main

import (
	"context"
	"runtime"
	"time"
)

// latency measures how soon a spinning guest ends, and how long the host's
// garbage collector waits while two guests spin.
func (b *bench) latency() {
	sb, err := b.sandbox()
	if err != nil {
		b.fail("latency", err)
		return
	}
	defer sb.Close()
	var stopped time.Time
	b.pairSelf("kill of a spinning shell", func() (time.Duration, error) {
		ctx, cancel := context.WithCancel(b.ctx)
		defer cancel()
		s, err := sb.Shell("while :; do :; done").Start(ctx)
		if err != nil {
			return 0, err
		}
		t := time.NewTimer(50 * time.Millisecond)
		<-t.C
		stopped = time.Now()
		s.Kill()
		_ = s.Wait() // ends by SIGKILL
		return time.Since(stopped), nil
	})
	b.pairSelf("runtime.GC() while two guests spin", func() (time.Duration, error) {
		ctx, cancel := context.WithCancel(b.ctx)
		defer cancel()
		for range 2 {
			if _, err := sb.Shell("while :; do :; done").Start(ctx); err != nil {
				return 0, err
			}
		}
		t := time.NewTimer(50 * time.Millisecond)
		<-t.C
		begin := time.Now()
		runtime.GC()
		return time.Since(begin), nil
	})
}

// pairSelf prints the median of what f measures itself.
func (b *bench) pairSelf(name string, f func() (time.Duration, error)) {
	if !b.only.MatchString(name) {
		return
	}
	var l []time.Duration
	for range b.runs {
		d, err := f()
		if err != nil {
			b.fail(name, err)
			return
		}
		l = append(l, d)
	}
	printOne(name, short(median(l)), "")
}
