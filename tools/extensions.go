// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package tools

// extensions returns the tools beside the contract's.
func (m *Manager) extensions() []*Tool { return nil }
