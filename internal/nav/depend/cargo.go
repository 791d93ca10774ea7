package depend

import (
	"cmp"
	"strings"
)

// cargo reads a crate, or a workspace of crates.
func cargo(m *Manifest, text string) {
	name, version := "", ""
	m.vars = map[string]string{}
	for _, s := range settings(text) {
		table, of, nested := cutTable(s.section)
		switch {
		case s.section == "package" && s.key == "name":
			name = unquoted(s.value)
		case s.section == "package" && (s.key == "version.workspace" ||
			s.key == "version" && strings.HasPrefix(s.value, "{")):
			version = "${version}"
		case s.section == "package" && s.key == "version":
			version = unquoted(s.value)
		case s.section == "workspace.package" && s.key == "version":
			m.vars["version"] = unquoted(s.value)
		case table == "" || strings.Contains(table, "metadata"):
		case nested && s.key == "":
			m.crate(table, of, Need{})
		case nested:
			m.lastCrate(table, s)
		case s.key != "" && strings.HasSuffix(s.key, ".workspace"):
			m.crate(table, strings.TrimSuffix(s.key, ".workspace"), Need{above: true})
		case s.key != "" && strings.HasPrefix(s.value, "{"):
			m.crate(table, s.key, Need{
				Name: Name{Name: field(s.value, "package")}, Version: field(s.value, "version"), From: field(s.value, "path"),
				Ref:   cmp.Or(field(s.value, "rev"), field(s.value, "tag")),
				above: strings.Contains(strings.ReplaceAll(s.value, " ", ""), "workspace=true"),
			})
		case s.key != "":
			m.crate(table, s.key, Need{Version: unquoted(s.value)})
		}
	}
	m.provide(Cargo, name, version)
}

// replacing is the table of what is taken in place of crates of the registry.
const replacing = "patch.crates-io"

// cutTable takes the name of a table of dependencies apart: "" if it is none, and
// the crate that it is of.
func cutTable(section string) (table, of string, nested bool) {
	if of, nested = strings.CutPrefix(section, replacing+"."); nested || section == replacing {
		return replacing, strings.TrimPrefix(of, replacing), nested
	}
	if strings.HasSuffix(section, "dependencies") {
		return section, "", false
	}
	if before, of, ok := strings.Cut(section, "dependencies."); ok {
		return before + "dependencies", of, true
	}
	return "", "", false
}

// crate notes one that is called as in the code, and by its own name if that is
// another one.
func (m *Manifest) crate(table, as string, n Need) {
	if n.Ecosystem = Cargo; n.Name.Name != "" && n.Name.Name != as {
		n.As = as
	} else {
		n.Name.Name = as
	}
	*m.crates(table) = append(*m.crates(table), n)
}

// crates are those of the crate itself, or what a workspace says of its members'.
func (m *Manifest) crates(table string) *[]Need {
	switch {
	case table == replacing:
		return &m.instead
	case strings.HasPrefix(table, "workspace."):
		return &m.shared
	}
	return &m.Needs
}

// lastCrate notes a setting of the table of a crate.
func (m *Manifest) lastCrate(table string, s setting) {
	list := *m.crates(table)
	if len(list) == 0 {
		return
	}
	switch n := &list[len(list)-1]; s.key {
	case "path":
		n.From = unquoted(s.value)
	case "version":
		n.Version = unquoted(s.value)
	case "rev", "tag":
		n.Ref = unquoted(s.value)
	case "package":
		n.As, n.Name.Name = n.Name.Name, unquoted(s.value)
	case "workspace":
		n.above = s.value == "true"
	}
}
