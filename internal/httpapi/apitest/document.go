package apitest

import (
	"fmt"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/goccy/go-yaml"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/ragnav/ragnav/api"
)

const location = "openapi.json"

// A document is the parsed API document. Its methods may be called concurrently.
type document struct {
	root  map[string]any
	paths []template

	mu       sync.Mutex
	compiler *jsonschema.Compiler
}

// A template is a path of the document and what it matches.
type template struct {
	path    string
	pattern *regexp.Regexp
}

var load = sync.OnceValues(func() (*document, error) {
	text, err := yaml.YAMLToJSON([]byte(api.Document()))
	if err != nil {
		return nil, fmt.Errorf("read the API document: %w", err)
	}
	root, err := decode(text)
	if err != nil {
		return nil, fmt.Errorf("read the API document: %w", err)
	}
	d := &document{root: root, compiler: jsonschema.NewCompiler()}
	d.compiler.DefaultDraft(jsonschema.Draft2020)
	d.compiler.AssertFormat()
	for path := range d.at("paths").(map[string]any) {
		d.paths = append(d.paths, template{path, patternOf(path)})
	}
	closeObjects(d.at("components", "schemas"))
	return d, d.compiler.AddResource(location, root)
})

// patternOf matches the paths of a template. Only a repo_id and a model have slashes.
func patternOf(path string) *regexp.Regexp {
	p := regexp.QuoteMeta(path)
	p = strings.NewReplacer(`\{repo_id\}`, `.*`, `\{model\}`, `.*`).Replace(p)
	return regexp.MustCompile("^" + strings.ReplaceAll(p, `\{id\}`, `[^/]*`) + "$")
}

// schemaOf is the schema of a reply.
func (d *document) schemaOf(method, path string, status int) (*jsonschema.Schema, error) {
	if method == http.MethodHead {
		return nil, fmt.Errorf("a reply to HEAD has no body")
	}
	for _, t := range d.paths {
		operation := []string{"paths", t.path, strings.ToLower(method)}
		if !t.pattern.MatchString(path) || d.at(operation...) == nil {
			continue
		}
		reply := slices.Concat(operation, []string{"responses", strconv.Itoa(status)})
		if d.at(reply...) == nil {
			reply[len(reply)-1] = "default"
		}
		if d.at(reply...) == nil {
			return nil, fmt.Errorf("%s %s: status %d is not in the document", method, t.path, status)
		}
		schema, ok := d.at(append(reply, "content", "application/json")...).(map[string]any)
		if !ok {
			return nil, fmt.Errorf("%s %s: the document has no JSON reply with status %d", method, t.path, status)
		}
		ref, _ := schema["schema"].(map[string]any)["$ref"].(string)
		return d.compile(ref)
	}
	if status < http.StatusBadRequest {
		return nil, fmt.Errorf("%s %s is not in the document and has status %d", method, path, status)
	}
	return d.compile("#/components/schemas/ErrorReply")
}

func (d *document) compile(ref string) (*jsonschema.Schema, error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.compiler.Compile(location + ref)
}

// closeObjects refuses unknown properties in every schema that lists its
// properties and says nothing about others. The parts of an allOf don't know
// each other's properties and stay open.
func closeObjects(v any) {
	switch v := v.(type) {
	case []any:
		for _, e := range v {
			closeObjects(e)
		}
	case map[string]any:
		_, lists := v["properties"].(map[string]any)
		if _, says := v["additionalProperties"]; lists && !says && v["type"] == "object" {
			v["additionalProperties"] = false
		}
		for key, e := range v {
			if key != "allOf" {
				closeObjects(e)
			}
		}
	}
}
