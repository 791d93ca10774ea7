package data

import (
	"path"
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/parse"
	"github.com/ragnav/ragnav/internal/parse/lex"
	"github.com/ragnav/ragnav/internal/parse/patterns"
)

// A yamlDocument is one of the documents of a file.
type yamlDocument struct {
	keys  []yamlKey
	first int // line, from 0
	end   int // last line
}

// A yamlSymbol is a key to list, as what.
type yamlSymbol struct {
	key  int
	kind string
	name string // instead of the key's; then it is the qualified name too
}

// maxListed is the number of named parts (services, jobs, steps, operations) of a
// file up to which they are listed.
const maxListed = 1000

// symbols are those of all documents. Too many keys are data, and say nothing.
func (y *yamlFile) symbols() []parse.Symbol {
	var all []parse.Symbol
	keys, nested, named := 0, 0, 0
	for i := range y.documents {
		d := &y.documents[i]
		for _, s := range d.symbols(y.path) {
			switch {
			case s.kind != "key":
				named++
			case d.keys[s.key].depth == 1:
				keys++
			default:
				nested++
			}
			all = append(all, y.symbol(d, s))
		}
		if d.hasSteps(y.path) {
			steps := yamlStepsOf(y, d.first, d.end)
			named += len(steps)
			all = append(all, steps...)
		}
	}
	return keep(all, func(s parse.Symbol) bool {
		switch {
		case s.Kind != "key":
			return named <= maxListed
		case s.Parent == "":
			return keys <= patterns.MaxKeys
		}
		return keys <= patterns.MaxKeys && nested <= patterns.MaxKeys
	})
}

func keep(symbols []parse.Symbol, ok func(parse.Symbol) bool) []parse.Symbol {
	var kept []parse.Symbol
	for _, s := range symbols {
		if ok(s) {
			kept = append(kept, s)
		}
	}
	return kept
}

func (y *yamlFile) symbol(d *yamlDocument, s yamlSymbol) parse.Symbol {
	k := d.keys[s.key]
	sym := parse.Symbol{Name: k.name, Kind: s.kind, Exported: true, EndLine: k.end + 1}
	for p := k.parent; p >= 0; p = d.keys[p].parent {
		sym.Parent = parse.Qualify(d.keys[p].name, sym.Parent)
	}
	sym.Qualified = parse.Qualify(sym.Parent, sym.Name)
	scan := patterns.Source{Source: y.Source}
	sym.Signature = scan.Signature(y.Lines[k.line], lex.LineEnd(y.Text, y.Lines[k.line]))
	sym.StartLine, sym.Doc = y.aboveKey(k)
	if s.name != "" {
		sym.Name, sym.Qualified, sym.Signature, sym.Parent = s.name, s.name, s.name, ""
	}
	if s.kind == "resource" {
		sym.EndLine = d.end + 1
	}
	return sym
}

// aboveKey is where a key begins with the comments above it that are indented
// like it, and what these say.
func (y *yamlFile) aboveKey(k yamlKey) (start int, doc string) {
	first := k.line
	for first > 0 && k.line-first < patterns.MaxAbove && y.Class[first-1] == lex.HasComment &&
		y.Indent(first-1) == k.indent {
		first--
	}
	scan := patterns.Source{Source: y.Source}
	if doc = scan.CommentsBetween(first, k.line); doc != "" && parse.SummaryText(doc) == "" {
		return k.line + 1, ""
	}
	return first + 1, doc
}

// symbols are what the document is known to declare: a Kubernetes object, the
// paths and schemas of an API, the services of Compose, the jobs of a
// pipeline, the keys of anything else and the mappings right in them.
func (d *yamlDocument) symbols(file string) []yamlSymbol {
	top := map[string]int{}
	for i, k := range d.keys {
		if k.depth == 1 {
			top[k.name] = i
		}
	}
	has := func(name string) bool { _, ok := top[name]; return ok }
	switch name := path.Base(file); {
	case has("apiVersion") && has("kind"):
		return []yamlSymbol{{key: 0, kind: "resource", name: d.object(top["kind"])}}
	case has("openapi") || has("swagger"):
		return d.list(apiKind)
	case has("services") && (strings.Contains(name, "compose") || d.hasGrandchild("services", "image", "build")):
		return d.list(composeKind)
	case has("jobs") && (has("on") || has("true") || strings.Contains(file, "workflows/") ||
		strings.Contains(file, ".circleci/")):
		return d.list(func(path []string) string {
			if len(path) == 2 && path[0] == "jobs" {
				return "job"
			}
			return ""
		})
	case strings.Contains(file, "gitlab-ci"):
		return d.list(gitlabKind)
	}
	return d.list(func([]string) string { return "" })
}

// hasSteps reports whether a document may be a list of tasks, or has the steps of a pipeline.
func (d *yamlDocument) hasSteps(file string) bool {
	if len(d.keys) == 0 {
		return true
	}
	action := strings.HasPrefix(path.Base(file), "action.")
	for _, k := range d.keys {
		switch k.name {
		case "apiVersion":
			if k.depth == 1 {
				return false
			}
		case "stages", "jobs", "steps":
			if k.depth == 1 {
				return true
			}
		case "runs":
			if k.depth == 1 && action {
				return true
			}
		}
	}
	return false
}

// object is the kind of a Kubernetes object with its name.
func (d *yamlDocument) object(kind int) string {
	name := ""
	for _, k := range d.keys {
		if k.depth == 2 && k.name == "name" && d.keys[k.parent].name == "metadata" {
			name = strings.Trim(k.value, `"'`)
			break
		}
	}
	return parse.FirstOf(parse.Fold(strings.Trim(d.keys[kind].value, `"'`)+" "+name), "object")
}

// hasGrandchild reports whether a child of a key of the document has one of
// the keys.
func (d *yamlDocument) hasGrandchild(name string, keys ...string) bool {
	for _, k := range d.keys {
		if k.depth == 3 && slices.Contains(keys, k.name) && d.keys[d.keys[k.parent].parent].name == name {
			return true
		}
	}
	return false
}
