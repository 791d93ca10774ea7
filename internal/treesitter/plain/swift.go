package plain

import (
	"strings"

	"github.com/ragnav/ragnav/internal/pattern"
)

// swiftHash is a hash and the word after it.
var swiftHash = pattern.NewLazy(`#([A-Za-z_]\w*)`)

// swiftRange is the declaration of an operator that the grammar does not know as a name.
var swiftRange = pattern.NewLazy(`\bfunc\s+(\.\.[.<])`)

// swiftKnown are the words that the grammar knows behind a hash. Others are
// macros: "#expect(a == b)", "#Preview { … }".
var swiftKnown = map[string]bool{
	"if": true, "elseif": true, "else": true, "endif": true, "available": true, "unavailable": true,
	"sourceLocation": true, "error": true, "warning": true,
	"selector": true, "keyPath": true, "colorLiteral": true, "fileLiteral": true, "imageLiteral": true,
	"file": true, "fileID": true, "filePath": true, "line": true, "column": true, "function": true, "dsohandle": true,
}

// Swift takes the hash from macros, which the grammar does not know: what
// is left is a call, or a name. It writes "+++" where "..." and "..<" are declared.
func Swift(text string) string {
	var out []byte
	for _, m := range swiftRange().FindAllStringSubmatchIndex(text, -1) {
		out = writable(out, text)
		copy(out[m[2]:m[3]], "+++")
	}
	if !strings.Contains(text, "#") {
		return written(out, text)
	}
	for _, m := range swiftHash().FindAllStringSubmatchIndex(text, -1) {
		if !swiftKnown[text[m[2]:m[3]]] {
			out = writable(out, text)
			out[m[0]] = ' '
		}
	}
	return written(out, text)
}
