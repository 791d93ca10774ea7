package httpapi_test

import (
	"fmt"
	"maps"
	"net/http"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/go-chi/chi/v5"
	"github.com/google/go-cmp/cmp"

	"github.com/ragnav/ragnav/api"
	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/httpapi"
	"github.com/ragnav/ragnav/internal/op"
	"github.com/ragnav/ragnav/internal/rag/ask"
	"github.com/ragnav/ragnav/internal/rag/filefetch"
	"github.com/ragnav/ragnav/internal/rag/plan"
)

func document(t *testing.T) *openapi3.T {
	t.Helper()
	doc, err := openapi3.NewLoader().LoadFromData([]byte(api.Document()))
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

func TestDocumentIsValid(t *testing.T) {
	if err := document(t).Validate(t.Context()); err != nil {
		t.Error(err)
	}
}

// The document and the route table list the same operations. Pages are none.
func TestRoutesMatchOpenAPI(t *testing.T) {
	want := map[string]bool{}
	for path, item := range document(t).Paths.Map() {
		for method := range item.Operations() {
			want[method+" "+path] = true
		}
	}
	got := map[string]bool{}
	d := deps()
	d.Pages = nil
	routes := httpapi.New(d).(chi.Routes)
	err := chi.Walk(routes, func(method, route string, _ http.Handler, _ ...func(http.Handler) http.Handler) error {
		route = strings.Replace(route, "models/*", "models/{model}", 1)
		got[method+" "+strings.Replace(route, "*", "{repo_id}", 1)] = true
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("operations (-openapi +routes):\n%s", diff)
	}
}

// The document has the public error codes: all but the one that nobody sees.
func TestErrorCodesMatchOpenAPI(t *testing.T) {
	var want, got []string
	for _, code := range fault.Codes() {
		if code != fault.Canceled {
			want = append(want, string(code))
		}
	}
	for _, code := range document(t).Components.Schemas["ErrorCode"].Value.Enum {
		got = append(got, code.(string))
	}
	slices.Sort(want)
	slices.Sort(got)
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("error codes (-fault +openapi):\n%s", diff)
	}
}

// What the document promises of a request is what the decoder and the validation
// tags accept: names, types, which are required, bounds and choices.
func TestRequestsMatchOpenAPI(t *testing.T) {
	doc := document(t)
	for _, row := range op.All() {
		about := row.About()
		t.Run(about.Name, func(t *testing.T) {
			item := doc.Paths.Find(about.Path)
			if item == nil || item.GetOperation(about.Method) == nil {
				t.Fatalf("api/openapi.yaml has no %s %s", about.Method, about.Path)
			}
			operation := item.GetOperation(about.Method)
			got := map[string]string{}
			if operation.RequestBody != nil {
				got = fieldsOf(operation.RequestBody.Value.Content["application/json"].Schema.Value)
			}
			for _, p := range append(slices.Clone(item.Parameters), operation.Parameters...) {
				got[p.Value.Name] = promised(p.Value.Schema.Value, p.Value.Required)
			}
			want := accepted(reflect.TypeOf(row.NewRequest()).Elem())
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("fields, and what api/openapi.yaml says of %s (-go +openapi):\n%s", about.Path, diff)
			}
			if about.Kept {
				sameButLists(t, want, item.Get)
			}
		})
	}
}

// sameButLists compares a request with the parameters of the GET beside it.
func sameButLists(t *testing.T, want map[string]string, get *openapi3.Operation) {
	t.Helper()
	got := map[string]string{}
	for _, p := range get.Parameters {
		if p.Value.In == openapi3.ParameterInQuery {
			got[p.Value.Name] = promised(p.Value.Schema.Value, p.Value.Required)
		}
	}
	maps.DeleteFunc(want, func(_, text string) bool { return strings.HasPrefix(text, "array") })
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("parameters of GET (-go +openapi):\n%s", diff)
	}
}

// Generators take a field with a default for one that is always there, also in
// requests. Every body has an example.
func TestRequestsAreForGenerators(t *testing.T) {
	doc := document(t)
	for name, s := range doc.Components.Schemas {
		for field, p := range s.Value.Properties {
			if p.Value.Default != nil {
				t.Errorf("%s.%s has a default; say it in the description", name, field)
			}
		}
	}
	for path, item := range doc.Paths.Map() {
		for method, operation := range item.Operations() {
			if operation.RequestBody == nil {
				continue
			}
			if c := operation.RequestBody.Value.Content["application/json"]; c.Example == nil && len(c.Examples) == 0 {
				t.Errorf("%s %s has no example of a request", method, path)
			}
		}
	}
}

// The objects within requests, too.
func TestNestedObjectsMatchOpenAPI(t *testing.T) {
	doc := document(t)
	for schema, object := range map[string]any{
		"Message": ask.Message{}, "Budget": ask.Budget{},
		"FileSpan": filefetch.Span{}, "Plan": plan.Plan{},
	} {
		if diff := cmp.Diff(accepted(reflect.TypeOf(object)), fieldsOf(doc.Components.Schemas[schema].Value)); diff != "" {
			t.Errorf("fields of %s (-go +openapi):\n%s", schema, diff)
		}
	}
}

func fieldsOf(s *openapi3.Schema) map[string]string {
	fields := map[string]string{}
	for name, p := range s.Properties {
		fields[name] = promised(p.Value, slices.Contains(s.Required, name))
	}
	return fields
}

var (
	bound  = regexp.MustCompile(`\b(?:(min|gte)|max|lte)=(\d+)`)
	choice = regexp.MustCompile(`\boneof=([^,]*)`)
)

// accepted describes the fields of a request by their types and validation tags.
func accepted(t reflect.Type) map[string]string {
	fields := map[string]string{}
	for f := range t.Fields() {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name == "-" {
			continue
		}
		rule, _, _ := strings.Cut(f.Tag.Get("validate"), ",dive")
		kind := f.Type.Kind()
		if kind == reflect.Pointer {
			kind = f.Type.Elem().Kind()
		}
		text := map[reflect.Kind]string{
			reflect.String: "string", reflect.Int: "integer", reflect.Bool: "boolean", reflect.Slice: "array",
			reflect.Struct: "object",
		}[kind]
		for _, m := range bound.FindAllStringSubmatch(rule, -1) {
			text += map[bool]string{true: " >= ", false: " <= "}[m[1] != ""] + m[2]
		}
		if m := choice.FindStringSubmatch(rule); m != nil {
			text += " of " + m[1]
		}
		if slices.Contains(strings.Split(rule, ","), "required") {
			text += " required"
		}
		fields[name] = text
	}
	return fields
}

// promised describes a schema in the same words.
func promised(s *openapi3.Schema, required bool) string {
	text := s.Type.Slice()[0]
	switch {
	case s.Min != nil:
		text += fmt.Sprintf(" >= %v", *s.Min)
	case s.MinItems > 0:
		text += fmt.Sprintf(" >= %d", s.MinItems)
	}
	switch {
	case s.Max != nil:
		text += fmt.Sprintf(" <= %v", *s.Max)
	case s.MaxLength != nil:
		text += fmt.Sprintf(" <= %d", *s.MaxLength)
	case s.MaxItems != nil:
		text += fmt.Sprintf(" <= %d", *s.MaxItems)
	}
	if len(s.Enum) > 0 {
		text += " of " + strings.Trim(fmt.Sprint(s.Enum), "[]")
	}
	if required {
		text += " required"
	}
	return text
}
