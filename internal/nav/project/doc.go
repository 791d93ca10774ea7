// Package project reads the files that say how imports of a project are to be
// understood: package.json, tsconfig.json and jsconfig.json, pyproject.toml and
// setup.cfg, Cargo.toml, projects of MSBuild. They become facts.File with the Language that
// LanguageOf gives: the name of the project is the Package, and each thing said is an Import whose
// Local says what kind it is, Name the key and Path the value.
//
//	package.json   "main", "module", "types"; "exports" and "imports" with a key such as "./sub"; "workspaces"
//	tsconfig.json  "paths" with a key such as "@app/*"; "baseUrl"; "extends"; "references"
//	Cargo.toml     "main": the file of a library, where it is said; "renamed": the crate that is called as the key;
//	               "renamed below": the same for the crates of a workspace; "edition": that of 2015, and no other;
//	               "target": the file of a binary, test, example or benchmark, where it is said
//	pyproject.toml, setup.cfg  "source": a folder that packages are in
//	*.csproj, Directory.Build.props  "using": a namespace or type that all files of C# below use, with an alias as the
//	               key, or "static"
package project

import (
	"path"
	"strings"

	"github.com/ragnav/ragnav/internal/nav/facts"
)

// Knows reports whether a file is one of those that are read.
func Knows(name string) bool { return reader(name) != nil }

func reader(name string) func(f *facts.File, text string) bool {
	switch base := path.Base(name); {
	case base == "package.json":
		return packageFile
	case (strings.HasPrefix(base, "tsconfig") || strings.HasPrefix(base, "jsconfig")) && strings.HasSuffix(base, ".json"):
		return configFile
	case base == "Cargo.toml":
		return cargoFile
	case strings.HasSuffix(base, ".csproj") || base == "Directory.Build.props":
		return buildFile
	case base == "pyproject.toml" || base == "setup.cfg":
		return pythonFile
	}
	return nil
}

// LanguageOf is the language of the facts of a file that is read: JSON, TOML or XML; "" of others.
func LanguageOf(name string) string {
	switch ext := path.Ext(name); {
	case reader(name) == nil:
		return ""
	case ext == ".json":
		return "JSON"
	case ext == ".toml" || ext == ".cfg":
		return "TOML"
	}
	return "XML"
}

// IsLanguage reports whether files are read in a language because of what they say of a project.
func IsLanguage(language string) bool {
	return language == "JSON" || language == "TOML" || language == "XML"
}

// Facts reads a file. It reports false if it is none of those, or broken.
func Facts(name, text string) (facts.File, bool) {
	read := reader(name)
	if read == nil {
		return facts.File{}, false
	}
	f := facts.File{Path: name, Language: LanguageOf(name)}
	if !read(&f, text) {
		return facts.File{}, false
	}
	return f, true
}

// say adds something that a file says.
func say(f *facts.File, kind, key, value string) {
	if value != "" && len(f.Imports) < maxSaid {
		f.Imports = append(f.Imports, facts.Import{Path: value, Name: key, Local: kind, In: -1, Line: 1, Column: 1})
	}
}

// maxSaid is how much is kept of one file.
const maxSaid = 2000
