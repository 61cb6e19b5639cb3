// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

//go:build race

package wasmbin

// raceDetector tells that the tests run under the race detector.
const raceDetector = true
