// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

//go:build !linux

package image

import "testing"

// Only Linux tells.
func mappings(testing.TB) int    { return 0 }
func descriptors(testing.TB) int { return 0 }
