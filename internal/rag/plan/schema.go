package plan

import (
	"encoding/json"

	"github.com/ragnav/ragnav/internal/filter"
)

// schema is the JSON Schema of a plan.
func schema() json.RawMessage {
	type object = map[string]any
	leaf := object{
		"type": "object", "additionalProperties": false, "required": []string{"field", "operator", "value"},
		"properties": object{
			"field":    object{"type": "string", "enum": filter.Fields()},
			"operator": object{"type": "string", "enum": leafOperators()},
			"value": object{
				"type":  []string{"string", "number", "array"},
				"items": object{"type": []string{"string", "number"}},
			},
		},
	}
	join := object{
		"type": "object", "additionalProperties": false, "required": []string{"operator", "value"},
		"properties": object{
			"operator": object{"type": "string", "enum": []filter.Operator{filter.And, filter.Or, filter.Not}},
			"value":    object{"type": "array", "minItems": 1, "items": object{"$ref": "#/$defs/filter"}},
		},
	}
	schema, err := json.Marshal(object{
		"type": "object", "additionalProperties": false, "required": []string{"semantic_query", "filters", "response_format"},
		"properties": object{
			"semantic_query":  object{"type": "string"},
			"filters":         object{"type": "array", "items": object{"$ref": "#/$defs/filter"}},
			"response_format": object{"type": "string", "enum": []string{MetadataOnly, SelectiveContext}},
		},
		"$defs": object{"filter": object{"anyOf": []any{leaf, join}}},
	})
	if err != nil {
		panic(err) // of constants
	}
	return schema
}

func leafOperators() []filter.Operator {
	var all []filter.Operator
	for _, o := range filter.Operators() {
		if o != filter.And && o != filter.Or && o != filter.Not {
			all = append(all, o)
		}
	}
	return all
}
