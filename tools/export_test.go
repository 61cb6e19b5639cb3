// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package tools

// SharedRuntime is for the tests of package tools_test.
var SharedRuntime = sharedRuntime
