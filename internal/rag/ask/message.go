package ask

import (
	"context"
	"slices"
	"strings"

	"github.com/ragnav/ragnav/internal/fts"
	"github.com/ragnav/ragnav/internal/pattern"
	"github.com/ragnav/ragnav/internal/rag/ask/extract"
	"github.com/ragnav/ragnav/internal/rag/models"
)

// A message that is asked about is fewestSaid to mostSaid words long, and code gives it
// that has so many of them, and half, one after another.
const (
	fewestSaid = 4
	mostSaid   = 40
)

var inQuotes = pattern.NewLazy("[\"“]([^\"“”]+)[\"”]|`([^`]+)`|(?:^|\\s)'([^']+)'")

// messageOf is the text of an error or a log that a question is about: what stands in
// quotes, or all of what asks nothing. It is nil where there is none.
func messageOf(question string) []string {
	text := ""
	for _, m := range inQuotes().FindAllStringSubmatch(question, -1) {
		if quoted := m[1] + m[2] + m[3]; len(quoted) > len(text) {
			text = quoted
		}
	}
	if words := lowerWords(text); len(words) >= fewestSaid {
		return words[:min(len(words), mostSaid)]
	}
	if asksSomething().MatchString(question) || strings.Contains(question, "\n") {
		return nil
	}
	words := lowerWords(question)
	if len(words) < fewestSaid || len(words) > mostSaid {
		return nil
	}
	return words
}

func lowerWords(text string) (words []string) {
	for _, word := range fts.Words(text) {
		words = append(words, strings.ToLower(word))
	}
	return words
}

// given puts the quote first whose code has the message that is asked about, or most of
// it: that is where it comes from, whatever else speaks of its words.
func (q inquiry) given(quotes []extract.Quote) []extract.Quote {
	said := messageOf(q.req.Query)
	if len(said) == 0 || q.about.after != "" {
		return quotes
	}
	best, most := 0, 0
	for i, quote := range quotes {
		if quote.Doc.Test || quote.Doc.Heading != "" {
			continue
		}
		if n := runOf(said, codeOf(quote.Text)); n > most {
			best, most = i, n
		}
	}
	if best == 0 || most < fewestSaid || 2*most < len(said) {
		return quotes
	}
	return slices.Concat(quotes[best:best+1], quotes[:best], quotes[best+1:])
}

// codeOf are the words of the lines of a text that are no comments.
func codeOf(text string) (words []string) {
	for line := range strings.SplitSeq(text, "\n") {
		if !extract.IsComment(line) {
			words = append(words, lowerWords(line)...)
		}
	}
	return words
}

// runOf is how many words of a message a text has one after another.
func runOf(said, text []string) (most int) {
	for i := range text {
		for k := range said {
			n := 0
			for k+n < len(said) && i+n < len(text) && said[k+n] == text[i+n] {
				n++
			}
			most = max(most, n)
		}
	}
	return most
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
