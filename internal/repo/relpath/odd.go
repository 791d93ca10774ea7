package relpath

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// What oddName says.
const (
	NotUTF8     = "the name is not valid UTF-8"
	HasControls = "the name has control characters"
)

// Odd says why a path can't be a name in JSON and on a terminal; "" when it can.
func Odd(p string) string {
	if !utf8.ValidString(p) {
		return NotUTF8
	}
	if strings.ContainsFunc(p, unicode.IsControl) {
		return HasControls
	}
	return ""
}

// Printable is an odd name with its bytes written as escapes, one to one.
func Printable(p string) string {
	q := strconv.Quote(p)
	return q[1 : len(q)-1]
}

// OddOf is the odd name that Printable writes so; false where none is.
func OddOf(printable string) (name string, ok bool) {
	name, err := strconv.Unquote(`"` + printable + `"`)
	return name, err == nil && Odd(name) != "" && Printable(name) == printable
}
