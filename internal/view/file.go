package view

import (
	"fmt"
	"strings"

	"github.com/ragnav/ragnav/internal/rag/filefetch"
	"github.com/ragnav/ragnav/internal/rag/models"
	"github.com/ragnav/ragnav/internal/repo/relpath"
)

// filePage has a part for each line, with its number; what is left out is asked
// for by the next lines, and the spans behind them.
func filePage(r *filefetch.Response) page {
	p := page{counts: models.Counted(len(r.Items), "span")}
	if len(r.Items) == 1 {
		p.counts = fileHead(r.Items[0])
		p.countsOf = func(shown int) string {
			part := r.Items[0]
			part.EndLine = part.StartLine + shown - 1
			return fileHead(part)
		}
	}
	type line struct{ item, number int }
	var at []line
	for i, item := range r.Items {
		if len(r.Items) > 1 {
			p.parts, at = append(p.parts, "# "+fileHead(item)+"\n"), append(at, line{i, item.StartLine})
		}
		n := item.StartLine
		for text := range strings.Lines(item.Code) {
			p.parts = append(p.parts, fmt.Sprintf("%d\t%s\n", n, strings.TrimRight(text, "\r\n")))
			at = append(at, line{i, n})
			n++
		}
	}
	p.rest = func(shown int) any {
		items := r.Items
		if shown >= len(at) { // the reply itself was cut
			last := items[len(items)-1]
			return rest(last, last.EndLine+1, nil)
		}
		return rest(items[at[shown].item], at[shown].number, items[at[shown].item+1:])
	}
	return p
}

func fileHead(item models.FileContent) string {
	if item.Error != "" {
		return fmt.Sprintf("%s: %s", item.FilePath, item.Error)
	}
	symbol := ""
	if item.Symbol != "" {
		symbol = " " + item.Symbol
	}
	if item.Commit != "" {
		symbol += fmt.Sprintf(" in commit %.12s", item.Commit)
	}
	file := item.FilePath
	if relpath.Odd(file) != "" { // as coverage writes it
		file = relpath.Printable(file)
	}
	return fmt.Sprintf("%s %s%s%s of %d", item.RepoID, file, lines(item.StartLine, item.EndLine), symbol,
		item.TotalLines)
}

// rest asks for the lines of an item from a line on, and for the items behind it.
func rest(item models.FileContent, from int, behind []models.FileContent) any {
	if len(behind) == 0 {
		req := filefetch.Request{RepoID: item.RepoID, FilePath: item.FilePath, StartLine: &from, Commit: item.Commit}
		if item.EndLine >= from {
			req.EndLine = &item.EndLine
		}
		return &req
	}
	req := filefetch.Request{RepoID: item.RepoID, Commit: item.Commit}
	for i, it := range append([]models.FileContent{item}, behind...) {
		if it.Error != "" {
			continue
		}
		start, end := it.StartLine, it.EndLine
		if i == 0 {
			start = from
		}
		req.Spans = append(req.Spans, filefetch.Span{FilePath: it.FilePath, StartLine: &start, EndLine: &end})
	}
	return &req
}
