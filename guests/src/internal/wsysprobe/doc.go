// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

//go:build wasip1

// Command wsysprobe calls every function of package wsys and compares what comes
// back with what must. The tests of the host modules build and run it as
// "/probe", in the directory "/work", with the arguments "all", "two words" and
// "" and the environment "A=b", "EMPTY=". It prints a line for every difference
// and exits with their number.
package main
