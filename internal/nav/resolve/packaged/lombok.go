package packaged

import (
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/nav/facts"
	"github.com/ragnav/ragnav/internal/nav/resolve"
)

// Lacking implements Language for methods that Lombok makes of fields: a class whose file
// imports Lombok and that has no method of such a name itself has it from there.
func (javaLanguage) Lacking(q *resolve.Query, _ resolve.FileID, e resolve.Entity, name string) resolve.Found {
	if len(e.Symbols) != 1 || e.Kind != resolve.Value && e.Kind != resolve.TypeName {
		return resolve.Found{}
	}
	if (name == "builder" || name == "toBuilder") && usesLombok(q, e.Symbols[0].File) {
		e.Kind = resolve.TypeName
		return resolve.Gives(resolve.Entity{Kind: resolve.Fields, Args: []resolve.Entity{e}})
	}
	for _, field := range facts.PropertiesOf(name) {
		found := q.Inherited(e, field)
		if len(found.Symbols) != 1 {
			continue
		}
		s := q.Symbol(found.Symbols[0])
		if s.Kind == "property" && q.File(found.Symbols[0].File).Language == "Kotlin" {
			found.Entity = resolve.Gives(q.StandsFor(found.Symbols[0], found.Recv)).Entity
			return found
		}
		if s.Kind != "field" || s.Static || !usesLombok(q, found.Symbols[0].File) {
			continue
		}
		value := q.StandsFor(found.Symbols[0], found.Recv)
		if strings.HasPrefix(name, "set") || strings.HasPrefix(name, "with") { // where chained, of the same type
			value = resolve.Instance(e)
		}
		found.Entity = resolve.Gives(value).Entity
		return found
	}
	return resolve.Found{}
}

// Field implements Language for the methods of a builder that Lombok makes.
func (javaLanguage) Field(q *resolve.Query, e resolve.Entity, name string) resolve.Found {
	if name == "build" {
		return resolve.Gives(resolve.Instance(e))
	}
	out := resolve.Gives(resolve.Entity{Kind: resolve.Fields, Args: []resolve.Entity{e}})
	if found := q.Inherited(e, name); len(found.Symbols) == 1 && q.Symbol(found.Symbols[0]).Kind == "field" {
		found.Entity = out.Entity
		return found
	}
	return out
}

// usesLombok reports whether a file imports what has methods made of fields.
func usesLombok(q *resolve.Query, f resolve.FileID) bool {
	return slices.ContainsFunc(q.File(f).Imports, func(i facts.Import) bool {
		switch i.Name {
		case "*", "Data", "Value", "Getter", "Setter", "Builder", "SuperBuilder", "With":
			return i.Path == "lombok" || strings.HasPrefix(i.Path, "lombok.")
		}
		return false
	})
}
