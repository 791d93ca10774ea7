package depend

import (
	"cmp"
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

// pom reads a project of Maven. What properties stand for is looked up by Combine,
// but for those of the project itself.
func pom(m *Manifest, text string) {
	type artifact struct {
		Group    string `xml:"groupId"`
		Artifact string `xml:"artifactId"`
		Version  string `xml:"version"`
	}
	var p struct {
		artifact

		Parent     artifact   `xml:"parent"`
		Properties xmlTexts   `xml:"properties"`
		Depends    []artifact `xml:"dependencies>dependency"`
		Managed    []artifact `xml:"dependencyManagement>dependencies>dependency"`
	}
	if xml.Unmarshal([]byte(text), &p) != nil {
		return
	}
	group, version := cmp.Or(p.Group, p.Parent.Group), cmp.Or(p.Version, p.Parent.Version)
	own := strings.NewReplacer("${project.groupId}", group, "${project.version}", version)
	of := func(group, artifact string) string {
		if group == "" || artifact == "" {
			return ""
		}
		return strings.TrimSpace(own.Replace(group)) + ":" + strings.TrimSpace(artifact)
	}
	m.vars = p.Properties
	m.provide(Maven, of(group, p.Artifact), version)
	for _, d := range p.Depends {
		m.need(Maven, of(d.Group, d.Artifact), own.Replace(d.Version), "")
		if n := len(m.Needs); n > 0 && d.Version == "" {
			m.Needs[n-1].above = true
		}
	}
	for _, d := range p.Managed {
		m.shared = append(m.shared, Need{Name: Name{Maven, of(d.Group, d.Artifact)}, Version: own.Replace(d.Version)})
	}
}

// xmlTexts are the texts of elements, by their names.
type xmlTexts map[string]string

// UnmarshalXML implements xml.Unmarshaler.
func (t *xmlTexts) UnmarshalXML(d *xml.Decoder, start xml.StartElement) error {
	*t = xmlTexts{}
	for {
		token, err := d.Token()
		if err != nil {
			return err
		}
		switch x := token.(type) {
		case xml.StartElement:
			var text string
			if err := d.DecodeElement(&text, &x); err != nil {
				return err
			}
			(*t)[x.Name.Local] = strings.TrimSpace(text)
		case xml.EndElement:
			if x.Name == start.Name {
				return nil
			}
		}
	}
}
