package data

import "strings"

// A yamlKind says what a key is, by its path, or "".
type yamlKind func(path []string) string

// list are the keys of a document to list: those at its top, those that kind
// knows, and where it knows none those right in the first that are not on one
// line.
func (d *yamlDocument) list(kind yamlKind) []yamlSymbol {
	var all []yamlSymbol
	known := false
	for i, k := range d.keys {
		s := yamlSymbol{key: i, kind: kind(d.path(i))}
		known = known || s.kind != ""
		switch {
		case s.kind == "operation":
			s.name = strings.ToUpper(k.name) + " " + d.keys[k.parent].name
		case s.kind == "" && k.depth == 1, s.kind == "" && k.depth == 2 && k.end > k.line:
			s.kind = "key"
		}
		if s.kind != "" {
			all = append(all, s)
		}
	}
	if !known {
		return all
	}
	var kept []yamlSymbol
	for _, s := range all {
		if s.kind != "key" || d.keys[s.key].depth == 1 {
			kept = append(kept, s)
		}
	}
	return kept
}

// path are the names from the document's key to one.
func (d *yamlDocument) path(i int) []string {
	k := d.keys[i]
	names := make([]string, k.depth)
	for ; i >= 0; i = d.keys[i].parent {
		names[d.keys[i].depth-1] = d.keys[i].name
	}
	return names
}

var composeKinds = map[string]string{
	"services": "service", "volumes": "volume", "networks": "network", "secrets": "secret", "configs": "config",
}

func composeKind(path []string) string {
	if len(path) == 2 {
		return composeKinds[path[0]]
	}
	return ""
}

var apiMethods = map[string]bool{
	"get": true, "put": true, "post": true, "delete": true, "patch": true, "head": true, "options": true, "trace": true,
	"query": true,
}

func apiKind(path []string) string {
	switch {
	case len(path) == 2 && path[0] == "paths", len(path) == 2 && path[0] == "webhooks":
		return "path"
	case len(path) == 3 && path[0] == "paths" && apiMethods[path[2]]:
		return "operation"
	case len(path) == 3 && path[0] == "components" && path[1] == "schemas", len(path) == 2 && path[0] == "definitions":
		return "schema"
	}
	return ""
}

// gitlabWords are the keys of a GitLab pipeline that are no jobs.
var gitlabWords = map[string]bool{
	"default": true, "include": true, "stages": true, "variables": true, "workflow": true, "image": true, "services": true,
	"cache":         true,
	"before_script": true, "after_script": true, "spec": true,
}

func gitlabKind(path []string) string {
	if len(path) == 1 && !gitlabWords[path[0]] {
		return "job"
	}
	return ""
}
