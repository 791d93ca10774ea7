package plain

import (
	"github.com/ragnav/ragnav/internal/pattern"
)

// What C++20 writes for modules, which the grammar is older than: lines that
// say which module this is and which it needs, and "export" before what it shows.
var (
	moduleLine = pattern.NewLazy(
		`(?m)^[ \t]*(?:export[ \t]+)?(?:module(?:[ \t]+[\w.:]+|[ \t]*:[ \t]*private)?|import[ ` +
			`\t]+(?:[\w.:]+|<[^>\n]+>|"[^"\n]+"))[ \t]*(?:\[\[[^\n]*\]\][ \t]*)?;`)
	moduleExport = pattern.NewLazy(`(?m)^[ \t]*(export)\b`)
	moduleUnit   = pattern.NewLazy(`(?m)^[ \t]*(?:export[ \t]+)?(?:module|import)\b[^=(){}\n]*;|^[ \t]*export\b`)
)

// plainModule puts spaces in the place of all that.
func plainModule(text string) string {
	if !moduleUnit().MatchString(text) {
		return text
	}
	plain := []byte(text)
	for _, m := range moduleLine().FindAllStringIndex(text, -1) {
		blank(plain[m[0]:m[1]])
	}
	for _, m := range moduleExport().FindAllSubmatchIndex(plain, -1) {
		blank(plain[m[2]:m[3]])
	}
	return string(plain)
}

// CPP is a text without what the grammar of C++ does not know.
func CPP(text string) string { return hideAttributes(hideMacros(hideComments(plainModule(text)))) }
