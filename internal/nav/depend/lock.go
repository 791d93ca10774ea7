package depend

import (
	"cmp"
	"encoding/json"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/pattern"
)

// A Chosen is what a lock file has of a module: its version, and where it is taken
// from if that is not a registry.
type Chosen struct {
	Version string
	Commit  string // of git
	From    string // a folder, as seen from that of the file
}

// Locks are the names of files that say which versions of modules were chosen,
// those first that are asked first.
func Locks(e Ecosystem) []string {
	switch e {
	case NPM:
		return []string{"package-lock.json", "npm-shrinkwrap.json", "yarn.lock", "pnpm-lock.yaml"}
	case PyPI:
		return []string{
			"uv.lock", "poetry.lock", "pdm.lock", "pylock.toml", "Pipfile.lock", "requirements.txt", "requirements.lock",
			"constraints.txt",
		}
	case Cargo:
		return []string{"Cargo.lock"}
	case Composer:
		return []string{"composer.lock"}
	case NuGet:
		return []string{"packages.lock.json"}
	case Gems:
		return []string{"Gemfile.lock"}
	}
	return nil
}

// Locked is what a lock file has of a module that the manifest in a folder below it
// asks for, zero if it has none. Of several versions it is the one that the file says
// the folder gets, else the newest of those that fit best.
func Locked(p, text, dir string, n Need) Chosen {
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
			return Chosen{Version: version}
		}
		return fitting(n, matches(text, `(?m)^\s+['"]?/?`+regexp.QuoteMeta(name)+`[@/](\d[^:('"\s]*)`))
	case "uv.lock", "poetry.lock", "pdm.lock", "pylock.toml", "Cargo.lock":
		return fitting(n, lockedTables(text, name))
	case "Pipfile.lock":
		return lockedPipfile(text, name)
	case "composer.lock":
		return lockedComposer(text, name)
	case "packages.lock.json":
		return lockedNuGet(text, name)
	case "Gemfile.lock":
		return lockedGem(text, name)
	}
	for line := range strings.Lines(text) {
		m := Manifest{}
		m.requirement(withoutComment(strings.TrimSpace(line)))
		if len(m.Needs) == 1 && m.Needs[0].Name.Name == Normalized(name) {
			if version, ok := strings.CutPrefix(m.Needs[0].Version, "=="); ok {
				version, _, _ = strings.Cut(version, " ") // hashes are behind it
				return Chosen{Version: version}
			}
		}
	}
	return Chosen{}
}

// fitting is the newest of those that fit best what is asked for.
func fitting(n Need, all []Chosen) Chosen {
	if len(all) == 0 {
		return Chosen{}
	}
	return slices.MaxFunc(all, func(a, b Chosen) int {
		return cmp.Or(Fits(n.Ecosystem, n.Version, a.Version)-Fits(n.Ecosystem, n.Version, b.Version),
			Compare(a.Version, b.Version))
	})
}

// lockedPipfile reads a lock file of Pipenv.
func lockedPipfile(text, name string) Chosen {
	type packages map[string]struct {
		Version string `json:"version"`
		Path    string `json:"path"`
		Ref     string `json:"ref"`
	}
	var lock struct {
		Default packages `json:"default"`
		Develop packages `json:"develop"`
	}
	_ = json.Unmarshal([]byte(text), &lock)
	for _, all := range []packages{lock.Default, lock.Develop} {
		for key, x := range all {
			if Normalized(key) == Normalized(name) {
				return Chosen{strings.TrimPrefix(x.Version, "=="), x.Ref, x.Path}
			}
		}
	}
	return Chosen{}
}

// lockedJSON reads what is in node_modules of a folder, or of one above it.
func lockedJSON(text, dir, name string) Chosen {
	var lock struct {
		Packages map[string]struct {
			Version  string `json:"version"`
			Resolved string `json:"resolved"`
			Link     bool   `json:"link"`
		} `json:"packages"`
		Depends map[string]struct {
			Version string `json:"version"`
		} `json:"dependencies"`
	}
	_ = json.Unmarshal([]byte(text), &lock)
	for ; ; dir = dirOf(dir) {
		if p, ok := lock.Packages[path.Join(dir, "node_modules", name)]; ok {
			if p.Link {
				return Chosen{Version: lock.Packages[p.Resolved].Version, From: p.Resolved}
			}
			chosen := Chosen{Version: p.Version}
			if strings.HasPrefix(p.Resolved, "git") {
				_, chosen.Commit = cutRef(p.Resolved)
			}
			return chosen
		}
		if dir == "" {
			return Chosen{Version: lock.Depends[name].Version}
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

// lockedTables reads tables of packages, as Cargo and the tools of Python have them.
func lockedTables(text, name string) (all []Chosen) {
	for len(text) > 0 {
		var table string
		if table, text = firstTable(text); mayName(table, name) {
			all = append(all, lockedTable(table, name)...)
		}
	}
	return all
}

// tables is what begins the table of a package.
var tables = pattern.NewLazy(`(?m)^\[\[packages?\]\]`)

// firstTable cuts a text before its second table of a package.
func firstTable(text string) (first, rest string) {
	from := min(len("[[package]]"), len(text))
	if next := tables().FindStringIndex(text[from:]); next != nil {
		return text[:from+next[0]], text[from+next[0]:]
	}
	return text, ""
}

// mayName reports whether a table may be of a package: most are not, which their second
// line tells.
func mayName(table, name string) bool {
	_, second, _ := strings.Cut(table, "\n")
	value, ok := strings.CutPrefix(second, "name = ")
	if !ok {
		return true
	}
	value, _, _ = strings.Cut(value, "\n")
	at := unquoted(strings.TrimSpace(value))
	return at == name || Normalized(at) == Normalized(name)
}

func lockedTable(text, name string) (all []Chosen) {
	is := false
	for _, s := range settings(text) {
		last := len(all) - 1
		switch section, part, _ := strings.Cut(s.section, "."); {
		case section != "package" && section != "packages":
			is = false
		case part == "" && s.key == "":
			is = false
		case part == "" && s.key == "name":
			if at := unquoted(s.value); at == name || Normalized(at) == Normalized(name) {
				all, is = append(all, Chosen{}), true
			}
		case is:
			all[last].note(part, s)
		}
	}
	return slices.DeleteFunc(all, func(c Chosen) bool { return c == Chosen{} })
}

// note notes what a setting of a package, or of a part of it, says of where it is taken from.
func (c *Chosen) note(part string, s setting) {
	switch value := unquoted(s.value); strings.TrimPrefix(part+"."+s.key, ".") {
	case "version":
		c.Version = value
	case "source": // of Cargo a text, else a table
		_, c.Commit = cutRef(cmp.Or(field(s.value, "git"), value))
		c.From = cmp.Or(field(s.value, "editable"), field(s.value, "directory"))
	case "source.resolved_reference", "revision", "vcs.commit-id":
		c.Commit = value
	case "source.url":
		if !strings.Contains(value, "://") {
			c.From = value
		}
	case "path", "directory.path":
		c.From = value
	case "vcs", "directory":
		c.Commit, c.From = field(s.value, "commit-id"), field(s.value, "path")
	}
}

// matches are the versions that the group of a regular expression matches. A name in it
// that is not UTF-8 makes it none: such a name is in no lock file.
func matches(text, form string) (all []Chosen) {
	re, err := regexp.Compile(form)
	if err != nil {
		return nil
	}
	for _, m := range re.FindAllStringSubmatch(text, -1) {
		all = append(all, Chosen{Version: m[1]})
	}
	return all
}
