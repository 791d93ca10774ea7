package depend

import (
	"cmp"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/pattern"
)

// Combine puts together what the manifests of a repository say, by their paths:
// some leave versions, groups and other names of modules to manifests above them.
func Combine(read map[string]Manifest) (provides []Module, needs []Need) {
	c, paths := combination{read, map[Name]string{}}, slices.Sorted(maps.Keys(read))
	for _, p := range slices.Backward(paths) {
		if m := read[p]; m.pom != nil && len(m.Provides) > 0 {
			c.projects[m.Provides[0].Name] = p
		}
	}
	for _, p := range paths {
		m, around := read[p], c.around(p)
		for _, x := range m.Provides {
			x.Version = value(x.Version, around)
			provides = append(provides, x)
		}
		if m.project != nil && m.project.builds {
			if x, ok := c.project(p); ok {
				provides = append(provides, x)
			}
		}
		for _, n := range m.Needs {
			if n.above {
				n = shared(n, around)
			}
			n = instead(n, around)
			if n.Version = value(n.Version, around); n.Version == "" {
				n.Near = near(n, around)
			}
			needs = append(needs, n)
		}
	}
	return provides, needs
}

type combination struct {
	read     map[string]Manifest
	projects map[Name]string // paths of those of Maven
}

var gradleFiles = []string{"build.gradle", "build.gradle.kts", "gradle.properties"}

// around are the manifests that add to one, itself among them, those first that
// count more.
func (c combination) around(p string) (all []Manifest) {
	names := gradleFiles
	switch base := path.Base(p); {
	case base == "pom.xml":
		return c.poms(p)
	case base == "Cargo.toml", base == "package.json":
		names = []string{base}
	case base == "go.mod", base == "go.work":
		names = []string{"go.work"}
	case isProject(base):
		names = []string{centralVersions}
	}
	c.above(dirOf(p), names, func(m Manifest) bool {
		all = append(all, m)
		return false
	})
	return all
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

// called is what code calls a module.
func (n Need) called() string { return cmp.Or(n.As, n.Name.Name) }

// shared is a need with what manifests around say of it.
func shared(n Need, around []Manifest) Need {
	for _, m := range around {
		for _, s := range m.shared {
			if s.called() == n.called() {
				return s
			}
		}
	}
	return n
}

// instead is what manifests around have taken in place of what is asked for.
func instead(n Need, around []Manifest) Need {
	for _, m := range around {
		for _, x := range m.instead {
			switch {
			case n.Name.Name == "" || x.Ecosystem != n.Ecosystem:
			case n.Ecosystem == Go && x.called() == n.called():
				return x
			case n.Ecosystem != Go && x.Name == n.Name:
				x.As = n.As
				return x
			}
		}
	}
	return n
}

var variable = pattern.NewLazy(`\$\{([^}]+)\}|\$(\w+)`)

// value is a text with what its variables stand for, "" if one is not known.
func value(text string, around []Manifest) string {
	for range 4 { // one may stand for others
		if !strings.Contains(text, "$") {
			return text
		}
		text = variable().ReplaceAllStringFunc(text, func(v string) string {
			name := strings.Trim(v, "${}")
			for _, m := range around {
				if value := m.vars[name]; value != "" {
					return value
				}
			}
			return ""
		})
	}
	return ""
}
