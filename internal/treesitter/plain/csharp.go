package plain

import (
	"strings"

	"github.com/ragnav/ragnav/internal/pattern"
)

const (
	csharpHead = `(?m)^[ \t]*(?:\[[^\]\n]*\][ \t]*)*(?:(?:public|private|protected|internal|file|new|static|sealed|` +
		`abstract|partial|readonly|ref|unsafe)[ \t]+)*`
	csharpName   = `[ \t]+\w+(?:<[^;{}()]*>)?\s*`
	csharpParams = `\((?:[^(){};]|\([^(){};]*\))*\)`
)

// What the grammar does not know of C# 12: types without a body, up to the
// semicolon ("class Missing(string name) : Exception(name);"), and parameters
// of structs that are no records.
var (
	csharpBare = pattern.NewLazy(csharpHead + `(?:class|struct|interface)` + csharpName + `(?:` + csharpParams +
		`)?(?:\s*:[^;{}]+)?\s*;`)
	csharpStruct = pattern.NewLazy(csharpHead + `struct` + csharpName + `(` + csharpParams + `)`)
)

// CSharp hides such parameters, and gives types without a body an empty
// one in the place of the semicolon and of the space behind it.
func CSharp(text string) string {
	var out []byte
	if headThen(text, '(', "struct") {
		for _, m := range csharpStruct().FindAllStringSubmatchIndex(text, -1) {
			out = writable(out, text)
			blank(out[m[2]:m[3]])
		}
	}
	if !headThen(text, ';', "class", "struct", "interface") {
		return written(out, text)
	}
	for _, m := range csharpBare().FindAllStringIndex(text, -1) {
		rest := text[m[1]:]
		if rest == "" || strings.IndexByte(" \t\r\n", rest[0]) < 0 ||
			strings.HasPrefix(strings.TrimLeft(rest, " \t\r\n"), "#") {
			continue // no room, or a directive, which must begin a line
		}
		out = writable(out, text)
		copy(out[m[1]-1:], "{}")
	}
	return written(out, text)
}

// csharpBody is what is behind the head of a type at the latest.
const csharpBody = ";{}"

// headThen reports whether a character is behind one of the words, with a name,
// before any brace or semicolon: few files have such a type, and looking for it
// costs half of what parsing does.
func headThen(text string, c byte, words ...string) bool {
	for _, word := range words {
		for rest := text; ; {
			_, behind, found := strings.Cut(rest, word)
			if !found {
				break
			}
			rest = behind
			name := strings.TrimLeft(behind, " \t")
			if name == "" || len(name) == len(behind) || !isNamePart(name[0]) {
				continue
			}
			end := strings.IndexAny(name, csharpBody)
			if end >= 0 && strings.IndexByte(name[:end+1], c) >= 0 {
				return true
			}
		}
	}
	return false
}
