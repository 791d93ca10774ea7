package depend

import (
	"encoding/json"
	"path"
	"regexp"
	"strings"
)

// Locks are the names of files that say which versions of modules were chosen,
// those first that are asked first.
func Locks(e Ecosystem) []string {
	switch e {
	case NPM:
		return []string{"package-lock.json", "npm-shrinkwrap.json", "yarn.lock", "pnpm-lock.yaml"}
	case PyPI:
		return []string{"uv.lock", "poetry.lock", "requirements.txt", "requirements.lock"}
	case Cargo:
		return []string{"Cargo.lock"}
	}
	return nil
}

// Locked is the version of a module that a lock file has, "" if it has none. Of
// several it is the one that the project itself gets.
func Locked(p, text, name string) string {
	switch base := path.Base(p); base {
	case "package-lock.json", "npm-shrinkwrap.json":
		return lockedJSON(text, name)
	case "yarn.lock":
		return firstMatch(text, `(?m)^"?`+regexp.QuoteMeta(name)+`@[^\n]*:\n\s+version:? "?([^"\s]+)`)
	case "pnpm-lock.yaml":
		return firstMatch(text, `(?m)^\s+['"]?/?`+regexp.QuoteMeta(name)+`[@/](\d[^:('"\s]*)`)
	case "uv.lock", "poetry.lock", "Cargo.lock":
		return lockedTables(text, name)
	}
	for line := range strings.Lines(text) {
		m := Manifest{}
		m.requirement(withoutComment(strings.TrimSpace(line)))
		if len(m.Needs) == 1 && m.Needs[0].Name.Name == Normalized(name) {
			if version, ok := strings.CutPrefix(m.Needs[0].Version, "=="); ok {
				return version
			}
		}
	}
	return ""
}

func lockedJSON(text, name string) string {
	var lock struct {
		Packages map[string]struct {
			Version string `json:"version"`
		} `json:"packages"`
		Depends map[string]struct {
			Version string `json:"version"`
		} `json:"dependencies"`
	}
	_ = json.Unmarshal([]byte(text), &lock)
	if p, ok := lock.Packages["node_modules/"+name]; ok {
		return p.Version
	}
	return lock.Depends[name].Version
}

// lockedTables reads [[package]] tables.
func lockedTables(text, name string) string {
	at := ""
	for _, s := range settings(text) {
		switch {
		case s.section != "package":
		case s.key == "":
			at = ""
		case s.key == "name":
			at = unquoted(s.value)
		case s.key == "version" && (at == name || Normalized(at) == Normalized(name)):
			return unquoted(s.value)
		}
	}
	return ""
}

func firstMatch(text, form string) string {
	m := regexp.MustCompile(form).FindStringSubmatch(text)
	if m == nil {
		return ""
	}
	return m[1]
}
