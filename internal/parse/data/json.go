package data

import (
	"encoding/json"
	"path"
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/parse"
)

// JSONParts are the parts of a JSON file that have a meaning by its name, or by what it says
// that it is: scripts of package.json, paths, operations and schemas of an API.
func JSONParts(f parse.File) []parse.Symbol {
	kind := jsonKind(f)
	if kind == nil {
		return nil
	}
	r := jsonReader{
		Decoder: json.NewDecoder(strings.NewReader(f.Text)), text: f.Text, lines: parse.LineOffsets(f.Text), kind: kind,
	}
	if !r.value() || len(r.symbols) > maxListed {
		return nil
	}
	slices.SortStableFunc(r.symbols, parse.ByStart)
	return r.symbols
}

// jsonKind is what the keys of a file are; nil where none is listed.
func jsonKind(f parse.File) yamlKind {
	scripts := ""
	switch path.Base(f.Path) {
	case "package.json", "composer.json":
		scripts = "scripts"
	case "deno.json":
		scripts = "tasks"
	default:
		head := f.Text[:min(len(f.Text), 1024)]
		if !strings.Contains(head, `"openapi"`) && !strings.Contains(head, `"swagger"`) {
			return nil
		}
		return apiKind
	}
	return func(path []string) string {
		if len(path) == 2 && path[0] == scripts {
			return "script"
		}
		return ""
	}
}

// A jsonReader lists keys of a JSON text.
type jsonReader struct {
	*json.Decoder

	text    string
	lines   parse.Offsets
	kind    yamlKind
	path    []string
	symbols []parse.Symbol
}

// deepestPart is how many keys lead to a part that has a meaning.
const deepestPart = 3

// value reads one; it is false for a text that is no JSON, or has too many parts to list.
func (r *jsonReader) value() bool {
	t, err := r.Token()
	if err != nil {
		return false
	}
	switch opens, _ := t.(json.Delim); {
	case opens == 0:
		return true
	case opens == '[' || len(r.path) == deepestPart:
		return r.skip()
	}
	for r.More() {
		if !r.member() {
			return false
		}
	}
	_, err = r.Token()
	return err == nil
}

// skip reads to the end of what has just begun, however deep that is.
func (r *jsonReader) skip() bool {
	for depth := 1; depth > 0; {
		t, err := r.Token()
		if err != nil {
			return false
		}
		switch t {
		case json.Delim('['), json.Delim('{'):
			depth++
		case json.Delim(']'), json.Delim('}'):
			depth--
		}
	}
	return true
}

func (r *jsonReader) member() bool {
	t, err := r.Token()
	name, ok := t.(string)
	if err != nil || !ok || len(r.symbols) > maxListed {
		return false
	}
	line := r.lines.LineAt(int(r.InputOffset()) - 1)
	r.path = append(r.path, parse.Fold(name))
	ok = r.value()
	if kind := r.kind(r.path); ok && kind != "" {
		r.list(kind, line, r.lines.LineAt(int(r.InputOffset())-1))
	}
	r.path = r.path[:len(r.path)-1]
	return ok
}

func (r *jsonReader) list(kind string, start, end int) {
	parent := r.path[:len(r.path)-1]
	s := parse.Symbol{
		Name: r.path[len(parent)], Parent: strings.Join(parent, "."), Kind: kind, StartLine: start, EndLine: end,
		Exported: true,
	}
	s.Qualified = parse.Qualify(s.Parent, s.Name)
	s.Signature = parse.Fold(strings.TrimRight(strings.TrimSpace(r.lines.Slice(r.text, start, start)), ":,{ "))
	if kind == "operation" {
		s.Name = strings.ToUpper(s.Name) + " " + parent[len(parent)-1]
		s.Qualified, s.Signature, s.Parent = s.Name, s.Name, ""
	}
	r.symbols = append(r.symbols, s)
}
