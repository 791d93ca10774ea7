package depend

import (
	"encoding/json"
	"maps"
	"path"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"
	"golang.org/x/mod/module"
)

func goMod(m *Manifest, text string) {
	f, err := modfile.ParseLax("go.mod", []byte(text), nil)
	if err != nil || f.Module == nil {
		return
	}
	m.provide(Go, f.Module.Mod.Path, "")
	var replaced []*modfile.Replace
	if strict, err := modfile.Parse("go.mod", []byte(text), nil); err == nil {
		replaced = strict.Replace
	}
	for _, r := range replaced {
		if r.Old.Version == "" {
			m.Needs = append(m.Needs, replacement(r))
		}
	}
	for _, r := range f.Require {
		n, all := Need{Name: Name{Go, r.Mod.Path}, Version: r.Mod.Version}, false
		for _, x := range replaced {
			all = all || x.Old == module.Version{Path: r.Mod.Path}
			if x.Old == r.Mod {
				n = replacement(x)
			}
		}
		if !all {
			m.Needs = append(m.Needs, n)
		}
	}
}

// replacement is what is taken in place of a module: a folder, or a version of the
// same or another one.
func replacement(r *modfile.Replace) Need {
	if r.New.Version == "" {
		return Need{Name: Name{Go, r.Old.Path}, From: r.New.Path}
	}
	n := Need{Name: Name{Go, r.New.Path}, Version: r.New.Version}
	if r.New.Path != r.Old.Path {
		n.As = r.Old.Path
	}
	return n
}

// goWork reads a workspace. Folders outside of it are used in place of the modules
// that they have.
func goWork(m *Manifest, text string) {
	f, err := modfile.ParseWork("go.work", []byte(text), nil)
	if err != nil {
		return
	}
	for _, u := range f.Use {
		if path.IsAbs(u.Path) || strings.HasPrefix(path.Clean(u.Path), "..") {
			m.Needs = append(m.Needs, Need{Name: Name{Ecosystem: Go}, From: u.Path})
		}
	}
	for _, r := range f.Replace {
		if r.Old.Version == "" {
			m.instead = append(m.instead, replacement(r))
		}
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
			version, ref := cutRef(strings.TrimPrefix(version, "workspace:"))
			m.need(NPM, name, version, from)
			m.at(ref)
		}
	}
}

// cutRef takes what is behind the address of a git repository for a commit or tag,
// or a range of versions: github:owner/name#v1.2.3, git+https://host/name#semver:^1.0
func cutRef(asked string) (version, ref string) {
	address, ref, ok := strings.Cut(asked, "#")
	if !ok || !strings.Contains(address, "/") {
		return asked, ""
	}
	if version, ok := strings.CutPrefix(ref, "semver:"); ok {
		return version, ""
	}
	return "", ref
}
