// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package abi_test

import (
	"encoding/hex"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/wsandbox/wsandbox/engine/abi"
)

// What TCGETS2 stores for a new pseudoterminal of Linux, with IUTF8 set.
const defaultTermios = "00450000" + "05000000" + "bf000000" + "3b8a0000" + "00" +
	"031c7f150400010011131a00120f1716000000" + "00960000" + "00960000"

func TestTermios(t *testing.T) {
	def := abi.DefaultTermios()
	b := make([]byte, abi.TermiosSize)
	require.NoError(t, def.Put(b))
	require.Equal(t, defaultTermios, hex.EncodeToString(b))
	got, err := abi.ParseTermios(append(b, 0xff))
	require.NoError(t, err)
	require.Equal(t, def, got)

	require.Equal(t, error(abi.EINVAL), def.Put(b[:abi.TermiosSize-1]))
	_, err = abi.ParseTermios(b[:abi.TermiosSize-1])
	require.Equal(t, error(abi.EINVAL), err)

	raw := def
	raw.MakeRaw()
	require.Equal(t, abi.Termios{
		Iflag: abi.IUTF8, Oflag: abi.ONLCR, Cflag: abi.B38400 | abi.CS8 | abi.CREAD,
		Lflag: abi.ECHOE | abi.ECHOK | abi.ECHOCTL | abi.ECHOKE, CC: def.CC, Ispeed: 38400, Ospeed: 38400,
	}, raw)
}

func FuzzParseTermios(f *testing.F) {
	b, _ := hex.DecodeString(defaultTermios)
	f.Add(b)
	f.Add([]byte{})
	f.Fuzz(func(t *testing.T, b []byte) {
		v, err := abi.ParseTermios(b)
		require.Equal(t, len(b) < abi.TermiosSize, err != nil)
		if err != nil {
			return
		}
		out := make([]byte, abi.TermiosSize)
		require.NoError(t, v.Put(out))
		require.Equal(t, b[:abi.TermiosSize], out)
	})
}
