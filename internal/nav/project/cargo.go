package project

import (
	"regexp"
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/nav/facts"
)

// cargoFile reads the name of a crate, of the file of its library, and under which
// names other crates are known to it, or to the crates of its workspace; also that it is
// of the edition of 2015, as those that don't say, and the files of its other targets.
func cargoFile(f *facts.File, text string) bool {
	section, edition := "", "2015"
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "[") {
			section, _, _ = strings.Cut(line, "#")
			section = strings.Trim(strings.TrimSpace(section), "[]")
			continue
		}
		m := assignment.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		if section == "package" && strings.HasPrefix(m[1], "edition") { // or edition.workspace
			edition = strings.Trim(m[2], `"' `)
		}
		value := quotedText.FindStringSubmatch(m[2])
		switch {
		case strings.Contains(section, "dependencies"):
			renamedCrate(f, section, m[1], m[2])
		case value == nil:
		case section == "package" && m[1] == "name" && f.Package == "", section == "lib" && m[1] == "name":
			f.Package = value[1] + value[2]
		case section == "lib" && m[1] == "path":
			say(f, "main", "", value[1]+value[2])
		case m[1] == "path" && slices.Contains([]string{"bin", "test", "example", "bench"}, section):
			say(f, "target", "", value[1]+value[2])
		}
	}
	if f.Package != "" && edition == "2015" {
		say(f, "edition", "", edition)
	}
	return f.Package != "" || len(f.Imports) > 0
}

var packageField = regexp.MustCompile(`[{,\s]package\s*=\s*(?:"([^"]*)"|'([^']*)')`)

// renamedCrate notes the name that code has for a crate.
func renamedCrate(f *facts.File, section, key, value string) {
	kind := "renamed"
	if strings.HasPrefix(section, "workspace.") {
		kind = "renamed below"
	}
	if name := packageField.FindStringSubmatch(value); name != nil {
		say(f, kind, strings.ReplaceAll(key, "-", "_"), name[1]+name[2])
	}
	_, as, table := strings.Cut(section, "dependencies.")
	if name := quotedText.FindStringSubmatch(value); table && key == "package" && name != nil {
		say(f, kind, strings.ReplaceAll(strings.Trim(as, `"`), "-", "_"), name[1]+name[2])
	}
}
