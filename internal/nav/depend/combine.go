package depend

import (
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"
)

// Combine puts together what the manifests of a repository say, by their paths:
// some leave versions, groups and other names of modules to manifests above them.
func Combine(read map[string]Manifest) (provides []Module, needs []Need) {
	c := combination{read}
	for _, p := range slices.Sorted(maps.Keys(read)) {
		m := read[p]
		dir, kin := dirOf(p), kinOf(p)
		for _, x := range m.Provides {
			x.Version = c.value(x.Version, dir, kin)
			provides = append(provides, x)
		}
		if m.project != nil && m.project.builds {
			if x, ok := c.project(p); ok {
				provides = append(provides, x)
			}
		}
		for _, n := range m.Needs {
			if n.above {
				n = c.shared(n, dir, kin)
			}
			n.Version = c.value(n.Version, dir, kin)
			needs = append(needs, n)
		}
	}
	return provides, needs
}

type combination struct{ read map[string]Manifest }

var gradleFiles = []string{"build.gradle", "build.gradle.kts", "gradle.properties"}

// kinOf are the names of manifests that add to one.
func kinOf(p string) []string {
	if base := path.Base(p); base == "Cargo.toml" || base == "pom.xml" {
		return []string{base}
	}
	return gradleFiles
}

// above calls f with the manifests of some names in a folder and those above it,
// until it returns true.
func (c combination) above(dir string, names []string, f func(m Manifest) bool) {
	for {
		for _, name := range names {
			if m, ok := c.read[path.Join(dir, name)]; ok && f(m) {
				return
			}
		}
		if dir == "" {
			return
		}
		dir = dirOf(dir)
	}
}

// shared is a need with what a manifest above says of it.
func (c combination) shared(n Need, dir string, kin []string) Need {
	called := func(n Need) string {
		if n.As != "" {
			return n.As
		}
		return n.Name.Name
	}
	c.above(dir, kin, func(m Manifest) bool {
		i := slices.IndexFunc(m.shared, func(s Need) bool { return called(s) == called(n) })
		if i >= 0 {
			n = m.shared[i]
		}
		return i >= 0
	})
	return n
}

var variable = regexp.MustCompile(`\$\{([^}]+)\}|\$(\w+)`)

// value is a text with what its variables stand for, "" if one is not known.
func (c combination) value(text, dir string, kin []string) string {
	for range 4 { // one may stand for others
		if !strings.Contains(text, "$") {
			return text
		}
		text = variable.ReplaceAllStringFunc(text, func(v string) string {
			name, value := strings.Trim(v, "${}"), ""
			c.above(dir, kin, func(m Manifest) bool { value = m.vars[name]; return value != "" })
			return value
		})
	}
	return ""
}
