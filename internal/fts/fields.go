package fts

import (
	"path"
	"strconv"
	"strings"

	"golang.org/x/text/unicode/norm"

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
	FieldTags      = "tags"      // as Fold
	FieldWikilinks = "wikilinks" // as LinkTerm; those with a path also by name
	FieldTitle     = "title"     // as Fold
	FieldHeading   = "heading"   // as Fold
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
	for _, tag := range d.Tags {
		add(FieldTags, Fold(tag))
	}
	for _, link := range d.Wikilinks {
		term := LinkTerm(link)
		add(FieldWikilinks, term)
		if name := path.Base(term); name != term && term != "" { // of a path
			add(FieldWikilinks, name)
		}
	}
	add(FieldTitle, Fold(d.Title))
	for _, alias := range d.Aliases {
		add(FieldTitle, Fold(alias))
	}
	add(FieldHeading, Fold(d.Heading))
	if d.Type == models.TypeDocument {
		add(FieldHLevel, strconv.Itoa(d.HeadingLevel))
	}
	add(FieldCreated, d.CreatedDate)
	add(FieldModified, d.ModifiedDate)
	return kw
}

// Fold is a text as it is compared: in lower case, with characters of several parts
// composed. Files of some systems, and what is pasted from their names, have "é" as
// "e" and an accent.
func Fold(s string) string { return strings.ToLower(composed(s)) }

func composed(s string) string {
	if norm.NFC.IsNormalString(s) {
		return s
	}
	return norm.NFC.String(s)
}

// LinkTerm is the term of a link to a note: the name, alias or path in [[ ]] in
// lower case, without what follows "|" or "#" and without the ending of a note.
func LinkTerm(target string) string {
	target = strings.TrimSuffix(strings.TrimPrefix(strings.TrimSpace(target), "[["), "]]")
	if i := strings.IndexAny(target, "|#"); i >= 0 {
		target = target[:i]
	}
	target = Fold(strings.TrimSpace(target))
	target = strings.TrimSuffix(strings.TrimSuffix(target, ".markdown"), ".md")
	return strings.TrimPrefix(strings.Trim(target, "/"), "./")
}

var known = func() map[string]bool {
	m := map[string]bool{}
	for _, f := range append(KeywordFields(), TextFields()...) {
		m[f] = true
	}
	return m
}()
