package scip

import (
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// An Encoding is what characters of a line are counted in.
type Encoding int32

// The encodings.
const (
	Unspecified Encoding = 0
	UTF8        Encoding = 1
	UTF16       Encoding = 2
	UTF32       Encoding = 3
)

// encodingOf is that of a document that declares none: what the compilers of
// its language count in.
func encodingOf(d *Document) Encoding {
	switch {
	case d.Encoding >= UTF8 && d.Encoding <= UTF32:
		return d.Encoding
	case strings.EqualFold(d.Language, "go"), strings.EqualFold(d.Language, "c"), strings.EqualFold(d.Language, "cpp"),
		strings.EqualFold(d.Language, "rust"):
		return UTF8
	}
	return UTF16
}

// offset is the byte of a line that a character is at; false if there is none.
func (e Encoding) offset(line string, char int32) (int, bool) {
	if e == UTF8 {
		return int(char), int(char) <= len(line)
	}
	at := 0
	for n := int32(0); n < char; {
		if at >= len(line) {
			return 0, false
		}
		r, size := utf8.DecodeRuneInString(line[at:])
		at += size
		n++
		if e == UTF16 && utf16.RuneLen(r) == 2 {
			n++
		}
	}
	return at, true
}
