package retrieve

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/ragnav/ragnav/internal/filter"
	"github.com/ragnav/ragnav/internal/fts"
	"github.com/ragnav/ragnav/internal/rag/models"
)

// pages finds the sections of notes that a query does not name.
type pages struct {
	Index

	notes, sections int
}

func (p pages) Search(_ context.Context, req fts.Request) (res fts.Result, err error) {
	query, err := json.Marshal(req.Query)
	for n := range p.notes {
		path := fmt.Sprintf("note%04d.md", n)
		named := strings.Contains(string(query), path)
		for range p.sections {
			if len(res.Hits) < req.Size && !named {
				res.Hits = append(res.Hits, fts.Hit{Header: models.Header{RepoID: "vault", FilePath: path}})
			}
		}
	}
	return res, err
}

// However many sections have a tag, all notes that they are of are left out, in parts
// that the Search service takes.
func TestWholeNotesLeavesOutAll(t *testing.T) {
	const notes, mostParts = 2100, 1024
	where, err := wholeNotes(t.Context(), pages{notes: notes, sections: 5}, fts.MatchAll{},
		[]filter.Condition{{Field: filter.Tags, Operator: filter.Ne, Value: "urgent"}})
	if err != nil {
		t.Fatal(err)
	}
	text, err := json.Marshal(where)
	if err != nil {
		t.Fatal(err)
	}
	for n := range notes {
		if path := fmt.Sprintf("note%04d.md", n); strings.Count(string(text), path) != 1 {
			t.Errorf("%s is named %d times", path, strings.Count(string(text), path))
		}
	}
	many := map[models.RepoID][]fts.Query{}
	for n := range mostParts + 1 {
		many[models.RepoID(fmt.Sprintf("o/r%04d", n))] = []fts.Query{fts.MatchAll{}}
	}
	for what, q := range map[string]fts.Query{"notes": where, "repositories": ofFiles(many)} {
		if most := widest(q); most > mostParts {
			t.Errorf("of many %s a disjunction has %d parts, want at most %d", what, most, mostParts)
		}
	}
}

// widest is how many parts the largest disjunction of a query has.
func widest(q fts.Query) (most int) {
	var parts []fts.Query
	switch q := q.(type) {
	case fts.Not:
		parts = []fts.Query{q.Query}
	case fts.Conjunction:
		parts = q.Conjuncts
	case fts.Disjunction:
		parts, most = q.Disjuncts, len(q.Disjuncts)
	}
	for _, part := range parts {
		most = max(most, widest(part))
	}
	return most
}
