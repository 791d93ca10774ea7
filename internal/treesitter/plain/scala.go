package plain

import "github.com/ragnav/ragnav/internal/pattern"

// moreParameters matches what is between type parameters of a Scala function and more of them:
// "](using Frame)[" of "def ask[A](using Frame)[B](f: A => B)".
var moreParameters = pattern.NewLazy(`(\]?)(?:\s*\(\s*using\b[^()]*\))+\s*\[`)

// modifiedEnum matches an enum that begins with a modifier.
var modifiedEnum = pattern.NewLazy(`(?m)^[ \t]*((?:private|protected)(?:\[\w+\])?[ \t]+enum)\b`)

// freeParameters matches type parameters of a function without a name: "(f: [A] => A => A)".
var freeParameters = pattern.NewLazy(`(?:^|[=(,:{\n])[ \t]*(\[[^\[\]()=\n]*\][ \t]*=>)[^>]`)

// Scala puts what the grammar can read in the place of what it can't.
func Scala(text string) string {
	hidden := []byte(text)
	for _, m := range moreParameters().FindAllStringSubmatchIndex(text, -1) {
		blank(hidden[m[0] : m[1]-1])
		if m[3] > m[2] {
			hidden[m[2]], hidden[m[1]-1] = ',', ' '
		}
	}
	for _, m := range modifiedEnum().FindAllStringSubmatchIndex(text, -1) {
		blank(hidden[m[2]:m[3]])
		copy(hidden[m[2]:], "enum") // what is indented stays so
	}
	for _, m := range freeParameters().FindAllStringSubmatchIndex(text, -1) {
		blank(hidden[m[2]:m[3]])
	}
	return string(hidden)
}
