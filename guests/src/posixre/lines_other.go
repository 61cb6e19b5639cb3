// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !wasip1 && !linux

package posixre

// hostRun is what is kept between runs by the host: nothing here.
type hostRun struct{}

func hostWorth(int) bool { return false }

func (re *Regexp) hostLines([]byte, int, []uint32) (int, int, error) { return 0, 0, ErrTooBig }

func (re *Regexp) hostMatches([]byte, int, bool, []uint32) (int, int, error) { return 0, 0, ErrTooBig }
