// Package depend reads what the manifests of a repository say of modules: which
// of them it provides, and which it asks for, in which versions. go.mod,
// package.json, pyproject.toml, setup.cfg, setup.py and requirements files,
// Cargo.toml and pom.xml are read.
package depend

import (
	"path"
	"strings"
)

// An Ecosystem is where modules have their names.
type Ecosystem string

// The ecosystems.
const (
	Go    Ecosystem = "go"
	NPM   Ecosystem = "npm"
	PyPI  Ecosystem = "pypi"
	Cargo Ecosystem = "cargo"
	Maven Ecosystem = "maven"
)

// A Name is that of a module. Those of PyPI are normalized.
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
	Dir     string // the folder of the manifest
}

// A Manifest is what one file says.
type Manifest struct {
	Provides []Module
	Needs    []Need
}

var readers = map[string]func(m *Manifest, text string){
	"go.mod": goMod, "package.json": packageJSON, "pyproject.toml": pyproject, "setup.cfg": setupCfg, "setup.py": setupPy,
	"Cargo.toml": cargo, "pom.xml": pom,
}

func reader(p string) func(m *Manifest, text string) {
	base := path.Base(p)
	if strings.HasPrefix(base, "requirements") && strings.HasSuffix(base, ".txt") {
		return requirements
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
	dir := path.Dir(p)
	if dir == "." {
		dir = ""
	}
	for i := range m.Provides {
		m.Provides[i].Dir = dir
	}
	for i := range m.Needs {
		m.Needs[i].Dir = dir
	}
	return m
}

func (m *Manifest) provide(e Ecosystem, name, version string) {
	if name != "" {
		m.Provides = append(m.Provides, Module{Name: Name{e, name}, Version: version})
	}
}

func (m *Manifest) need(e Ecosystem, name, version, from string) {
	if name != "" {
		m.Needs = append(m.Needs, Need{Name: Name{e, name}, Version: version, From: from})
	}
}
