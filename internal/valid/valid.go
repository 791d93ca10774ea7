// Package valid checks requests against their validate tags. It is the only
// importer of the validation library.
package valid

import (
	"errors"
	"fmt"
	"reflect"
	"strings"

	"github.com/go-playground/validator/v10"

	"github.com/ragnav/ragnav/internal/fault"
)

// maxNamed is how many problems a message spells out; Fields has all of them.
const maxNamed = 5

var checker = newChecker()

func newChecker() *validator.Validate {
	v := validator.New(validator.WithRequiredStructEnabled())
	v.RegisterTagNameFunc(func(f reflect.StructField) string {
		name, _, _ := strings.Cut(f.Tag.Get("json"), ",")
		return name
	})
	return v
}

// Check reports all problems of req, a struct or a pointer to one, as one
// InvalidRequest error. Its Message names each field by its JSON path with the
// rule in words, in the order of the struct; Fields has rule by path.
func Check(req any) error {
	err := checker.Struct(req)
	if err == nil {
		return nil
	}
	problems, ok := errors.AsType[validator.ValidationErrors](err)
	if !ok {
		return fault.Wrap(fault.Internal, err, "request cannot be validated")
	}
	out := &fault.Error{Code: fault.InvalidRequest, Fields: make(map[string]string, len(problems))}
	var lines []string
	for _, p := range problems {
		field, rule := path(p), words(p)
		out.Fields[field] = rule
		lines = append(lines, field+" "+rule)
	}
	out.Message = strings.Join(lines[:min(len(lines), maxNamed)], "; ")
	if more := len(lines) - maxNamed; more > 0 {
		out.Message += fmt.Sprintf("; and %d more", more)
	}
	return out
}

// path is the JSON path of a field: "history[0].role", not "Request.History[0].Role".
func path(p validator.FieldError) string {
	_, field, _ := strings.Cut(p.Namespace(), ".")
	return field
}
