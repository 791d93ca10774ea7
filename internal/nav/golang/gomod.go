package golang

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/ragnav/ragnav/internal/nav/facts"
)

// ExtractModule reads the module path of a go.mod into Package, and each
// replacement by a folder into an Import: Path is what is replaced, Name is
// "replace", Local the folder.
func ExtractModule(name, text string) (facts.File, error) {
	out := facts.File{Path: name, Language: ModuleLanguage}
	eachDirective(text, func(words []string, line int) {
		switch words[0] {
		case "module":
			if len(words) > 1 {
				out.Package = words[1]
			}
		case "replace":
			if m, ok := replacement(words, line); ok && m.Local != "" {
				out.Imports = append(out.Imports, m)
			}
		}
	})
	if out.Package == "" {
		return out, fmt.Errorf("%s: no module path", name)
	}
	return out, nil
}

// ExtractWorkspace reads a go.work: each folder with a module that is used is an
// Import with the Name "use" and the folder as Local, and each replacement one
// as of ExtractModule, with no Local where it is not by a folder.
func ExtractWorkspace(name, text string) (facts.File, error) {
	out := facts.File{Path: name, Language: WorkspaceLanguage}
	eachDirective(text, func(words []string, line int) {
		switch words[0] {
		case "use":
			if len(words) > 1 {
				out.Imports = append(out.Imports, facts.Import{Name: "use", Local: words[1], In: -1, Line: line, Column: 1})
			}
		case "replace":
			if m, ok := replacement(words, line); ok {
				out.Imports = append(out.Imports, m)
			}
		}
	})
	return out, nil
}

// eachDirective calls do with the words of each directive, those of a block
// with the word that is before it.
func eachDirective(text string, do func(words []string, line int)) {
	block, line := "", 0
	for l := range strings.Lines(text) {
		line++
		code, _, _ := strings.Cut(l, "//")
		words := strings.Fields(code)
		if len(words) == 0 {
			continue
		}
		switch {
		case block != "" && words[0] == ")":
			block = ""
			continue
		case len(words) == 2 && words[1] == "(":
			block = words[0]
			continue
		case block != "":
			words = append([]string{block}, words...)
		}
		for i, w := range words {
			if s, err := strconv.Unquote(w); err == nil {
				words[i] = s
			}
		}
		do(words, line)
	}
}

func replacement(words []string, line int) (facts.Import, bool) {
	for i, w := range words {
		if w != "=>" || i < 2 || i+1 >= len(words) {
			continue
		}
		m := facts.Import{Path: words[1], Name: "replace", In: -1, Line: line, Column: 1}
		if to := words[i+1]; strings.HasPrefix(to, ".") {
			m.Local = to
		}
		return m, true
	}
	return facts.Import{}, false
}
