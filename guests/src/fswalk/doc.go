// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

// Package fswalk walks file trees for commands such as find, du, rm and chmod
// -R: before and after each directory, with files described by what reading the
// directory already said, through directory descriptors, and without recursion,
// so that neither the depth of a tree nor the length of its paths is limited.
package fswalk
