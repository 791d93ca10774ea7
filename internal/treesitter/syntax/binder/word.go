package binder

import "strings"

// Words is the set of the words of a text.
func Words(text string) map[string]bool {
	all := map[string]bool{}
	for word := range strings.FieldsSeq(text) {
		all[word] = true
	}
	return all
}

// IsAlnum reports whether c is a letter or a digit of ASCII.
func IsAlnum(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9'
}

// IsWord reports whether c may be a part of a name.
func IsWord(c byte) bool { return c == '_' || IsAlnum(c) || c >= 0x80 }

// IsDigit reports whether c is a digit.
func IsDigit(c byte) bool { return c >= '0' && c <= '9' }

// IsUpper reports whether a name begins with a capital letter.
func IsUpper(name string) bool { return name != "" && name[0] >= 'A' && name[0] <= 'Z' }

// PlainName reports whether a text is names with dots between.
func PlainName(s string) bool {
	for i := range len(s) {
		if !IsWord(s[i]) && (s[i] != '.' || i == 0 || i == len(s)-1 || s[i-1] == '.') {
			return false
		}
	}
	return s != "" && !IsDigit(s[0])
}
