// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

// Command sh is the shell guest: sh and bash, chosen by the name it is started
// with.
package main
