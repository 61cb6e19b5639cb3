// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

// Package datetime reads and prints dates and times for commands: the calendar,
// time zones by POSIX TZ strings and zone files, the formats of date(1) and
// strftime(3), and the free-form dates that GNU date -d accepts.
//
// It stands in for package time, which does not read POSIX zone strings, knows
// no GNU formats, and looks for zones through package os.
package datetime
