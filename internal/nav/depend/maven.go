package depend

import (
	"cmp"
	"encoding/xml"
	"path"
	"slices"
	"strings"
)

// pomLinks are the other projects that one of Maven has properties and versions of.
type pomLinks struct {
	parent  Name
	kin     [2]artifact // the parent and the project itself
	at      string      // where that is, from the folder of this one; "" if not in the repository
	imports []Name      // bills of materials
}

// An artifact is a module in a project of Maven.
type artifact struct {
	Group    string `xml:"groupId"`
	Artifact string `xml:"artifactId"`
	Version  string `xml:"version"`
	Scope    string `xml:"scope"`
}

// pom reads a project of Maven. What properties stand for is looked up by Combine,
// but for those of the project itself.
func pom(m *Manifest, text string) {
	var p struct {
		artifact

		Parent struct {
			artifact

			At *string `xml:"relativePath"`
		} `xml:"parent"`
		Properties xmlTexts   `xml:"properties"`
		Depends    []artifact `xml:"dependencies>dependency"`
		Managed    []artifact `xml:"dependencyManagement>dependencies>dependency"`
	}
	if xml.Unmarshal([]byte(text), &p) != nil {
		return
	}
	group, version := cmp.Or(p.Group, p.Parent.Group), cmp.Or(p.Version, p.Parent.Version)
	own := strings.NewReplacer("${project.groupId}", group, "${project.version}", version,
		"${project.parent.groupId}", p.Parent.Group, "${project.parent.version}", p.Parent.Version)
	of := func(group, artifact string) string {
		if group == "" || artifact == "" {
			return ""
		}
		return strings.TrimSpace(own.Replace(group)) + ":" + strings.TrimSpace(artifact)
	}
	m.vars, m.pom = p.Properties, &pomLinks{
		parent: Name{Maven, of(p.Parent.Group, p.Parent.Artifact)}, at: "../pom.xml",
		kin: [2]artifact{p.Parent.artifact, {Group: group, Version: version}},
	}
	if p.Parent.At != nil {
		m.pom.at = strings.TrimSpace(*p.Parent.At)
	}
	m.provide(Maven, of(group, p.Artifact), version)
	for _, d := range p.Depends {
		m.need(Maven, of(d.Group, d.Artifact), own.Replace(d.Version), "")
		if n := len(m.Needs); n > 0 {
			m.Needs[n-1].above = d.Version == ""
		}
	}
	for _, d := range p.Managed {
		n := Need{Name: Name{Maven, of(d.Group, d.Artifact)}, Version: own.Replace(d.Version)}
		if d.Scope == "import" {
			m.pom.imports = append(m.pom.imports, n.Name)
			continue
		}
		m.shared = append(m.shared, n)
	}
}

// near is the version of a parent or project around that has the group of a module, or
// one that it is below of: they are released together.
func near(n Need, around []Manifest) string {
	group, _, _ := strings.Cut(n.Name.Name, ":")
	for _, m := range around {
		if m.pom == nil {
			continue
		}
		for _, a := range m.pom.kin {
			if version := value(a.Version, around); a.Group != "" && version != "" &&
				(group == a.Group || strings.HasPrefix(group, a.Group+".")) {
				return version
			}
		}
	}
	return ""
}

// poms are a project of Maven, its parents and what they import, as far as they are
// in the repository.
func (c combination) poms(p string) (all []Manifest) {
	seen := map[string]bool{}
	for next := []string{p}; len(next) > 0; next = next[1:] {
		m, ok := c.read[next[0]]
		if !ok || m.pom == nil || seen[next[0]] {
			continue
		}
		seen[next[0]] = true
		all = append(all, m)
		next = append(next, c.parentOf(next[0], m.pom))
		for _, name := range m.pom.imports {
			next = append(next, c.pomOf(name))
		}
	}
	return all
}

// parentOf is the path of the parent of a project.
func (c combination) parentOf(p string, of *pomLinks) string {
	if of.at != "" {
		at := path.Join(dirOf(p), of.at)
		if path.Ext(at) != ".xml" {
			at = path.Join(at, "pom.xml")
		}
		is := c.read[at].Provides
		if _, ok := c.read[at]; ok && (of.parent.Name == "" || slices.ContainsFunc(is, of.parent.is)) {
			return at
		}
	}
	return c.pomOf(of.parent)
}

func (n Name) is(m Module) bool { return m.Name == n }

// pomOf is the path of the project that is called so.
func (c combination) pomOf(name Name) string {
	if name.Name == "" {
		return ""
	}
	return c.projects[name]
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
