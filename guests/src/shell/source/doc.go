// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

// Package source prepares shell text for a parser that reads everything
// statically.
//
// [Prepare] expands aliases, which the grammar defines on tokens, and masks the
// places whose meaning is known only at run time: arithmetic such as
// $((a $op b)), array subscripts such as h[a/b] and slices. A mask is the digit
// 0 and blanks of the same length, so that positions in the masked text are
// positions in the text itself, from which the real content is read later.
package source
