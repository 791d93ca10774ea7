package project

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"

	"github.com/ragnav/ragnav/internal/nav/facts"
)

func packageFile(f *facts.File, text string) bool {
	var p struct {
		Name       string          `json:"name"`
		Main       any             `json:"main"`
		Module     any             `json:"module"`
		Types      any             `json:"types"`
		Typings    any             `json:"typings"`
		Source     any             `json:"source"`
		Exports    json.RawMessage `json:"exports"`
		Imports    json.RawMessage `json:"imports"`
		Workspaces json.RawMessage `json:"workspaces"`
		// by versions of TypeScript
		TypesVersions map[string]map[string][]string `json:"typesVersions"`
	}
	if json.Unmarshal([]byte(text), &p) != nil {
		return false
	}
	f.Package = p.Name
	for _, x := range []struct {
		kind  string
		value any
	}{{"source", p.Source}, {"types", p.Types}, {"types", p.Typings}, {"module", p.Module}, {"main", p.Main}} {
		if s, ok := x.value.(string); ok {
			say(f, x.kind, "", s)
		}
	}
	targets(f, "exports", ".", decode(p.Exports), 0)
	targets(f, "imports", "", decode(p.Imports), 0)
	for _, version := range slices.Backward(slices.Sorted(maps.Keys(p.TypesVersions))) {
		for _, key := range slices.Sorted(maps.Keys(p.TypesVersions[version])) {
			for _, target := range p.TypesVersions[version][key] {
				say(f, "typesVersions", "./"+key, target)
			}
		}
	}
	workspaces(f, decode(p.Workspaces))
	return true
}

func decode(raw json.RawMessage) any {
	var v any
	_ = json.Unmarshal(raw, &v) // nothing where it is broken
	return v
}

// conditions are in the order in which they count: what declares types first, then what
// most programs see, before the others. require comes before import, as what is written
// for both is mostly that, in another file wrapped for import.
var conditions = []string{"source", "types", "node", "require", "import", "module", "default"}

// inOrder are keys in the order in which they count.
func inOrder(v map[string]any) []string {
	rank := func(key string) int {
		if i := slices.Index(conditions, key); i >= 0 {
			return i
		}
		return len(conditions)
	}
	return slices.SortedFunc(maps.Keys(v), func(a, b string) int {
		return cmp.Or(cmp.Compare(rank(a), rank(b)), cmp.Compare(a, b))
	})
}

// targets adds what exports or imports map a key to, under all conditions.
func targets(f *facts.File, kind, key string, v any, depth int) {
	switch v := v.(type) {
	case string:
		say(f, kind, key, v)
	case []any:
		for _, x := range v {
			targets(f, kind, key, x, depth+1)
		}
	case map[string]any:
		if depth > 8 {
			return
		}
		for _, k := range inOrder(v) {
			if k != "" && (k[0] == '.' || k[0] == '#') {
				targets(f, kind, k, v[k], depth+1)
			} else {
				targets(f, kind, key, v[k], depth+1)
			}
		}
	}
}

func workspaces(f *facts.File, v any) {
	switch v := v.(type) {
	case []any:
		for _, x := range v {
			if s, ok := x.(string); ok {
				say(f, "workspaces", "", s)
			}
		}
	case map[string]any:
		workspaces(f, v["packages"])
	}
}

func configFile(f *facts.File, text string) bool {
	var c struct {
		Extends    any `json:"extends"`
		References []struct {
			Path string `json:"path"`
		} `json:"references"`
		CompilerOptions struct {
			BaseURL string              `json:"baseUrl"`
			Paths   map[string][]string `json:"paths"`
		} `json:"compilerOptions"`
	}
	if json.Unmarshal([]byte(withoutComments(text)), &c) != nil {
		return false
	}
	switch e := c.Extends.(type) {
	case string:
		say(f, "extends", "", e)
	case []any:
		for _, x := range e {
			if s, ok := x.(string); ok {
				say(f, "extends", "", s)
			}
		}
	}
	for _, r := range c.References {
		say(f, "references", "", r.Path)
	}
	say(f, "baseUrl", "", c.CompilerOptions.BaseURL)
	for _, key := range slices.Sorted(maps.Keys(c.CompilerOptions.Paths)) {
		for _, target := range c.CompilerOptions.Paths[key] {
			say(f, "paths", key, target)
		}
	}
	return true
}

// withoutComments takes comments and commas before closing brackets out of
// JSON, as tsconfig.json may have them.
func withoutComments(text string) string {
	out := make([]byte, 0, len(text))
	for i := 0; i < len(text); i++ {
		switch {
		case text[i] == '"':
			end := i + 1
			for end < len(text) && text[end] != '"' {
				if text[end] == '\\' {
					end++
				}
				end++
			}
			end = min(end, len(text)-1)
			out = append(out, text[i:end+1]...)
			i = end
		case text[i] == '/' && i+1 < len(text) && text[i+1] == '/':
			for i < len(text) && text[i] != '\n' {
				i++
			}
		case text[i] == '/' && i+1 < len(text) && text[i+1] == '*':
			for i += 2; i+1 < len(text) && (text[i] != '*' || text[i+1] != '/'); i++ {
				continue
			}
			i++
		case text[i] == '}' || text[i] == ']':
			for len(out) > 0 && (out[len(out)-1] == ' ' || out[len(out)-1] == '\n' || out[len(out)-1] == '\t' ||
				out[len(out)-1] == '\r') {
				out = out[:len(out)-1]
			}
			if len(out) > 0 && out[len(out)-1] == ',' {
				out = out[:len(out)-1]
			}
			out = append(out, text[i])
		default:
			out = append(out, text[i])
		}
	}
	return string(out)
}
