package ask

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/rag/ask/extract"
	"github.com/ragnav/ragnav/internal/rag/ask/question"
	"github.com/ragnav/ragnav/internal/rag/models"
)

// Which symbols lead an answer: leads of the best mayLead, ranked anew.
const (
	mayLead = 8
	leads   = 3
)

// What a symbol is worth that tells little of how something is done, as a share of one
// that does it: a type, and a function that has no body or hands over to another. A
// function is worth as much as a type is then to who asks how something is structured.
const (
	typeWorth  = 0.45
	briefWorth = 0.3
	briefLines = 3 // of code, its head included
)

// led has the answer to a question begin with what a search for symbols ranks first,
// unless the file of one behind it is further ahead: ranks count by their reciprocals,
// and where it is asked how something is done, what does it counts more than what
// declares it. What is like the question by little only does not lead.
func (f finder) led(ctx context.Context, files []place) ([]place, error) {
	text := f.asked.Text()
	if !question.Asks(text) || !f.Step(1, "level symbol was searched") {
		return files, nil
	}
	resp, err := f.searchedFor(ctx, question.AsHow(text), models.LevelSymbol)
	if err != nil {
		return nil, err
	}
	var all []lead
	for i, item := range resp.Items[:min(mayLead, len(resp.Items))] {
		if item.Weak || item.FilePath == nil {
			continue
		}
		p := place{
			repo: item.RepoID, path: *item.FilePath, share: 1, cosine: resp.Likeness[item.DocumentID].Cosine,
			leader: item.DocumentID,
		}
		score := 1 / float64(1+i)
		if n := slices.IndexFunc(files, p.sameFile); n >= 0 {
			score += 1 / float64(1+n)
		}
		all = append(all, lead{place: p, score: score})
	}
	if structure := question.AsksStructure(text); structure || question.AsksWork(text) {
		if err := f.weigh(ctx, all, structure); err != nil {
			return nil, err
		}
	}
	if l, ok, err := f.limit(ctx, text); err != nil {
		return nil, err
	} else if ok {
		all = slices.DeleteFunc(all, func(other lead) bool { return other.place.leader == l.place.leader })
		all = append(all, l)
	}
	slices.SortStableFunc(all, func(a, b lead) int { return cmp.Compare(b.score, a.score) })
	return ahead(all[:min(leads, len(all))], files), nil
}

// A lead is a place with the symbol that an answer may begin with.
type lead struct {
	place  place
	score  float64
	little bool // it tells little of how something is done
}

// weigh takes from the scores of symbols that tell little of how something is done, or
// of what it is made of.
func (f finder) weigh(ctx context.Context, all []lead, structure bool) error {
	var some place
	for _, l := range all {
		some.parts = append(some.parts, l.place.leader)
	}
	docs, err := f.read.documents(ctx, []place{some})
	if err != nil {
		return err
	}
	for i, l := range all {
		d, known := docs[l.place.leader]
		switch {
		case !known || d.StartLine == 0:
		case (d.Kind != "func" && d.Kind != "method") != structure:
			all[i].score, all[i].little = l.score*typeWorth, true
		case !structure:
			text, _, err := f.read.lines.Lines(ctx, d.RepoID, d.FilePath, d.StartLine, d.EndLine)
			if err == nil && codeLines(text) <= briefLines {
				all[i].score, all[i].little = l.score*briefWorth, true
			}
		}
	}
	return ctx.Err()
}

// codeLines counts the lines of a symbol that are more than a bracket, a comment or an
// annotation.
func codeLines(text string) (n int) {
	for line := range strings.SplitSeq(text, "\n") {
		line = strings.TrimSpace(line)
		n += count(len(line) > len("});") && !extract.IsComment(line) && !strings.HasPrefix(line, "@"))
	}
	return n
}

// ahead puts what leads before the files, each once: of one file all that tells
// something comes in that order.
func ahead(all []lead, files []place) []place {
	var first []place
	for _, l := range all {
		p := l.place
		if i := slices.IndexFunc(first, p.sameFile); i >= 0 {
			if l.little {
				continue
			}
			first[i].parts = append(first[i].parts, p.leader)
			first[i].close = append([]models.DocumentID{p.leader}, first[i].close...)
			continue
		}
		if at := slices.IndexFunc(files, p.sameFile); at >= 0 {
			p.parts, p.close = files[at].parts, files[at].close
			files = slices.Delete(slices.Clone(files), at, at+1)
		}
		if len(p.parts) > 0 && p.parts[0] != p.leader {
			p.close = append([]models.DocumentID{p.parts[0]}, p.close...)
		}
		p.parts = append([]models.DocumentID{p.leader}, slices.DeleteFunc(slices.Clone(p.parts),
			func(id models.DocumentID) bool { return id == p.leader })...)
		first = append(first, p)
	}
	return append(first, files...)
}
