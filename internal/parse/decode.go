package parse

import (
	"bytes"
	"encoding/binary"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// sniffed is how many bytes Decode looks at to tell text from binary.
const sniffed = 8 << 10

// Decode turns a file's bytes into valid UTF-8. A UTF-8 byte order mark is
// removed, UTF-16 with a byte order mark is converted, and text that seems to
// be Windows-1252, or its subset Latin-1, is read as that. Of other text every
// byte that is not UTF-8 becomes U+FFFD. Both put one character for one byte,
// so that line numbers hold. It is not ok for binary content: a NUL or more
// than 30% control characters in the first 8 KiB.
func Decode(b []byte) (text string, ok bool) {
	switch {
	case bytes.HasPrefix(b, []byte("\xef\xbb\xbf")):
		b = b[3:]
	case bytes.HasPrefix(b, []byte("\xff\xfe")):
		b = fromUTF16(b[2:], binary.LittleEndian)
	case bytes.HasPrefix(b, []byte("\xfe\xff")):
		b = fromUTF16(b[2:], binary.BigEndian)
	}
	if isBinary(b[:min(len(b), sniffed)]) {
		return "", false
	}
	if utf8.Valid(b) {
		return string(b), true
	}
	if isWindows1252(b) {
		return fromWindows1252(b), true
	}
	return replaceInvalid(b), true
}

func fromUTF16(b []byte, order binary.ByteOrder) []byte {
	units := make([]uint16, 0, len(b)/2+1)
	for ; len(b) >= 2; b = b[2:] {
		units = append(units, order.Uint16(b))
	}
	if len(b) == 1 {
		units = append(units, utf8.RuneError)
	}
	return []byte(string(utf16.Decode(units)))
}

func isBinary(head []byte) bool {
	control := 0
	for _, c := range head {
		switch {
		case c == 0:
			return true
		case c < ' ' && c != '\t' && c != '\n' && c != '\r' && c != '\f', c == 0x7f:
			control++
		}
	}
	return control*10 > len(head)*3
}

func replaceInvalid(b []byte) string {
	var s strings.Builder
	s.Grow(len(b) + len(b)/8)
	for len(b) > 0 {
		r, size := utf8.DecodeRune(b)
		s.WriteRune(r)
		b = b[size:]
	}
	return s.String()
}
