package depend

import (
	"encoding/json"
	"maps"
	"path"
	"slices"
	"strings"
)

// maxManifests is in how many manifests programs are looked for.
const maxManifests = 60

// Programs are the files among paths, which are in order, that manifests of npm, Composer and
// Python install as commands.
func Programs(paths []string, read func(path string) (*string, error)) (programs []string, err error) {
	left := maxManifests
	for _, p := range paths {
		commands := commandReaders[path.Base(p)]
		if commands == nil || left == 0 {
			continue
		}
		left--
		text, err := read(p)
		if err != nil {
			return nil, err
		}
		if text == nil {
			continue
		}
		for _, command := range commands(*text) {
			i := slices.IndexFunc(command, func(file string) bool {
				_, found := slices.BinarySearch(paths, path.Join(dirOf(p), file))
				return found
			})
			if i >= 0 {
				programs = append(programs, path.Join(dirOf(p), command[i]))
			}
		}
	}
	return programs, nil
}

// commandReaders read of manifests the files that commands may be.
var commandReaders = map[string]func(text string) [][]string{
	"package.json": nodeCommands, "composer.json": nodeCommands, "pyproject.toml": pythonCommands,
}

// nodeCommands has each file of "bin": one, a list, or an object.
func nodeCommands(text string) (all [][]string) {
	var m struct {
		Bin json.RawMessage `json:"bin"`
	}
	_ = json.Unmarshal([]byte(text), &m)
	var one string
	var list []string
	named := map[string]string{}
	switch {
	case json.Unmarshal(m.Bin, &one) == nil:
		list = []string{one}
	case json.Unmarshal(m.Bin, &list) == nil:
	case json.Unmarshal(m.Bin, &named) == nil:
		list = slices.Sorted(maps.Values(named))
	}
	for _, file := range slices.Compact(list) {
		if file != "" {
			all = append(all, []string{file})
		}
	}
	return all
}

// pythonCommands has the files that the module of each script may be.
func pythonCommands(text string) (all [][]string) {
	for _, s := range settings(text) {
		switch s.section {
		case "project.scripts", "project.gui-scripts", "tool.poetry.scripts":
			module, _, ok := strings.Cut(unquoted(s.value), ":")
			if file := strings.ReplaceAll(module, ".", "/"); ok && file != "" {
				all = append(all, []string{
					file + ".py", "src/" + file + ".py", file + "/__init__.py", "src/" + file + "/__init__.py",
				})
			}
		}
	}
	return all
}
