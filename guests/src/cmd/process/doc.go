// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

// Package process has the commands that start, stop, time and show processes:
// env, kill, nice, nohup, printenv, ps, sleep, timeout.
package process
