package httpapi_test

import (
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
)

// Generators of clients make one type of the parts of allOf: what narrows a property
// of another part must not give it another type, or be a const beside its enum. An
// enum of false or true is no type for them either.
func TestGeneratorsCanMergeSchemas(t *testing.T) {
	narrowed := 0
	var check func(where string, s *openapi3.Schema)
	check = func(where string, s *openapi3.Schema) {
		for _, v := range s.Enum {
			if _, is := v.(bool); is {
				t.Errorf("%s: an enum of %v", where, s.Enum)
			}
		}
		for _, whole := range s.AllOf {
			for _, part := range s.AllOf {
				for name, p := range part.Value.Properties {
					if part.Ref != "" || part == whole || whole.Value.Properties[name] == nil {
						continue
					}
					narrowed++
					if p.Value.Const != nil || p.Value.Type != nil && len(p.Value.Enum) == 0 {
						t.Errorf("%s: %s is another type, or a const", where, name)
					}
				}
			}
		}
		for name, p := range s.Properties {
			if p.Ref == "" {
				check(where+"."+name, p.Value)
			}
		}
	}
	for name, s := range document(t).Components.Schemas {
		check(name, s.Value)
	}
	if narrowed == 0 {
		t.Error("nothing is narrowed")
	}
}
