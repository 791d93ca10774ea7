package depend

import (
	"cmp"
	"path"
	"strings"

	"github.com/ragnav/ragnav/internal/pattern"
)

// A project of Gradle is called as its folder, unless settings or what it
// publishes say otherwise; its group may be said above.
type project struct {
	builds                   bool // it has a build file
	group, artifact, version string
}

var (
	gradleGroup    = pattern.NewLazy(`(?m)^\s*(?:project\.)?group\s*=?\s*\(?["']([\w.-]+)["']`)
	gradleVersion  = pattern.NewLazy(`(?m)^\s*(?:project\.)?version\s*=?\s*\(?["']([\w.+-]+)["']`)
	gradleArtifact = pattern.NewLazy(`\bartifactId\s*=?\s*\(?["']([\w.-]+)["']`)
	gradleNeed     = pattern.NewLazy(`["']([\w.-]+):([\w.-]+)(?::([^"':@]+))?[^"'\s]*["']`)
	gradleParts    = pattern.NewLazy(
		`\bgroup\s*[:=]\s*["']([\w.-]+)["']\s*,\s*name\s*[:=]\s*["']([\w.-]+)["'](?:\s*,\s*version\s*[:=]\s*["']([^"']+)["'])?`)
	gradleThree = pattern.NewLazy(
		`\(\s*["']([\w.-]+)["']\s*,\s*["']([\w.-]+)["']\s*,\s*(?:["']([^"'\s]+)["']|(\w+))\s*\)`)
	gradleRoot     = pattern.NewLazy(`\brootProject\.name\s*=\s*["']([\w. -]+)["']`)
	gradleIncluded = pattern.NewLazy(`\bincludeBuild\s*\(?\s*["']([^"']+)["']`)
	gradleVar      = pattern.NewLazy(`(?m)^\s*(?:ext\.|val |def |extra\["|set\(["'])?(\w+)(?:["']\]?)?\s*[=,]\s*["']([\w.+-]+)["']`)
)

// gradle reads a build file, in Groovy or Kotlin: what is written as it usually
// is, as no program is run.
func gradle(m *Manifest, text string) {
	m.project = &project{
		builds: true, group: firstOf(gradleGroup, text), artifact: firstOf(gradleArtifact, text),
		version: firstOf(gradleVersion, text),
	}
	m.vars = map[string]string{}
	for _, v := range gradleVar().FindAllStringSubmatch(text, -1) {
		m.vars[v[1]] = v[2]
	}
	for _, form := range []pattern.Lazy{gradleNeed, gradleParts} {
		for _, d := range form().FindAllStringSubmatch(text, -1) {
			m.need(Maven, d[1]+":"+d[2], d[3], "")
		}
	}
	for _, d := range gradleThree().FindAllStringSubmatch(text, -1) { // in Kotlin, of a value most often
		version := d[3]
		if d[4] != "" {
			version = "$" + d[4]
		}
		m.need(Maven, d[1]+":"+d[2], version, "")
	}
}

func firstOf(form pattern.Lazy, text string) string {
	if m := form().FindStringSubmatch(text); m != nil {
		return m[1]
	}
	return ""
}

// settingsOf reads the settings of a build: its name, and other builds that are
// taken in place of modules.
func settingsOf(m *Manifest, text string) {
	m.project = &project{artifact: firstOf(gradleRoot, text)}
	for _, d := range gradleIncluded().FindAllStringSubmatch(text, -1) {
		m.Needs = append(m.Needs, Need{Name: Name{Ecosystem: Maven}, From: d[1]})
	}
}

// properties reads what is known in all build files.
func properties(m *Manifest, text string) {
	m.vars = map[string]string{}
	for _, s := range settings(text) {
		if s.section == "" && s.key != "" {
			m.vars[s.key] = s.value
		}
	}
	m.project = &project{ // in capitals as the usual plugin for publishing has them
		group: cmp.Or(m.vars["group"], m.vars["GROUP"]), version: cmp.Or(m.vars["version"], m.vars["VERSION_NAME"]),
		artifact: m.vars["POM_ARTIFACT_ID"],
	}
}

// catalog reads which modules build files have names for.
func catalog(m *Manifest, text string) {
	versions := map[string]string{}
	all := settings(text)
	for _, s := range all {
		if s.section == "versions" && s.key != "" {
			versions[s.key] = unquoted(s.value)
		}
	}
	for _, s := range all {
		if s.section != "libraries" || s.key == "" {
			continue
		}
		module, version := field(s.value, "module"), field(s.value, "version")
		if !strings.HasPrefix(s.value, "{") {
			parts := append(strings.Split(unquoted(s.value), ":"), "", "")
			module, version = parts[0]+":"+parts[1], parts[2]
		}
		if module == "" {
			module = field(s.value, "group") + ":" + field(s.value, "name")
		}
		if ref := field(s.value, `version\.ref`); ref != "" {
			version = versions[ref]
		}
		if !strings.HasPrefix(module, ":") && !strings.HasSuffix(module, ":") {
			m.need(Maven, module, version, "")
		}
	}
}

// project is the module that a build file stands for, with what the files beside
// and above it say.
func (c combination) project(p string) (Module, bool) {
	dir, all := dirOf(p), *c.read[p].project
	for _, name := range []string{"gradle.properties", "settings.gradle", "settings.gradle.kts"} {
		if s := c.read[path.Join(dir, name)].project; s != nil && all.artifact == "" {
			all.artifact = s.artifact
		}
	}
	if all.artifact == "" {
		all.artifact = path.Base(dir)
	}
	c.above(dir, gradleFiles, func(m Manifest) bool {
		if m.project != nil {
			all.group, all.version = cmp.Or(all.group, m.project.group), cmp.Or(all.version, m.project.version)
		}
		return all.group != "" && all.version != ""
	})
	return Module{Name: Name{Maven, all.group + ":" + all.artifact}, Version: all.version, Dir: dir},
		all.group != "" && all.artifact != "."
}
