// Package depend reads what the manifests of a repository say of modules: which
// of them it provides, and which it asks for, in which versions. go.mod, go.work,
// package.json, pyproject.toml, setup.cfg, setup.py and requirements files,
// Cargo.toml, pom.xml, the files of Gradle, composer.json, projects of .NET, gem specifications
// and Gemfiles are read; of lock files what was chosen.
package depend

import (
	"path"
	"strings"
)

// An Ecosystem is where modules have their names.
type Ecosystem string

// The ecosystems.
const (
	Go       Ecosystem = "go"
	NPM      Ecosystem = "npm"
	PyPI     Ecosystem = "pypi"
	Cargo    Ecosystem = "cargo"
	Maven    Ecosystem = "maven"
	Composer Ecosystem = "composer"
	NuGet    Ecosystem = "nuget"
	Gems     Ecosystem = "gem"
)

// A Name is that of a module. Those of PyPI are normalized, those of Composer in lower case.
type Name struct {
	Ecosystem Ecosystem
	Name      string
}

// A Module is one that a repository provides.
type Module struct {
	Name

	Version string // "" where the manifest does not say
	Dir     string // the folder of its manifest, "" for the root
}

// A Need is a module that a manifest asks for.
type Need struct {
	Name

	Version string // as it is written: "v1.2.3", "^1.0.0", ">=2,<3"; "" for any
	From    string // the folder that it is taken from in place of a registry, from that of the manifest: "../y"; else ""
	Ref     string // the commit or tag that it is taken at, where that is said
	Near    string // where no version is known: that of what is released together with it
	Dir     string // the folder of the manifest
	As      string // what the code there calls it, where that is another name

	above bool // a manifest above says more of what is called so
}

// A Manifest is what one file says. Combine puts those of a repository together.
type Manifest struct {
	Provides []Module
	Needs    []Need

	vars    map[string]string // names of versions and the like, also for manifests below
	shared  []Need            // what it says of needs of manifests below
	instead []Need            // what is taken in place of needs, also of manifests below
	pom     *pomLinks         // of Maven
	project *project          // of Gradle
}

var readers = map[string]func(m *Manifest, text string){
	"go.mod": goMod, "go.work": goWork, "package.json": packageJSON, "pyproject.toml": pyproject, "setup.cfg": setupCfg,
	"setup.py": setupPy, "Cargo.toml": cargo, "pom.xml": pom, "build.gradle": gradle, "build.gradle.kts": gradle,
	"settings.gradle": settingsOf, "settings.gradle.kts": settingsOf, "gradle.properties": properties,
	"composer.json": composerJSON, "Gemfile": gemfile, centralVersions: central,
}

// catalogSuffix ends the names of Gradle's catalogs of versions.
const catalogSuffix = ".versions.toml"

func reader(p string) func(m *Manifest, text string) {
	base := path.Base(p)
	if strings.HasPrefix(base, "requirements") && strings.HasSuffix(base, ".txt") {
		return requirements
	}
	if strings.HasSuffix(base, catalogSuffix) {
		return catalog
	}
	switch {
	case isProject(base):
		return dotnet(strings.TrimSuffix(base, path.Ext(base)))
	case path.Ext(base) == ".gemspec":
		return gemspec
	}
	return readers[base]
}

// Knows reports whether a file is one that is read.
func Knows(p string) bool { return reader(p) != nil }

// Read reads a file; what is broken in it says nothing.
func Read(p, text string) Manifest {
	var m Manifest
	if read := reader(p); read != nil {
		read(&m, text)
	}
	dir := dirOf(p)
	if strings.HasSuffix(p, catalogSuffix) && path.Base(dir) == "gradle" { // it is of the project around that
		dir = dirOf(dir)
	}
	for i := range m.Provides {
		m.Provides[i].Dir = dir
	}
	for _, list := range [][]Need{m.Needs, m.shared, m.instead} {
		for i := range list {
			list[i].Dir = dir
		}
	}
	return m
}

// dirOf is the folder of a path, "" for the root.
func dirOf(p string) string {
	if dir := path.Dir(p); dir != "." {
		return dir
	}
	return ""
}

func (m *Manifest) provide(e Ecosystem, name, version string) {
	if name != "" {
		m.Provides = append(m.Provides, Module{Name: Name{e, name}, Version: version})
	}
}

// at notes the commit or tag that the last need is taken at.
func (m *Manifest) at(ref string) {
	if n := len(m.Needs); n > 0 && ref != "" {
		m.Needs[n-1].Ref = ref
	}
}

func (m *Manifest) need(e Ecosystem, name, version, from string) {
	if name != "" {
		m.Needs = append(m.Needs, Need{Name: Name{e, name}, Version: version, From: from})
	}
}
