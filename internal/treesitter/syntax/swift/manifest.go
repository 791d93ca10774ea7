package swift

import (
	"path"
	"strings"

	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/treesitter/syntax/binder"
)

// addTargets says of a manifest which targets it declares: the name of each is what an import
// is marked with, its folder the path.
func addTargets(p *walker) {
	if name := path.Base(p.Path); name != "Package.swift" && !strings.HasPrefix(name, "Package@swift-") {
		return
	}
	for n := range binder.At(len(p.Nodes)) {
		if p.Kind(n) == "call_expression" {
			addTarget(p, n)
		}
	}
}

// targetKinds are the functions that declare targets.
var targetKinds = map[string]bool{
	".target": true, ".executableTarget": true, ".testTarget": true, ".macro": true, ".plugin": true,
	".systemLibrary": true, "Target.target": true,
}

func addTarget(p *walker, n binder.At) {
	if !targetKinds[p.TextAt(p.Nth(n, 0))] {
		return
	}
	name, dir := "", ""
	for _, a := range argumentsOf(p, n) {
		text := strings.Trim(p.TextAt(p.Child(a, "value")), `"`)
		switch p.TextAt(p.Child(a, "name")) {
		case "name":
			name = text
		case "path":
			dir = text
		}
	}
	if name == "" || p.TextAt(p.Child(p.Up(n, "value_argument"), "name")) == "dependencies" {
		return
	}
	p.Imported(p.Nth(n, 0), facts.Import{Path: name, Name: "*", Local: facts.Target + dir})
}
