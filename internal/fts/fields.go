package fts

import (
	"strconv"
	"strings"

	"github.com/ragnav/ragnav/internal/rag/models"
)

// The indexed fields. Keyword fields hold exact terms; text fields go through
// the code analyser and are scored by BM25.
const (
	FieldType      = "type"
	FieldRepo      = "repo_id"
	FieldPath      = "file_path"
	FieldAncestor  = "ancestors" // every folder above the file (and a module's own folder)
	FieldLanguage  = "language"  // lower case
	FieldKind      = "kind"
	FieldName      = "name"      // symbol name or heading, lower case
	FieldQualified = "qualified" // qualified name, lower case
	FieldTest      = "test"      // "true" on documents of test files, else absent
	FieldTags      = "tags"      // lower case
	FieldWikilinks = "wikilinks" // lower case
	FieldTitle     = "title"     // lower case
	FieldHeading   = "heading"   // lower case
	FieldHLevel    = "heading_level"
	FieldCreated   = "created_date"
	FieldModified  = "modified_date"

	FieldEmbedding = "embedding"
)

// TextField is the text field of the documents of one type. Each type has a
// field of its own so that document frequencies and average lengths, which
// BM25 needs, are those of the level searched.
func TextField(t models.DocType) string { return "text_" + string(t) }

// TextFields lists the text fields.
func TextFields() []string {
	var fields []string
	for _, l := range models.Levels() {
		fields = append(fields, TextField(l.DocType()))
	}
	return fields
}

// KeywordFields lists the keyword fields.
func KeywordFields() []string {
	return []string{
		FieldType, FieldRepo, FieldPath, FieldAncestor, FieldLanguage, FieldKind, FieldName, FieldQualified, FieldTest,
		FieldTags, FieldWikilinks, FieldTitle, FieldHeading, FieldHLevel, FieldCreated, FieldModified,
	}
}

// Keywords gives the terms of a document's keyword fields; empty ones are left out.
func Keywords(d *models.Document) map[string][]string {
	kw := map[string][]string{}
	add := func(field string, terms ...string) {
		for _, t := range terms {
			if t != "" {
				kw[field] = append(kw[field], t)
			}
		}
	}
	add(FieldType, string(d.Type))
	add(FieldRepo, string(d.RepoID))
	add(FieldPath, d.FilePath)
	add(FieldAncestor, models.Ancestors(d.FilePath)...)
	if d.Type == models.TypeModule {
		add(FieldAncestor, d.FilePath)
	}
	add(FieldLanguage, strings.ToLower(d.Language))
	add(FieldKind, d.Kind)
	add(FieldName, strings.ToLower(d.SymbolName))
	add(FieldQualified, strings.ToLower(d.QualifiedName))
	if d.Test {
		add(FieldTest, "true")
	}
	add(FieldTags, lower(d.Tags)...)
	add(FieldWikilinks, lower(d.Wikilinks)...)
	add(FieldTitle, strings.ToLower(d.Title))
	add(FieldHeading, strings.ToLower(d.Heading))
	if d.Type == models.TypeDocument {
		add(FieldHLevel, strconv.Itoa(d.HeadingLevel))
	}
	add(FieldCreated, d.CreatedDate)
	add(FieldModified, d.ModifiedDate)
	return kw
}

func lower(terms []string) []string {
	out := make([]string, len(terms))
	for i, t := range terms {
		out[i] = strings.ToLower(t)
	}
	return out
}

var known = func() map[string]bool {
	m := map[string]bool{}
	for _, f := range append(KeywordFields(), TextFields()...) {
		m[f] = true
	}
	return m
}()
