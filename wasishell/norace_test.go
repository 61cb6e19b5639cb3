// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !race

package wasishell_test

// raceDetector says whether everything is ten times slower.
const raceDetector = false
