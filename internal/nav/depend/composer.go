package depend

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
)

// composerJSON reads a package of PHP. What it replaces comes with it: a framework is
// published in parts, too. PHP itself and its extensions are no packages.
func composerJSON(m *Manifest, text string) {
	var p struct {
		Name    string            `json:"name"`
		Version string            `json:"version"`
		Replace map[string]string `json:"replace"`
		Require map[string]string `json:"require"`
		Dev     map[string]string `json:"require-dev"`
	}
	_ = json.Unmarshal([]byte(text), &p) // what is of another type than it should be is left out
	m.provide(Composer, strings.ToLower(p.Name), p.Version)
	for _, name := range slices.Sorted(maps.Keys(p.Replace)) {
		version := p.Replace[name]
		if version == "self.version" || version == "*" {
			version = p.Version
		}
		if strings.Contains(name, "/") {
			m.provide(Composer, strings.ToLower(name), version)
		}
	}
	for _, list := range []map[string]string{p.Require, p.Dev} {
		for _, name := range slices.Sorted(maps.Keys(list)) {
			if strings.Contains(name, "/") {
				version, ref, _ := strings.Cut(list[name], "#")
				version, _, _ = strings.Cut(version, "@") // how stable it must be
				m.need(Composer, strings.ToLower(name), version, "")
				m.at(ref)
			}
		}
	}
}

// lockedComposer reads a lock file of Composer.
func lockedComposer(text, name string) Chosen {
	type packages []struct {
		Name    string `json:"name"`
		Version string `json:"version"`
		Source  struct {
			Reference string `json:"reference"`
		} `json:"source"`
	}
	var lock struct {
		Packages packages `json:"packages"`
		Dev      packages `json:"packages-dev"`
	}
	_ = json.Unmarshal([]byte(text), &lock)
	for _, x := range slices.Concat(lock.Packages, lock.Dev) {
		if strings.EqualFold(x.Name, name) {
			if strings.HasPrefix(x.Version, "dev-") { // a branch, of which the commit was chosen
				return Chosen{Commit: x.Source.Reference}
			}
			return Chosen{Version: strings.TrimPrefix(x.Version, "v")}
		}
	}
	return Chosen{}
}
