package httpapi

import (
	"maps"
	"net/http"
	"net/url"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/go-chi/chi/v5"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/op"
	"github.com/ragnav/ragnav/internal/valid"
)

// chiPath is a route as the router writes it.
func chiPath(path string) string { return strings.Replace(path, "{repo_id}", "*", 1) }

// decoderOf reads the requests of an operation from where its method puts them.
func decoderOf(about op.Spec) decoder {
	if about.Method == http.MethodPost {
		return body
	}
	_, rest, ok := strings.Cut(about.Path, "{")
	if !ok {
		return query
	}
	field, _, _ := strings.Cut(rest, "}")
	if field == "repo_id" {
		return pathParam("*", field)
	}
	return pathParam(field, field)
}

// query decodes the query parameters of a request without body.
func query(_ http.ResponseWriter, r *http.Request, req any) error {
	return decodeParams(r, req, nil)
}

// pathParam decodes the part of the path that the route calls param into the
// field of that JSON name. Query parameters fill the other fields.
func pathParam(param, field string) decoder {
	return func(_ http.ResponseWriter, r *http.Request, req any) error {
		v, err := chi.URLParam(r, param), error(nil)
		if r.URL.RawPath != "" { // then the router matched the path as it was sent
			v, err = url.PathUnescape(v)
		}
		if err != nil || !utf8.ValidString(v) {
			return fault.Wrap(fault.InvalidRequest, err,
				"%s in the path is malformed; write it in UTF-8 and encode special characters with %%XX", field)
		}
		return decodeParams(r, req, map[string]string{field: v})
	}
}

func decodeParams(r *http.Request, req any, fromPath map[string]string) error {
	if err := noBody(r); err != nil {
		return err
	}
	params, err := parameters(r)
	if err != nil {
		return err
	}
	v := reflect.ValueOf(req).Elem()
	types, all := valid.FieldTypes(v.Type())
	var names []string
	for i, name := range all {
		if types[name].Kind() == reflect.Slice { // lists are for bodies
			continue
		}
		names = append(names, name)
		text, ok := fromPath[name]
		if !ok {
			if text, ok = params[name]; !ok {
				continue
			}
			delete(params, name)
		}
		if !setParam(v.Field(i), text) {
			return valid.WrongType(name, indirect(types[name]), strconv.Quote(text[:min(len(text), 40)]))
		}
	}
	return unknownParam(params, slices.DeleteFunc(names, func(n string) bool { _, ok := fromPath[n]; return ok }))
}

// unknownParam refuses what no field has taken. The first in byte order is
// named, so that the same request has the same reply.
func unknownParam(left map[string]string, names []string) error {
	if len(left) == 0 {
		return nil
	}
	first := slices.Min(slices.Collect(maps.Keys(left)))
	if len(names) == 0 {
		return fault.New(fault.InvalidRequest, "unknown query parameter %.60q; there are none here", first)
	}
	return fault.New(fault.InvalidRequest, "unknown query parameter %.60q; there are %s", first, strings.Join(names, ", "))
}

// setParam sets a string, integer or boolean field, or a pointer to one.
func setParam(field reflect.Value, text string) bool {
	if field.Kind() == reflect.Pointer {
		field.Set(reflect.New(field.Type().Elem()))
		field = field.Elem()
	}
	switch field.Kind() {
	case reflect.String:
		field.SetString(text)
		return true
	case reflect.Int:
		n, ok := valid.Whole(text)
		field.SetInt(n)
		return ok
	case reflect.Bool:
		field.SetBool(text == "true")
		return text == "true" || text == "false"
	}
	return false
}

func indirect(t reflect.Type) reflect.Type {
	if t.Kind() == reflect.Pointer {
		return t.Elem()
	}
	return t
}
