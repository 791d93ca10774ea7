package depend

import (
	"encoding/json"
	"encoding/xml"
	"maps"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"
)

func goMod(m *Manifest, text string) {
	f, err := modfile.ParseLax("go.mod", []byte(text), nil)
	if err != nil || f.Module == nil {
		return
	}
	m.provide(Go, f.Module.Mod.Path, "")
	from := map[string]string{}
	if strict, err := modfile.Parse("go.mod", []byte(text), nil); err == nil {
		for _, r := range strict.Replace {
			from[r.Old.Path] = r.New.Path
			if r.New.Version != "" { // another module in its place
				m.need(Go, r.New.Path, r.New.Version, "")
			}
		}
	}
	for _, r := range f.Require {
		to, replaced := from[r.Mod.Path]
		if replaced && !strings.HasPrefix(to, ".") && !strings.HasPrefix(to, "/") {
			continue
		}
		m.need(Go, r.Mod.Path, r.Mod.Version, to)
	}
}

func packageJSON(m *Manifest, text string) {
	var p struct {
		Name     string            `json:"name"`
		Version  string            `json:"version"`
		Depends  map[string]string `json:"dependencies"`
		Dev      map[string]string `json:"devDependencies"`
		Peer     map[string]string `json:"peerDependencies"`
		Optional map[string]string `json:"optionalDependencies"`
	}
	_ = json.Unmarshal([]byte(text), &p) // what is of another type than it should be is left out
	m.provide(NPM, p.Name, p.Version)
	for _, list := range []map[string]string{p.Depends, p.Dev, p.Peer, p.Optional} {
		for _, name := range slices.Sorted(maps.Keys(list)) {
			version, from := list[name], ""
			for _, scheme := range []string{"file:", "link:", "portal:"} {
				if rest, ok := strings.CutPrefix(version, scheme); ok {
					version, from = "", rest
				}
			}
			m.need(NPM, name, strings.TrimPrefix(version, "workspace:"), from)
		}
	}
}

// pom reads a project of Maven. What comes from its parent is read where it
// stands; what a property stands for is not.
func pom(m *Manifest, text string) {
	type artifact struct {
		Group    string `xml:"groupId"`
		Artifact string `xml:"artifactId"`
		Version  string `xml:"version"`
	}
	var p struct {
		artifact

		Parent  artifact   `xml:"parent"`
		Depends []artifact `xml:"dependencies>dependency"`
	}
	if xml.Unmarshal([]byte(text), &p) != nil {
		return
	}
	group, version := p.Group, p.Version
	if group == "" {
		group = p.Parent.Group
	}
	if version == "" {
		version = p.Parent.Version
	}
	of := func(group, artifact string) string {
		if group == "" || artifact == "" {
			return ""
		}
		return strings.TrimSpace(group) + ":" + strings.TrimSpace(artifact)
	}
	m.provide(Maven, of(group, p.Artifact), version)
	for _, d := range p.Depends {
		if d.Group == "${project.groupId}" {
			d.Group = group
		}
		if d.Version == "${project.version}" {
			d.Version = version
		}
		m.need(Maven, of(d.Group, d.Artifact), d.Version, "")
	}
}
