package main

import (
	"strings"
	"testing"
)

// A comment is that of the declaration below it, and no declaration itself.
func TestDocsOf(t *testing.T) {
	const says = "Opens the file and reads all of its lines at once"
	for source, want := range map[string]bool{
		"// " + says + ".\nfunc Open(name string) {":                             true,
		"/**\n * " + says + ".\n */\npublic static List<String> open(Path p) {":  true,
		"# " + says + ".\n@memo\ndef open(name)":                                 true,
		"/// " + says + ".\n#[inline]\npub(crate) fn open(&self) {":              true,
		"/**\n * " + says + ".\n * Then it closes the file (if any) again.\n */": false,
		"// " + says + ".\nreturn open(name)":                                    false,
		"// " + says + ".\n// and more of the same (see there)\n\nx = 1":         false,
	} {
		found := docsOf("a", "", strings.Split(source, "\n"))
		if got := len(found) == 1 && found[0].text == says; got != want || len(found) > 1 {
			t.Errorf("%q: %+v, want one: %v", source, found, want)
		}
	}
}
