package depend

import (
	"cmp"
	"encoding/json"
	"path"
	"regexp"
	"slices"
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

// Locked is the version of a module that a lock file has for what the manifest in a
// folder below it asks for, "" if it has none. Of several versions it is the one that
// the file says the folder gets, else the newest of those that fit best.
func Locked(p, text, dir string, n Need) string {
	name := n.Name.Name
	switch base := path.Base(p); base {
	case "package-lock.json", "npm-shrinkwrap.json":
		return lockedJSON(text, dir, name)
	case "yarn.lock":
		// each entry begins with all that is asked for and gets this version: "x@^1.0.0", x@npm:~1.2.0:
		const before, after = `(?m)^(?:[^\n]*, )?"?`, `:\n\s+version:? "?([^"\s]+)`
		exact := regexp.QuoteMeta(name) + `@(?:npm:)?` + regexp.QuoteMeta(n.Version) + `"?(?:, [^\n]*)?`
		if said := matches(text, before+exact+after); len(said) == 1 {
			return said[0]
		}
		return fitting(n, matches(text, before+regexp.QuoteMeta(name)+`@[^\n]*`+after))
	case "pnpm-lock.yaml":
		if version, ok := lockedImporter(text, dir, name); ok {
			return version
		}
		return fitting(n, matches(text, `(?m)^\s+['"]?/?`+regexp.QuoteMeta(name)+`[@/](\d[^:('"\s]*)`))
	case "uv.lock", "poetry.lock", "Cargo.lock":
		return fitting(n, lockedTables(text, name))
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

// fitting is the newest of those versions that fit best what is asked for.
func fitting(n Need, versions []string) string {
	if len(versions) == 0 {
		return ""
	}
	return slices.MaxFunc(versions, func(a, b string) int {
		return cmp.Or(Fits(n.Ecosystem, n.Version, a)-Fits(n.Ecosystem, n.Version, b), Compare(a, b))
	})
}

// lockedJSON reads what is in node_modules of a folder, or of one above it.
func lockedJSON(text, dir, name string) string {
	var lock struct {
		Packages map[string]struct {
			Version string `json:"version"`
		} `json:"packages"`
		Depends map[string]struct {
			Version string `json:"version"`
		} `json:"dependencies"`
	}
	_ = json.Unmarshal([]byte(text), &lock)
	for ; ; dir = dirOf(dir) {
		if p, ok := lock.Packages[path.Join(dir, "node_modules", name)]; ok {
			return p.Version
		}
		if dir == "" {
			return lock.Depends[name].Version
		}
	}
}

// lockedImporter reads what pnpm says of the project in a folder; "" is what has no
// version of its own, as it is of the workspace itself or an alias. A file has one line for each of these:
//
//	importers:
//	  packages/a:
//	    dependencies:
//	      left-pad:
//	        specifier: ^1.3.0
//	        version: 1.3.0(peer@2.0.0)
func lockedImporter(text, dir, name string) (version string, ok bool) {
	if dir == "" {
		dir = "."
	}
	at := [3]string{} // the keys around, by their depth: 0, 2 and 6 spaces
	for line := range strings.Lines(text) {
		bare := strings.TrimLeft(line, " ")
		key, value, _ := strings.Cut(strings.TrimSpace(bare), ": ")
		key = strings.Trim(strings.TrimSuffix(key, ":"), `'"`)
		switch len(line) - len(bare) {
		case 0:
			if at[0] == "importers" && key != "" && key != "importers" {
				return "", false
			}
			if key != "" {
				at = [3]string{key}
			}
		case 2:
			at[1], at[2] = key, ""
		case 4:
			at[2] = ""
		case 6:
			at[2] = key
		case 8:
			if key == "version" && at == [3]string{"importers", dir, name} {
				version, _, _ = strings.Cut(strings.Trim(value, `'"`), "(")
				if version == "" || version[0] < '0' || version[0] > '9' { // link:../b, or another module's name
					version = ""
				}
				return version, true
			}
		}
	}
	return "", false
}

// lockedTables reads [[package]] tables.
func lockedTables(text, name string) (versions []string) {
	at := ""
	for _, s := range settings(text) {
		switch {
		case s.section != "package":
		case s.key == "":
			at = ""
		case s.key == "name":
			at = unquoted(s.value)
		case s.key == "version" && (at == name || Normalized(at) == Normalized(name)):
			versions = append(versions, unquoted(s.value))
		}
	}
	return versions
}

// matches are what the group of a regular expression matches.
func matches(text, form string) (all []string) {
	for _, m := range regexp.MustCompile(form).FindAllStringSubmatch(text, -1) {
		all = append(all, m[1])
	}
	return all
}
