package ask

import (
	"context"
	"fmt"
	"slices"

	"github.com/ragnav/ragnav/internal/fault"
	"github.com/ragnav/ragnav/internal/rag/ask/extract"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/redact"
)

// maxGaps is how many gaps are told one by one.
const maxGaps = 5

// A reader quotes files.
type reader struct {
	docs  Library
	lines LineReader
	level models.Level // that is asked for
	notes *notes
}

// read makes quotes of the best places, one of each file but the first. What several
// repositories have in common is quoted once. Nothing to quote because the system
// fails, as when too many files are open, is an error and no answer.
func (r reader) read(ctx context.Context, places []place, docs map[models.DocumentID]models.Document) (
	[]extract.Quote, error,
) {
	if len(places) == 0 || !r.notes.Step(0, "any lines were read") {
		return nil, nil
	}
	var quotes []extract.Quote
	var failure error // of the system, not of a file
	for _, docs := range r.candidates(places, docs) {
		if len(quotes) == r.notes.citations {
			break
		}
		q, ok, err := r.readPlace(ctx, docs)
		switch {
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case err != nil:
			failure = err
		}
		if ok && !slices.ContainsFunc(quotes, q.Copied) && !slices.ContainsFunc(quotes, q.Overlaps) {
			quotes = append(quotes, q)
		}
	}
	switch {
	case failure != nil && len(quotes) == 0:
		return nil, failure
	case failure != nil:
		r.notes.Warn([]models.Warning{{
			Code:    "PARTIAL_RESULTS",
			Message: "some files could not be read, and others may fit better: " + fault.MessageOf(failure),
		}})
	}
	r.notes.Did("get_file", "the lines that fit best, of each file", len(quotes))
	if n := len(r.notes.gaps); n > maxGaps {
		r.notes.gaps = append(r.notes.gaps[:maxGaps-1], fmt.Sprintf("%d more files could not be quoted", n-maxGaps+1))
	}
	return quotes, nil
}

// What else of the first place is cited, for being almost as like the question as the
// best of it.
const (
	closeShare = 0.8 // of its score
	maxClose   = 2
)

// candidates are the documents of each place, of which one is cited, and what is close
// behind it in the first one. Who asks for symbols or sections, and gets few files,
// gets what else was found in them too.
func (r reader) candidates(places []place, docs map[models.DocumentID]models.Document) [][]models.Document {
	var all, more [][]models.Document
	for i, p := range places {
		found := parts(p, docs)
		if r.level != models.LevelSymbol && r.level != models.LevelDoc {
			all = append(all, found)
			for n, d := range found {
				if i == 0 && n > 0 && slices.Contains(p.close, d.ID) && len(all) <= maxClose {
					all = append(all, []models.Document{d})
				}
			}
			continue
		}
		for i, d := range found {
			if i == 0 {
				all = append(all, []models.Document{d})
			} else {
				more = append(more, []models.Document{d})
			}
		}
	}
	return append(all, more...)
}

// documents are those of places.
func (r reader) documents(ctx context.Context, places []place) (map[models.DocumentID]models.Document, error) {
	var ids []models.DocumentID
	for _, p := range places {
		ids = append(ids, p.parts...)
	}
	docs, err := r.docs.Documents(ctx, ids)
	byID := make(map[models.DocumentID]models.Document, len(docs))
	for _, d := range docs {
		byID[d.ID] = d
	}
	return byID, err
}

// parts are the documents of a place, best first. Of a long one that holds
// another of them only that other is wanted.
func parts(p place, docs map[models.DocumentID]models.Document) []models.Document {
	var all []models.Document
	for _, id := range p.parts {
		if d, ok := docs[id]; ok && d.StartLine > 0 {
			all = append(all, d)
		}
	}
	holds := func(outer, inner models.Document) bool {
		return inner.ID != outer.ID && inner.StartLine >= outer.StartLine && inner.EndLine <= outer.EndLine
	}
	long := func(d models.Document) bool {
		return d.EndLine-d.StartLine >= extract.MaxWhole &&
			slices.ContainsFunc(all, func(inner models.Document) bool { return holds(d, inner) })
	}
	last := func(d models.Document) int {
		if d.ID == p.leader && (d.Kind == "func" || d.Kind == "method") {
			return -1 // what is asked for is done somewhere in it
		}
		return 2*count(long(d)) + count(tiny(d))
	}
	slices.SortStableFunc(all, func(a, b models.Document) int { return last(a) - last(b) })
	for i, d := range all { // of a name that is declared several times, what it does
		if same := d.QualifiedName != "" && d.QualifiedName == all[0].QualifiedName; i > 0 && same &&
			d.EndLine-d.StartLine > all[0].EndLine-all[0].StartLine && !long(d) {
			all[0], all[i] = all[i], all[0]
		}
	}
	return all
}

// tiny reports whether a document is a field, a case or the like, which says little
// by itself. Of constants one line is all there is.
func tiny(d models.Document) bool {
	return d.Type == models.TypeSymbol && d.EndLine-d.StartLine < 2 && d.Kind != "const" && d.Kind != "var"
}

func count(b bool) int {
	if b {
		return 1
	}
	return 0
}

// readPlace quotes the best document of a file whose lines are those that were
// indexed. When there is none the file becomes a gap; the error is the system's, if
// that is why.
func (r reader) readPlace(ctx context.Context, docs []models.Document) (extract.Quote, bool, error) {
	gap := ""
	var failure error
	for _, d := range docs {
		text, warnings, err := r.lines.Lines(ctx, d.RepoID, d.FilePath, d.StartLine, d.EndLine)
		place := fmt.Sprintf("%s %s:%d-%d", d.RepoID, d.FilePath, d.StartLine, d.EndLine)
		switch {
		case err != nil:
			gap = place + " could not be read: " + fault.MessageOf(err)
			if fault.CodeOf(err).Row().HTTP >= 500 {
				failure = err
			}
		case models.HashText(text) != d.ContentHash:
			gap = place + " changed since it was indexed and was left out; index the repository again"
		default:
			r.notes.Warn(warnings)
			text, _ = redact.Text(text)
			return extract.NewQuote(d, text, r.notes.weights), true, nil
		}
	}
	if gap != "" {
		r.notes.gaps = append(r.notes.gaps, gap)
	}
	return extract.Quote{}, false, failure
}

// Parts are named by what they are of where that is one of so many symbols of a file.
const (
	namedParts  = 3 // of the quotes, which the first sentences name
	mostSymbols = 1500
)

// within has the first quotes say what they are a part of.
func (r reader) within(ctx context.Context, quotes []extract.Quote) error {
	for i := range quotes[:min(namedParts, len(quotes))] {
		q := &quotes[i]
		if q.Doc.Kind != models.KindChunk {
			continue
		}
		files, err := r.docs.Documents(ctx, []models.DocumentID{models.FileID(q.Doc.RepoID, q.Doc.FilePath)})
		if err != nil {
			return err
		}
		if len(files) == 0 || len(files[0].ChildrenIDs) > mostSymbols {
			continue
		}
		symbols, err := r.docs.Documents(ctx, files[0].ChildrenIDs)
		if err != nil {
			return err
		}
		least := models.Document{}
		for _, s := range symbols {
			if s.Kind == models.KindChunk || s.StartLine > q.Start || s.EndLine < q.End {
				continue
			}
			if least.EndLine == 0 || s.EndLine-s.StartLine < least.EndLine-least.StartLine {
				least = s
			}
		}
		q.Of = least.QualifiedName
	}
	return nil
}
