package main

import (
	"fmt"
	"strings"

	"github.com/ragnav/ragnav/internal/index"
)

// viewPreview prints two lines a repository, then a line a file: "+" would be
// indexed, "=" is indexed and stays, "-" is left out and why.
func viewPreview(s *screen, resp index.PreviewResponse) {
	for _, r := range resp.Repositories {
		s.printf("%s would have %s with %s and %s (%s), %s\n", r.RepoID, counted(r.Indexed, "file"),
			counted(int(r.Bytes), "byte"), counted(r.Documents, "document"), s.safe(r.Target), skipped(r.Skipped))
		s.printf("  %s changed, %s removed, about %s to embed\n", thousands(r.Changed), thousands(r.Removed), counted(r.Tokens, "token"))
		viewMasked(s, r.MaskCount)
		if t := r.Summaries; t != nil {
			price := "; set RAGNAV_LLM_PRICE to see what they cost"
			if t.Price > 0 {
				price = fmt.Sprintf(", %.2f in the money of RAGNAV_LLM_PRICE", t.Price)
			}
			s.printf("  summaries: at most %s, about %s to the model and %s from it%s\n",
				counted(t.Requests, "request"), counted(t.PromptTokens, "token"), thousands(t.ReplyTokens), price)
		}
		if r.Renewed {
			s.printf("  every file would be read again: its documents were made by the rules of another version\n")
		}
	}
	rows := make([][]string, 0, len(resp.Items))
	for _, item := range resp.Items {
		rows = append(rows, previewRow(item, len(resp.Repositories) > 1))
	}
	s.table(rows...)
}

func previewRow(item index.PreviewItem, several bool) []string {
	row := coverageRow(item.CoverageItem)
	name := item.FilePath
	if several {
		name = string(item.RepoID) + " " + name
	}
	mark := strings.Fields(row[0])[0]
	if item.Indexed && !item.Changed {
		mark = "="
	}
	row[0] = mark + " " + name
	if item.Tokens > 0 {
		row[3] += ", about " + counted(item.Tokens, "token")
	}
	return row
}
