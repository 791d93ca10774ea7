package intent

import (
	"strings"
	"unicode"
)

// wordsOf are the words of a name in lower case, cut at underscores, hyphens and capitals;
// nil if it is only one. "HTTPServer" is http and server, "get_userID" get, user and id.
func wordsOf(name string) []string {
	cuts := func(r rune) bool { return unicode.IsUpper(r) || r == '_' || r == '-' }
	if !strings.ContainsFunc(name[min(1, len(name)):], cuts) {
		return nil
	}
	var words []string
	runes := []rune(name)
	start := 0
	cut := func(end int) {
		if end > start {
			words = append(words, strings.ToLower(string(runes[start:end])))
		}
		start = end
	}
	for i, r := range runes {
		switch {
		case r == '_' || r == '-':
			cut(i)
			start = i + 1
		case unicode.IsUpper(r) && i > 0 &&
			(!unicode.IsUpper(runes[i-1]) || i+1 < len(runes) && unicode.IsLower(runes[i+1])):
			cut(i)
		}
	}
	cut(len(runes))
	if len(words) < 2 {
		return nil
	}
	return words
}

// Spellings are a name of several words as languages join them: together, with underscores
// and with hyphens, all in lower case; but the one that it has.
func (id Identifier) Spellings() []string {
	if id.Words == nil {
		return nil
	}
	var all []string
	for _, sign := range []string{"", "_", "-"} {
		if joined := strings.Join(id.Words, sign); joined != id.Low {
			all = append(all, joined)
		}
	}
	return all
}

// SameWords reports whether a name is of the same words, however they are joined.
func (id Identifier) SameWords(name string) bool {
	if id.Words == nil {
		return false
	}
	rest := name
	for i, word := range id.Words {
		if i > 0 {
			rest = strings.TrimLeft(rest, "_-")
		}
		if len(rest) < len(word) || !strings.EqualFold(rest[:len(word)], word) {
			return false
		}
		rest = rest[len(word):]
	}
	return rest == ""
}
