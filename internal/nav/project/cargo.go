package project

import (
	"strings"

	"github.com/ragnav/ragnav/internal/nav/facts"
)

// cargoFile reads the name of a crate and of the file of its library.
func cargoFile(f *facts.File, text string) bool {
	section := ""
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "[") {
			section = strings.Trim(line, "[]")
			continue
		}
		m := assignment.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		value := quotedText.FindStringSubmatch(m[2])
		switch {
		case value == nil:
		case section == "package" && m[1] == "name" && f.Package == "", section == "lib" && m[1] == "name":
			f.Package = value[1] + value[2]
		case section == "lib" && m[1] == "path":
			say(f, "main", "", value[1]+value[2])
		}
	}
	return f.Package != ""
}
