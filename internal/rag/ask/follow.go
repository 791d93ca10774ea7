package ask

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/ragnav/ragnav/internal/fts"
	"github.com/ragnav/ragnav/internal/rag/ask/inert"
	"github.com/ragnav/ragnav/internal/rag/ask/question"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/rag/search"
)

const (
	followTime = 2 * time.Second
	followMost = 60 // neighbours that are looked at
)

// A follower answers from the graph.
type follower struct {
	graph Graph // may be nil
	read  reader
	asked question.Question
	notes *notes
}

// A trail is what the graph says of a subject.
type trail struct {
	places []place
	docs   map[models.DocumentID]models.Document // of the places
	told   string                                // how the answer begins
}

// named is the symbol that a question names, if it was found first, or holds what was.
func (f follower) named(places []place, docs map[models.DocumentID]models.Document) (s question.Subject, ok bool) {
	if len(places) == 0 {
		return s, false
	}
	names := f.asked.MayName()
	for _, d := range parts(places[0], docs) {
		parts := strings.Split(d.QualifiedName, ".")
		for i, part := range slices.Backward(parts) {
			if d.Type == models.TypeSymbol && names[part] {
				return question.Subject{Repo: d.RepoID, Path: d.FilePath, Name: strings.Join(parts[:i+1], ".")}, true
			}
		}
	}
	return s, false
}

// place finds where the symbol is that a subject may be; without one the subject stays.
func (f follower) place(ctx context.Context, s question.Subject, in Searcher) (question.Subject, error) {
	if tests, users, used := f.asked.Relations(); f.graph == nil || !tests && !users && !used {
		return s, nil
	}
	for _, name := range s.Names {
		if name == "" || !f.notes.Step(1, "the name "+name+" was searched") {
			continue
		}
		d, ok, err := f.symbol(ctx, name, in)
		if err != nil {
			return s, err
		}
		if ok {
			s.Repo, s.Path, s.Name = d.RepoID, d.FilePath, d.QualifiedName
			break
		}
	}
	return s, nil
}

// symbol finds the first one of a name, qualified or not.
func (f follower) symbol(ctx context.Context, name string, in Searcher) (d models.Document, ok bool, err error) {
	resp, err := in.Search(ctx, search.Request{
		Query: name, Level: models.LevelSymbol, RepoFilter: f.asked.Filter, Limit: new(considered),
		AsRanked: true,
	})
	if err != nil {
		return d, false, err
	}
	f.notes.Did("search_code", "level symbol: "+name, len(resp.Items))
	ids := make([]models.DocumentID, len(resp.Items))
	for i, item := range resp.Items {
		ids[i] = item.DocumentID
	}
	docs, err := f.read.docs.Documents(ctx, ids)
	if err != nil {
		return d, false, err
	}
	byID := map[models.DocumentID]models.Document{}
	for _, d := range docs {
		byID[d.ID] = d
	}
	for _, id := range ids {
		d := byID[id]
		if d.QualifiedName == name || strings.HasSuffix(d.QualifiedName, "."+name) ||
			strings.HasSuffix(name, "."+d.QualifiedName) && d.QualifiedName != "" {
			return d, true, nil
		}
	}
	return d, false, nil
}

// follow finds who uses a subject, what it uses, or which tests do, as is asked.
// Where the graph has no answer, ok is false.
func (f follower) follow(ctx context.Context, s question.Subject) (t trail, ok bool, err error) {
	tests, users, used := f.asked.Relations()
	if f.graph == nil || s.Path == "" || !tests && !users && !used {
		return t, false, nil
	}
	id := models.SymbolID(s.Repo, s.Path, s.Name, 1)
	found, err := f.read.docs.Documents(ctx, []models.DocumentID{id})
	if err != nil || len(found) == 0 || !f.asked.InFilter(found[0].RepoID) || !f.notes.Step(1, "the graph was asked") {
		return t, false, err
	}
	of := found[0]
	limited, cancel := context.WithTimeout(ctx, followTime)
	defer cancel()
	n, ok, err := f.graph.Near(limited, of.Header, followMost)
	switch {
	case ctx.Err() != nil:
		return t, false, ctx.Err()
	case err != nil || !ok:
		return t, false, nil
	}
	defs, said := n.Users, "is used by"
	if used && !tests {
		defs, said = n.Used, "uses"
	}
	for _, d := range defs {
		t.places = append(t.places,
			place{
				repo: of.RepoID, path: d.FilePath,
				parts: []models.DocumentID{models.SymbolID(of.RepoID, d.FilePath, d.Qualified, 1)},
			})
	}
	if t.docs, err = f.read.documents(ctx, t.places); err != nil {
		return t, false, err
	}
	if tests {
		said = "is tested by"
	}
	t.places = slices.DeleteFunc(t.places, func(p place) bool {
		d, known := t.docs[p.parts[0]]
		return !known || tests && !d.Test
	})
	if len(t.places) == 0 {
		return t, false, nil
	}
	f.notes.Did("where_used", fmt.Sprintf("%s %s", of.RepoID, of.QualifiedName), len(t.places))
	t.told = fmt.Sprintf("%s in %s %s %s ", inert.Code(of.QualifiedName), of.RepoID, inert.Code(of.FilePath), said)
	for _, term := range fts.Analyze(of.SymbolName) {
		f.notes.weights[term] = 1
	}
	return t, true, nil
}
