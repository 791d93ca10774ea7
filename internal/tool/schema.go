package tool

import (
	"encoding/json"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/ragnav/ragnav/internal/valid"
)

// maxTokens is the argument that every tool has beside those of its operation.
const maxTokens = "max_tokens"

// Schema is the JSON Schema of a tool's arguments. Descriptions are given where
// the name doesn't say it: each is read, and paid for, in every conversation.
func (t Tool) Schema() map[string]any {
	properties := map[string]any{maxTokens: map[string]any{"type": "integer"}}
	required := []string{}
	fields := fieldsOf(reflect.TypeOf(t.Row.NewRequest()).Elem())
	for _, a := range t.args {
		f := fields[a.name]
		s := typeOf(f)
		if a.about != "" {
			s["description"] = a.about
		}
		properties[a.name] = s
		if rules := strings.Split(f.Tag.Get("validate"), ","); slices.Contains(rules, "required") && a.name != repoID &&
			a.name != "direction" {
			required = append(required, a.name)
		}
	}
	if v := t.variant; v != nil {
		properties[v.name] = map[string]any{"type": "boolean", "description": v.about}
	}
	s := map[string]any{"type": "object", "properties": properties, "additionalProperties": false}
	if len(required) > 0 {
		s["required"] = required
	}
	return s
}

// fieldsOf are the fields of a struct type by their JSON names.
func fieldsOf(t reflect.Type) map[string]reflect.StructField {
	fields := map[string]reflect.StructField{}
	for f := range t.Fields() {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		fields[name] = f
	}
	return fields
}

var choices = regexp.MustCompile(`\boneof=([^,]*)`)

func typeOf(f reflect.StructField) map[string]any {
	t := f.Type
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	s := map[string]any{}
	of := s // what the choices are of
	switch t.Kind() {
	case reflect.Int:
		s["type"] = "integer"
	case reflect.Bool:
		s["type"] = "boolean"
	case reflect.Slice:
		s["type"] = "array"
		of = objectOf(t.Elem())
		s["items"] = of
	default:
		s["type"] = "string"
	}
	if m := choices.FindStringSubmatch(f.Tag.Get("validate")); m != nil {
		of["enum"] = strings.Fields(m[1])
	}
	return s
}

func objectOf(t reflect.Type) map[string]any {
	if t.Kind() == reflect.String {
		return map[string]any{"type": "string"}
	}
	properties := map[string]any{}
	for name, f := range fieldsOf(t) {
		properties[name] = typeOf(f)
	}
	return map[string]any{"type": "object", "properties": properties, "additionalProperties": false}
}

// lenient turns arguments of the wrong type, which models send, into what the
// field is: "10" into 10, "true" into true, 10.0 into 10, a list that is written
// as a string or has one item without brackets into a list; so of what is in it.
func lenient(t reflect.Type, v any) any {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch v := v.(type) {
	case string:
		switch t.Kind() {
		case reflect.Int:
			if n, ok := valid.Whole(v); ok {
				return n
			}
		case reflect.Bool:
			if b, err := strconv.ParseBool(v); err == nil {
				return b
			}
		case reflect.Slice:
			var list []any
			switch err := json.Unmarshal([]byte(v), &list); {
			case err == nil && list != nil:
				return lenient(t, list)
			case t.Elem().Kind() == reflect.String:
				return strings.FieldsFunc(v, func(r rune) bool { return r == ',' || r == ' ' })
			}
		}
	case float64:
		if t.Kind() == reflect.Int && v == float64(int64(v)) {
			return int64(v)
		}
	case []any:
		if only, ok := one(v); ok && t.Kind() == reflect.String {
			return only
		}
		for i := range v {
			if t.Kind() == reflect.Slice {
				v[i] = lenient(t.Elem(), v[i])
			}
		}
	case map[string]any:
		switch t.Kind() {
		case reflect.Slice:
			return lenient(t, []any{v})
		case reflect.Struct:
			return leniently(v, fieldsOf(t))
		}
	}
	return v
}

// leniently has fields that are not there left out, as some models leave out what
// they need not give, and the others made what they are.
func leniently(given map[string]any, fields map[string]reflect.StructField) map[string]any {
	for name, v := range given {
		if f, ok := fields[name]; v == nil {
			delete(given, name)
		} else if ok {
			given[name] = lenient(f.Type, chosen(name, v))
		}
	}
	return given
}

// one is the text that is alone in a list.
func one(list []any) (text string, ok bool) {
	if len(list) != 1 {
		return "", false
	}
	text, ok = list[0].(string)
	return text, ok
}

// levels are levels by names that are usual elsewhere.
var levels = map[string]string{
	"function": "symbol", "func": "symbol", "method": "symbol", "class": "symbol", "type": "symbol", "code": "symbol",
	"symbols": "symbol", "files": "file", "folder": "module", "directory": "module", "package": "module",
	"repository": "repo", "docs": "doc", "documentation": "doc",
}

// chosen is the choice that a value of a field means.
func chosen(name string, v any) any {
	if text, ok := v.(string); ok && name == "level" && levels[text] != "" {
		return levels[text]
	}
	return v
}
