package wire

import (
	"encoding/json"
	"slices"

	"github.com/couchbase/gocb/v2"

	"github.com/ragnav/ragnav/internal/fts"
	"github.com/ragnav/ragnav/internal/rag/models"
)

// HitOf reads a row. One without a header, of a document that this program did
// not write, is none.
func HitOf(row gocb.SearchRow) (fts.Hit, bool) {
	var fields struct {
		Header string `json:"header"`
	}
	hit := fts.Hit{Score: row.Score}
	if row.Fields(&fields) != nil || json.Unmarshal([]byte(fields.Header), &hit.Header) != nil || hit.ID == "" {
		return fts.Hit{}, false
	}
	return hit, true
}

// DropUnselected drops hits that neither the query nor the filter of a knn
// clause selects, as far as their headers tell: a service that ignores the
// filter returns such.
func DropUnselected(res *fts.Result, req fts.Request) {
	kept := slices.DeleteFunc(res.Hits, func(h fts.Hit) bool { return !mayBeHit(req, h) })
	res.Dropped += len(res.Hits) - len(kept)
	res.Hits = kept
}

func mayBeHit(req fts.Request, h fts.Hit) bool {
	keywords := fts.Keywords(&models.Document{Header: h.Header})
	if Selects(req.Query, h, keywords) != no {
		return true
	}
	return slices.ContainsFunc(req.KNN,
		func(k fts.KNN) bool { return k.Filter == nil || Selects(k.Filter, h, keywords) != no })
}

// A verdict is whether a query selects a document.
type verdict int

const (
	no verdict = iota
	// Yes is that it selects it.
	Yes
	unknown // a header does not tell
)

// Selects tells by its header whether a query selects a hit.
func Selects(q fts.Query, h fts.Hit, keywords map[string][]string) verdict {
	if !HeaderTells(q) {
		return unknown
	}
	selected, err := fts.Matches(q, string(h.ID), keywords)
	switch {
	case err != nil:
		return unknown
	case selected:
		return Yes
	}
	return no
}

// HeaderTells reports whether a query asks for nothing but what a header has.
func HeaderTells(q fts.Query) bool {
	switch q := q.(type) {
	case fts.Term:
		return headerFields[q.Field]
	case fts.Regexp:
		return headerFields[q.Field]
	case fts.TermRange:
		return headerFields[q.Field]
	case fts.IDs, fts.MatchAll, fts.MatchNone:
		return true
	case fts.Not:
		return HeaderTells(q.Query)
	case fts.Conjunction:
		return !slices.ContainsFunc(q.Conjuncts, func(q fts.Query) bool { return !HeaderTells(q) })
	case fts.Disjunction:
		return !slices.ContainsFunc(q.Disjuncts, func(q fts.Query) bool { return !HeaderTells(q) })
	}
	return false
}

// headerFields are the keyword fields that a header is enough for.
var headerFields = map[string]bool{
	fts.FieldType: true, fts.FieldRepo: true, fts.FieldPath: true, fts.FieldAncestor: true, fts.FieldLanguage: true,
	fts.FieldKind: true, fts.FieldName: true, fts.FieldQualified: true, fts.FieldTest: true,
}
