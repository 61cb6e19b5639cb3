// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

// Package screen turns what a program writes to its terminal into text.
//
// A Terminal takes the bytes of the master side and keeps what a VT220 with
// xterm's extensions would show. Three results come out of it: the text that
// was printed (Poll), the picture of the moment (Snapshot), and the answers to
// what the program asked of its terminal (Replies).
//
// # What Poll shows
//
// The text is what a person would have read, line by line. A line leaves the
// screen at the top and is final then, or it is still on the screen and may
// change. Each Poll gives what is new since the last one:
//
//   - A line that nobody has seen is given whole, without trailing blanks.
//     What was overwritten or erased before the Poll does not show, so a
//     progress bar is one line in its last state.
//   - A line that has grown at its end, where the text given so far ended,
//     continues there.
//   - A line that was given and differs now is given again, whole, on a line of
//     its own. One that is the same is not. One that is blank now is not.
//   - A line that went over the right margin by itself is one line of text.
//   - Blanks at the end of the cursor's line stay (prompts end with one), and a
//     tab over blank cells stays a tab.
//   - After the whole screen was erased everything on it is new. Text.Cleared
//     counts the lines that were erased before any Poll gave them.
//   - A program on the alternate screen has no lines. Poll gives its picture
//     below a heading, if it differs from the one given before. Leaving the
//     alternate screen gives the last picture, or what of it is new.
//
// The same bytes give the same text however they are cut into writes.
//
// # Hostile bytes
//
// All state is bounded: the grid by its size, control strings, parameters,
// titles, replies, combining marks by constants, text between two polls by
// Options.MaxText. A write costs time linear in its length. Replies have fixed
// forms: nothing that the program sent (titles, settings, clipboard) comes back
// as input.
//
// Filter removes queries from a stream and leaves all else as it is. Sanitizer
// makes a stream harmless that is shown on a person's terminal. Key encodes
// names of keys as the bytes that a terminal would send.
package screen
