// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

// Package eventlog writes and reads the record of what sessions did: an event
// log in JSON lines, and the stream of a terminal as an asciicast.
//
// # Event log
//
// The first line is a Header, each other one an Event. Sequence numbers count
// from 1; "us" is the time that the log was open until then, by the monotonic
// clock, in microseconds. Both go on when a log is opened again. Bytes that are not UTF-8 stand in
// "base64" in place of "data".
//
//	{"format":"wsandbox-events","version":1,"time":"2026-01-02T03:04:05.678901Z"}
//	{"seq":1,"us":12,"time":"…","session":1,"kind":"spawn","args":["sh","-c","echo hi"],"dir":"/workspace"}
//	{"seq":2,"us":900,"time":"…","session":1,"kind":"output","stream":"stdout","data":"hi\n"}
//	{"seq":3,"us":950,"time":"…","session":1,"kind":"exit","code":0}
//
// # Asciicast
//
// NewCast writes asciicast version 2: a header line with the size of the
// terminal, then lines [seconds, code, data] with the codes "o" (output), "i"
// (input), "r" (resize, "COLSxROWS") and "m" (marker). The reader also takes
// version 3, whose times are relative and which has the code "x" (exit status).
// The environment is not recorded.
//
// # Crashes and bounds
//
// Each line is one write, so a process that dies leaves at most one torn line
// at the end. Readers skip it, OpenLog and OpenCast remove it before they
// append. A log is bounded: OpenLog keeps the last two files, New and NewCast
// leave out data beyond the bound. Both say so in the record, with the bytes
// that are missing. Options.Mask sees every string before it is written.
package eventlog
