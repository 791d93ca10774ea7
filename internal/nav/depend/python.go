package depend

import (
	"cmp"
	"path"
	"strings"

	"github.com/ragnav/ragnav/internal/pattern"
)

var separators = pattern.NewLazy(`[-_.]+`)

// Normalized is a name of PyPI in the form in which names are compared.
func Normalized(name string) string {
	return strings.ToLower(separators().ReplaceAllString(strings.TrimSpace(name), "-"))
}

var requirementForm = pattern.NewLazy(`^\s*([A-Za-z0-9][A-Za-z0-9._-]*)\s*(?:\[[^\]]*\])?\s*(.*)$`)

// requirement reads one as PEP 508 has them: name[extra]>=1,<2; marker.
func (m *Manifest) requirement(text string) {
	text, _, _ = strings.Cut(strings.TrimSpace(text), ";")
	parts := requirementForm().FindStringSubmatch(text)
	if parts == nil {
		return
	}
	version, from, ref := strings.Trim(strings.TrimSpace(parts[2]), "()"), "", ""
	if url, ok := strings.CutPrefix(version, "@"); ok {
		version, from = "", strings.TrimSpace(url)
		if from = strings.TrimPrefix(from, "file:"); strings.Contains(from, "://") {
			from, ref = "", refOf(from)
		}
	}
	m.need(PyPI, Normalized(parts[1]), version, from)
	m.at(ref)
}

// refOf is the commit or tag in an address of git: git+https://host/name.git@v1.2#egg=x
func refOf(address string) string {
	address, _, _ = strings.Cut(address, "#")
	_, ref, _ := strings.Cut(path.Base(address), "@")
	return ref
}

func pyproject(m *Manifest, text string) {
	name, version := "", ""
	for _, s := range settings(text) {
		project := s.section == "project" || s.section == "tool.poetry"
		poetry := strings.HasPrefix(s.section, "tool.poetry.") && strings.HasSuffix(s.section, "dependencies")
		switch {
		case project && s.key == "name":
			name = unquoted(s.value)
		case project && s.key == "version":
			version = unquoted(s.value)
		case s.section == "project" && s.key == "dependencies",
			s.section == "project.optional-dependencies" && s.key != "", s.section == "dependency-groups" && s.key != "":
			for _, r := range quotedIn(s.value) {
				m.requirement(r)
			}
		case poetry && s.key != "" && s.key != "python":
			v := unquoted(s.value)
			if strings.HasPrefix(s.value, "{") {
				v = field(s.value, "version")
			}
			m.need(PyPI, Normalized(s.key), v, field(s.value, "path"))
			m.at(cmp.Or(field(s.value, "rev"), field(s.value, "tag")))
		case s.section == "tool.uv.sources" && s.key != "":
			m.from(s.key, field(s.value, "path"), cmp.Or(field(s.value, "rev"), field(s.value, "tag")))
		}
	}
	m.provide(PyPI, Normalized(name), version)
}

// from notes the folder that a module is taken from, or the commit or tag.
func (m *Manifest) from(name, folder, ref string) {
	for i := range m.Needs {
		if m.Needs[i].Name.Name == Normalized(name) && folder+ref != "" {
			m.Needs[i].From, m.Needs[i].Ref = folder, ref
		}
	}
}

func setupCfg(m *Manifest, text string) {
	name, version := "", ""
	for _, s := range settings(text) {
		switch {
		case s.section == "metadata" && s.key == "name":
			name = unquoted(s.value)
		case s.section == "metadata" && s.key == "version" && !strings.HasPrefix(s.value, "attr:"):
			version = unquoted(s.value)
		case s.section == "options" && s.key == "install_requires", s.section == "options.extras_require" && s.key != "":
			for line := range strings.Lines(s.value) {
				m.requirement(line)
			}
		}
	}
	m.provide(PyPI, Normalized(name), version)
}

var (
	setupName    = pattern.NewLazy(`\bname\s*=\s*["']([A-Za-z0-9._-]+)["']`)
	setupVersion = pattern.NewLazy(`\bversion\s*=\s*["']([^"']+)["']`)
	setupLists   = pattern.NewLazy(`(?s)\b(?:install_requires|tests_require)\s*=\s*\[(.*?)\]`)
)

// setupPy reads what a call of setup says in plain words.
func setupPy(m *Manifest, text string) {
	if name := setupName().FindStringSubmatch(text); name != nil {
		version := ""
		if v := setupVersion().FindStringSubmatch(text); v != nil {
			version = v[1]
		}
		m.provide(PyPI, Normalized(name[1]), version)
	}
	for _, list := range setupLists().FindAllStringSubmatch(text, -1) {
		for _, r := range quotedIn(list[1]) {
			m.requirement(r)
		}
	}
}

// requirements reads a file of pip. A folder is one that an editable install or
// a path names.
func requirements(m *Manifest, text string) {
	for line := range strings.Lines(text) {
		line, _, _ = strings.Cut(" "+line, " #")
		line = strings.TrimSpace(line)
		if rest, ok := strings.CutPrefix(line, "-e"); ok {
			line = strings.TrimSpace(rest)
		}
		switch {
		case line == "" || strings.HasPrefix(line, "-"):
		case strings.HasPrefix(line, ".") || strings.HasPrefix(line, "/"):
			m.Needs = append(m.Needs, Need{Name: Name{Ecosystem: PyPI}, From: line})
		case strings.HasPrefix(line, "git+"):
			if address, name, ok := strings.Cut(line, "#egg="); ok {
				m.requirement(name + " @ " + address)
			}
		default:
			m.requirement(line)
		}
	}
}
