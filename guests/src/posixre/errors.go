// SPDX-FileCopyrightText: 2026 The wsandbox Authors
// SPDX-License-Identifier: Apache-2.0

package posixre

// Error is what a pattern, or a search, can fail with. Its text is that of the
// GNU C library's regerror.
type Error uint8

// Errors of [Compile], and ErrTooComplex of a search with back-references.
const (
	ErrBadPattern   Error = iota + 1
	ErrCollate            // [. .] with something that is not one character
	ErrClass              // [: :] with an unknown name
	ErrEscape             // a backslash at the end
	ErrBackref            // a group that is not complete at that place
	ErrBracket            // [ without ]
	ErrParen              // ( without )
	ErrBrace              // { without }
	ErrInterval           // a bad repetition count
	ErrRange              // a bad range in a bracket expression
	ErrTooBig             // counts or program beyond the limits
	ErrOperand            // a repetition without operand
	ErrRightParen         // ) without (
	ErrTooComplex         // search ended at its limit of steps
	ErrClassBracket       // [:class:] outside of brackets, as grep reports it
)

var errorText = [...]string{
	ErrBadPattern:   "Invalid regular expression",
	ErrCollate:      "Invalid collation character",
	ErrClass:        "Invalid character class name",
	ErrEscape:       "Trailing backslash",
	ErrBackref:      "Invalid back reference",
	ErrBracket:      "Unmatched [, [^, [:, [., or [=",
	ErrParen:        "Unmatched ( or \\(",
	ErrBrace:        "Unmatched \\{",
	ErrInterval:     "Invalid content of \\{\\}",
	ErrRange:        "Invalid range end",
	ErrTooBig:       "Regular expression too big",
	ErrOperand:      "Invalid preceding regular expression",
	ErrRightParen:   "Unmatched ) or \\)",
	ErrTooComplex:   "regular expression search too complex",
	ErrClassBracket: "character class syntax is [[:space:]], not [:space:]",
}

// Error returns the message.
func (e Error) Error() string {
	if int(e) < len(errorText) && e != 0 {
		return errorText[e]
	}
	return "regular expression error"
}
