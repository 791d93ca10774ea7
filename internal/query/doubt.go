package query

import (
	"fmt"
	"slices"
	"strings"
)

// otherNames are what fields are called elsewhere.
var otherNames = map[string]string{
	"repository": FieldRepo, "path": FieldFile, "filename": FieldFile, "language": FieldLang, "symbol": FieldSymbol,
}

// Doubts say which of the words may have been meant to select: fields in other
// letters, by the name that they have elsewhere, misspelt, or without a value.
func (q Query) Doubts() (all []string) {
	doubt := func(text string) {
		said := doubtOf(text)
		if said != "" && !slices.Contains(all, said) {
			all = append(all, said)
		}
	}
	if q.Root == nil {
		for text := range strings.FieldsSeq(q.Words) {
			doubt(text)
		}
	}
	Has(q.Root, func(n Node) bool {
		if w, ok := n.(Word); ok {
			doubt(w.Text)
		}
		return false
	})
	return all
}

func doubtOf(word string) string {
	word = strings.TrimRight(strings.TrimLeft(word, "-("), "),")
	name, value, ok := strings.Cut(word, ":")
	if !ok || strings.HasPrefix(value, ":") || strings.HasPrefix(value, "//") {
		return ""
	}
	field := meant(name)
	switch {
	case field == "":
		return ""
	case value != "":
		return fmt.Sprintf("%.60s was taken as words; to select write %s:%.60s", word, field, value)
	case field == FieldRepo || field == FieldLang || field == FieldSymbol: // the others are English before a colon
		return fmt.Sprintf("%.60s was taken as a word; to select write %s:VALUE without a space", word, field)
	}
	return ""
}

// meant is the field that somebody may mean who writes a name before a colon.
func meant(name string) string {
	lower := strings.ToLower(name)
	if fields[lower] {
		return lower
	}
	if field := otherNames[lower]; field != "" {
		return field
	}
	sorted := func(s string) string {
		letters := []byte(s)
		slices.Sort(letters)
		return string(letters)
	}
	for _, field := range []string{FieldRepo, FieldFile, FieldLang, FieldSymbol, FieldKind, FieldTag} {
		if lower == field+"s" || len(field) > 3 && sorted(lower) == sorted(field) {
			return field
		}
	}
	return ""
}
