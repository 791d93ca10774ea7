package valid

import (
	"reflect"
	"strings"

	"github.com/go-playground/validator/v10"
)

// words says what a rule asks for: "must be at most 100".
func words(p validator.FieldError) string {
	switch p.Tag() {
	case "required":
		if p.Kind() == reflect.Int { // a place in a file, whose zero is told from a missing one by nobody
			return "is required, and counts from 1"
		}
		return "is required"
	case "oneof":
		return "must be one of " + strings.Join(strings.Fields(p.Param()), ", ")
	case "min", "gte":
		return "must " + quantity(p, "at least")
	case "max", "lte":
		return "must " + quantity(p, "at most")
	case "gt":
		return "must " + quantity(p, "more than")
	case "lt":
		return "must " + quantity(p, "less than")
	}
	return "must satisfy the rule " + strings.TrimSpace(p.Tag()+" "+p.Param())
}

// quantity is what a bound counts: characters, entries, or the number itself.
func quantity(p validator.FieldError, bound string) string {
	switch p.Kind() {
	case reflect.String:
		return "have " + bound + " " + counted(p.Param(), "character", "characters")
	case reflect.Slice, reflect.Array, reflect.Map:
		return "have " + bound + " " + counted(p.Param(), "entry", "entries")
	}
	return "be " + bound + " " + p.Param()
}

func counted(n, one, many string) string {
	if n == "1" {
		return n + " " + one
	}
	return n + " " + many
}
