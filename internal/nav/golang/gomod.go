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
		switch words[0] {
		case "module":
			if len(words) > 1 {
				out.Package = words[1]
			}
		case "replace":
			replacement(&out, words, line)
		}
	}
	if out.Package == "" {
		return out, fmt.Errorf("%s: no module path", name)
	}
	return out, nil
}

func replacement(out *facts.File, words []string, line int) {
	for i, w := range words {
		if w != "=>" || i < 2 || i+1 >= len(words) {
			continue
		}
		to := words[i+1]
		if strings.HasPrefix(to, ".") {
			out.Imports = append(out.Imports, facts.Import{Path: words[1], Name: "replace", Local: to, In: -1, Line: line, Column: 1})
		}
		return
	}
}
