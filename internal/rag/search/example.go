package search

import "strings"

// exampleFolders are names of folders with code that shows how other code is used, or
// how fast it is, or that makes documentation or releases, or is what was released, or a
// second time for one system, or helps tests. Those that are true are so as a part of a name, too:
// example_app, client-dist, and Documentation.docc, with tutorials of Swift.
var exampleFolders = map[string]bool{
	"example": true, "examples": true, "sample": true, "samples": true, "demo": true, "demos": true,
	"bench": true, "benches": true, "benchmark": true, "benchmarks": true, "tutorial": true, "tutorials": true,
	"docc": true, "dist": true, "win32": false, "test": false, "tests": false,
	"doc": false, "docs": false, "documentation": false, "website": false, "snippets": false,
	"scripts": false, ".github": false, "integration": false,
}

// exampleStarts are the first bytes of their names, in either case.
const exampleStarts = ".EeSsDdWwBbTtIi"

func isExample(path string) bool {
	folder, part, found := 0, 0, false // where names and their parts begin
	for i := range len(path) {
		c := path[i]
		if c > '/' && c != '_' {
			continue
		}
		switch c {
		case '-', '_', '.', ' ':
			found = found || mayBeExample(path[part:i], true)
			part = i + 1
		case '/':
			if found || mayBeExample(path[part:i], part > folder) ||
				part > folder && mayBeExample(path[folder:i], false) {
				return true
			}
			folder, part = i+1, i+1
		}
	}
	return false
}

// mayBeExample reports whether a folder has such a name, or a part of its name is one.
func mayBeExample(name string, partly bool) bool {
	if name == "" || strings.IndexByte(exampleStarts, name[0]) < 0 {
		return false
	}
	always, ok := exampleFolders[strings.ToLower(name)]
	return ok && (always || !partly)
}

// builds are languages of what says how code is built, where the names of files and targets
// are those of the code.
var builds = func() map[string]bool {
	set := map[string]bool{}
	for language := range strings.SplitSeq("Makefile,Automake,M4,M4Sugar,CMake,Meson,Starlark,Gradle,Dockerfile,Just,"+
		"Earthly,RPM Spec,Go Module", ",") {
		set[language] = true
	}
	return set
}()

// texts are languages of markup and of data, which have the words of the code that
// they are beside and seldom do what is asked for; so are texts of no known language.
var texts = func() map[string]bool {
	set := map[string]bool{"": true}
	for language := range strings.SplitSeq("HTML,CSS,SCSS,Sass,Less,SVG,XML,JSON,JSON with Comments,YAML,TOML,INI,CSV,"+
		"HOCON,Java Properties,Maven POM,XML Property List,Cabal Config,Pip Requirements,Handlebars,Jinja,HTML+Django,"+
		"HTML+EEX,HTML+ERB,Go Template,Smarty,Roff,Roff Manpage,TeX,Text,Diff,Gettext Catalog,Ignore List,Git Attributes,"+
		"EditorConfig", ",") {
		set[language] = true
	}
	return set
}()
