package compose

import (
	"encoding/json"
	"encoding/xml"
	"strings"

	"github.com/ragnav/ragnav/internal/pattern"
)

// A project is what a package manifest says about itself.
type project struct{ File, Name, description string }

// Manifests reads the name and description from the manifests of the common
// package managers. A file that can't be read gives an empty project.
var Manifests = map[string]func(text string) project{
	"go.mod":         goModule,
	"package.json":   jsonProject,
	"composer.json":  jsonProject,
	"pyproject.toml": tomlProject,
	"Cargo.toml":     tomlProject,
	"setup.cfg":      tomlProject,
	"pom.xml":        mavenProject,
}

// ManifestFiles are the keys of manifests in the order they are shown.
var ManifestFiles = []string{
	"go.mod", "package.json", "pyproject.toml", "setup.cfg", "Cargo.toml", "composer.json",
	"pom.xml",
}

var goModuleLine = pattern.NewLazy(`(?m)^module\s+"?([^\s"]+)`)

func goModule(text string) project {
	if m := goModuleLine().FindStringSubmatch(text); m != nil {
		return project{Name: m[1]}
	}
	return project{}
}

func jsonProject(text string) project {
	var p struct{ Name, Description string }
	if json.Unmarshal([]byte(text), &p) != nil {
		return project{}
	}
	return project{Name: p.Name, description: p.Description}
}

func mavenProject(text string) project {
	var p struct {
		ArtifactID  string `xml:"artifactId"`
		Name        string `xml:"name"`
		Description string `xml:"description"`
	}
	if xml.Unmarshal([]byte(text), &p) != nil {
		return project{}
	}
	if p.Name == "" || strings.Contains(p.Name, "${") {
		p.Name = p.ArtifactID
	}
	return project{Name: OneLine(p.Name), description: OneLine(p.Description)}
}

var keyValue = pattern.NewLazy(`^(name|description)\s*=\s*["']?(.*?)["']?\s*$`)

// tomlProject reads name and description from the table of a TOML or INI file
// that describes the package. It knows one-line strings only, which is what
// these two keys have in practice.
func tomlProject(text string) project {
	var p project
	inTable := false
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "[") {
			inTable = packageTable[line]
		}
		m := keyValue().FindStringSubmatch(line)
		switch {
		case !inTable || m == nil:
		case m[1] == "name" && p.Name == "":
			p.Name = m[2]
		case m[1] == "description" && p.description == "":
			p.description = m[2]
		}
	}
	return p
}

var packageTable = map[string]bool{
	"[project]": true, "[package]": true, "[workspace.package]": true, "[tool.poetry]": true, "[metadata]": true,
}
