package project

import (
	"regexp"
	"strings"

	"github.com/ragnav/ragnav/internal/nav/facts"
)

var (
	assignment = regexp.MustCompile(`^\s*"?([\w.-]*)"?\s*=\s*(.*)$`)
	quotedText = regexp.MustCompile(`"([^"]*)"|'([^']*)'`)
)

// pythonFile reads the name of a project and the folders that its packages are
// in, as setuptools, poetry, hatch and pytest name them. Values over several
// lines are read up to the closing bracket.
func pythonFile(f *facts.File, text string) bool {
	section, open := "", ""
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "[") && open == "" {
			section = strings.Trim(line, "[]")
			continue
		}
		if open != "" {
			sources(f, section, open, line)
			if strings.HasSuffix(line, "]") || strings.HasSuffix(line, "}") {
				open = ""
			}
			continue
		}
		m := assignment.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		key, value := m[1], m[2]
		if key == "name" && (section == "project" || section == "tool.poetry" || section == "metadata") {
			f.Package = strings.Trim(value, `"' `)
		}
		sources(f, section, key, value)
		if strings.HasPrefix(value, "[") && !strings.HasSuffix(value, "]") {
			open = key
		}
	}
	return true
}

// sources adds the folders that a value names, if its key is one of those.
func sources(f *facts.File, section, key, value string) {
	switch key {
	case "where", "package-dir", "package_dir", "packages", "pythonpath", "sources", "testpaths":
	case "":
		if section != "tool.setuptools.package-dir" && section != "options" {
			return
		}
	default:
		if section != "tool.setuptools.package-dir" {
			return
		}
	}
	if key == "packages" && !strings.Contains(value, "from") {
		return
	}
	if !strings.ContainsAny(value, `"'`) {
		value = `"` + strings.TrimSpace(strings.TrimPrefix(value, "=")) + `"`
	}
	for _, m := range quotedText.FindAllStringSubmatch(value, -1) {
		if dir := m[1] + m[2]; dir != "" && dir != "=" && !strings.ContainsAny(dir, "*[]{}") {
			say(f, "source", "", dir)
		}
	}
}
